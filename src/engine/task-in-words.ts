/**
 * A task in words, carried out as a request: planned first, then edited with what follows.
 *
 * So it goes where nothing else says what the task begins with and a model can plan; elsewhere `task-roots.ts` has the
 * roots. The plan and what became of its steps stand in the report beside the edits, so that nothing of it is lost
 * that is open, and a person can go on from its text.
 */
import type { DoParams, DoReport } from '#protocol/do.js';
import type { PropagateParams } from '#protocol/propagate.js';
import type { Effects } from './effects.js';
import type { Run } from './propagation.js';
import { SEARCH_OPTIONS } from '../search/search-settings.js';
import { ServiceError } from './service.js';
import { isWithoutBeginning } from './task-roots.js';
import type { TreePair } from './trees.js';

/** The request that a task comes to; undefined where it has to begin otherwise. Throws ServiceError: settings. */
export async function requestOfTask(
  params: PropagateParams,
  trees: TreePair,
  effects: Effects,
): Promise<DoParams | undefined> {
  const { base: _base, baseDir: _dir, change, instruction, blocks: _blocks, ...others } = params;
  const { repairOnly, resume: _resume, seeds, ...options } = others;
  const request = instruction?.trim() ?? '';
  if (request === '' || change !== undefined || repairOnly === true || seeds !== undefined) return undefined;
  if (options.rulesOnly === true || !isWithoutBeginning(params, trees, await effects.model(options.model)))
    return undefined;
  if ((await effects.modelOf('plan')) === undefined) return undefined;
  return {
    ...(options.maxCalls === undefined ? {} : { searchCalls: options.maxCalls }),
    ...(options.maxTokens === undefined ? {} : { searchTokens: options.maxTokens }),
    ...(options.maxCost === undefined ? {} : { searchCost: options.maxCost }),
    ...(options.maxSeconds === undefined ? {} : { searchSeconds: options.maxSeconds }),
    ...options,
    request,
  };
}

/** Throws ServiceError: settings, for options of a search where none is made: they would be passed over in silence. */
export function refuseSearchOptions(params: PropagateParams): void {
  const given = SEARCH_OPTIONS.filter((name) => params[name] !== undefined);
  if (given.length > 0)
    throw new ServiceError(
      'settings',
      `no plan is searched for here, so nothing can come of ${given.join(', ')}: a task is planned where it is given ` +
        'in words, nothing was edited yet, no block is named, and a model of the role plan is configured',
    );
}

/** The run of the edits with what was planned before them. */
export function withTask(run: Run, { steps, text, search, work, usage, notes }: DoReport): Run {
  const { report } = run;
  return {
    ...run,
    report: {
      ...report,
      task: { steps, text, search, work },
      usage: { ...report.usage, ...usage },
      problems: [...report.problems, ...notes.map((message) => ({ message }))],
    },
  };
}
