/**
 * The desk at which one client works through what is left: the list, the plan behind it, and the next place with its
 * edit.
 *
 *     texts ──► list ──► plan of rules ──► next place, its edit ──► taken: the plan goes on to hold
 *                                                              └─► other text: list and plan anew
 *
 * The plan is made once for a state of the texts; whoever is in a hurry gets the place before it. While the person
 * takes its edits one by one it stays true, so that the next one is there at once; the texts themselves tell which were
 * taken.
 */
import type { ImpactReport } from '#protocol/impact.js';
import type { DecideParams, LeftEntry, LeftReport, NextParams, NextReport, TakeReport } from '#protocol/left.js';
import type { Open, PropagateParams } from '#protocol/propagate.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { inTurns } from '../base/turns.js';
import type { Snapshot } from '../graph/files/snapshot.js';
import type { Effects } from './effects.js';
import { inOrderFrom, leftOf, withEntries, type Decisions } from './left.js';
import { editOfEntry, previewOf, saidAtEnd, saidOf, type EntryEdit } from './next-edit.js';
import type { Run } from './propagation.js';
import { ServiceError, SETTLED_BASE, type Call } from './service.js';
import { LatestWork } from './shared-work.js';
import type { WorkingTree } from './working-tree.js';

export interface DeskParts {
  readonly effects: Effects;
  /** What the client sees, and what it is measured against. */
  readonly current: () => WorkingTree;
  readonly baseline: () => Snapshot;
  readonly impact: (call: Call) => Promise<ImpactReport>;
  readonly plan: (params: PropagateParams, call: Call) => Promise<Run>;
}

/** One state of the texts. */
interface State {
  readonly snapshot: Snapshot;
  readonly baseline: Snapshot;
}

/** The list of one state. */
interface Look extends State {
  readonly report: ImpactReport;
}

/** What a plan is made of. */
interface Planning extends State {
  readonly decisions: Decisions;
}

/** The plan for one state of the texts, and what became of it. */
interface Planned extends Planning {
  readonly run: Run;
  /** Steps that were taken since, and the texts that they left. */
  readonly taken: ReadonlySet<number>;
  readonly texts: ReadonlyMap<string, string>;
}

const NONE_TAKEN: ReadonlySet<number> = new Set();

export class LeftDesk {
  private look: Look | undefined;
  private plan: Planned | undefined;
  private readonly looks = new LatestWork<State, Look>(isOfState, (of, call) => this.lookedAnew(of, call));
  private readonly plans = new LatestWork<Planning, Planned>(isSame, (of, call) => this.made(of, call));
  /** The list that was made last, and what it was made of. */
  private list:
    | {
        readonly of: ImpactReport;
        readonly decisions: Decisions;
        readonly open: readonly Open[] | undefined;
        readonly left: LeftReport;
      }
    | undefined;
  /** The same without what was taken since. */
  private rest: { readonly of: LeftReport; readonly taken: ReadonlySet<number>; readonly left: LeftReport } | undefined;
  /** Entries to come by after all others. */
  private readonly skipped = new Set<string>();
  /** The edit that was offered last: its texts tell whether it was taken. */
  private offered: EntryEdit | undefined;

  constructor(private readonly parts: DeskParts) {}

  async left(call: Call): Promise<LeftReport> {
    await this.ready(call);
    return this.listOf(await this.looked(call), call);
  }

  /** A list of what is affected in a few files, which the whole one replaces. */
  async part(report: ImpactReport, read: NonNullable<LeftReport['read']>, call: Call): Promise<LeftReport> {
    const left = leftOf(report, this.parts.effects.left.read(), this.plan?.run.report.open);
    const { entries, ...rest } = await inTurns(left, call.signal);
    return withEntries({ ...rest, complete: false, read }, entries);
  }

  /** Makes the plan for the texts as they are now, so that the next place is there when it is asked for. */
  async prepare(call: Call): Promise<LeftReport> {
    await this.ready(call);
    const look = await this.looked(call);
    const { plan } = this;
    if (plan === undefined || !isSame(plan, this.planning())) await this.plannedAnew(call);
    const list = await this.listOf(look, call);
    // What the first place would have to put in order.
    inOrderFrom(list.entries, {});
    return list;
  }

  async next({ early, ...at }: NextParams, call: Call): Promise<NextReport> {
    const { look, plan } = early === true ? await this.soon(call) : await this.planned(call);
    const list = await this.listOf(look, call);
    const order = inOrderFrom(list.entries, at);
    if (!order.some(({ id }) => !this.skipped.has(id))) this.beginAnew(order);
    const place = order.find(({ id }) => !this.skipped.has(id));
    const found = place && plan && editOfEntry(place, plan.run, plan.taken);
    this.offered = found;
    const asks = place && plan && openOf(place, plan.run);
    const number = place === undefined ? 0 : order.indexOf(place) + 1;
    return {
      schema: SCHEMA_VERSION,
      counts: list.counts,
      place: place ?? null,
      number,
      standing: number === 0 ? '' : `${number} of ${list.counts.left} left`,
      edit:
        place === undefined || plan === undefined || found === undefined
          ? null
          : {
              run: plan.run.id,
              step: found.step,
              files: found.edits.map(({ file }) => file),
              lines: previewOf(place.file, found.edits),
            },
      asks: asks ?? null,
      planned: plan !== undefined,
      says: place === undefined ? [saidAtEnd(list.counts)] : saidOf(place, plan && { edits: found?.edits, asks }),
    };
  }

  /** Once all were skipped they come again, the one that was skipped last behind the others. */
  private beginAnew(order: readonly LeftEntry[]): void {
    const last = [...this.skipped].at(-1);
    this.skipped.clear();
    if (last !== undefined && order.length > 1) this.skipped.add(last);
  }

  async take(id: string, call: Call): Promise<TakeReport> {
    const { look, plan } = await this.planned(call);
    const { entries } = await this.listOf(look, call);
    const entry = entries.find((one) => one.id === id);
    const found = entry === undefined ? undefined : editOfEntry(entry, plan.run, plan.taken);
    if (entry === undefined || found === undefined)
      throw new ServiceError(
        'textMovedOn',
        entry === undefined
          ? 'this place is not left any more: its text is another one now; ask for the next one'
          : `no rule has an edit for ${entry.block}; edit it by hand, or give the value that it waits for`,
      );
    this.offered = found;
    return { schema: SCHEMA_VERSION, run: plan.run.id, step: found.step, edits: [...found.edits] };
  }

  async decide({ ids = [], as, values = {}, accept = [] }: DecideParams, call: Call): Promise<LeftReport> {
    const { effects } = this.parts;
    if (as === 'skipped')
      for (const id of ids) {
        this.skipped.delete(id);
        this.skipped.add(id);
      }
    else if (as !== undefined || Object.keys(values).length + accept.length > 0) {
      const { entries } = await this.left(call);
      const meant = entries.filter(({ id }) => ids.includes(id));
      const isMeant = (place: { readonly file: string; readonly block: string }): boolean =>
        meant.some(({ file, block }) => file === place.file && block === place.block);
      effects.left.change((known) => ({
        ...known,
        dismissed:
          as === undefined
            ? known.dismissed
            : [...known.dismissed.filter((id) => !ids.includes(id)), ...(as === 'dismissed' ? ids : [])],
        rejected: as === 'open' ? known.rejected.filter((place) => !isMeant(place)) : known.rejected,
        values: withValues(known.values, values),
        accepted: [...new Set([...known.accepted, ...accept])],
      }));
    }
    return this.left(call);
  }

  private async ready(call: Call): Promise<void> {
    await this.parts.effects.refresh(call.signal, (message, fraction) => call.progress(message, fraction));
    await this.parts.effects.baseline(call.signal);
  }

  private async listOf({ report, snapshot }: Look, call: Call): Promise<LeftReport> {
    const { plan } = this;
    const list = await this.listFor(report, this.parts.effects.left.read(), plan?.run.report.open, call);
    if (plan === undefined || plan.taken.size === 0 || plan.snapshot !== snapshot) return list;
    const { taken, run } = plan;
    if (this.rest?.of === list && this.rest.taken === taken) return this.rest.left;
    const steps = run.report.steps.filter(({ id }) => taken.has(id));
    const isTaken = (entry: LeftEntry): boolean =>
      steps.some(({ file, block }) => file === entry.file && block === entry.block);
    const left = withEntries(
      list,
      list.entries.filter((entry) => !isTaken(entry)),
    );
    this.rest = { of: list, taken, left };
    return left;
  }

  private async listFor(
    report: ImpactReport,
    decisions: Decisions,
    open: readonly Open[] | undefined,
    call: Call,
  ): Promise<LeftReport> {
    const { list } = this;
    if (list?.of === report && list.decisions === decisions && list.open === open) return list.left;
    const left = await inTurns(leftOf(report, decisions, open), call.signal);
    this.list = { of: report, decisions, open, left };
    return left;
  }

  /** The impact of the present texts. */
  private async looked(call: Call): Promise<Look> {
    const state = this.state();
    return this.look && isOfState(this.look, state) ? this.look : this.looks.resultFor(state, call);
  }

  private async lookedAnew(of: State, call: Call): Promise<Look> {
    this.look = { ...of, report: await this.parts.impact(call) };
    return this.look;
  }

  /** The list and the plan to go by: those of the present texts, or those that still hold after what was taken. */
  private async planned(call: Call): Promise<{ readonly look: Look; readonly plan: Planned }> {
    await this.ready(call);
    const plan = this.standing() ?? (await this.plannedAnew(call));
    return { look: await this.lookBehind(plan, call), plan };
  }

  /**
   * The same without a look at the disk, if they stand for what was read last; and the list alone where the plan does
   * not stand: as it was when the plan was begun, if one is made. What is taken is looked at again.
   */
  private async soon(call: Call): Promise<{ readonly look: Look; readonly plan: Planned | undefined }> {
    const { look } = this;
    const planning = this.planning();
    const known = this.standing();
    if (known !== undefined && look && isOfState(look, known)) return { look, plan: known };
    const isBehind = known === undefined && this.plans.isUnderWay(planning);
    if (isBehind && look && isOfState(look, planning)) return { look, plan: undefined };
    await this.ready(call);
    const plan = this.standing();
    return { look: plan === undefined ? await this.looked(call) : await this.lookBehind(plan, call), plan };
  }

  private async lookBehind(plan: Planned, call: Call): Promise<Look> {
    return this.look && isOfState(this.look, plan) ? this.look : this.looked(call);
  }

  private state(): State {
    return { snapshot: this.parts.current().snapshot, baseline: this.parts.baseline() };
  }

  private planning(): Planning {
    return { ...this.state(), decisions: this.parts.effects.left.read() };
  }

  private plannedAnew(call: Call): Promise<Planned> {
    return this.plans.resultFor(this.planning(), call);
  }

  private async made(of: Planning, call: Call): Promise<Planned> {
    const run = await this.parts.plan({ base: SETTLED_BASE, rulesOnly: true, oracle: false }, call);
    this.offered = undefined;
    this.plan = { ...of, run, taken: NONE_TAKEN, texts: new Map() };
    // What the first place would have to make of all files.
    run.partOf(NONE_TAKEN);
    return this.plan;
  }

  private standing(): Planned | undefined {
    const plan = this.carried();
    return plan !== undefined && sameOrders(plan.decisions, this.parts.effects.left.read()) ? plan : undefined;
  }

  /** The plan, if it still holds: of the same texts, or of those that taking its edits made of them. */
  private carried(): Planned | undefined {
    const { plan, offered } = this;
    if (plan === undefined || plan.baseline !== this.parts.baseline()) return undefined;
    const tree = this.parts.current();
    if (tree.snapshot === plan.snapshot) return plan.taken.size === 0 ? plan : undefined;
    const isAt = (texts: ReadonlyMap<string, string>): boolean =>
      [...texts].every(([file, text]) => tree.text(file) === text) &&
      tree.snapshot.differingFrom(plan.snapshot).every((file) => texts.has(file));
    if (isAt(plan.texts)) return plan;
    if (offered === undefined) return undefined;
    const after = new Map(plan.texts);
    for (const edit of offered.edits) if (edit.kind === 'change') after.set(edit.file, edit.after);
    if (!isAt(after)) return undefined;
    this.plan = { ...plan, taken: new Set([...plan.taken, offered.step]), texts: after };
    this.offered = undefined;
    return this.plan;
  }
}

const openOf = (entry: LeftEntry, run: Run): Open | undefined =>
  run.report.open.find(({ file, block }) => file === entry.file && block === entry.block);

/** Whether a plan for the one is a plan for the other. */
const sameOrders = (a: Decisions, b: Decisions): boolean =>
  JSON.stringify([a.values, a.accepted]) === JSON.stringify([b.values, b.accepted]);

const isOfState = (a: State, b: State): boolean => a.snapshot === b.snapshot && a.baseline === b.baseline;

const isSame = (a: Planning, b: Planning): boolean => isOfState(a, b) && sameOrders(a.decisions, b.decisions);

function withValues(
  known: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries({ ...known, ...given }).filter(([, value]) => value !== ''));
}
