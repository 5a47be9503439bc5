/** The tools for agents, by set. A new one is a file and a line here. */
import type { AgentTool } from './agent-tool.js';
import { carryOut } from './carry-out.js';
import { plan } from './plan.js';
import { propagate } from './propagate.js';
import { refactor } from './refactor.js';
import { refs } from './refs.js';
import { context, repositoryTools } from './repository-tools.js';
import { undo } from './undo.js';

export const TOOL_SETS = ['agent', 'repository', 'plans', 'all'] as const;
export type ToolSet = (typeof TOOL_SETS)[number];

const AGENT_TOOLS: readonly AgentTool[] = [refactor, propagate, refs, context, undo];

/** From a request in words: apart, since they ask a model, which an agent is itself. */
const PLAN_TOOLS: readonly AgentTool[] = [plan, carryOut];

const SETS: Readonly<Record<ToolSet, readonly AgentTool[]>> = {
  agent: AGENT_TOOLS,
  repository: repositoryTools,
  plans: PLAN_TOOLS,
  all: [...AGENT_TOOLS, ...repositoryTools, ...PLAN_TOOLS],
};

export const toolsOf = (set: ToolSet): readonly AgentTool[] => SETS[set];
