/**
 * One measured figure, and the table of all of them.
 *
 * A figure may have a bound (what it must stay under, or above for a speed-up) and an aim. The
 * table is for people: a missed bound is said, never an exit code.
 */

export interface Figure {
  readonly group: string;
  readonly name: string;
  readonly value: number;
  readonly unit: 'files' | 'lines' | 'MB' | 'ms' | 'x' | '/min' | 'B/line' | 'MB/s';
  /** The most that was asked for; the least, with `atLeast`. */
  readonly bound?: number;
  readonly aim?: number;
  readonly atLeast?: boolean;
  /** What was measured on, in a few words. */
  readonly on?: string;
}

export type Verdict = 'within' | 'within the aim' | 'missed';

/** Undefined for a figure that has no bound and no aim. */
export function verdictOf({ value, bound, aim, atLeast }: Figure): Verdict | undefined {
  if (bound === undefined && aim === undefined) return undefined;
  const meets = (limit: number): boolean => (atLeast === true ? value >= limit : value <= limit);
  if (bound !== undefined && !meets(bound)) return 'missed';
  if (aim === undefined) return 'within';
  if (meets(aim)) return 'within the aim';
  return bound === undefined ? 'missed' : 'within';
}

/** Lines of the table, a heading for each group. */
export function tableOf(figures: readonly Figure[]): string[] {
  const rows = figures.map((figure) => ({
    figure,
    cells: [
      figure.name,
      withUnit(figure.value, figure.unit),
      limitsOf(figure),
      verdictOf(figure) ?? '',
      figure.on ?? '',
    ],
  }));
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map(({ cells }) => (cells[column] as string).length)));
  const lines: string[] = [];
  let group = '';
  for (const { figure, cells } of rows) {
    if (figure.group !== group) lines.push('', (group = figure.group));
    lines.push(
      `  ${cells
        .map((cell, column) => (column === 1 ? cell.padStart(widths[1] as number) : cell.padEnd(widths[column] ?? 0)))
        .join('  ')
        .trimEnd()}`,
    );
  }
  return lines;
}

function limitsOf({ bound, aim, unit, atLeast }: Figure): string {
  const limits: string[] = [];
  if (bound !== undefined) limits.push(`${atLeast === true ? 'at least' : 'at most'} ${withUnit(bound, unit)}`);
  if (aim !== undefined) limits.push(`aim ${withUnit(aim, unit)}`);
  return limits.join(', ');
}

function withUnit(value: number, unit: Figure['unit']): string {
  const digits = unit === 'files' || unit === 'lines' || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toLocaleString('en', { minimumFractionDigits: 0, maximumFractionDigits: digits })} ${unit}`;
}
