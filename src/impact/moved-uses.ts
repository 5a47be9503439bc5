/**
 * What a moved definition uses of the file that it left: its imports, and what stands beside it.
 *
 * Only names are asked about that the old file binds and the new one does not, so that a name which
 * was unknown before is nobody's concern; and imports that go along, in a function or below a condition.
 * A file that moved as a whole takes what it needs along.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { E, isBlockKind, R, type Summary } from '../syntax/summary.js';
import { shownName } from '../base/shown.js';
import { AffectedBlocks, type AffectedBlock, type AffectedSite } from './affected.js';
import type { Graphs } from './graphs.js';
import { moduleMeant, movedFiles, namingsIn } from './moved-files.js';

/** Sorted by file. */
export function usesLeftBehind(graphs: Graphs, changes: readonly AtomicChange[]): AffectedBlock[] {
  const byFile = new Map<string, Map<string, AffectedSite>>();
  for (const change of changes) {
    const { before, after } = change;
    if (
      change.detail.move === undefined ||
      before === undefined ||
      after === undefined ||
      before.file === after.file ||
      isWholeFile(graphs, before.file, after.file)
    )
      continue;
    if (
      !graphs.after.language(after.file).writing.listsNames ||
      graphs.after.summary(after.file).decls.parentOf(after.decl) >= 0
    )
      continue;
    let sites = byFile.get(after.file);
    if (sites === undefined) byFile.set(after.file, (sites = new Map<string, AffectedSite>()));
    for (const site of [...unboundIn(graphs, change), ...unboundBeside(graphs, change)]) {
      const name = nameAt(graphs.after.summary(after.file), site.expr);
      if (!sites.has(name)) sites.set(name, site);
    }
  }
  const out = new AffectedBlocks();
  for (const [file, sites] of byFile) out.add(file, -1, ...sites.values());
  for (const site of importsAlong(graphs, changes)) out.add(site.cause.after?.file ?? site.cause.file, -1, site);
  return out.sorted();
}

/** An import that goes along with a definition, and what it led to. */
export interface ImportAlong {
  readonly start: number;
  readonly module: string;
  /** The module that it named, where that is now. */
  readonly target: string;
}

/** Imports within a moved definition, or beside it, that the file did not have before and that lead elsewhere now. */
export function importsWith(graphs: Graphs, cause: AtomicChange, moved: ReadonlyMap<string, string>): ImportAlong[] {
  const { before: from, after: to } = cause;
  if (from === undefined || to === undefined) return [];
  const summary = graphs.after.summary(to.file);
  const { decls } = summary;
  const earlier = graphs.before.repo.hasFile(to.file) ? graphs.before.summary(to.file).imports : [];
  const theirs = graphs.before.summary(from.file).imports;
  const isWithin = (at: number): boolean => at >= decls.startOf(to.decl) && at < decls.endOf(to.decl);
  return namingsIn(summary, undefined).flatMap(({ module, start }): ImportAlong[] => {
    const isSaid = (entries: typeof theirs): boolean => entries.some((entry) => entry.module === module);
    if (!isSaid(theirs) || (!isWithin(start) && isSaid(earlier))) return [];
    const meant = moduleMeant(graphs.before, from.file, { module, name: '' });
    const target = meant === undefined || graphs.after.repo.hasFile(meant) ? meant : moved.get(meant);
    return target === undefined || moduleMeant(graphs.after, to.file, { module, name: '' }) === target
      ? []
      : [{ start, module, target }];
  });
}

function importsAlong(graphs: Graphs, changes: readonly AtomicChange[]): AffectedSite[] {
  const moved = movedFiles(graphs, changes);
  const out = new Map<string, AffectedSite>();
  for (const cause of changes) {
    const { before, after, detail } = cause;
    if (detail.move === undefined || before === undefined || after === undefined || before.file === after.file)
      continue;
    if (isWholeFile(graphs, before.file, after.file)) continue;
    for (const { start, module, target } of importsWith(graphs, cause, moved))
      out.set(`${after.file}\0${start}`, {
        expr: -1,
        place: { start, end: start + module.length },
        tier: 'breaks',
        confidence: 'certain',
        rule: 'moved-definition/Imports',
        relation: 'ImportedBy',
        cause,
        reason: `${shownName(after.file)} imports from ${module}, which led to ${target} from where it stood before.`,
      });
  }
  return [...out.values()];
}

/** Whether the one file became the other, with all that was in it. */
const isWholeFile = ({ before, after }: Graphs, from: string, to: string): boolean =>
  !after.repo.hasFile(from) && !before.repo.hasFile(to);

/** The declaration or import by which the file's top level binds a name; -1 for none. */
export function boundAtTop(summary: Summary, name: string): number {
  const row = summary.idOf(name);
  return row < 0 ? -1 : (summary.decls.inScope(0, row)[0] ?? -1);
}

export const nameAt = (summary: Summary, expr: number): string => summary.exprs.nameOf(expr);

function unboundIn(graphs: Graphs, cause: AtomicChange): AffectedSite[] {
  const to = cause.after;
  if (to === undefined) return [];
  const { decls } = graphs.after.summary(to.file);
  return unbound(
    graphs,
    cause,
    decls.pathOf(to.decl),
    (at) => at >= decls.startOf(to.decl) && at < decls.endOf(to.decl),
  );
}

/**
 * Statements at the top that went along with what moved: names that the file did not say before, outside of all blocks.
 */
function unboundBeside(graphs: Graphs, cause: AtomicChange): AffectedSite[] {
  const to = cause.after;
  if (to === undefined) return [];
  const { decls } = graphs.after.summary(to.file);
  const earlier = graphs.before.repo.hasFile(to.file) ? graphs.before.summary(to.file) : undefined;
  const blocks = Array.from({ length: decls.count }, (_, decl) => decl).filter(
    (decl) => decls.parentOf(decl) < 0 && isBlockKind(decls.kindOf(decl)),
  );
  return unbound(
    graphs,
    cause,
    'code at the top',
    (at, name) =>
      (earlier === undefined || earlier.idOf(name) < 0) &&
      !blocks.some((decl) => at >= decls.startOf(decl) && at < decls.endOf(decl)),
  );
}

function unbound(
  { before, after }: Graphs,
  cause: AtomicChange,
  user: string,
  isMeant: (at: number, name: string) => boolean,
): AffectedSite[] {
  const { before: from, after: to } = cause;
  if (from === undefined || to === undefined) return [];
  const [old, now] = [before.summary(from.file), after.summary(to.file)];
  const { exprs } = now;
  const out: AffectedSite[] = [];
  for (let expr = 0; expr < exprs.count; expr++) {
    if (exprs.opOf(expr) !== E.name || exprs.roleOf(expr) === R.doc) continue;
    const name = nameAt(now, expr);
    if (
      !isMeant(exprs.startOf(expr), name) ||
      boundAtTop(old, name) < 0 ||
      boundAtTop(now, name) >= 0 ||
      after.resolve(to.file, expr).targets.length > 0
    )
      continue;
    out.push({
      expr,
      tier: 'breaks',
      confidence: 'certain',
      rule: 'moved-definition/Uses',
      relation: 'Uses',
      cause,
      reason: `${user} uses ${name}, which nothing binds in the file that it moved to.`,
    });
  }
  return out;
}
