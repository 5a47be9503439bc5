/**
 * The plan in VS Code's own refactor preview, which the server's edits open since each is to be confirmed: every hunk
 * can be taken or left there, and all that is taken is one step to undo. Nothing is edited before.
 */
import { valueFor } from './ask.js';
import type { Server } from './server.js';

/** Makes the plan, asks for the values that it lacks, each for all places or for one, and has it shown. */
export async function preview(server: Server): Promise<void> {
  const values: Record<string, string> = {};
  const asked = new Set<string>();
  for (;;) {
    const { run, open } = await server.plan(values);
    const lacking = open.find(({ value, key = '' }) => value !== undefined && !asked.has(value) && !asked.has(key));
    if (lacking?.value === undefined) return server.offer(run);
    const given = await valueFor(lacking);
    Object.assign(values, given);
    for (const name of Object.keys(given ?? { [lacking.value]: '' })) asked.add(name);
  }
}
