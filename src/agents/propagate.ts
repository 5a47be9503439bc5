/**
 * What follows from edits made by hand.
 */
import * as z from 'zod';
import { values as valuesAsked } from '#protocol/words.js';
import { agentTool, type AgentAnswer } from './agent-tool.js';
import { planAnswer } from './plan-answer.js';

export const propagate = agentTool({
  name: 'propagate',
  description: 'After edits by hand: what no longer fits elsewhere, and the edits that follow by rule, as a diff.',
  params: {
    base: z.string().optional().describe('revision; HEAD if absent'),
    values: valuesAsked.optional().describe('what callers pass, by parameter: {"timeout": "30"}'),
    apply: z.boolean().optional(),
  },
  writes: true,
  answer: async (service, { base, values, apply }, call): Promise<AgentAnswer> => {
    const report = await service.ask(
      'codeplan/plan',
      {
        model: 'none',
        ...(base === undefined ? {} : { base }),
        ...(values === undefined ? {} : { values }),
        ...(apply === undefined ? {} : { apply }),
      },
      call,
    );
    return planAnswer(report, await service.ask('codeplan/status', {}, call));
  },
});
