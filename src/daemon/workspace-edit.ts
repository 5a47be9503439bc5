/**
 * File edits as a `WorkspaceEdit`: versions for open documents, null for closed ones, and only the
 * lines that differ, so that marks and cursors elsewhere in a buffer stay.
 *
 * The result is undefined with a reason where the client could not carry the edit out as a whole;
 * half of a propagation is worse than none.
 */
import type {
  ChangeAnnotation,
  CreateFile,
  DeleteFile,
  RenameFile,
  ResourceOperationKind,
  TextDocumentEdit,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Step } from '#protocol/propagate.js';
import { factAndCause } from '../base/block-reason.js';
import { namesInWords } from '../base/counted.js';
import { shownInLine, shownName } from '../base/shown.js';
import { lineEdits } from '../base/line-edits.js';
import type { FileEdit } from '../engine/file-edit.js';
import type { ClientFeatures } from './client-features.js';
import type { OpenDocuments } from './open-documents.js';
import { isText } from './told-text.js';
import type { PathsAndUris } from './paths-and-uris.js';

export type WorkspaceEditOutcome =
  { readonly ok: true; readonly edit: WorkspaceEdit } | { readonly ok: false; readonly reason: string };

type DocumentChange = TextDocumentEdit | CreateFile | RenameFile | DeleteFile;

/** Reasons of a file's steps that are told of its edits. */
const REASONS_MOST = 3;

/**
 * `steps`: of the plan that the edits are of. Where clients have annotations, an edit has the reasons of its file's
 * steps, and a person confirms what no rule made, or with `confirm` all of it.
 */
export function workspaceEditOf(
  edits: readonly FileEdit[],
  steps: readonly Step[],
  confirm: boolean,
  documents: OpenDocuments,
  paths: PathsAndUris,
  features: ClientFeatures,
): WorkspaceEditOutcome {
  const moved = edits.flatMap((edit) => {
    const open = documents.atPath(edit.file);
    return edit.kind !== 'create' && open !== undefined && !isText(open.text.getText(), edit.before) ? [edit.file] : [];
  });
  if (moved.length > 0)
    return {
      ok: false,
      reason: `the text of ${moved.map(shownName).join(', ')} moved on while the edits were computed; propagate again`,
    };
  const missing = edits
    .map((edit) => operationOf(edit))
    .find(
      (operation) =>
        operation !== undefined && (!features.documentChanges || !features.resourceOperations.has(operation)),
    );
  if (missing !== undefined)
    return {
      ok: false,
      reason:
        `the edits have to ${missing} a file, which this editor does not support; run "codeplan propagate ` +
        '--apply" in a terminal',
    };
  if (!features.documentChanges) {
    const changes = Object.fromEntries(
      edits.flatMap((edit) =>
        edit.kind === 'change' ? [[paths.uriOf(edit.file), textEdits(edit.before, edit.after)]] : [],
      ),
    );
    return { ok: true, edit: { changes } };
  }
  if (!features.changeAnnotations)
    return { ok: true, edit: { documentChanges: edits.flatMap((edit) => changesOf(edit, documents, paths)) } };
  const changeAnnotations: Record<string, ChangeAnnotation> = {};
  const documentChanges = edits.flatMap((edit, n) => {
    const id = String(n);
    changeAnnotations[id] = annotationOf(
      steps.filter((step) => step.file === edit.file && step.diff !== ''),
      confirm,
    );
    return changesOf(edit, documents, paths).map((change) => annotated(change, id));
  });
  return { ok: true, edit: { documentChanges, changeAnnotations } };
}

function annotationOf(steps: readonly Step[], confirm: boolean): ChangeAnnotation {
  const isByModel = steps.some(({ how }) => how === 'model');
  const reasons = [...new Set(steps.map(factAndCause))];
  return {
    label: isByModel ? 'codeplan: written by a model' : 'codeplan: follows from your edit by a rule',
    ...(reasons.length === 0 ? {} : { description: shownInLine(namesInWords(reasons, REASONS_MOST)) }),
    ...(isByModel || confirm ? { needsConfirmation: true } : {}),
  };
}

/** The edits that take these back. */
export function inverted(edits: readonly FileEdit[]): FileEdit[] {
  return edits
    .map((edit): FileEdit => {
      switch (edit.kind) {
        case 'change':
          return { kind: 'change', file: edit.file, before: edit.after, after: edit.before };
        case 'create':
          return { kind: 'delete', file: edit.file, before: edit.after };
        case 'delete':
          return { kind: 'create', file: edit.file, after: edit.before };
        case 'rename':
          return { kind: 'rename', file: edit.to, to: edit.file, before: edit.after, after: edit.before };
      }
    })
    .reverse();
}

/** Whole lines of `before` replaced by whole lines of `after`, in order. */
export function textEdits(before: string, after: string): TextEdit[] {
  const document = TextDocument.create('', '', 0, before);
  return lineEdits(before, after).map(({ start, end, text }) => ({
    range: { start: document.positionAt(start), end: document.positionAt(end) },
    newText: text,
  }));
}

function annotated(change: DocumentChange, annotationId: string): DocumentChange {
  return 'edits' in change
    ? { ...change, edits: change.edits.map((edit) => ({ ...edit, annotationId })) }
    : { ...change, annotationId };
}

function operationOf(edit: FileEdit): ResourceOperationKind | undefined {
  return edit.kind === 'change' ? undefined : edit.kind;
}

function changesOf(edit: FileEdit, documents: OpenDocuments, paths: PathsAndUris): DocumentChange[] {
  const uri = paths.uriOf(edit.file);
  const edits = (file: string, before: string, after: string, version: number | null): TextDocumentEdit => ({
    textDocument: { uri: paths.uriOf(file), version },
    edits: textEdits(before, after),
  });
  switch (edit.kind) {
    case 'change': {
      const open = documents.atPath(edit.file)?.text;
      return [edits(edit.file, open?.getText() ?? edit.before, edit.after, open?.version ?? null)];
    }
    case 'create':
      return [{ kind: 'create', uri }, edits(edit.file, '', edit.after, null)];
    case 'delete':
      return [{ kind: 'delete', uri }];
    case 'rename': {
      const rename: RenameFile = { kind: 'rename', oldUri: uri, newUri: paths.uriOf(edit.to) };
      return edit.before === edit.after ? [rename] : [rename, edits(edit.to, edit.before, edit.after, null)];
    }
  }
}
