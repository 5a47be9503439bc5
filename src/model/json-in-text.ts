/**
 * The JSON that a model wrote somewhere in its answer: alone, in a fence, or with prose around it.
 *
 * Nothing is evaluated and nothing is mended but what is read without doubt: reasoning in front is left out, and
 * of several documents the last whole one counts, since models think aloud before they answer.
 */

/** The last whole JSON object or array of a text; undefined where there is none. */
export function jsonInText(text: string): unknown {
  const said = withoutThoughts(text);
  const whole = parsed(said.trim());
  if (whole !== undefined) return whole;
  const fenced = [...said.matchAll(/```[\w-]*[ \t]*\r?\n([\s\S]*?)```/g)].reverse();
  for (const [, body = ''] of fenced) {
    const value = parsed(body.trim());
    if (value !== undefined) return value;
  }
  return lastDocument(said);
}

/** What stands in tags of thought is no part of an answer. */
export function withoutThoughts(text: string): string {
  const neverClosed = new Set<string>();
  let kept = '';
  let from = 0;
  for (const { 0: tag, 1: name = '', index } of text.matchAll(/<(think|thinking|reasoning)>/g)) {
    if (index < from || neverClosed.has(name)) continue;
    const end = text.indexOf(`</${name}>`, index + tag.length);
    if (end === -1) neverClosed.add(name);
    else {
      kept += text.slice(from, index);
      from = end + tag.length + 1;
    }
  }
  return kept + text.slice(from);
}

/** Brackets that are looked at as a beginning, and characters behind them in all: an answer that has more is none. */
const BEGINNINGS_MOST = 200;
const CHARACTERS_MOST = 4_000_000;

function lastDocument(text: string): unknown {
  let found: unknown;
  let begun = 0;
  let looked = 0;
  for (let at = 0; at < text.length && begun < BEGINNINGS_MOST && looked < CHARACTERS_MOST; at++) {
    if (text[at] !== '{' && text[at] !== '[') continue;
    begun++;
    const end = closing(text, at);
    looked += (end ?? text.length) - at;
    const value = end === undefined ? undefined : parsed(text.slice(at, end));
    if (end === undefined || value === undefined) continue;
    found = value;
    at = end - 1;
  }
  return found;
}

/** Behind the bracket that closes the one at `from`, strings left out. */
function closing(text: string, from: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (isInString) {
      if (char === '\\') at++;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}

function parsed(text: string): unknown {
  if (!/^[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
