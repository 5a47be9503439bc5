/**
 * The fixtures of the repository, read from where they stand beside the compiled tests.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { parseFixture, type Fixture } from './fixture.js';

export const FIXTURES_ROOT = fileURLToPath(new URL('../../../fixtures/', import.meta.url));

/** Paths relative to the fixtures' folder, with `/`, sorted. */
export function fixturePaths(): readonly string[] {
  return readdirSync(FIXTURES_ROOT, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.txt'))
    .sort();
}

export function readFixture(path: string): Fixture {
  return parseFixture(readFileSync(join(FIXTURES_ROOT, path), 'utf8'));
}
