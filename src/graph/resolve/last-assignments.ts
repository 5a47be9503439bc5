/**
 * Which of a name's assignments may have happened last where it is read: those that reach the place by some way
 * through the statements (`syntax/paths.ts`), and that no other one on that way ends.
 *
 * A function runs later than the place where it is written, so what it reads of the code around may be what is assigned
 * there until its definition, or anything after it. What an inner function assigns may come at any time, unless all
 * that is done with the function is to call it in the body around: then it comes with the calls. Errs towards too many:
 * a loop may not run, an exception may be raised anywhere.
 */
import { P, regionAt, type Region } from '../../syntax/paths.js';
import type { DeclRow, ExprRow, ScopeRow } from '../../syntax/rows.js';
import { D, E, F, S, type Summary } from '../../syntax/summary.js';

/** Something that happens at a place, and ends what happened to the same thing before it. */
export interface Event {
  readonly row: number;
  /** Where it is written. */
  readonly at: number;
  /** Where it has happened: behind the value that is assigned. */
  readonly done: number;
}

/** Those of `assignments`, of one name in one scope, that may be what a row reads. */
export const lastAssignments = (summary: Summary, assignments: readonly DeclRow[], expr: ExprRow): readonly DeclRow[] =>
  lastAt(summary, assignments, summary.exprs.scopeOf(expr), summary.exprs.startOf(expr));

/** The same for what is read at a place of a scope. */
export function lastAt(
  summary: Summary,
  assignments: readonly DeclRow[],
  scope: ScopeRow,
  place: number,
): readonly DeclRow[] {
  const { decls } = summary;
  const [first] = assignments;
  if (first === undefined || assignments.length < 2) return assignments;
  const body = bodyAround(summary, decls.scopeOf(first));
  const reader = functionBetween(summary, scope, body);
  return reader === undefined
    ? lastBefore(summary, assignments, body, place)
    : lastBefore(summary, assignments, body, decls.startOf(reader), true);
}

/** Those of the assignments of a module's variable that others, who read it once the module was run, can see. */
export function leftAtEnd(summary: Summary, assignments: readonly DeclRow[]): readonly DeclRow[] {
  return assignments.length < 2 ? assignments : lastBefore(summary, assignments, 0, Infinity);
}

/** Whether some way leads to a row on which none of the assignments was made, but for what an exception ends. */
export function mayBeUnset(summary: Summary, assignments: readonly DeclRow[], expr: ExprRow): boolean {
  const { decls, exprs } = summary;
  const [first] = assignments;
  if (first === undefined) return true;
  const body = bodyAround(summary, decls.scopeOf(first));
  const isLater = functionBetween(summary, exprs.scopeOf(expr), body) !== undefined;
  const { last, anyTime } = orderOf(summary, assignments, body)[isLater ? 'byText' : 'byCalls'];
  return anyTime.size === 0 && last.before(isLater ? Infinity : exprs.startOf(expr)).isOpen;
}

/** `onwards`: what happens behind the place counts too. */
function lastBefore(
  summary: Summary,
  assignments: readonly DeclRow[],
  body: ScopeRow,
  place: number,
  onwards = false,
): readonly DeclRow[] {
  // Other files may call a module's functions before they read, or call one that reads.
  const isLater = body === 0 && (onwards || place === Infinity);
  const { last, anyTime } = orderOf(summary, assignments, body)[isLater ? 'byText' : 'byCalls'];
  const found = last.before(place).rows;
  if (onwards) for (const event of last.events) if (event.done > place) found.add(event.row);
  const kept = assignments.filter((decl) => found.has(decl) || anyTime.has(decl));
  // Where none leads to the place, it is in code that nothing reaches, or the name is unset there.
  return kept.length === 0 ? assignments : kept;
}

/** What is known of the assignments of one name, wherever it is read. */
interface Order {
  readonly last: LastOf;
  /** Those that functions within the body make, and that may come at any time. */
  readonly anyTime: ReadonlySet<DeclRow>;
}

interface Orders {
  readonly byText: Order;
  /** With what inner functions assign where they are called, if they are only called. */
  readonly byCalls: Order;
}

const ordersMemo = new WeakMap<Summary, Map<DeclRow, Orders>>();

function orderOf(summary: Summary, assignments: readonly DeclRow[], body: ScopeRow): Orders {
  const orders = ordersMemo.get(summary) ?? new Map<DeclRow, Orders>();
  ordersMemo.set(summary, orders);
  const first = assignments[0] as DeclRow;
  const known = orders.get(first);
  if (known !== undefined) return known;
  const anyTime = new Set(
    assignments.filter((decl) => functionBetween(summary, scopeOfDecl(summary, decl), body) !== undefined),
  );
  const events = assignments
    .filter((decl) => !anyTime.has(decl) && assigns(summary, decl))
    .map((decl) => eventOf(summary, decl));
  const byText = { last: new LastOf(summary.paths, inOrder(events)), anyTime };
  const called = new Map([...anyTime].map((decl) => [decl, callsThatAssign(summary, decl, body)] as const));
  const late = new Set([...anyTime].filter((decl) => called.get(decl) === undefined));
  const byCalls =
    late.size === anyTime.size
      ? byText
      : {
          last: new LastOf(summary.paths, inOrder([...events, ...[...called.values()].flatMap((each) => each ?? [])])),
          anyTime: late,
        };
  const found = { byText, byCalls };
  orders.set(first, found);
  return found;
}

const inOrder = (events: readonly Event[]): Event[] => [...events].sort((a, b) => a.at - b.at);

/**
 * The calls, in the body around, of the function that makes an assignment whenever it is called; undefined where it may
 * also be called elsewhere, or not assign.
 */
function callsThatAssign(summary: Summary, decl: DeclRow, body: ScopeRow): readonly Event[] | undefined {
  const { decls, exprs } = summary;
  const by = functionBetween(summary, scopeOfDecl(summary, decl), body);
  if (by === undefined) return undefined;
  const home = decls.scopeOf(by);
  if (bodyAround(summary, home) !== body || decls.inScope(home, decls.nameIdOf(by)).length > 1) return undefined;
  const isPlain = decls.decoratorsOf(by).length === 0 && !decls.has(by, F.generator | F.async);
  if (!isPlain || !isAlwaysMade(summary, decl, by)) return undefined;
  const events: Event[] = [];
  for (const row of exprs.named(decls.nameIdOf(by))) {
    if (exprs.opOf(row) === E.name && !isInside(summary, exprs.scopeOf(row), home)) continue;
    const call = exprs.opOf(row) === E.name ? exprs.callOf(row) : -1;
    if (call < 0 || exprs.usesOf(row).length > 1 || functionBetween(summary, exprs.scopeOf(row), body) !== undefined)
      return undefined;
    events.push({ row: decl, at: exprs.startOf(call), done: exprs.endOf(call) });
  }
  return events;
}

/** Whether an assignment stands among the statements of a function that always run, before it is left. */
function isAlwaysMade(summary: Summary, decl: DeclRow, by: DeclRow): boolean {
  const { decls, paths } = summary;
  const at = decls.nameStartOf(decl);
  const region = regionAt(paths, at);
  return (
    region === regionAt(paths, decls.bodyStartOf(by)) && region.parts.every((part) => part.start > at || !leaves(part))
  );
}

const leaves = (region: Region): boolean => region.kind === P.leave || region.parts.some(leaves);

function eventOf(summary: Summary, decl: DeclRow): Event {
  const { decls } = summary;
  const at = decls.nameStartOf(decl);
  const kind = decls.kindOf(decl);
  const value = kind === D.variable || kind === D.local ? decls.valueOf(decl) : -1;
  return { row: decl, at, done: value < 0 ? at : Math.max(at, endOfValue(summary, value)) };
}

/** Whether a declaration gives its name a value: `x: int` does not. */
const assigns = ({ decls }: Summary, decl: DeclRow): boolean => {
  const kind = decls.kindOf(decl);
  return (kind !== D.variable && kind !== D.local) || decls.typeOf(decl) < 0 || decls.valueOf(decl) >= 0;
};

/** Where the expression ends that a value is, or is a part of: in `a, b = b, a` the parts stand at the names. */
export function endOfValue({ exprs }: Summary, value: ExprRow): number {
  let row = value;
  let end = exprs.endOf(row);
  while ((exprs.opOf(row) === E.nth || exprs.opOf(row) === E.element) && exprs.operandOf(row) >= 0) {
    row = exprs.operandOf(row);
    end = Math.max(end, exprs.endOf(row));
  }
  return end;
}

/** The scope of the statement that a declaration is made by: another one than its name's under `global`. */
function scopeOfDecl({ decls, exprs }: Summary, decl: DeclRow): ScopeRow {
  const value = decls.kindOf(decl) === D.param ? -1 : decls.valueOf(decl);
  const row =
    value >= 0
      ? value
      : exprs.named(decls.nameIdOf(decl)).find((name) => exprs.startOf(name) === decls.nameStartOf(decl));
  return row === undefined ? decls.scopeOf(decl) : exprs.scopeOf(row);
}

/**
 * Declarations of one name in one scope, in order: a variable's assignments, a parameter and what is assigned to it.
 */
export function sameNamed(summary: Summary, decl: number): number[] {
  const { decls } = summary;
  const name = decls.nameIdOf(decl);
  const out: number[] = [];
  for (const other of summary.decls.named(name)) {
    if (decls.scopeOf(other) === decls.scopeOf(decl) && !decls.has(other, F.narrowing)) out.push(other);
  }
  return out;
}

/** The declarations of the name that a test narrowed, in the nearest scope around that has them. */
export function narrowedBy({ decls, scopes }: Summary, narrowing: DeclRow): DeclRow[] {
  const name = decls.nameIdOf(narrowing);
  for (let scope = scopes.parentOf(decls.scopeOf(narrowing)); scope >= 0; scope = scopes.parentOf(scope)) {
    const found = [...decls.inScope(scope, name)].filter((decl) => !decls.has(decl, F.narrowing));
    if (found.length > 0) return found;
  }
  return [];
}

/** Whether a scope is another one, or lies in it. */
export function isInside({ scopes }: Summary, scope: ScopeRow, outer: ScopeRow): boolean {
  let s = scope;
  while (s >= 0 && s !== outer) s = scopes.parentOf(s);
  return s === outer;
}

/** The function, class or module scope that a scope lies in. */
export function bodyAround(summary: Summary, scope: ScopeRow): ScopeRow {
  let s = scope;
  while (s >= 0 && (summary.scopes.kindOf(s) === S.block || summary.scopes.kindOf(s) === S.header))
    s = summary.scopes.parentOf(s);
  return s;
}

/** The outermost function that lies in a body and holds a scope; undefined where the body itself runs what is there. */
function functionBetween({ scopes }: Summary, scope: ScopeRow, body: ScopeRow): DeclRow | undefined {
  let outermost: DeclRow | undefined;
  for (let s = scope; s >= 0 && s !== body; s = scopes.parentOf(s))
    if (scopes.kindOf(s) === S.function) outermost = scopes.ownerOf(s);
  return outermost;
}

/** Which of some events of one thing may have been the last one at a place. */
export class LastOf {
  private readonly byRegion = new Map<Region, Event[]>();
  /** Loops whose ends are being asked about: what comes around in them is found by whoever asked first. */
  private readonly turning = new Set<Region>();

  constructor(
    private readonly all: Region,
    /** In the order in which they are written. */
    readonly events: readonly Event[],
  ) {
    for (const event of events) {
      const region = regionAt(all, event.at);
      const same = this.byRegion.get(region);
      if (same === undefined) this.byRegion.set(region, [event]);
      else same.push(event);
    }
  }

  /** `isOpen`: on some way none of them happened. */
  before(place: number): { readonly rows: Set<number>; readonly isOpen: boolean } {
    const rows = new Set<number>();
    const isOpen = this.from(regionAt(this.all, place), place, this.all, rows);
    return { rows, isOpen };
  }

  /**
   * Goes back from a place to the beginning of the region `until`, and adds the events that it meets. Gives whether a
   * way was without any.
   */
  private from(inner: Region, place: number, until: Region, found: Set<number>): boolean {
    let region = inner;
    let at = place;
    for (;;) {
      if (!this.back(region, at, found)) return false;
      if (region.kind === P.loop) this.around(region, found);
      if (region.kind === P.rescue || region.kind === P.last) this.anyWithin(region.around, region.start, found);
      if (region === until || region.around === undefined) return true;
      at = region.start;
      region = region.around;
    }
  }

  /** The same within one region, the arms of a fork passed over: whoever is in one comes from none of the others. */
  private back(region: Region, place: number, found: Set<number>): boolean {
    const events = (this.byRegion.get(region) ?? []).filter((event) => event.done <= place);
    const parts = region.parts.filter((part) => part.end <= place && !isAlternative(part) && part.kind !== P.body);
    const event = events.at(-1);
    for (let p = parts.length - 1; p >= 0 || event !== undefined; p--) {
      const part = parts[p];
      if (event !== undefined && (part === undefined || event.at >= part.start)) {
        found.add(event.row);
        return false;
      }
      if (part === undefined || !this.through(part, found)) return false;
    }
    return true;
  }

  /** Adds what a region that was run as a whole may have left; gives whether it may have left everything as it was. */
  private through(region: Region, found: Set<number>): boolean {
    switch (region.kind) {
      case P.leave:
      case P.turn:
        return false;
      case P.loop:
        this.around(region, found);
        return true;
      case P.fork:
      case P.whole: {
        const last = region.parts.at(-1);
        if (last?.kind === P.last && !this.back(last, Infinity, found)) return false;
        let isOpen = region.kind === P.fork;
        for (const part of region.parts) {
          if (part.kind === P.last || !isAlternative(part) || !this.back(part, Infinity, found)) continue;
          if (part.kind === P.rescue) this.anyWithin(region, part.start, found);
          isOpen = true;
        }
        return isOpen && this.back(region, Infinity, found);
      }
      default:
        return this.back(region, Infinity, found);
    }
  }

  /** What a loop may have left when it begins anew or ends. */
  private around(loop: Region, found: Set<number>): void {
    if (this.turning.has(loop)) return;
    this.turning.add(loop);
    this.back(loop, Infinity, found);
    for (const turn of turnsOf(loop)) this.from(turn.around ?? loop, turn.start, loop, found);
    this.turning.delete(loop);
  }

  private anyWithin(region: Region | undefined, until: number, found: Set<number>): void {
    if (region !== undefined)
      for (const event of this.events) if (event.at >= region.start && event.at < until) found.add(event.row);
  }
}

const isAlternative = ({ kind }: Region): boolean => kind === P.arm || kind === P.rescue || kind === P.last;

/** The `break` and `continue` statements of a loop itself. */
function turnsOf(region: Region): readonly Region[] {
  return region.parts.flatMap((part) => (part.kind === P.turn ? [part] : part.kind === P.loop ? [] : turnsOf(part)));
}
