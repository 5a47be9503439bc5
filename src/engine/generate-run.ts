/**
 * One run of generate: the loop on the client's tree, and what follows from its result, as a plan.
 *
 * The tree that tools see does not have the block, and no candidate is ever written: the oracle gets it as an overlay,
 * the person as step 0 of a plan.
 */
import type { GenerateParams, GenerateReport } from '#protocol/generate.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import type { Prompt } from '../context/prompt.js';
import { initialQuestion } from '../generate/questions.js';
import { SWITCHES, type Task } from '../generate/task.js';
import { metered } from '../model/metered.js';
import type { Oracle } from './effects.js';
import type { Attempt, Generated } from './generation-loop.js';
import { oracleFor } from './generation-oracle.js';
import { placeOf, snippetsFor, type GenerateParts, type Place } from './generation-place.js';
import { ledgerFor } from './ledger-for.js';
import { propagation, type Run } from './propagation.js';
import { withSeed } from './refactoring.js';
import { ServiceError, type Call } from './service.js';
import type { TreePair } from './trees.js';
import { writtenBlock } from './written-block.js';

/** Questions of a run that goes all the way: five codes, four times tools and reflection, and some asked again. */
const CALLS_MOST = 30;

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
      'no model is configured, and nothing is generated without one: set CODEPLAN_BASE_URL and ' +
        'CODEPLAN_MODEL, or model.baseUrl and model.model in your settings',
    );
  const oracle = await oracleFor(parts.effects, params);
  const mode = params.mode ?? 'rrr';
  const limits = {
    calls: params.maxCalls,
    tokens: params.maxTokens,
    money: params.maxCost,
    seconds: params.maxSeconds,
  };
  const ledger = ledgerFor(limits, parts.effects.configuration, CALLS_MOST);
  const result = await writtenBlock(parts, place, metered(model, ledger), oracle, params, call);
  const run = result.best === undefined ? undefined : await followed(id, parts, place, result.best, params, call);
  return { run, report: reportOf(task, mode, oracle, result, run) };
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
  const { tree, grammars, effects, search } = parts;
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
  const run = await propagation({
    id,
    trees: pair,
    // Tests are not compared with what they said before; a checker judges what follows as well.
    params: { ...plan, oracle: tests === undefined ? (oracle ?? false) : false },
    effects,
    grammars,
    search,
    call,
    known: new Map(),
  });
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
