/**
 * Edit distance of two texts: insert, delete and substitute cost one each, the unit is the Unicode
 * code point.
 *
 * A band around the diagonal is searched and doubled until the distance fits into it (Ukkonen), so
 * the cost is the length times the distance: texts that are compared here differ in little.
 */

export function editDistance(a: string, b: string): number {
  let [x, y] = [pointsOf(a), pointsOf(b)];
  let start = 0;
  while (start < x.length && start < y.length && x[start] === y[start]) start++;
  let end = 0;
  while (end < x.length - start && end < y.length - start && x[x.length - 1 - end] === y[y.length - 1 - end]) end++;
  [x, y] = [x.subarray(start, x.length - end), y.subarray(start, y.length - end)];
  if (x.length > y.length) [x, y] = [y, x];
  if (x.length === 0) return y.length;
  for (let most = Math.max(16, y.length - x.length + 1); ; most *= 2) {
    const found = distanceWithin(x, y, most);
    if (found <= most) return found;
  }
}

function pointsOf(text: string): Uint32Array {
  return Uint32Array.from(text, (point) => point.codePointAt(0) as number);
}

/** The distance if it is at most `most`, else something above. `x` is the shorter one. */
function distanceWithin(x: Uint32Array, y: Uint32Array, most: number): number {
  const far = most + 1;
  let above = new Int32Array(x.length + 1).fill(far);
  let row = new Int32Array(x.length + 1).fill(far);
  for (let i = 0; i <= Math.min(x.length, most); i++) above[i] = i;
  for (let j = 1; j <= y.length; j++) {
    const from = Math.max(0, j - most);
    const to = Math.min(x.length, j + most);
    if (from > 0) row[from - 1] = far;
    for (let i = from; i <= to; i++) {
      if (i === 0) {
        row[0] = j;
        continue;
      }
      const substituted = (above[i - 1] as number) + (x[i - 1] === y[j - 1] ? 0 : 1);
      row[i] = Math.min(substituted, (above[i] as number) + 1, (row[i - 1] as number) + 1);
    }
    if (to < x.length) row[to + 1] = far;
    [above, row] = [row, above];
  }
  return above[x.length] as number;
}
