/**
 * Types of objects and of functions, as they are written out in place, `{ name: string; size?: number }[]` and
 * `(read: Read) => T`: what of them changed.
 */
import { splitAt } from './written-union.js';

export interface ChangedKeys {
  readonly added: readonly { readonly name: string; readonly optional: boolean }[];
  readonly removed: readonly string[];
  readonly retyped: readonly string[];
  /** The object is the value itself, and no element of it or argument of its type. */
  readonly isWhole: boolean;
}

/**
 * What differs between two types whose texts differ in the keys of one object type alone; undefined where more does, or
 * no keys can be read.
 */
export function changedKeys(from: string, to: string): ChangedKeys | undefined {
  const [old, now] = [bracketed(from, '{', '}'), bracketed(to, '{', '}')];
  if (old === undefined || now === undefined || old.before !== now.before || old.behind !== now.behind)
    return undefined;
  const [was, is] = [keysOf(old.inside), keysOf(now.inside)];
  if (was === undefined || is === undefined) return undefined;
  const keys = {
    added: [...is].flatMap(([name, { optional }]) => (was.has(name) ? [] : [{ name, optional }])),
    removed: [...was.keys()].filter((name) => !is.has(name)),
    retyped: [...was].flatMap(([name, { text }]) => ((is.get(name)?.text ?? text) === text ? [] : [name])),
    isWhole: old.before.trim() === '' && /^(?:\s*\|\s*(?:undefined|null))*\s*$/u.test(old.behind),
  };
  return keys.added.length + keys.removed.length + keys.retyped.length === 0 ? undefined : keys;
}

/** The same in words that follow the name of what has the type. */
export function keyWords({ added, removed, retyped }: Omit<ChangedKeys, 'isWhole'>): string {
  const listed = (names: readonly string[]): string => (names.length === 1 ? 'key ' : 'keys ') + names.join(', ');
  return [
    ...(removed.length > 0 ? [`has no ${listed(removed)} any more`] : []),
    ...(added.length > 0 ? [`has ${listed(added.map(({ name }) => name))} now`] : []),
    ...(retyped.length > 0 ? [`has another type for ${listed(retyped)}`] : []),
  ].join(', and ');
}

/**
 * Name of the first parameter that a function of the type is given now beside those that it was given before; undefined
 * where more changed.
 */
export function parameterBehind(from: string, to: string): string | undefined {
  const [old, now] = [bracketed(from, '(', ')'), bracketed(to, '(', ')')];
  if (old === undefined || now === undefined || old.before !== now.before || old.behind !== now.behind)
    return undefined;
  if (!/^\s*=>/u.test(old.behind)) return undefined;
  const [was, is] = [splitAt(old.inside, ','), splitAt(now.inside, ',')];
  const first = is[was.length];
  return first !== undefined && was.every((part, i) => part === is[i]) ? /^[\w$]+/u.exec(first)?.[0] : undefined;
}

/** The first bracket of a kind with what stands in it, before it and behind it. */
function bracketed(
  text: string,
  open: string,
  close: string,
): { readonly before: string; readonly inside: string; readonly behind: string } | undefined {
  const from = text.indexOf(open);
  let depth = 0;
  for (let at = from; at >= 0 && at < text.length; at++) {
    if (text[at] === open) depth++;
    if (text[at] === close && --depth === 0)
      return { before: text.slice(0, from), inside: text.slice(from + 1, at), behind: text.slice(at + 1) };
  }
  return undefined;
}

function keysOf(inside: string): Map<string, { readonly text: string; readonly optional: boolean }> | undefined {
  const keys = new Map<string, { text: string; optional: boolean }>();
  for (const text of splitAt(inside, ';,').flatMap(membersOf)) {
    const { name, mark } = /^(?:readonly\s+)?(?<name>[\w$]+)(?<mark>\??)\s*[:(]/u.exec(text)?.groups ?? {};
    if (name === undefined) return undefined;
    keys.set(name, { text, optional: mark === '?' });
  }
  return keys;
}

/** Members that only line breaks part, which are blanks here: one begins where a key stands behind a whole type. */
function membersOf(text: string): readonly string[] {
  const members: string[] = [];
  let isWhole = false;
  for (const word of splitAt(text, ' ')) {
    const begins = isWhole && /^(?:readonly$|[\w$]+\??:)/u.test(word);
    if (begins || members.length === 0) members.push(word);
    else members.push(`${members.pop() ?? ''} ${word}`);
    isWhole =
      !/^(?:readonly|keyof|typeof|unique|infer|is|extends|asserts|new)$|[?:|&=>]$/u.test(word) || /[^=]>$/u.test(word);
  }
  return members;
}
