/**
 * DiffBLEU: how much the diff that a prediction makes is like the diff that was wanted, file by file.
 *
 * The published mean counts only files that both diffs touch, so a prediction that edits one file
 * right and nothing else scores 1; the strict mean counts every file that either touches, with 0
 * where the other does not. The diffs are git's, of both trees written to a repository of our own;
 * the words behind `@@` are part of what is scored, hence the attributes.
 *
 * Source: metrics of the CodePlan package (arXiv 2309.12499).
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bleu } from './bleu.js';
import { gitOutput, type Tree } from './tree.js';
import type { Profile } from './published-cases.js';

export interface DiffBleu {
  readonly mean: number;
  readonly strict: number;
  /** By file, of those that both diffs touch. */
  readonly files: ReadonlyMap<string, number>;
}

const OPTIONS: Readonly<Record<Profile, readonly string[]>> = {
  python: [],
  e1: ['--ignore-all-space', '--ignore-cr-at-eol', '--ignore-space-at-eol', '--ignore-blank-lines'],
  // The pattern has no caret: the authors' shell took it for an escape.
  e2: [
    '--ignore-space-at-eol',
    '--ignore-all-space',
    '--ignore-blank-lines',
    '--ignore-space-change',
    '--ignore-cr-at-eol',
    '--ignore-matching-lines=using\\s.*',
  ],
};

/** The trees must have the same files. */
export async function diffBleu(
  source: Tree,
  target: Tree,
  predicted: Tree,
  profile: Profile,
  signal: AbortSignal,
): Promise<DiffBleu> {
  const wanted = await diffs(source, target, profile, signal);
  const made = await diffs(source, predicted, profile, signal);
  const files = new Map<string, number>();
  let touched = 0;
  for (const file of [...source.keys()].sort(asOnWindows)) {
    const [p, r] = [made.get(file) ?? '', wanted.get(file) ?? ''];
    if (p !== '' || r !== '') touched++;
    if (p !== '' && r !== '') files.set(file, bleu(p, r));
  }
  const sum = [...files.values()].reduce((total, value) => total + value, 0);
  return { mean: files.size === 0 ? 0 : sum / files.size, strict: touched === 0 ? 0 : sum / touched, files };
}

/** The order in which the authors' files were summed, which the last digit depends on. */
function asOnWindows(a: string, b: string): number {
  const [x, y] = [a.replaceAll('/', '\\'), b.replaceAll('/', '\\')];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Diff of each file that differs, cleaned up as the authors' script does. */
async function diffs(source: Tree, other: Tree, profile: Profile, signal: AbortSignal): Promise<Map<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'codeplan-diff-'));
  try {
    await gitOutput(folder, ['init', '-q', '--bare', 'repository'], signal);
    writeFileSync(join(folder, 'attributes'), '*.cs diff=csharp\n*.py diff=python\n');
    const repository = join(folder, 'repository');
    const before = await writeTree(repository, join(folder, 'before'), source, signal);
    const after = await writeTree(repository, join(folder, 'after'), other, signal);
    const output = await gitOutput(
      repository,
      [
        '-c',
        `core.attributesFile=${join(folder, 'attributes')}`,
        '-c',
        'diff.algorithm=myers',
        '-c',
        'diff.indentHeuristic=true',
        '-c',
        'diff.context=3',
        'diff',
        '--no-color',
        '--no-renames',
        '--no-ext-diff',
        ...OPTIONS[profile],
        before,
        after,
      ],
      signal,
    );
    return new Map(
      output
        .toString('utf8')
        .replace(/\r\n|\r/g, '\n')
        .split(/^(?=diff --git )/m)
        .flatMap((part): [string, string][] => {
          const file = /^diff --git a\/(.*) b\/\1$/m.exec(part)?.[1];
          return file === undefined ? [] : [[file, cleaned(part, profile)]];
        }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeTree(repository: string, folder: string, tree: Tree, signal: AbortSignal): Promise<string> {
  for (const [path, text] of tree) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  mkdirSync(folder, { recursive: true });
  const at = ['--git-dir', repository, '--work-tree', folder, '-c', 'core.autocrlf=false', '-c', 'core.bare=false'];
  await gitOutput(folder, [...at, 'add', '-A', '-f', '.'], signal);
  return (await gitOutput(folder, [...at, 'write-tree'], signal)).toString('utf8').trim();
}

function cleaned(diff: string, profile: Profile): string {
  const first = diff.indexOf('@@');
  if (first === -1) return '';
  const hunks = diff.slice(first);
  if (profile !== 'e1') return hunks;
  return hunks
    .replace(/@@[^@]+@@/g, '')
    .replace(/^\+/, '')
    .replace(/^-/, '')
    .replace(/\n[+-]/g, '\n')
    .replace(/[\r\n]/g, '')
    .replace(/\s+/g, ' ');
}
