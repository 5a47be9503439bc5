/** Campaigns by the real command line: their parts, and a host of proposals that is a file. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fleetReport, type FleetReport } from '#protocol/fleet.js';
import { git } from './git-repository.js';
import type { Home } from './program.js';
import type { Consumer, Files, SyntheticFleet } from './synthetic-fleet.js';
import { writeFiles } from './temporary-folder.js';

export async function changeFile(
  there: Home,
  folder: string,
  { from, to }: Pick<SyntheticFleet, 'from' | 'to'>,
): Promise<string> {
  writeFiles(join(folder, 'from'), from);
  writeFiles(join(folder, 'to'), to);
  const path = join(folder, 'change.json');
  const { code, stderr } = await there.run(folder, 'api', 'diff', 'from', 'to', '--out', path, '--quiet');
  assert.equal(code, 1, stderr);
  return path;
}

export async function report(there: Home, folder: string, ...args: string[]): Promise<FleetReport> {
  const { stdout, stderr, code } = await there.run(folder, 'fleet', ...args, '--json');
  assert.ok(code === 0 || code === 1, stderr);
  return fleetReport.parse(JSON.parse(stdout));
}

/** By the name of the folder that each lies in. */
export const byName = (told: FleetReport): ReadonlyMap<string, FleetReport['repositories'][number]> =>
  new Map(told.repositories.map((each) => [each.source.split('/').at(-1) ?? '', each]));

export function assertAnswers(told: FleetReport, consumers: readonly Consumer[]): void {
  const found = byName(told);
  for (const { name, state, reason, after } of consumers) {
    const each = found.get(name);
    assert.ok(each !== undefined, name);
    assert.equal(each.state, state, `${name}: ${each.reason}`);
    if (reason !== undefined) assert.match(each.reason, reason, name);
    if (after !== undefined && (state === 'checked' || state === 'proposed')) assertBranch(each, after);
  }
}

/** Where it was pushed, or where it lies ready. */
function assertBranch({ ready, key, source, state }: FleetReport['repositories'][number], after: Files): void {
  assert.ok(ready !== undefined, key);
  const place = state === 'proposed' ? source : ready.repository;
  for (const [file, text] of Object.entries(after)) {
    const found = git(place, '-c', 'core.fsmonitor=', 'show', `${ready.branch}:${file}`);
    assert.equal(found, text.trimEnd(), `${key} ${file}`);
  }
}

/** A host of proposals that is a file: `propose` writes a line, `look-up` says what of it is there. */
export function fakeHost(folder: string): { readonly args: string[]; readonly proposals: () => string[] } {
  const log = join(folder, 'proposals.log');
  const script = join(folder, 'host.mjs');
  writeFileSync(
    script,
    `import { appendFileSync, existsSync, readFileSync } from 'node:fs';
const [, , what, key] = process.argv;
const log = ${JSON.stringify(log)};
if (what === 'propose') { appendFileSync(log, key + '\\n'); console.log('https://host.example/' + key); }
else if (existsSync(log) && readFileSync(log, 'utf8').split('\\n').includes(key)) console.log('open https://host.example/' + key);
`,
  );
  const quoted = (what: string): string => `"${process.execPath}" "${script}" ${what} {key}`;
  return {
    args: ['--propose', quoted('propose'), '--look-up', quoted('look')],
    proposals: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').sort() : []),
  };
}
