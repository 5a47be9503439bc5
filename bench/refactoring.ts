/**
 * One refactoring in memory: the person's edit, what the rewrites make of it, and the way back.
 */
import { applyEdits, invertEdits, movedOffset, type TextEdit } from '#src/base/text-edit.js';
import { runPlan, type PlanResult } from '#src/engine/plan-run.js';
import type { LayeredText } from '#src/edit/layered-text.js';
import { GivenValues } from '#src/edit/mechanical/calls/given-values.js';
import { WorkingTree } from '#src/engine/working-tree.js';
import { summarise } from '#src/languages/summarise.js';
import { STEPS_MOST } from '#src/plan/plan-graph.js';
import type { Grammars } from '#src/syntax/grammar.js';
import type { Summary } from '#src/syntax/summary.js';
import type { Typed } from './refactoring-kinds.js';

export interface Done {
  /** The tree with the person's edit alone. */
  readonly typed: WorkingTree;
  readonly result: PlanResult;
  readonly ms: number;
}

/** The person's edit and the plan without a model. */
export async function refactored(
  tree: WorkingTree,
  { edits, renames = new Map(), values = {} }: Typed,
  grammars: Grammars,
): Promise<Done> {
  const typed = edited(tree, edits, renames, grammars);
  const start = performance.now();
  const result = await runPlan(tree, typed, {
    grammars,
    values: new GivenValues(values),
    renames,
    certainOnly: false,
    stepsMost: STEPS_MOST,
    planning: true,
    askAll: false,
    signal: new AbortController().signal,
    progress: () => undefined,
  });
  return { typed, result, ms: performance.now() - start };
}

/** A tree with texts edited, and files under other paths. */
export function edited(
  tree: WorkingTree,
  edits: ReadonlyMap<string, readonly TextEdit[]>,
  renames: ReadonlyMap<string, string>,
  grammars: Grammars,
): WorkingTree {
  const texts = new Map<string, string>();
  for (const [file, list] of edits) texts.set(renames.get(file) ?? file, applyEdits(tree.text(file) ?? '', list));
  for (const [from, to] of renames) if (!texts.has(to)) texts.set(to, tree.text(from) ?? '');
  const summaries = new Map<string, Summary | undefined>([...renames.keys()].map((from) => [from, undefined]));
  for (const [file, text] of texts) summaries.set(file, summarise(grammars, file, text));
  return new WorkingTree(tree.snapshot.with(summaries), (file) => texts.get(file) ?? tree.text(file));
}

/** The edit that takes back what the person typed, in the tree as the plan left it. */
export function inverseOf(tree: WorkingTree, { edits, renames = new Map(), names }: Typed, { result }: Done): Typed {
  const back = new Map<string, readonly TextEdit[]>();
  for (const [file, list] of edits) {
    const path = renames.get(file) ?? file;
    const made = editsOfLayers(result.layers.get(path));
    back.set(
      path,
      invertEdits(tree.text(file) ?? '', list)
        .map(({ start, end, text }) => ({ start: movedOffset(made, start), end: endMoved(made, end), text }))
        .map((edit) => ({ ...edit, end: Math.max(edit.start, edit.end) })),
    );
  }
  return { edits: back, renames: new Map([...renames].map(([from, to]) => [to, from])), names, isInvertible: true };
}

/** What was inserted right behind a span is no part of it. */
const endMoved = (edits: readonly TextEdit[], end: number): number =>
  movedOffset(
    edits.filter((edit) => edit.start < end),
    end,
  );

/** All that the steps did to a text, as edits of what the person had typed. */
function editsOfLayers(layers: LayeredText | undefined): TextEdit[] {
  const out: { start: number; end: number; text: string }[] = [];
  let at = 0;
  for (const { text, by, removedBy } of layers?.pieces ?? []) {
    const isOld = by === undefined;
    const stays = removedBy === undefined;
    if (isOld !== stays) {
      const last = out.at(-1);
      const edit = { start: at, end: isOld ? at + text.length : at, text: isOld ? '' : text };
      if (last?.end === at) {
        last.end = edit.end;
        last.text += edit.text;
      } else out.push(edit);
    }
    if (isOld) at += text.length;
  }
  return out;
}

/** Files that are not the same in both trees. */
export function filesThatDiffer(before: WorkingTree, after: WorkingTree): string[] {
  const files = new Set([...before.snapshot.files.keys(), ...after.snapshot.files.keys()]);
  return [...files]
    .filter(
      (file) =>
        (before.snapshot.hasFile(file) ? before.text(file) : undefined) !==
        (after.snapshot.hasFile(file) ? after.text(file) : undefined),
    )
    .sort();
}
