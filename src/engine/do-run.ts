/**
 * A request in words carried out: a plan of grounded steps, what each asks for, and the edits with what follows.
 *
 *     request ──► plan ──► work: edit these blocks | write something new | use what is there ──► edits
 *
 * Each stage can be stopped at, and gone on from with the plan as a text. Steps that edit begin a plan of edits as
 * blocks that a person names do; steps that create are given to whoever writes new code (`WriteNew`), and are open
 * where nobody does. Steps count in their order; nothing of it is a cause of anything but what edits cause.
 */
import type { DoParams, DoReport, DoStage } from '#protocol/do.js';
import type { PlanSearchParams, PlanSearchReport } from '#protocol/plan-search.js';
import type { PropagateParams } from '#protocol/propagate.js';
import type { WorkEntry } from '#protocol/work.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { metered, type Ledger } from '../model/metered.js';
import { addSpending, NO_SPENDING } from '../model/model.js';
import { structured } from '../model/structured.js';
import type { PlanStep, PlanSymbol } from '../search/plan.js';
import { planText } from '../search/plan-text.js';
import { SEARCH_LIMITS, SEARCH_OPTIONS } from '../search/search-settings.js';
import { workForm, workInWords, workRequest, type Work } from '../search/work.js';
import type { Effects } from './effects.js';
import { readPlan } from './given-plan.js';
import { ledgerFor } from './ledger-for.js';
import { stepEntries } from './plan-search.js';
import type { PlanSymbols } from './plan-symbols.js';
import type { Run } from './propagation.js';
import { ServiceError, type Call } from './service.js';

/** Something new that a step asks for. */
export interface NewCode {
  readonly request: string;
  readonly intent: string;
  /** Where it should go and what it should be called, as far as somebody said; checked by nobody. */
  readonly file: string | undefined;
  readonly name: string | undefined;
  /** What the plan found that may serve for it. */
  readonly related: readonly PlanSymbol[];
}

/** Whole new texts by path, against the tree as it is and `texts` on top of it, and that as a diff; or why none. */
export type WriteNew = (
  wanted: NewCode,
  texts: ReadonlyMap<string, string>,
  /** What it may cost. */
  ledger: Ledger,
  call: Call,
) => Promise<
  | { readonly ok: true; readonly texts: ReadonlyMap<string, string>; readonly diff: string }
  | { readonly ok: false; readonly reason: string }
>;

export interface DoParts {
  readonly symbols: PlanSymbols;
  readonly effects: Effects;
  /** Absent: what is new is written by hand. */
  readonly writeNew?: WriteNew;
  /** Plans the edits that follow, with the new texts in the tree already. */
  propagate(params: PropagateParams, texts: ReadonlyMap<string, string>): Promise<Run>;
  /** Searches for a plan; may be ended with what is best so far. */
  search(params: PlanSearchParams): Promise<PlanSearchReport>;
}

export interface Done {
  readonly report: DoReport;
  /** Undefined where no edits were planned. */
  readonly run: Run | undefined;
}

interface Planned {
  readonly request: string;
  readonly steps: readonly PlanStep[];
  readonly marks: readonly (string | undefined)[];
  readonly search: PlanSearchReport | undefined;
  readonly notes: readonly string[];
}

interface Assigned {
  readonly work: Work;
  readonly by: WorkEntry['by'];
}

/** Throws ServiceError: settings, model. */
export async function doRun(params: DoParams, parts: DoParts, call: Call): Promise<Done> {
  const ledger = ledgerFor(
    { calls: params.maxCalls, tokens: params.maxTokens, money: params.maxCost, seconds: params.maxSeconds },
    parts.effects.configuration,
  );
  const plan = await planned(params, parts);
  if (plan.search !== undefined) ledger.add(plan.search.usage);
  const until = params.stopAfter ?? 'edits';
  // Whoever ends a search wants to see its plan first.
  if (until === 'plan' || plan.search?.stop === 'cancelled')
    return { report: reportOf(plan, 'plan', [], [], ledger, undefined), run: undefined };
  const assigned = await assignedWork(params, plan, ledger, parts, call);
  const entries = assigned.map((one, at) => entryOf(one, at));
  if (until === 'work') return { report: reportOf(plan, 'work', assigned, entries, ledger, undefined), run: undefined };
  const written = await newCode(plan, entries, ledger, parts, call);
  const run = await edited(params, plan, written, ledger, parts);
  const became = run === undefined ? written.entries : settled(written.entries, run);
  return { report: reportOf(plan, 'edits', assigned, became, ledger, run), run };
}

// ---- the plan

async function planned(params: DoParams, parts: DoParts): Promise<Planned> {
  const { symbols } = parts;
  if (params.plan !== undefined) {
    const { request } = params;
    const read = readPlan({ text: params.plan, ...(request === undefined ? {} : { request }) }, symbols);
    return { ...read, search: undefined };
  }
  if (params.request === undefined)
    throw new ServiceError('settings', 'say what is to be done, or give a plan to go on from');
  const report = await parts.search({ ...searchParams(params), request: params.request, plans: 1 });
  const best = report.plans[0];
  if (best === undefined)
    throw new ServiceError('model', `no plan was found: ${report.message ?? 'nothing of the repository fits'}`);
  const steps = best.steps.map((step): PlanStep => ({
    intent: step.intent,
    symbols: step.symbols.map((symbol) => ({ ...symbol, id: `${symbol.file}:${symbol.block}` })),
  }));
  return { request: params.request, steps, marks: steps.map(() => undefined), search: report, notes: report.notes };
}

const SEARCH = [...SEARCH_OPTIONS, ...SEARCH_LIMITS] as const;

type SearchParams = Pick<DoParams, (typeof SEARCH)[number]>;

const searchParams = (params: DoParams): SearchParams =>
  Object.fromEntries(SEARCH.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])));

// ---- what each step asks for

async function assignedWork(
  params: DoParams,
  plan: Planned,
  ledger: Ledger,
  { effects }: DoParts,
  call: Call,
): Promise<readonly Assigned[]> {
  const marked = plan.steps.map((step, at) => workOfMark(plan.marks[at], step));
  if (marked.every((work) => work !== undefined)) return marked.map((work): Assigned => ({ work, by: 'person' }));
  const asked = await workByModel(params, plan, ledger, effects, call);
  return plan.steps.map((step, at): Assigned => {
    const [mark, said] = [marked[at], asked?.[at]];
    if (mark !== undefined) return { work: mark, by: 'person' };
    return said === undefined ? { work: workInWords(step), by: 'words' } : { work: said, by: 'model' };
  });
}

function workOfMark(mark: string | undefined, step: PlanStep): Work | undefined {
  if (mark === undefined) return undefined;
  const [kind] = mark.split(/\s/, 1);
  const place = mark.replace(/^\S+\s*/, '');
  if (kind === 'use') return { kind };
  if (kind === 'edit') return step.symbols.length === 0 ? { kind: 'unclear' } : { kind, symbols: step.symbols };
  const colon = place.lastIndexOf(':');
  const [file, name] = colon < 0 ? [place, ''] : [place.slice(0, colon), place.slice(colon + 1)];
  return { kind: 'create', ...(file === '' ? {} : { file }), ...(name === '' ? {} : { name }) };
}

/** Undefined where no model is configured, or what it said cannot be read. */
async function workByModel(
  params: DoParams,
  { request, steps }: Planned,
  ledger: Ledger,
  effects: Effects,
  call: Call,
): Promise<readonly Work[] | undefined> {
  const model = params.rulesOnly === true || params.model === 'none' ? undefined : await effects.modelOf('plan');
  if (model === undefined) return undefined;
  call.progress('asking what each step of the plan means');
  const options = { signal: call.signal, temperature: 0 };
  const answer = await structured(metered(model, ledger), workRequest(request, steps), workForm(steps), options, true);
  return answer.values[0];
}

function entryOf({ work, by }: Assigned, at: number): WorkEntry {
  const base = { step: at + 1, kind: work.kind, by, blocks: [] };
  switch (work.kind) {
    case 'edit':
      return { ...base, blocks: work.symbols.map(({ file, block }) => ({ file, block })), state: 'planned' };
    case 'create':
      return {
        ...base,
        ...(work.file === undefined ? {} : { file: work.file }),
        ...(work.name === undefined ? {} : { name: work.name }),
        state: 'planned',
      };
    case 'use':
      return { ...base, state: 'done' };
    case 'unclear':
      return {
        ...base,
        state: 'open',
        reason: 'it is not clear what is to be edited: mark the step [edit], [create] or [use] in the plan',
      };
  }
}

// ---- what is new

interface Written {
  readonly entries: readonly WorkEntry[];
  readonly texts: ReadonlyMap<string, string>;
}

async function newCode(
  plan: Planned,
  entries: readonly WorkEntry[],
  ledger: Ledger,
  parts: DoParts,
  call: Call,
): Promise<Written> {
  const texts = new Map<string, string>();
  const out: WorkEntry[] = [];
  for (const [at, entry] of entries.entries()) {
    const step = plan.steps[at];
    if (entry.kind !== 'create' || step === undefined) {
      out.push(entry);
      continue;
    }
    const wanted = {
      request: plan.request,
      intent: step.intent,
      file: entry.file,
      name: entry.name,
      related: step.symbols,
    };
    const written = await parts.writeNew?.(wanted, texts, ledger, call);
    if (written?.ok === true) {
      for (const [file, text] of written.texts) texts.set(file, text);
      out.push({ ...entry, state: 'done', diff: written.diff });
    } else out.push({ ...entry, state: 'open', reason: written?.reason ?? 'new code is to be written by hand' });
  }
  return { entries: out, texts };
}

// ---- the edits

async function edited(
  params: DoParams,
  plan: Planned,
  { entries, texts }: Written,
  ledger: Ledger,
  parts: DoParts,
): Promise<Run | undefined> {
  // What other steps name or have just written is what an edit may have to call.
  const beside = entries.flatMap((entry, at) => {
    if (entry.kind === 'use') return plan.steps[at]?.symbols[0]?.id ?? [];
    const { kind, state, file, name } = entry;
    return kind === 'create' && state === 'done' && file !== undefined && name !== undefined ? [`${file}:${name}`] : [];
  });
  const seeds = entries.flatMap(({ kind, blocks, step }) => {
    const { intent = '', symbols = [] } = plan.steps[step - 1] ?? {};
    return kind !== 'edit'
      ? []
      : blocks.map(({ file, block }) => {
          const own = `${file}:${block}`;
          const related = [...new Set([...beside, ...symbols.map(({ id }) => id)])].filter((id) => id !== own);
          return { block: own, intent, related };
        });
  });
  if (seeds.length === 0 && texts.size === 0) return undefined;
  const names = new Set<string>(SEARCH);
  const own = new Set(['request', 'plan', 'stopAfter', 'search']);
  const options = Object.fromEntries(Object.entries(params).filter(([key]) => !names.has(key) && !own.has(key)));
  return parts.propagate({ ...options, instruction: plan.request, seeds, ...limitsLeft(ledger) }, texts);
}

function limitsLeft(ledger: Ledger): Pick<PropagateParams, 'maxCalls' | 'maxTokens' | 'maxCost' | 'maxSeconds'> {
  const { calls, tokens, money, seconds } = ledger.left();
  return {
    ...(calls === Infinity ? {} : { maxCalls: calls }),
    ...(tokens === Infinity ? {} : { maxTokens: tokens }),
    ...(money === Infinity ? {} : { maxCost: money }),
    ...(seconds === Infinity ? {} : { maxSeconds: seconds }),
  };
}

/** What became of the steps that edit, by the states of the blocks that they began with. */
function settled(entries: readonly WorkEntry[], { report }: Run): WorkEntry[] {
  return entries.map((entry): WorkEntry => {
    if (entry.kind !== 'edit') return entry;
    const steps = entry.blocks.map(({ file, block }) =>
      report.steps.find((step) => step.file === file && step.block === block && step.causes.length === 0),
    );
    const isDone = steps.every((step) => step !== undefined && step.status !== 'pending' && step.how !== 'person');
    return isDone
      ? { ...entry, state: 'done' }
      : { ...entry, state: 'open', reason: 'a block of it was not edited: the plan of edits says why' };
  });
}

// ---- the document

function reportOf(
  plan: Planned,
  stage: DoStage,
  assigned: readonly Assigned[],
  entries: readonly WorkEntry[],
  { spent }: Ledger,
  run: Run | undefined,
): DoReport {
  const { request, steps, search, notes } = plan;
  const marked = steps.map((step, at) => {
    const mark = markOf(assigned[at]?.work) ?? plan.marks[at];
    const work = assigned[at]?.work;
    const kept = work?.kind === 'edit' ? { ...step, symbols: work.symbols } : step;
    return mark === undefined ? step : { ...kept, mark };
  });
  return {
    schema: SCHEMA_VERSION,
    request,
    stage,
    steps: stepEntries({ steps }),
    text: planText(request, marked),
    search:
      search === undefined
        ? null
        : {
            stop: search.stop,
            mode: search.mode,
            usage: search.usage,
            ...(search.message === undefined ? {} : { message: search.message }),
          },
    work: [...entries],
    edits: run?.report ?? null,
    usage: addSpending(spent, run?.report.usage ?? NO_SPENDING),
    notes: [...notes],
  };
}

function markOf(work: Work | undefined): string | undefined {
  if (work === undefined || work.kind === 'unclear') return undefined;
  if (work.kind !== 'create') return work.kind;
  const { file = '', name } = work;
  return `create ${file}${name === undefined ? '' : `:${name}`}`.trim();
}
