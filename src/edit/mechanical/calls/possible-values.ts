/**
 * Expressions that could be passed for a new parameter at a call, for a person to choose from.
 *
 *     def put(self, key, ttl: int): ...
 *     def save(store, k, seconds: int): store.put(k)        seconds, ttl
 *
 * What the call got until now, where a default was taken away; variables of the parameter's type,
 * nearest first; all values of a type that has few; and the parameter's own name, where the
 * function around the call can take it too. Guesses, so none is
 * passed unless it was chosen. A parameter without a written type has no variables to choose from.
 */
import { signatureOf, type Parameter } from '../../../graph/resolve/signature.js';
import { lookUp } from '../../../graph/resolve/names.js';
import type { DeclRef } from '../../../languages/language.js';
import { D, E, R } from '../../../syntax/summary.js';
import type { RewriteSite } from '../rewrite.js';
import { threaded } from './thread-parameter.js';
import { hasTypeOf, isSetBefore, writtenType } from './value-in-scope.js';

/** More of one kind are no choice but a list to search. */
const VARIABLES_MOST = 6;

export function possibleValues(context: RewriteSite, call: number, param: Parameter): readonly string[] {
  const { graphs, block, site } = context;
  const added = site.cause.after;
  if (added === undefined) return [];
  const wanted = { file: added.file, decl: param.decl };
  const few = graphs.after.language(block.file).writing.fewValues.get(writtenType(graphs.after, wanted)) ?? [];
  const isKnown =
    lookUp(graphs.after, block.file, context.summary, context.summary.exprs.scopeOf(call), param.name, R.read).targets
      .length > 0;
  const passedOn =
    isKnown ||
    'cannot' in threaded(context, call, added, { param, isForPlace: false, behind: undefined, before: undefined })
      ? []
      : [param.name];
  return [
    ...new Set([...formerDefault(context, param.name), ...variables(context, call, wanted), ...few, ...passedOn]),
  ];
}

/** The default that the parameter had, if it means the same everywhere: a literal. */
function formerDefault({ graphs, site, texts }: RewriteSite, name: string): string[] {
  const { before } = site.cause;
  if (before === undefined || site.cause.detail.signature?.madeRequired.includes(name) !== true) return [];
  const { decls, exprs } = graphs.before.summary(before.file);
  const param = signatureOf(graphs.before.summary(before.file), before.decl).params.find((own) => own.name === name);
  const value = param === undefined ? -1 : decls.valueOf(param.decl);
  const text = texts.before(before.file);
  if (value < 0 || text === undefined) return [];
  const [start, end] = [exprs.startOf(value), exprs.endOf(value)];
  // The row of a string that spells a name lies between its quotes.
  if (exprs.opOf(value) === E.string)
    return /^[\s=]["'`]$/.test(text.slice(start - 2, start)) ? [text.slice(start - 1, end + 1)] : [];
  return exprs.opOf(value) === E.literal ? [text.slice(start, end)] : [];
}

function variables({ graphs, block, summary }: RewriteSite, call: number, wanted: DeclRef): string[] {
  const { decls, scopes, exprs } = summary;
  const names: string[] = [];
  for (let scope = exprs.scopeOf(call); scope >= 0; scope = scopes.parentOf(scope)) {
    const owner = scopes.ownerOf(scope);
    const receiver = owner < 0 ? undefined : signatureOf(summary, owner).receiver?.decl;
    for (let decl = 0; decl < decls.count; decl++) {
      if (decls.scopeOf(decl) !== scope || decl === receiver) continue;
      const kind = decls.kindOf(decl);
      const isBefore =
        kind === D.param || ((kind === D.local || kind === D.variable) && isSetBefore(summary, decl, call));
      if (!isBefore || !hasTypeOf(graphs.after, wanted, { file: block.file, decl })) continue;
      const name = summary.decls.nameOf(decl);
      const [meant] = lookUp(graphs.after, block.file, summary, exprs.scopeOf(call), name, R.read).targets;
      if (meant?.file === block.file && meant.decl === decl) names.push(name);
    }
  }
  return names.slice(0, VARIABLES_MOST);
}
