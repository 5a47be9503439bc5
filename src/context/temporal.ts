/**
 * Temporal context: the edits that a step came about through, oldest first.
 *
 * All paths of causes that lead to a step are followed back to the person's edits; an edit on
 * several paths counts once, and the edits that caused the step itself come last, with the reason.
 * Edits of the plan that no path leads through are no business of the step.
 *
 * Source: CodePlan (arXiv 2309.12499), temporal context.
 */
import type { EarlierEdit } from './edit-request.js';

/** What is read of a step. */
export interface CausedStep {
  readonly id: number;
  readonly file: string;
  readonly block: string;
  readonly causes: readonly { readonly step: number; readonly file: string; readonly block: string }[];
  readonly reasons: readonly string[];
  /** Unified diff; '' for none. */
  readonly diff: string;
}

/** `person`: the person's own edits; the number of a step is its place in `steps`, from 1. */
export function temporalContext(
  step: CausedStep,
  steps: readonly CausedStep[],
  person: readonly EarlierEdit[],
): EarlierEdit[] {
  const direct = new Set(step.causes.map((cause) => cause.step));
  const ids = new Set<number>();
  const seeds = new Set<string>();
  const open: CausedStep[] = [step];
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
  const cause = step.reasons.join(' ');
  const isDirect = (id: number): boolean => direct.has(id);
  const made = [...ids]
    .sort((a, b) => Number(isDirect(a)) - Number(isDirect(b)) || a - b)
    .flatMap((id): EarlierEdit[] => {
      const known = steps[id - 1] as CausedStep;
      return known.diff === ''
        ? []
        : [{ file: known.file, block: known.block, ...sidesOf(known.diff), cause: isDirect(id) ? cause : '' }];
    });
  // An edit of the person that only imports or statements at module level came from is named by no cause.
  const named = person.filter((edit) => seeds.has(`${edit.file}::${edit.block}`));
  return [...named.map((edit) => (direct.has(0) ? { ...edit, cause: made.length === 0 ? cause : '' } : edit)), ...made];
}

/** Every edit so far: what an oracle reports has no known cause among them. */
export function allEdits(steps: readonly CausedStep[], person: readonly EarlierEdit[]): EarlierEdit[] {
  return [
    ...person,
    ...steps
      .filter((step) => step.diff !== '')
      .map((step): EarlierEdit => ({ file: step.file, block: step.block, ...sidesOf(step.diff), cause: '' })),
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
