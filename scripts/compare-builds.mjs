/**
 * Whether two builds of the program give the same answers, byte for byte.
 *
 *     node scripts/compare-builds.mjs <one>/dist/cli/main.js <other>/dist/cli/main.js
 *          [--graph <repository>]...            compares `graph export` of each
 *          [--edits <cases.json> <mirrors>      compares `impact --json --all` and `propagate --model none --json` of
 *           [--of <owner>/<name>]... [--most <n>]]  each case: the tree before a commit, with the blocks that a person
 *                                               edited first as the commit left them. `<mirrors>/<owner>+<name>/repo`
 *                                               are bare; `--most` cases of each repository.
 *
 * The names of runs, which are made anew each time, are left aside. Prints a line for each comparison, and where
 * answers differ the entries that only one of them has; exit code 1 if any does.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

const CONTEXT = 100;
const ENTRIES_MOST = 5;
const ANSWER_BYTES_MOST = 2 ** 30;

const { builds, graphs, edits, of, most } = read(process.argv.slice(2));
const scratch = mkdtempSync(join(tmpdir(), 'compare-builds-'));
let differing = 0;
try {
  for (const repository of graphs)
    compare(`graph ${basename(repository)}`, ['graph', 'export', '-', '--root', repository]);
  if (edits !== undefined) for (const one of casesOf(edits.cases)) compareCase(one, edits.mirrors);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.stdout.write(differing === 0 ? 'all equal\n' : `${differing} differ\n`);
process.exitCode = differing === 0 ? 0 : 1;

function casesOf(path) {
  const taken = new Map();
  return JSON.parse(readFileSync(path, 'utf8')).cases.filter(({ repo }) => {
    if (of.length > 0 && !of.includes(repo)) return false;
    taken.set(repo, (taken.get(repo) ?? 0) + 1);
    return taken.get(repo) <= most;
  });
}

/** The trees of a repository's cases lie at the same place one after another, so that its cache is of use. */
function compareCase(one, mirrors) {
  const mirror = join(mirrors, one.repo.replace('/', '+'), 'repo');
  const place = join(scratch, one.repo.replace('/', '+'));
  const before = join(place, 'before');
  const after = join(place, 'after');
  rmSync(place, { recursive: true, force: true });
  mkdirSync(before, { recursive: true });
  // A mirror may lack large files that are no sources: what it has is written.
  const index = { ...process.env, GIT_INDEX_FILE: join(place, 'index') };
  git(mirror, ['read-tree', one.before], index);
  spawnSync('git', ['--git-dir', mirror, 'checkout-index', '--all', `--prefix=${before}/`], { env: index });
  cpSync(before, after, { recursive: true, verbatimSymlinks: true });
  for (const file of new Set(one.seeds.map(({ file }) => file))) edit(one, file, mirror, after);
  const trees = ['--root', after, '--base-dir', before];
  compare(`impact ${one.id}`, ['impact', '--json', '--all', ...trees]);
  compare(`propagate ${one.id}`, ['propagate', '--model', 'none', '--json', ...trees]);
}

/** Sets the seeds of a file to what the commit made of them; one that moved to another file is put at that one's end. */
function edit({ seeds, after: commit }, file, mirror, tree) {
  const lines = readFileSync(join(tree, file), 'utf8').split('\n');
  const own = seeds.filter((seed) => seed.file === file && seed.linesBefore !== undefined && seed.linesBefore !== null);
  for (const seed of own.sort((a, b) => b.linesBefore[0] - a.linesBefore[0])) {
    const [first, last] = seed.linesBefore;
    const isGone = seed.linesAfter === undefined || seed.linesAfter === null || seed.change === 'delete';
    const to = seed.fileAfter ?? file;
    const now = isGone
      ? []
      : git(mirror, ['show', `${commit}:${to}`])
          .toString('utf8')
          .split('\n')
          .slice(seed.linesAfter[0] - 1, seed.linesAfter[1]);
    lines.splice(first - 1, last - first + 1, ...(to === file ? now : []));
    if (to === file || isGone) continue;
    const target = join(tree, to);
    mkdirSync(dirname(target), { recursive: true });
    const there = existsSync(target) ? `${readFileSync(target, 'utf8')}\n${now.join('\n')}\n` : undefined;
    writeFileSync(target, there ?? git(mirror, ['show', `${commit}:${to}`]));
  }
  writeFileSync(join(tree, file), lines.join('\n'));
}

function git(repository, args, env = process.env) {
  const { stdout, stderr, status } = spawnSync('git', ['--git-dir', repository, ...args], {
    env,
    maxBuffer: ANSWER_BYTES_MOST,
  });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.toString('utf8')}`);
  return stdout;
}

function compare(what, args) {
  const [one, other] = builds.map((build, i) => answer(build, args, join(scratch, String(i))));
  if (one.text === other.text && one.status === other.status) {
    process.stdout.write(`equal    ${what} (${one.text.length} characters, ${one.seconds} s and ${other.seconds} s)\n`);
    return;
  }
  differing++;
  process.stdout.write(`DIFFERS  ${what}: exit ${one.status} and ${other.status}\n`);
  const [left, right] = [one, other].map(entriesOf);
  const only = (own, others) => [...own].filter((entry) => !others.has(entry));
  const gone = only(left, right);
  const come = only(right, left);
  if (gone.length === 0 && come.length === 0) {
    let at = 0;
    while (at < one.text.length && one.text[at] === other.text[at]) at++;
    for (const { text } of [one, other])
      process.stdout.write(`  ${JSON.stringify(text.slice(Math.max(0, at - CONTEXT), at + CONTEXT))}\n`);
    return;
  }
  process.stdout.write(`  ${gone.length} only in the first, ${come.length} only in the second\n`);
  for (const [sign, entries] of [
    ['-', gone],
    ['+', come],
  ])
    for (const entry of entries.slice(0, ENTRIES_MOST)) process.stdout.write(`  ${sign} ${entry}\n`);
}

/** The entries of a document's lists, each as one line: of a step the text that it makes counts, not its number. */
function entriesOf({ text }) {
  try {
    const document = JSON.parse(text);
    return new Set(
      Object.entries(document).flatMap(([list, entries]) =>
        Array.isArray(entries)
          ? entries.map((entry) => `${list} ${JSON.stringify({ ...entry, id: undefined, causes: undefined })}`)
          : [`${list} ${JSON.stringify(entries)}`],
      ),
    );
  } catch {
    return new Set(text.split('\n'));
  }
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
  const text = status === 2 ? stdout + stderr : stdout;
  return { text: withoutRun(text), status, seconds };
}

function withoutRun(text) {
  const run = /"run": ?"([^"]+)"/u.exec(text)?.[1];
  return run === undefined ? text : text.replaceAll(run, '<run>');
}

function read(args) {
  const found = { builds: [], graphs: [], edits: undefined, of: [], most: Infinity };
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '--graph') found.graphs.push(resolve(args[++i]));
    else if (args[i] === '--edits') found.edits = { cases: resolve(args[++i]), mirrors: resolve(args[++i]) };
    else if (args[i] === '--of') found.of.push(args[++i]);
    else if (args[i] === '--most') found.most = Number(args[++i]);
    else found.builds.push(resolve(args[i]));
  }
  if (found.builds.length !== 2) throw new Error('give two builds: <one>/dist/cli/main.js <other>/dist/cli/main.js');
  return found;
}
