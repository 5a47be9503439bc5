/**
 * What a field or variable without a declared type begins with, in a word, where that is of another kind now: a
 * literal, a list, a mapping, a function with its parameters, an object of a class, what a function gives, or makes of
 * the value that was there.
 *
 *     NAMES = set()        ->  NAMES = frozenset()       set, frozenset
 *     self.size = size     ->  self.size = str(size)     size, string
 *
 * Errs towards saying nothing: calls of members, and two names that the files know, of which the graph tells more.
 */
import { languageById } from '../languages/registry.js';
import { D, E, isFunctionLike } from '../syntax/summary.js';
import type { Detail } from './atomic-change.js';
import { ownDecls } from './compare-exports.js';
import { rowName } from './row-name.js';
import type { BlockVersion, Version } from './version.js';

/** What a value is instead of what it was; `null` as the old one says nothing of what the variable was for. */
export function heldDetail(from: BlockVersion, to: BlockVersion): Pick<Detail, 'type'> | undefined {
  const [held, holds] = [wordOfValue(from), wordOfValue(to)];
  if (held === undefined || holds === undefined) return madeInto(from, to);
  if (held === holds) return ofOthers(from, to);
  if (held === NOTHING_HELD) return undefined;
  // Of two names that the files know, who takes a member is told by what they stand for.
  if (isNamedThere(from.version, held) && isNamedThere(to.version, holds)) return undefined;
  return { type: { from: held, to: holds } };
}

/** An object that is made with other type arguments: `new Map<string, number>()`. */
function ofOthers(from: BlockVersion, to: BlockVersion): Pick<Detail, 'type'> | undefined {
  const [was, is] = [madeAsWritten(from), madeAsWritten(to)];
  const isOther = was !== undefined && is !== undefined && was.replace(/\s+/gu, '') !== is.replace(/\s+/gu, '');
  return isOther ? { type: { from: was, to: is } } : undefined;
}

/** The type of an object that is made with its type arguments written; undefined for anything else. */
function madeAsWritten(block: BlockVersion): string | undefined {
  const { exprs } = block.version.summary;
  const row = valueOf(block);
  const callee = row >= 0 && exprs.opOf(row) === E.new ? exprs.calleeOf(row) : -1;
  const isWritten = callee >= 0 && exprs.opOf(callee) === E.index && exprs.partsOf(callee).length > 0;
  return isWritten ? block.version.text.slice(exprs.startOf(callee), exprs.endOf(callee)) : undefined;
}

/** What is given to a function now, the result of which is held instead, or was given to one. */
function madeInto(from: BlockVersion, to: BlockVersion): Pick<Detail, 'type'> | undefined {
  const [was, is] = [valueText(from), valueText(to)];
  if (was === undefined || is === undefined) return undefined;
  if (isFirstArgument(to, was)) return { type: { from: was, to: wordOfValue(to) ?? is } };
  return isFirstArgument(from, is) ? { type: { from: wordOfValue(from) ?? was, to: is } } : undefined;
}

/** Whether the value is a call of a function by its name alone, and is given what the text says first. */
function isFirstArgument({ version, decl }: BlockVersion, text: string): boolean {
  const { exprs } = version.summary;
  const row = valueOf({ version, decl });
  const [first] = row < 0 || exprs.opOf(row) !== E.call ? [] : exprs.argumentsOf(row);
  return (
    first !== undefined &&
    first.keyword === '' &&
    first.spread === 'none' &&
    calleeOf(version, row) !== undefined &&
    version.text.slice(exprs.startOf(first.expr), exprs.endOf(first.expr)) === text
  );
}

/** -1 where there is none, or a declared type says more. */
const valueOf = ({ version, decl }: BlockVersion): number => {
  const { decls } = version.summary;
  return decls.kindOf(decl) === D.enumMember || decls.typeOf(decl) >= 0 ? -1 : decls.valueOf(decl);
};

/** Of a value in one line. */
function valueText(block: BlockVersion): string | undefined {
  const row = valueOf(block);
  if (row < 0) return undefined;
  const { exprs } = block.version.summary;
  const text = block.version.text.slice(exprs.startOf(row), exprs.endOf(row));
  return text.includes('\n') ? undefined : text;
}

/** Of numbers there is one word, whatever they are written like. */
function wordOfValue(block: BlockVersion): string | undefined {
  const { version } = block;
  const { exprs, language } = version.summary;
  const row = valueOf(block);
  if (row < 0) return undefined;
  const callee = calleeOf(version, row);
  if (callee !== undefined) {
    const { conversions } = languageById(language).library;
    return (isNamedThere(version, callee) ? undefined : conversions.get(callee)) ?? `${callee}${CALLED}`;
  }
  switch (exprs.opOf(row)) {
    case E.literal:
      return LITERAL_WORDS[exprs.nameOf(row)];
    case E.string:
      return LITERAL_WORDS['str'];
    case E.list:
      return exprs.nameOf(row);
    case E.dict:
      return 'mapping';
    case E.closure:
      return wordOfFunction(version, exprs.closureOf(row));
    case E.new:
      return rowName(version.summary, row);
    default:
      return undefined;
  }
}

const CALL = /^(?<callee>[\p{L}_$][\p{L}\p{N}_$]*)\s*\(/u;

const CALLED = '(…)';

/** The name that is called, whatever row stands for what the call gives. */
function calleeOf({ summary: { exprs }, text }: Version, row: number): string | undefined {
  const op = exprs.opOf(row);
  return op === E.call || op === E.list || op === E.dict
    ? CALL.exec(text.slice(exprs.startOf(row), exprs.endOf(row)))?.groups?.['callee']
    : undefined;
}

function wordOfFunction({ summary: { decls }, text }: Version, closure: number): string {
  if (!isFunctionLike(decls.kindOf(closure))) return 'object';
  const names = [...decls.paramsOf(closure)].map((param) => text.slice(decls.startOf(param), decls.endOf(param)));
  return `function of (${names.join(', ')})`;
}

const NOTHING_HELD = 'nothing';

const LITERAL_WORDS: Readonly<Record<string, string>> = {
  str: 'string',
  bytes: 'bytes',
  int: 'number',
  float: 'number',
  bool: 'boolean',
  null: NOTHING_HELD,
};

/** Whether a file declares or imports at its top what a word names. */
const isNamedThere = ({ summary }: Version, word: string): boolean =>
  ownDecls(summary, word.endsWith(CALLED) ? word.slice(0, -CALLED.length) : word).length > 0;
