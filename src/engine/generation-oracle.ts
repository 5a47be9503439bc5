/**
 * How new code is judged: by the parser, by the names that nothing explains, by an oracle that sees it as an overlay.
 */
import type { GenerateParams } from '#protocol/generate.js';
import { blockNamed } from '../change/block-name.js';
import type { Judgement } from '../generate/judgement.js';
import { SWITCHES } from '../generate/task.js';
import { lineAt } from '../syntax/line-at.js';
import type { Summary } from '../syntax/summary.js';
import { imports } from '../tools/imports.js';
import type { Effects, Oracle, OracleRun } from './effects.js';
import type { Looked } from './generation-loop.js';
import { repositoryOf, summaryOf, type GenerateParts, type Place } from './generation-place.js';
import type { Call } from './service.js';
import type { WorkingTree } from './working-tree.js';

/** The oracle that was asked for, or the configured one; undefined for none. */
export function oracleFor(effects: Effects, { oracle, tests }: GenerateParams): Promise<Oracle | undefined> {
  return oracle === false
    ? Promise.resolve(undefined)
    : effects.oracle(typeof oracle === 'string' ? oracle : undefined, tests);
}

/** How a text of the file is judged: by the parser first, then by the oracle, or where there is none by its names. */
export async function lookerFor(
  parts: GenerateParts,
  place: Place,
  oracle: Oracle | undefined,
  params: GenerateParams,
  call: Call,
): Promise<(text: string) => Promise<Looked>> {
  const { task } = place;
  const near = new Set([task.file]);
  // What a test run says is not compared: its tests are to pass, whatever they did before.
  const baseline =
    oracle === undefined || params.tests !== undefined || !SWITCHES[params.mode ?? 'rrr'].hasOracle
      ? undefined
      : await oracle.run(new Map(), near, call.signal);
  return async (text) => {
    const syntax = syntaxErrors(summaryOf(parts, task, text), task.file);
    if (syntax.length > 0) return { ok: true, judgement: { compiles: false, findings: syntax } };
    if (oracle === undefined) return { ok: true, judgement: await judgedByNames(parts, place, text, call) };
    const run = await oracle.run(new Map([[task.file, text]]), near, call.signal);
    if (run.errors === undefined) return { ok: false, message: run.message ?? `${oracle.name} gave no answer` };
    return { ok: true, judgement: judged(parts, place, oracle, baseline, run, text, params) };
  };
}

function syntaxErrors(summary: Summary, file: string): Judgement['findings'] {
  const lines = new Set<number>();
  for (let i = 0; i < summary.errors.length; i += 2) lines.add(lineAt(summary, summary.errors[i] ?? 0));
  return [...lines].map((line) => ({ file, line, message: 'syntax error' }));
}

/** Names that nothing explains although the repository has them. */
async function judgedByNames(parts: GenerateParts, place: Place, text: string, call: Call): Promise<Judgement> {
  const { file } = place.task;
  const repository = await repositoryOf(parts, place, false, call);
  const said = imports.answer(repository, { file, code: text });
  const items = said.ok ? (said.answer.items as readonly { name: string; external?: boolean }[]) : [];
  return {
    compiles: true,
    findings: items
      .filter(({ external }) => external !== true)
      .map(({ name }) => ({ file, line: lineOfName(text, name), message: `${name} is not imported` })),
  };
}

function lineOfName(text: string, name: string): number {
  const at = new RegExp(`\\b${name.replace(/[^\w]/g, '\\$&')}\\b`).exec(text)?.index ?? 0;
  return text.slice(0, at).split('\n').length;
}

function judged(
  { tree }: GenerateParts,
  { task, isStub }: Place,
  oracle: Oracle,
  baseline: OracleRun | undefined,
  run: OracleRun,
  text: string,
  { tests: wanted }: GenerateParams,
): Judgement {
  const errors = run.errors ?? [];
  const textOf = (file: string): string | undefined => (file === task.file ? text : tree.text(file));
  const fresh = new Set(
    baseline?.errors === undefined ? errors : oracle.fresh(baseline.errors, errors, (file) => tree.text(file), textOf),
  );
  const own = task.name?.slice(task.name.lastIndexOf('.') + 1);
  const names = own === undefined ? undefined : new RegExp(`\\b${own.replace(/[^\w]/g, '\\$&')}\\b`);
  // An error that was there before is the candidate's too where it lies in its file, or names it.
  const findings = errors.filter(
    (error) =>
      fresh.has(error) ||
      [...fresh].some((other) => isSameFinding(other, error)) ||
      (isStub !== true && (error.file === task.file || names?.test(error.message) === true)),
  );
  if (run.tests === undefined) return { compiles: findings.length === 0, findings };
  const { passed, failed } = run.tests;
  return {
    compiles:
      passed.length > 0 || (failed.length > 0 && !findings.some(({ code, message }) => isAboutLoading(code, message))),
    findings,
    tests: {
      passed,
      failed: failed.map((name) => ({ name, ...sourceOfTest(tree, name) })),
      expected: Math.max(wantedCount(wanted, passed, failed), passed.length + failed.length),
    },
  };
}

const isSameFinding = (a: Judgement['findings'][number], b: Judgement['findings'][number]): boolean =>
  a.file === b.file && a.line === b.line && a.message === b.message;

/** A module that cannot be loaded at all. */
const isAboutLoading = (code: string | undefined, message: string): boolean =>
  /^(?:ImportError|ModuleNotFoundError|SyntaxError|NameError|IndentationError)$/.test(code ?? '') ||
  /\bImportError while\b/.test(message);

/** Tests that are named one by one are expected one by one; a file or class of tests says itself how many it has. */
function wantedCount(
  wanted: readonly string[] | undefined,
  passed: readonly string[],
  failed: readonly string[],
): number {
  const ran = [...passed, ...failed];
  return (wanted ?? []).reduce((sum, named) => {
    const name = named.replace('#', '.');
    const own = ran.filter(
      (test) => test === name || ['::', '[', '.', '#'].some((sign) => test.startsWith(name + sign)),
    );
    return sum + Math.max(1, own.length);
  }, 0);
}

/** The text of a test, by its pytest id or as `package.Class.method`. */
function sourceOfTest(tree: WorkingTree, name: string): { readonly source: string } | undefined {
  const place = placeOfTest(tree, name.replace(/[[(#].*$/, ''));
  const summary = place === undefined ? undefined : tree.snapshot.summary(place.file);
  const row = place === undefined || summary === undefined ? undefined : blockNamed(summary, place.block);
  const text = place === undefined ? undefined : tree.text(place.file);
  if (summary === undefined || row === undefined || text === undefined) return undefined;
  return { source: text.slice(summary.decls.startOf(row), summary.decls.endOf(row)) };
}

function placeOfTest(tree: WorkingTree, name: string): { readonly file: string; readonly block: string } | undefined {
  const [file = '', ...path] = name.split('::');
  if (path.length > 0) return { file, block: path.join('.') };
  const parts = name.split('.');
  for (let at = parts.length - 1; at > 0; at--) {
    const ending = `${parts.slice(0, at).join('/')}.java`;
    for (const known of tree.snapshot.files.keys())
      if (known === ending || known.endsWith(`/${ending}`))
        return { file: known, block: parts.slice(at - 1).join('.') };
  }
  return undefined;
}
