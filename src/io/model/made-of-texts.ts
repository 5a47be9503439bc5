/** The stores of what models made of texts, one of each for a process, opened when they are wanted. */
import { join } from 'node:path';
import * as z from 'zod';
import type { MadeOfTexts } from '../../engine/effects.js';
import { ContentStore, type Writing } from './content-store.js';

/** Sentences of some fifty thousand blocks, at five a block. */
const INTENTS_CHARACTERS = 32 * 1024 * 1024;
/** Some twenty thousand vectors of 1536 numbers. */
const VECTORS_CHARACTERS = 160 * 1024 * 1024;

const lists = z.array(z.string());

const intents: Writing<readonly string[]> = {
  write: (value) => JSON.stringify(value),
  read: (text) => {
    try {
      return lists.safeParse(JSON.parse(text)).data;
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  },
};

/** The bytes of 32-bit numbers, the lowest first. */
const vectors: Writing<Float32Array> = {
  write: (vector) => {
    const bytes = Buffer.alloc(vector.length * Float32Array.BYTES_PER_ELEMENT);
    vector.forEach((value, at) => bytes.writeFloatLE(value, at * Float32Array.BYTES_PER_ELEMENT));
    return bytes.toString('base64');
  },
  read: (text) => {
    const bytes = Buffer.from(text, 'base64');
    if (bytes.length === 0 || bytes.length % Float32Array.BYTES_PER_ELEMENT !== 0) return undefined;
    const vector = new Float32Array(bytes.length / Float32Array.BYTES_PER_ELEMENT);
    for (let at = 0; at < vector.length; at++) vector[at] = bytes.readFloatLE(at * Float32Array.BYTES_PER_ELEMENT);
    return vector.every(Number.isFinite) ? vector : undefined;
  },
};

export class MadeOnDisk implements MadeOfTexts {
  private ownIntents: ContentStore<readonly string[]> | undefined;
  private ownVectors: ContentStore<Float32Array> | undefined;

  constructor(private readonly cacheFolder: string) {}

  get intents(): ContentStore<readonly string[]> {
    const folder = join(this.cacheFolder, 'made', 'intents');
    return (this.ownIntents ??= new ContentStore(folder, { writing: intents, most: INTENTS_CHARACTERS }));
  }

  get vectors(): ContentStore<Float32Array> {
    const folder = join(this.cacheFolder, 'made', 'vectors');
    return (this.ownVectors ??= new ContentStore(folder, { writing: vectors, most: VECTORS_CHARACTERS }));
  }

  close(): void {
    this.ownIntents?.close();
    this.ownVectors?.close();
  }
}
