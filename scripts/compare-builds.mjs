/**
 * Whether two builds of the program give the same answers, byte for byte.
 *
 *     node scripts/compare-builds.mjs <one>/dist/cli/main.js <other>/dist/cli/main.js
 *          [--graph <repository>]...        compares `graph export` of each
 *          [--edits <folder>] [--only <n>]  compares `impact --json --all` and `propagate --model none --json`
 *                                           of each `<folder>/<case>/{before,after}`; every n-th case
 *
 * Prints a line for each comparison and the first place where two answers differ; exit code 1 if any does.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

const CONTEXT = 100;
const ANSWER_BYTES_MOST = 2 ** 30;

const { builds, graphs, edits, every } = read(process.argv.slice(2));
const scratch = mkdtempSync(join(tmpdir(), 'compare-builds-'));
let differing = 0;
try {
  for (const repository of graphs)
    compare(`graph ${basename(repository)}`, ['graph', 'export', '-', '--root', repository]);
  const cases =
    edits === undefined
      ? []
      : readdirSync(edits)
          .sort()
          .filter((_, i) => i % every === 0);
  for (const name of cases) {
    const trees = ['--root', join(edits, name, 'after'), '--base-dir', join(edits, name, 'before')];
    compare(`impact ${name}`, ['impact', '--json', '--all', ...trees]);
    compare(`propagate ${name}`, ['propagate', '--model', 'none', '--json', ...trees]);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.stdout.write(differing === 0 ? 'all equal\n' : `${differing} differ\n`);
process.exitCode = differing === 0 ? 0 : 1;

function compare(what, args) {
  const [one, other] = builds.map((build, i) => answer(build, args, join(scratch, String(i))));
  if (one.text === other.text && one.status === other.status) {
    process.stdout.write(`equal    ${what} (${one.text.length} characters, ${one.seconds} s and ${other.seconds} s)\n`);
    return;
  }
  differing++;
  let at = 0;
  while (at < one.text.length && one.text[at] === other.text[at]) at++;
  const around = ({ text }) => JSON.stringify(text.slice(Math.max(0, at - CONTEXT), at + CONTEXT));
  process.stdout.write(
    `DIFFERS  ${what}: exit ${one.status} and ${other.status}, at character ${at}\n  ${around(one)}\n  ${around(other)}\n`,
  );
}

/** What a build says; each keeps a cache of its own, so that neither reads the other's summaries. */
function answer(build, args, home) {
  const start = process.hrtime.bigint();
  const { stdout, stderr, status } = spawnSync(process.execPath, [build, ...args, '--no-daemon', '--quiet'], {
    encoding: 'utf8',
    maxBuffer: ANSWER_BYTES_MOST,
    env: { ...process.env, XDG_CACHE_HOME: join(home, 'cache'), XDG_STATE_HOME: join(home, 'state') },
  });
  const seconds = (Number(process.hrtime.bigint() - start) / 1e9).toFixed(1);
  return { text: status === 2 ? stdout + stderr : stdout, status, seconds };
}

function read(args) {
  const found = { builds: [], graphs: [], edits: undefined, every: 1 };
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '--graph') found.graphs.push(resolve(args[++i]));
    else if (args[i] === '--edits') found.edits = resolve(args[++i]);
    else if (args[i] === '--only') found.every = Number(args[++i]);
    else found.builds.push(resolve(args[i]));
  }
  if (found.builds.length !== 2) throw new Error('give two builds: <one>/dist/cli/main.js <other>/dist/cli/main.js');
  return found;
}
