/**
 * What a text has to say if it means anything of a library: the package, the module, or the namespace that its names
 * are in.
 *
 *     npm: lru-cache      python: astroid      java, csharp: each word of org.tinspin.index
 *
 * Errs towards saying it: a word that stands for something else counts.
 */
import { namespaceOfScope, type Snapshot } from '../graph/files/snapshot.js';
import { moduleParts } from '../languages/folder-file.js';
import { languageById } from '../languages/registry.js';
import { isBlockKind, type LanguageId, type Summary } from '../syntax/summary.js';
import { escaped } from './dependencies/dependency.js';
import { isPublic } from './public-names.js';

/** Of one of the places that names are in; a text says it by all of its words. */
export interface Whereabout {
  readonly language: LanguageId;
  readonly words: readonly RegExp[];
}

/**
 * Each once. Undefined where a text can mean something of the library and say no place: what stands in no package or
 * namespace, and what a script declares for everybody.
 */
export function whereabouts(api: Snapshot, packages: readonly string[]): readonly Whereabout[] | undefined {
  const found = new Map<string, Whereabout>();
  for (const [file, summary] of api.files) {
    const places = placesIn(file, summary, packages);
    if (places.some((place) => place === '')) return undefined;
    for (const place of places)
      found.set(`${summary.language} ${place}`, { language: summary.language, words: wordsIn(place, summary) });
  }
  return [...found.values()];
}

export const isSaid = (text: string, { words }: Whereabout): boolean => words.every((word) => word.test(text));

function placesIn(file: string, summary: Summary, packages: readonly string[]): readonly string[] {
  const { importsFiles, entryFiles } = languageById(summary.language);
  if (importsFiles && entryFiles !== undefined) return summary.isModule ? packages : [''];
  if (importsFiles) return [moduleParts(file.replace(/^(?:.*\/)?(?:src|lib|source)\//u, ''))[0] ?? ''];
  const { decls } = summary;
  const tops = Array.from({ length: decls.count }, (_, decl) => decl).filter(
    (decl) => decls.parentOf(decl) < 0 && isBlockKind(decls.kindOf(decl)) && isPublic(summary, decl),
  );
  return tops.map((decl) =>
    summary.package === '' ? namespaceOfScope(summary, decls.scopeOf(decl)) : summary.package,
  );
}

/** A namespace may be said in parts, one around the other. */
function wordsIn(place: string, { language }: Summary): readonly RegExp[] {
  const words = languageById(language).importsFiles ? [place] : place.split('.');
  return words.map((word) => new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped(word)}(?![\\p{L}\\p{N}_$])`, 'u'));
}
