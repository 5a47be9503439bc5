/**
 * Carries sites of D over to D': relations are read in the tree before the edit, and what a person
 * sees and edits is the tree after it.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import type { Matches } from '../change/edit.js';
import { blockOf } from '../graph/refer/site.js';
import type { DeclRef } from '../languages/language.js';
import { D, E, R, type Summary } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import type { Related } from './related.js';

/** Carries sites of D over to D'. */
export class Carrier {
  private readonly now = new Map<string, ReadonlyMap<number, number>>();
  private readonly unedited = new Map<string, boolean>();
  /** Where changed blocks of D are, of which some are in another class or file. */
  private readonly elsewhere = new Map<string, DeclRef>();
  /** Rows by the way in which they say a name, by block. */
  private readonly mentions = new Map<Summary, Map<string, ReadonlyMap<number, readonly number[]>>>();
  constructor(
    private readonly graphs: Graphs,
    private readonly matches: Matches,
    private readonly movedFiles: ReadonlyMap<string, string>,
    changes: readonly AtomicChange[],
  ) {
    for (const { before, after } of changes)
      if (before !== undefined && after !== undefined && before.decl >= 0 && after.decl >= 0)
        this.elsewhere.set(`${before.file}\0${before.decl}`, after);
  }

  *all(sites: readonly Related[], change: AtomicChange): Turns<Related[]> {
    const out: Related[] = [];
    for (const site of sites) {
      if (this.stays(site.file)) {
        out.push(site);
        continue;
      }
      out.push(...(yield* piece(() => this.one(site, change))));
      yield;
    }
    // A row that one site certainly is now may be a guess for another, which was edited away.
    return [
      ...out.filter(({ confidence }) => confidence === 'certain'),
      ...out.filter(({ confidence }) => confidence !== 'certain'),
    ];
  }

  /** Whether the file reads the same in both trees; remembered, since most sites lie in such files. */
  private stays(file: string): boolean {
    let stays = this.unedited.get(file);
    if (stays === undefined)
      this.unedited.set(file, (stays = this.graphs.before.repo.summary(file) === this.graphs.after.repo.summary(file)));
    return stays;
  }

  private one(site: Related, change: AtomicChange): Related[] {
    const old = this.graphs.before.summary(site.file);
    const file = this.graphs.after.repo.hasFile(site.file) ? site.file : (this.movedFiles.get(site.file) ?? site.file);
    const now = this.graphs.after.repo.summary(file);
    if (now === undefined) return [];
    const block = site.block < 0 ? -1 : this.matched(site.file, file).get(site.block);
    if (block === undefined) return this.inMoved(site, old, change);
    if (site.expr < 0) return [{ ...site, file, block }];
    return this.rowsLike({ ...site, file }, old, now, block, change);
  }

  /**
   * In a block that stands in another class or file now, itself or one around it; what it uses of imports that it left
   * is told of where it stands.
   */
  private inMoved(site: Related, old: Summary, change: AtomicChange): Related[] {
    if (change.kind === 'import') return [];
    let outer = site.block;
    while (outer >= 0 && !this.elsewhere.has(`${site.file}\0${outer}`)) outer = old.decls.parentOf(outer);
    const moved = this.elsewhere.get(`${site.file}\0${outer}`);
    const now = moved === undefined ? undefined : this.graphs.after.repo.summary(moved.file);
    if (moved === undefined || now === undefined || site.expr < 0) return [];
    const path = now.decls.pathOf(moved.decl) + old.decls.pathOf(site.block).slice(old.decls.pathOf(outer).length);
    const name = old.decls.nameOf(site.block);
    const block =
      outer === site.block
        ? moved.decl
        : [...now.decls.named(now.idOf(name))].find((decl) => now.decls.pathOf(decl) === path);
    return block === undefined ? [] : this.rowsLike({ ...site, file: moved.file }, old, now, block, change);
  }

  /** Rows of the edited file, in the same block, that still say the name and do not certainly mean something else. */
  private rowsLike(site: Related, old: Summary, now: Summary, block: number, change: AtomicChange): Related[] {
    const op = writtenOp(old, site.expr);
    if (op === E.super || op === E.this) {
      const rows: Related[] = [];
      for (let expr = 0; expr < now.exprs.count; expr++)
        if (now.exprs.opOf(expr) === op && now.exprs.roleOf(expr) === R.callee && blockOf(now, expr) === block)
          rows.push({ ...site, expr, block });
      return rows;
    }
    const name = old.exprs.nameOf(site.expr);
    const role = old.exprs.roleOf(site.expr);
    const then = this.rowsSaying(old, name, op, role).get(site.block) ?? [];
    const rows = this.rowsSaying(now, name, op, role).get(block) ?? [];
    // As many as before: each is where it was among them. Otherwise those on a receiver of the same name may be it,
    // else any.
    const same = then.length === rows.length ? rows[then.indexOf(site.expr)] : undefined;
    const alike = rows.filter((expr) => baseName(now, expr) === baseName(old, site.expr));
    const candidates = same !== undefined ? [same] : alike.length > 0 ? alike : rows;
    const kept =
      same !== undefined && isUntouched(old, site.block, now, block)
        ? [same]
        : candidates.filter(
            (expr) =>
              change.label.startsWith('D') || site.followed === true || !this.meansElse(site.file, expr, change),
          );
    return kept.map((expr) => ({
      ...site,
      expr,
      block,
      confidence: alike.length > 0 || same !== undefined ? site.confidence : 'possible',
    }));
  }

  /** Whether a row certainly refers to something other than what the changed block is now. */
  private meansElse(file: string, expr: number, change: AtomicChange): boolean {
    const resolution = this.graphs.after.resolve(file, expr);
    return (
      resolution.confidence === 'certain' &&
      resolution.targets.length > 0 &&
      !resolution.targets.some(
        (target) =>
          (target.file === change.after?.file && target.decl === change.after.decl) || this.isLeftOver(target, change),
      )
    );
  }

  /** A field of the old name that there is only because assignments of what was renamed still say it. */
  private isLeftOver(target: DeclRef, { after, before, detail }: AtomicChange): boolean {
    if (
      detail.rename === undefined ||
      after === undefined ||
      before === undefined ||
      target.decl < 0 ||
      target.file !== after.file
    )
      return false;
    const { decls } = this.graphs.after.summary(target.file);
    return (
      (decls.kindOf(target.decl) === D.field || decls.kindOf(target.decl) === D.variable) &&
      decls.parentOf(target.decl) === decls.parentOf(after.decl) &&
      this.graphs.after.summary(target.file).decls.nameOf(target.decl) === detail.rename.from
    );
  }

  /** Remembered: a file with many sites would else be searched once a site. */
  private rowsSaying(summary: Summary, name: string, op: number, role: number): ReadonlyMap<number, readonly number[]> {
    let bySummary = this.mentions.get(summary);
    if (bySummary === undefined)
      this.mentions.set(summary, (bySummary = new Map<string, ReadonlyMap<number, readonly number[]>>()));
    const key = `${op} ${role} ${name}`;
    let rows = bySummary.get(key);
    if (rows === undefined) bySummary.set(key, (rows = namedRows(summary, name, op, role)));
    return rows;
  }

  /** Blocks of D' by those of D. */
  private matched(file: string, newFile: string): ReadonlyMap<number, number> {
    let now = this.now.get(file);
    if (now === undefined) {
      now = new Map(this.matches.of(file, newFile).pairs.map((pair) => [pair.before, pair.after]));
      this.now.set(file, now);
    }
    return now;
  }
}

/** Whether a block's own text is as it was, so that what it says is meant as before. */
function isUntouched(old: Summary, before: number, now: Summary, after: number): boolean {
  if (before < 0 || after < 0) return before === after && old.moduleHash === now.moduleHash;
  return (
    old.decls.headerHashOf(before) === now.decls.headerHashOf(after) &&
    old.decls.bodyHashOf(before) === now.decls.bodyHashOf(after)
  );
}

/** Rows of a file that say a name, or stand without one, in one way; by block, in order of position. */
/** The operation as it is written: the label of a `switch` is a bare name, whatever the file declares of that name. */
const writtenOp = ({ exprs }: Summary, expr: number): number =>
  exprs.opOf(expr) === E.member && exprs.isLabel(expr) ? E.name : exprs.opOf(expr);

function namedRows(summary: Summary, name: string, op: number, role: number): ReadonlyMap<number, readonly number[]> {
  const out = new Map<number, number[]>();
  const { exprs } = summary;
  const rows = rowsNamed(summary, name, op).filter(
    (expr) => writtenOp(summary, expr) === op && asWritten(exprs.roleOf(expr)) === asWritten(role),
  );
  for (const expr of rows.sort((a, b) => exprs.startOf(a) - exprs.startOf(b))) {
    const block = blockOf(summary, expr);
    const list = out.get(block);
    if (list === undefined) out.set(block, [expr]);
    else list.push(expr);
  }
  return out;
}

/** Rows that say a name, or are of an operation whose rows no index of names holds: calls, operators, lambdas. */
function rowsNamed(summary: Summary, name: string, op: number): number[] {
  const { exprs } = summary;
  if (name !== '' && IDENTIFIERS.has(op)) return [...exprs.named(summary.idOf(name))];
  return exprs.ofOp(op).filter((expr) => exprs.nameOf(expr) === name);
}

/** Operations whose rows are found by the name that they say. */
const IDENTIFIERS: ReadonlySet<number> = new Set([E.name, E.member, E.initializer, E.string, E.injected]);

/** An assignment may come to declare the field, or not to, when another name changes. */
const asWritten = (role: number): number => (role === R.declares ? R.write : role);

/** What a member hangs on, as far as one word tells; '' for a bare name. */
function baseName({ exprs }: Summary, expr: number): string {
  const base = exprs.opOf(expr) === E.member ? exprs.baseOf(expr) : -1;
  return base < 0 ? '' : `${exprs.opOf(base)} ${exprs.nameOf(base)}`;
}
