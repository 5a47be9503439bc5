/**
 * Judges what calls give for parameters that are of another type now.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import type { SignatureDelta } from '../change/signature-delta.js';
import { changedKeys, keyWords, parameterBehind } from '../change/written-object.js';
import { keysOfLiteral, lackedByLiteral } from '../graph/resolve/literal-keys.js';
import { contradicts } from '../graph/resolve/overloads.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { Fitting } from '../graph/resolve/signature.js';
import { sameWritten } from '../graph/resolve/written-form.js';
import type { Language } from '../languages/language.js';
import { languageById } from '../languages/registry.js';
import { E, F, type Summary } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { givenFit, takesArgument } from './retyped-fit.js';
import { gives, offers, type Verdict } from './verdict.js';

/** Name of a new or retyped parameter that is given what its type does not take. */
export function otherwiseTyped(
  after: Resolver,
  delta: SignatureDelta,
  { pairs }: Fitting,
  file: string,
  of: string,
): string | undefined {
  const language = after.language(file);
  return pairs.find(({ argument, param }) => {
    const isRetyped = delta.retyped.some(({ name }) => name === param.name);
    if (argument.expr < 0 || !(isRetyped || delta.added.some(({ name }) => name === param.name))) return false;
    const given = after.summary(file);
    if (given.exprs.opOf(argument.expr) === E.closure && lackedByLiteral(after, file, argument.expr).length > 0)
      return true;
    if (isRetyped && saysGoneKey(given, argument.expr, param.name, delta)) return true;
    if (!param.rest && isArrayOf(after, { file, expr: argument.expr }, { file: of, param: param.decl })) return true;
    return (
      isRetyped &&
      !language.structural &&
      (isOfOtherLiteral(given, argument.expr, param.name, delta, language) ||
        contradicts(after, { file: of, param: param.decl }, { file, argument: argument.expr }))
    );
  })?.param.name;
}

/** Whether an object literal is given that is written with a key which the parameter's type has lost. */
function saysGoneKey(summary: Summary, given: number, name: string, { retyped }: SignatureDelta): boolean {
  const type = retyped.find((param) => param.name === name);
  const keys = type === undefined ? undefined : changedKeys(type.from, type.to);
  const written = keysOfLiteral(summary, given);
  return keys?.removed.some((key) => written?.has(key) === true) === true;
}

/**
 * Whether a variable that is declared as an array, or as what takes all further arguments, is given for one element.
 */
function isArrayOf(
  after: Resolver,
  given: { readonly file: string; readonly expr: number },
  wanted: { readonly file: string; readonly param: number },
): boolean {
  const target =
    after.summary(given.file).exprs.opOf(given.expr) === E.name
      ? after.resolve(given.file, given.expr).targets[0]
      : undefined;
  if (target === undefined || target.decl < 0) return false;
  const [from, to] = [after.summary(target.file), after.summary(wanted.file)];
  const type = from.decls.typeOf(target.decl);
  if (type < 0) return false;
  const element =
    from.exprs.opOf(type) === E.array ? from.exprs.operandOf(type) : from.decls.has(target.decl, F.rest) ? type : -1;
  return element >= 0 && sameWritten(from, element, to, to.decls.typeOf(wanted.param));
}

/** Whether a literal is given for a parameter that was of a literal's type and is of a type that no literal has. */
function isOfOtherLiteral(
  summary: Summary,
  argument: number,
  name: string,
  delta: SignatureDelta,
  { literalTypes }: Language,
): boolean {
  const retyped = delta.retyped.find((param) => param.name === name);
  if (literalTypes === undefined || retyped === undefined || argument < 0 || !isLiteral(summary, argument))
    return false;
  return literalTypes.has(retyped.from) && !literalTypes.has(retyped.to) && /^[\p{Lu}][\w.]+$/u.test(retyped.to);
}

/** A literal that is not null; a string that spells a name is a row of its own kind. */
const isLiteral = ({ exprs }: Summary, row: number): boolean =>
  exprs.opOf(row) === E.string || (exprs.opOf(row) === E.literal && exprs.nameOf(row) !== 'null');

/** A call that goes on fitting, of what changed. */
export interface FittingPlace {
  readonly change: AtomicChange;
  readonly graphs: Graphs;
  readonly file: string;
  /** The call's row. */
  readonly call: number;
}

/**
 * What a call hears of a parameter whose type changed; `given`: row of what it gives for it, -1 if that is not known.
 */
export function retypedParameter(
  param: SignatureDelta['retyped'][number],
  { change, graphs, file }: FittingPlace,
  given: number,
): Verdict[] {
  const { name, from, to } = param;
  const summary = graphs.after.summary(file);
  const { overridesTakeFewer } = languageById(summary.language);
  const more = overridesTakeFewer ? parameterBehind(from, to) : undefined;
  if (more !== undefined)
    return [{ tier: 'may', detail: `a function given for ${name} can take ${more} now`, offers: more, fits: true }];
  const keys = changedKeys(from, to);
  const known = givenFit(change, param, graphs);
  const fit = known === 'unknown' && takesArgument(change, name, graphs, { file, expr: given }) ? 'fits' : known;
  if (keys === undefined)
    return [gives(`the type of ${name} changed from ${from || 'none'} to ${to || 'none'}`, fit, name)];
  const written = given < 0 ? undefined : keysOfLiteral(summary, given);
  if (written === undefined || keys.retyped.some((key) => written.has(key)))
    return [gives(`${name} ${keyWords(keys)}`, fit, name)];
  const offered = keys.added.find((key) => !written.has(key.name));
  return offered === undefined ? [] : [offers(offered.name)];
}
