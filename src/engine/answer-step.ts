/**
 * Steps, asked of an edit model: request, answer, merge; refused answers are asked again.
 *
 * The model's text is untrusted. What it answers is merged as the new text of the step's block
 * (and new imports) or refused with a reason; nothing else of it is looked at.
 *
 * Steps that edits of one class or function affect are one question (`asked-together.ts`). An answer that
 * came so is kept until its step's turn, and counts if the block and the reasons are still the same;
 * one that is refused is asked for again on its own.
 *
 * Questions that are likely to come next can be asked ahead, at the same time. Such an answer counts
 * only if what is asked is still the same, byte for byte, when its turn comes, so a run gives
 * the same result whether it asks ahead or not; what an earlier answer changed is asked anew.
 */
import { shownName } from '../base/shown.js';
import { hashText } from '../base/hash.js';
import type { EditRequest } from '../context/edit-request.js';
import { promptOf } from '../context/prompt.js';
import type { QuestionCosts } from '../context/question-cost.js';
import { byReach } from '../context/temporal.js';
import { fitted } from '../context/token-budget.js';
import { mergeAnswer, withoutBlock } from '../edit/merge.js';
import type { EditAnswer, EditModel } from '../edit/model/edit-model.js';
import { addUsage, NO_USAGE, type Usage } from '../model/usage.js';
import type { ModelError, ModelErrorKind } from '../model/model-error.js';
import { languageOf } from '../languages/registry.js';
import type { Plan, Step, Stub } from '../plan/plan-graph.js';
import type { Grammars } from '../syntax/grammar.js';
import { isClassLike, type Summary } from '../syntax/summary.js';
import { exceeded, filesExceeded, moneyFor, type Budget, type Prices } from '../model/budget.js';
import { Ledger } from '../model/metered.js';
import { askedTogetherWithin, isApart } from './asked-together.js';
import type { KeptAnswer } from './effects.js';
import type { StepAnswer, StepAsker } from './plan-run.js';
import { placesOf, requestFor, type Asking, type Place } from './step-request.js';
import type { StubWriter } from './stub-writer.js';
import { ToldAnswers } from './told-answers.js';
import type { ToolRound } from './tool-round.js';
import { summarise } from '../languages/summarise.js';
import type { WorkingTree } from './working-tree.js';

/** Failures of the endpoint itself: the next question would fare no better. */
const ENDS_RUN: ReadonlySet<ModelErrorKind> = new Set(['unreachable', 'unauthorised', 'not-found', 'rate-limited']);
/** Failures of one question, of which the next may know nothing; many in a row are the endpoint's. */
const FAILS_QUESTION: ReadonlySet<ModelErrorKind> = new Set(['timeout', 'server', 'bad-answer']);
/** One or two are chance, and a server that starts anew takes a few questions along. */
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
  /** Whether each block has a question of its own. */
  readonly oneByOne: boolean;
  /** What a model may look up after an answer that failed its check; absent: nothing. */
  readonly tools?: ToolRound;
  /** Who writes bodies of stubs; absent: they are asked for as other edits of their class are. */
  readonly stubs?: StubWriter;
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
  private readonly ahead = new Map<
    string,
    { readonly files: readonly string[]; readonly answers: Promise<readonly EditAnswer[]> }
  >();
  private readonly told = new ToldAnswers();
  /** Of prompts whose answers have not come yet. */
  private tokensOnTheWay = 0;
  private readonly files = new Set<string>();
  private readonly made = new Set<number>();
  private spent: Usage = NO_USAGE;
  private calls = 0;
  private estimated: SessionUsage['estimated'];
  /** The person's edits in the order in which all questions tell them. */
  private seeds: SessionOptions['seeds'];
  /** Why no further question makes sense. */
  private failure: string | undefined;
  private failuresInARow = 0;

  constructor(private readonly options: SessionOptions) {
    this.seeds = options.seeds;
  }

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
    this.seeds = byReach(this.seeds, plan.steps);
    let calls = 0;
    let promptTokens = 0;
    const stubs = steps.filter((step) => this.writesStubsOf(step));
    calls += stubs.reduce((sum, step) => sum + (step.stubs?.length ?? 0), 0);
    for (let left = steps.filter((step) => !stubs.includes(step)); left.length > 0;) {
      const { asked, requests } = this.question(left, tree, plan);
      const [first, ...company] = requests;
      if (first !== undefined) {
        calls++;
        promptTokens += promptOf(first, company).tokens;
      }
      left = left.filter((step) => !asked.includes(step));
    }
    this.estimated = { calls, promptTokens };
  }

  /** Asks questions before their turn that no other one of them bears on, as far as the limits go. */
  askAhead(steps: readonly Step[], tree: WorkingTree, plan: Plan): void {
    if (this.options.parallel === 1) return;
    const wanted = new Map<string, Question>();
    const asked = steps.filter((step) => this.writesStubsOf(step));
    for (
      let left = steps.filter((step) => !this.told.has(step) && !asked.includes(step) && isApart(step, asked, tree));
      left.length > 0 && wanted.size < this.options.parallel;
    ) {
      const question = this.question(left, tree, plan);
      asked.push(...question.asked);
      if (question.requests.length > 0) wanted.set(keyOf(question.requests), question);
      left = left.filter((step) => !asked.includes(step) && isApart(step, asked, tree));
    }
    for (const key of this.ahead.keys()) if (!wanted.has(key)) this.ahead.delete(key);
    for (const [key, { requests, asked: about }] of wanted) {
      const files = new Set([...this.files, ...[...this.ahead.values()].flatMap((other) => other.files)]);
      if (
        this.ahead.has(key) ||
        this.noted(key, requests.length) !== undefined ||
        this.limit(requests, files) !== undefined
      )
        continue;
      const answers = this.ask(requests, about);
      // Whoever takes the answer hears of a failure; one that nobody takes is no news.
      answers.catch(() => undefined);
      this.ahead.set(key, { files: requests.map(({ file }) => file), answers });
    }
  }

  answer(waiting: readonly [Step, ...Step[]], tree: WorkingTree, plan: Plan): Promise<StepAnswer> {
    const [step, ...others] = waiting;
    const { stubs: writer } = this.options;
    const asked = others.filter((other) => !this.writesStubsOf(other));
    return writer !== undefined && this.writesStubsOf(step)
      ? this.withBodies(writer, step, asked, tree, plan)
      : this.edit([step, ...asked], tree, plan);
  }

  private writesStubsOf(step: Step): boolean {
    return this.options.stubs !== undefined && step.stubs !== undefined && step.stubs.length > 0;
  }

  /** Bodies of the step's stubs, and what else of it is to be edited. */
  private async withBodies(
    writer: StubWriter,
    step: Step,
    others: readonly Step[],
    tree: WorkingTree,
    plan: Plan,
  ): Promise<StepAnswer> {
    const { stubs = [], isStubsAlone, ...rest } = step;
    const filled: string[] = [];
    const left: string[] = [];
    let now = tree;
    let isMore = isStubsAlone !== true;
    for (const stub of stubs) {
      const done = await this.bodyOf(writer, step, stub, now, plan);
      if (done.kind === 'gone') isMore = true;
      else if (done.kind === 'left') left.push(done.reason);
      else if (done.kind === 'filled') {
        now = now.with(new Map([[step.file, done.text]]), this.options.grammars);
        filled.push(`${step.nowBlock}.${stub.member}`);
      } else if (now === tree) return { kind: 'stop', reason: done.reason };
      else {
        left.push(`${stub.member} has no body yet: ${done.reason}`);
        isMore = false;
        break;
      }
    }
    if (isMore) {
      const answer = await this.edit([rest, ...others], now, plan);
      if (answer.kind === 'stop' && now === tree) return answer;
      if (answer.kind === 'stop' || answer.kind === 'cannot') left.push(answer.reason);
      if (answer.kind === 'edit') now = now.with(new Map([[step.file, answer.text]]), this.options.grammars);
    }
    const reason = left.join('; ');
    if (now === tree) return reason === '' ? { kind: 'noChange', how: 'model' } : { kind: 'cannot', reason };
    const text = now.text(step.file) ?? '';
    return { ...this.edited(step, text, 'model'), filled, ...(reason === '' ? {} : { left: reason }) };
  }

  private async bodyOf(
    writer: StubWriter,
    step: Step,
    stub: Stub,
    tree: WorkingTree,
    plan: Plan,
  ): Promise<
    | { readonly kind: 'filled'; readonly text: string }
    | { readonly kind: 'left' | 'stopped'; readonly reason: string }
    | { readonly kind: 'gone' }
  > {
    const { budget, prices, notes, model, costs } = this.options;
    const wanted = writer.wanted(step, stub, tree, plan);
    if (wanted === undefined) return { kind: 'gone' };
    const stopped = this.failure ?? filesExceeded(budget, this.files, step.file);
    if (stopped !== undefined) return { kind: 'stopped', reason: stopped };
    if (typeof wanted === 'string') return { kind: 'left', reason: `${stub.member} has no body yet: ${wanted}` };
    const key = hashText(JSON.stringify(['body', wanted.place.task, wanted.place.around]));
    const known = notes?.known.get(key);
    const again = known?.kind === 'edit' ? writer.again(wanted, known.text, tree) : undefined;
    if (again !== undefined) return { kind: 'filled', text: again };
    const seconds = (): number => (Date.now() - this.started) / 1000;
    const ledger = new Ledger(budget, prices, seconds);
    const { promptTokens, completionTokens } = this.spent;
    ledger.add({ calls: this.calls, promptTokens: promptTokens + this.tokensOnTheWay, completionTokens });
    const done = await writer.fill(wanted, tree, ledger, (prompt) => costs?.add(step, [step.id], prompt));
    this.calls += done.usage.calls;
    this.spent = addUsage(this.spent, done.usage);
    if (done.kind === 'filled')
      notes?.keep(key, { kind: 'edit', text: done.code, raw: done.code, model: model.id, usage: NO_USAGE });
    if (done.kind !== 'left' || done.error === undefined) return done;
    this.noteFailure({ kind: done.error, message: done.reason });
    if (ENDS_RUN.has(done.error)) this.failure = `stopped, because the model cannot be asked: ${done.reason}`;
    return this.failure === undefined ? done : { kind: 'stopped', reason: this.failure };
  }

  private async edit(waiting: readonly [Step, ...Step[]], tree: WorkingTree, plan: Plan): Promise<StepAnswer> {
    const [step] = waiting;
    const places = placesOf(step, tree);
    if (places.length === 0)
      return { kind: 'cannot', reason: `${step.block} is not in ${shownName(step.file)} any more` };
    if (!this.told.has(step)) await this.askTogether(waiting, tree, plan);
    let now = tree;
    let refused: StepAnswer | undefined;
    let how: 'model' | 'replay' = 'model';
    let sawMembers = false;
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
      if (answer.kind !== 'cannot') ({ how, sawMembers = false } = answer);
      if (answer.kind === 'edit') now = now.with(new Map([[step.file, answer.text]]), this.options.grammars);
    }
    return now !== tree
      ? { ...this.edited(step, now.text(step.file) ?? '', how), sawMembers }
      : (refused ?? { kind: 'noChange', how, sawMembers });
  }

  /** At one place of the step. */
  private async answerAt(step: Step, tree: WorkingTree, plan: Plan, place: Place): Promise<StepAnswer> {
    let refusal: string | undefined;
    let lost: readonly string[] = [];
    let observations: readonly string[] | undefined;
    let tokensMost = this.options.promptTokensMost;
    for (let attempt = 0; attempt <= ASKED_AGAIN_MOST; attempt++) {
      const request = requestFor(step, tree, plan, place, this.asking(plan), refusal, [], observations);
      const fit = fitted(request, tokensMost);
      if (!fit.ok) return tooLong(fit.tokens, tokensMost);
      const told = attempt === 0 ? this.told.take(step, place) : undefined;
      const reply = told ?? (await this.replyTo(fit.request, step));
      if ('stopped' in reply) return { kind: 'stop', reason: reply.stopped };
      this.noteFailure(errorOf(reply));
      const how = reply.model === 'replay' ? 'replay' : 'model';
      const sawMembers = isClassShownWhole(place, fit.request);
      if (reply.kind === 'noChange') return { kind: 'noChange', how, sawMembers };
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
      const misnamed = (text: string): string | undefined =>
        observations === undefined ? this.options.tools?.misnamed(step.file, place.text, text, tree) : undefined;
      const wrong = merged.ok ? misnamed(merged.text) : merged.reason;
      if (merged.ok && wrong === undefined)
        return merged.text === place.text
          ? { kind: 'noChange', how, sawMembers }
          : { ...this.edited(step, merged.text, how), sawMembers };
      refusal = wrong;
      lost = merged.ok ? [] : (merged.lost ?? []);
      observations ??= await this.lookedUp(fit.request, reply.text, refusal ?? '', tree);
    }
    return { kind: 'cannot', reason: `the model's answers were refused: ${refusal ?? 'no reason'}` };
  }

  /** What the model looks up after an answer that failed, once for a block; undefined where it may not. */
  private async lookedUp(
    request: EditRequest,
    answer: string,
    reason: string,
    tree: WorkingTree,
  ): Promise<readonly string[] | undefined> {
    const { tools } = this.options;
    if (tools === undefined || this.limit([request], this.files) !== undefined) return undefined;
    const { observations, usage } = await tools.lookUp(request, answer, reason, tree);
    this.calls += usage.calls;
    this.spent = addUsage(this.spent, usage);
    return observations;
  }

  /** Asks about the first step and those that are one question with it; where that fails, each is asked on its own. */
  private async askTogether(waiting: readonly Step[], tree: WorkingTree, plan: Plan): Promise<void> {
    const { asked, requests } = this.question(
      waiting.filter((step) => !this.told.has(step)),
      tree,
      plan,
    );
    if (requests.length < 2) return;
    const answers = await this.repliesTo(requests, asked);
    if ('stopped' in answers) return;
    const failed = answers.find((answer) => answer.kind === 'cannot' && answer.error !== undefined);
    if (failed?.kind === 'cannot' && answers.every((answer) => answer.kind === 'cannot')) {
      this.noteFailure(failed.error);
      return;
    }
    this.told.keep(asked, answers, tree);
  }

  /** The question with which the first step is asked: alone, or with those that are one question with it. */
  private question(waiting: readonly Step[], tree: WorkingTree, plan: Plan): Question {
    const [first] = waiting;
    if (first === undefined) return { asked: [], requests: [] };
    const asking = this.asking(plan);
    const { model, oneByOne } = this.options;
    const group = oneByOne || model.editTogether === undefined ? [] : askedTogetherWithin(waiting, tree, plan, asking);
    if (group.length > 1)
      return { asked: group.map(({ step }) => step), requests: group.map(({ request }) => request) };
    const [place] = placesOf(first, tree);
    const fit =
      place === undefined
        ? undefined
        : fitted(requestFor(first, tree, plan, place, asking), this.options.promptTokensMost);
    return { asked: [first], requests: fit?.ok === true ? [fit.request] : [] };
  }

  /** Ends the run after many failures in a row: each may have taken minutes. */
  private noteFailure(error: Pick<ModelError, 'kind' | 'message'> | undefined): void {
    this.failuresInARow = error !== undefined && FAILS_QUESTION.has(error.kind) ? this.failuresInARow + 1 : 0;
    if (error !== undefined && this.failuresInARow >= FAILURES_IN_A_ROW_MOST)
      this.failure ??= `stopped after ${this.failuresInARow} failures of the model in a row: ${error.message}`;
  }

  private edited(step: Step, text: string, how: 'model' | 'replay'): Extract<StepAnswer, { readonly kind: 'edit' }> {
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

  /**
   * With the order in which the plan's edits were made, as far as was seen: what one question tells of it, the next
   * begins with.
   */
  private asking(plan: Plan): Asking {
    for (const step of plan.steps) if (step.diff !== '') this.made.add(step.id);
    return { ...this.options, seeds: this.seeds, made: [...this.made] };
  }

  private async replyTo(request: EditRequest, step: Step): Promise<EditAnswer | { readonly stopped: string }> {
    const replies = await this.repliesTo([request], [step]);
    return 'stopped' in replies ? replies : (replies[0] as EditAnswer);
  }

  /** An answer for each request of one question. */
  private async repliesTo(
    requests: readonly EditRequest[],
    steps: readonly Step[],
  ): Promise<readonly EditAnswer[] | { readonly stopped: string }> {
    const key = keyOf(requests);
    const known = this.noted(key, requests.length) ?? this.ahead.get(key)?.answers;
    this.ahead.delete(key);
    // What is known cost its call already, and edits a file only here.
    const stopped = known === undefined ? this.limit(requests, this.files) : this.filesLimit(requests, this.files);
    if (stopped !== undefined) return { stopped };
    return known ?? this.ask(requests, steps);
  }

  /** The answers to a question that an earlier part of the run was given, if it was given all of them. */
  private noted(key: string, count: number): readonly KeptAnswer[] | undefined {
    const answers = Array.from({ length: count }, (_, at) => this.options.notes?.known.get(noteKey(key, at)));
    return answers.some((answer) => answer === undefined)
      ? undefined
      : answers.filter((answer) => answer !== undefined);
  }

  private limit(requests: readonly EditRequest[], files: ReadonlySet<string>): string | undefined {
    if (this.failure !== undefined) return this.failure;
    const { budget, prices } = this.options;
    const spent = {
      ...this.spent,
      promptTokens: this.spent.promptTokens + this.tokensOnTheWay,
      calls: this.calls,
      seconds: (Date.now() - this.started) / 1000,
    };
    return this.filesLimit(requests, files) ?? exceeded(budget, spent, this.tokensOf(requests), prices);
  }

  private filesLimit(requests: readonly EditRequest[], files: ReadonlySet<string>): string | undefined {
    const all = new Set(files);
    for (const { file } of requests) {
      const reason = filesExceeded(this.options.budget, all, file);
      if (reason !== undefined) return reason;
      all.add(file);
    }
    return undefined;
  }

  /** A replay sends nothing. */
  private tokensOf([first, ...company]: readonly EditRequest[]): number {
    return this.options.model.id === 'replay' || first === undefined ? 0 : promptOf(first, company).tokens;
  }

  private async ask(requests: readonly EditRequest[], steps: readonly Step[]): Promise<readonly EditAnswer[]> {
    const { model, signal, costs, notes } = this.options;
    const [first, ...company] = requests;
    if (first === undefined) return [];
    this.calls++;
    costs?.add(
      first,
      steps.map(({ id }) => id),
      promptOf(first, company),
    );
    const tokens = this.tokensOf(requests);
    this.tokensOnTheWay += tokens;
    const asking =
      company.length > 0 && model.editTogether !== undefined
        ? model.editTogether(requests, signal)
        : model.edit(first, signal).then((answer) => [answer]);
    const replies = await asking.finally(() => {
      this.tokensOnTheWay -= tokens;
    });
    this.spent = replies.reduce((sum, { usage }) => addUsage(sum, usage), this.spent);
    const errors = replies.map(errorOf);
    if (errors.every((error) => error !== undefined && NOT_SENT.has(error.kind))) this.calls--;
    const ends = errors.find((error) => error !== undefined && ENDS_RUN.has(error.kind));
    if (ends !== undefined) this.failure = `stopped, because the model cannot be asked: ${ends.message}`;
    const key = keyOf(requests);
    for (const [at, reply] of replies.entries())
      if (reply.kind === 'edit' || reply.kind === 'noChange') notes?.keep(noteKey(key, at), reply);
    return replies;
  }
}

/** Steps, and the request for each; no request where the first one's does not fit. */
interface Question {
  readonly asked: readonly Step[];
  readonly requests: readonly EditRequest[];
}

const errorOf = (reply: EditAnswer): ModelError | undefined => (reply.kind === 'cannot' ? reply.error : undefined);

const isClassShownWhole = ({ summary, decl }: Place, { outline }: EditRequest): boolean =>
  decl >= 0 && isClassLike(summary.decls.kindOf(decl)) && outline === undefined;

/** What is said to a model, and nothing else of the requests: not the text of the whole file. */
const keyOf = (requests: readonly EditRequest[]): string =>
  JSON.stringify(requests.map(({ source: _source, line: _line, ...said }) => said));

const noteKey = (key: string, at: number): string => hashText(at === 0 ? key : `${at} ${key}`);

const tooLong = (tokens: number, most: number): StepAnswer => ({
  kind: 'cannot',
  reason:
    `the block and the reasons alone take about ${tokens} tokens, and a prompt may have ${most} ` +
    '(model.promptTokens)',
});
