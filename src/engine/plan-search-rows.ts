/**
 * Plans of a request as rows of text, for editors that show them: the best open, runners-up folded, each step with the
 * symbols that could carry it out; and what a person does to a step.
 *
 * Plans come in and go out as the text that `codeplan plan --markdown` writes, so that an editor keeps nothing else of
 * them and the same text is what is carried out.
 */
import type { PlanEdit, PlanRowsParams, PlanRowsReport, PlanSearchRow } from '#protocol/plan-search.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { counted } from '../base/counted.js';
import { shownInLine, shownName } from '../base/shown.js';
import type { PlanSymbol } from '../search/plan.js';
import { NOTHING_FOUND, planText, readPlanText, stepText, type WrittenStep } from '../search/plan-text.js';
import { SEARCH_DEFAULTS } from '../search/search-settings.js';
import { stepOf, strangeLines } from './given-plan.js';
import type { PlanSymbols } from './plan-symbols.js';
import { ServiceError } from './service.js';

interface ShownStep extends Omit<WrittenStep, 'symbols'> {
  readonly symbols: readonly PlanSymbol[];
}

/** Throws ServiceError: settings, for an edit of a step that is not there or that lacks its words. */
export function planSearchRows(
  { plans, edit, symbols: most = SEARCH_DEFAULTS.symbolsEach }: PlanRowsParams,
  symbols: PlanSymbols,
): PlanRowsReport {
  const notes: string[] = [];
  const requests: string[] = [];
  const rows: PlanSearchRow[] = [];
  const texts = plans.map((text, plan) => {
    const { request, steps, strange } = readPlanText(text);
    notes.push(...strangeLines(strange));
    const wanted = edit?.plan === plan ? edited(steps, edit) : steps;
    const shown = wanted.map((step): ShownStep => ({ ...step, symbols: symbolsOf(step, most, symbols, notes) }));
    requests.push(request);
    rows.push(...rowsOf(shown, plan));
    return planText(request, shown.map(withoutEmptyMark));
  });
  if (edit !== undefined && edit.plan >= plans.length)
    throw new ServiceError('settings', `there is no plan ${edit.plan}: ${counted(plans.length, 'plan')} came with it`);
  return {
    schema: SCHEMA_VERSION,
    head: (requests[0] ?? '').split('\n').map(shownInLine),
    plans: texts,
    rows,
    notes: [...new Set(notes)].map(shownInLine),
  };
}

function symbolsOf(step: WrittenStep, most: number, symbols: PlanSymbols, notes: string[]): readonly PlanSymbol[] {
  const { intent, symbols: named, isStruck } = step;
  // What is struck out costs no look-up; taken back in, it has one.
  if (isStruck && named === undefined) return [];
  return stepOf(named === undefined ? { intent } : { intent, symbols: [...named] }, most, symbols, notes).symbols;
}

const withoutEmptyMark = ({ mark, ...step }: ShownStep): Parameters<typeof planText>[1][number] =>
  mark === undefined ? step : { ...step, mark };

// ---- what a person does

const MARK = /^(?:edit|use|create(?: \S[^\]]*)?)$/u;

function edited(steps: readonly WrittenStep[], { plan, step, as, to }: PlanEdit): WrittenStep[] {
  if (as === 'add') {
    if (step > steps.length) throw missing(plan, step);
    const added = { intent: words(as, to), symbols: undefined, mark: undefined, isStruck: false };
    return [...steps.slice(0, step), added, ...steps.slice(step)];
  }
  const chosen = steps[step - 1];
  if (chosen === undefined) throw missing(plan, step);
  return steps.map((one) => (one === chosen ? changed(one, as, to) : one));
}

function changed(step: WrittenStep, as: Exclude<PlanEdit['as'], 'add'>, to: string | undefined): WrittenStep {
  switch (as) {
    case 'strike':
      return { ...step, isStruck: !step.isStruck };
    case 'reword':
      return { ...step, intent: words(as, to), symbols: undefined };
    case 'ground':
      return { ...step, symbols: undefined };
    case 'drop': {
      const left = step.symbols?.filter((id) => id !== to) ?? [];
      if (left.length === step.symbols?.length || step.symbols === undefined)
        throw new ServiceError('settings', `the step has no symbol ${shownInLine(to ?? '')}`);
      // A step without symbols is one to be looked up.
      if (left.length === 0)
        throw new ServiceError('settings', 'it is the last symbol of the step: strike the step out, or reword it');
      return { ...step, symbols: left };
    }
    case 'mark': {
      const mark = to?.trim() ?? '';
      if (mark !== '' && !MARK.test(mark))
        throw new ServiceError(
          'settings',
          `a step can be marked edit, use, create, or create <path>:<name>, not ${shownInLine(mark)}`,
        );
      return { ...step, mark: mark === '' ? undefined : mark };
    }
  }
}

function words(as: PlanEdit['as'], to: string | undefined): string {
  const given = to?.replace(/\s+/g, ' ').trim() ?? '';
  if (given === '') throw new ServiceError('settings', `to ${as} a step takes its words`);
  return given;
}

const missing = (plan: number, step: number): ServiceError =>
  new ServiceError('settings', `plan ${plan + 1} has no step ${step}`);

// ---- rows

function rowsOf(steps: readonly ShownStep[], plan: number): PlanSearchRow[] {
  const kept = steps.filter(({ isStruck }) => !isStruck);
  const names = new Set(kept.flatMap(({ symbols }) => symbols.map(({ id }) => id)));
  const struck = steps.length - kept.length;
  const sums = [
    counted(kept.length, 'step'),
    counted(names.size, 'symbol'),
    ...(struck === 0 ? [] : [`${struck} struck out`]),
  ];
  return [
    {
      key: `plan ${plan}`,
      kind: 'plan',
      level: 0,
      text: `Plan ${plan + 1}: ${sums.join(', ')}`,
      plan,
      isFolded: plan > 0,
    },
    ...steps.flatMap((step, at) => stepRows(step, plan, at + 1)),
  ];
}

function stepRows({ symbols, ...written }: ShownStep, plan: number, step: number): PlanSearchRow[] {
  const { intent, mark, isStruck } = written;
  const text = stepText({ intent, isStruck, ...(mark === undefined ? {} : { mark }) });
  const below = { level: 2, plan, step, isFolded: false };
  return [
    {
      key: `step ${plan} ${step}`,
      kind: isStruck ? 'struck' : 'step',
      level: 1,
      text: `${step}. ${shownInLine(text)}`,
      plan,
      step,
      intent,
      isFolded: isStruck,
    },
    ...(symbols.length > 0 || isStruck
      ? []
      : [{ ...below, key: `nothing ${plan} ${step}`, kind: 'nothing' as const, text: NOTHING_FOUND }]),
    ...symbols.map(({ id, file, line, block, signature }): PlanSearchRow => ({
      ...below,
      key: `symbol ${plan} ${step} ${id}`,
      kind: 'symbol',
      text: `${shownName(file)}:${line}  ${shownName(block)}  ${shownInLine(signature)}`.trimEnd(),
      symbol: id,
      place: { file, line },
    })),
  ];
}
