/**
 * Where a task in words begins: the blocks that the person names, or those that the model picks.
 *
 * A task without named blocks begins anew only where nothing was edited yet; otherwise it goes with
 * the person's edits. Where a model plans, `task-in-words.ts` gives the blocks as seeds; else the model that edits
 * picks among candidates that a search over the repository finds.
 */
import type { PropagateParams } from '#protocol/propagate.js';
import { blockName } from '../change/block-name.js';
import type { Candidate } from '../context/pick.js';
import type { EditModel } from '../edit/model/edit-model.js';
import type { Usage } from '../model/usage.js';
import type { Obligation } from '../plan/plan-graph.js';
import { relevantBlocks } from '../retrieve/relevant.js';
import { inTurns } from '../base/turns.js';
import { lineAt } from '../syntax/line-at.js';
import { findBlock, namedExactly } from './block-names.js';
import { SearchMemory } from './search-memory.js';
import { ServiceError, type Call } from './service.js';
import type { TreePair } from './trees.js';
import type { WorkingTree } from './working-tree.js';

/** How many candidates a model chooses from. */
const CANDIDATES_MOST = 30;
/** How often an answer that names no candidate is asked for again. */
const ASKED_AGAIN_MOST = 2;
/** The rule that a root is raised by. */
export const TASK_RULE = 'task';

export interface TaskRoots {
  readonly roots: readonly Obligation[];
  /** Of each question that it took. */
  readonly usage: readonly Usage[];
  /** Whether a model was asked where the task begins, and said nowhere. */
  readonly isNowhere?: true;
}

/** What a person is told when a model finds nothing to begin with. */
export const NOWHERE =
  'the model was shown the blocks that share words with the task, and says that none of them has to be ' +
  'edited; if one has to be, name it as a block';

interface Root {
  readonly file: string;
  readonly decl: number;
}

/**
 * Throws ServiceError: unknownBlock, ambiguousBlock; settings, when the task lacks words or a model; model, when it
 * picks nothing usable.
 */
export async function taskRoots(
  { before, after, search }: TreePair,
  params: Pick<PropagateParams, 'blocks' | 'instruction' | 'seeds'>,
  model: EditModel | undefined,
  call: Call,
): Promise<TaskRoots> {
  const task = params.instruction?.trim() ?? '';
  if (params.seeds !== undefined) return { roots: params.seeds.flatMap((seed) => seedRoots(after, seed)), usage: [] };
  const named = params.blocks ?? [];
  const isPicked = task !== '' && isWithoutBeginning(params, { before, after }, model);
  if (named.length === 0 && !isPicked) return { roots: [], usage: [] };
  if (task === '')
    throw new ServiceError(
      'settings',
      'blocks were named, but not what is to be done with them: give the task in words',
    );
  if (model === undefined)
    throw new ServiceError('settings', 'a task in words needs a model: configure an endpoint, or choose one');
  const usage: Usage[] = [];
  const roots = isPicked
    ? await picked(after, search ?? new SearchMemory(), task, model, call, usage)
    : named.map((name): Root => findBlock(after.resolver, name)[0]);
  return {
    usage,
    roots: roots.map((root) => rootOf(after, root, `The task begins here: ${task}`)),
    ...(isPicked && roots.length === 0 ? { isNowhere: true } : {}),
  };
}

/** Whether nobody says where a task begins, no edit and no name, and the model can be asked. */
export const isWithoutBeginning = (
  { blocks = [] }: Pick<PropagateParams, 'blocks'>,
  { before, after }: Pick<TreePair, 'before' | 'after'>,
  model: EditModel | undefined,
): boolean =>
  blocks.length === 0 && model?.pick !== undefined && after.snapshot.differingFrom(before.snapshot).length === 0;

function rootOf({ resolver }: WorkingTree, { file, decl }: Root, reason: string): Obligation {
  const summary = resolver.summary(file);
  return {
    file,
    block: blockName(summary, decl),
    tier: 'breaks',
    causes: [],
    reasons: [reason],
    facts: [],
    rule: TASK_RULE,
    nearness: 0,
    line: decl < 0 ? 1 : lineAt(summary, summary.decls.startOf(decl)),
  };
}

type Seed = NonNullable<PropagateParams['seeds']>[number];

function seedRoots(tree: WorkingTree, { block, intent, related = [] }: Seed): Obligation[] {
  const root = rootOf(tree, findNamed(tree, block), `A step of the plan begins here: ${intent}`);
  const names = related.map((name) => {
    const { file, decl } = findNamed(tree, name);
    return { file, block: blockName(tree.resolver.summary(file), decl) };
  });
  return [names.length === 0 ? root : { ...root, related: names }];
}

/** As plans name blocks, or as people do. */
function findNamed({ resolver }: WorkingTree, name: string): Root {
  return namedExactly(resolver, name) ?? findBlock(resolver, name)[0];
}

async function picked(
  tree: WorkingTree,
  search: SearchMemory,
  task: string,
  model: EditModel,
  call: Call,
  usage: Usage[],
): Promise<Root[]> {
  call.progress('looking for blocks that the task is about');
  const index = await inTurns(search.of(tree), call.signal);
  const hits = relevantBlocks(index, tree.snapshot, task, CANDIDATES_MOST);
  if (hits.length === 0)
    throw new ServiceError(
      'settings',
      'no block of the repository shares a word with the task; name the blocks that it begins with',
    );
  const candidates = hits.map(({ file, decl }): Candidate => {
    const summary = tree.resolver.summary(file);
    return {
      file,
      block: blockName(summary, decl),
      signature: (tree.text(file) ?? '').slice(summary.decls.startOf(decl), summary.decls.bodyStartOf(decl)).trim(),
      line: lineAt(summary, summary.decls.startOf(decl)),
    };
  });
  let refusal: string | undefined;
  for (let attempt = 0; attempt <= ASKED_AGAIN_MOST; attempt++) {
    const answer = await model.pick?.(
      { instruction: task, candidates, ...(refusal === undefined ? {} : { refusal }) },
      call.signal,
    );
    if (answer !== undefined) usage.push(answer.usage);
    if (answer?.kind === 'picked') return answer.picked.map((at) => hits[at]).filter((hit) => hit !== undefined);
    refusal = answer?.reason;
    if (answer?.error !== undefined && answer.error.kind !== 'bad-answer') break;
  }
  throw new ServiceError(
    'model',
    `the model did not say where the task begins: ${refusal ?? 'it cannot be asked that'}; name the blocks`,
  );
}
