/** Empty files, of which a repository may have any number (`__init__.py`), share one summary a language. */
import { languageOf } from '../../languages/registry.js';
import type { LanguageId, Summary } from '../../syntax/summary.js';
import { digestOf } from './read-sources.js';

const EMPTY_DIGEST = digestOf(new Uint8Array());
const summaries = new Map<LanguageId, Summary>();

/** The summary that `read` gives, which is asked for once where the content with this digest is empty. */
export function sharedIfEmpty<S extends Summary | undefined>(path: string, digest: string, read: () => S): Summary | S {
  const language = digest === EMPTY_DIGEST ? languageOf(path)?.id : undefined;
  if (language === undefined) return read();
  const known = summaries.get(language) ?? read();
  if (known !== undefined) summaries.set(language, known);
  return known;
}
