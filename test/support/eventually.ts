/** Waits for something that another process or the system does in its own time; fails with what was last seen. */
import assert from 'node:assert/strict';

const MS_MOST = 60_000;

export async function eventually<T>(what: string, probe: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const end = Date.now() + MS_MOST;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) assert.fail(`waited ${MS_MOST} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
