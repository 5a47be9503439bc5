/**
 * Columns of numbers that grow while a file is walked, and are used again for the next file: a
 * thread reads thousands of files, and to make and clear some thirty arrays for each costs as
 * much as filling them.
 *
 * So whoever fills them is alone, as the walk of a tree is, and takes copies at the end.
 */

/** Rows of several columns that grow together. */
export class Table<K extends string> {
  /** Replaced where the table grows: read them anew after `add`. */
  readonly columns: Record<K, Int32Array>;
  count = 0;
  private capacity = 1024;

  constructor(private readonly names: readonly K[]) {
    this.columns = Object.fromEntries(names.map((name) => [name, new Int32Array(this.capacity)])) as Record<
      K,
      Int32Array
    >;
  }

  /** Makes place for a row and gives its number; its values are whatever was there. */
  add(): number {
    if (this.count === this.capacity) {
      this.capacity *= 2;
      for (const name of this.names) this.columns[name] = grown(this.columns[name]);
    }
    return this.count++;
  }
  clear(): void {
    this.count = 0;
  }
  take(column: K, into: Pack): Int32Array {
    return into.words(this.columns[column], this.count);
  }
  /** For columns whose values are small. */
  takeBytes(column: K): Uint8Array {
    return new Uint8Array(this.columns[column].subarray(0, this.count));
  }
}

/** One list that grows. */
export class List {
  /** Replaced where the list grows. */
  data: Int32Array = new Int32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.data.length) this.data = grown(this.data);
    this.data[this.length++] = value;
  }
  clear(): void {
    this.length = 0;
  }
  take(into: Pack): Int32Array {
    return into.words(this.data, this.length);
  }
}

/** Copies of columns in one piece of memory: to get and to free one for each column costs more than the copy. */
export class Pack {
  private readonly buffer: ArrayBuffer;
  private used = 0;

  /** For as many numbers in all. */
  constructor(words: number) {
    this.buffer = new ArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT);
  }

  words(from: Int32Array, count: number): Int32Array {
    const out = new Int32Array(this.buffer, this.used, count);
    out.set(from.subarray(0, count));
    this.used += out.byteLength;
    return out;
  }
}

function grown(column: Int32Array): Int32Array {
  const out = new Int32Array(column.length * 2);
  out.set(column);
  return out;
}

/**
 * Rows grouped by a number from 0 to `keys - 1`, in the order given, as offsets and one array (compressed sparse rows).
 */
export function grouped(
  keys: number,
  keyOfRow: Int32Array,
  rows: Uint32Array,
): { start: Uint32Array; rows: Uint32Array } {
  const start = new Uint32Array(keys + 1);
  for (let i = 0; i < rows.length; i++) {
    const next = (keyOfRow[rows[i] as number] as number) + 1;
    start[next] = (start[next] as number) + 1;
  }
  for (let key = 0; key < keys; key++) start[key + 1] = (start[key + 1] as number) + (start[key] as number);
  const fill = start.slice();
  const out = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const key = keyOfRow[row] as number;
    const at = fill[key] as number;
    out[at] = row;
    fill[key] = at + 1;
  }
  return { start, rows: out };
}
