/**
 * Bytes of a source file to text and back.
 *
 * The text has no byte order mark, so offsets in it are offsets after the mark; the mark is
 * remembered beside it and put back when the file is written. What is not UTF-8, or not written
 * by a person, is refused with a reason instead of being half understood.
 */
import { isAscii, isUtf8 } from 'node:buffer';

export type SourceText =
  | { readonly ok: true; readonly text: string; readonly byteOrderMark: boolean }
  | { readonly ok: false; readonly reason: string };

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const REPLACEMENT = Buffer.from('\uFFFD', 'utf8');
/** Shorter texts are never called minified, whatever their lines are like. */
const MINIFIED_LENGTH_LEAST = 20_000;
/** Mean line length in bytes above which nobody wrote the file by hand. Large tables of data stay below. */
const MINIFIED_LINE_MEAN = 400;

export function decodeSource(bytes: Buffer): SourceText {
  if (isAscii(bytes)) return bytes.includes(0) ? binary : readable(bytes, bytes.toString('latin1'), false);
  if (bytes.includes(0)) return binary;
  if (!isUtf8(bytes)) return { ok: false, reason: `not UTF-8 (byte ${firstBadByte(bytes)}); save the file as UTF-8` };
  const byteOrderMark = bytes.subarray(0, MARK.length).equals(MARK);
  return readable(bytes, bytes.toString('utf8', byteOrderMark ? MARK.length : 0), byteOrderMark);
}

export function encodeSource(text: string, byteOrderMark: boolean): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  return byteOrderMark ? Buffer.concat([MARK, bytes]) : bytes;
}

const binary: SourceText = { ok: false, reason: 'holds NUL bytes, so it is no UTF-8 text; save the file as UTF-8' };

function readable(bytes: Buffer, text: string, byteOrderMark: boolean): SourceText {
  if (bytes.length >= MINIFIED_LENGTH_LEAST && bytes.length / lineCount(bytes) > MINIFIED_LINE_MEAN)
    return { ok: false, reason: 'looks minified or generated: its lines are too long to be written by hand' };
  return { ok: true, text, byteOrderMark };
}

function lineCount(bytes: Buffer): number {
  let lines = 1;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++;
  return lines;
}

/**
 * Offset of the first byte that starts no valid character: where a lenient decoder first puts U+FFFD that the bytes do
 * not hold.
 */
function firstBadByte(bytes: Buffer): number {
  const text = bytes.toString('utf8');
  for (let at = text.indexOf('\uFFFD'); at !== -1; at = text.indexOf('\uFFFD', at + 1)) {
    const offset = Buffer.byteLength(text.slice(0, at), 'utf8');
    if (!bytes.subarray(offset, offset + 3).equals(REPLACEMENT)) return offset;
  }
  return bytes.length;
}
