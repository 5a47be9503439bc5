/**
 * A request in words carried out: the plan, what each step asks for, the edits with what follows; and stage by stage.
 */
import * as z from 'zod';
import type { DoReport } from '#protocol/do.js';
import type { WorkEntry } from '#protocol/work.js';
import { shownInLine, shownName } from '../base/shown.js';
import { agentTool, type AgentAnswer } from './agent-tool.js';
import { limited } from './answer-limit.js';
import { freshness } from './freshness.js';
import { planAnswer } from './plan-answer.js';

export const carryOut = agentTool({
  name: 'do',
  description: 'Carries a request out: a plan, what its steps edit or create, and all edits that follow, as a diff.',
  params: {
    request: z.string().trim().min(1).max(20_000).optional(),
    plan: z.string().max(1_000_000).optional().describe('go on from this text, marks [edit], [create], [use] kept'),
    stopAfter: z.enum(['plan', 'work']).optional(),
    apply: z.boolean().optional(),
  },
  writes: true,
  answer: async (service, { request, plan, stopAfter, apply }, call): Promise<AgentAnswer> => {
    const report = await service.ask(
      'codeplan/do',
      {
        ...(request === undefined ? {} : { request }),
        ...(plan === undefined ? {} : { plan }),
        ...(stopAfter === undefined ? {} : { stopAfter }),
        ...(apply === undefined ? {} : { apply }),
      },
      call,
    );
    const status = await service.ask('codeplan/status', {}, call);
    if (report.edits !== null)
      return {
        ...planAnswer(report.edits, status, [sumOf(report), ...report.work.map((entry) => workLine(entry, report))]),
        structured: { ...report },
      };
    return {
      text: limited(
        sumOf(report),
        [...report.work.map((entry) => workLine(entry, report)), ...report.text.trimEnd().split('\n')],
        [...report.notes.map(shownInLine), freshness(status)],
        'fewer steps',
      ),
      structured: { ...report },
    };
  },
});

function sumOf({ stage, steps, work, search }: DoReport): string {
  const count = (state: WorkEntry['state']): number => work.filter((entry) => entry.state === state).length;
  const became = stage === 'edits' ? `: ${count('done')} done, ${count('open')} open` : `, as far as the ${stage}`;
  const message = search?.message === undefined ? '' : `; ${shownInLine(search.message)}`;
  return `${steps.length} ${steps.length === 1 ? 'step' : 'steps'}${became}${message}`;
}

function workLine({ step, kind, state, reason, blocks, file, name }: WorkEntry, { steps }: DoReport): string {
  const places =
    kind === 'create'
      ? [file, name].filter((part) => part !== undefined).map(shownName)
      : blocks.map((place) => `${shownName(place.file)}:${shownName(place.block)}`);
  const where = places.length === 0 ? '' : ` ${places.join(', ')}`;
  const why = reason === undefined ? '' : `: ${shownInLine(reason)}`;
  return `${step}. [${kind}${where}] ${shownInLine(steps[step - 1]?.intent ?? '')} – ${state}${why}`;
}
