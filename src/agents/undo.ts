/**
 * Takes back what a run wrote.
 */
import * as z from 'zod';
import { counted } from '../base/counted.js';
import { shownName } from '../base/shown.js';
import { agentTool } from './agent-tool.js';
import { limited } from './answer-limit.js';

export const undo = agentTool({
  name: 'undo',
  description: 'Takes back the latest run that wrote, or the one named.',
  params: { run: z.string().optional() },
  writes: true,
  answer: async (service, { run }, call) => {
    const undone = await service.ask('codeplan/undo', run === undefined ? {} : { run }, call);
    return {
      text: limited(
        `run ${undone.run} taken back, ${counted(undone.files.length, 'file')} restored:`,
        undone.files.map(shownName),
        [],
        'files that were restored too',
      ),
      structured: { ...undone },
    };
  },
});
