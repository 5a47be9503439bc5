/**
 * A plan run in memory: files, a person's edit, and what the rewrites make of the rest.
 *
 * No disk, no model, no oracle: what a test sees is what follows from the edit alone.
 */
import { GivenValues } from '#src/edit/mechanical/calls/given-values.js';
import { runPlan } from '#src/engine/plan-run.js';
import { WorkingTree } from '#src/engine/working-tree.js';
import { Snapshot } from '#src/graph/files/snapshot.js';
import { summarise } from '#src/languages/summarise.js';
import type { Plan } from '#src/plan/plan-graph.js';
import type { Grammars } from '#src/syntax/grammar.js';
import type { Summary } from '#src/syntax/summary.js';

export type Files = Readonly<Record<string, string>>;

export interface Propagated {
  /** Texts of the files that the rewrites changed. */
  readonly changed: Files;
  /** `file::block: reason`, sorted, for what is left open and breaks. */
  readonly open: readonly string[];
  readonly plan: Plan;
  readonly all: Files;
}

export interface PropagatedOptions {
  readonly values?: Readonly<Record<string, string>>;
  /** Instead of `values`, for who asks afterwards which of them were taken. */
  readonly given?: GivenValues;
  /** Files that have another path after the edit, old to new. */
  readonly renames?: Readonly<Record<string, string>>;
}

/** `edit`: new texts; an empty one deletes the file. */
export async function propagated(
  grammars: Grammars,
  files: Files,
  edit: Files,
  options: PropagatedOptions = {},
): Promise<Propagated> {
  const edited = Object.fromEntries(
    Object.entries({ ...files, ...edit }).filter(([file, text]) => text !== '' || edit[file] !== ''),
  );
  const result = await runPlan(treeOf(grammars, files), treeOf(grammars, edited), {
    grammars,
    values: options.given ?? new GivenValues(options.values ?? {}),
    certainOnly: false,
    stepsMost: 5000,
    planning: true,
    askAll: false,
    renames: new Map(Object.entries(options.renames ?? {})),
    signal: new AbortController().signal,
    progress: () => undefined,
  });
  const all = Object.fromEntries(Object.keys(edited).map((file) => [file, result.tree.text(file) ?? '']));
  return {
    all,
    plan: result.plan,
    changed: Object.fromEntries(Object.entries(all).filter(([file, text]) => text !== edited[file])),
    open: result.plan.steps
      .filter((step) => step.open !== undefined && step.tier === 'breaks')
      .map((step) => `${step.file}::${step.block}: ${step.open?.reason ?? ''}`)
      .sort(),
  };
}

export function treeOf(grammars: Grammars, files: Files): WorkingTree {
  const summaries = new Map<string, Summary>();
  for (const [file, text] of Object.entries(files)) {
    const summary = summarise(grammars, file, text);
    if (summary !== undefined) summaries.set(file, summary);
  }
  const configs = new Map(Object.entries(files).filter(([file]) => !summaries.has(file)));
  return new WorkingTree(Snapshot.empty().with(summaries, configs), (file) => files[file]);
}

/** The two versions of files in which `{+added+}` and `{-removed-}` mark a person's edit. Nothing marked: no edit. */
export function marked(files: Files): { readonly before: Files; readonly edit: Files } {
  const side = (text: string, drop: RegExp, keep: RegExp): string => text.replace(drop, '').replace(keep, '$1');
  const before = Object.fromEntries(
    Object.entries(files).map(([file, text]) => [file, side(text, /\{\+[^]*?\+\}/g, /\{-([^]*?)-\}/g)]),
  );
  const after = Object.entries(files).map(([file, text]): [string, string] => [
    file,
    side(text, /\{-[^]*?-\}/g, /\{\+([^]*?)\+\}/g),
  ]);
  return { before, edit: Object.fromEntries(after.filter(([file, text]) => text !== before[file])) };
}
