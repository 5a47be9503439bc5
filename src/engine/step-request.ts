/**
 * What an edit model is asked for one step: where its block stands now, and the request about it.
 */
import { kindName } from '../change/atomic-change.js';
import { blockNamed } from '../change/block-name.js';
import { classSketch } from '../context/class-sketch.js';
import type { EarlierEdit, EditRequest } from '../context/edit-request.js';
import { spatialContext } from '../context/spatial.js';
import { allEdits, temporalContext } from '../context/temporal.js';
import { fragmentOf } from '../edit/merge.js';
import { classOfMember, overriddenBy } from '../graph/resolve/hierarchy.js';
import { overridersOf } from '../graph/refer/references.js';
import type { DeclRef } from '../languages/language.js';
import type { Plan, Step } from '../plan/plan-graph.js';
import { lineAt } from '../syntax/line-at.js';
import type { Summary } from '../syntax/summary.js';
import { moduleSpans } from './module-spans.js';
import type { WorkingTree } from './working-tree.js';

/** Lines around a module-level site that are shown. */
const MODULE_LINES = 12;

/** Parts of the context that a run can leave out, to see what they are worth. */
export type ContextPart = 'temporal' | 'spatial';

export interface Asking {
  /** The task in the person's words. */
  readonly instruction: string;
  /** The person's own edits. */
  readonly seeds: readonly EarlierEdit[];
  readonly without: ReadonlySet<ContextPart>;
  /** Most tokens of one prompt. */
  readonly promptTokensMost: number;
}

/** Where the settings say nothing: fits the common models with room for the answer. */
export const PROMPT_TOKENS = 24_000;

export interface Place {
  readonly text: string;
  readonly summary: Summary;
  readonly decl: number;
  readonly span?: { readonly start: number; readonly end: number };
}

/** Where the step's block stands in the present tree: one place, several for code at module level, last one first; none when it is gone. */
export function placesOf(step: Step, tree: WorkingTree): readonly Place[] {
  const summary = tree.snapshot.summary(step.file);
  const text = tree.text(step.file);
  if (summary === undefined || text === undefined) return [];
  if (step.nowBlock !== '<module>') {
    const decl = blockNamed(summary, step.nowBlock);
    return decl === undefined ? [] : [{ text, summary, decl }];
  }
  const spans = moduleSpans(summary, namesOfCauses(step));
  return (spans.length === 0 ? [linesAround(summary, text, step.line)] : spans)
    .map((span): Place => ({ text, summary, decl: -1, span }))
    .reverse();
}

/**
 * A checker blames one side of a contradiction: the override where the base may be wrong, the call
 * where the function may be. What the block overrides and what overrides it is shown whole.
 */
function bothSides(tree: WorkingTree, block: DeclRef): readonly DeclRef[] {
  if (block.decl < 0) return [];
  return [
    ...overriddenBy(tree.resolver, block),
    ...overridersOf(tree.resolver, block).map((site): DeclRef => ({ file: site.file, decl: site.block })),
  ];
}

/** The last two names of each block that caused the step: a constructor is reached by the name of its class. */
function namesOfCauses({ causes }: Step): ReadonlySet<string> {
  return new Set(causes.flatMap((cause) => cause.block.replace(/#\d+$/, '').split('.').slice(-2)));
}

function linesAround({ lineStarts }: Summary, text: string, line: number): NonNullable<Place['span']> {
  const first = Math.max(0, Math.min(line, lineStarts.length) - 1 - MODULE_LINES);
  return {
    start: lineStarts[first] as number,
    end: lineStarts[Math.min(lineStarts.length, line + MODULE_LINES)] ?? text.length,
  };
}

export function requestFor(
  step: Step,
  tree: WorkingTree,
  plan: Plan,
  place: Place,
  asking: Asking,
  refusal?: string,
): EditRequest {
  const { summary, text, decl, span } = place;
  const type = decl < 0 ? undefined : classOfMember(summary, decl);
  const sketch =
    type === undefined || asking.without.has('spatial') ? undefined : classSketch(text, summary, type, decl);
  return {
    language: summary.language,
    file: step.file,
    block: step.nowBlock,
    kind: decl < 0 ? 'module' : kindName(summary.decls.kindOf(decl)),
    fragment: span === undefined ? fragmentOf(text, summary, decl) : text.slice(span.start, span.end),
    line: lineAt(summary, span?.start ?? summary.decls.startOf(decl)),
    source: text,
    instruction: asking.instruction,
    causes: step.rule === 'oracle' ? [] : step.reasons,
    ...(step.rule === 'oracle' ? { diagnostics: step.reasons } : {}),
    temporal: asking.without.has('temporal')
      ? []
      : step.rule === 'oracle'
        ? allEdits(plan.steps, asking.seeds)
        : temporalContext(step, plan.steps, asking.seeds),
    spatial: asking.without.has('spatial')
      ? []
      : spatialContext(
          tree.resolver,
          (file) => tree.text(file),
          { file: step.file, decl },
          step.rule === 'oracle' ? bothSides(tree, { file: step.file, decl }) : [],
        ),
    ...(sketch === undefined ? {} : { around: sketch }),
    ...(refusal === undefined ? {} : { refusal }),
  };
}
