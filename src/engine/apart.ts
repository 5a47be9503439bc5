/**
 * Whether a root can mean anything of a library that changed, by its texts and manifests alone: what needs no graph,
 * and so costs a large root that does not use the library next to nothing.
 *
 * Errs towards yes. Where imports name files, a root that nowhere names a package reaches nothing of it. Elsewhere a
 * value can be used whose type nobody names: there the manifests have to be read too, and name none of the packages.
 */
import type { ChangeFile } from '#protocol/api.js';
import type { Problem } from '#protocol/words.js';
import { dependenceOf, usesOf } from '../api/dependence.js';
import { dependenciesIn, isManifest } from '../api/dependencies/read.js';
import { isSaid, whereabouts, type Whereabout } from '../api/whereabouts.js';
import type { Snapshot } from '../graph/files/snapshot.js';
import { languageById, languageOf } from '../languages/registry.js';
import type { Effects } from './effects.js';

export interface ApartQuestion {
  readonly change: ChangeFile;
  /** The library's two sides. */
  readonly sides: readonly Snapshot[];
  /** Texts that are not on the disk yet. */
  readonly unsaved: ReadonlyMap<string, string>;
  readonly effects: Pick<Effects, 'manifests' | 'sourceTexts'>;
  readonly signal: AbortSignal;
}

/** What of the root could not be read, where nothing else of it can mean the library; undefined where it can. */
export async function problemsIfApart(question: ApartQuestion): Promise<readonly Problem[] | undefined> {
  const { change, sides, unsaved, effects, signal } = question;
  const names = change.packages.map(({ name }) => name);
  const places: Whereabout[] = [];
  for (const side of sides) {
    const found = whereabouts(side, change.packages);
    if (found === undefined) return undefined;
    places.push(...found);
  }
  if (places.length === 0) return undefined;
  const needsManifests = places.some(({ language }) => !languageById(language).importsFiles);
  if (needsManifests && !(await isNamedByNoManifest(question))) return undefined;
  const problems: Problem[] = [];
  for await (const each of effects.sourceTexts(signal)) {
    if ('message' in each) problems.push(each);
    else if (!unsaved.has(each.file) && mayMean(each.file, each.text, places, names)) return undefined;
  }
  return [...unsaved].some(([file, text]) => mayMean(file, text, places, names)) ? undefined : problems;
}

async function isNamedByNoManifest({ change: { packages }, effects, signal }: ApartQuestion): Promise<boolean> {
  const texts = await effects.manifests(signal);
  const ecosystems = new Set(packages.map(({ ecosystem }) => ecosystem));
  // A repository of which nothing says what it uses can use anything.
  return dependenciesIn(texts, ecosystems).length > 0 && dependenceOf(usesOf(texts, packages)).dependence === 'none';
}

function mayMean(file: string, text: string, places: readonly Whereabout[], packages: readonly string[]): boolean {
  const own = languageOf(file)?.id;
  if (own !== undefined) return places.some((place) => place.language === own && isSaid(text, place));
  // A manifest may name a package without a use of it, and may give it another name.
  if (isManifest(file)) return packages.some((name) => text.includes(`:${name}@`));
  return places.some((place) => isSaid(text, place));
}
