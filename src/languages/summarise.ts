/**
 * A text to its summary, by the language of its file: the one way from text to summary.
 */
import type { FlatTree } from '../syntax/flat-tree.js';
import type { Grammars } from '../syntax/grammar.js';
import type { Summary } from '../syntax/summary.js';
import { SummaryBuilder } from '../syntax/summary-builder.js';
import type { Language } from './language.js';
import { languageOf } from './registry.js';

/**
 * Undefined for a file of no known language. Broken text gives the summary of what could be read, and a text that
 * an extractor fails on that of a file without declarations, which says so.
 */
export function summarise(grammars: Grammars, file: string, text: string): Summary | undefined {
  return read(grammars, file, text)?.summary;
}

/** The summary with the tree that it was made from, which the next parse overwrites. */
export function read(
  grammars: Grammars,
  file: string,
  text: string,
): { readonly language: Language; readonly tree: FlatTree; readonly summary: Summary } | undefined {
  const language = languageOf(file);
  if (language === undefined) return undefined;
  const seen = language.parserText?.(text);
  const tree = grammars.parse(language.grammarFor(file), text, seen, language.parserTextAfterErrors);
  return { language, tree, summary: extracted(language, tree) };
}

/** As `summarise`, for a file under edit: parses only what changed since the last call with the key. */
export function summariseEdited(grammars: Grammars, key: string, file: string, text: string): Summary | undefined {
  const language = languageOf(file);
  if (language === undefined) return undefined;
  const seen = language.parserText?.(text);
  const grammar = language.grammarFor(file);
  return extracted(language, grammars.parseEdited(key, grammar, text, seen, language.parserTextAfterErrors));
}

/** A defect of an extractor costs one file, whoever asks for it and on whatever thread. */
function extracted(language: Language, tree: FlatTree): Summary {
  try {
    return language.extract(tree);
  } catch (error) {
    const build = new SummaryBuilder(tree);
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
    build.unread(0, `could not be analysed, which is a defect of codeplan: ${said}`);
    return build.finish(language.id);
  }
}
