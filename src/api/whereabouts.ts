/**
 * What a text has to say if it means anything of a library: the package, the module, or the namespace that its names
 * are in.
 *
 *     npm: lru-cache      python: astroid      java, csharp: each word of org.tinspin.index
 *
 * Errs towards saying it: a word that stands for something else counts.
 */
import { isOutside } from '../base/outside.js';
import { namespaceOfScope, type Snapshot } from '../graph/files/snapshot.js';
import { isFolderFile, moduleParts } from '../languages/folder-file.js';
import { languageById } from '../languages/registry.js';
import { isBlockKind, type LanguageId, type Summary } from '../syntax/summary.js';
import { escaped } from './dependencies/dependency.js';
import { MANIFESTS, type Package } from './manifests.js';
import { isPublic } from './public-names.js';

/** Of one of the places that names are in; a text says it by all of its words. */
export interface Whereabout {
  readonly language: LanguageId;
  readonly words: readonly Word[];
}

interface Word {
  readonly text: string;
  /** The text where it is no part of a longer word. */
  readonly alone: RegExp;
}

/**
 * Each once. Undefined where a text can mean something of the library and say no place: what stands in no package or
 * namespace, and what a script declares for everybody.
 */
export function whereabouts(
  api: Snapshot,
  packages: readonly Pick<Package, 'ecosystem' | 'name'>[],
): readonly Whereabout[] | undefined {
  const found = new Map<string, Whereabout>();
  const own = new Set([...api.files.keys()].filter(isFolderFile).map((file) => file.slice(0, file.lastIndexOf('/'))));
  for (const [file, summary] of api.files) {
    const places = placesIn(file, summary, { packages, own });
    if (places.some((place) => place === '')) return undefined;
    for (const place of places)
      found.set(`${summary.language} ${place}`, { language: summary.language, words: wordsIn(place, summary) });
  }
  return [...found.values()];
}

/** Most texts do not hold the letters, which is found out in a tenth of the time. */
export const isSaid = (text: string, { words }: Whereabout): boolean =>
  words.every((word) => text.includes(word.text) && word.alone.test(text));

interface Known {
  readonly packages: readonly Pick<Package, 'ecosystem' | 'name'>[];
  /** Folders that have a file of their own. */
  readonly own: ReadonlySet<string>;
}

function placesIn(file: string, summary: Summary, { packages, own }: Known): readonly string[] {
  const { importsFiles, entryFiles } = languageById(summary.language);
  if (importsFiles && entryFiles !== undefined) {
    const ecosystem = MANIFESTS.find(({ language }) => language === summary.language)?.ecosystem;
    const names = packages.filter((each) => each.ecosystem === ecosystem).map(({ name }) => name);
    return summary.isModule && names.length > 0 ? names : [''];
  }
  if (importsFiles) return modulesAbove(own, file);
  const { decls } = summary;
  const tops = Array.from({ length: decls.count }, (_, decl) => decl).filter(
    (decl) => decls.parentOf(decl) < 0 && isBlockKind(decls.kindOf(decl)) && isPublic(summary, decl),
  );
  return tops.map((decl) =>
    summary.package === '' ? namespaceOfScope(summary, decls.scopeOf(decl)) : summary.package,
  );
}

/**
 * What an import of the file can begin with: its folders down to the first that is a package by a file of its own,
 * since one whose own file holds nothing is none here; all of them, and the file, where none is.
 */
function modulesAbove(own: ReadonlySet<string>, file: string): readonly string[] {
  const folders = file.split('/').slice(0, -1);
  const first = folders.findIndex((_, i) => own.has(folders.slice(0, i + 1).join('/')));
  const parts = first < 0 ? [...folders, moduleParts(file).at(-1) ?? ''] : folders.slice(0, first + 1);
  return parts.filter((part, i) => i === parts.length - 1 || !(NEVER_SAID.has(part) || isOutside(`${part}/`)));
}

/** Folders that sources lie in, and that no import names. */
const NEVER_SAID: ReadonlySet<string> = new Set(['src', 'lib', 'source']);

/** A namespace may be said in parts, one around the other. */
function wordsIn(place: string, { language }: Summary): readonly Word[] {
  const words = languageById(language).importsFiles ? [place] : place.split('.');
  return words.map((text) => ({
    text,
    alone: new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped(text)}(?![\\p{L}\\p{N}_$])`, 'u'),
  }));
}
