/**
 * Files that moved, and what names them: imports of the whole module, star imports and re-exports
 * mention no definition, so no rule about a block reaches them.
 *
 * A file counts as moved when it is gone and most of what it held is in one other file. The moved
 * file itself is affected too: what it imports by a relative path stands elsewhere now.
 */
import { shownName } from '../base/shown.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { moduleMembers } from '../graph/resolve/imports.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { isPathTo, moduleParts } from '../languages/folder-file.js';
import type { Entity } from '../languages/language.js';
import { E, R, type Summary } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock, type AffectedSite } from './affected.js';
import type { Graphs } from './graphs.js';
import type { Tier } from './verdict.js';

/** Files that are gone, with the file to which their first block moved. */
export function movedFiles({ after }: Graphs, changes: readonly AtomicChange[]): ReadonlyMap<string, string> {
  const out = new Map<string, string>();
  for (const { before, after: now } of changes)
    if (
      before !== undefined &&
      now !== undefined &&
      before.file !== now.file &&
      !after.repo.hasFile(before.file) &&
      !out.has(before.file)
    )
      out.set(before.file, now.file);
  return out;
}

/** Where each moved file stood before; of a file that took another in, which was there already, where it is. */
export const earlierFile = ({ before }: Graphs, moved: ReadonlyMap<string, string>, file: string): string =>
  before.repo.hasFile(file) ? file : ([...moved].find(([, to]) => to === file)?.[0] ?? file);

/** A place where a file names a module, or a name of a module that may be a module itself. */
export interface Naming {
  readonly module: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The module level of every file that names a moved one, and of the moved ones. Sorted by file. */
export function namersOfMovedFiles(graphs: Graphs, changes: readonly AtomicChange[]): AffectedBlock[] {
  const moved = movedFiles(graphs, changes);
  if (moved.size === 0) return [];
  const oldOf = new Map([...moved].flatMap(([from, to]) => (graphs.before.repo.hasFile(to) ? [] : [[to, from]])));
  const lastNames = lastNamesOf(moved.keys());
  const out = new AffectedBlocks();
  for (const [file, summary] of graphs.after.repo.files) {
    const oldFile = oldOf.get(file) ?? file;
    if (!graphs.before.repo.hasFile(oldFile)) continue;
    const sites = namingsIn(
      summary,
      graphs.before.language(oldFile).submodule === undefined ? undefined : lastNames,
    ).flatMap((naming): AffectedSite[] => {
      const from = moduleMeant(graphs.before, oldFile, naming);
      if (from === undefined || (!moved.has(from) && oldFile === file) || isAdapted(graphs, { oldFile, file }, naming))
        return [];
      const target = moved.get(from) ?? from;
      const now = moduleMeant(graphs.after, file, naming);
      const verdict = judge(
        naming,
        from,
        target,
        leadsOnByChance(file, naming, from, now) ? undefined : now,
        oldFile !== file,
      );
      const cause =
        changes.find((change) => change.before?.file === from && change.after?.file !== from) ??
        changes.find((change) => change.after?.file === file && change.before?.file === oldFile);
      if (verdict === undefined || cause === undefined) return [];
      return [
        {
          expr: -1,
          place: { start: naming.start, end: naming.end },
          confidence: 'certain',
          rule: 'moved-file/ImportedBy',
          relation: 'ImportedBy',
          cause,
          tier: verdict.tier,
          reason: `${shownName(file)} names ${verdict.words}.`,
        },
      ];
    });
    out.add(file, -1, ...sites, ...submoduleSites(graphs, file, moved, changes));
  }
  return out.sorted();
}

/** A use of a moved file as a member of its package, `pkg.mod`, or in it, which no import names. */
export interface SubmoduleUse {
  readonly expr: number;
  readonly from: string;
  /** The package's own file. */
  readonly package: string;
}

/** Uses of moved files through their packages, but for those that an import of the full name is about. */
export function submoduleUses(
  { before, after }: Graphs,
  file: string,
  moved: ReadonlyMap<string, string>,
): SubmoduleUse[] {
  const { submodule } = after.language(file);
  if (submodule === undefined) return [];
  const summary = after.summary(file);
  const { exprs, decls, imports } = summary;
  const isByFullName = (from: string): boolean =>
    imports.some(
      ({ kind, module, decl }) =>
        kind === 'module' &&
        decl >= 0 &&
        module.startsWith(`${decls.nameOf(decl)}.`) &&
        moduleMeant(before, file, { module, name: '' }) === from,
    );
  return [...lastNamesOf(moved.keys())].flatMap((name) =>
    [...exprs.named(summary.idOf(name))].flatMap((expr): SubmoduleUse[] => {
      const role = exprs.roleOf(expr);
      if (role === R.import || role === R.doc) return [];
      const owner = packageNamed(after, file, summary, expr);
      if (owner?.kind !== 'module' || !before.repo.hasFile(owner.file)) return [];
      const bound = before.exported(owner.file, name);
      // The package may import the module itself: then the name goes with the import.
      if (!bound.every((entity) => entity.kind === 'module' && moved.has(entity.file))) return [];
      if (after.exported(owner.file, name).some(({ kind }) => bound.length === 0 || kind !== 'external')) return [];
      const meant = submodule(owner.file, name, before)[0];
      return meant?.kind !== 'module' || !moved.has(meant.file) || isByFullName(meant.file)
        ? []
        : [{ expr, from: meant.file, package: owner.file }];
    }),
  );
}

/** The package of which the row takes a module: of `pkg.mod` what stands in front, of `mod` in it the file itself. */
function packageNamed(resolver: Resolver, file: string, { exprs }: Summary, expr: number): Entity | undefined {
  if (exprs.opOf(expr) === E.member) return resolver.resolve(file, exprs.operandOf(expr)).module;
  const { targets, external } = resolver.resolve(file, expr);
  return exprs.opOf(expr) === E.name && targets.length === 0 && !external ? { kind: 'module', file } : undefined;
}

function submoduleSites(
  graphs: Graphs,
  file: string,
  moved: ReadonlyMap<string, string>,
  changes: readonly AtomicChange[],
): AffectedSite[] {
  const { exprs } = graphs.after.summary(file);
  return submoduleUses(graphs, file, moved).flatMap(({ expr, from }): AffectedSite[] => {
    const cause = changes.find((change) => change.before?.file === from && change.after?.file !== from);
    if (cause === undefined) return [];
    return [
      {
        expr: -1,
        place: { start: exprs.startOf(expr), end: exprs.endOf(expr) },
        confidence: 'certain',
        rule: 'moved-file/ImportedBy',
        relation: 'ImportedBy',
        cause,
        tier: 'breaks',
        reason: `${shownName(file)} reaches ${from} through its package, and it moved to ${moved.get(from)}.`,
      },
    ];
  });
}

/** The names by which files may be listed like other names. */
export const lastNamesOf = (files: Iterable<string>): ReadonlySet<string> =>
  new Set([...files].map((file) => /([^/.]*)[^/]*$/.exec(file)?.[1] ?? ''));

/**
 * Each place where the file names a module; `lastNames`: where modules are listed like other names, those that may be
 * moved ones.
 */
export function namingsIn(summary: Summary, lastNames: ReadonlySet<string> | undefined): Naming[] {
  const out = new Map<string, Naming>();
  const note = (naming: Naming): void => {
    out.set(`${naming.start}\0${naming.name}`, naming);
  };
  for (const { module, name, moduleStart, start, end } of summary.imports) {
    note({ module, name: '', start: moduleStart, end: moduleStart + module.length });
    if (lastNames?.has(name) === true) note({ module, name, start, end });
  }
  for (const { module, start, end } of summary.exports)
    if (module !== undefined) note({ module, name: '', start, end });
  return [...out.values()];
}

/**
 * Whether a moved file names a module as it did not before, and leads somewhere: whoever wrote that wrote it for the
 * new place.
 */
export function isAdapted(
  { before, after }: Graphs,
  { oldFile, file }: { readonly oldFile: string; readonly file: string },
  { module, name }: Pick<Naming, 'module' | 'name'>,
): boolean {
  if (oldFile === file) return false;
  const { imports, exports } = before.summary(oldFile);
  const isOld =
    imports.some((entry) => entry.module === module && (name === '' || entry.name === name)) ||
    (name === '' && exports.some((entry) => entry.module === module));
  return (
    !isOld &&
    (moduleMeant(after, file, { module, name: '' }) ?? moduleMeant(after, file, { module, name })) !== undefined
  );
}

/** File of the module that the naming means. */
export function moduleMeant(
  resolver: Resolver,
  file: string,
  { module, name }: Pick<Naming, 'module' | 'name'>,
): string | undefined {
  const entities: readonly Entity[] =
    name === ''
      ? resolver.language(file).resolveModule(module, file, resolver)
      : moduleMembers(resolver, file, module, name);
  return entities.find((entity) => entity.kind === 'module')?.file;
}

/**
 * Whether a path said where the file stood and says no more where it is: it leads there as if to what a build makes of
 * it, `./lib/x` to `./src/x`.
 */
const leadsOnByChance = (file: string, { module }: Naming, from: string, now: string | undefined): boolean =>
  /^\.\.?\//.test(module) && now !== undefined && isPathTo(file, module, from) && !isPathTo(file, module, now);

/** `from` was named, `target` is where it is, and `now` is what the same text leads to. */
function judge(
  { module, name }: Naming,
  from: string,
  target: string,
  now: string | undefined,
  isMovedItself: boolean,
): { readonly tier: Tier; readonly words: string } | undefined {
  const moved = from === target ? `${from} from where it stood before` : `${from}, which moved to ${target}`;
  if (now === undefined || (now !== target && isMovedItself)) return { tier: 'breaks', words: moved };
  // The same words may lead there still, from a folder that nobody ever searched for modules.
  if (now === target && name === '' && rootOf(from, module) !== rootOf(target, module))
    return { tier: 'breaks', words: moved };
  if (now !== target) return { tier: 'may', words: `${moved}, and leads to ${now} now` };
  const last = lastPart(name === '' ? module : name);
  return lastPart(target) === last && lastPart(from) !== last
    ? { tier: 'may', words: `${moved}, with the ending of the file` }
    : undefined;
}

/** The folder from which a dotted name leads to a file; undefined for a path, which says where it begins. */
function rootOf(file: string, module: string): string | undefined {
  if (/^\.|[/\\]/.test(module)) return undefined;
  const parts = moduleParts(file);
  return parts.slice(0, Math.max(0, parts.length - module.split('.').length)).join('/');
}

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
