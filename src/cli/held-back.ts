/** What a command writes, kept until it has ended: only then is it known whether it fits the terminal. */
import { Writable } from 'node:stream';
import type { World } from './world.js';

export function heldBack({ isTTY }: World['stdout']): { readonly stream: World['stdout']; text(): string } {
  const pieces: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (piece: string | Buffer, _encoding, done) => {
      pieces.push(piece.toString());
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY: isTTY === true }), text: () => pieces.join('') };
}
