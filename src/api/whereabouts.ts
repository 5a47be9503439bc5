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

/** One that names are in. */
export interface Place {
  readonly language: LanguageId;
  /** A package or a module, or a namespace with dots. */
  readonly name: string;
}

/** Of a place; a text says it by all of its words. */
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
export function placesOf(
  api: Snapshot,
  packages: readonly Pick<Package, 'ecosystem' | 'name'>[],
): readonly Place[] | undefined {
  const found = new Map<string, Place>();
  const own = new Set([...api.files.keys()].filter(isFolderFile).map((file) => file.slice(0, file.lastIndexOf('/'))));
  for (const [file, summary] of api.files) {
    const places = placesIn(file, summary, { packages, own });
    if (places.some((place) => place === '')) return undefined;
    for (const name of places) found.set(`${summary.language} ${name}`, { language: summary.language, name });
  }
  return [...found.values()];
}

/**
 * Of several versions or libraries, each once, in order. None at all where one of them has names that a text can mean
 * without saying a place: then any text can.
 */
export function placesTogether(each: readonly (readonly Place[] | undefined)[]): readonly Place[] {
  const found = new Map<string, Place>();
  for (const places of each) {
    if (places === undefined || places.length === 0) return [];
    for (const place of places) found.set(`${place.language} ${place.name}`, place);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, place]) => place);
}

/** A namespace may be said in parts, one around the other. */
export function whereaboutOf({ language, name }: Place): Whereabout {
  const words = languageById(language).importsFiles ? [name] : name.split('.');
  return {
    language,
    words: words.map((text) => ({
      text,
      alone: new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped(text)}(?![\\p{L}\\p{N}_$])`, 'u'),
    })),
  };
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
