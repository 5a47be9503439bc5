/** Plans of a request for people: the best with its symbols, runners-up in a line each, what it took. */
import type { PlanSearchReport, PlanStepEntry } from '#protocol/plan-search.js';
import { shownInLine, shownName } from '../base/shown.js';
import { counted } from '../base/counted.js';
import type { Paint } from './print.js';

type Ranked = PlanSearchReport['plans'][number];

export function planSearchLines(report: PlanSearchReport, paint: Paint): string[] {
  const [best, ...others] = report.plans;
  return [
    ...(best === undefined ? [] : [paint(`Plan: ${headOf(best)}`, 'bold'), ...stepLines(best.steps, paint)]),
    ...(others.length === 0 ? [] : ['', paint('Runners-up', 'bold')]),
    ...others.map(
      (plan, at) => `${at + 2}. ${headOf(plan)}: ${plan.steps.map(({ intent }) => shownInLine(intent)).join(' / ')}`,
    ),
    ...endLines(report, paint),
  ];
}

function headOf({ steps, diversity, score, judgement, recall }: Ranked): string {
  const judged = judgement === undefined ? '' : `, judged ${score?.toFixed(1) ?? 'not at all'} of 7`;
  const recalled = recall === undefined ? '' : `, ${Math.round(recall * 100)} % of the right ones`;
  return `${counted(steps.length, 'step')}, ${counted(diversity, 'symbol')}${judged}${recalled}`;
}

export function stepLines(steps: readonly PlanStepEntry[], paint: Paint): string[] {
  return steps.flatMap(({ intent, symbols }, at) => [
    `${paint(`${at + 1}.`, 'bold')} ${shownInLine(intent)}`,
    ...(symbols.length === 0 ? [`     ${paint('nothing of the repository fits', 'yellow')}`] : []),
    ...symbols.map(
      ({ file, line, block, signature }) =>
        `     ${paint(`${shownName(file)}:${line}`, 'cyan')}  ${shownName(block)}  ` +
        paint(shownInLine(signature), 'dim'),
    ),
  ]);
}

const STOPS: Readonly<Partial<Record<PlanSearchReport['stop'], string>>> = {
  cancelled: 'The search was ended; this is what was best so far.',
  modelFailure: 'The search ended early, since the model failed.',
  goal: 'The search ended at a plan that is judged to be complete.',
};

function endLines({ stop, message, usage, notes, plans, mode }: PlanSearchReport, paint: Paint): string[] {
  const said = [STOPS[stop], message].filter((text) => text !== undefined).map(shownInLine);
  const isSearch = mode === 'search' || mode === 'react';
  return [
    ...(said.length === 0 ? [] : ['', paint(said.join(' '), 'yellow')]),
    ...notes.map((note) => paint(shownInLine(note), 'yellow')),
    ...(!isSearch
      ? []
      : [
          '',
          [
            `${counted(usage.calls, 'question')} to the model`,
            `${usage.promptTokens} + ${usage.completionTokens} tokens`,
            `${counted(usage.samples, 'proposal')}, ${usage.duplicates} known, ${usage.unusable} of no use`,
          ].join('; '),
        ]),
    ...(plans.length === 0 && isSearch ? ['no plan was found'] : []),
  ];
}

/** The best plan as a text to edit, and the runners-up below a line, which are not read again. */
export function planMarkdown({ plans }: PlanSearchReport): string {
  const [best, ...others] = plans;
  const further = others.map(({ text }, at) => text.replace(/^# Plan$/m, `# Runner-up ${at + 2}`));
  return [best?.text ?? '', ...further].join('\n---\n\n');
}
