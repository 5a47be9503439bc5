/**
 * Logarithm and exponential, rounded right.
 *
 * `Math.log` and `Math.exp` may be off in the last digit, and published figures are compared to the
 * last digit. Numbers are held as integers over a power of two that is far finer than a double.
 */

/** A double has 53 bits: three times as many, so that the errors of all steps together change none of them. */
const FINE_BITS = 160;
const ONE = 1n << BigInt(FINE_BITS);
const LN_2 = twiceArtanh(ONE / 3n);

/** Natural logarithm of a positive number. */
export function log(value: number): number {
  let twos = 0;
  let scaled = value;
  while (scaled > 1.5) [scaled, twos] = [scaled / 2, twos + 1];
  while (scaled < 0.75) [scaled, twos] = [scaled * 2, twos - 1];
  const x = fine(scaled);
  return rounded(twiceArtanh(((x - ONE) * ONE) / (x + ONE)) + BigInt(twos) * LN_2);
}

/** e to the power of a number of ordinary size. */
export function exp(value: number): number {
  const x = fine(value);
  const twos = Math.round(value / Math.LN2);
  const rest = x - BigInt(twos) * LN_2;
  let term = ONE;
  let sum = ONE;
  for (let n = 1n; term !== 0n; n++) {
    term = (term * rest) / ONE / n;
    sum += term;
  }
  return rounded(sum) * 2 ** twos;
}

/** A double is an integer over a power of two, so this loses nothing of one that is not tiny. */
function fine(value: number): bigint {
  const shift = 110;
  return (BigInt(value * 2 ** shift) * ONE) >> BigInt(shift);
}

/** `Number` rounds an integer to the nearest double; the division only moves the exponent. */
const rounded = (value: bigint): number => Number(value) / 2 ** FINE_BITS;

function twiceArtanh(x: bigint): bigint {
  const square = (x * x) / ONE;
  let power = x;
  let sum = 0n;
  for (let n = 1n; power !== 0n; n += 2n) {
    sum += power / n;
    power = (power * square) / ONE;
  }
  return 2n * sum;
}
