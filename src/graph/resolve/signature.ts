/**
 * A function's parameters as a caller sees them, and whether a call's arguments fit.
 *
 * The same judgement chooses among overloads and decides whether a call site breaks. A call
 * with spread arguments fits unless a keyword is unknown, or a parameter lacks that nothing spread
 * can be for: it errs towards fitting.
 */
import { languageById } from '../../languages/registry.js';
import type { Misfit } from './misfit.js';
import { E, F, TAKES, type Argument, type Summary } from '../../syntax/summary.js';

export interface Parameter {
  readonly decl: number;
  readonly name: string;
  readonly optional: boolean;
  readonly rest: boolean;
  readonly keywordRest: boolean;
  readonly keywordOnly: boolean;
  readonly positionalOnly: boolean;
}

export interface Signature {
  /** Without receivers. */
  readonly params: readonly Parameter[];
  /** The receiver parameter (`self`, the `this` of an extension method), if there is one. */
  readonly receiver: Parameter | undefined;
}

/** How many arguments are taken, the least and the most. */
export interface Taken {
  readonly least: number;
  readonly most: number;
}

export const takenBySignature = ({ params }: Signature): Taken => ({
  least: params.filter((param) => !param.optional).length,
  most: params.some((param) => param.rest || param.keywordRest) ? Infinity : params.length,
});

/** Of a written function type; undefined for any other row. */
export function takenByType({ exprs }: Summary, row: number): Taken | undefined {
  if (row < 0 || exprs.opOf(row) !== E.functionType || !exprs.hasParts(row)) return undefined;
  const { length } = exprs.partsOf(row);
  const signs = signsOf(exprs.nameOf(row));
  return {
    least: signs === undefined ? length : signs.filter((sign) => sign === TAKES.once).length,
    most: signs?.includes(TAKES.any) === true ? Infinity : length,
  };
}

/** Whether the parameter of a written function type need not be given. */
export const takesPerhaps = ({ exprs }: Summary, row: number, index: number): boolean =>
  signsOf(exprs.nameOf(row))?.[index] === TAKES.perhaps;

/** The signs of a function type, where they are written. */
const signsOf = (name: string): readonly string[] | undefined => (SIGNS.test(name) ? name.split('') : undefined);
const SIGNS = new RegExp(`^[${Object.values(TAKES).join('')}]+$`, 'u');

const memo = new WeakMap<Summary, Map<number, Signature>>();

/** Remembered: each call of an overloaded function asks for all of its signatures. */
export function signatureOf(summary: Summary, decl: number): Signature {
  let known = memo.get(summary);
  if (known === undefined) memo.set(summary, (known = new Map<number, Signature>()));
  let signature = known.get(decl);
  if (signature === undefined) known.set(decl, (signature = readSignature(summary, decl)));
  return signature;
}

function readSignature(summary: Summary, decl: number): Signature {
  const params: Parameter[] = [];
  let receiver: Parameter | undefined;
  const isExtension = summary.decls.has(decl, F.extension);
  const { gathersWhole } = languageById(summary.language);
  summary.decls.paramsOf(decl).forEach((row, i) => {
    const flags = summary.decls.flagsOf(row);
    const param: Parameter = {
      decl: row,
      name: summary.decls.nameOf(row),
      optional: (flags & (F.optional | F.rest | F.keywordRest)) !== 0,
      rest: (flags & F.rest) !== 0,
      keywordRest: (flags & F.keywordRest) !== 0,
      keywordOnly: (flags & F.keywordOnly) !== 0,
      positionalOnly: (flags & F.positionalOnly) !== 0 || ((flags & F.rest) !== 0 && !gathersWhole),
    };
    if ((flags & F.receiver) !== 0 || (isExtension && i === 0)) receiver = param;
    else params.push(param);
  });
  return { params, receiver };
}

/** All parameters as a call by the class's name gives them: with the `this` of an extension method in front. */
export function parametersInFull(summary: Summary, decl: number): readonly Parameter[] {
  const { receiver, params } = signatureOf(summary, decl);
  return receiver === undefined ? params : [receiver, ...params];
}

/** Whether callers have to await the function: by its keyword, and where a result type is written by that. */
export function isAwaitable(summary: Summary, decl: number): boolean {
  const writing = languageById(summary.language).writing.async;
  if (writing === undefined) return false;
  const type = summary.decls.typeOf(decl);
  const named = type >= 0 && summary.exprs.opOf(type) === E.index ? summary.exprs.operandOf(type) : type;
  if (named >= 0 && writing.awaitables.has(summary.exprs.nameOf(named))) return true;
  return summary.decls.has(decl, F.async) && (type < 0 || writing.returnType === undefined);
}

export type Fit =
  | {
      readonly fits: true;
      readonly pairs: readonly { readonly argument: Argument; readonly index: number; readonly param: Parameter }[];
    }
  | { readonly fits: false; readonly misfit: Misfit };

export type Fitting = Fit & { readonly fits: true };

/** Matches arguments with parameters. `explicitReceiver`: the call passes the receiver as its first argument. */
export function fit(signature: Signature, args: readonly Argument[], explicitReceiver: boolean): Fit {
  const params =
    explicitReceiver && signature.receiver !== undefined ? [signature.receiver, ...signature.params] : signature.params;
  const pairs: { argument: Argument; index: number; param: Parameter }[] = [];
  const taken = new Set<Parameter>();
  let position = 0;
  const spread = new Set<Argument['spread']>();
  for (const [index, argument] of args.entries()) {
    if (argument.spread !== 'none') {
      spread.add(argument.spread);
      continue;
    }
    if (argument.keyword !== '') {
      const param =
        params.find((candidate) => isNamedBy(candidate, argument.keyword)) ??
        params.find((candidate) => candidate.keywordRest);
      if (param === undefined) return { fits: false, misfit: { kind: 'no such keyword', keyword: argument.keyword } };
      if (taken.has(param) && !param.keywordRest)
        return { fits: false, misfit: { kind: 'given twice', keyword: argument.keyword } };
      taken.add(param);
      pairs.push({ argument, index, param });
      // A name at its own place (C#) leaves the places of the arguments behind it as they are.
      if (param === params[position]) position++;
      continue;
    }
    if (spread.size > 0) continue;
    const param = params[position];
    if (param === undefined || param.keywordOnly || param.keywordRest) {
      const most = params.filter((candidate) => !candidate.keywordOnly && !candidate.keywordRest).length;
      return { fits: false, misfit: { kind: 'too many', most, given: countPositional(args) } };
    }
    taken.add(param);
    pairs.push({ argument, index, param });
    if (!param.rest) position++;
  }
  const mayBeSpread = (param: Parameter): boolean =>
    (spread.has('list') && !param.keywordOnly) || (spread.has('keywords') && !param.positionalOnly);
  const missing = params.find((param) => !param.optional && !taken.has(param) && !mayBeSpread(param));
  return missing === undefined
    ? { fits: true, pairs }
    : { fits: false, misfit: { kind: 'lacking', param: missing.name } };
}

/** By its name, or, as a field of a class of attrs, by that without the underscore in front. */
const isNamedBy = ({ name, positionalOnly }: Parameter, keyword: string): boolean =>
  (name === keyword || name === `_${keyword}`) && !positionalOnly;

const countPositional = (args: readonly Argument[]): number =>
  args.filter((argument) => argument.keyword === '' && argument.spread === 'none').length;
