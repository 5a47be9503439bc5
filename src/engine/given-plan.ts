/**
 * A plan as somebody gives it back, edited or not: read, looked up where its symbols are missing, put in front of a
 * request, and given to a model that writes code from it.
 */
import type {
  GivenStep,
  PlanCodeParams,
  PlanCodeReport,
  PlanDocument,
  PlanPromptParams,
  PlanPromptReport,
  PlanReadParams,
} from '#protocol/plan-search.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { shownInLine } from '../base/shown.js';
import { estimateTokens } from '../context/tokens.js';
import type { Model } from '../model/model.js';
import type { PlanStep } from '../search/plan.js';
import { codeIn, planPrompt } from '../search/plan-prompt.js';
import { planText, readPlanText } from '../search/plan-text.js';
import { SEARCH_DEFAULTS } from '../search/search-settings.js';
import type { PlanSymbols } from './plan-symbols.js';
import { stepEntries } from './plan-search.js';
import { ServiceError } from './service.js';

/** Answers to one prompt are to differ, and still to be code. */
const TEMPERATURE = 0.7;
/** Lines without a meaning that are named. */
const STRANGE_MOST = 5;
/** As many as a client can give one by one. */
const STEPS_MOST = 200;

export interface ReadPlan {
  readonly request: string;
  readonly steps: readonly PlanStep[];
  /** Of each step, what a person marked it as. */
  readonly marks: readonly (string | undefined)[];
  readonly notes: readonly string[];
}

/** Throws ServiceError: settings, for a text without a step or without a request. */
export function readPlan(params: PlanReadParams, symbols: PlanSymbols): ReadPlan {
  const written = params.text === undefined ? undefined : readPlanText(params.text);
  const request = params.request ?? written?.request ?? '';
  const kept = written?.steps.filter(({ isStruck }) => !isStruck);
  const given: readonly GivenStep[] =
    params.steps ??
    kept?.map(({ intent, symbols: named }) => ({ intent, ...(named === undefined ? {} : { symbols: [...named] }) })) ??
    [];
  if (given.length === 0)
    throw new ServiceError('settings', 'the plan has no step: write them as a numbered list, one line each');
  if (given.length > STEPS_MOST)
    throw new ServiceError('settings', `the plan has ${given.length} steps, more than the ${STEPS_MOST} it may have`);
  if (request === '')
    throw new ServiceError('settings', 'the plan does not say what it is for: write the request above it, after "> "');
  const notes = strangeLines(written?.strange ?? []);
  const steps = given.map((step) => stepOf(step, params.symbols ?? SEARCH_DEFAULTS.symbolsEach, symbols, notes));
  return { request, steps, marks: steps.map((_, at) => kept?.[at]?.mark), notes };
}

export function strangeLines(strange: readonly number[]): string[] {
  const notes = strange.slice(0, STRANGE_MOST).map((line) => `line ${line} of the plan is no part of it`);
  return strange.length > STRANGE_MOST ? [...notes, `so are ${strange.length - STRANGE_MOST} more`] : notes;
}

export function stepOf(step: GivenStep, most: number, symbols: PlanSymbols, notes: string[]): PlanStep {
  const { intent } = step;
  if (step.symbols === undefined) return { intent, symbols: symbols.ground(intent, most) };
  const found = step.symbols.flatMap((id) => {
    const symbol = symbols.named(id);
    if (symbol === undefined) notes.push(`there is no symbol ${shownInLine(id)} that a plan may name`);
    return symbol ?? [];
  });
  return { intent, symbols: found };
}

export function planDocument({ request, steps, marks, notes }: ReadPlan): PlanDocument {
  const marked = steps.map((step, at) => {
    const mark = marks[at];
    return mark === undefined ? step : { ...step, mark };
  });
  return {
    schema: SCHEMA_VERSION,
    request,
    steps: stepEntries({ steps }),
    text: planText(request, marked),
    notes: [...notes],
  };
}

export function planPromptDocument(
  { request, steps, style }: PlanPromptParams,
  symbols: PlanSymbols,
): PlanPromptReport {
  const plan = readPlan({ request, steps }, symbols);
  const text = planPrompt(request, plan.steps, style ?? 'full', (symbol) => symbols.definitionOf(symbol));
  return { schema: SCHEMA_VERSION, text, tokens: estimateTokens(text), notes: [...plan.notes] };
}

/** Throws ServiceError: model, when none answers. */
export async function planCodeDocument(
  params: PlanCodeParams,
  symbols: PlanSymbols,
  model: Model,
  signal: AbortSignal,
): Promise<PlanCodeReport> {
  const { n, temperature = TEMPERATURE } = params;
  const { request, steps = [], style } = params;
  const text =
    params.text ?? planPromptDocument({ request, steps, ...(style === undefined ? {} : { style }) }, symbols).text;
  const completion = await model.complete(
    { kind: 'plan/code', messages: [{ role: 'user', content: text }] },
    { signal, n, temperature },
  );
  if (!completion.ok) throw new ServiceError('model', `no code was written: ${completion.error.message}`);
  const samples = completion.choices
    .filter(({ finish, text: said }) => finish !== 'refused' && said.trim() !== '')
    .map(({ text: said }) => ({ code: codeIn(said) }));
  return {
    schema: SCHEMA_VERSION,
    samples,
    usage: completion.usage,
    ...(samples.length < n ? { message: `the model wrote ${samples.length} of ${n}` } : {}),
  };
}
