/**
 * The types that a language has of its own, numbers above all: which is converted to which without a word, and what
 * an operator makes of two of them. Only for languages whose overloads are told apart by them (Java, C#).
 */
import type { BasicTypes } from '../../languages/language.js';

/** How near two basic types are, the very type being 2 and each further conversion a little less than 1. */
const EXACT = 2;
const STEP = 1 / 64;

/** The name of a basic type among its aliases. */
const known = (basics: BasicTypes, name: string): string => basics.aliases.get(name) ?? name;

/**
 * How much a value of one type agrees with a parameter of another by what is converted without a word: 2 for the very
 * type, up to 1 for a conversion, 0 where a constant might be converted; undefined where it never is, and `'open'`
 * where one of the two is none of these types.
 */
export function basicAgreement(basics: BasicTypes, want: string, have: string): number | 'open' | undefined {
  const [wanted, given] = [known(basics, want), known(basics, have)];
  const conversions = basics.conversions.get(given);
  if (conversions === undefined) return 'open';
  if (wanted === given) return EXACT;
  const step = conversions.indexOf(wanted);
  if (step >= 0) return 1 - step * STEP;
  if (!basics.conversions.has(wanted)) return 'open';
  return given === basics.constants.from && basics.constants.to.has(wanted) ? 0 : undefined;
}

const COMPARES: ReadonlySet<string> = new Set('== != < > <= >= && || ! is as? instanceof not and or in'.split(' '));
const SHIFTS: ReadonlySet<string> = new Set('<< >> >>>'.split(' '));

/**
 * What an operator makes of values of libraries, by the names of their types; undefined where that does not follow.
 * `right`: undefined where it is not known, `''` where there is none.
 */
export function operated(
  basics: BasicTypes,
  operator: string,
  left: string,
  right: string | undefined,
): string | undefined {
  if (COMPARES.has(operator)) return basics.truth;
  const [first, second] = [known(basics, left), right === undefined ? undefined : known(basics, right)];
  if (operator === '+' && (first === basics.text || second === basics.text)) return basics.text;
  const isOne = second === '' || SHIFTS.has(operator);
  const ranks = [rankOf(basics, first), isOne ? 0 : second === undefined ? -1 : rankOf(basics, second)];
  if (operator === '++' || operator === '--') return first;
  if (ranks.every((rank) => rank >= 0)) {
    const result = basics.ranks[Math.max(...ranks)];
    // `uint + int` is of neither (C#).
    const isOf = (name: string): boolean =>
      name === result || (result !== undefined && basics.conversions.get(name)?.includes(result) === true);
    return isOf(first) && (isOne || (second !== undefined && isOf(second))) ? result : undefined;
  }
  // What is no number has operators of its own, which mostly give what stands first.
  return ranks[0] === -1 && !basics.conversions.has(first) ? left : undefined;
}

/** Among the types in which numbers are reckoned; what is smaller is reckoned in the first. */
function rankOf(basics: BasicTypes, name: string): number {
  const rank = basics.ranks.indexOf(basics.boxes.get(name) ?? name);
  return rank >= 0 || !basics.small.has(basics.boxes.get(name) ?? name) ? rank : 0;
}
