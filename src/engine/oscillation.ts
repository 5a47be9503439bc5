/**
 * Whether an edit gives a block back a text that it had before in the same plan: then two causes
 * pull it to and fro, and a further edit would only begin the same round again.
 */
import { blockNamed } from '../change/block-name.js';
import type { Step } from '../plan/plan-graph.js';
import { blockKey } from './step-names.js';
import type { WorkingTree } from './working-tree.js';

/** Texts that blocks had before a step edited them, by block. */
export type EarlierTexts = ReadonlyMap<string, ReadonlySet<string>>;

/** The texts with the one that the step's block has in `tree`. */
export function withTextOf(earlier: EarlierTexts, step: Step, tree: WorkingTree): EarlierTexts {
  const text = textOf(step, tree);
  const key = blockKey(step.file, step.nowBlock);
  return text === undefined ? earlier : new Map([...earlier, [key, new Set([...(earlier.get(key) ?? []), text])]]);
}

/** Whether the step's block would have a text again that is not the one before this edit. */
export function isReturn(earlier: EarlierTexts, step: Step, edited: WorkingTree): boolean {
  const text = textOf(step, edited);
  return text !== undefined && earlier.get(blockKey(step.file, step.nowBlock))?.has(text) === true;
}

/** Undefined for module level, and for a block that is gone or has another name. */
function textOf({ file, nowBlock }: Step, tree: WorkingTree): string | undefined {
  const summary = tree.snapshot.summary(file);
  const decl = summary === undefined ? undefined : blockNamed(summary, nowBlock);
  return summary === undefined || decl === undefined || decl < 0
    ? undefined
    : tree.text(file)?.slice(summary.decls.startOf(decl), summary.decls.endOf(decl));
}
