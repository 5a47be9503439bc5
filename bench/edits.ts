/**
 * `npm run bench:edits -- --root <checkout> --checker tsc|pyright|javac [--seed <n>] [--count <n>] [--kind <words>]
 * [--at <file:line>] [--classpath <jars>]`: edits one definition at a time, unsaved, asks what it
 * affects as an editor does, and has a compiler look at the whole tree with that edit alone.
 *
 * An error that the tree did not have before is *own* where it stands in the block that was edited, *named* where the
 * innermost block around it, a function around that, or its line, is listed, and *missed* otherwise: *counted* where
 * the answer says that something is undecided, unlisted or not followed, or lists other places, and *silent* where it
 * says that nothing else is affected. A block that is listed as certain to break and has no error is *needless*; a
 * checker that infers less than the language demands makes some of these. Errors that follow from another one, as all
 * that is said of a type that nobody can find, are counted like the rest.
 */
import { resolve } from 'node:path';
import { blockName } from '#src/change/block-name.js';
import { isOwnBlock } from '#src/change/match-blocks.js';
import { isRetold, unfollowed } from '#src/cli/impact-text.js';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import { SETTLED_BASE, type Call } from '#src/engine/service.js';
import type { WorkingTree } from '#src/engine/working-tree.js';
import { grammarsOfThread } from '#src/io/index/grammar-bytes.js';
import { rootOf } from '#src/io/disk/root.js';
import type { Diagnostic } from '#src/oracle/diagnostic.js';
import type { ImpactReport } from '#protocol/impact.js';
import { lineAt } from '#src/syntax/line-at.js';
import type { Summary } from '#src/syntax/summary.js';
import { checkerNamed } from './compile-check.js';
import { EDIT_KINDS } from './edit-kinds.js';
import { treeOf } from './indexing.js';
import { option } from './option.js';
import type { Kind, Subject, Typed } from './refactoring-kinds.js';
import { edited } from './refactoring.js';
import { readSources } from './sources.js';
import { subjectsOf } from './subjects.js';

interface Score {
  made: number;
  errors: number;
  own: number;
  named: number;
  counted: number;
  silent: number;
  needless: number;
}

type Verdict = 'own' | 'named' | 'counted' | 'silent';

const CALL: Call = { signal: new AbortController().signal, progress: () => undefined };
/** Blocks that are not looked through as a whole when they are listed. */
const CONTAINERS: ReadonlySet<string> = new Set([
  'class',
  'interface',
  'enum',
  'record',
  'struct',
  'namespace',
  'module',
]);
/** Edits that are checked at once. */
const CHUNK = 12;

const folder = option('--root');
const checkerName = option('--checker');
if (folder === undefined || checkerName === undefined)
  throw new Error(
    'usage: npm run bench:edits -- --root <checkout> --checker tsc|pyright|javac [--seed <n>] [--count <n>] ' +
      '[--kind <words>] [--at <file:line>] [--classpath <jars>]',
  );
const count = Number(option('--count') ?? 3);
const onlyKind = option('--kind');
const root = rootOf(resolve(folder));
const sources = await readSources(root);
const grammars = await grammarsOfThread();
const tree = treeOf(sources, grammars);
const checker = checkerNamed(checkerName, root, tree, option('--classpath') ?? '');
const files = [...tree.snapshot.files.keys()].filter((file) => checker.extensions.test(file)).sort();
const choice = { tree, files, seed: option('--seed') ?? '1', at: option('--at') };
const engine = createLocalEngine({
  root,
  mode: 'in-process',
  watch: false,
  environment: process.env,
  log: (message) => process.stderr.write(`${message}\n`),
});
const service = engine.connect({ id: 'bench', name: 'bench', workingDirectory: root, environment: process.env });
const scores = new Map<string, Score>();
let version = 0;

interface Attempt {
  readonly kind: Kind;
  readonly subject: Subject;
  readonly typed: Typed;
  readonly after: WorkingTree;
  readonly report: ImpactReport;
}

try {
  await engine.warm();
  const [before = []] = await checker.errors([{ tree, files }]);
  const attempts: Attempt[] = [];
  for (const kind of EDIT_KINDS)
    if (onlyKind === undefined || kind.name.includes(onlyKind)) attempts.push(...(await attemptsOf(kind)));
  for (let i = 0; i < attempts.length; i += CHUNK) await judgeAll(attempts.slice(i, i + CHUNK), before);
} finally {
  checker.close();
  await service.close();
  await engine.close();
}
print();

async function attemptsOf(kind: Kind): Promise<Attempt[]> {
  const out: Attempt[] = [];
  for (const subject of subjectsOf(kind, choice)) {
    if (out.length >= count) break;
    const typed = kind.typed(subject);
    if (typed === undefined) continue;
    const after = edited(tree, typed.edits, new Map(), grammars);
    // What no compiler can read says nothing about the rest.
    if ((after.snapshot.summary(subject.file)?.errors.length ?? 0) > subject.summary.errors.length) continue;
    out.push({ kind, subject, typed, after, report: await asked(typed, after) });
  }
  return out;
}

async function asked({ edits }: Typed, after: WorkingTree): Promise<ImpactReport> {
  for (const file of edits.keys()) service.setText(file, after.text(file) ?? '', version++);
  try {
    return await service.ask('codeplan/impact', { base: SETTLED_BASE }, CALL);
  } finally {
    for (const file of edits.keys()) service.closeText(file);
  }
}

async function judgeAll(attempts: readonly Attempt[], before: readonly Diagnostic[]): Promise<void> {
  const errors = await checker.errors(attempts.map(({ after }) => ({ tree: after, files })));
  for (const [i, attempt] of attempts.entries()) {
    const old = new Set(before.map((error) => keyOf(error, tree)));
    // A compiler that stops at a number of errors, or at the first of a kind, says others now than it said before, and
    // one error in other words: the alternatives of a type in another order.
    const others = (errors[i] ?? []).filter((error) => !old.has(keyOf(error, attempt.after)));
    judge(attempt, others);
  }
}

function judge(attempt: Attempt, errors: readonly Diagnostic[]): void {
  const { kind, subject, report, after } = attempt;
  const score = scores.get(kind.name) ?? { made: 0, errors: 0, own: 0, named: 0, counted: 0, silent: 0, needless: 0 };
  scores.set(kind.name, score);
  score.made++;
  const line = lineAt(subject.summary, subject.summary.decls.nameStartOf(subject.decl));
  const where = `${kind.name} ${subject.summary.decls.nameOf(subject.decl)} (${subject.file}:${line})`;
  for (const error of errors) {
    const verdict = verdictOn(error, attempt);
    score.errors++;
    score[verdict]++;
    if (verdict === 'counted' || verdict === 'silent') say(verdict, where, error, after);
  }
  for (const { file, block, startLine, endLine, tier, confidence } of report.affected) {
    if (tier !== 'breaks' || confidence !== 'certain') continue;
    if (errors.some((error) => error.file === file && startLine <= error.line && error.line <= endLine)) continue;
    score.needless++;
    process.stdout.write(`needless: ${where} at ${file}:${startLine}: ${block}\n`);
  }
}

function verdictOn({ file, line, column }: Diagnostic, { subject, typed, after, report }: Attempt): Verdict {
  const summary = after.snapshot.summary(file);
  const block = summary === undefined ? -1 : innermost(summary, line, column);
  const [edit] = typed.edits.get(subject.file) ?? [];
  if (file === subject.file && summary !== undefined && edit !== undefined) {
    const editedLine = lineAt(summary, Math.min(edit.start, summary.textLength));
    const isThere = edit.text.trim() !== '';
    if (editedLine === line || (isThere && block >= 0 && block === innermost(summary, editedLine, 1))) return 'own';
  }
  const name = summary === undefined ? '<module>' : blockName(summary, block);
  const isNamed = report.affected.some(
    (one) =>
      one.file === file &&
      (one.block === name ||
        (!CONTAINERS.has(one.kind) && name.startsWith(`${one.block}.`)) ||
        one.sites.some(({ startLine, endLine }) => startLine <= line && line <= endLine)),
  );
  if (isNamed) return 'named';
  const { complete, affected, undecided } = report;
  const said = affected.length + undecided.length + unfollowed(report).length;
  return complete && said === 0 && !isRetold(report) ? 'silent' : 'counted';
}

/** The row of the smallest block that has the place; -1 where it is the module. */
function innermost(summary: Summary, line: number, column: number): number {
  const at = (summary.lineStarts[line - 1] ?? 0) + column - 1;
  let found = -1;
  for (let row = 0; row < summary.decls.count; row++) {
    if (!isOwnBlock(summary, row) || lineAt(summary, summary.decls.startOf(row)) > line) continue;
    if (at >= summary.decls.endOf(row)) continue;
    if (found < 0 || summary.decls.startOf(row) >= summary.decls.startOf(found)) found = row;
  }
  return found;
}

/** By what an error of both trees is one: its number, and its line as written. */
function keyOf(error: Diagnostic, of: WorkingTree): string {
  return `${error.file} ${error.code ?? ''} ${lineOf(of, error)}`;
}

function lineOf(of: WorkingTree, { file, line }: Pick<Diagnostic, 'file' | 'line'>): string {
  return (of.text(file) ?? '').split(/\r?\n/)[line - 1]?.trim() ?? '';
}

function say(verdict: Verdict, where: string, { file, line, message }: Diagnostic, after: WorkingTree): void {
  const text = lineOf(after, { file, line });
  process.stdout.write(`${verdict}: ${where} at ${file}:${line}: ${message.split('\n')[0] ?? ''}: ${text}\n`);
}

function print(): void {
  const sum: Score = { made: 0, errors: 0, own: 0, named: 0, counted: 0, silent: 0, needless: 0 };
  const columns = Object.keys(sum) as (keyof Score)[];
  for (const score of scores.values()) for (const column of columns) sum[column] += score[column];
  const cells = [
    ['kind', ...columns],
    ...[...scores, ['all', sum] as const].map(([kind, score]) => [
      kind,
      ...columns.map((column) => `${score[column]}`),
    ]),
  ];
  for (const [kind = '', ...rest] of cells)
    process.stdout.write(`${kind.padEnd(32)}${rest.map((cell) => cell.padStart(9)).join('')}\n`);
}
