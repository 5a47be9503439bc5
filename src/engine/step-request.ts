/**
 * What an edit model is asked for one step: where its block stands now, and the request about it.
 */
import { kindName } from '../change/atomic-change.js';
import { blockNamed } from '../change/block-name.js';
import { classOutline } from '../context/class-outline.js';
import { isToldWhole } from '../context/prompt.js';
import { classSketch, plainHead } from '../context/class-sketch.js';
import { commentAbove, importsFor } from '../context/file-context.js';
import type { EarlierEdit, EditRequest, RelatedBlock } from '../context/edit-request.js';
import { BEHAVIOUR_CHANGED } from '../impact/rules/rule.js';
import { languageOf } from '../languages/registry.js';
import { spatialContext } from '../context/spatial.js';
import { allEdits, temporalContext } from '../context/temporal.js';
import { fragmentOf } from '../edit/merge.js';
import { classOfMember, overriddenBy } from '../graph/resolve/hierarchy.js';
import { overridersOf } from '../graph/refer/overriders.js';
import type { DeclRef } from '../languages/language.js';
import type { Plan, Step } from '../plan/plan-graph.js';
import { lineAt } from '../syntax/line-at.js';
import { isClassLike, type Summary } from '../syntax/summary.js';
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
  /** Numbers of the steps that were edited, in the order in which they were; that of the plan if absent. */
  readonly made?: readonly number[];
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

/**
 * Where the step's block stands in the present tree: one place, several for code at module level, last one first; none
 * when it is gone.
 */
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

/** A step with where its block stands. */
export interface PlacedStep {
  readonly step: Step;
  readonly place: Place;
}

/** `company`: what is asked in the same question, so that what they have in common is the same in each request. */
export function requestFor(
  step: Step,
  tree: WorkingTree,
  plan: Plan,
  place: Place,
  asking: Asking,
  refusal?: string,
  company: readonly PlacedStep[] = [],
  observations: readonly string[] = [],
): EditRequest {
  const { summary, text, decl, span } = place;
  const isOracles = step.rule === 'oracle';
  const fragment = fragmentAt(place);
  const made = asking.made ?? plan.steps.map(({ id }) => id);
  const temporal = asking.without.has('temporal')
    ? []
    : isOracles
      ? allEdits(plan.steps, asking.seeds, made)
      : temporalContext(
          step,
          plan.steps,
          asking.seeds,
          made,
          company.map((other) => other.step),
        );
  const around = asking.without.has('spatial')
    ? { spatial: [] }
    : surroundings({ step, place }, tree, temporal, company, refusal === undefined && !isOracles);
  return {
    language: summary.language,
    file: step.file,
    block: step.nowBlock,
    kind: decl < 0 ? 'module' : kindName(summary.decls.kindOf(decl)),
    fragment,
    line: lineAt(summary, span?.start ?? summary.decls.startOf(decl)),
    source: text,
    instruction: asking.instruction,
    causes: isOracles ? [] : reasonsBeside(step, temporal),
    ...(isOracles ? { diagnostics: step.reasons } : {}),
    temporal,
    ...around,
    ...(observations.length === 0 ? {} : { observations }),
    ...(refusal === undefined ? {} : { refusal }),
  };
}

type Surroundings = Pick<EditRequest, 'spatial' | 'around' | 'imports' | 'comment' | 'outline'>;

/**
 * What of its file and of others the question shows beside the block. `outlined`: whether a long class may be shown
 * without bodies.
 */
function surroundings(
  { step, place }: PlacedStep,
  tree: WorkingTree,
  temporal: readonly EarlierEdit[],
  company: readonly PlacedStep[],
  outlined: boolean,
): Surroundings {
  const { summary, text, decl } = place;
  const block = { file: step.file, decl };
  const type = decl < 0 ? undefined : classOfMember(summary, decl);
  const beside = [{ step, place }, ...company].filter((other) => other.step.file === step.file);
  const textsOf = (asked: readonly PlacedStep[]): string => asked.map((other) => fragmentAt(other.place)).join('\n');
  const fellows = beside.filter((other) => type !== undefined && classOfMember(summary, other.place.decl) === type);
  const outline =
    outlined && type === undefined && decl >= 0 && isClassLike(summary.decls.kindOf(decl))
      ? classOutline(text, summary, decl, summary.decls.startOf(decl) - leadOf(fragmentAt(place)))
      : undefined;
  const comment = decl < 0 ? undefined : commentAbove(text, summary, decl);
  const imports = importsFor(text, summary, outline?.text ?? textsOf(beside));
  const rows = fellows.map((other) => other.place.decl).sort((a, b) => a - b);
  const isBare = languageOf(step.file)?.bareMembers === true;
  return {
    ...(outline === undefined ? {} : { outline: outline.text }),
    spatial: spatialContext(
      tree.resolver,
      (file) => tree.text(file),
      block,
      step.rule === 'oracle' ? bothSides(tree, block) : [],
      isChanged(tree, temporal),
      outline?.hidden,
    )
      .concat(servingBlocks(step, tree))
      .filter(isNotSaid(step.file, temporal, type === undefined ? undefined : summary.decls.pathOf(type)))
      .filter(isFirstOfItsName),
    ...(type === undefined ? {} : { around: classSketch(text, summary, type, rows, textsOf(fellows), isBare) }),
    ...(imports === undefined ? {} : { imports }),
    ...(comment === undefined ? {} : { comment }),
  };
}

/** The text that is asked about. */
const fragmentAt = ({ text, summary, decl, span }: Place): string =>
  span === undefined ? fragmentOf(text, summary, decl) : text.slice(span.start, span.end);

/** The requests of several steps that are one question. */
export function requestsFor(
  group: readonly PlacedStep[],
  tree: WorkingTree,
  plan: Plan,
  asking: Asking,
): readonly EditRequest[] {
  return group.map(({ step, place }) =>
    requestFor(
      step,
      tree,
      plan,
      place,
      asking,
      undefined,
      group.filter((other) => other.step !== step),
    ),
  );
}

/** Blanks in front of the fragment's first line. */
const leadOf = (fragment: string): number => fragment.length - fragment.trimStart().length;

/** Why the step is affected, without what the edits that are told say of it already. */
function reasonsBeside({ causes, reasons }: Step, temporal: readonly EarlierEdit[]): readonly string[] {
  const told = new Set(temporal.filter(isToldWhole).map(({ file, block }) => `${file}\0${block}`));
  const isTold = causes.every(({ label, file, block }) => label !== 'MMB' || told.has(`${file}\0${block}`));
  if (!isTold) return reasons;
  return reasons.map((reason) => {
    const at = reason.indexOf(`${BEHAVIOUR_CHANGED}:`);
    return at < 0 ? reason : `${reason.slice(0, at)}${BEHAVIOUR_CHANGED}.`;
  });
}

/** Blocks that a plan says may serve for the step, by their heads. */
function servingBlocks({ related = [] }: Step, tree: WorkingTree): RelatedBlock[] {
  return related.flatMap(({ file, block }): RelatedBlock[] => {
    const summary = tree.snapshot.summary(file);
    const text = tree.text(file);
    const decl = summary === undefined ? undefined : blockNamed(summary, block);
    if (summary === undefined || text === undefined || decl === undefined) return [];
    return [{ file, block: summary.decls.pathOf(decl), signature: plainHead(text, summary, decl) }];
  });
}

const isFirstOfItsName = ({ file, block }: RelatedBlock, at: number, all: readonly RelatedBlock[]): boolean =>
  all.findIndex((other) => other.file === file && other.block === block) === at;

/** Whether one of the edits changed a declaration, or a member of it. */
function isChanged(tree: WorkingTree, edits: readonly EarlierEdit[]): (ref: DeclRef) => boolean {
  const names = new Set(edits.map(({ file, block }) => `${file}\0${block.replace(/#\d+$/, '')}`));
  const owners = new Set([...names].map((name) => name.slice(0, Math.max(0, name.lastIndexOf('.')))));
  return ({ file, decl }) => {
    const name = `${file}\0${tree.resolver.summary(file).decls.pathOf(decl)}`;
    return names.has(name.replace(/#\d+$/, '')) || owners.has(name);
  };
}

/** Whether a declaration is told neither by an edit nor by the sketch of the class `around`. */
function isNotSaid(
  fragmentFile: string,
  edits: readonly EarlierEdit[],
  around: string | undefined,
): (related: RelatedBlock) => boolean {
  const told = new Map(edits.map((edit) => [`${edit.file}\0${edit.block}`, edit]));
  return ({ file, block, signature, code }) => {
    if (code === undefined && file === fragmentFile && around !== undefined) {
      if (block === around) return false;
      if (block.startsWith(`${around}.`)) return block.slice(around.length + 1).includes('.');
    }
    const edit = told.get(`${file}\0${block}`);
    return edit === undefined || !isTold(edit, code ?? signature);
  };
}

/** Whether the lines that came by an edit hold all of that text. */
function isTold({ before, after }: EarlierEdit, text: string): boolean {
  const normal = (each: string): string => each.replace(/\s+/g, ' ').trim();
  const were = new Set(before.split('\n').map(normal));
  const came = after
    .split('\n')
    .map(normal)
    .filter((line) => !were.has(line));
  return normal(came.join(' ')).includes(normal(text));
}
