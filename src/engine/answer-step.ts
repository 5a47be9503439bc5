/**
 * Steps, asked of an edit model: request, answer, merge; refused answers are asked again.
 *
 * The model's text is untrusted. What it answers is merged as the new text of the step's block
 * (and new imports) or refused with a reason; nothing else of it is looked at.
 *
 * Steps that are likely to come next can be asked ahead, at the same time. Such an answer counts
 * only if the step's request is still the same, byte for byte, when its turn comes, so a run gives
 * the same result whether it asks ahead or not; what an earlier answer changed is asked anew.
 */
import { shownName } from '../base/shown.js';
import { hashText } from '../base/hash.js';
import type { EditRequest } from '../context/edit-request.js';
import { promptOf } from '../context/prompt.js';
import type { QuestionCosts } from '../context/question-cost.js';
import { fitted } from '../context/token-budget.js';
import { mergeAnswer, withoutBlock } from '../edit/merge.js';
import type { EditAnswer, EditModel } from '../edit/model/edit-model.js';
import { addUsage, NO_USAGE, type Usage } from '../model/usage.js';
import type { ModelErrorKind } from '../model/model-error.js';
import { languageOf } from '../languages/registry.js';
import type { Plan, Step } from '../plan/plan-graph.js';
import type { Grammars } from '../syntax/grammar.js';
import type { Summary } from '../syntax/summary.js';
import { exceeded, filesExceeded, moneyFor, type Budget, type Prices } from '../model/budget.js';
import type { KeptAnswer } from './effects.js';
import type { StepAnswer, StepAsker } from './plan-run.js';
import { placesOf, requestFor, type Asking, type Place } from './step-request.js';
import { summarise } from '../languages/summarise.js';
import type { WorkingTree } from './working-tree.js';

/** Failures of the endpoint itself: the next question would fare no better. */
const ENDS_RUN: ReadonlySet<ModelErrorKind> = new Set(['unreachable', 'unauthorised', 'not-found', 'rate-limited']);
/** Failures of one question, of which the next may know nothing; many in a row are the endpoint's. */
const FAILS_QUESTION: ReadonlySet<ModelErrorKind> = new Set(['timeout', 'server', 'bad-answer']);
const FAILURES_IN_A_ROW_MOST = 6;
/** Questions that were held back: nothing was spent. */
const NOT_SENT: ReadonlySet<ModelErrorKind> = new Set(['secret', 'withheld']);
/** How often a refused answer is asked for again. */
const ASKED_AGAIN_MOST = 2;

export interface SessionOptions extends Asking {
  readonly model: EditModel;
  readonly grammars: Grammars;
  readonly budget: Budget;
  readonly prices: Prices;
  /** How many questions may be on their way at once. */
  readonly parallel: number;
  readonly signal: AbortSignal;
  /** Where it is noted what each question takes. */
  readonly costs?: QuestionCosts;
  /** Answers of an earlier part of the same run, and where further ones are kept. */
  readonly notes?: AnswerNotes;
}

export interface AnswerNotes {
  readonly known: ReadonlyMap<string, KeptAnswer>;
  keep(key: string, answer: KeptAnswer): void;
}

export interface SessionUsage extends Usage {
  readonly calls: number;
  readonly money: number;
  /** What the steps that were known before the first call seemed to take. */
  readonly estimated?: { readonly calls: number; readonly promptTokens: number };
}

export class ModelSession implements StepAsker {
  private readonly started = Date.now();
  private readonly ahead = new Map<string, { readonly file: string; readonly answer: Promise<EditAnswer> }>();
  /** Of prompts whose answers have not come yet. */
  private tokensOnTheWay = 0;
  private readonly files = new Set<string>();
  private readonly made = new Set<number>();
  private spent: Usage = NO_USAGE;
  private calls = 0;
  private estimated: SessionUsage['estimated'];
  /** Why no further question makes sense. */
  private failure: string | undefined;
  private failuresInARow = 0;

  constructor(private readonly options: SessionOptions) {}

  /** Whether the endpoint failed, so that steps were left which could be asked another time. */
  get failed(): boolean {
    return this.failure !== undefined;
  }

  usage(): SessionUsage {
    return {
      ...this.spent,
      calls: this.calls,
      money: moneyFor(this.spent, this.options.prices),
      ...(this.estimated === undefined ? {} : { estimated: this.estimated }),
    };
  }

  /** Adds questions that were asked before the plan began. */
  count(asked: readonly Usage[]): void {
    this.calls += asked.length;
    this.spent = asked.reduce(addUsage, this.spent);
  }

  /** Sums up what all steps that wait would take, once. */
  estimate(steps: readonly Step[], tree: WorkingTree, plan: Plan): void {
    if (this.estimated !== undefined) return;
    const requests = steps.flatMap((step) => this.request(step, tree, plan) ?? []);
    this.estimated = {
      calls: requests.length,
      promptTokens: requests.reduce((sum, request) => sum + promptOf(request).tokens, 0),
    };
  }

  /** Asks steps of different files before their turn, as far as the limits go. */
  askAhead(steps: readonly Step[], tree: WorkingTree, plan: Plan): void {
    if (this.options.parallel === 1) return;
    const firstOfFiles = steps
      .filter((step, i) => steps.findIndex((other) => other.file === step.file) === i)
      .slice(0, this.options.parallel);
    const wanted = new Map(
      firstOfFiles.flatMap((step): [string, EditRequest][] => {
        const request = this.request(step, tree, plan);
        return request === undefined ? [] : [[JSON.stringify(request), request]];
      }),
    );
    for (const key of this.ahead.keys()) if (!wanted.has(key)) this.ahead.delete(key);
    for (const [key, request] of wanted) {
      const files = new Set([...this.files, ...[...this.ahead.values()].map(({ file }) => file)]);
      if (
        this.ahead.has(key) ||
        this.options.notes?.known.has(hashText(key)) === true ||
        this.limit(request, files) !== undefined
      )
        continue;
      const answer = this.ask(request);
      // Whoever takes the answer hears of a failure; one that nobody takes is no news.
      answer.catch(() => undefined);
      this.ahead.set(key, { file: request.file, answer });
    }
  }

  async answer(step: Step, tree: WorkingTree, plan: Plan): Promise<StepAnswer> {
    const places = placesOf(step, tree);
    if (places.length === 0)
      return { kind: 'cannot', reason: `${step.block} is not in ${shownName(step.file)} any more` };
    let now = tree;
    let refused: StepAnswer | undefined;
    let how: 'model' | 'replay' = 'model';
    // From the last to the first: an answer moves nothing that stands before it.
    for (const place of places) {
      const answer = await this.answerAt(
        step,
        now,
        plan,
        now === tree
          ? place
          : {
              ...place,
              text: now.text(step.file) ?? place.text,
              summary: now.snapshot.summary(step.file) ?? place.summary,
            },
      );
      if (answer.kind === 'stop') return answer;
      if (answer.kind === 'cannot') refused = answer;
      if (answer.kind !== 'cannot') how = answer.how;
      if (answer.kind === 'edit') now = now.with(new Map([[step.file, answer.text]]), this.options.grammars);
    }
    return now !== tree ? this.edited(step, now.text(step.file) ?? '', how) : (refused ?? { kind: 'noChange', how });
  }

  /** At one place of the step. */
  private async answerAt(step: Step, tree: WorkingTree, plan: Plan, place: Place): Promise<StepAnswer> {
    let refusal: string | undefined;
    let lost: readonly string[] = [];
    let tokensMost = this.options.promptTokensMost;
    for (let attempt = 0; attempt <= ASKED_AGAIN_MOST; attempt++) {
      const fit = fitted(requestFor(step, tree, plan, place, this.asking(plan), refusal), tokensMost);
      if (!fit.ok)
        return {
          kind: 'cannot',
          reason: `the block and the reasons alone take about ${fit.tokens} tokens, and a prompt may have ${tokensMost} (model.promptTokens)`,
        };
      const reply = await this.replyTo(fit.request);
      if ('stopped' in reply) return { kind: 'stop', reason: reply.stopped };
      this.noteFailure(reply);
      const how = reply.model === 'replay' ? 'replay' : 'model';
      if (reply.kind === 'noChange') return { kind: 'noChange', how };
      if (reply.kind === 'delete') return this.edited(step, withoutBlock(place.text, place.summary, place.decl), how);
      if (reply.kind === 'cannot') {
        if (reply.error?.kind === 'too-long' && attempt === 0) {
          tokensMost = Math.floor(Math.min(tokensMost, promptOf(fit.request).tokens) / 2);
          continue;
        }
        // Only what the model itself said can be said better when it is asked again.
        if (how === 'replay' || (reply.error !== undefined && reply.error.kind !== 'bad-answer'))
          return { kind: 'cannot', reason: reply.reason };
        refusal = reply.reason;
        continue;
      }
      const merged = this.merged(step, place, reply, lost);
      if (merged.ok)
        return merged.text === place.text ? { kind: 'noChange', how } : this.edited(step, merged.text, how);
      refusal = merged.reason;
      lost = merged.lost ?? [];
    }
    return { kind: 'cannot', reason: `the model's answers were refused: ${refusal ?? 'no reason'}` };
  }

  /** Ends the run after many failures in a row: each may have taken minutes. */
  private noteFailure(reply: EditAnswer): void {
    const error = reply.kind === 'cannot' ? reply.error : undefined;
    this.failuresInARow = error !== undefined && FAILS_QUESTION.has(error.kind) ? this.failuresInARow + 1 : 0;
    if (error !== undefined && this.failuresInARow >= FAILURES_IN_A_ROW_MOST)
      this.failure ??= `stopped after ${this.failuresInARow} failures of the model in a row: ${error.message}`;
  }

  private edited(step: Step, text: string, how: 'model' | 'replay'): StepAnswer {
    this.files.add(step.file);
    return { kind: 'edit', text, how };
  }

  private merged(
    step: Step,
    place: Place,
    reply: Extract<EditAnswer, { kind: 'edit' }>,
    mayLose: readonly string[],
  ): ReturnType<typeof mergeAnswer> {
    const { text, summary, decl, span } = place;
    const request = {
      text,
      summary,
      decl,
      answer: reply.text,
      overloads: languageOf(step.file)?.overloads === true,
      offside: languageOf(step.file)?.offside === true,
      mayLose,
      ...(span === undefined ? {} : { span }),
      ...(reply.name === undefined ? {} : { alsoNamed: [reply.name] }),
    };
    const summariseFile = (other: string): Summary => summarise(this.options.grammars, step.file, other) ?? summary;
    const result = mergeAnswer(request, summariseFile);
    // What the target of a replay does not have is meant to be gone.
    return !result.ok && result.lost !== undefined && reply.model === 'replay'
      ? mergeAnswer({ ...request, mayLose: result.lost }, summariseFile)
      : result;
  }

  private request(step: Step, tree: WorkingTree, plan: Plan): EditRequest | undefined {
    const [place] = placesOf(step, tree);
    const fit =
      place === undefined
        ? undefined
        : fitted(requestFor(step, tree, plan, place, this.asking(plan)), this.options.promptTokensMost);
    return fit?.ok === true ? fit.request : undefined;
  }

  /** With the order in which the plan's edits were made, as far as was seen: what one question tells of it, the next begins with. */
  private asking(plan: Plan): Asking {
    for (const step of plan.steps) if (step.diff !== '') this.made.add(step.id);
    return { ...this.options, made: [...this.made] };
  }

  private async replyTo(request: EditRequest): Promise<EditAnswer | { readonly stopped: string }> {
    const key = JSON.stringify(request);
    const { notes, budget } = this.options;
    const known = notes?.known.get(hashText(key)) ?? this.ahead.get(key)?.answer;
    this.ahead.delete(key);
    // What is known cost its call already, and edits a file only here.
    const stopped =
      known === undefined ? this.limit(request, this.files) : filesExceeded(budget, this.files, request.file);
    if (stopped !== undefined) return { stopped };
    return known ?? this.ask(request);
  }

  private limit(request: EditRequest, files: ReadonlySet<string>): string | undefined {
    if (this.failure !== undefined) return this.failure;
    const { budget, prices } = this.options;
    const spent = {
      ...this.spent,
      promptTokens: this.spent.promptTokens + this.tokensOnTheWay,
      calls: this.calls,
      seconds: (Date.now() - this.started) / 1000,
    };
    return filesExceeded(budget, files, request.file) ?? exceeded(budget, spent, this.tokensOf(request), prices);
  }

  /** A replay sends nothing. */
  private tokensOf(request: EditRequest): number {
    return this.options.model.id === 'replay' ? 0 : promptOf(request).tokens;
  }

  private async ask(request: EditRequest): Promise<EditAnswer> {
    this.calls++;
    this.options.costs?.add(request.file, request.block, promptOf(request));
    const tokens = this.tokensOf(request);
    this.tokensOnTheWay += tokens;
    const reply = await this.options.model.edit(request, this.options.signal).finally(() => {
      this.tokensOnTheWay -= tokens;
    });
    this.spent = addUsage(this.spent, reply.usage);
    if (reply.kind === 'cannot' && reply.error !== undefined && NOT_SENT.has(reply.error.kind)) this.calls--;
    if (reply.kind === 'cannot' && reply.error !== undefined && ENDS_RUN.has(reply.error.kind))
      this.failure = `stopped, because the model cannot be asked: ${reply.error.message}`;
    if (reply.kind === 'edit' || reply.kind === 'noChange')
      this.options.notes?.keep(hashText(JSON.stringify(request)), reply);
    return reply;
  }
}
