/**
 * Whether a root can mean anything of a library that changed, by its texts and manifests alone: what needs no graph,
 * and so costs a large root that does not use the library next to nothing.
 *
 * Errs towards yes. Where imports name files, a root that nowhere names a package reaches nothing of it. Elsewhere a
 * value can be used whose type nobody names: there the manifests have to be read too, and name none of the packages.
 */
import type { ChangeFile } from '#protocol/api.js';
import type { Problem } from '#protocol/words.js';
import { dependenceOf, usesAmong, type Use } from '../api/dependence.js';
import { dependenciesIn, isManifest } from '../api/dependencies/read.js';
import { isSaid, whereaboutOf, type Place, type Whereabout } from '../api/whereabouts.js';
import { languageById, languageOf } from '../languages/registry.js';
import type { Effects } from './effects.js';

export interface ApartQuestion {
  readonly change: ChangeFile;
  /** Where the names of the library are, at both versions; none where a text can mean it without saying one. */
  readonly places: readonly Place[];
  /** Texts that are not on the disk yet. */
  readonly unsaved: ReadonlyMap<string, string>;
  readonly effects: Pick<Effects, 'manifests' | 'sourceTexts'>;
  readonly signal: AbortSignal;
}

export interface Apart {
  /** What of the root could not be read. */
  readonly problems: readonly Problem[];
  /** What its manifests say of the packages, as far as that was asked for. */
  readonly uses?: readonly Use[];
}

/** Undefined where something of the root can mean the library. */
export async function apartFrom(question: ApartQuestion): Promise<Apart | undefined> {
  const { change, unsaved, effects, signal } = question;
  const names = change.packages.map(({ name }) => name);
  const places = question.places.map(whereaboutOf);
  if (places.length === 0) return undefined;
  const needsManifests = places.some(({ language }) => !languageById(language).importsFiles);
  const uses = needsManifests ? await usesIfUnnamed(question) : undefined;
  if (needsManifests && uses === undefined) return undefined;
  const problems: Problem[] = [];
  for await (const each of effects.sourceTexts(signal)) {
    if ('message' in each) problems.push(each);
    else if (!unsaved.has(each.file) && mayMean(each.file, each.text, places, names)) return undefined;
  }
  if ([...unsaved].some(([file, text]) => mayMean(file, text, places, names))) return undefined;
  return { problems, ...(uses === undefined ? {} : { uses }) };
}

/** What manifests say of the packages where none names one; undefined where one does, or nothing says what is used. */
async function usesIfUnnamed({ change, effects, signal }: ApartQuestion): Promise<readonly Use[] | undefined> {
  const ecosystems = new Set(change.packages.map(({ ecosystem }) => ecosystem));
  // A repository of which nothing says what it uses can use anything.
  const found = dependenciesIn(await effects.manifests(signal), ecosystems);
  const uses = usesAmong(found, change.packages);
  return found.length > 0 && dependenceOf(uses).dependence === 'none' ? uses : undefined;
}

function mayMean(file: string, text: string, places: readonly Whereabout[], packages: readonly string[]): boolean {
  const own = languageOf(file)?.id;
  if (own !== undefined) return places.some((place) => place.language === own && isSaid(text, place));
  // A manifest may name a package without a use of it, and may give it another name.
  if (isManifest(file)) return packages.some((name) => text.includes(`:${name}@`));
  return places.some((place) => isSaid(text, place));
}
