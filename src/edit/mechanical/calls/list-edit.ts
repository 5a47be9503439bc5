/**
 * Edits of a comma-separated list in source text: items dropped, replaced, put in, reordered.
 *
 *     put(key, /* seconds *\/ 60)   ->   put(key)
 *
 * An item takes its own comma and the comments that belong to it along: a block comment right in
 * front, a comment behind it on its line. Items that stay keep their line breaks, and a trailing
 * comma stays where there was one. Languages without trailing commas never get one.
 */
import type { TextEdit } from '../../../base/text-edit.js';
import type { ItemSpan } from './argument-spans.js';

/** What a list should hold: an item that was there (perhaps with another text), or a new one. */
export interface WantedItem {
  /** Index among the items that were there; undefined for a new one. */
  readonly from?: number;
  readonly text: string;
  /** No other edit lies inside: only what differs is replaced, so that later edits of the rest fit beside it. */
  readonly isPlain?: boolean;
}

/** Edits that turn the items at `spans` into `wanted`. `open`: offset behind the opening bracket. */
export function editList(
  text: string,
  spans: readonly ItemSpan[],
  wanted: readonly WantedItem[],
  open: number,
): TextEdit[] {
  if (spans.length === 0)
    return wanted.length === 0 ? [] : [{ start: open, end: open, text: wanted.map((item) => item.text).join(', ') }];
  const kept = wanted.flatMap((item) => (item.from === undefined ? [] : [item.from]));
  const inOrder = kept.every((from, i) => i === 0 || from > (kept[i - 1] as number));
  if (!inOrder) return reordered(text, spans, wanted);
  const dropped = spans.map((_, i) => i).filter((i) => !kept.includes(i));
  const edits = dropItems(text, spans, dropped);
  for (const item of wanted) {
    if (item.from === undefined) continue;
    const span = spans[item.from] as ItemSpan;
    const written = text.slice(span.start, span.end);
    if (written !== item.text)
      edits.push(
        item.isPlain === true
          ? difference(span.start, written, item.text)
          : { start: span.start, end: span.end, text: item.text },
      );
  }
  return [...edits, ...insertions(text, spans, wanted, open)];
}

/** The smallest edit that makes `after` of `before`, which stands at `start`. */
function difference(start: number, before: string, after: string): TextEdit {
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  let head = 0;
  while (head < most - same && before[head] === after[head]) head++;
  return { start: start + head, end: start + before.length - same, text: after.slice(head, after.length - same) };
}

/** Items that are new, put behind the kept one in front of them, or before the first. */
function insertions(text: string, spans: readonly ItemSpan[], wanted: readonly WantedItem[], open: number): TextEdit[] {
  const separator = separatorOf(text, spans);
  const edits: TextEdit[] = [];
  const anyKept = wanted.some((item) => item.from !== undefined);
  if (!anyKept) {
    const added = wanted.map((item) => item.text).join(separator);
    return added === '' ? [] : [{ start: open, end: open, text: added }];
  }
  for (let i = 0; i < wanted.length; i++) {
    if ((wanted[i] as WantedItem).from !== undefined) continue;
    let stop = i;
    while (stop < wanted.length && (wanted[stop] as WantedItem).from === undefined) stop++;
    const added = wanted.slice(i, stop).map((item) => item.text);
    const before = wanted[i - 1]?.from;
    if (before !== undefined) {
      const at = (spans[before] as ItemSpan).end;
      edits.push(
        ...(behindComment(text, spans, { before, isNextKept: wanted[stop]?.from === before + 1 }, added, separator) ?? [
          { start: at, end: at, text: added.map((item) => separator + item).join('') },
        ]),
      );
    } else {
      const at = (spans[(wanted[stop] as WantedItem).from as number] as ItemSpan).start;
      edits.push({ start: at, end: at, text: added.map((item) => item + separator).join('') });
    }
    i = stop;
  }
  return edits;
}

/**
 * Items that are put behind one with a comment on its line: `0, // count` keeps it, and they stand below. Undefined
 * where there is no such comment.
 */
function behindComment(
  text: string,
  spans: readonly ItemSpan[],
  { before, isNextKept }: { readonly before: number; readonly isNextKept: boolean },
  added: readonly string[],
  separator: string,
): TextEdit[] | undefined {
  const { end } = spans[before] as ItemSpan;
  const comma = /^\s*,/.exec(text.slice(end))?.[0] ?? '';
  const behind = endOfOwnComment(text, end + comma.length);
  const lineBreak = separator.slice(1);
  if (behind === undefined || !lineBreak.includes('\n')) return undefined;
  const next = spans[before + 1];
  if (next !== undefined) {
    const at = withLeadingComment(text, next.start);
    return isNextKept ? [{ start: at, end: at, text: added.map((item) => item + separator).join('') }] : undefined;
  }
  const below = added.map((item) => lineBreak + item).join(',') + (comma === '' ? '' : ',');
  return [...(comma === '' ? [{ start: end, end, text: ',' }] : []), { start: behind, end: behind, text: below }];
}

/** Between two items as they are written: `, ` or a comma with a line break and its indentation. */
function separatorOf(text: string, spans: readonly ItemSpan[]): string {
  const [first, second] = spans;
  if (first === undefined) return ', ';
  if (second !== undefined) {
    const between = text.slice(first.end, second.start);
    if (/^\s*,\s*$/.test(between)) return between.trimStart();
    const lineBreak = /\r?\n[ \t]*$/.exec(between);
    return lineBreak === null ? ', ' : `,${lineBreak[0]}`;
  }
  // A single item on a line of its own.
  const lineStart = text.lastIndexOf('\n', first.start - 1);
  const lead = text.slice(lineStart + 1, first.start);
  const eol = text[lineStart - 1] === '\r' ? '\r\n' : '\n';
  return lineStart >= 0 && /^[ \t]+$/.test(lead) && /^,?[ \t]*\r?\n/.test(text.slice(first.end))
    ? `,${eol}${lead}`
    : ', ';
}

/** Every place gets the text of the item that belongs there; places left over go, items left over follow. */
function reordered(text: string, spans: readonly ItemSpan[], wanted: readonly WantedItem[]): TextEdit[] {
  const places = Math.min(spans.length, wanted.length);
  const edits: TextEdit[] = [];
  for (let i = 0; i < places; i++) {
    const span = spans[i] as ItemSpan;
    const item = wanted[i] as WantedItem;
    if (text.slice(span.start, span.end) !== item.text)
      edits.push({ start: span.start, end: span.end, text: item.text });
  }
  if (wanted.length < spans.length) edits.push(...dropItems(text, spans, spans.map((_, i) => i).slice(places)));
  const rest = wanted.slice(places);
  if (rest.length > 0) {
    const at = (spans[spans.length - 1] as ItemSpan).end;
    edits.push({ start: at, end: at, text: rest.map((item) => separatorOf(text, spans) + item.text).join('') });
  }
  return edits;
}

/** Runs of neighbours are dropped as one. */
export function dropItems(text: string, spans: readonly ItemSpan[], indexes: readonly number[]): TextEdit[] {
  const sorted = [...indexes].sort((a, b) => a - b);
  const edits: TextEdit[] = [];
  for (let i = 0; i < sorted.length;) {
    let last = i;
    while (sorted[last + 1] === (sorted[last] as number) + 1) last++;
    edits.push(...dropRun(text, spans, sorted[i] as number, sorted[last] as number));
    i = last + 1;
  }
  return edits;
}

function dropRun(text: string, spans: readonly ItemSpan[], first: number, last: number): TextEdit[] {
  const start = withLeadingComment(text, (spans[first] as ItemSpan).start);
  const end = (spans[last] as ItemSpan).end;
  const next = spans[last + 1];
  if (next !== undefined) return [{ start, end: startOfNext(text, end, next.start), text: '' }];
  const previous = spans[first - 1];
  const comma = /^\s*,/.exec(text.slice(end));
  if (previous === undefined) return [{ start, end: end + (comma?.[0].length ?? 0), text: '' }];
  const between = text.slice(previous.end, start);
  if (/^\s*,\s*$/.test(between)) {
    // A trailing comma stays behind the item that is last now, a comment of the dropped one goes.
    const behind = endOfOwnComment(text, end + (comma?.[0].length ?? 0));
    return behind === undefined
      ? [{ start: previous.end, end, text: '' }]
      : [{ start: previous.end, end: behind, text: comma === null ? '' : ',' }];
  }
  // A comment of the item in front stands between: its line stays as it is, but for the comma.
  const commaAt = previous.end + between.indexOf(',');
  const lineEnd = text.indexOf('\n', commaAt);
  const from =
    lineEnd === -1 || lineEnd >= start
      ? previous.end + between.trimEnd().length
      : lineEnd - (text[lineEnd - 1] === '\r' ? 1 : 0);
  const to = end + (comma?.[0].length ?? 0);
  return [
    ...(comma === null ? [{ start: commaAt, end: commaAt + 1, text: '' }] : []),
    { start: from, end: endOfOwnComment(text, to) ?? to, text: '' },
  ];
}

/** `/* name *\/ value`: the comment names the value. */
function withLeadingComment(text: string, start: number): number {
  const match = /\/\*(?:[^*\n]|\*(?!\/))*\*\/[ \t]*$/.exec(text.slice(Math.max(0, start - 200), start));
  return match === null ? start : start - match[0].length;
}

/** Where what stays begins: behind the dropped item's comma and the comment on its line. */
function startOfNext(text: string, end: number, next: number): number {
  const between = text.slice(end, next);
  const comma = between.indexOf(',');
  const behind = endOfOwnComment(text, end + comma + 1) ?? end + comma + 1;
  const blanks = /^\s*/.exec(text.slice(behind, next))?.[0].length ?? 0;
  return behind + blanks;
}

/** End of a comment that stands on the rest of the line, and is all that stands there. */
function endOfOwnComment(text: string, from: number): number | undefined {
  const match = /^[ \t]*(?:#|\/\/)[^\n\r]*|^[ \t]*\/\*(?:[^*\n]|\*(?!\/))*\*\/[ \t]*(?=\r?\n)/.exec(
    text.slice(from, from + 400),
  );
  return match === null ? undefined : from + match[0].length;
}
