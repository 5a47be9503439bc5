/**
 * A text to its summary, by the language of its file: the one way from text to summary.
 */
import type { Grammars } from '../syntax/grammar.js';
import type { Summary } from '../syntax/summary.js';
import { languageOf } from './registry.js';

/** Undefined for a file of no known language. Broken text gives the summary of what could be read. */
export function summarise(grammars: Grammars, file: string, text: string): Summary | undefined {
  const language = languageOf(file);
  return language?.extract(
    grammars.parse(language.grammarFor(file), text, language.parserText?.(text), language.parserTextAfterErrors),
  );
}

/** As `summarise`, for a file under edit: parses only what changed since the last call with the key. */
export function summariseEdited(grammars: Grammars, key: string, file: string, text: string): Summary | undefined {
  const language = languageOf(file);
  return language?.extract(
    grammars.parseEdited(
      key,
      language.grammarFor(file),
      text,
      language.parserText?.(text),
      language.parserTextAfterErrors,
    ),
  );
}
