/** Pictures of pages, where a person can look at them after the tests. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from './browser.js';

const PHOTOGRAPHS = fileURLToPath(new URL('../photographs/', import.meta.url));

export async function photographed(browser: Browser, name: string): Promise<void> {
  const picture = await browser.photograph();
  assert.deepEqual([...picture.subarray(1, 4)], [...Buffer.from('PNG')]);
  assert.ok(picture.length > 8000, `${name} is a picture of something: ${picture.length} bytes`);
  mkdirSync(PHOTOGRAPHS, { recursive: true });
  writeFileSync(join(PHOTOGRAPHS, `${name}.png`), picture);
}
