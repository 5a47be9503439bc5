/**
 * The documents that a client has open, with their texts as the client last told them.
 *
 * Every text inside the root goes on to the service, which hides the disk's by it. Documents
 * elsewhere are kept so that later changes of theirs find something to change, and are told to
 * nobody. A change that does not fit (another shape, an unknown document, an older version) is a client's
 * mistake and is thrown as such; the dispatcher logs it. One of an unknown document is kept for its opening
 * (`early-changes.ts`).
 */
import type {
  DidChangeTextDocumentParams,
  DidCloseTextDocumentParams,
  DidOpenTextDocumentParams,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { Service } from '../engine/service.js';
import { EarlyChanges } from './early-changes.js';
import { isText } from './told-text.js';
import type { PathsAndUris } from './paths-and-uris.js';

/** How long editors wait before they tell of a change, with some time for a busy machine. */
const TOLD_WITHIN_MS = 1000;
/** How often it is looked whether they told: sooner than a person notices. */
const LOOK_MS = 10;

export interface OpenDocument {
  readonly uri: string;
  /** Undefined outside of the root. */
  readonly path: string | undefined;
  readonly text: TextDocument;
}

const position = z.object({ line: z.int().min(0), character: z.int().min(0) });
const document = z.object({ uri: z.string() });
/** What is read of a client's parameters. All other shapes are refused before they can become a text. */
const OPENED = z.object({ textDocument: document.extend({ version: z.int(), text: z.string() }) });
const CHANGED = z.object({
  textDocument: document.extend({ version: z.int() }),
  contentChanges: z.array(
    z.object({ text: z.string(), range: z.object({ start: position, end: position }).optional() }),
  ),
});
const CLOSED = z.object({ textDocument: document });

export class OpenDocuments {
  private readonly byUri = new Map<string, OpenDocument>();
  private readonly byPath = new Map<string, OpenDocument>();
  private readonly early = new EarlyChanges();

  constructor(
    private readonly service: Service,
    private readonly paths: PathsAndUris,
  ) {}

  open(params: DidOpenTextDocumentParams): OpenDocument {
    OPENED.parse(params);
    const { textDocument } = params;
    const { uri, languageId, version, text } = textDocument;
    const path = this.paths.pathOf(uri);
    let opened = TextDocument.create(uri, languageId, version, text);
    for (const { version: next, changes } of this.early.after(uri, version))
      opened = TextDocument.update(opened, changes, next);
    return this.take({ uri, path, text: opened });
  }

  change(params: DidChangeTextDocumentParams): OpenDocument {
    CHANGED.parse(params);
    const { textDocument, contentChanges } = params;
    const known = this.byUri.get(textDocument.uri);
    if (known === undefined) {
      this.early.note(textDocument.uri, { version: textDocument.version, changes: contentChanges });
      throw new Error(`didChange of ${textDocument.uri}, which is not open`);
    }
    if (textDocument.version < known.text.version)
      throw new Error(
        `didChange of ${textDocument.uri} to version ${textDocument.version} after ${known.text.version}`,
      );
    return this.take({ ...known, text: TextDocument.update(known.text, contentChanges, textDocument.version) });
  }

  close(params: DidCloseTextDocumentParams): OpenDocument | undefined {
    CLOSED.parse(params);
    const { textDocument } = params;
    const known = this.byUri.get(textDocument.uri);
    this.byUri.delete(textDocument.uri);
    if (known?.path === undefined) return known;
    this.byPath.delete(known.path);
    this.paths.closed(known.path);
    this.service.closeText(known.path);
    return known;
  }

  atPath(path: string): OpenDocument | undefined {
    return this.byPath.get(path);
  }

  /**
   * Resolves once each of these files that is open has its text, or after a moment: editors tell of their own edits up
   * to some tenths of a second later, when they may have asked for something else already.
   */
  async told(texts: ReadonlyMap<string, string>): Promise<void> {
    const isTold = ([path, text]: readonly [string, string]): boolean =>
      isText(this.atPath(path)?.text.getText() ?? text, text);
    for (let waited = 0; waited < TOLD_WITHIN_MS && ![...texts].every(isTold); waited += LOOK_MS) await delay(LOOK_MS);
  }

  /** Those inside the root. */
  inside(): IterableIterator<[string, OpenDocument]> {
    return this.byPath.entries();
  }

  private take(document: OpenDocument): OpenDocument {
    this.byUri.set(document.uri, document);
    if (document.path !== undefined) {
      this.byPath.set(document.path, document);
      this.paths.opened(document.path, document.uri);
      this.service.setText(document.path, document.text.getText(), document.text.version);
    }
    return document;
  }
}
