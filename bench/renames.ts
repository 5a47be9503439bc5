/**
 * `npm run bench:renames -- --truth <file> --root <dir> [--misses <n>] [--only <name>]`: renames
 * definitions of a repository one by one, and compares what the rewrites touch with the references
 * that a compiler finds.
 *
 * The truth is a JSON file: `definitions` with `file`, `line` (from 1), `qualifiedName`, `kind`,
 * `name`, and `references` with `file`, `line`, `col` (from 0) and `resolution`. Sites that are
 * `static` must be renamed; all others of the list may be. A site outside of the list that is
 * renamed counts as wrong, save declarations, names in comments and strings, of which a compiler says
 * nothing, and sites that by the resolver mean a member which has to keep one name with the renamed
 * one (`family`): what overrides the same base. Sites in files beyond `scope` are not judged.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import { blockName } from '#src/change/block-name.js';
import { isOwnBlock } from '#src/change/match-blocks.js';
import { GivenValues } from '#src/edit/mechanical/calls/given-values.js';
import { runPlan } from '#src/engine/plan-run.js';
import { familyOf } from '#src/impact/family.js';
import { grammarsOfThread } from '#src/io/index/grammar-bytes.js';
import { STEPS_MOST, type Plan } from '#src/plan/plan-graph.js';
import { D, E, F, R, type Summary } from '#src/syntax/summary.js';
import { option } from './option.js';
import { treeOf } from './indexing.js';
import { readSources } from './sources.js';

const Truth = z.object({
  scope: z.array(z.string()),
  definitions: z.array(
    z.object({
      file: z.string(),
      line: z.number(),
      kind: z.string(),
      name: z.string(),
      qualifiedName: z.string(),
      references: z.array(z.object({ file: z.string(), line: z.number(), col: z.number(), resolution: z.string() })),
    }),
  ),
});
type Definition = z.infer<typeof Truth>['definitions'][number];

interface Score {
  definitions: number;
  right: number;
  wrong: number;
  /** Sites that mean another member of the family. */
  family: number;
  /** References that had to be renamed. */
  wanted: number;
  touched: number;
  /** Of those not renamed, how many lie in a block with an open step. */
  open: number;
}

const truthFile = option('--truth');
const folder = option('--root');
if (truthFile === undefined || folder === undefined)
  throw new Error('usage: npm run bench:renames -- --truth <file> --root <dir> [--misses <n>] [--only <name>]');
let missesLeft = Number(option('--misses') ?? 0);
const only = option('--only');

const truth = Truth.parse(JSON.parse(readFileSync(truthFile, 'utf8')));
const scope = new Set(truth.scope);
const sources = await readSources(resolve(folder));
const grammars = await grammarsOfThread();
const tree = treeOf(sources, grammars);

const scores = new Map<string, Score>();
let absent = 0;
for (const definition of truth.definitions) {
  // A constructor has no name of its own.
  if (
    definition.kind === 'constructor' ||
    !/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(definition.name) ||
    (only !== undefined && definition.name !== only)
  )
    continue;
  const starts = declarationsOf(definition);
  if (starts.length === 0) absent++;
  else await judge(definition, starts);
}
print();

/**
 * Offsets of the definition's name: all blocks of its path, since the truth takes them for one, and all
 * assignments that declare a field.
 */
function declarationsOf({ file, qualifiedName, name }: Definition): number[] {
  const summary = tree.snapshot.summary(file);
  if (summary === undefined) return [];
  const { decls } = summary;
  const rows = Array.from({ length: decls.count }, (_, row) => row).filter(
    (row) =>
      summary.decls.nameOf(row) === name &&
      summary.decls.pathOf(row) === qualifiedName &&
      (isOwnBlock(summary, row) || decls.has(row, F.reassigned)),
  );
  return [...new Set(rows.map((row) => decls.nameStartOf(row)))].filter(
    (start) => start >= 0 && tree.text(file)?.startsWith(name, start) === true,
  );
}

async function judge(definition: Definition, starts: readonly number[]): Promise<void> {
  const { file, name, kind } = definition;
  const renamed = `${name}Renamed`;
  const text = tree.text(file) as string;
  const edited = [...starts]
    .sort((a, b) => b - a)
    .reduce((now, start) => now.slice(0, start) + renamed + now.slice(start + name.length), text);
  const seeded = tree.with(new Map([[file, edited]]), grammars);
  const result = await runPlan(tree, seeded, {
    grammars,
    values: new GivenValues({}),
    certainOnly: false,
    stepsMost: STEPS_MOST,
    planning: true,
    askAll: false,
    signal: new AbortController().signal,
    progress: () => undefined,
  });
  const score = scores.get(kind) ?? { definitions: 0, right: 0, wrong: 0, family: 0, wanted: 0, touched: 0, open: 0 };
  scores.set(kind, score);
  score.definitions++;
  const touched = new Map(
    result.tree.editedFiles.map((path) => [
      path,
      renamedSites(tree.text(path) ?? '', result.tree.text(path) ?? '', name, renamed),
    ]),
  );
  const family = familyAt(file, starts);
  const known = new Map<string, string>();
  for (const { file: path, line, col, resolution } of definition.references) {
    const offset = offsetOf(path, line, col);
    if (offset !== undefined && isWord(tree.text(path) ?? '', offset, name)) known.set(`${path} ${offset}`, resolution);
  }
  for (const [path, sites] of touched) {
    for (const offset of sites) {
      if (known.has(`${path} ${offset}`)) score.right++;
      else if (meansFamily(path, offset, family)) score.family++;
      else if (scope.has(path) && !isDeclared(path, offset) && !isSpelled(path, offset))
        miss(score, 'wrong', definition, path, offset);
    }
  }
  for (const [key, resolution] of known) {
    const [path, at] = [key.slice(0, key.lastIndexOf(' ')), Number(key.slice(key.lastIndexOf(' ') + 1))];
    if (resolution !== 'static' || (starts.includes(at) && path === file)) continue;
    score.wanted++;
    if (touched.get(path)?.has(at) === true) score.touched++;
    else if (isOpen(result.plan, path, at)) score.open++;
    else miss(score, undefined, definition, path, at);
  }
}

function miss(score: Score, what: 'wrong' | undefined, definition: Definition, file: string, offset: number): void {
  if (what !== undefined) score[what]++;
  if (missesLeft-- <= 0) return;
  const text = tree.text(file) ?? '';
  const line = text.slice(0, offset).split('\n').length;
  process.stdout.write(
    `${what ?? 'missed'}: ${definition.kind} ${definition.qualifiedName} ` +
      `(${definition.file}:${definition.line}) at ${file}:${line}: ` +
      `${text.split('\n')[line - 1]?.trim() ?? ''}\n`,
  );
}

/** Offsets in the text before at which the old name was replaced, spelled-out shorthands included. */
function renamedSites(before: string, after: string, from: string, to: string): Set<number> {
  const out = new Set<number>();
  let at = 0;
  let now = 0;
  while (at < before.length) {
    // A shorthand that was spelled out has a colon that was not there.
    const forms = /^\s*:/.test(before.slice(at + from.length, at + from.length + 8))
      ? [to]
      : [to, `${from}: ${to}`, `${to}: ${from}`];
    const spelled = isWord(before, at, from) ? forms.find((form) => isWord(after, now, form)) : undefined;
    if (spelled !== undefined) {
      out.add(at);
      at += from.length;
      now += spelled.length;
    } else {
      at++;
      now++;
    }
  }
  return out;
}

function isWord(text: string, at: number, word: string): boolean {
  return (
    text.startsWith(word, at) && !/[\w$]/.test(text[at - 1] ?? ' ') && !/[\w$]/.test(text[at + word.length] ?? ' ')
  );
}

function offsetOf(file: string, line: number, col: number): number | undefined {
  const start = tree.snapshot.summary(file)?.lineStarts[line - 1];
  return start === undefined ? undefined : start + col;
}

const rowsOf = ({ count }: { readonly count: number }): number[] => Array.from({ length: count }, (_, row) => row);

function isDeclared(file: string, offset: number): boolean {
  const { decls } = tree.snapshot.summary(file) as Summary;
  return rowsOf(decls).some((row) => decls.nameStartOf(row) === offset && decls.kindOf(row) !== D.importBinding);
}

/** The members that must keep one name with those declared at these offsets, as `file decl`. */
function familyAt(file: string, starts: readonly number[]): ReadonlySet<string> {
  const { decls } = tree.snapshot.summary(file) as Summary;
  const rows = rowsOf(decls).filter((row) => starts.includes(decls.nameStartOf(row)));
  return new Set(
    rows.flatMap((decl) => familyOf(tree.resolver, { file, decl })).map((ref) => `${ref.file} ${ref.decl}`),
  );
}

function meansFamily(file: string, offset: number, family: ReadonlySet<string>): boolean {
  const { exprs } = tree.snapshot.summary(file) as Summary;
  const row = rowsOf(exprs).findIndex(
    (expr) => exprs.startOf(expr) === offset && (exprs.opOf(expr) === E.name || exprs.opOf(expr) === E.member),
  );
  return (
    row >= 0 && tree.resolver.resolve(file, row).targets.some((target) => family.has(`${target.file} ${target.decl}`))
  );
}

/** In a documentation comment or a list of exported names. */
function isSpelled(file: string, offset: number): boolean {
  const { exprs } = tree.snapshot.summary(file) as Summary;
  return rowsOf(exprs).some(
    (row) => exprs.startOf(row) === offset && (exprs.roleOf(row) === R.doc || exprs.opOf(row) === E.string),
  );
}

/** Whether a step that somebody still has to do is about the block around the offset. */
function isOpen(plan: Plan, file: string, offset: number): boolean {
  const summary = tree.snapshot.summary(file) as Summary;
  const { decls } = summary;
  const around = new Set(['<module>']);
  for (let row = 0; row < decls.count; row++)
    if (isOwnBlock(summary, row) && decls.startOf(row) <= offset && offset < decls.endOf(row))
      around.add(blockName(summary, row));
  return plan.steps.some(
    (step) => step.file === file && (step.open !== undefined || step.status === 'pending') && around.has(step.block),
  );
}

function print(): void {
  const all: Score = { definitions: 0, right: 0, wrong: 0, family: 0, wanted: 0, touched: 0, open: 0 };
  for (const score of scores.values()) for (const key of Object.keys(all) as (keyof Score)[]) all[key] += score[key];
  const share = (part: number, whole: number): string => (whole === 0 ? '-' : ((100 * part) / whole).toFixed(2));
  const cells = [
    ['kind', 'definitions', 'renamed', 'wrong', 'family', 'precision %', 'wanted', 'renamed %', 'renamed or open %'],
    ...[...scores, ['all', all] as const].map(([kind, score]) => [
      kind,
      `${score.definitions}`,
      `${score.right}`,
      `${score.wrong}`,
      `${score.family}`,
      share(score.right, score.right + score.wrong),
      `${score.wanted}`,
      share(score.touched, score.wanted),
      share(score.touched + score.open, score.wanted),
    ]),
  ];
  const widths = cells[0]?.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0))) ?? [];
  process.stdout.write(
    `${cells
      .map((row) =>
        row
          .map((cell, i) => cell.padEnd(widths[i] ?? 0))
          .join('  ')
          .trimEnd(),
      )
      .join('\n')}\n`,
  );
  if (absent > 0) process.stdout.write(`${absent} definitions are not found\n`);
}
