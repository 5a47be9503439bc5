/**
 * The repository tools and the context of an edit as agents call them: the daemon answers, the text is handed on.
 */
import * as z from 'zod';
import { context as contextTool } from '../engine/context-tool.js';
import { REPOSITORY_TOOLS } from '../tools/tools.js';
import type { AnyTool } from '../tools/tool.js';
import type { AgentTool } from './agent-tool.js';
import { freshness } from './freshness.js';

const handedOn = ({ name, description, params }: AnyTool, saysFreshness: boolean): AgentTool => ({
  name,
  description,
  params: params instanceof z.ZodObject ? params : z.looseObject({}),
  writes: false,
  call: async (service, given, call) => {
    const known = z.record(z.string(), z.unknown()).safeParse(given ?? {});
    const report = await service.ask('codeplan/tool', { tool: name, arguments: known.success ? known.data : {} }, call);
    const end = saysFreshness ? `\n${freshness(await service.ask('codeplan/status', {}, call))}` : '';
    return { text: `${report.text}${end}`, structured: report.structured, refused: report.refused };
  },
});

export const repositoryTools: readonly AgentTool[] = REPOSITORY_TOOLS.map((tool) => handedOn(tool, false));
export const context = handedOn(contextTool, true);
