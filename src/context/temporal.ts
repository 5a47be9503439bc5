/**
 * Temporal context: the edits that a step came about through, and how steps like it were edited.
 *
 * All paths of causes that lead to a step are followed back to the person's edits; an edit on
 * several paths counts once. The person's edits come first, then the plan's in the order in which
 * they were made: what a later question tells begins with what an earlier one told. Edits of the
 * plan that no path leads through are no business of the step, but for the first ones of a model in
 * its class, or in its family of overriding members, that follow from the same cause: two answers
 * should agree on a name that both bring in.
 *
 * Source: CodePlan (arXiv 2309.12499), temporal context.
 */
import type { Relation } from '../graph/refer/relation.js';
import type { EarlierEdit } from './edit-request.js';

/** What is read of a step. */
export interface CausedStep {
  readonly id: number;
  readonly file: string;
  readonly block: string;
  readonly causes: readonly {
    readonly step: number;
    readonly file: string;
    readonly block: string;
    readonly relation: Relation;
  }[];
  /** Unified diff; '' for none. */
  readonly diff: string;
  /** Who made it. */
  readonly how: 'mechanical' | 'model' | 'replay' | 'person';
}

/** How many edits of others with the same cause are told. */
const SIBLINGS_MOST = 2;

/**
 * For one step, or with `company` for several that are one question. `person`: the person's own edits; the number of a
 * step is its place in `steps`, from 1. `made`: numbers of the steps that were edited, in the order in which they were.
 */
export function temporalContext(
  step: CausedStep,
  steps: readonly CausedStep[],
  person: readonly EarlierEdit[],
  made: readonly number[] = steps.map(({ id }) => id),
  company: readonly CausedStep[] = [],
): EarlierEdit[] {
  const asked = [step, ...company];
  const direct = new Set(asked.flatMap(({ causes }) => causes.map((cause) => cause.step)));
  const ids = new Set<number>();
  const seeds = new Set<string>();
  const open: CausedStep[] = [...asked];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const cause of at.causes) {
      const known = steps[cause.step - 1];
      if (known === undefined) seeds.add(`${cause.file}::${cause.block}`);
      else if (!ids.has(known.id)) {
        ids.add(known.id);
        open.push(known);
      }
    }
  }
  const siblings = asked.flatMap((each) => siblingsOf(each, steps, made)).filter((id) => !ids.has(id));
  const told = new Set([...ids, ...siblings]);
  const of = made.flatMap((id): EarlierEdit[] => {
    const known = steps[id - 1];
    return known === undefined || known.diff === '' || !told.has(id)
      ? []
      : [{ file: known.file, block: known.block, ...sidesOf(known.diff), isDirect: direct.has(id) }];
  });
  // An edit of the person that only imports or statements at module level came from is named by no cause.
  const named = person.filter((edit) => seeds.has(`${edit.file}::${edit.block}`));
  return [...named.map((edit) => ({ ...edit, isDirect: direct.has(0) })), ...of];
}

/**
 * The person's edits, those first that lead to most of the steps: the more of the questions tell an edit, the longer
 * the beginning that they have in common.
 */
export function byReach(person: readonly EarlierEdit[], steps: readonly CausedStep[]): readonly EarlierEdit[] {
  const seedsOf = new Map<number, ReadonlySet<string>>();
  const reach = new Map<string, number>();
  for (const { id, causes } of steps) {
    const seeds = new Set(
      causes.flatMap((cause) =>
        steps[cause.step - 1] === undefined ? [causeKey(cause)] : [...(seedsOf.get(cause.step) ?? [])],
      ),
    );
    seedsOf.set(id, seeds);
    for (const seed of seeds) reach.set(seed, (reach.get(seed) ?? 0) + 1);
  }
  const reachOf = (edit: EarlierEdit): number => reach.get(causeKey(edit)) ?? 0;
  return [...person].sort((a, b) => reachOf(b) - reachOf(a));
}

/** The first edits of a model in the step's class or family that have a cause in common with it. */
function siblingsOf(step: CausedStep, steps: readonly CausedStep[], made: readonly number[]): readonly number[] {
  const causes = new Map(step.causes.map((cause) => [causeKey(cause), cause.relation]));
  return made
    .filter((id) => {
      const known = steps[id - 1];
      if (known === undefined || known.id === step.id || known.diff === '') return false;
      if (known.how !== 'model' && known.how !== 'replay') return false;
      const isInClass =
        known.file === step.file && ownerOf(known.block) !== '' && ownerOf(known.block) === ownerOf(step.block);
      return known.causes.some((cause) => {
        const relation = causes.get(causeKey(cause));
        return relation !== undefined && (isInClass || (FAMILY.has(relation) && FAMILY.has(cause.relation)));
      });
    })
    .slice(0, SIBLINGS_MOST);
}

/** What joins members that must agree. */
const FAMILY: ReadonlySet<Relation> = new Set<Relation>(['Overrides', 'OverriddenBy', 'Satisfies', 'SatisfiedBy']);
const causeKey = ({ file, block }: { readonly file: string; readonly block: string }): string => `${file}::${block}`;
const ownerOf = (block: string): string => block.slice(0, Math.max(0, block.lastIndexOf('.')));

/** Every edit so far: what an oracle reports has no known cause among them. */
export function allEdits(
  steps: readonly CausedStep[],
  person: readonly EarlierEdit[],
  made: readonly number[],
): EarlierEdit[] {
  return [
    ...person,
    ...made.flatMap((id): EarlierEdit[] => {
      const step = steps[id - 1];
      return step === undefined || step.diff === ''
        ? []
        : [{ file: step.file, block: step.block, ...sidesOf(step.diff), isDirect: false }];
    }),
  ];
}

/** What stands before and after in the hunks of a diff. */
function sidesOf(diff: string): { readonly before: string; readonly after: string } {
  const lines = diff.split('\n').filter((line) => /^[ +-]/.test(line) && !/^(?:---|\+\+\+) /.test(line));
  const side = (sign: string): string =>
    lines
      .filter((line) => line.startsWith(' ') || line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n');
  return { before: side('-'), after: side('+') };
}
