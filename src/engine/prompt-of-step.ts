/**
 * The prompt of one step, without sending it: the plan is made with rules alone, and the question is
 * the one that a model would get when the step's turn came first, with the steps that it asks about besides.
 */
import type { PromptParams, PromptReport } from '#protocol/prompt.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { shownName } from '../base/shown.js';
import { inTurns } from '../base/turns.js';
import { promptOf } from '../context/prompt.js';
import { byReach } from '../context/temporal.js';
import { GivenValues } from '../edit/mechanical/calls/given-values.js';
import type { Plan, Step } from '../plan/plan-graph.js';
import { pendingInOrder, STEPS_MOST } from '../plan/plan-graph.js';
import { askedTogetherWithin } from './asked-together.js';
import type { Grammars } from '../syntax/grammar.js';
import { editInTurns } from './edit-between.js';
import type { Effects } from './effects.js';
import { runPlan } from './plan-run.js';
import { seedEdits } from './seed-edits.js';
import { ServiceError, type Call } from './service.js';
import { fitted } from '../context/token-budget.js';
import { placesOf, PROMPT_TOKENS, requestFor } from './step-request.js';
import type { TreePair } from './trees.js';

/** Throws ServiceError: settings, when there is no such step. */
export async function promptOfStep(
  trees: TreePair,
  params: PromptParams,
  effects: Effects,
  grammars: Grammars,
  call: Call,
): Promise<PromptReport> {
  const { configuration } = effects;
  const { plan, tree } = await runPlan(trees.before, trees.after, {
    grammars,
    planning: true,
    askAll: true,
    values: new GivenValues(configuration.values),
    certainOnly: configuration.strict,
    stepsMost: configuration.limits.steps ?? STEPS_MOST,
    renames: trees.renames,
    signal: call.signal,
    progress: (message) => call.progress(message),
  });
  const step = stepNamed(plan, params.step);
  const [place] = step === undefined ? [] : placesOf(step, tree);
  if (step === undefined || place === undefined) {
    const names = plan.steps.slice(0, 20).map((known) => `${known.id}  ${shownName(known.file)}::${known.block}`);
    throw new ServiceError(
      'settings',
      `the plan has no step ${params.step}; its steps are${names.length === 0 ? ' none' : ':'}`,
      names,
    );
  }
  const tokensMost = configuration.model.promptTokens ?? PROMPT_TOKENS;
  const asking = {
    instruction: params.instruction ?? '',
    seeds: byReach(
      seedEdits(trees, (await inTurns(editInTurns(trees.before, trees.after, trees.renames), call.signal)).changes),
      plan.steps,
    ),
    without: new Set(params.without),
    promptTokensMost: tokensMost,
  };
  const model = await effects.model(params.model);
  const waiting = [step, ...pendingInOrder(plan).filter((other) => other !== step)];
  const isAlone = configuration.model.oneByOne === true || (model !== undefined && model.editTogether === undefined);
  const group = isAlone ? [] : askedTogetherWithin(waiting, tree, plan, asking);
  const whole = group[0]?.request ?? requestFor(step, tree, plan, place, asking);
  const company = group.slice(1).map(({ request }) => request);
  const fit = company.length > 0 ? ({ ok: true, request: whole, leftOut: [] } as const) : fitted(whole, tokensMost);
  const request = fit.ok ? fit.request : whole;
  const preview = model?.preview?.(request, company) ?? { to: null, model: null, prompt: promptOf(request, company) };
  return {
    schema: SCHEMA_VERSION,
    file: step.file,
    block: step.block,
    ...(company.length === 0 ? {} : { with: company.map(({ file, block }) => ({ file, block })) }),
    to: preview.to,
    model: preview.model,
    messages: preview.prompt.messages.map(({ role, content }) => ({ role, content })),
    tokens: preview.prompt.tokens,
    parts: preview.prompt.parts.map((part) => ({ ...part })),
    ...(fit.ok && fit.leftOut.length > 0 ? { leftOut: [...fit.leftOut] } : {}),
    ...(fit.ok
      ? 'refused' in preview
        ? { refused: preview.refused }
        : {}
      : { refused: `it takes about ${fit.tokens} tokens even without context, and a prompt may have ${tokensMost}` }),
  };
}

function stepNamed(plan: Plan, name: string): Step | undefined {
  return (
    plan.steps.find((step) => String(step.id) === name || `${step.file}::${step.block}` === name) ??
    plan.steps.find((step) => step.block === name)
  );
}
