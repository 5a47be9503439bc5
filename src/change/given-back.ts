/**
 * What functions take that a function gives back without saying its type: by itself, under a key, or as a part.
 *
 *     function counter() {                          whole  —
 *       const add = useCallback((by: number) => …)  add    (number)
 *       return { add, get: () => …, each: [(x: string) => …] };
 *     }
 *
 * Callers live by these types, though no declaration says them. A function that has a name of its own is a block, and
 * is compared by itself. Errs towards saying nothing: what is put together elsewhere, or goes through more than a call
 * that is given the function.
 */
import { languageById } from '../languages/registry.js';
import { membersOfLiteral } from '../graph/resolve/literal-keys.js';
import { D, E, F, isFunctionLike } from '../syntax/summary.js';
import { localNamed } from './local-named.js';
import type { BlockVersion, Version } from './version.js';

/** Values within each other that are looked into. */
const STEPS_MOST = 6;
/** Where the function as a whole stands. */
const WHOLE = '';

/** What is taken, in words, by where in the result the function stands: keys, parts and calls, each behind a dot. */
type GivenBack = ReadonlyMap<string, string>;

function givenBack({ version, decl }: BlockVersion): GivenBack {
  const out = new Map<string, string>();
  const { decls } = version.summary;
  if (isFunctionLike(decls.kindOf(decl))) addResults(version, decl, WHOLE, STEPS_MOST, out);
  else if (decls.typeOf(decl) < 0) addValue(version, { row: decls.valueOf(decl), owner: -1 }, WHOLE, STEPS_MOST, out);
  return out;
}

/** The same of a value in place of a result; `owner` is the function whose locals it may name. */
export function takenByValue(version: Version, row: number, owner: number): GivenBack {
  const out = new Map<string, string>();
  addValue(version, { row, owner }, WHOLE, STEPS_MOST, out);
  return out;
}

function addResults(version: Version, decl: number, path: string, steps: number, out: Map<string, string>): void {
  const { decls } = version.summary;
  if (decls.typeOf(decl) >= 0 || decls.has(decl, F.generator)) return;
  for (const row of decls.resultsOf(decl)) addValue(version, { row, owner: decl }, path, steps - 1, out);
}

interface Place {
  readonly row: number;
  readonly owner: number;
}

function addValue(
  version: Version,
  { row, owner }: Place,
  path: string,
  steps: number,
  out: Map<string, string>,
): void {
  if (row < 0 || steps === 0) return;
  const { summary } = version;
  const { exprs, decls } = summary;
  const further = (next: number, at = path): void => addValue(version, { row: next, owner }, at, steps - 1, out);
  switch (exprs.opOf(row)) {
    case E.closure:
      return addClosure(version, { decl: exprs.closureOf(row), owner }, path, steps, out);
    case E.cast:
      return exprs.castTypeOf(row) < 0 ? further(exprs.operandOf(row)) : undefined;
    case E.union:
      return [...exprs.partsOf(row)].forEach((part) => further(part));
    case E.list:
      return [...exprs.partsOf(row)].forEach((part, i) => further(part, `${path}.${i}`));
    case E.new:
      return further(exprs.calleeOf(row));
    case E.call:
      return addCall(version, { row, owner }, path, steps, out);
    case E.name: {
      const local = owner < 0 ? undefined : localNamed(summary, row, owner);
      return local === undefined || decls.typeOf(local) >= 0 || isFunctionLike(decls.kindOf(local))
        ? undefined
        : further(decls.valueOf(local));
    }
    default:
      return undefined;
  }
}

/** What a function gives that is called where it stands; what a call gives most often takes what it was given. */
function addCall(version: Version, { row, owner }: Place, path: string, steps: number, out: Map<string, string>): void {
  const { exprs, decls } = version.summary;
  const callee = exprs.calleeOf(row);
  if (callee >= 0 && exprs.opOf(callee) === E.closure) {
    const called = exprs.closureOf(callee);
    if (isFunctionLike(decls.kindOf(called))) addResults(version, called, path, steps, out);
    return;
  }
  if (callee < 0 || exprs.opOf(callee) !== E.name) return;
  for (const { expr } of exprs.argumentsOf(row).slice(0, 1))
    if (exprs.opOf(expr) === E.closure) addValue(version, { row: expr, owner }, path, steps - 1, out);
}

function addClosure(
  version: Version,
  { decl, owner }: { readonly decl: number; readonly owner: number },
  path: string,
  steps: number,
  out: Map<string, string>,
): void {
  const { summary } = version;
  const { decls } = summary;
  if (isFunctionLike(decls.kindOf(decl))) {
    out.set(path, taken(version, decl));
    addResults(version, decl, `${path}.()`, steps, out);
    return;
  }
  if (decls.kindOf(decl) !== D.anonymousClass) return;
  for (const member of membersOfLiteral(summary, decl)) {
    const at = `${path}.${decls.nameOf(member)}`;
    if (isFunctionLike(decls.kindOf(member))) addClosure(version, { decl: member, owner }, at, steps - 1, out);
    else if (decls.typeOf(member) < 0) addValue(version, { row: decls.valueOf(member), owner }, at, steps - 1, out);
  }
}

/** The types of its parameters as they are written; which may be left out, and which takes any number. */
function taken({ summary: { decls, exprs }, text }: Version, decl: number): string {
  const params = [...decls.paramsOf(decl)].map((param) => {
    const type = decls.typeOf(param);
    const said = type < 0 ? 'any' : text.slice(exprs.startOf(type), exprs.endOf(type)).replace(/\s+/gu, ' ');
    const rest = decls.has(param, F.rest) ? '...' : '';
    return `${rest}${said}${decls.has(param, F.optional) ? '?' : ''}`;
  });
  return `(${params.join(', ')})`;
}

interface Taken {
  readonly at: string;
  readonly from: string;
  readonly to: string;
}

/** The places in the results of both versions at which a function takes other things. */
export function otherwiseTaken(from: BlockVersion, to: BlockVersion): readonly Taken[] {
  if (!languageById(to.version.summary.language).checksTypes) return [];
  const now = givenBack(to);
  return [...givenBack(from)].flatMap(([at, was]) => {
    const is = now.get(at);
    return is === undefined || is === was ? [] : [{ at, from: was, to: is }];
  });
}

/** The same of what a field holds as a whole, as a change of its type. */
export function typeOfTaken(
  from: BlockVersion,
  to: BlockVersion,
): { readonly from: string; readonly to: string } | undefined {
  const whole = otherwiseTaken(from, to).find(({ at }) => at === WHOLE);
  return whole === undefined ? undefined : { from: `${whole.from} => …`, to: `${whole.to} => …` };
}

export const saidOfTaken = ({ at, from, to }: Taken): string =>
  `${at === WHOLE ? 'what it returns' : `${at.slice(1)} of what it returns`} takes ${to} and no longer ${from}`;
