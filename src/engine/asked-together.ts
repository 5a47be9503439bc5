/**
 * Which steps are one question: those that edits of one function or class, made in one go, led to, such as the
 * overloads of a name, the members that override it and the callers that have it through its class. Told
 * together, what led to them, the task and what is around them is said once.
 *
 * None of them may depend on another: what an answer changes must not be what the next one reads. Few
 * enough, and short enough, that a model can keep them apart.
 */
import type { EditRequest } from '../context/edit-request.js';
import { promptOf } from '../context/prompt.js';
import { estimateTokens } from '../context/tokens.js';
import { fragmentOf } from '../edit/merge.js';
import { AMONG_DECLARATIONS, type Cause, type Plan, type Step } from '../plan/plan-graph.js';
import { uses } from './definitions-first.js';
import { isWithin } from './shown-members.js';
import { placesOf, requestsFor, type Asking, type PlacedStep } from './step-request.js';
import type { WorkingTree } from './working-tree.js';

/** How many blocks one question is about. */
const BLOCKS_MOST = 8;
/** Tokens of their texts together: an answer may repeat them all. */
const TOKENS_MOST = 2000;

/** The first of the waiting steps with those that are asked about in the same question. */
export function askedTogether(waiting: readonly Step[], tree: WorkingTree): readonly PlacedStep[] {
  const [first] = waiting;
  const one = first === undefined ? undefined : blockOf(first, tree);
  if (one === undefined) return [];
  const keys = new Set(one.step.causes.map(origin));
  const group = [one];
  let tokens = tokensOf(one);
  for (const step of waiting) {
    if (group.length === BLOCKS_MOST || tokens >= TOKENS_MOST) break;
    if (step === one.step || !step.causes.some((cause) => keys.has(origin(cause)))) continue;
    const other = blockOf(step, tree);
    if (other === undefined || tokens + tokensOf(other) > TOKENS_MOST) continue;
    if (group.some((member) => dependOnEachOther(member, other, tree))) continue;
    group.push(other);
    tokens += tokensOf(other);
  }
  return group;
}

/**
 * As `askedTogether`, with the request for each, fewer of them where a prompt may not be as long; none for a step on
 * its own.
 */
export function askedTogetherWithin(
  waiting: readonly Step[],
  tree: WorkingTree,
  plan: Plan,
  asking: Asking,
): readonly { readonly step: Step; readonly request: EditRequest }[] {
  for (const group = [...askedTogether(waiting, tree)]; group.length > 1; group.pop()) {
    const requests = requestsFor(group, tree, plan, asking);
    const [request, ...company] = requests;
    if (request !== undefined && promptOf(request, company).tokens <= asking.promptTokensMost)
      return group.flatMap(({ step }, at) => {
        const own = requests[at];
        return own === undefined ? [] : [{ step, request: own }];
      });
  }
  return [];
}

/**
 * Whether a question about the step is most likely the same once these are answered: it refers to none of them, nor
 * they to it, and none is its class, stands in its class or belongs to its family, of whose edits it would be told.
 */
export function isApart(step: Step, asked: readonly Step[], tree: WorkingTree): boolean {
  return asked.every(
    (other) =>
      !(step.file === other.file && ownerOf(step) !== '' && ownerOf(step) === ownerOf(other)) &&
      !isWithin(step, other.file, other.nowBlock) &&
      !isWithin(other, step.file, step.nowBlock) &&
      !(isAmongDeclarations(step) && isAmongDeclarations(other)) &&
      !uses(step, other, tree) &&
      !uses(other, step, tree),
  );
}

const ownerOf = ({ nowBlock }: Step): string => nowBlock.slice(0, Math.max(0, nowBlock.lastIndexOf('.')));
const isAmongDeclarations = ({ causes }: Step): boolean =>
  causes.some(({ relation }) => AMONG_DECLARATIONS.has(relation));

/** The function or class whose edit, made in one go with its others, it tells of. */
const origin = ({ step, file, block }: Cause): string =>
  `${step} ${file} ${block.slice(0, block.lastIndexOf('.')) || block}`;

/** A step that stands at one block, and that an edit led to. */
function blockOf(step: Step, tree: WorkingTree): PlacedStep | undefined {
  if (step.causes.length === 0 || step.rule === 'oracle' || step.nowBlock === '<module>') return undefined;
  const [place] = placesOf(step, tree);
  return place === undefined ? undefined : { step, place };
}

const tokensOf = ({ place }: PlacedStep): number => estimateTokens(fragmentOf(place.text, place.summary, place.decl));

function dependOnEachOther(a: PlacedStep, b: PlacedStep, tree: WorkingTree): boolean {
  if (a.step.file === b.step.file) {
    const { decls } = a.place.summary;
    if (
      decls.startOf(a.place.decl) < decls.endOf(b.place.decl) &&
      decls.startOf(b.place.decl) < decls.endOf(a.place.decl)
    )
      return true;
  }
  return uses(a.step, b.step, tree) || uses(b.step, a.step, tree);
}
