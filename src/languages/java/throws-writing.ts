/**
 * How Java declares and catches what is thrown.
 */
import { bracesAround, closing } from '../braces.js';
import type { ThrowsWriting } from '../writing.js';

/** What the classes are called whose objects can be thrown. */
export const EXCEPTIONS = /(?:Exception|Error|Throwable)$/;

/** Characters behind a block in which a handler's head ends. */
const HEAD_MOST = 2000;

export const throwsWriting: ThrowsWriting = {
  declared: (header) => {
    const clause = /\)\s*throws\s+([^{};]+)$/.exec(header.replace(/[\s;]+$/, ''));
    return (
      clause?.[1]
        ?.split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '') ?? []
    );
  },
  addition: (names, declared) => `${declared > 0 ? ',' : ' throws'} ${names.join(', ')}`,
  topmost: ['Exception', 'Throwable'],
  isUnchecked: (name) => /(?:RuntimeException|Error)$/.test(name),
  namesException: (name) => EXCEPTIONS.test(name),
  isOverride: (header) => /@Override\b/.test(header),
  caughtAround: (text, from, at) => {
    const open = bracesAround(text, from, at);
    const resources = /\btry\s*\([^{}]*$/.exec(text.slice(from, at));
    const tries = open.filter((brace) => /\btry\s*(?:\([^{}]*\)\s*)?$/.test(text.slice(from, brace)));
    const braces = resources === null ? tries : [...tries, text.indexOf('{', at)];
    return braces.flatMap((brace) => handlersBehind(text, brace));
  },
};

/** Simple names of what the `catch` clauses behind a block catch. */
function handlersBehind(text: string, brace: number): string[] {
  const out: string[] = [];
  for (let end = closing(text, brace); ;) {
    const clause = /^\s*catch\s*\(([^)]*)\)\s*\{/.exec(text.slice(end, end + HEAD_MOST));
    if (clause === null) return out;
    const types = (clause[1] ?? '')
      .replace(/\bfinal\b|@\w+/g, '')
      .trim()
      .replace(/\s+\w+$/, '');
    out.push(...types.split('|').map((type) => type.trim().split('.').at(-1) ?? ''));
    end = closing(text, end + clause[0].length - 1);
  }
}
