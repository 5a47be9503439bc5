/**
 * Parameters as a person gives them, `name: type = default`, and as each language writes them.
 */
import { skipQuoted } from '../languages/quoted.js';
import { languageById } from '../languages/registry.js';
import { F, nameOf, type LanguageId, type Summary } from '../syntax/summary.js';
import { checkName } from './new-name.js';
import { Refused } from './seed.js';

export interface NewParameter {
  readonly name: string;
  /** '' for none. */
  readonly type: string;
  readonly value: string | undefined;
}

/**
 * `log: bool = False`, `log = False`, `log`; in the languages that write the type first `int ttl` will do too.
 * Throws Refused.
 */
export function parseParameter(language: LanguageId, written: string): NewParameter {
  const equals = defaultAt(written);
  const head = (equals < 0 ? written : written.slice(0, equals)).trim();
  const value = equals < 0 ? undefined : written.slice(equals + 1).trim();
  const colon = head.indexOf(':');
  const typeFirst =
    colon < 0 && languageById(language).writing.typesFirst === true ? /^(.*\S)\s+(\S+)$/su.exec(head) : null;
  const name = (typeFirst?.[2] ?? (colon < 0 ? head : head.slice(0, colon))).trim();
  const type = (typeFirst?.[1] ?? (colon < 0 ? '' : head.slice(colon + 1))).trim();
  if (/\s/u.test(name)) throw new Refused(`${written} is no parameter; give it as ${formOf(language)}`);
  checkName(language, name);
  if (value === '') throw new Refused(`${written} has an equals sign and no default behind it`);
  if (type === '' && languageById(language).writing.typesFirst === true)
    throw new Refused(`${name} needs a type; give it as "${name}: <type>"`);
  return { name, type, value };
}

const formOf = (language: LanguageId): string =>
  languageById(language).writing.typesFirst === true ? '"type name" or "name: type"' : '"name: type = default"';

/** The equals sign of the default: the first that is no part of `==`, `<=`, `>=`, `=>`, and in no bracket. */
function defaultAt(written: string): number {
  let depth = 0;
  for (let at = 0; at < written.length; at++) {
    const sign = written[at] as string;
    if ('([{<'.includes(sign)) depth++;
    else if (')]}'.includes(sign) || (sign === '>' && written[at - 1] !== '=')) depth = Math.max(0, depth - 1);
    else if (sign === '=' && depth === 0 && written[at + 1] !== '>' && written[at + 1] !== '=') return at;
  }
  return -1;
}

/** As the header says it. */
export function writtenParameter(language: LanguageId, { name, type, value }: NewParameter): string {
  const { writing } = languageById(language);
  if (writing.typesFirst === true)
    return `${type} ${name}${value === undefined || writing.parameterDefaults === false ? '' : ` = ${value}`}`;
  const head = type === '' ? name : `${name}: ${type}`;
  if (value === undefined) return head;
  return language === 'python' && type === '' ? `${head}=${value}` : `${head} = ${value}`;
}

/** Where a new parameter stands by itself among the others, whose rows these are. */
export function placeFor(
  summary: Summary,
  rows: readonly { readonly row: number; readonly type?: string }[],
  { value }: NewParameter,
): number {
  const { decls } = summary;
  const has = (row: number, flags: number): boolean => row >= 0 && decls.has(row, flags);
  const { lastParameter, parameterDefaults } = languageById(summary.language).writing;
  const isOptional = value !== undefined && parameterDefaults !== false;
  const keywordOnly = rows.findIndex(({ row }) => has(row, F.keywordOnly));
  const behind = rows.findIndex(({ row }) => has(row, F.keywordRest));
  // Beside those that are given by name alone it disturbs nobody who gives the others by position.
  if (keywordOnly >= 0) return behind >= 0 ? behind : rows.length;
  const stop = rows.findIndex(
    ({ row, type }) =>
      has(row, F.rest | F.keywordRest) ||
      (!isOptional && has(row, F.optional)) ||
      (lastParameter !== undefined && row >= 0 && type === lastParameter),
  );
  return stop < 0 ? rows.length : stop;
}

/** Parameters but the receiver, as a person is given them to be edited: names that stay. */
export function listOfParameters(summary: Summary, decl: number): string {
  return givenNames(summary, decl).join(', ');
}

function givenNames(summary: Summary, decl: number): string[] {
  return [...summary.decls.paramsOf(decl)]
    .filter((row) => summary.decls.startOf(row) >= 0 && !summary.decls.has(row, F.receiver))
    .map((row) => nameOf(summary, row));
}

export interface ListWish {
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly rename: readonly { readonly from: string; readonly to: string }[];
  readonly order: readonly string[] | undefined;
}

/**
 * What has to be done for the function to have the parameters of the list: names that stay, `old -> new`, new ones as
 * `name: type = default`. Throws Refused.
 */
export function wishOfList(summary: Summary, decl: number, list: string): ListWish {
  const known = givenNames(summary, decl);
  const items = itemsOf(list).map((written) => {
    const [, from, to] = /^(\S+)\s*->\s*(\S+)$/u.exec(written) ?? [];
    if (from !== undefined && to !== undefined && known.includes(from)) return { from, name: to };
    if (known.includes(written)) return { from: written, name: written };
    return { added: written, name: parseParameter(summary.language, written).name };
  });
  const kept = items.flatMap(({ from }) => from ?? []);
  if (new Set(items.map(({ name }) => name)).size < items.length)
    throw new Refused(`a name stands twice in the list: ${list}`);
  // New ones at the end go where they disturb nobody; any other order is the person's.
  const firstNew = items.findIndex(({ added }) => added !== undefined);
  const isAtEnd = firstNew < 0 || items.slice(firstNew).every(({ added }) => added !== undefined);
  const isInOrder = kept.join() === known.filter((name) => kept.includes(name)).join();
  return {
    add: items.flatMap(({ added }) => added ?? []),
    remove: known.filter((name) => !kept.includes(name)),
    rename: items.flatMap(({ from, name }) => (from === undefined || from === name ? [] : [{ from, to: name }])),
    order: isAtEnd && isInOrder ? undefined : items.map(({ name }) => name),
  };
}

/** Split at the commas outside of brackets and quotes. */
function itemsOf(list: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < list.length; at++) {
    const quoted = skipQuoted(list, at);
    if (quoted !== undefined) {
      at = quoted.to - 1;
      continue;
    }
    const sign = list[at] as string;
    if ('([{<'.includes(sign)) depth++;
    else if (')]}'.includes(sign) || (sign === '>' && !'=-'.includes(list[at - 1] ?? '')))
      depth = Math.max(0, depth - 1);
    else if (sign === ',' && depth === 0) {
      items.push(list.slice(from, at));
      from = at + 1;
    }
  }
  return [...items, list.slice(from)].map((item) => item.trim()).filter((item) => item !== '');
}
