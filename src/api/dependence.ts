/**
 * How a repository stands to a change of a library, by its manifests: whether it uses the library, whether the change
 * lies ahead of it, and how its manifests follow.
 *
 * Errs towards following: what cannot be read as a version counts as one that the change lies ahead of, with the
 * reason beside it.
 */
import { canonicalName, type Dependency, type Place } from './dependencies/dependency.js';
import { dependenciesIn } from './dependencies/read.js';
import type { ManifestTexts } from './dependencies/dependency.js';
import type { Ecosystem } from './manifests.js';
import { isPlaceholder, versionsOf, type Range } from './version-range.js';

/** A package whose API changed, with the versions that the change lies between, where they are known. */
export interface ChangedPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * `behind`: the change lies ahead. `ahead`: its new side is in use already. `pinned`: held at versions older than those
 * that the change begins with. `unknown`: used, and nobody says in which version.
 */
export type Standing = 'behind' | 'ahead' | 'pinned' | 'unknown';

export interface Use {
  readonly dependency: Dependency;
  readonly package: ChangedPackage;
  readonly standing: Standing;
  /** One sentence. */
  readonly reason: string;
  /** The new text of the dependency's range, where it has to be another one and can be written. */
  readonly now?: string;
  /** What is left to a person, or to a package manager. */
  readonly left?: string;
}

/** What its manifests say together: `none` where no manifest names any of the packages. */
export type Dependence = Standing | 'none';

/** Uses of the changed packages. */
export const usesOf = (texts: ManifestTexts, packages: readonly ChangedPackage[]): Use[] =>
  usesAmong(dependenciesIn(texts, new Set(packages.map(({ ecosystem }) => ecosystem))), packages);

export function usesAmong(found: readonly Dependency[], packages: readonly ChangedPackage[]): Use[] {
  const changed = new Map(packages.map((each) => [keyOf(each.ecosystem, each.name), cleaned(each)]));
  const uses = found.flatMap((dependency) => {
    const changedPackage = changed.get(keyOf(dependency.ecosystem, dependency.name));
    return changedPackage === undefined ? [] : [useOf(dependency, changedPackage)];
  });
  return distinct(uses.filter((use) => isOwn(use, uses)));
}

/** A lock file also holds what other packages use: that follows when they do. */
function isOwn({ dependency, package: { name } }: Use, uses: readonly Use[]): boolean {
  if (dependency.kind === 'declared') return true;
  const declared = uses.filter((use) => use.dependency.kind === 'declared' && use.package.name === name);
  return declared.some(({ dependency: { ecosystem, range } }) => {
    const read = range === undefined ? undefined : versionsOf(ecosystem).read(range);
    return read === undefined || read.admits(dependency.range ?? '');
  });
}

const distinct = (uses: readonly Use[]): Use[] => [
  ...new Map(uses.map((use) => [JSON.stringify([use.dependency, use.now]), use])).values(),
];

/** The strongest of what the uses say: one use that has to follow is enough. */
export function dependenceOf(uses: readonly Use[]): { readonly dependence: Dependence; readonly reason: string } {
  const declared = uses.filter(({ dependency }) => dependency.kind === 'declared');
  const locked = uses.filter(({ dependency }) => dependency.kind === 'locked');
  const of = (some: readonly Use[], standing: Standing): Use | undefined =>
    some.find((use) => use.standing === standing);
  // A range that lets both sides in is decided by what the lock took.
  const isTaken = locked.length > 0 && locked.every(({ standing }) => standing === 'ahead');
  const open = declared.filter((use) => !(isTaken && use.standing === 'behind' && use.now === undefined));
  const strongest =
    of(open, 'behind') ??
    of(open, 'unknown') ??
    of(locked, 'behind') ??
    of(open, 'pinned') ??
    of(uses, 'ahead') ??
    uses[0];
  return strongest === undefined
    ? { dependence: 'none', reason: 'no manifest names the package' }
    : { dependence: strongest.standing, reason: strongest.reason };
}

/** Edits of the manifests, by file; places that several dependencies share are edited once. */
export function manifestEdits(
  uses: readonly Use[],
): ReadonlyMap<string, readonly (Place & { readonly text: string })[]> {
  const out = new Map<string, (Place & { text: string })[]>();
  for (const { dependency, now } of uses) {
    if (now === undefined || dependency.place === undefined) continue;
    const { file, start, end } = dependency.place;
    const edits = out.get(file) ?? [];
    if (!edits.some((edit) => edit.start < end && start < edit.end)) edits.push({ file, start, end, text: now });
    out.set(file, edits);
  }
  return out;
}

const keyOf = (ecosystem: Ecosystem, name: string): string => `${ecosystem} ${canonicalName(ecosystem, name)}`;

function cleaned({ ecosystem, name, from, to }: ChangedPackage): ChangedPackage {
  const known = (version: string | undefined): string | undefined =>
    version === undefined || isPlaceholder(version)
      ? undefined
      : version.replace(/^v(?=\d)/u, '').replace(/-SNAPSHOT$/u, '');
  return { ecosystem, name, from: known(from), to: known(to) };
}

const NOT_SAID = 'nothing says in which version';

function useOf(dependency: Dependency, changed: ChangedPackage): Use {
  const { range: written, file, kind } = dependency;
  const said = (standing: Standing, reason: string, more: Pick<Use, 'now' | 'left'> = {}): Use => ({
    dependency,
    package: changed,
    standing,
    reason,
    ...more,
  });
  const name = changed.name;
  if (written === undefined)
    return said('unknown', `${file} uses ${name}, and ${dependency.why ?? NOT_SAID}`, {
      left: `see that ${file} takes ${[name, changed.to].join(' ').trim()}: ${dependency.why ?? NOT_SAID}`,
    });
  const range = versionsOf(dependency.ecosystem).read(written);
  if (range === undefined)
    return said('unknown', `${file} uses ${name} ${written}, which cannot be read as a version or a range`, {
      left: `change the version of ${name} in ${file} by hand: ${written} cannot be read`,
    });
  const standing = standingOf(dependency, range, changed);
  const shown = `${file} ${kind === 'locked' ? 'holds' : 'asks for'} ${name}${written === '' ? '' : ` ${written}`}`;
  if (standing === 'ahead') return said('ahead', `${shown}, which is ${changed.to ?? ''} or newer already`);
  if (standing === 'pinned')
    return said('pinned', `${shown}, which is older than ${changed.from ?? ''}, where this change begins`);
  if (changed.to === undefined) return said('behind', shown, {});
  return said('behind', shown, followed(dependency, written, range, changed.to, name));
}

function standingOf({ ecosystem }: Dependency, range: Range, { from, to }: ChangedPackage): Standing {
  const { compare } = versionsOf(ecosystem);
  const beside = (version: string | undefined): number | undefined =>
    range.least === undefined || version === undefined ? undefined : compare(range.least, version);
  const [toNew, toOld] = [beside(to), beside(from)];
  if (toNew !== undefined && toNew >= 0) return 'ahead';
  const isOut = from !== undefined && !range.admits(from) && (to === undefined || !range.admits(to));
  return isOut && (toOld === undefined || toOld < 0) && range.least !== undefined ? 'pinned' : 'behind';
}

function followed(
  { ecosystem, kind, file, place, why }: Dependency,
  written: string,
  range: Range,
  to: string,
  name: string,
): Pick<Use, 'now' | 'left'> {
  if (kind === 'locked')
    return { left: `${file} holds ${name} ${written}: run your package manager, so that it takes ${to}` };
  // A range that lets the new version in is as good as it was; a version that is meant alone is not.
  if (range.admits(to)) return {};
  const now = versionsOf(ecosystem).moved(written, to);
  const isFit = now !== undefined && versionsOf(ecosystem).read(now)?.admits(to) === true;
  if (isFit && place !== undefined) return { now };
  return {
    left:
      `change the version of ${name} in ${file} by hand: ${written} does not let ${to} in` +
      (why === undefined ? '' : `, and ${why}`),
  };
}
