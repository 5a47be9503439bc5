/**
 * Whether what a call gives fits where the call stands, after its type changed: as the value of
 * something declared with the old type, as the result of a function that returns it, or as the
 * receiver of members that the new type does not have, taken apart into other parts, or used as
 * what is in a container now.
 *
 * Looks at the nearest use and at a local that holds the result. What it cannot tell fits.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { blockOf } from '../graph/refer/site.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { basicAgreement } from '../graph/resolve/basic-types.js';
import { fit, signatureOf } from '../graph/resolve/signature.js';
import { sameWritten } from '../graph/resolve/written-form.js';
import type { Type } from '../graph/resolve/value.js';
import { instanceOf, isBelow, type WrittenType } from '../graph/resolve/written-types.js';
import type { DeclRef } from '../languages/language.js';
import { D, E, F, R, type Summary } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';

export interface CallPlace {
  readonly file: string;
  readonly block: number;
  /** The row of the call. */
  readonly call: number;
}

/** What does not fit, in words; undefined if nothing is known to. */
export function resultMisfit(change: AtomicChange, place: CallPlace, graphs: Graphs): string | undefined {
  const summary = graphs.after.summary(place.file);
  const value = awaitedRow(summary, place.call);
  const holder = holderOf(summary, value);
  const expected =
    holder !== undefined
      ? summary.decls.typeOf(holder)
      : returnsRow(summary, place.block, value)
        ? summary.decls.typeOf(place.block)
        : -1;
  if (
    expected >= 0 &&
    isTypedAsBefore(change, summary, expected, value !== place.call, graphs) &&
    !takes(graphs.after, { file: place.file, row: expected }, typeNow(change, graphs))
  )
    return (
      'it is given where ' +
      (holder === undefined ? 'the old type is returned' : `${summary.decls.nameOf(holder)} has the old type`)
    );
  const parts = partsMisfit(change, summary, value, graphs) ?? wrappedMisfit(change, place, value, graphs);
  if (parts !== undefined) return parts;
  const isUntyped = holder !== undefined && expected < 0;
  const closed = membersOfClosed(change, graphs);
  const used = [...membersOf(summary, value), ...(isUntyped ? memberUses(summary, holder, place.block) : [])];
  const lacking = used.find(
    (row) =>
      closed?.has(summary.exprs.nameOf(row)) === false ||
      (!leadsNowhere(typeNow(change, graphs), graphs.after) && lacksMember(place.file, row, graphs)),
  );
  return lacking === undefined ? undefined : `what it returns has no ${summary.exprs.nameOf(lacking)} now`;
}

/**
 * Whether a result that is a type parameter now is for the receiver of a call what it was: `Base<Self>` gives `Self`,
 * and `class Params extends Base<Params>` has it from there.
 */
export function givesWhatItGave(
  { before: was, after: now }: AtomicChange,
  { file, call }: CallPlace,
  { before, after }: Graphs,
): boolean {
  if (was === undefined || now === undefined || was.decl < 0 || now.decl < 0) return false;
  const of = after.summary(now.file);
  const type = of.decls.typeOf(now.decl);
  const gave = before.summary(was.file).decls.typeOf(was.decl);
  if (type < 0 || gave < 0 || of.exprs.opOf(type) !== E.name) return false;
  const isParameter = after
    .resolve(now.file, type)
    .targets.some((target) => target.decl >= 0 && after.summary(target.file).decls.kindOf(target.decl) === D.typeParam);
  const old = isParameter ? onlyClass(instanceOf(before, was.file, gave)) : undefined;
  const is = old === undefined ? undefined : onlyClass(after.typeOf(file, call));
  return (
    old !== undefined &&
    is?.file === old.file &&
    before.summary(old.file).decls.pathOf(old.decl) === after.summary(is.file).decls.pathOf(is.decl)
  );
}

/** The class of all that there can be; undefined where that is not known, or more than one. */
function onlyClass({ values, unknown }: Type): DeclRef | undefined {
  const [value, ...others] = values;
  return !unknown && others.length === 0 && value?.kind === 'instance' ? value : undefined;
}

/** Whether a type says a name that nothing declares: nobody knows what it has. */
function leadsNowhere({ file, row }: WrittenType, after: Resolver): boolean {
  if (row < 0) return false;
  const { exprs } = after.summary(file);
  const head = exprs.opOf(row) === E.index ? exprs.baseOf(row) : row;
  return exprs.opOf(head) === E.name && after.resolve(file, head).targets.length === 0;
}

/** All members of what is given now, where a type of the library says them; undefined where they are not known. */
function membersOfClosed(change: AtomicChange, graphs: Graphs): ReadonlySet<string> | undefined {
  const { file, row } = typeNow(change, graphs);
  const { exprs } = graphs.after.summary(file);
  if (row < 0 || change.after === undefined) return undefined;
  const head = exprs.opOf(row) === E.index ? exprs.baseOf(row) : row;
  return exprs.opOf(head) === E.name && graphs.after.resolve(file, head).targets.length === 0
    ? graphs.after.language(file).library.closedTypes.get(exprs.nameOf(head))
    : undefined;
}

/** A value of the old type that is put into the changed place, in words. */
export function storeMisfit(
  change: AtomicChange,
  { file, call: place }: CallPlace,
  graphs: Graphs,
): string | undefined {
  const { exprs } = graphs.after.summary(file);
  for (let row = place + 1; row < exprs.count; row++) {
    if (exprs.opOf(row) !== E.store || exprs.placeOf(row) !== place) continue;
    const value = exprs.secondOf(row);
    if (value < 0 || exprs.opOf(value) !== E.name) continue;
    const target = graphs.after.resolve(file, value).targets[0];
    if (target === undefined || target.decl < 0) continue;
    const of = graphs.after.summary(target.file);
    const type = of.decls.typeOf(target.decl);
    if (
      type >= 0 &&
      isTypedAsBefore(change, of, type, false, graphs) &&
      !takes(graphs.after, typeNow(change, graphs), { file: target.file, row: type })
    )
      return `it is given ${of.decls.nameOf(target.decl)}, which has the old type`;
  }
  return undefined;
}

/** A value that is taken apart into another number of parts than it has now, in words. */
function partsMisfit(change: AtomicChange, { exprs }: Summary, value: number, { after }: Graphs): string | undefined {
  if (change.after === undefined) return undefined;
  const own = after.summary(change.after.file);
  const type = own.decls.typeOf(change.after.decl);
  if (
    type < 0 ||
    own.exprs.opOf(type) !== E.index ||
    !after.language(change.after.file).library.tuples.has(own.exprs.nameOf(own.exprs.baseOf(type)))
  )
    return undefined;
  const args = own.exprs.partsOf(type);
  if (args.some((arg) => own.exprs.opOf(arg) === E.other)) return undefined;
  let taken = 0;
  for (const { kind, ...whole } of exprs.usesOf(value)) {
    if (kind !== 'part' || !('row' in whole)) continue;
    if (exprs.opOf(whole.row) === E.element) return undefined;
    if (exprs.opOf(whole.row) === E.nth) taken = Math.max(taken, exprs.numberOf(whole.row) + 1);
  }
  return taken > 0 && taken !== args.length
    ? `it is taken apart into ${taken}, and has ${args.length} parts now`
    : undefined;
}

/** A value that is used as it was and comes in a container now: an array of it, an optional of it. In words. */
function wrappedMisfit(
  change: AtomicChange,
  place: CallPlace,
  value: number,
  { before, after }: Graphs,
): string | undefined {
  if (change.before === undefined || change.after === undefined) return undefined;
  const [old, own] = [before.summary(change.before.file), after.summary(change.after.file)];
  const [was, type] = [old.decls.typeOf(change.before.decl), own.decls.typeOf(change.after.decl)];
  if (was < 0 || type < 0) return undefined;
  const args =
    own.exprs.opOf(type) === E.array
      ? [own.exprs.baseOf(type)]
      : own.exprs.opOf(type) === E.index
        ? [...own.exprs.partsOf(type)]
        : [];
  return args.length === 1 &&
    sameWritten(old, was, own, args[0] as number) &&
    isTakenAsOne(after, place.file, value, (of, wanted) => sameWritten(of, wanted, old, was))
    ? 'it is used as what the result holds now'
    : undefined;
}

/**
 * Whether a row stands where one value is asked for: as an operand, an element, an argument for a parameter that is of
 * the type, as `isOfType` says.
 */
function isTakenAsOne(
  after: Resolver,
  file: string,
  value: number,
  isOfType: (of: Summary, type: number) => boolean,
): boolean {
  const { exprs } = after.summary(file);
  return exprs.usesOf(value).some((use) => {
    if (!('row' in use)) return false;
    if (use.kind === 'operand')
      return exprs.opOf(use.row) === E.operator && !takesAnyValue(after, file, use.row, value);
    if (use.kind === 'entry') return exprs.opOf(use.row) === E.list;
    return use.kind === 'argument' && isGivenFor(after, file, use.row, value, isOfType);
  });
}

const COMPARES: ReadonlySet<string> = new Set(['==', '!=', '===', '!==', 'is', 'is not']);

/** Whether an operator stands between the value and what goes with any: nothing, or a text that is joined with it. */
function takesAnyValue(after: Resolver, file: string, operator: number, value: number): boolean {
  const { exprs } = after.summary(file);
  const [left, right] = [exprs.operandOf(operator), exprs.secondOf(operator)];
  const other = left === value ? right : left;
  if (other < 0) return false;
  const isText = exprs.opOf(other) === E.string || (exprs.opOf(other) === E.literal && exprs.nameOf(other) === 'str');
  return exprs.nameOf(operator) === '+'
    ? isText && after.language(file).joinsTexts
    : COMPARES.has(exprs.nameOf(operator)) && exprs.opOf(other) === E.literal && exprs.nameOf(other) === 'null';
}

/** Whether a call gives the value for a parameter of the type; what a library's function takes is not known. */
function isGivenFor(
  after: Resolver,
  file: string,
  call: number,
  value: number,
  isOfType: (of: Summary, type: number) => boolean,
): boolean {
  const { exprs } = after.summary(file);
  const callee = exprs.calleeOf(call);
  const targets = callee < 0 ? [] : after.resolve(file, callee).targets;
  return (
    targets.length > 0 &&
    targets.every((target) => {
      if (target.decl < 0) return false;
      const of = after.summary(target.file);
      const fitting = fit(signatureOf(of, target.decl), exprs.argumentsOf(call), false);
      const given = fitting.fits ? fitting.pairs.find(({ argument }) => argument.expr === value) : undefined;
      return given !== undefined && isOfType(of, of.decls.typeOf(given.param.decl));
    })
  );
}

/** The row that awaits the call, or the call itself. */
function awaitedRow({ exprs }: Summary, call: number): number {
  const awaited = exprs.wholeBy(call, E.await);
  return awaited < 0 ? call : awaited;
}

/** The local or field whose initial value the row is. */
function holderOf({ decls }: Summary, row: number): number | undefined {
  for (let decl = 0; decl < decls.count; decl++) if (decls.valueOf(decl) === row) return decl;
  return undefined;
}

const returnsRow = (summary: Summary, block: number, row: number): boolean =>
  // What a generator yields is an element of what it returns.
  block >= 0 && !summary.decls.has(block, F.generator) && summary.decls.resultsOf(block).includes(row);

/**
 * Whether a type is written as the changed function's result was before, and not as it is now. Where the result is
 * awaited, one wrapper around either does not count.
 */
function isTypedAsBefore(
  change: AtomicChange,
  summary: Summary,
  expected: number,
  isAwaited: boolean,
  { before, after }: Graphs,
): boolean {
  const forms = (of: Summary, type: number): number[] => (isAwaited ? unwrapped(of, type) : [type]);
  if (change.before === undefined || change.after === undefined) return false;
  const isLike = (resolver: Resolver, ref: { readonly file: string; readonly decl: number }): boolean => {
    const of = resolver.summary(ref.file);
    return forms(of, of.decls.typeOf(ref.decl)).some((type) =>
      forms(summary, expected).some((wanted) => sameWritten(summary, wanted, of, type)),
    );
  };
  return isLike(before, change.before) && !isLike(after, change.after);
}

const typeNow = ({ after }: AtomicChange, graphs: Graphs): WrittenType => ({
  file: after?.file ?? '',
  row: after === undefined ? -1 : graphs.after.summary(after.file).decls.typeOf(after.decl),
});

/** Whether a place of one type takes values of another: one side of a union, or a class below. */
function takes(resolver: Resolver, place: WrittenType, given: WrittenType): boolean {
  if (place.row < 0 || given.row < 0) return true;
  const [of, on] = [resolver.summary(place.file), resolver.summary(given.file)];
  if (
    of.exprs.opOf(place.row) === E.union &&
    of.exprs.partsOf(place.row).some((side) => sameWritten(of, side, on, given.row))
  )
    return true;
  const isRoot = resolver.language(place.file).library.rootBases.has(of.exprs.nameOf(place.row));
  if (isRoot && on.exprs.nameOf(given.row) !== 'void') return true;
  // One generic type with other arguments is another type.
  const head = ({ exprs }: Summary, row: number): number => (exprs.opOf(row) === E.index ? exprs.baseOf(row) : row);
  const [asked, held] = [head(of, place.row), head(on, given.row)];
  if (sameWritten(of, asked, on, held)) return false;
  return (
    isBelow(resolver, given, place) || areConverted(resolver, place.file, of.exprs.nameOf(asked), on.exprs.nameOf(held))
  );
}

/** Whether of two types that a language brings along one is taken for the other, or perhaps is below it. */
function areConverted(resolver: Resolver, file: string, asked: string, held: string): boolean {
  const { basicTypes, library } = resolver.language(file);
  const agreement = basicTypes === undefined ? 'open' : basicAgreement(basicTypes, asked, held);
  if (agreement !== 'open') return agreement !== undefined && agreement > 0;
  return [library.sequences, library.mappings].some((names) => names.has(asked) && names.has(held));
}

/** A type and, of a type with one argument, that argument: what awaiting it gives. */
function unwrapped(summary: Summary, type: number): number[] {
  if (type < 0 || summary.exprs.opOf(type) !== E.index) return [type];
  const args = summary.exprs.partsOf(type);
  return args.length === 1 ? [type, args[0] as number] : [type];
}

/** Rows that take a member of a row. */
function membersOf({ exprs }: Summary, row: number): readonly number[] {
  return exprs.wholesOf(row).filter((whole) => exprs.opOf(whole) === E.member && exprs.baseOf(whole) === row);
}

/** Rows in the block that take a member of a local. */
function memberUses(summary: Summary, local: number, block: number): number[] {
  const name = summary.decls.nameIdOf(local);
  const out: number[] = [];
  for (const row of summary.exprs.named(name)) {
    if (
      summary.exprs.opOf(row) === E.name &&
      summary.exprs.roleOf(row) !== R.declares &&
      blockOf(summary, row) === block
    )
      out.push(...membersOf(summary, row));
  }
  return out;
}

/**
 * Whether a member that was there before the edit is not there any more. Only in a file that the edit left alone, whose
 * rows are the same.
 */
function lacksMember(file: string, row: number, { before, after }: Graphs): boolean {
  if (
    before.repo.summary(file) !== after.repo.summary(file) &&
    before.repo.summary(file)?.hash !== after.repo.summary(file)?.hash
  )
    return false;
  const now = after.resolve(file, row);
  const then = before.resolve(file, row);
  if (now.via === 'no such member') return then.via !== 'no such member';
  return then.confidence === 'certain' && then.targets.length > 0 && now.targets.length === 0;
}
