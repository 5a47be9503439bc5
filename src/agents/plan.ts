/**
 * Steps for a request in words, with the symbols that could carry each out: a text to edit and to give to `do`.
 */
import * as z from 'zod';
import type { PlanSearchReport } from '#protocol/plan-search.js';
import { shownInLine } from '../base/shown.js';
import { planText } from '../search/plan-text.js';
import { agentTool, type AgentAnswer } from './agent-tool.js';
import { limited } from './answer-limit.js';
import { freshness } from './freshness.js';

export const plan = agentTool({
  name: 'plan',
  description: 'Steps for a request in words, each with symbols of this repository that could carry it out.',
  params: {
    request: z.string().trim().min(1).max(20_000),
    mode: z.enum(['search', 'react', 'topk']).optional().describe('topk looks up once, no model; default search'),
    symbols: z.int().min(1).max(50).optional().describe('of a step; 5'),
    exclude: z.array(z.string().min(1)).optional().describe('globs of files'),
  },
  answer: async (service, { request, mode, symbols, exclude }, call): Promise<AgentAnswer> => {
    const report = await service.ask(
      'codeplan/planSearch',
      {
        request,
        plans: 1,
        ...(mode === undefined ? {} : { mode }),
        ...(symbols === undefined ? {} : { symbols }),
        ...(exclude === undefined ? {} : { exclude }),
      },
      call,
    );
    const [best] = report.plans;
    const said = [report.message, ...report.notes].flatMap((text) => (text === undefined ? [] : [shownInLine(text)]));
    if (best === undefined) return { refused: true, text: ['No plan was found.', ...said].join('\n') };
    const end = [...said, costOf(report), freshness(await service.ask('codeplan/status', {}, call))];
    const [head = '', ...lines] = planText(request, best.steps).trimEnd().split('\n');
    return { text: limited(head, lines, end, 'fewer symbols'), structured: { ...report } };
  },
});

const costOf = ({ stop, usage }: PlanSearchReport): string =>
  `ended: ${stop}; ${usage.calls} questions, ${usage.promptTokens + usage.completionTokens} tokens`;
