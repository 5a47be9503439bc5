/**
 * Folders that a test fills and that go with it.
 *
 * Paths are real paths, so that they compare equal to what the program reports.
 */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';

export function temporaryFolder(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codeplan-test-')));
  t.after(() => removed(folder));
  return folder;
}

/**
 * Node lists a folder once however often it tries: what a process that is about to end still writes needs another look.
 */
function removed(folder: string): void {
  for (let looks = 3; existsSync(folder); looks--)
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    } catch (error) {
      if (looks === 0) throw error;
    }
}

/** In memory where the system has such a place: for tests that write often, and are not about the disk itself. */
export function quickFolder(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'codeplan-test-')));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files by path relative to `root`, with the folders that they need. */
export function writeFiles(root: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}
