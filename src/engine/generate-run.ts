/**
 * One run of generate: the loop on the client's tree, and what follows from its result, as a plan.
 *
 * The tree that tools see does not have the block, and no candidate is ever written: the oracle gets it as an overlay,
 * the person as step 0 of a plan.
 */
import type { GenerateParams, GenerateReport } from '#protocol/generate.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { shownName } from '../base/shown.js';
import { inTurns } from '../base/turns.js';
import { blockNamed } from '../change/block-name.js';
import type { Prompt } from '../context/prompt.js';
import type { Withheld } from '../context/no-send.js';
import { withoutBlock } from '../edit/merge.js';
import type { Judgement } from '../generate/judgement.js';
import { placed } from '../generate/placed.js';
import { initialQuestion } from '../generate/questions.js';
import { ORACLE_CALLS_MOST, SWITCHES, type Task } from '../generate/task.js';
import { isImportsTool, type WishedCall } from '../generate/tool-calls.js';
import { languageOf } from '../languages/registry.js';
import { summarise } from '../languages/summarise.js';
import { FREE } from '../model/budget.js';
import type { Model } from '../model/model.js';
import { Ledger, metered } from '../model/metered.js';
import { SearchIndex } from '../retrieve/search-index.js';
import type { Grammars } from '../syntax/grammar.js';
import { lineAt } from '../syntax/line-at.js';
import type { Summary } from '../syntax/summary.js';
import { imports } from '../tools/imports.js';
import { relatedSnippets } from '../tools/relevant-code.js';
import type { Repository } from '../tools/tool.js';
import type { WriteNew } from './do-run.js';
import type { Effects, Oracle, OracleRun } from './effects.js';
import { generated, type Attempt, type Generated, type Looked } from './generation-loop.js';
import { propagation, type Run } from './propagation.js';
import { withSeed } from './refactoring.js';
import type { SearchMemory } from './search-memory.js';
import { ServiceError, type Call } from './service.js';
import type { TreePair } from './trees.js';
import type { WorkingTree } from './working-tree.js';

const FEEDBACK_TOKENS = 2000;
const TEMPERATURE = 0.2;
/** Questions of a run that goes all the way: five codes, four times tools and reflection, and some asked again. */
const CALLS_MOST = 30;

export interface GenerateParts {
  readonly tree: WorkingTree;
  readonly problems: TreePair['problems'];
  readonly effects: Effects;
  readonly grammars: Grammars;
  readonly search: SearchMemory;
}

export interface GenerateRun {
  readonly report: GenerateReport;
  /** Undefined where nothing came of it. */
  readonly run: Run | undefined;
}

/** Throws ServiceError: model, when none is configured; refused, for a file that cannot be written or sent. */
export async function generateRun(
  id: string,
  parts: GenerateParts,
  params: GenerateParams,
  call: Call,
): Promise<GenerateRun> {
  const place = placeOf(parts, params);
  const { task } = place;
  if (params.prompt === true) return { run: undefined, report: await previewed(parts, place, params, call) };
  const model = await parts.effects.modelOf('edit');
  if (model === undefined)
    throw new ServiceError(
      'model',
      'no model is configured, and nothing is generated without one: set CODEPLAN_BASE_URL and CODEPLAN_MODEL, or model.baseUrl and model.model in your settings',
    );
  const oracle = await oracleFor(parts.effects, params);
  const mode = params.mode ?? 'rrr';
  const result = await looped(parts, place, model, oracle, params, call);
  const run = result.best === undefined ? undefined : await followed(id, parts, place, result.best, params, call);
  return { run, report: reportOf(task, mode, oracle, result, run) };
}

async function looped(
  parts: GenerateParts,
  place: Place,
  model: Model,
  oracle: Oracle | undefined,
  params: GenerateParams,
  call: Call,
): Promise<Generated> {
  const { task } = place;
  const started = Date.now();
  const ledger = new Ledger(budgetOf(params), pricesOf(parts.effects), () => (Date.now() - started) / 1000);
  const look = await lookerFor(parts, place, oracle, params, call);
  return generated(
    {
      task,
      around: place.around,
      mode: params.mode ?? 'rrr',
      oracleCallsMost: params.oracleCalls ?? ORACLE_CALLS_MOST,
      feedbackTokensMost: FEEDBACK_TOKENS,
      showTestSource: params.showTestSource ?? true,
      temperature: TEMPERATURE,
    },
    {
      model: metered(model, ledger),
      signal: call.signal,
      progress: (message) => call.progress(message),
      place: (code) => placed(task, { text: place.text, summarise: (text) => summaryOf(parts, task, text) }, code),
      look,
      lookUp: (wished, code, thought) => lookedUp(parts, place, wished, code, thought, call),
      snippets: (query) => snippetsFor(parts, place, query, call),
    },
  );
}

/**
 * Writes what steps of a plan want made, one after the other, each on the tree with what was made before it. The parser
 * and the names are its check: what the whole comes to is judged with the edits that follow.
 */
export function writerOfNew(parts: Omit<GenerateParts, 'problems'>, model: Model): WriteNew {
  return async ({ request, intent, file, name, related }, texts, call) => {
    if (file === undefined || languageOf(file) === undefined)
      return { ok: false, reason: 'it is not clear where it goes: mark the step [create path:Name] in the plan' };
    const tree = texts.size === 0 ? parts.tree : parts.tree.with(texts, parts.grammars);
    const hints = related.map(({ id }) => `- ${id}`);
    const params: GenerateParams = {
      file,
      ...(name === undefined ? {} : { name }),
      description: [
        intent,
        `It is a part of: ${request}`,
        ...(hints.length === 0 ? [] : ['What may serve for it:', ...hints]),
      ].join('\n'),
      oracle: false,
    };
    const own = { ...parts, tree, problems: [] };
    const result = await looped(own, placeOf(own, params), model, undefined, params, call);
    return result.outcome === 'passed' && result.best !== undefined
      ? { ok: true, texts: new Map([[file, result.best.text]]) }
      : {
          ok: false,
          reason: `what the model wrote is not used (${result.message ?? result.outcome}): codeplan generate shows it`,
        };
  };
}

// ---- where it goes

interface Place {
  readonly task: Task;
  /** The file's text now; undefined where there is none. */
  readonly text: string | undefined;
  /** The same without the block. */
  readonly around: string | undefined;
  /** The tree that tools see. */
  readonly hidden: WorkingTree;
  readonly withheld: Withheld;
}

function placeOf({ tree, effects, grammars }: GenerateParts, params: GenerateParams): Place {
  const { file } = params;
  const refuse = (message: string): never => {
    throw new ServiceError('refused', message, [file]);
  };
  const isOutside = file.startsWith('/') || file.split('/').some((part) => part === '..' || /^\.git$/i.test(part));
  if (isOutside || file.includes('\0'))
    refuse(`${shownName(file)} is no place for a source; give a path below the root`);
  const language = languageOf(file);
  if (language === undefined) return refuse(`${shownName(file)} is of no language that can be written here`);
  const { withheld } = effects;
  const pattern = withheld(file);
  if (pattern !== undefined) refuse(`${shownName(file)} is never sent to a model (noSend: ${pattern})`);
  const summary = tree.snapshot.summary(file);
  const text = summary === undefined ? effects.diskText(file) : tree.text(file);
  const row = params.name === undefined || summary === undefined ? undefined : blockNamed(summary, params.name);
  const around =
    text === undefined || params.name === undefined
      ? undefined
      : row === undefined || summary === undefined
        ? text
        : withoutBlock(text, summary, row);
  return {
    task: { language: language.id, file, name: params.name, description: params.description },
    text,
    around,
    hidden: tree.with(new Map([[file, around ?? '']]), grammars),
    withheld,
  };
}

const summaryOf = ({ grammars }: GenerateParts, { file }: Task, text: string): Summary => {
  const summary = summarise(grammars, file, text);
  if (summary === undefined) throw new ServiceError('refused', `${file} is of no language that is read here`, [file]);
  return summary;
};

// ---- tools

async function repositoryOf(
  { grammars, search }: GenerateParts,
  { hidden, withheld }: Place,
  searches: boolean,
  call: Call,
): Promise<Repository> {
  const index = searches ? await inTurns(search.of(hidden), call.signal) : SearchIndex.empty();
  const { snapshot, resolver } = hidden;
  const text = (file: string): string | undefined => (withheld(file) === undefined ? hidden.text(file) : undefined);
  return { snapshot, resolver, grammars, text, index };
}

async function snippetsFor(parts: GenerateParts, place: Place, query: string, call: Call): Promise<string | undefined> {
  const repository = await repositoryOf(parts, place, true, call);
  const said = relatedSnippets.answer(repository, { query });
  return said.ok && said.answer.total > 0 ? said.answer.text : undefined;
}

async function lookedUp(
  parts: GenerateParts,
  place: Place,
  { tool, arguments: given }: WishedCall,
  code: string,
  thought: string,
  call: Call,
): Promise<string> {
  const repository = await repositoryOf(parts, place, tool.searches, call);
  const { file } = place.task;
  const more = isImportsTool(tool)
    ? { file, code: codeIn(place, code) }
    : tool.name === 'get_class_info'
      ? { file, ...(given['query'] === undefined && thought !== '' ? { query: thought } : {}) }
      : {};
  const said = tool.answer(repository, { ...given, ...more });
  return said.ok
    ? said.answer.text
    : `it cannot be called so: ${said.error.issues.map(({ message }) => message).join('; ')}`;
}

/** The candidate with the file's own imports, so that what these bind is not looked for. */
const codeIn = ({ around, task }: Place, code: string): string =>
  around === undefined || task.name === undefined ? code : `${around}\n\n${code}\n`;

// ---- the oracle

function oracleFor(effects: Effects, { oracle, tests }: GenerateParams): Promise<Oracle | undefined> {
  return oracle === false
    ? Promise.resolve(undefined)
    : effects.oracle(typeof oracle === 'string' ? oracle : undefined, tests);
}

/** How a text of the file is judged: by the parser first, then by the oracle, or where there is none by its names. */
async function lookerFor(
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
  { task }: Place,
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
      [...fresh].some((other) => isSame(other, error)) ||
      error.file === task.file ||
      names?.test(error.message) === true,
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

const isSame = (a: Judgement['findings'][number], b: Judgement['findings'][number]): boolean =>
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
  return (wanted ?? []).reduce(
    (sum, name) =>
      sum +
      Math.max(
        1,
        ran.filter((test) => test === name || test.startsWith(`${name}::`) || test.startsWith(`${name}[`)).length,
      ),
    0,
  );
}

/** The text of a test, by its pytest id or as `Class.method`. */
function sourceOfTest(tree: WorkingTree, name: string): { readonly source: string } | undefined {
  const [file = '', ...path] = name.replace(/\[.*$/, '').split('::');
  const summary = tree.snapshot.summary(file);
  if (summary === undefined || path.length === 0) return undefined;
  const row = blockNamed(summary, path.join('.'));
  const text = tree.text(file);
  if (row === undefined || text === undefined) return undefined;
  return { source: text.slice(summary.decls.startOf(row), summary.decls.endOf(row)) };
}

// ---- the result

async function followed(
  id: string,
  parts: GenerateParts,
  { task, text: was }: Place,
  best: Attempt,
  params: GenerateParams,
  call: Call,
): Promise<Run> {
  const { tree, grammars, effects } = parts;
  const after = tree.with(new Map([[task.file, best.text]]), grammars);
  const pair: TreePair = {
    before: tree,
    after,
    name: 'now',
    renames: new Map(),
    problems: parts.problems,
    present: 'before',
  };
  const { file: _file, name: _name, description: _description, mode: _mode, tests, oracle, ...rest } = params;
  const { oracleCalls: _calls, showTestSource: _source, prompt: _prompt, force: _force, ...plan } = rest;
  const run = await propagation(
    id,
    pair,
    // Tests are not compared with what they said before; a checker judges what follows as well.
    { ...plan, oracle: tests === undefined ? (oracle ?? false) : false },
    effects,
    grammars,
    call,
  );
  const title = `${was === undefined ? 'write' : 'generate'} ${task.name ?? task.file}`;
  const seed = { texts: new Map([[task.file, best.text]]), renames: new Map<string, string>(), title, subjects: [] };
  const whole = withSeed(run, { ...pair, seed }, {});
  return {
    ...whole,
    report: {
      ...whole.report,
      steps: whole.report.steps.map((step) =>
        step.id === 0 ? { ...step, block: task.name ?? step.block, rule: 'generate' } : step,
      ),
    },
  };
}

function reportOf(
  task: Task,
  mode: GenerateReport['mode'],
  oracle: Oracle | undefined,
  result: Generated,
  run: Run | undefined,
): GenerateReport {
  return {
    schema: SCHEMA_VERSION,
    file: task.file,
    block: task.name ?? null,
    mode,
    outcome: result.outcome,
    ...(result.message === undefined ? {} : { message: result.message }),
    oracle: oracle?.name ?? null,
    oracleCalls: result.oracleCalls,
    attempts: result.attempts.map((attempt) => ({
      number: attempt.number,
      compiles: attempt.judgement?.compiles ?? null,
      findings: attempt.judgement?.findings.length ?? null,
      ...(attempt.judgement?.tests === undefined
        ? {}
        : {
            tests: {
              passed: attempt.judgement.tests.passed.length,
              failed: attempt.judgement.tests.failed.length,
              expected: attempt.judgement.tests.expected,
            },
          }),
      feedback: attempt.feedback,
      calls: attempt.calls.map((each) => ({ tool: each.tool, arguments: { ...each.arguments } })),
      notes: [...attempt.notes],
      ...(attempt.reflection === undefined ? {} : { reflection: attempt.reflection }),
    })),
    best: result.best?.number ?? null,
    code: result.best?.code ?? null,
    usage: result.usage,
    plan: run?.report ?? null,
  };
}

/** The first question, which is not sent. */
async function previewed(
  parts: GenerateParts,
  place: Place,
  params: GenerateParams,
  call: Call,
): Promise<GenerateReport> {
  const mode = params.mode ?? 'rrr';
  const snippets = SWITCHES[mode].hasSnippets
    ? await snippetsFor(parts, place, place.task.description, call)
    : undefined;
  const prompt: Prompt = initialQuestion({ task: place.task, around: place.around, snippets });
  const model = await parts.effects.modelOf('edit');
  return {
    schema: SCHEMA_VERSION,
    file: place.task.file,
    block: place.task.name ?? null,
    mode,
    outcome: 'preview',
    oracle: null,
    oracleCalls: 0,
    attempts: [],
    best: null,
    code: null,
    usage: { calls: 0, promptTokens: 0, completionTokens: 0 },
    plan: null,
    prompt: {
      to: model?.host ?? null,
      model: model?.name ?? null,
      messages: prompt.messages.map((message) => ({ ...message })),
      tokens: prompt.tokens,
      parts: prompt.parts.map((part) => ({ ...part })),
    },
  };
}

const budgetOf = (params: GenerateParams): ConstructorParameters<typeof Ledger>[0] => ({
  calls: params.maxCalls ?? CALLS_MOST,
  tokens: params.maxTokens ?? Infinity,
  money: params.maxCost ?? Infinity,
  seconds: params.maxSeconds ?? Infinity,
  files: Infinity,
});

const pricesOf = ({ configuration: { model } }: Effects): typeof FREE => ({
  prompt: model.promptPrice ?? FREE.prompt,
  completion: model.completionPrice ?? FREE.completion,
});
