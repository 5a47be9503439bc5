/**
 * `npm run bench:agents -- <cases.json> <RefactorBench>`: two fixed scripts as agents, without a model, on the tasks of
 * RefactorBench that rename, move a file or add a parameter: what each calls, reads and writes, and how many of the
 * benchmark's own tests pass afterwards.
 *
 *     text       one search for the word, a window of 21 lines around the hits, one edit for each line that says it
 *     refactor   one call of the tool
 *
 * The first does what a careful agent does that has only text tools, and never errs in typing: its figures are a lower
 * bound of what such an agent needs. Bytes are those of the calls' arguments and of the answers.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import * as z from 'zod';
import { refactor } from '#src/agents/refactor.js';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import type { Call } from '#src/engine/service.js';

const WINDOW_LINES = 21;
const KINDS = ['rename', 'rename-file', 'add-parameter'];

const seed = z.object({ file: z.string().optional(), find: z.string().optional(), replace: z.string().optional() });
const task = z.object({
  id: z.string(),
  repository: z.string(),
  kind: z.string(),
  test: z.string(),
  seed: z.array(seed),
  refactor: z.array(z.array(z.string())).nullable(),
});
type Task = z.infer<typeof task>;

interface Cost {
  calls: number;
  read: number;
  written: number;
}

interface Row {
  readonly kind: string;
  readonly text: Cost & { readonly passed: boolean };
  readonly tool: Cost & { readonly passed: boolean };
}

/** A command of `cases.json` by its parts. */
interface Asked {
  readonly names: readonly string[];
  readonly flags: readonly (readonly [flag: string, value: string])[];
}

const [casesFile, benchmark] = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
if (casesFile === undefined || benchmark === undefined)
  throw new Error('usage: npm run bench:agents -- <cases.json> <checkout of RefactorBench>');
const { cases } = z.object({ cases: z.array(task) }).parse(JSON.parse(readFileSync(casesFile, 'utf8')));
const home = mkdtempSync(join(tmpdir(), 'codeplan-agents-'));
const rows: Row[] = [];
try {
  for (const one of cases) {
    if (!KINDS.includes(one.kind) || one.refactor?.length !== 1) continue;
    const root = laidOut(one.repository);
    const text = { ...byText(root, one), passed: passes(root, one) };
    putBack(root);
    const tool = { ...(await byTool(root, one)), passed: passes(root, one) };
    putBack(root);
    rows.push({ kind: one.kind, text, tool });
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
for (const kind of [...KINDS, 'all']) {
  const of = rows.filter((row) => kind === 'all' || row.kind === kind);
  for (const [script, costs] of [
    ['text', of.map(({ text }) => text)],
    ['refactor', of.map(({ tool }) => tool)],
  ] as const) {
    const sum = (value: (cost: Cost) => number): number => costs.reduce((total, cost) => total + value(cost), 0);
    const passed = costs.filter((cost) => cost.passed).length;
    process.stdout.write(
      `${kind.padEnd(14)} ${script.padEnd(9)} tasks ${of.length}, passed ${passed}, calls ` +
        `${sum(({ calls }) => calls)}, bytes read ${sum(({ read }) => read)}, bytes written ` +
        `${sum(({ written }) => written)}\n`,
    );
  }
}

// ---- the two scripts

function byText(root: string, { kind, seed: seeds, refactor: commands }: Task): Cost {
  const { names, flags } = asked(commands?.[0] ?? []);
  const [from = '', to = ''] = names;
  const cost: Cost = { calls: 0, read: 0, written: 0 };
  const words = kind === 'rename-file' ? [stemOf(from), stemOf(to)] : [nameOf(from), to];
  const [word = '', other = ''] = words;
  const hits = searched(root, word, cost);
  for (const [file, lines] of hits) for (const window of windowsOf(root, file, lines)) said(cost, file, window);
  if (kind === 'add-parameter')
    for (const { file, find, replace } of seeds)
      if (file !== undefined && find !== undefined && replace !== undefined) edited(root, file, find, replace, cost);
  if (kind === 'rename-file') {
    renameSync(join(root, from), join(root, to));
    said(cost, `mv ${from} ${to}`, '');
  }
  for (const [file, lines] of hits)
    for (const line of lines) {
      const path = kind === 'rename-file' && file === from ? to : file;
      const before = readFileSync(join(root, path), 'utf8').split('\n')[line - 1] ?? '';
      const after =
        kind === 'add-parameter' ? withValue(before, word, valueAt(file, flags)) : renamed(before, word, other, kind);
      if (after !== before) edited(root, path, before, after, cost);
    }
  return cost;
}

async function byTool(root: string, { kind, refactor: commands }: Task): Promise<Cost> {
  const { names, flags } = asked(commands?.[0] ?? []);
  const [block = '', to] = names;
  const of = (flag: string): string[] => flags.flatMap(([name, value]) => (name === flag ? [value] : []));
  const values = Object.fromEntries(
    of('--value').map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
  );
  const given = {
    what: kind === 'add-parameter' ? 'signature' : kind,
    block,
    ...(to === undefined ? {} : { to }),
    ...(of('--add').length === 0 ? {} : { add: of('--add') }),
    ...(of('--value').length === 0 ? {} : { values }),
    ...(of('--mentions').length === 0 ? {} : { mentions: of('--mentions').flatMap((kinds) => kinds.split(',')) }),
    apply: true,
  };
  const environment = { ...process.env, CODEPLAN_CACHE_DIR: join(home, 'cache'), XDG_STATE_HOME: join(home, 'state') };
  const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
  const client = { id: 'bench', name: 'bench', workingDirectory: root, environment };
  const service = engine.connect(client);
  const call: Call = { signal: new AbortController().signal, progress: () => undefined };
  try {
    await engine.warm();
    const { text } = await refactor.call(service, given, call);
    return { calls: 1, read: Buffer.byteLength(text), written: Buffer.byteLength(JSON.stringify(given)) };
  } finally {
    await service.close();
    await engine.close();
  }
}

function asked([, , ...words]: readonly string[]): Asked {
  const at = words.findIndex((word) => word.startsWith('--'));
  const flags = at < 0 ? [] : words.slice(at);
  return {
    names: at < 0 ? words : words.slice(0, at),
    flags: flags.flatMap((flag, i) => (flag.startsWith('--') ? [[flag, flags[i + 1] ?? ''] as const] : [])),
  };
}

// ---- what an agent has that works on text

/** Lines that say the word, by file. */
function searched(root: string, word: string, cost: Cost): Map<string, number[]> {
  const { stdout } = spawnSync('git', ['grep', '-nwIF', word], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
  said(cost, `grep -nw ${word}`, stdout);
  const hits = new Map<string, number[]>();
  for (const [, file = '', line = ''] of stdout.matchAll(/^(.+?):(\d+):/gmu))
    hits.set(file, [...(hits.get(file) ?? []), Number(line)]);
  return hits;
}

/** Windows around lines, those that overlap as one. */
function windowsOf(root: string, file: string, lines: readonly number[]): string[] {
  const text = readFileSync(join(root, file), 'utf8').split('\n');
  const half = Math.floor(WINDOW_LINES / 2);
  const windows: [number, number][] = [];
  for (const line of lines) {
    const last = windows.at(-1);
    if (last !== undefined && line - half <= last[1] + 1) last[1] = line + half;
    else windows.push([line - half, line + half]);
  }
  return windows.map(([from, to]) => text.slice(Math.max(0, from - 1), to).join('\n'));
}

/** As editing tools want it: the path, what stands there, what is to stand there. */
function edited(root: string, file: string, before: string, after: string, cost: Cost): void {
  const path = join(root, file);
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(before, () => after),
  );
  said(cost, `${file}${before}${after}`, '');
}

function said(cost: Cost, written: string, read: string): void {
  cost.calls++;
  cost.written += Buffer.byteLength(written);
  cost.read += Buffer.byteLength(read);
}

/** Of a file's name only what imports or spells its module. */
function renamed(line: string, from: string, to: string, kind: string): string {
  const pattern = kind === 'rename-file' ? `(?<=import .*|[./])\\b${from}\\b` : `\\b${from}\\b`;
  return line.replace(new RegExp(pattern, 'gu'), to);
}

/** A call that ends on its line gets a last argument. */
function withValue(line: string, name: string, value: string | undefined): string {
  const call = new RegExp(`(?<!def )\\b${name}\\(`, 'u').exec(line);
  if (call === null || value === undefined) return line;
  let depth = 0;
  for (let at = call.index + call[0].length - 1; at < line.length; at++) {
    if ('([{'.includes(line[at] ?? ' ')) depth++;
    if (')]}'.includes(line[at] ?? ' ') && --depth === 0)
      return `${line.slice(0, at)}${line[at - 1] === '(' ? '' : ', '}${value}${line.slice(at)}`;
  }
  return line;
}

/** `log=True` where it holds: the value for the file's folder, else that for all. */
function valueAt(file: string, flags: Asked['flags']): string | undefined {
  const values = flags.flatMap(([flag, value]) => (flag === '--value' ? [value] : []));
  const here = values.find((value) => {
    const folder = /^\w+@([^=]+)=/u.exec(value)?.[1];
    return folder !== undefined && file.startsWith(`${folder}/`);
  });
  return (here ?? values.find((value) => !value.includes('@')))?.replace(/@[^=]+/u, '');
}

function nameOf(block: string): string {
  return block.replace(/^.*[:.]/u, '');
}

function stemOf(path: string): string {
  return basename(path).replace(/\.[^.]+$/u, '');
}

// ---- the benchmark

/** One copy of each repository, put back after each script. */
function laidOut(repository: string): string {
  const root = join(home, repository);
  try {
    git(root, 'rev-parse', '--git-dir');
    return root;
  } catch {
    cpSync(join(resolve(benchmark ?? ''), 'repositories', `${repository}_refactor`), root, { recursive: true });
    git(root, 'init', '-q');
    git(root, 'add', '-A', '-f');
    git(root, '-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '-qm', 'before', '--no-verify');
    return root;
  }
}

function putBack(root: string): void {
  git(root, 'reset', '-q', '--hard');
  git(root, 'clean', '-fdxq');
}

function git(root: string, ...args: string[]): void {
  execFileSync('git', ['--git-dir', join(root, '.git'), '--work-tree', root, ...args], { cwd: root, stdio: 'ignore' });
}

/** The task's own tests, in a folder that is there only while they run. */
function passes(root: string, { test }: Task): boolean {
  const folder = join(root, 'rbtests');
  mkdirSync(folder);
  writeFileSync(join(folder, 'test.py'), readFileSync(join(resolve(benchmark ?? ''), test)));
  const args = ['-B', '-W', 'ignore', '-m', 'unittest', 'test'];
  const { status } = spawnSync('python3', args, { cwd: folder, env: { ...process.env, PYTHONPATH: folder } });
  rmSync(folder, { recursive: true });
  return status === 0;
}
