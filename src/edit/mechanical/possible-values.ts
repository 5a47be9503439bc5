/**
 * Expressions that could be passed for a new parameter at a call, for a person to choose from.
 *
 *     def put(self, key, ttl: int): ...
 *     def save(store, k, seconds: int): store.put(k)        seconds, ttl
 *
 * Variables of the parameter's type, nearest first; all values of a type that has few; and the
 * parameter's own name, where the function around the call can take it too. Guesses, so none is
 * passed unless it was chosen. A parameter without a written type has no variables to choose from.
 */
import { signatureOf, type Parameter } from '../../graph/signature.js';
import { lookUp } from '../../graph/names.js';
import type { DeclRef } from '../../languages/language.js';
import { D, nameOf, R } from '../../syntax/summary.js';
import type { RewriteSite } from './rewrite.js';
import { threaded } from './thread-parameter.js';
import { hasTypeOf, writtenType } from './value-in-scope.js';

/** More of one kind are no choice but a list to search. */
const VARIABLES_MOST = 6;

export function possibleValues(context: RewriteSite, call: number, param: Parameter): readonly string[] {
  const { graphs, block, site } = context;
  const added = site.cause.after;
  if (added === undefined) return [];
  const wanted = { file: added.file, decl: param.decl };
  const few = graphs.after.language(block.file).writing.fewValues.get(writtenType(graphs.after, wanted)) ?? [];
  const isKnown = lookUp(graphs.after, block.file, context.summary, context.summary.exprs.scope[call] as number, param.name, R.read).targets.length > 0;
  const passedOn = isKnown || 'cannot' in threaded(context, call, added, { param, isForPlace: false, behind: undefined, before: undefined }) ? [] : [param.name];
  return [...new Set([...variables(context, call, wanted), ...few, ...passedOn])];
}

function variables({ graphs, block, summary }: RewriteSite, call: number, wanted: DeclRef): string[] {
  const { decls, scopes, exprs } = summary;
  const names: string[] = [];
  for (let scope = exprs.scope[call] as number; scope >= 0; scope = scopes.parent[scope] as number) {
    const owner = scopes.owner[scope] as number;
    const receiver = owner < 0 ? undefined : signatureOf(summary, owner).receiver?.decl;
    for (let decl = 0; decl < decls.count; decl++) {
      if (decls.scope[decl] !== scope || decl === receiver) continue;
      const kind = decls.kind[decl];
      const isBefore = kind === D.param || ((kind === D.local || kind === D.variable) && (decls.nameStart[decl] as number) < (exprs.start[call] as number));
      if (!isBefore || !hasTypeOf(graphs.after, wanted, { file: block.file, decl })) continue;
      const name = nameOf(summary, decl);
      const [meant] = lookUp(graphs.after, block.file, summary, exprs.scope[call] as number, name, R.read).targets;
      if (meant?.file === block.file && meant.decl === decl) names.push(name);
    }
  }
  return names.slice(0, VARIABLES_MOST);
}
