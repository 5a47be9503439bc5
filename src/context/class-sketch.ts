/**
 * The class around a block, trimmed to what helps to edit the block: its head, its constructors,
 * the fields of a small class, and of all other members those that the block's text names. Bodies
 * are left out, and so is the block itself.
 */
import { isOwnBlock } from '../change/match-blocks.js';
import { headOf } from '../retrieve/head.js';
import { D, isFieldLike, isFunctionLike, type Summary } from '../syntax/summary.js';

/** A class with more fields shows only those that the block names. */
const FIELDS_MOST = 12;
/** How many members are shown. */
const MEMBERS_MOST = 40;

/** `shown`: the block, or several, whose text is `fragment`. `bare`: whether it names members without a receiver. */
export function classSketch(
  text: string,
  summary: Summary,
  type: number,
  shown: readonly number[],
  fragment: string,
  bare: boolean,
): string {
  const { decls } = summary;
  const names = bare ? new Set(fragment.match(/[\p{L}\p{N}_$]+/gu)) : namesOnValues(fragment, summary);
  const members: number[] = [];
  for (let row = 0; row < decls.count; row++)
    if (decls.parentOf(row) === type && !shown.includes(row) && isOwnBlock(summary, row)) members.push(row);
  members.sort((a, b) => decls.startOf(a) - decls.startOf(b));
  const hasFewFields = members.filter((row) => isFieldLike(decls.kindOf(row))).length <= FIELDS_MOST;
  const kept = members
    .filter(
      (row) =>
        decls.kindOf(row) === D.constructor ||
        names.has(decls.nameOf(row)) ||
        (hasFewFields && isFieldLike(decls.kindOf(row)) && !isAssignedInBody(summary, members, row)),
    )
    .slice(0, MEMBERS_MOST);
  const left = members.length - kept.length;
  return [
    plainHead(text, summary, type),
    ...kept.map((row) => `    ${plainHead(text, summary, row)}`),
    ...(left === 0 || kept.length === 0 ? [] : [`    … ${left} more`]),
  ].join('\n');
}

/** Names behind a dot; what an imported name has is no member of the class. */
function namesOnValues(fragment: string, { imports, decls }: Summary): ReadonlySet<string> {
  const imported = new Set(imports.flatMap(({ decl }) => (decl < 0 ? [] : [decls.nameOf(decl)])));
  return new Set(
    [...fragment.matchAll(/([\p{L}\p{N}_$]*)[?!]?\s*[.#]\s*([\p{L}\p{N}_$]+)/gu)].flatMap(
      ([, receiver = '', name = '']) => (imported.has(receiver) ? [] : [name]),
    ),
  );
}

/** A field that a method declares by assigning to it. */
function isAssignedInBody({ decls }: Summary, members: readonly number[], field: number): boolean {
  return members.some(
    (row) =>
      isFunctionLike(decls.kindOf(row)) &&
      decls.startOf(row) <= decls.startOf(field) &&
      decls.endOf(field) <= decls.endOf(row),
  );
}

/** Without attributes in brackets in front and a comment behind, which say nothing of how a declaration is used. */
export function plainHead(text: string, summary: Summary, decl: number): string {
  const head = headOf(text, summary, decl)
    .replace(/^(?:\[[^\]]*\]\s*)+(?=\S)/, '')
    .replace(/(?<=:)\s+#[^"']*$/, '');
  return isFieldLike(summary.decls.kindOf(decl)) && head.length > VALUE_MOST ? `${head.slice(0, VALUE_MOST)}…` : head;
}

/** A longer declaration of a value is cut. */
const VALUE_MOST = 160;
