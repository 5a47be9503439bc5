/**
 * A published case as trees: source, target, the state in which planning starts, and what each
 * approach of the package predicted.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { blockNamed } from '../change/block-name.js';
import { matchBlocks } from '../change/match-blocks.js';
import { ServiceError } from '../engine/service.js';
import { summarise } from '../languages/summarise.js';
import type { Grammars } from '../syntax/grammar.js';
import type { Summary } from '../syntax/summary.js';
import { textAfter } from './difference-page.js';
import type { PublishedCase } from './published-cases.js';
import { fileOfRevision, gitOutput, treeOfRevision, type Tree } from './tree.js';

export interface LaidOutCase {
  readonly published: PublishedCase;
  readonly source: Tree;
  readonly target: Tree;
  /** Source with all seeds: where a person stands who has made the root edits. */
  readonly seeded: Tree;
  readonly predictions: ReadonlyMap<string, Prediction>;
}

export interface Prediction {
  readonly tree: Tree;
  /** What the package says of it. */
  readonly published: {
    readonly diffBleu: number;
    readonly levenshtein: number;
    readonly matched: number;
    readonly missed: number;
    readonly spurious: number;
  };
}

/**
 * `packageDirectory` is a clone of the package, `upstreams` a folder with clones of the upstream repositories.
 * Throws ServiceError.
 */
export async function layOutCase(
  published: PublishedCase,
  packageDirectory: string,
  upstreams: string,
  grammars: Grammars,
  signal: AbortSignal,
): Promise<LaidOutCase> {
  const { folder, suffix, upstream } = published;
  const read = (path: string): Promise<string> =>
    fileOfRevision(packageDirectory, 'HEAD', `data/${folder}/${path}`, signal);
  const side = async (name: 'source' | 'target'): Promise<Tree> =>
    upstream === undefined
      ? treeOfRevision(packageDirectory, 'HEAD', `data/${folder}/${name}`, suffix, signal)
      : treeOfRevision(cloneOf(upstream, upstreams), (await read(name)).trim(), '', suffix, signal);
  const source = await side('source');
  const target = new Map(await side('target'));
  for (const file of published.prepared)
    target.set(
      file,
      textAfter(await read('pred/codeplan/diff.html'), file, 'Source vs Target', source.get(file) ?? ''),
    );
  const predictions = new Map<string, Prediction>();
  for (const approach of await approaches(packageDirectory, folder, signal)) {
    const tree =
      upstream === undefined
        ? await treeOfRevision(packageDirectory, 'HEAD', `data/${folder}/pred/${approach}/repo`, suffix, signal)
        : rebuilt(source, await read(`pred/${approach}/diff.html`));
    predictions.set(approach, { tree, published: summaryOf(JSON.parse(await read(`pred/${approach}/metrics.json`))) });
  }
  return { published, source, target, seeded: seededTree(published, source, target, grammars), predictions };
}

function cloneOf(upstream: string, upstreams: string): string {
  const [owner, name] = upstream.split('/') as [string, string];
  const places = [upstream, `${owner}+${name}`, name]
    .flatMap((place) => [place, `${place}.git`, `${place}/repo`])
    .map((place) => join(upstreams, place));
  const found = places.find((place) => existsSync(join(place, '.git')) || existsSync(join(place, 'HEAD')));
  if (found === undefined)
    throw new ServiceError(
      'settings',
      `${upstreams} has no clone of ${upstream}: expected it as ${upstream}, ${owner}+${name} or ${name}`,
    );
  return found;
}

async function approaches(packageDirectory: string, folder: string, signal: AbortSignal): Promise<string[]> {
  const listing = await gitOutput(packageDirectory, ['ls-tree', '--name-only', `HEAD:data/${folder}/pred`], signal);
  return listing.toString('utf8').trim().split('\n');
}

function rebuilt(source: Tree, page: string): Tree {
  return new Map([...source].map(([file, text]) => [file, textAfter(page, file, 'Source vs Predicted', text)]));
}

function summaryOf(metrics: unknown): Prediction['published'] {
  const { summary } = metrics as { summary: Record<string, number> };
  const value = (name: string): number => summary[name] ?? NaN;
  return {
    diffBleu: value('avg_diff_bleu'),
    levenshtein: value('total_ld'),
    matched: value('matched_blocks'),
    missed: value('missed_blocks'),
    spurious: value('spurious_blocks'),
  };
}

// ---- where planning starts

interface Version {
  readonly text: string;
  readonly summary: Summary;
}

function seededTree({ start }: PublishedCase, source: Tree, target: Tree, grammars: Grammars): Tree {
  const version = (tree: Tree, file: string): Version => {
    const text = tree.get(file) ?? '';
    const summary = summarise(grammars, file, text);
    if (summary === undefined) throw new ServiceError('settings', `${file} is no source file`);
    return { text, summary };
  };
  if (start.kind === 'follows') {
    const out = new Map(target);
    for (const [file, names] of [...Object.entries(start.blocks), ...Object.entries(start.unexplained)])
      out.set(file, withBlocksOf(version(new Map([[file, out.get(file) ?? '']]), file), version(source, file), names));
    return out;
  }
  const out = new Map(source);
  for (const file of start.files) out.set(file, target.get(file) ?? '');
  for (const [file, lines] of Object.entries(start.lines))
    for (const line of lines) out.set(file, withLine(out.get(file) ?? '', target.get(file) ?? '', line));
  for (const [file, names] of Object.entries(start.blocks))
    for (const name of names)
      out.set(file, withSeed(version(new Map([[file, out.get(file) ?? '']]), file), version(target, file), name));
  return out;
}

/** The text with some blocks, named as `other` names them, as they are in `other`. */
function withBlocksOf(version: Version, other: Version, names: readonly string[]): string {
  const pairs = matchBlocks(version, other).pairs.filter((pair) =>
    names.some((name) => blockNamed(other.summary, name) === pair.after),
  );
  let { text } = version;
  for (const pair of pairs.sort(
    (a, b) => version.summary.decls.startOf(b.before) - version.summary.decls.startOf(a.before),
  )) {
    const from = other.summary.decls;
    const to = version.summary.decls;
    text =
      text.slice(0, to.startOf(pair.before)) +
      other.text.slice(from.startOf(pair.after), from.endOf(pair.after)) +
      text.slice(to.endOf(pair.before));
  }
  return text;
}

/**
 * The text with one block of the target and the comment lines above it; a new block goes where the line above it
 * stands.
 */
function withSeed(version: Version, target: Version, name: string): string {
  const wanted = linesOf(target, name);
  if (wanted === undefined) throw new ServiceError('settings', `the target has no ${name}`);
  const there = target.text.split(/(?<=\n)/);
  const block = there.slice(wanted.first, wanted.last + 1).join('');
  const now = linesOf(version, name);
  const lines = version.text.split(/(?<=\n)/);
  if (now !== undefined) return [...lines.slice(0, now.first), block, ...lines.slice(now.last + 1)].join('');
  return inserted(lines, there, wanted.first, block);
}

function withLine(text: string, target: string, line: string): string {
  const there = target.split(/(?<=\n)/);
  const at = there.findIndex((candidate) => candidate.trim() === line);
  return inserted(text.split(/(?<=\n)/), there, at, there[at] ?? '');
}

/** Puts lines below the nearest line above them in the target that this text has too, with the blank lines between. */
function inserted(lines: readonly string[], there: readonly string[], at: number, block: string): string {
  let above = at - 1;
  while (above >= 0 && ((there[above] as string).trim() === '' || !lines.includes(there[above] as string))) above--;
  const place = above < 0 ? 0 : lines.indexOf(there[above] as string) + 1;
  return [...lines.slice(0, place), ...there.slice(above + 1, at), block, ...lines.slice(place)].join('');
}

function linesOf({ text, summary }: Version, name: string): { first: number; last: number } | undefined {
  const row = blockNamed(summary, name);
  if (row === undefined) return undefined;
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length - 1;
  const lines = text.split('\n');
  let first = lineOf(summary.decls.startOf(row));
  while (first > 0 && /^\s*(?:\/\/|#)/.test(lines[first - 1] as string)) first--;
  return { first, last: lineOf(summary.decls.endOf(row) - 1) };
}
