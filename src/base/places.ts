/**
 * A set of places: rows of files, by path and number. Makes no key for each, unlike a set of strings.
 */
export class Places {
  private readonly byFile = new Map<string, Set<number>>();

  has(file: string, row: number): boolean {
    return this.byFile.get(file)?.has(row) === true;
  }
  /** False for one that is in the set already. */
  add(file: string, row: number): boolean {
    let rows = this.byFile.get(file);
    if (rows === undefined) this.byFile.set(file, (rows = new Set()));
    if (rows.has(row)) return false;
    rows.add(row);
    return true;
  }
}
