/**
 * `npm run bench:refactorings -- --root <checkout> --checker tsc|pyright|javac|none [--seed <n>]
 * [--count <n>] [--kind <words>] [--at <file:line>] [--classpath <jars>]`: makes edits of every kind
 * at definitions of a real repository, lets the rewrites carry each through without a model, and has a
 * compiler look at what comes out.
 *
 * Of the errors that the tree did not have before, those in a block with an open step are announced;
 * those in the block that was edited are the person's own, as a body that uses the parameter that
 * was taken away. An error on a line that a rewrite made is *wrong*, any other one *silent*. Where
 * nothing was left open, the inverse edit and its rewrites must give every byte back.
 *
 * A definition is taken by the hash of its name, so that one seed chooses the same ones in the next version
 * of the program. Tests are not edited first, but follow.
 */
import { resolve } from 'node:path';
import { lineEdits } from '#src/base/line-edits.js';
import { blockName } from '#src/change/block-name.js';
import { isOwnBlock } from '#src/change/match-blocks.js';
import type { PlanResult } from '#src/engine/plan-run.js';
import { grammarsOfThread } from '#src/io/index/grammar-bytes.js';
import { rootOf } from '#src/io/disk/root.js';
import type { Diagnostic } from '#src/oracle/diagnostic.js';
import type { Step } from '#src/plan/plan-graph.js';
import { lineAt } from '#src/syntax/line-at.js';
import { option } from './option.js';
import { checkerNamed, type Look } from './compile-check.js';
import { treeOf } from './indexing.js';
import { backOf, beyond, keyIn } from './new-errors.js';
import { KINDS, type Kind, type Subject, type Typed } from './refactoring-kinds.js';
import { filesThatDiffer, inverseOf, refactored, type Done } from './refactoring.js';
import { readSources } from './sources.js';
import { subjectsOf } from './subjects.js';

interface Score {
  made: number;
  /** Edits that left steps open. */
  open: number;
  /** Edits with an error that no step announces, and with an error where a rewrite wrote. */
  silent: number;
  wrong: number;
  announced: number;
  own: number;
  inverted: number;
  notInverse: number;
  msMost: number;
}

const folder = option('--root');
const checkerName = option('--checker');
if (folder === undefined || checkerName === undefined)
  throw new Error(
    'usage: npm run bench:refactorings -- --root <checkout> --checker tsc|pyright|javac|none [--seed <n>] ' +
      '[--count <n>] [--kind <words>] [--at <file:line>] [--classpath <jars>]',
  );
const seed = option('--seed') ?? '1';
const count = Number(option('--count') ?? 5);
const onlyKind = option('--kind');
const onlyAt = option('--at');
const root = rootOf(resolve(folder));

const sources = await readSources(root);
const grammars = await grammarsOfThread();
const tree = treeOf(sources, grammars);
const checker = checkerNamed(checkerName, root, tree, option('--classpath') ?? '');
const checked = [...tree.snapshot.files.keys()].filter((file) => checker.extensions.test(file)).sort();
/** Edits that are checked at once. */
const CHUNK = 24;
const scores = new Map<string, Score>();
interface Attempt {
  readonly kind: Kind;
  readonly subject: Subject;
  readonly typed: Typed;
  readonly done: Done;
}

try {
  const attempts: Attempt[] = [];
  for (const kind of KINDS)
    if (onlyKind === undefined || kind.name.includes(onlyKind)) attempts.push(...(await attemptsOf(kind)));
  for (let i = 0; i < attempts.length; i += CHUNK) await judgeAll(attempts.slice(i, i + CHUNK));
} finally {
  checker.close();
}
print();

async function attemptsOf(kind: Kind): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  for (const subject of subjectsOf(kind, { tree, files: checked, seed, at: onlyAt })) {
    if (attempts.length >= count) break;
    const typed = kind.typed(subject);
    if (typed !== undefined) attempts.push({ kind, subject, typed, done: await refactored(tree, typed, grammars) });
  }
  return attempts;
}

async function judgeAll(attempts: readonly Attempt[]): Promise<void> {
  const afters = attempts.map(lookAfter);
  const errors = await checker.errors(afters);
  // What is said of a file may hang on which others are looked at, so both sides are asked about the same ones.
  const concerned = attempts.flatMap((attempt, i) =>
    errors[i]?.length === 0 ? [] : [{ attempt, errors: errors[i] ?? [], look: lookBefore(attempt, afters[i] as Look) }],
  );
  const before = await checker.errors(concerned.map(({ look }) => look));
  const added = new Map(
    concerned.map(({ attempt, errors: found }, i) => [attempt, beyond(found, before[i] ?? [], keyIn(attempt.typed))]),
  );
  for (const attempt of attempts) await judge(attempt, added.get(attempt) ?? []);
}

async function judge({ kind, subject, typed, done }: Attempt, errors: readonly Diagnostic[]): Promise<void> {
  const score = scores.get(kind.name) ?? {
    made: 0,
    open: 0,
    silent: 0,
    wrong: 0,
    announced: 0,
    own: 0,
    inverted: 0,
    notInverse: 0,
    msMost: 0,
  };
  scores.set(kind.name, score);
  score.made++;
  score.msMost = Math.max(score.msMost, done.ms);
  const where =
    `${kind.name} ${subject.summary.decls.nameOf(subject.decl)} ` +
    `(${subject.file}:${lineAt(subject.summary, subject.summary.decls.nameStartOf(subject.decl))})`;
  const open = done.result.plan.steps.filter(isOpen);
  if (open.length > 0) score.open++;
  const found = new Set<string>();
  for (const error of errors) {
    const what = verdictOn(error, subject, typed, done, open);
    found.add(what);
    if (what === 'silent' || what === 'wrong')
      say(
        `${what}: ${where} at ${error.file}:${error.line}: ${error.message.split('\n')[0] ?? ''}: ` +
          ((done.result.tree.text(error.file) ?? '').split(/\r?\n/)[error.line - 1]?.trim() ?? ''),
      );
  }
  for (const what of ['silent', 'wrong', 'announced', 'own'] as const) if (found.has(what)) score[what]++;
  if (open.length > 0 || !typed.isInvertible) return;
  const back = await refactored(done.result.tree, inverseOf(tree, typed, done), grammars);
  score.inverted++;
  const [first] = filesThatDiffer(tree, back.result.tree);
  if (first === undefined || back.result.plan.steps.some(isOpen)) return;
  score.notInverse++;
  const [old, now] = [tree.text(first) ?? '', back.result.tree.text(first) ?? ''];
  const [difference] = lineEdits(old, now);
  say(
    `not inverse: ${where} in ${first}: ${JSON.stringify(old.slice(difference?.start, difference?.end))} ` +
      `came back as ${JSON.stringify(difference?.text)}`,
  );
}

function isOpen(step: Step): boolean {
  return step.open !== undefined || step.status === 'pending' || step.status === 'postponed';
}

/** The files that changed, and those that say a name of what was edited. */
function lookAfter({ typed, done: { result } }: Attempt): Look {
  const names = new Set([
    ...typed.names,
    ...result.plan.steps.flatMap((step) =>
      [step.block, step.nowBlock].map((block) => block.slice(block.lastIndexOf('.') + 1)),
    ),
  ]);
  const said = [...names].flatMap((name) => [
    ...tree.snapshot.filesMentioning(name),
    ...result.tree.snapshot.filesMentioning(name),
  ]);
  const files = new Set(
    [...filesThatDiffer(tree, result.tree), ...said].filter(
      (file) => result.tree.snapshot.hasFile(file) && checker.extensions.test(file),
    ),
  );
  return { tree: result.tree, files: [...files].sort() };
}

function lookBefore({ typed }: Attempt, { files }: Look): Look {
  const back = backOf(typed);
  return {
    tree,
    files: [...new Set(files.map((file) => back.get(file) ?? file))]
      .filter((file) => tree.snapshot.hasFile(file))
      .sort(),
  };
}

function verdictOn(
  error: Diagnostic,
  subject: Subject,
  typed: Typed,
  { typed: person, result }: Done,
  open: readonly Step[],
): 'silent' | 'wrong' | 'announced' | 'own' {
  const after = result.tree.text(error.file) ?? '';
  const lineStart = lineOffset(after, error.line);
  const summary = result.tree.snapshot.summary(error.file);
  const around = new Set<string>(['<module>']);
  if (summary !== undefined) {
    const at = lineStart + error.column - 1;
    for (let row = 0; row < summary.decls.count; row++)
      if (
        isOwnBlock(summary, row) &&
        lineOffset(after, lineAt(summary, summary.decls.startOf(row))) <= at &&
        at < summary.decls.endOf(row)
      )
        around.add(blockName(summary, row));
    for (const entry of summary.imports)
      if (entry.statementStart <= at && at < entry.statementEnd) around.add('<module>');
  }
  if (
    open.some(
      (step) =>
        step.file === error.file &&
        (around.has(step.nowBlock) ||
          around.has(step.block) ||
          [...around].some((block) => step.nowBlock.startsWith(`${block}.`) && isOnHeader(result, error, block))),
    )
  )
    return 'announced';
  const typedText = person.text(error.file) ?? '';
  const rewritten = lineEdits(typedText, after).reduce<{ lines: Set<number>; shift: number }>(
    ({ lines, shift }, edit) => {
      const first = lineOf(after, edit.start + shift);
      for (let i = 0; i < edit.text.split('\n').length; i++) lines.add(first + i);
      return { lines, shift: shift + edit.text.length - (edit.end - edit.start) };
    },
    { lines: new Set(), shift: 0 },
  ).lines;
  if (rewritten.has(error.line)) return 'wrong';
  const home = typed.renames?.get(subject.file) ?? subject.file;
  const ownFiles = new Set([home, ...[...typed.edits.keys()].map((file) => typed.renames?.get(file) ?? file)]);
  const own = subject.summary.decls.pathOf(subject.decl);
  const isHome = (block: string): boolean =>
    block !== '<module>' &&
    (own === block ||
      (own.startsWith(`${block}.`) && isOnHeader(result, error, block)) ||
      typed.names.includes(block.slice(block.lastIndexOf('.') + 1)));
  return ownFiles.has(error.file) && [...around].some(isHome) ? 'own' : 'silent';
}

/** Whether the error is about the block as such: a class whose base asks for what was edited in it. */
function isOnHeader({ tree: after }: PlanResult, error: Diagnostic, block: string): boolean {
  const summary = after.snapshot.summary(error.file);
  if (summary === undefined) return false;
  return Array.from({ length: summary.decls.count }, (_, row) => row).some(
    (row) =>
      isOwnBlock(summary, row) &&
      blockName(summary, row) === block &&
      lineAt(summary, summary.decls.startOf(row)) <= error.line &&
      error.line <= lineAt(summary, summary.decls.bodyStartOf(row)),
  );
}

function lineOffset(text: string, line: number): number {
  let at = 0;
  for (let i = 1; i < line; i++) {
    const next = text.indexOf('\n', at);
    if (next === -1) return text.length;
    at = next + 1;
  }
  return at;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function print(): void {
  const cells = [
    ['kind', 'made', 'nothing open', 'silent', 'wrong', 'announced', 'own', 'undone', 'not inverse', 'slowest ms'],
    ...[...scores].map(([kind, score]) => [
      kind,
      `${score.made}`,
      `${score.made - score.open}`,
      `${score.silent}`,
      `${score.wrong}`,
      `${score.announced}`,
      `${score.own}`,
      `${score.inverted}`,
      `${score.notInverse}`,
      score.msMost.toFixed(0),
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
}
