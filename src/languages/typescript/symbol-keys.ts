/**
 * Keys that are symbols: `[KEY] = 1` declares a member of the name `[KEY]`, and `x[KEY]` uses it.
 *
 * What a name holds that is imported, or declared with a type, is not seen here: a symbol, or any text or number.
 */
import { D, E } from '../../syntax/summary.js';
import { K } from './kinds.js';
import type { Walk } from './walk.js';

/** The member's name, and whether the key can be nothing else. */
export interface SymbolKey {
  readonly name: string;
  readonly isSymbol: boolean;
}

/** What a key between brackets names where it is a symbol, or may be one; undefined for all others. */
export function symbolKey(w: Walk, key: number, scope: number): SymbolKey | undefined {
  const text = w.textOf(key);
  const name = `[${text}]`;
  if (w.kind(key) === K.member_expression) return text.startsWith('Symbol.') ? { name, isSymbol: true } : undefined;
  if (w.kind(key) !== K.identifier) return undefined;
  const decl = declaredAs(w, text, scope);
  if (decl < 0) return undefined;
  const { build } = w;
  const kind = build.get(decl, 'kind');
  if (kind === D.importBinding) return { name, isSymbol: false };
  if (kind !== D.variable) return undefined;
  if (isMadeSymbol(w, build.get(decl, 'value'))) return { name, isSymbol: true };
  return build.get(decl, 'type') >= 0 ? { name, isSymbol: false } : undefined;
}

/** The declaration that a name means so far, or -1. */
function declaredAs({ build }: Walk, name: string, scope: number): number {
  for (let s = scope; s >= 0; s = build.scopeParent(s)) {
    const decl = build.findDecl(s, name);
    if (decl >= 0) return decl;
  }
  return -1;
}

/** `Symbol('key')`, `Symbol.for('key')`. */
function isMadeSymbol({ build }: Walk, value: number): boolean {
  const row = value >= 0 && build.exprOp(value) === E.cast ? build.exprA(value) : value;
  if (row < 0) return false;
  if (build.exprOp(row) !== E.call) return false;
  const callee = build.exprA(row);
  const head = build.exprOp(callee) === E.member ? build.exprA(callee) : callee;
  return build.exprOp(head) === E.name && build.exprName(head) === 'Symbol';
}

/** The row of the member that a key between brackets names; the brackets belong to its name. */
export function symbolMember(w: Walk, key: number, end: number, scope: number, object: number, name: string): number {
  const start = w.text.lastIndexOf('[', w.start(key) - 1);
  return w.build.expr(E.member, start, end, scope, name, object);
}
