/**
 * A C# text as its grammar can read it: same length, same lines, a few words blanked or renamed.
 *
 * The grammar stumbles over a few things that real code is full of, and then loses whole classes:
 *
 *     F(async, x => y)                      `async` as a name, which begins a lambda for it
 *     [type, property]                      a list that begins with a word for attribute targets
 *     a == b?.C                             `?.` of a lesser rank than any operator, so that it
 *                                           would hang on `a == b`
 *     At(this) = value;                     a call that is assigned to, of `this`
 *     void M()                              a conditional part that is no whole declaration or
 *     #if A                                 statement: of such a group the first branch that says
 *         { body }                          anything is kept, directives and other branches are
 *     #else                                 blanked. What they refer to is lost.
 *         ;
 *     #endif
 *
 * Conditional parts that stand by themselves stay, and all their branches are code.
 */

/** `async` where no lambda or modifier can be: before an operator, a bracket that closes, or a comma. */
const NAMED_ASYNC = /\basync\b(?=\s*(?:[,);?\].}:&|=!<>+]|(?:in|is|as|switch)\b))/g;
/** A word for an attribute's target that is the first name of a list or index. */
const NAMED_TARGET = /\[(?:field|method|param|property|type|typevar)(?=[,\].])/g;

/** What asks whether there is anything before a member; a digit behind the dot makes it a condition. */
const IF_ANY = /\?(?=\.[\p{L}_@])/gu;

/** `this` as the only argument of what is assigned to. */
const AIMED_AT_THIS = /\(this(?=\)\s*=[^=>])/g;

export function parserText(text: string): string {
  const whole = text.includes('#if') || text.includes('# if') ? withoutTornConditions(text) : text;
  const named = whole.includes('async') ? whole.replace(NAMED_ASYNC, noKeyword) : whole;
  return named.replace(NAMED_TARGET, noKeyword).replace(AIMED_AT_THIS, noKeyword).replace(IF_ANY, ' ');
}

/** A word of the same length that is no keyword. */
const noKeyword = (word: string): string => `${word.slice(0, -1)}x`;

interface Branch {
  /** Where its directive's line begins and ends. */
  readonly directive: number;
  readonly start: number;
  end: number;
  /** First and last character that is neither blank nor comment; '' for none. */
  first: string;
  last: string;
  torn: boolean;
}

interface Group {
  /** Depth of brackets at its beginning. */
  readonly depth: number;
  readonly branches: Branch[];
  torn: boolean;
  /** Depth after its first branch. */
  depthAfter: number | undefined;
}

/** Characters after which, and with which, something whole ends. */
const ENDS = new Set(['', ';', '{', '}', ']']);
const WHOLE_ENDS = new Set(['', ';', '}', ']']);
/** Characters with which no declaration or statement begins. */
const CONTINUES = new Set(['{', '=', '.', ',', ')', ']', '}', ':', '?', '&', '|', '+', '-', '*', '/', ';', '<', '>']);

const GOING_ON = /(?:case |default:|(?:else|catch|finally|where)\b)/y;

function withoutTornConditions(text: string): string {
  const blanks: { start: number; end: number }[] = [];
  if (!findTorn(text, blanks)) return text;
  if (blanks.length === 0) return text;
  blanks.sort((a, b) => a.start - b.start);
  let out = '';
  let at = 0;
  for (const { start, end } of blanks) {
    if (end <= at) continue;
    const from = Math.max(at, start);
    out += text.slice(at, from) + text.slice(from, end).replace(/[^\r\n]/g, ' ');
    at = end;
  }
  return out + text.slice(at);
}

/** Reads the text once and adds what to blank; false if its directives do not pair. */
function findTorn(text: string, blanks: { start: number; end: number }[]): boolean {
  const stack: Group[] = [];
  let depth = 0;
  let last = '';
  for (let i = 0; i < text.length;) {
    const skipped = skipQuiet(text, i);
    if (skipped > i) {
      // A literal counts as something that goes on.
      if (LITERAL_STARTS.has(text[i] as string)) last = note(stack, '"');
      i = skipped;
      continue;
    }
    const c = text[i] as string;
    if (c === '#' && startsLine(text, i)) {
      const end = lineEnd(text, i);
      const now = depthBehind(text, { start: i, end }, stack, depth, !ENDS.has(last), blanks);
      if (now === undefined) return false;
      depth = now;
      i = end;
      continue;
    }
    if (c > ' ' && c !== '\uFEFF') {
      if (OPENING.has(c)) depth++;
      else if (CLOSING.has(c)) {
        depth--;
        for (const group of stack) if (depth < group.depth) group.torn = true;
      }
      last = note(stack, c, text, i);
    }
    i++;
  }
  return stack.length === 0;
}

const LITERAL_STARTS = new Set(['"', "'", '@', '$']);
const OPENING = new Set(['{', '(', '[']);
const CLOSING = new Set(['}', ')', ']']);

/** Takes in a directive, and gives the depth behind it; undefined for one that has no `#if`. */
function depthBehind(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  stack: Group[],
  depth: number,
  isWithin: boolean,
  blanks: { start: number; end: number }[],
): number | undefined {
  const directive = /^#[ \t]*(if|elif|else|endif)\b/.exec(text.slice(start, Math.min(end, start + 24)))?.[1];
  if (directive === undefined) return depth;
  if (directive === 'if') {
    stack.push({ depth, branches: [branchAt(start, end)], torn: isWithin, depthAfter: undefined });
    return depth;
  }
  const group = stack[stack.length - 1];
  if (group === undefined) return undefined;
  closeBranch(group, start, depth);
  if (directive !== 'endif') {
    group.branches.push(branchAt(start, end));
    return group.depth;
  }
  stack.pop();
  if (group.torn) tear(group, start, end, blanks);
  return group.depthAfter ?? depth;
}

function branchAt(directive: number, start: number): Branch {
  return { directive, start, end: start, first: '', last: '', torn: false };
}

/** Tells the branches around that a character of code was read. */
function note(stack: readonly Group[], c: string, text = '', at = 0): string {
  for (const group of stack) {
    const branch = group.branches[group.branches.length - 1] as Branch;
    if (branch.first === '') {
      branch.first = c;
      if (CONTINUES.has(c) || goesOn(text, at)) branch.torn = true;
    }
    branch.last = c;
  }
  return c;
}

/** Whether a word begins here with which no declaration or statement begins. */
function goesOn(text: string, at: number): boolean {
  GOING_ON.lastIndex = at;
  return GOING_ON.test(text);
}

function closeBranch(group: Group, end: number, depth: number): void {
  const branch = group.branches[group.branches.length - 1] as Branch;
  branch.end = end;
  if (branch.torn || depth !== group.depth || !WHOLE_ENDS.has(branch.last)) group.torn = true;
  if (branch.first !== '') group.depthAfter ??= depth;
}

/** Blanks the directives of a group and all branches but the first that says anything. */
function tear(group: Group, endif: number, end: number, blanks: { start: number; end: number }[]): void {
  const kept = group.branches.find((branch) => branch.first !== '');
  for (const branch of group.branches)
    blanks.push({ start: branch.directive, end: branch === kept ? branch.start : branch.end });
  blanks.push({ start: endif, end });
}

function startsLine(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0; i--) {
    const c = text[i];
    if (c === '\n' || c === '\r' || c === '\uFEFF') return true;
    if (c !== ' ' && c !== '\t') return false;
  }
  return true;
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at;
}

/** The end of the comment, string or character literal that begins here; the same offset for none. */
function skipQuiet(text: string, at: number): number {
  switch (text[at]) {
    case '/':
      if (text[at + 1] === '/') return lineEnd(text, at);
      return text[at + 1] === '*' ? after(text, text.indexOf('*/', at + 2), 2) : at;
    case '"':
      return text.startsWith('"""', at) ? skipRaw(text, at) : skipString(text, at);
    case '@':
      if (text[at + 1] === '"') return skipVerbatim(text, at + 1);
      return text[at + 1] === '$' && text[at + 2] === '"' ? skipVerbatim(text, at + 2) : at;
    case '$': {
      let quote = at;
      while (text[quote] === '$') quote++;
      if (text[quote] === '@' && text[quote + 1] === '"') return skipVerbatim(text, quote + 1);
      if (text[quote] !== '"') return at;
      return text.startsWith('"""', quote) ? skipRaw(text, quote) : skipString(text, quote);
    }
    case "'": {
      const close = /^'(?:\\[^\n]{1,9}?|[^'\\\n])'/.exec(text.slice(at, at + 12));
      return close === null ? at : at + close[0].length;
    }
    default:
      return at;
  }
}

const after = (text: string, found: number, length: number): number => (found < 0 ? text.length : found + length);

function skipString(text: string, quote: number): number {
  for (let i = quote + 1; i < text.length; i++) {
    const c = text[i];
    if (c === '\\') i++;
    else if (c === '"') return i + 1;
    else if (c === '\n') return i;
  }
  return text.length;
}

function skipVerbatim(text: string, quote: number): number {
  for (let i = quote + 1; i < text.length; i++) {
    if (text[i] !== '"') continue;
    if (text[i + 1] !== '"') return i + 1;
    i++;
  }
  return text.length;
}

function skipRaw(text: string, quote: number): number {
  let length = 0;
  while (text[quote + length] === '"') length++;
  return after(text, text.indexOf('"'.repeat(length), quote + length), length);
}
