/** Permissions do not bind root, as whom tests may run; this does some work as nobody instead. */
import { chownSync } from 'node:fs';
import { join } from 'node:path';

const NOBODY = 65534;

/** For what refuses to run as root: the user as whom to start it, to whom `folder` belongs then. */
export function ordinaryUser(folder: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  chownSync(folder, NOBODY, NOBODY);
  return { uid: NOBODY, gid: NOBODY };
}

/** Gives `folder` and the paths in it to that user first. */
export async function asOrdinaryUser(
  folder: string,
  paths: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  if (process.getuid?.() !== 0 || process.seteuid === undefined) return work();
  for (const path of ['', ...paths]) chownSync(join(folder, path), NOBODY, NOBODY);
  process.seteuid(NOBODY);
  try {
    await work();
  } finally {
    process.seteuid(0);
  }
}
