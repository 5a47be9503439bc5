/** The tools for agents, by set. A new one is a file and a line here. */
import type { AgentTool } from './agent-tool.js';
import { propagate } from './propagate.js';
import { refactor } from './refactor.js';
import { refs } from './refs.js';
import { context, repositoryTools } from './repository-tools.js';
import { undo } from './undo.js';

export const TOOL_SETS = ['agent', 'repository', 'all'] as const;
export type ToolSet = (typeof TOOL_SETS)[number];

const AGENT_TOOLS: readonly AgentTool[] = [refactor, propagate, refs, context, undo];

export function toolsOf(set: ToolSet): readonly AgentTool[] {
  if (set === 'agent') return AGENT_TOOLS;
  return set === 'repository' ? repositoryTools : [...AGENT_TOOLS, ...repositoryTools];
}
