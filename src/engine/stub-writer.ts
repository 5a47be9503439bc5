/**
 * Bodies for members that a rewrite could only add as stubs (`implement-member`), by the generation loop.
 *
 * What is asked for is described by what it implements, and by how others implement that. The oracle sees the plan's
 * tree as it is by then, and only what the body brings counts: the rest of the plan may still be to do. A body that
 * does not pass is not taken, since a stub that fails loudly is better than code that is known to be wrong.
 */
import type { GenerateParams } from '#protocol/generate.js';
import { shownName } from '../base/shown.js';
import { blockNamed } from '../change/block-name.js';
import { commentAbove } from '../context/file-context.js';
import { dedented, quoted, type Prompt } from '../context/prompt.js';
import { fragmentOf } from '../edit/merge.js';
import { overridersOf } from '../graph/refer/overriders.js';
import type { DeclRef } from '../languages/language.js';
import { placed } from '../generate/placed.js';
import { initialQuestion } from '../generate/questions.js';
import { metered, type Ledger } from '../model/metered.js';
import { type Model, type Spending } from '../model/model.js';
import type { ModelErrorKind } from '../model/model-error.js';
import type { Plan, Step, Stub } from '../plan/plan-graph.js';
import type { Oracle, OracleRun } from './effects.js';
import { placeOf, snippetsFor, summaryOf, type GenerateParts, type Place } from './generation-place.js';
import { overlayOf } from './oracle-rounds.js';
import { ServiceError, type Call } from './service.js';
import type { WorkingTree } from './working-tree.js';
import { writtenBlock } from './written-block.js';

export type Filled =
  /** `text` is the file's whole new text, `code` the member's. */
  | { readonly kind: 'filled'; readonly text: string; readonly code: string; readonly usage: Spending }
  /** The stub stays. */
  | { readonly kind: 'left'; readonly reason: string; readonly error?: ModelErrorKind; readonly usage: Spending }
  /** A limit was reached. */
  | { readonly kind: 'stopped'; readonly reason: string; readonly usage: Spending };

/** What a body is asked for with. */
export interface WantedBody {
  readonly place: Place;
  readonly params: GenerateParams;
}

/** How many other implementations are told. */
const OTHERS_MOST = 2;
/** Of each text that is told, no more lines. */
const LINES_MOST = 40;

export class StubWriter {
  private oracle: Promise<Oracle | undefined> | undefined;
  private readonly looks = new Map<string, OracleRun>();

  /** `disk`: the tree as it lies on the disk. `instruction`: the task in the person's words. */
  constructor(
    private readonly parts: Omit<GenerateParts, 'tree' | 'problems'>,
    private readonly model: Model,
    private readonly disk: WorkingTree,
    private readonly oracleWanted: string | boolean | undefined,
    private readonly instruction: string,
    private readonly call: Call,
  ) {}

  /** Undefined where the stub is not in the tree any more; a reason where it may not be sent. */
  wanted(step: Step, stub: Stub, tree: WorkingTree, plan: Plan): WantedBody | string | undefined {
    const name = `${step.nowBlock}.${stub.member}`;
    const summary = tree.snapshot.summary(step.file);
    const row = summary === undefined ? undefined : blockNamed(summary, name);
    if (summary === undefined || row === undefined) return undefined;
    const params = { file: step.file, name, description: this.description(step, stub, row, tree, plan) };
    try {
      return { place: { ...placeOf(this.partsOn(tree), params), isStub: true }, params };
    } catch (error) {
      if (error instanceof ServiceError) return error.message;
      throw error;
    }
  }

  /** The first question about it. */
  async firstQuestion({ place }: WantedBody, tree: WorkingTree): Promise<Prompt> {
    const snippets = await snippetsFor(this.partsOn(tree), place, place.task.description, this.call);
    return initialQuestion({ task: place.task, around: place.around, snippets });
  }

  /** The file's text with code that was kept of an earlier part of the run; undefined where it does not fit. */
  again({ place }: WantedBody, code: string, tree: WorkingTree): string | undefined {
    const summarise = (text: string): ReturnType<typeof summaryOf> => summaryOf(this.partsOn(tree), place.task, text);
    const result = placed(place.task, { text: place.text, summarise }, code);
    return result.ok ? result.text : undefined;
  }

  /** Rejects with the signal's reason. Throws ServiceError, where the oracle that was asked for cannot be had. */
  async fill(
    { place, params }: WantedBody,
    tree: WorkingTree,
    ledger: Ledger,
    heard: (prompt: Prompt) => void,
  ): Promise<Filled> {
    const { effects } = this.parts;
    const { task } = place;
    this.oracle ??=
      this.oracleWanted === false
        ? Promise.resolve(undefined)
        : effects.oracle(typeof this.oracleWanted === 'string' ? this.oracleWanted : undefined);
    const known = await this.oracle;
    const oracle = known === undefined ? undefined : this.onTree(known, tree);
    const model = metered(this.model, ledger);
    const { best, outcome, message, error, usage } = await writtenBlock(
      this.partsOn(tree),
      place,
      model,
      oracle,
      params,
      this.call,
      heard,
    );
    this.call.signal.throwIfAborted();
    if (outcome === 'passed' && best !== undefined) return { kind: 'filled', text: best.text, code: best.code, usage };
    if (outcome === 'budget') return { kind: 'stopped', reason: message ?? 'a limit was reached', usage };
    const wrong = best?.judgement?.findings[0]?.message.split('\n')[0];
    const why = message ?? (wrong === undefined ? outcome : `it does not pass: ${wrong}`);
    return {
      kind: 'left',
      reason: `${task.name ?? ''} has no body yet; what the model wrote is not used (${why})`,
      ...(error === undefined ? {} : { error }),
      usage,
    };
  }

  private partsOn(tree: WorkingTree): GenerateParts {
    return { ...this.parts, tree, problems: [] };
  }

  /** The oracle on the plan's tree instead of the disk's; what it said of the same texts is not asked again. */
  private onTree(oracle: Oracle, tree: WorkingTree): Oracle {
    const under = overlayOf(this.disk, tree);
    return {
      ...oracle,
      run: async (texts, near, signal) => {
        const all = new Map([...under, ...texts]);
        const key = JSON.stringify([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
        const said = this.looks.get(key) ?? (await oracle.run(all, near, signal));
        if (said.errors !== undefined) this.looks.set(key, said);
        return said;
      },
      fresh: (before, after, textBefore, textAfter) => oracle.fresh(before, after, textBefore, textAfter),
    };
  }

  private description({ file }: Step, { of }: Stub, row: number, tree: WorkingTree, plan: Plan): string {
    const summary = tree.snapshot.summary(of.file);
    const base = summary === undefined ? undefined : blockNamed(summary, of.block);
    const waiting = new Set(
      plan.steps.flatMap((other) =>
        other.status === 'pending'
          ? (other.stubs ?? []).map(({ member }) => `${other.file}\0${other.nowBlock}.${member}`)
          : [],
      ),
    );
    const own = { file, decl: row };
    return [
      'There is a stub of it, which fails when it is called. Write it with the signature of the stub:',
      this.textOf(own, tree),
      ...(base === undefined
        ? []
        : [`It implements ${of.block} in ${of.file}:`, this.textOf({ file: of.file, decl: base }, tree)]),
      ...(base === undefined ? [] : this.others({ file: of.file, decl: base }, own, waiting, tree)),
      ...(this.instruction === '' ? [] : [`It is a part of this task: ${this.instruction}`]),
    ].join('\n');
  }

  /** How others implement the same. */
  private others(base: DeclRef, own: DeclRef, waiting: ReadonlySet<string>, tree: WorkingTree): readonly string[] {
    const told: string[] = [];
    for (const { file, block } of overridersOf(tree.resolver, base)) {
      if (told.length === OTHERS_MOST) break;
      const path = tree.resolver.summary(file).decls.pathOf(block);
      if ((file === own.file && block === own.decl) || waiting.has(`${file}\0${path}`)) continue;
      if (this.parts.effects.withheld(file) !== undefined) continue;
      told.push(`${path} in ${shownName(file)} implements it so:\n${this.textOf({ file, decl: block }, tree)}`);
    }
    return told;
  }

  private textOf({ file, decl }: DeclRef, tree: WorkingTree): string {
    const text = this.parts.effects.withheld(file) === undefined ? tree.text(file) : undefined;
    const summary = tree.resolver.summary(file);
    if (text === undefined) return `${summary.decls.pathOf(decl)}, whose text is never sent`;
    const comment = commentAbove(text, summary, decl);
    const whole = dedented(fragmentOf(text, summary, decl)).split('\n');
    const shown = [...(comment === undefined ? [] : [comment]), ...whole.slice(0, LINES_MOST)];
    return quoted([...shown, ...(whole.length > LINES_MOST ? ['…'] : [])].join('\n'));
  }
}
