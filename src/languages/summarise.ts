/**
 * A text to its summary, by the language of its file: the one way from text to summary.
 */
import { isUnparsed, withoutNodes, type FlatTree } from '../syntax/flat-tree.js';
import type { GrammarName, Grammars } from '../syntax/grammar.js';
import type { Summary } from '../syntax/summary.js';
import { SummaryBuilder } from '../syntax/summary-builder.js';
import type { Language } from './language.js';
import { languageOf } from './registry.js';

/**
 * Undefined for a file of no known language. Broken text gives the summary of what could be read, and a text that
 * the parser or an extractor fails on that of a file without declarations, which says so. Never throws.
 */
export function summarise(grammars: Grammars, file: string, text: string): Summary | undefined {
  return read(grammars, file, text)?.summary;
}

/** A summary with what it was made from. */
export interface Reading {
  readonly language: Language;
  /** Without nodes where the parser failed. The next parse overwrites it. */
  readonly tree: FlatTree;
  readonly summary: Summary;
}

/** As `summarise`, for who looks at the syntax too. */
export function read(grammars: Grammars, file: string, text: string): Reading | undefined {
  const language = languageOf(file);
  if (language === undefined) return undefined;
  const seen = language.parserText?.(text);
  const grammar = language.grammarFor(file);
  return extracted(language, grammar, text, () => grammars.parse(grammar, text, seen, language.secondReading));
}

/** As `summarise`, for a file under edit: parses only what changed since the last call with the key. */
export function summariseEdited(grammars: Grammars, key: string, file: string, text: string): Summary | undefined {
  const language = languageOf(file);
  if (language === undefined) return undefined;
  const seen = language.parserText?.(text);
  const grammar = language.grammarFor(file);
  return extracted(language, grammar, text, () =>
    grammars.parseEdited(key, grammar, text, seen, language.secondReading),
  ).summary;
}

/** Makes ready for `summariseEdited`: parses a text that nobody edits yet. */
export function readAhead(grammars: Grammars, key: string, file: string, text: string): void {
  const language = languageOf(file);
  if (language !== undefined) grammars.parseAhead(key, language.grammarFor(file), language.parserText?.(text) ?? text);
}

/** A defect of the parser or an extractor costs one file, whoever asks for it and on whatever thread. */
function extracted(language: Language, grammar: GrammarName, text: string, parse: () => FlatTree): Reading {
  let tree = withoutNodes(text);
  try {
    tree = parse();
    const summary = isUnparsed(tree) ? new SummaryBuilder(tree).finish(language.id) : language.extract(tree, grammar);
    return { language, tree, summary };
  } catch (error) {
    const build = new SummaryBuilder(tree);
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
    build.unread(0, `could not be analysed, which is a defect of codeplan: ${said}`);
    return { language, tree, summary: build.finish(language.id) };
  }
}
