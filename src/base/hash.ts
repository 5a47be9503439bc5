/**
 * Hashes for change detection: quick, well mixed, not for security. Anything that decides
 * whether bytes on the disk may be overwritten compares the bytes or uses a real digest (io/).
 */

/** Two 32-bit lanes that are fed 32-bit words; the state of a running hash. */
export class RunningHash {
  private a = 0x9e3779b1 | 0;
  private b = 0x85ebca6b | 0;

  word(w: number): void {
    this.a = Math.imul(this.a ^ w, 0x01000193);
    this.b = Math.imul(this.b ^ (w + (this.a >>> 15)), 0x27d4eb2f);
  }

  /** Feeds `text[start..end)` as one token. */
  token(text: string, start: number, end: number): void {
    let h = 0x811c9dc5 | 0;
    for (let i = start; i < end; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
    this.word(h);
    this.word(end - start);
  }

  /** 52 bits, as a whole number. */
  value(): number {
    const a = avalanche(this.a);
    const b = avalanche(this.b ^ a);
    return (a >>> 0) * 0x100000 + ((b >>> 0) & 0xfffff);
  }
}

function avalanche(x: number): number {
  let h = x;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** 64 bits over a whole text, 16 hexadecimal digits. */
export function hashText(text: string): string {
  let a = 0xdeadbeef ^ text.length;
  let b = 0x41c6ce57 ^ text.length;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 2654435761);
    b = Math.imul(b ^ c, 1597334677);
  }
  a = avalanche(a ^ (b >>> 7));
  b = avalanche(b ^ (a >>> 9));
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0');
}
