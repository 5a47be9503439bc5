/**
 * What names and forms of `typing` stand for once they are read, in code or inside a string: `Self`, type variables,
 * forms that qualify a type, `Union`.
 */
import { E, R, UNPACKED } from '../../syntax/summary.js';
import type { Walk } from './walk.js';

/** Forms whose meaning is that of their first argument. */
const QUALIFIERS = new Set([
  'Annotated',
  'ClassVar',
  'Final',
  'InitVar',
  'Required',
  'NotRequired',
  'ReadOnly',
  'TypeGuard',
  'TypeIs',
  'Mapped',
]);
/** What a name that was written as a type stands for; notes type variables. */
export function namedType(w: Walk, name: string, row: number, start: number, end: number, scope: number): number {
  if (w.state.seenTypeVars !== undefined && w.state.typeVars.size > 0) {
    const variable = w.state.typeVars.get(name);
    if (variable !== undefined) w.state.seenTypeVars.add(variable);
  }
  if (name !== 'Self' || !(w.state.imported.get('Self')?.startsWith('typing') ?? !w.state.isBound(scope, 'Self')))
    return row;
  return w.build.expr(E.this, start, end, scope, '', -1, -1, R.type);
}

/** What `module.name` stands for: `typing.Self` is the class around, anything else the member. */
export function qualifiedType(
  w: Walk,
  module: string,
  name: string,
  row: number,
  start: number,
  end: number,
  scope: number,
): number {
  if (name !== 'Self' || !(w.state.imported.get(module)?.startsWith('typing') ?? false)) return row;
  return w.build.expr(E.this, start, end, scope, '', -1, -1, R.type);
}

/** The row of `name[rows]` once both are walked. */
export function applied(
  w: Walk,
  name: string,
  base: number,
  rows: readonly number[],
  start: number,
  end: number,
  scope: number,
): number {
  const [first] = rows;
  if (QUALIFIERS.has(name) && first !== undefined) return first;
  if (name === 'Unpack' && first !== undefined)
    return w.build.expr(E.union, start, end, scope, UNPACKED, -1, w.build.list([first]), R.type);
  if (name === 'Union') return w.build.expr(E.union, start, end, scope, '', -1, w.build.list(rows), R.type);
  return w.build.expr(E.index, start, end, scope, '', base, w.build.list(rows), R.type);
}
