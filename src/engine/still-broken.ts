/**
 * What a model's answers left broken: a block that it edited, or saw no reason to edit, and that
 * still does not fit the edits elsewhere. The plan is judged as a whole, as `impact` would judge it,
 * so an answer is not taken at its word, and one that another answer made right is not held back.
 */
import { saidOfOutside } from '../base/outside.js';
import type { Turns } from '../base/turns.js';
import { blockName } from '../change/block-name.js';
import { impactOf } from '../impact/impact.js';
import { questionAbout } from '../impact/question.js';
import type { Plan, Step } from '../plan/plan-graph.js';
import { editInTurns } from './edit-between.js';
import { blockKey } from './step-names.js';
import type { WorkingTree } from './working-tree.js';

/** The plan with those steps open again, each with the reason. `before` is the tree without the person's edit. */
export function* withStillBroken(
  plan: Plan,
  before: WorkingTree,
  tree: WorkingTree,
  renames?: ReadonlyMap<string, string>,
): Turns<Plan> {
  const isAnswered = ({ how, status, open }: Step): boolean =>
    how === 'model' && status === 'proposed' && open === undefined;
  if (!plan.steps.some(isAnswered)) return plan;
  const broken = yield* reasonsByBlock(before, tree, renames);
  return {
    steps: plan.steps.map((step): Step => {
      const reason = isAnswered(step) ? broken.get(blockKey(step.file, step.nowBlock)) : undefined;
      if (reason === undefined) return step;
      const said = step.diff === '' ? 'the model answered that nothing has to change' : "with the model's edit it";
      const sentence = step.diff === '' ? `${said}, but it still breaks: ${reason}` : `${said} still breaks: ${reason}`;
      return {
        ...step,
        status: step.diff === '' ? 'failed' : step.status,
        open: { reason: sentence, needs: 'person' },
      };
    }),
  };
}

function* reasonsByBlock(
  before: WorkingTree,
  tree: WorkingTree,
  renames?: ReadonlyMap<string, string>,
): Turns<Map<string, string>> {
  const graphs = { before: before.resolver, after: tree.resolver };
  const edit = yield* editInTurns(before, tree, renames);
  const { affected } = yield* impactOf(questionAbout(graphs, edit));
  const reasons = new Map<string, string>();
  for (const { file, decl, sites } of affected) {
    const site = sites.find((each) => each.tier === 'breaks' && each.confidence === 'certain');
    if (site === undefined) continue;
    const block = decl < 0 ? '<module>' : blockName(tree.resolver.summary(file), decl);
    reasons.set(blockKey(file, block), saidOfOutside(site.reason));
  }
  return reasons;
}
