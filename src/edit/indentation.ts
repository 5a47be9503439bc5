/**
 * Brings an answer's lines to the indentation of the place they go to.
 *
 * Models keep the indentation they were shown, or start at the margin, or lose only that of the
 * first line. Each reading gives one candidate; the first that fits the file is taken, so the order
 * is by likelihood. All work on lines without their line breaks; lines inside literals with fixed
 * blanks stay as they are. Tabs and blanks are converted to what the file uses.
 */

/** How a place in a file is indented, and the block that stands there. */
export interface Placement {
  /** Blanks in front of the block's first line. */
  readonly indent: string;
  /** One level as the file writes it: a tab, or some blanks. */
  readonly unit: string;
  /** Lines of the block after its first. */
  readonly below: ReadonlySet<string>;
}

/** Blanks for one level when a file shows no indented line. */
const DEFAULT_UNIT = '    ';

/**
 * The file's placement for a block that starts at `start`.
 *
 * The unit is the smallest step between a line and a deeper one below it, tried on the block's
 * neighbourhood first, as some files mix styles.
 */
export function placementAt(text: string, start: number, end: number): Placement {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const indent = leadingBlanks(text.slice(lineStart, start).replace(/^\uFEFF/, ''));
  const unit =
    unitOf(text.slice(lineStart, end).split('\n')) ??
    unitOf(text.split('\n')) ??
    (indent === '' ? DEFAULT_UNIT : indent.includes('\t') ? '\t' : indent);
  return {
    indent,
    unit,
    below: new Set(
      text
        .slice(start, end)
        .split(/\r?\n/)
        .slice(1)
        .filter((line) => line.trim() !== ''),
    ),
  };
}

/**
 * The lines at the placement, most likely reading first; candidates may be equal. `fixed`: numbers of lines to leave
 * alone.
 */
export function indentedCandidates(lines: readonly string[], fixed: ReadonlySet<number>, place: Placement): string[][] {
  const own = unitOf(lines.filter((_, i) => !fixed.has(i))) ?? place.unit;
  const converted = lines.map((line, i) => (fixed.has(i) ? line : withBlanksOf(line, own, place)));
  const movable = (i: number): boolean => !fixed.has(i) && (converted[i] as string).trim() !== '';
  const first = leadingBlanks(converted[0] as string);
  const rest = converted
    .map((_, i) => i)
    .slice(1)
    .filter(movable);
  if (first === place.indent) return [converted];
  const shifted = converted.map(
    (line) => place.indent + line.slice(Math.min(leadingBlanks(line).length, first.length)),
  );
  const moved = converted.map((line, i) => {
    const other = shifted[i] as string;
    if (!movable(i)) return fixed.has(i) && isKnown(other, line, place) ? other : line;
    return leadingBlanks(line).length < place.indent.length && isKnown(line, other, place) ? line : other;
  });
  const firstOnly = converted.map((line, i) => (i === 0 ? place.indent + line.trimStart() : line));
  if (first !== '') return [moved, firstOnly];
  // Lines that were copied tell which reading is meant; without any, their depth does.
  const inPlace = rest.filter((i) => isKnown(converted[i] as string, shifted[i] as string, place)).length;
  const displaced = rest.filter((i) => isKnown(shifted[i] as string, converted[i] as string, place)).length;
  const shallowest = shallowestOf(rest.map((i) => converted[i] as string));
  const asDeep =
    shallowest > place.indent.length ||
    (shallowest === place.indent.length && shallowest === shallowestOf(place.below));
  return rest.length > 0 && (inPlace === displaced ? asDeep : inPlace > displaced)
    ? [firstOnly, moved]
    : [moved, firstOnly];
}

/** Whether the block has this line and not the other one: it was copied, and tells where it belongs. */
function isKnown(line: string, other: string, place: Placement): boolean {
  return place.below.has(line) && !place.below.has(other);
}

function shallowestOf(lines: Iterable<string>): number {
  let shallowest = Infinity;
  for (const line of lines) shallowest = Math.min(shallowest, leadingBlanks(line).length);
  return shallowest;
}

export function leadingBlanks(line: string): string {
  return (/^[ \t]*/.exec(line) as RegExpExecArray)[0];
}

/**
 * The smallest step to a deeper line, of lines indented purely by tabs or purely by blanks; undefined when no line goes
 * deeper.
 */
function unitOf(lines: readonly string[]): string | undefined {
  let before: string | undefined;
  let unit: string | undefined;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const blanks = leadingBlanks(line);
    if (before !== undefined && blanks.length > before.length && blanks.startsWith(before)) {
      const step = blanks.slice(before.length);
      if (step.startsWith('\t')) return '\t';
      // A step of one blank is the star of a comment, not a level.
      if (step.length > 1 && (unit === undefined || step.length < unit.length)) unit = step;
    }
    before = blanks;
  }
  return unit;
}

/**
 * The line with its leading blanks rewritten, one level for one level, if it uses tabs and the file blanks or the other
 * way round.
 */
function withBlanksOf(line: string, own: string, place: Placement): string {
  const blanks = leadingBlanks(line);
  const wantsTabs = place.unit === '\t';
  const hasTabs = blanks.includes('\t');
  if (blanks === '' || wantsTabs === hasTabs) return line;
  if (!wantsTabs) return blanks.replaceAll('\t', place.unit) + line.slice(blanks.length);
  const width = own === '\t' ? DEFAULT_UNIT.length : own.length;
  const levels = Math.floor(blanks.length / width);
  return '\t'.repeat(levels) + ' '.repeat(blanks.length % width) + line.slice(blanks.length);
}
