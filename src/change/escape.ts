/**
 * What a caller can see of a changed body (paper, appendix A.6.2): returned, yielded and raised
 * values, writes to fields and outer names, calls on objects that outlive the body.
 *
 * Works on the rows of the two summaries: an effect is described by its text, and effects that
 * only one version has escape. Errs towards escaping where an effect's text changed at all;
 * changes of locals that never reach an effect do not escape.
 */
import { D, E, F, isFunctionLike, R, type Summary } from '../syntax/summary.js';
import { inNewWords, type Version } from './version.js';

export interface Escapes {
  /** The effects that differ in words, with their direction, those that came first, without duplicates. */
  readonly said: readonly string[];
  /** Of all of them it is what is returned that differs. */
  readonly ofResults: boolean;
}

/**
 * The effects that differ; nothing is said where callers see nothing.
 * `added`: names of new parameters. Where the body only passes them on, nothing changed for who does not give them.
 */
export function escapesOf(before: Version, b: number, after: Version, a: number, added: readonly string[]): Escapes {
  const plain = withoutArguments(added);
  const old = effectsOf(before, b, plain, added);
  const now = effectsOf(after, a, plain, added);
  if (old.has(NO_BODY) || now.has(NO_BODY)) return { said: [], ofResults: false };
  const gone = [...old].filter(([effect, count]) => (now.get(effect) ?? 0) !== count);
  const come = [...now].filter(([effect, count]) => (old.get(effect) ?? 0) !== count);
  const isAmong = (others: readonly (readonly [string, number])[], effect: string, count: number): boolean =>
    others.some(([other, times]) => times === count && other === effect);
  const renamed = gone.map(([effect, count]) => [inNewWords(before, effect), count] as const);
  const directed = (effect: string): string => {
    const [from, to] = [old.get(effect) ?? 0, now.get(effect) ?? 0];
    if (from === 0) return `now ${effect}`;
    return to === 0 ? `no longer ${effect}` : `${effect} in ${to > from ? 'more' : 'fewer'} places`;
  };
  const left = [
    ...come.filter(([effect, count]) => !isAmong(renamed, effect, count)),
    ...gone.filter(([effect, count]) => !isAmong(come, inNewWords(before, effect), count)),
  ].map(([effect]) => effect);
  const isOfResult = (effect: string): boolean => effect.startsWith(RETURNS) || effect.startsWith(YIELDS);
  return { said: [...new Set(left.map(directed))], ofResults: left.every(isOfResult) };
}

const RETURNS = 'returns ';
const YIELDS = 'yields ';

/** Of a body that is left out, as in stubs, nothing is known. */
const NO_BODY = `${RETURNS}...`;

/** Characters of an effect that are compared and shown. */
const EFFECT_LONGEST = 400;

/** Takes the names, as arguments of calls, out of a text. */
function withoutArguments(names: readonly string[]): (text: string) => string {
  if (names.length === 0) return (text) => text;
  const argument = new RegExp(
    `(?:\\b\\w+\\s*[=:]\\s*)?(?<![\\w.])(?:${names.map((name) => name.replace(/[^\w]/g, '')).join('|')})(?!\\w)\\s*(?:,|(?=\\)))`,
    'g',
  );
  return (text) =>
    text
      .replace(argument, '')
      .replace(/[\s,]+(?=\))/g, '')
      .replace(/\s+/g, ' ');
}

/** Effects with how often each occurs; `added` as for `escapesOf`. */
function effectsOf(
  version: Version,
  decl: number,
  plain: (text: string) => string,
  added: readonly string[],
): Map<string, number> {
  const { summary } = version;
  const { decls, exprs } = summary;
  const effects = new Map<string, number>();
  const add = (effect: string): void => {
    const text = plain(effect).slice(0, EFFECT_LONGEST);
    effects.set(text, (effects.get(text) ?? 0) + 1);
  };
  const from = decls.bodyStartOf(decl);
  const to = decls.endOf(decl);
  const notes = typeNotes(version, from, to);
  const textOf = (row: number): string => textWithout(version, notes, exprs.startOf(row), exprs.endOf(row));
  // A cast may make another value, `(int) total`, but not of the object itself.
  const valueOf = (row: number): number => {
    const inner = exprs.opOf(row) === E.cast ? exprs.operandOf(row) : -1;
    return inner >= 0 && exprs.opOf(inner) === E.this ? inner : row;
  };
  const gives = decls.has(decl, F.generator) ? YIELDS : RETURNS;
  for (const row of decls.resultsOf(decl)) add(`${gives}${textOf(valueOf(row))}`);
  if (summary.isOpenAtEnd(decl)) add(`${RETURNS}nothing where it comes to its end`);
  for (let expr = 0; expr < exprs.count; expr++) {
    const start = exprs.startOf(expr);
    if (start < from || start >= to) continue;
    const op = exprs.opOf(expr);
    const role = exprs.roleOf(expr);
    const isWritten = role === R.write || role === R.update || role === R.declares;
    // What has a new parameter's name holds what it was given.
    if (isWritten && op === E.member && added.includes(exprs.nameOf(expr))) continue;
    if (isWritten && (op === E.member || op === E.index)) add(`writes ${textOf(expr)}`);
    else if ((role === R.write || role === R.update) && op === E.name && !isLocal(summary, expr, decl))
      add(`writes ${textOf(expr)}`);
    else if (op === E.call && callsOnOuter(summary, expr, decl)) add(`calls ${textOf(expr)}`);
    else if (op === E.call && callsGiven(summary, expr, decl)) add(`calls ${givenWords(summary, expr)}`);
  }
  for (const match of version.text.slice(from, to).matchAll(/\b(?:raise|throw)\b[^\n;]*/g))
    add(match[0].replace(/^\w+/, '$&s').replace(/\s+/g, ' ').trim());
  return effects;
}

/**
 * Whether a function that was given is called, of which nothing says what it takes: what it gives for it counts then,
 * by number.
 */
function callsGiven({ decls, exprs }: Summary, call: number, decl: number): boolean {
  const callee = exprs.calleeOf(call);
  if (callee < 0 || exprs.opOf(callee) !== E.name) return false;
  const param = [...decls.paramsOf(decl)].find((each) => decls.nameIdOf(each) === exprs.nameIdOf(callee));
  return param !== undefined && decls.typeOf(param) < 0;
}

function givenWords({ exprs }: Summary, call: number): string {
  const args = exprs.argumentsOf(call);
  const count = args.length === 1 ? '1 argument' : `${args.length} arguments`;
  const more = args.some(({ spread }) => spread !== 'none') ? ' and more' : '';
  return `${exprs.nameOf(exprs.calleeOf(call))} with ${count}${more}`;
}

type Span = readonly [number, number];

/** Where types stand behind the names of parameters and locals, which nobody sees from outside, in their order. */
function typeNotes({ summary: { decls, exprs }, text }: Version, from: number, to: number): Span[] {
  const notes: Span[] = [];
  for (let decl = 0; decl < decls.count; decl++) {
    const kind = decls.kindOf(decl);
    const type = kind === D.param || kind === D.local ? decls.typeOf(decl) : -1;
    const start = decls.nameStartOf(decl);
    const behind = start + decls.nameOf(decl).length;
    if (type < 0 || start < from || exprs.endOf(type) > to || exprs.startOf(type) < behind) continue;
    if (/^\s*\??\s*:\s*$/u.test(text.slice(behind, exprs.startOf(type)))) notes.push([behind, exprs.endOf(type)]);
  }
  return notes.sort(([a], [b]) => a - b);
}

function textWithout({ text }: Version, notes: readonly Span[], start: number, end: number): string {
  let kept = '';
  let at = start;
  for (const [from, to] of notes) {
    if (from < at || to > end) continue;
    kept += text.slice(at, from);
    at = to;
  }
  return (kept + text.slice(at, end)).replace(/\s+/g, ' ');
}

/** A name declared inside the function. */
function isLocal(summary: Summary, expr: number, decl: number): boolean {
  const name = summary.exprs.nameIdOf(expr);
  for (const row of summary.decls.named(name)) {
    const kind = summary.decls.kindOf(row);
    if (
      (kind === D.local || kind === D.param) &&
      summary.decls.startOf(row) >= summary.decls.startOf(decl) &&
      summary.decls.endOf(row) <= summary.decls.endOf(decl)
    )
      return true;
  }
  return false;
}

/** A call whose receiver is `this`, a parameter or something from outside the body can change what callers see. */
function callsOnOuter(summary: Summary, call: number, decl: number): boolean {
  const { exprs } = summary;
  let base = exprs.operandOf(call);
  if (base < 0 || exprs.opOf(base) !== E.member) return false;
  while (base >= 0 && (exprs.opOf(base) === E.member || exprs.opOf(base) === E.index || exprs.opOf(base) === E.call))
    base = exprs.operandOf(base);
  if (base < 0) return false;
  if (exprs.opOf(base) === E.this || exprs.opOf(base) === E.super) return true;
  if (exprs.opOf(base) !== E.name) return false;
  const name = exprs.nameIdOf(base);
  for (const row of summary.decls.named(name)) {
    const owner = summary.scopes.ownerOf(summary.decls.scopeOf(row));
    if (summary.decls.kindOf(row) === D.param && owner === decl && isFunctionLike(summary.decls.kindOf(owner)))
      return true;
  }
  return false;
}
