/**
 * `{name}`: one token that is both a property and a binding (in a pattern) or a value (in a
 * literal). Renaming one of the two spells the other out: `{name: size}`; where both come to have
 * one name, it is said once.
 */
import type { TextEdit } from '../../../base/text-edit.js';
import { D, E, type Summary } from '../../../syntax/summary.js';

/** The edit that gives a mention its new name. */
export function mentionEdit(
  summary: Summary,
  expr: number,
  names: { readonly from: string; readonly to: string },
): TextEdit {
  const start = summary.exprs.startOf(expr);
  const end = summary.exprs.endOf(expr);
  const alike = sameAsOther(summary, expr, names);
  if (alike !== undefined) return alike;
  if (summary.exprs.opOf(expr) === E.initializer)
    return { start, end, text: isShorthandKey(summary, start, names.from) ? `${names.to}: ${names.from}` : names.to };
  const shorthand = shorthandAt(summary, expr, names.from);
  // Who takes `module.exports = { name }` follows by the name, as with `export { name }`.
  const isGivenAway =
    shorthand === 'literal' &&
    summary.exports.some((entry) => entry.name === names.from && entry.start === start && entry.end === end);
  if (shorthand === undefined || isGivenAway) return { start, end, text: names.to };
  return { start, end, text: shorthand === 'pattern' ? `${names.to}: ${names.from}` : `${names.from}: ${names.to}` };
}

/** What a colon and one blank stand between. */
const BETWEEN = ': '.length;

/** The edit that leaves one of `key: name` where the renamed one gets the other's name. */
function sameAsOther(
  summary: Summary,
  expr: number,
  { from, to }: { readonly from: string; readonly to: string },
): TextEdit | undefined {
  const { decls, exprs } = summary;
  const [start, end] = [exprs.startOf(expr), exprs.endOf(expr)];
  if (exprs.opOf(expr) === E.initializer) {
    const value = declsNamed(summary, from).find((decl) => decls.nameStartOf(decl) === start);
    const row = value === undefined ? -1 : decls.valueOf(value);
    return row >= 0 && exprs.opOf(row) === E.name && exprs.nameOf(row) === to && exprs.startOf(row) === end + BETWEEN
      ? { start, end: end + BETWEEN, text: '' }
      : undefined;
  }
  const other = declsNamed(summary, to).find(
    (decl) =>
      decls.valueOf(decl) === expr &&
      Math.max(decls.nameStartOf(decl) - end, start - to.length - decls.nameStartOf(decl)) === BETWEEN,
  );
  if (other === undefined) return undefined;
  // A key in front of its value, or the key of a pattern in front of what it is bound to.
  const at = decls.nameStartOf(other);
  return at < start ? { start: start - BETWEEN, end, text: '' } : { start, end: at, text: '' };
}

function declsNamed(summary: Summary, name: string): readonly number[] {
  const row = summary.idOf(name);
  return row < 0 ? [] : [...summary.decls.named(row)];
}

/** Whether a key of a literal is its own value. */
function isShorthandKey(summary: Summary, offset: number, name: string): boolean {
  const { decls, exprs } = summary;
  const row = summary.idOf(name);
  return summary.decls.named(row).some((decl) => {
    const value = decls.valueOf(decl);
    return (
      decls.nameStartOf(decl) === offset &&
      value >= 0 &&
      exprs.opOf(value) === E.name &&
      exprs.startOf(value) === offset
    );
  });
}

function shorthandAt(summary: Summary, expr: number, name: string): 'pattern' | 'literal' | undefined {
  const offset = summary.exprs.startOf(expr);
  const row = summary.idOf(name);
  for (const decl of summary.decls.named(row)) {
    if (summary.decls.nameStartOf(decl) !== offset) continue;
    const owner = summary.scopes.ownerOf(summary.decls.scopeOf(decl));
    if (owner >= 0 && summary.decls.kindOf(owner) === D.anonymousClass) return 'literal';
    // A plain name at its declaration is an assignment; one that is taken out of something is a member of it.
    if (summary.exprs.opOf(expr) === E.name) continue;
    if (
      summary.decls.kindOf(decl) === D.local ||
      summary.decls.kindOf(decl) === D.param ||
      summary.decls.kindOf(decl) === D.variable
    )
      return 'pattern';
  }
  return undefined;
}
