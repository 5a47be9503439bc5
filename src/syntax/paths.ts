/**
 * The ways that control may take through a file's statements, as far as they are needed to say which of a name's
 * assignments may have happened last.
 *
 *     if a:          fork, or whole where one of its arms is always taken
 *         x = 1        arm
 *         return       leave: nothing goes on behind it
 *     for y in z:    loop: its end is followed by its beginning, and it may not run at all
 *         break        turn: goes to the loop's end
 *     try: …         whole, with an arm for what is tried
 *     except E: …      rescue: runs when an arm ended anywhere
 *     finally: …       last: runs behind all others
 *
 *     def f(): …     body: passed over by the code around, which no way leads from into it
 *                    open: a body that returns a value on some ways and comes to its end on others
 *
 * Regions nest as the statements do.
 */

export const P = {
  fork: 1,
  whole: 2,
  arm: 3,
  rescue: 4,
  last: 5,
  loop: 6,
  leave: 7,
  turn: 8,
  body: 9,
  open: 10,
} as const;
export type PathKind = (typeof P)[keyof typeof P];

/** The file as a whole. */
const ALL = 0;

export interface Region {
  /** One of {@link P}; 0 for the whole file. */
  readonly kind: number;
  readonly start: number;
  readonly end: number;
  readonly around: Region | undefined;
  /** In the order of the text. */
  readonly parts: readonly Region[];
}

interface Growing extends Region {
  readonly parts: Growing[];
}

/** The tree of what `paths` lists: kind, start and end of one region after the other, in any order but outer first. */
export function regionsOf(paths: Int32Array): Region {
  const all: Growing = { kind: ALL, start: -1, end: Infinity, around: undefined, parts: [] };
  const starts = Array.from({ length: paths.length / 3 }, (_, i) => i * 3)
    .filter((at) => paths[at] !== P.open)
    .sort(
      (a, b) =>
        (paths[a + 1] as number) - (paths[b + 1] as number) ||
        (paths[b + 2] as number) - (paths[a + 2] as number) ||
        a - b,
    );
  let around = all;
  for (const at of starts) {
    const [kind, start, end] = paths.subarray(at, at + 3) as unknown as [number, number, number];
    while (around.around !== undefined && around.end < end) around = around.around as Growing;
    while (around.around !== undefined && around.end <= start) around = around.around as Growing;
    const region: Growing = { kind, start, end, around, parts: [] };
    around.parts.push(region);
    around = region;
  }
  return all;
}

/** The innermost region that a place lies in. */
export function regionAt(all: Region, place: number): Region {
  let region = all;
  for (;;) {
    const { parts } = region;
    let low = 0;
    for (let high = parts.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((parts[middle] as Region).start <= place) low = middle + 1;
      else high = middle;
    }
    const inner = parts[low - 1];
    if (inner === undefined || inner.end <= place || inner.kind === P.leave || inner.kind === P.turn) return region;
    region = inner;
  }
}

/** Where the bodies start that return a value on some ways and come to their end on others. */
export function openBodies(paths: Int32Array): ReadonlySet<number> {
  const starts = new Set<number>();
  for (let at = 0; at < paths.length; at += 3) if (paths[at] === P.open) starts.add(paths[at + 1] as number);
  return starts;
}
