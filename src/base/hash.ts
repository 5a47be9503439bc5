/**
 * Hashes for change detection: quick, well mixed, not for security. Anything that decides
 * whether bytes on the disk may be overwritten compares the bytes or uses a real digest (io/).
 */

/**
 * A running hash is two 32-bit lanes that are fed 32-bit words. They are two plain numbers, since
 * whoever hashes millions of words has them in variables of its own; `a` is fed first.
 */
export const FIRST_A = 0x9e3779b1 | 0;
export const FIRST_B = 0x85ebca6b | 0;

export const feedA = (a: number, word: number): number => Math.imul(a ^ word, 0x01000193);
/** `a`: the other lane, which the word was fed to. */
export const feedB = (b: number, word: number, a: number): number =>
  Math.imul(b ^ ((word + (a >>> 15)) | 0), 0x27d4eb2f);

/** `text[start..end)` as one word. */
export function wordOf(text: string, start: number, end: number): number {
  let h = 0x811c9dc5 | 0;
  for (let i = start; i < end; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h;
}

/** What the lanes have come to: 52 bits, as a whole number. */
export function hashOfLanes(a: number, b: number): number {
  const high = avalanche(a);
  const low = avalanche(b ^ high);
  return (high >>> 0) * 0x100000 + ((low >>> 0) & 0xfffff);
}

function avalanche(x: number): number {
  let h = x;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/**
 * How much of a text is hashed in one call. V8 compiles a function that is called often for good; one
 * that is called once a file, with a long loop, it enters in the middle of the loop and leaves at
 * its end, every time anew.
 */
const CHUNK = 1024;
const lanes = new Int32Array(2);

/** 64 bits over a whole text, 16 hexadecimal digits. */
export function hashText(text: string): string {
  lanes[0] = 0xdeadbeef ^ text.length;
  lanes[1] = 0x41c6ce57 ^ text.length;
  for (let from = 0; from < text.length; from += CHUNK) feedText(text, from, Math.min(from + CHUNK, text.length));
  const high = avalanche(lanes[0] ^ (lanes[1] >>> 7));
  const low = avalanche(lanes[1] ^ (high >>> 9));
  return (high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0');
}

function feedText(text: string, from: number, to: number): void {
  let a = lanes[0] as number;
  let b = lanes[1] as number;
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 0x9e3779b1 | 0);
    b = Math.imul(b ^ c, 0x5f356495);
  }
  lanes[0] = a;
  lanes[1] = b;
}
