/**
 * One step, asked of an edit model: request, answer, merge; refused answers are asked again.
 *
 * The model's text is untrusted. What it answers is merged as the new text of the step's block
 * (and new imports) or refused with a reason; nothing else of it is looked at.
 */
import type { EarlierEdit, EditRequest } from '../context/edit-request.js';
import { spatialContext } from '../context/spatial.js';
import { fragmentOf, mergeAnswer, withoutBlock } from '../edit/merge.js';
import { addUsage, NO_USAGE, type EditModel, type Usage } from '../edit/model/edit-model.js';
import { languageOf } from '../languages/registry.js';
import type { Step } from '../plan/plan-graph.js';
import type { Grammars } from '../syntax/grammar.js';
import type { Summary } from '../syntax/summary.js';
import { kindName } from '../change/atomic-change.js';
import { blockNamed } from '../change/block-name.js';
import type { AnswerStep } from './plan-run.js';
import { summarise } from '../languages/summarise.js';
import type { WorkingTree } from './working-tree.js';

/** How often a refused answer is asked for again. */
const ASKED_AGAIN_MOST = 2;
/** Lines around a module-level site that are shown. */
const MODULE_LINES = 12;

export interface ModelSession {
  readonly answer: AnswerStep;
  readonly usage: () => Usage & { readonly calls: number };
}

export function askWith(model: EditModel, instruction: string, earlier: () => readonly EarlierEdit[], grammars: Grammars, signal: AbortSignal): ModelSession {
  let usage: Usage = NO_USAGE;
  let calls = 0;
  const how = model.id === 'replay' ? 'replay' : 'model';
  const answer: AnswerStep = async (step, tree) => {
    const place = placeOf(step, tree);
    if (place === undefined) return { kind: 'cannot', reason: `${step.block} is not in ${step.file} any more` };
    let refusal: string | undefined;
    for (let attempt = 0; attempt <= ASKED_AGAIN_MOST; attempt++) {
      calls++;
      const reply = await model.edit(requestFor(step, tree, place, instruction, earlier(), refusal), signal);
      usage = addUsage(usage, reply.usage);
      if (reply.kind === 'noChange') return { kind: 'noChange', how };
      if (reply.kind === 'delete') return { kind: 'edit', text: withoutBlock(place.text, place.summary, place.decl), how };
      if (reply.kind === 'cannot') {
        // Only what the model itself said can be said better when it is asked again.
        if (how === 'replay' || (reply.error !== undefined && reply.error.kind !== 'bad-answer')) return { kind: 'cannot', reason: reply.reason };
        refusal = reply.reason;
        continue;
      }
      const merged = mergeAnswer({ text: place.text, summary: place.summary, decl: place.decl, answer: reply.text, overloads: languageOf(step.file)?.overloads === true, ...(place.span === undefined ? {} : { span: place.span }), ...(reply.name === undefined ? {} : { alsoNamed: [reply.name] }) }, (text) => summariseOr(grammars, step.file, text, place.summary));
      if (merged.ok) return merged.text === place.text ? { kind: 'noChange', how } : { kind: 'edit', text: merged.text, how };
      refusal = merged.reason;
    }
    return { kind: 'cannot', reason: `the model's answers were refused: ${refusal ?? 'no reason'}` };
  };
  return { answer, usage: () => ({ ...usage, calls }) };
}

const summariseOr = (grammars: Grammars, file: string, text: string, fallback: Summary): Summary => summarise(grammars, file, text) ?? fallback;

interface Place {
  readonly text: string;
  readonly summary: Summary;
  readonly decl: number;
  readonly span?: { readonly start: number; readonly end: number };
}

/** Where the step's block stands in the present tree. */
function placeOf(step: Step, tree: WorkingTree): Place | undefined {
  const summary = tree.snapshot.summary(step.file);
  const text = tree.text(step.file);
  if (summary === undefined || text === undefined) return undefined;
  if (step.nowBlock === '<module>') {
    const first = Math.max(0, step.line - 1 - MODULE_LINES);
    const last = Math.min(summary.lineStarts.length, step.line + MODULE_LINES);
    return { text, summary, decl: -1, span: { start: summary.lineStarts[first] as number, end: summary.lineStarts[last] ?? text.length } };
  }
  const decl = blockNamed(summary, step.nowBlock);
  return decl === undefined ? undefined : { text, summary, decl };
}

function requestFor(step: Step, tree: WorkingTree, place: Place, instruction: string, temporal: readonly EarlierEdit[], refusal: string | undefined): EditRequest {
  const { summary, text, decl, span } = place;
  return {
    language: summary.language, file: step.file, block: step.nowBlock, kind: decl < 0 ? 'module' : kindName(summary.decls.kind[decl] as number),
    fragment: span === undefined ? fragmentOf(text, summary, decl) : text.slice(span.start, span.end),
    source: text, instruction, causes: step.reasons, temporal,
    spatial: spatialContext(tree.resolver, (file) => tree.text(file), { file: step.file, decl }, []),
    ...(refusal === undefined ? {} : { refusal }),
  };
}
