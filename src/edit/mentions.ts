/**
 * Mentions: places outside of code that say the name of something that was renamed, moved or
 * deleted, in documentation, comments and files of kinds that no language here reads.
 *
 *     docs/use.md   `Store.put(key)`           qualified: what stands in front of the name leads to it
 *     use.py        # see fetch_data           spelled: written as code is, and as no word is
 *     NOTES.txt     The Store keeps things.    word: may be the name, may be a word
 *
 * No scope says what a mention means, so nothing here is certain: `qualified` and `spelled` ones are
 * rewritten where the person asks for it, a `word` is only listed. Errs towards leaving out single
 * lower-case words of prose, which would be most of a text. Pure.
 */

/** A name to look for. */
export interface WantedName {
  /** The last part of the name as it was, and as it is now; without `now` it is gone. */
  readonly old: string;
  readonly now?: string;
  /** What may stand in front of it, outermost first, as it was: folders, module, classes. */
  readonly around: readonly string[];
  /** The same now. */
  readonly aroundNow: readonly string[];
  /** Whether something else of the same name is still there. */
  readonly isShared: boolean;
  /** Whether it is a file: its own name without the ending, which alone says too little. */
  readonly isFile?: true;
}

export type MentionRank = 'qualified' | 'spelled' | 'word';

export interface Mention {
  /** Of the name with what stands in front of it. */
  readonly start: number;
  readonly end: number;
  readonly name: WantedName;
  readonly rank: MentionRank;
  /** What to write instead; undefined where the name is gone, or where it may mean something else. */
  readonly replacement?: string;
}

/** How far in front of a name its qualifier may begin. */
const QUALIFIER_MOST = 300;
/** In a regular expression a point or slash has a backslash before it, and in a string of one that may be doubled. */
const PATH_BEFORE = /(?:[A-Za-z_$][\w$-]*(?:\(\))?\\{0,2}(?:\.|::|#|:|\/|->))+$/;
const SEPARATOR = /\\{0,2}(?:\.|::|#|:|\/|->)/;
/** What a path in front of a name ends with. */
const SEPARATOR_ENDS = '.:#/>';
const IDENTIFIER = /[\w$]/;

/** Names that are found word by word, all in one pass over a text; and the others, each by a search of its own. */
interface Sought {
  readonly words: ReadonlyMap<string, readonly WantedName[]>;
  readonly others: readonly WantedName[];
}

/** Made once for the many texts in which the same names are looked for. */
const soughtBy = new WeakMap<readonly WantedName[], Sought>();

function sought(wanted: readonly WantedName[]): Sought {
  const known = soughtBy.get(wanted);
  if (known !== undefined) return known;
  const words = new Map<string, WantedName[]>();
  const others: WantedName[] = [];
  for (const name of wanted) {
    const alike = words.get(name.old);
    if (alike !== undefined) alike.push(name);
    else if (/^[\w$]+$/.test(name.old)) words.set(name.old, [name]);
    else others.push(name);
  }
  const made = { words, others };
  soughtBy.set(wanted, made);
  return made;
}

/** Where the names stand as words of their own, each time with all that are spelled so. */
function* places(
  text: string,
  { words, others }: Sought,
): Generator<readonly [at: number, names: readonly WantedName[]]> {
  if (words.size > 0)
    for (const { 0: word, index } of text.matchAll(/[\w$]+/g)) {
      const names = words.get(word);
      if (names !== undefined) yield [index, names];
    }
  for (const name of others)
    for (let at = text.indexOf(name.old); at !== -1; at = text.indexOf(name.old, at + name.old.length))
      yield [at, [name]];
}

/** Whether a text says any of the names: what it answers with no is not worth reading closer. */
export function sayingAny(wanted: readonly WantedName[]): (text: string) => boolean {
  const names = sought(wanted);
  return (text) => places(text, names).next().done !== true;
}

/** Mentions of these names in a text, by position; where several names fit, the one that fits best. */
export function mentionsIn(text: string, wanted: readonly WantedName[]): Mention[] {
  const found = new Map<number, Mention>();
  const prose = new Prose(text);
  for (const [at, names] of places(text, sought(wanted))) {
    const before = pathBefore(text, at);
    for (const name of names) {
      const mention = mentionAt(prose, at, name, before);
      if (mention === undefined) continue;
      const known = found.get(mention.end);
      if (known === undefined || weight(mention) > weight(known)) found.set(mention.end, mention);
      // With nothing in front that could lead to one of them, all fit as well.
      if (before === '') break;
    }
  }
  let reached = 0;
  return [...found.values()]
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start, end }) => {
      const isClear = start >= reached;
      reached = Math.max(reached, end);
      return isClear;
    });
}

const RANKS: readonly MentionRank[] = ['word', 'spelled', 'qualified'];
const weight = ({ rank, start, end }: Mention): number => RANKS.indexOf(rank) * 10_000 + Math.min(end - start, 9_999);

/** The parts in front of a name that may lead to it, with their separators; '' for none. */
const pathBefore = (text: string, at: number): string =>
  at > 0 && SEPARATOR_ENDS.includes(text[at - 1] as string)
    ? (PATH_BEFORE.exec(text.slice(Math.max(0, at - QUALIFIER_MOST), at))?.[0] ?? '')
    : '';

function mentionAt(prose: Prose, at: number, name: WantedName, before: string): Mention | undefined {
  const { text } = prose;
  const end = at + name.old.length;
  if (IDENTIFIER.test(text[end] ?? ' ') || IDENTIFIER.test(text[at - 1] ?? ' ')) return undefined;
  const parts = before.split(SEPARATOR).slice(0, -1);
  const taken = leading(parts, name.around);
  if (taken > 0) {
    const qualifier = lastParts(before, taken);
    return { start: at - qualifier.length, end, name, rank: 'qualified', ...rewritten(qualifier, name) };
  }
  const rank = name.isFile === true ? undefined : rankAlone(prose, at, end, name, parts[parts.length - 1]);
  if (rank === undefined) return undefined;
  const isClear = rank === 'spelled' && !name.isShared;
  return { start: at, end, name, rank, ...(isClear ? rewritten('', name) : {}) };
}

/**
 * Whether it is a file by its path: the folders in front of the name, and behind it nothing that would lead further
 * into a folder of that name.
 */
export function isPath(text: string, { end, name, rank }: Mention): boolean {
  return name.isFile === true && rank === 'qualified' && !/^\\{0,2}\//.test(text.slice(end, end + 3));
}

/** Whether it says all that stands around the name: what a program prints may be data, so less is not enough there. */
export function isWhole({ start, end, name: { old, around } }: Mention): boolean {
  const parts = around.reduce((length, part) => length + part.length + 1, 0);
  return around.length > 0 && end - start >= parts + old.length;
}

/** How many parts, from the last one, lead to the name: each is one of those around it, in their order. */
function leading(parts: readonly string[], around: readonly string[]): number {
  let taken = 0;
  let limit = around.length;
  for (const part of [...parts].reverse()) {
    const at = around.lastIndexOf(part.replace('()', ''), limit - 1);
    if (limit === 0 || at === -1) break;
    limit = at;
    taken++;
  }
  return taken;
}

/** The last `count` parts of a path with the separators behind them. */
function lastParts(path: string, count: number): string {
  const pieces = path.match(/[^.:#/>-]+(?:\(\))?(?:\.|::|#|:|\/|->)/g) ?? [];
  return pieces.slice(-count).join('');
}

/** The new name behind what leads there now: of the parts in front only those are replaced that are others now. */
function rewritten(qualifier: string, { now, around, aroundNow }: WantedName): { replacement?: string } {
  if (now === undefined) return {};
  let same = 0;
  while (same < around.length && same < aroundNow.length && around[same] === aroundNow[same]) same++;
  if (same === around.length && same === aroundNow.length) return { replacement: qualifier + now };
  const pieces = qualifier.match(/[^.:#/>-]+(?:\.|::|#|:|\/|->)/g) ?? [];
  const kept = pieces.filter((piece) => around.slice(0, same).includes(piece.replace(SEPARATOR, '')));
  if (pieces.length === 0) return { replacement: now };
  const signOf = (piece: string | undefined): string => SEPARATOR.exec(piece ?? '')?.[0] ?? '.';
  const fresh = aroundNow.slice(same);
  const behind = (i: number): string => signOf(i === fresh.length - 1 ? pieces[pieces.length - 1] : pieces[0]);
  return { replacement: kept.join('') + fresh.map((part, i) => part + behind(i)).join('') + now };
}

/** A name with nothing in front that leads to it; undefined: it is no mention. */
function rankAlone(
  prose: Prose,
  at: number,
  end: number,
  { old, around }: WantedName,
  qualifier: string | undefined,
): MentionRank | undefined {
  if (qualifier !== undefined) {
    // `store.put` in prose stands for an object of Store; another class's member is something else.
    const isObject = around.some((part) => part.toLowerCase() === qualifier.toLowerCase().replaceAll('_', ''));
    return isObject ? 'spelled' : /^[A-Z]/.test(qualifier) ? undefined : isCode(prose, at, end) ? 'word' : undefined;
  }
  if (isSpelledAsCode(old)) return 'spelled';
  if (isCode(prose, at, end)) return 'spelled';
  return /^[A-Z]/.test(old) ? 'word' : undefined;
}

/** No word of a language: it has an underscore, a digit, or a hump. */
const isSpelledAsCode = (name: string): boolean => /[\w$]_|\d|[a-z$][A-Z]|^_/.test(name);

/** Whether what stands around marks the name as code: backticks, quotes, a call, a role of a documentation tool. */
function isCode(prose: Prose, start: number, end: number): boolean {
  const { text } = prose;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const before = text.slice(Math.max(lineStart, start - LINE_MOST), start);
  const after = text.slice(end, end + 2);
  if ((before.split('`').length - 1) % 2 === 1 || /^\(/.test(after)) return true;
  if (/["'<>=]\s*$/.test(before) && /^["'<>,;\s]/.test(`${after} `)) return true;
  return /(?:[{@:]\w+\s+|:\w+:`~?|#)$/.test(before) || prose.isFenced(lineStart);
}

/** How much of a line in front of a name is looked at. */
const LINE_MOST = 2_000;

/** A text whose fences around code are looked for once. */
class Prose {
  private fences: readonly number[] | undefined;

  constructor(readonly text: string) {}

  isFenced(lineStart: number): boolean {
    this.fences ??= [...this.text.matchAll(/^ {0,3}(?:```|~~~)/gm)].map(({ index }) => index);
    let count = this.fences.findIndex((fence) => fence >= lineStart);
    if (count < 0) count = this.fences.length;
    return count % 2 === 1;
  }
}
