/** Some work with a file system of which every single call goes wrong in turn, in every way. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { FileSystem } from '#src/io/disk/file-system.js';
import { FAULTS, faultyFileSystem, type Fault } from './faulty-file-system.js';

const ALL = process.env['CODEPLAN_TEST_FAULTS'] === 'all';
/** Which of these a call fails with makes a difference to few; each gets one, and all with CODEPLAN_TEST_FAULTS=all. */
const CODES: readonly Fault[] = ['EIO', 'ENOSPC', 'EACCES'];

interface Tally {
  calls: number;
  faults: number;
  refused: number;
  killed: number;
}

/** Does the work once for each call and each fault; `check` sees how it ended. How many that were is in the output. */
export async function eachFault(
  t: TestContext,
  base: FileSystem,
  prepare: () => Promise<void> | void,
  work: (fs: FileSystem) => unknown,
  check: (fault: Fault, error: unknown) => Promise<void> | void,
  /** Of so many calls one is made to fail. */
  stride = 1,
): Promise<void> {
  await prepare();
  const counting = faultyFileSystem(undefined, 'EIO', base);
  await work(counting.fs);
  const tally: Tally = { calls: counting.calls(), faults: 0, refused: 0, killed: 0 };
  for (let at = 0; at < tally.calls; at += ALL ? 1 : stride) {
    for (const fault of ALL
      ? FAULTS
      : FAULTS.filter((each) => !CODES.includes(each) || each === CODES[at % CODES.length])) {
      await prepare();
      const faulty = faultyFileSystem(at, fault, base);
      const error = await endOf(() => work(faulty.fs));
      if (!faulty.struck()) continue;
      tally.faults++;
      if (fault === 'kill') tally.killed++;
      else if (error !== undefined) tally.refused++;
      try {
        await check(fault, error);
      } catch (failure) {
        throw new Error(`call ${at} of ${tally.calls}, ${fault}, ended with ${String(error)}: ${String(failure)}`, {
          cause: failure,
        });
      }
    }
  }
  t.diagnostic(
    `${tally.calls} calls, ${tally.faults} faults: ${tally.refused} refused, ${tally.killed} killed, ${tally.faults - tally.refused - tally.killed} borne`,
  );
  assert.ok(tally.killed > 0 && tally.refused > 0);
}

async function endOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
}
