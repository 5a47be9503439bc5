/**
 * The loop that writes a block: ask for code, let the oracle look at it, let the model look things up, reflect, and
 * write again, until the oracle passes it or trying on makes no sense.
 *
 * Everything outside comes in as {@link LoopEffects}: nothing is written, and no candidate touches a file of the
 * person. What is returned is the best candidate, not the last one. An oracle that cannot run has not looked: that
 * counts as no call, and ends the loop when it happens again and again.
 *
 * Source: RRR (arXiv 2405.01573), section 3.
 */
import { parseAnswer } from '../context/answer.js';
import type { Prompt } from '../context/prompt.js';
import { feedbackText } from '../generate/feedback.js';
import { History } from '../generate/history.js';
import { hasPassed, isAsGood, signatureOf, type Judgement } from '../generate/judgement.js';
import type { Placed } from '../generate/placed.js';
import {
  improvementQuestion,
  initialQuestion,
  reflectionQuestion,
  toolQuestion,
  type Round,
  type Shown,
} from '../generate/questions.js';
import { SWITCHES, type Mode, type Task } from '../generate/task.js';
import { toolOffers, wishedCalls, type WishedCall } from '../generate/tool-calls.js';
import { withoutThoughts } from '../model/json-in-text.js';
import { addSpending, NO_SPENDING, type AskOptions, type Choice, type Model, type Spending } from '../model/model.js';
import type { ModelErrorKind } from '../model/model-error.js';

export type Looked =
  | { readonly ok: true; readonly judgement: Judgement }
  /** It could not run. */
  | { readonly ok: false; readonly message: string };

export interface LoopEffects {
  readonly model: Model;
  readonly signal: AbortSignal;
  progress(message: string): void;
  /** Hears of each question before it is asked. */
  heard?(prompt: Prompt): void;
  /** The file's text with a candidate in it. */
  place(code: string): Placed;
  /** Looks at the repository with that text of the file; nothing of it stays. */
  look(text: string): Promise<Looked>;
  /** What a tool says, on the repository without the block. */
  lookUp(call: WishedCall, code: string, thought: string): Promise<string>;
  /** Pieces of the repository that a text is about; undefined for none. */
  snippets(query: string): Promise<string | undefined>;
}

export interface LoopOptions {
  readonly task: Task;
  /** The file without the block; undefined where there is none. */
  readonly around: string | undefined;
  readonly mode: Mode;
  readonly oracleCallsMost: number;
  readonly feedbackTokensMost: number;
  readonly showTestSource: boolean;
  readonly temperature: number;
}

export interface Attempt {
  /** From 1. */
  readonly number: number;
  readonly code: string;
  /** The file's text with it. */
  readonly text: string;
  /** Undefined where no oracle looked at it. */
  readonly judgement: Judgement | undefined;
  readonly feedback: string;
  /** What was looked up after it. */
  readonly calls: readonly { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }[];
  /** Calls that were left out, and why. */
  readonly notes: readonly string[];
  readonly reflection: string | undefined;
}

export type Outcome =
  | 'passed'
  /** All looks of the oracle are used up. */
  | 'exhausted'
  /** The same candidate came again and again. */
  | 'fixpoint'
  /** The feedback stayed the same. */
  | 'stagnant'
  /** A way without an oracle in the loop came to its end. */
  | 'unchecked'
  | 'oracle'
  | 'model'
  | 'budget'
  /** No answer could be used. */
  | 'refused';

export interface Generated {
  readonly outcome: Outcome;
  /** Why it ended, where the outcome alone does not say it. */
  readonly message: string | undefined;
  /** What failed, where it was the model. */
  readonly error: ModelErrorKind | undefined;
  readonly attempts: readonly Attempt[];
  readonly best: Attempt | undefined;
  readonly oracleCalls: number;
  readonly usage: Spending;
}

/** How often a model is asked again for an answer that could be used. */
const ASKED_AGAIN_MOST = 2;
/** How often in a row the oracle may fail to run. */
const ORACLE_FAILURES_MOST = 2;

/** What ends the loop from within a phase. */
class Ended {
  constructor(
    readonly outcome: Outcome,
    readonly message?: string,
    readonly error?: ModelErrorKind,
  ) {}
}

export async function generated(options: LoopOptions, effects: LoopEffects): Promise<Generated> {
  return new Loop(options, effects).run();
}

class Loop {
  private readonly attempts: Attempt[] = [];
  private readonly history = new History();
  private best: Attempt | undefined;
  private oracleCalls = 0;
  private usage: Spending = NO_SPENDING;

  constructor(
    private readonly options: LoopOptions,
    private readonly effects: LoopEffects,
  ) {}

  async run(): Promise<Generated> {
    const ended = await this.rounds();
    return {
      outcome: ended.outcome,
      message: ended.message,
      error: ended.error,
      attempts: this.attempts,
      best: this.best,
      oracleCalls: this.oracleCalls,
      usage: this.usage,
    };
  }

  private async rounds(): Promise<Ended> {
    const { task, around, mode, oracleCallsMost } = this.options;
    const switches = SWITCHES[mode];
    let shown: Shown = {
      task,
      around,
      snippets: switches.hasSnippets ? await this.effects.snippets(task.description) : undefined,
    };
    let round: Round | undefined;
    for (let number = 1; ; number++) {
      this.effects.progress(number === 1 ? `writing ${nameOf(task)}` : `writing ${nameOf(task)} again (${number})`);
      const written = await this.written(shown, round);
      if (written instanceof Ended) return written;
      const isLast = !switches.isLoop || number >= oracleCallsMost;
      const looked = switches.hasOracle || isLast ? await this.looked(written.text) : undefined;
      if (looked instanceof Ended) {
        this.attempts.push(attemptOf(number, written, undefined, ''));
        this.best ??= this.attempts.at(-1);
        return looked;
      }
      const feedback = looked === undefined || !switches.hasOracle ? '' : this.feedbackOn(looked, written.text);
      const attempt = attemptOf(number, written, looked, feedback);
      this.attempts.push(attempt);
      this.takeIfAsGood(attempt);
      if (looked !== undefined && hasPassed(looked)) return new Ended('passed');
      if (isLast) return new Ended(switches.hasOracle ? 'exhausted' : 'unchecked');
      if (looked !== undefined) {
        const end = this.history.add(written.code, signatureOf(looked), wrongIn(looked));
        if (end !== undefined) return new Ended(end);
      }
      const next = await this.next(shown, attempt);
      if (next instanceof Ended) return next;
      round = next;
      if (switches.looksUpAgain) shown = { ...shown, snippets: await this.effects.snippets(written.code) };
    }
  }

  private takeIfAsGood(attempt: Attempt): void {
    const { judgement } = attempt;
    const known = this.best?.judgement;
    if (judgement === undefined || known === undefined || isAsGood(known, judgement)) this.best = attempt;
  }

  /** Code that could be put into the file. */
  private async written(
    shown: Shown,
    round: Round | undefined,
  ): Promise<{ readonly code: string; readonly text: string } | Ended> {
    let refusal: string | undefined;
    for (let attempt = 0; attempt <= ASKED_AGAIN_MOST; attempt++) {
      const prompt = round === undefined ? initialQuestion(shown, refusal) : improvementQuestion(shown, round, refusal);
      const choice = await this.ask(round === undefined ? 'generate/code' : 'generate/improve', prompt);
      if (choice instanceof Ended) return choice;
      const code = codeIn(choice);
      if (!code.ok) {
        refusal = code.reason;
        continue;
      }
      const placed = this.effects.place(code.text);
      if (placed.ok) return { code: code.text, text: placed.text };
      refusal = placed.reason;
    }
    return new Ended('refused', `the model's answers could not be used: ${refusal ?? 'no reason'}`);
  }

  private async looked(text: string): Promise<Judgement | Ended> {
    const known = this.attempts.find((attempt) => attempt.text === text)?.judgement;
    if (known !== undefined) {
      this.oracleCalls++;
      return known;
    }
    let message = '';
    for (let failures = 0; failures < ORACLE_FAILURES_MOST; failures++) {
      this.effects.progress('asking the oracle');
      const looked = await this.effects.look(text);
      if (looked.ok) {
        this.oracleCalls++;
        return looked.judgement;
      }
      ({ message } = looked);
    }
    return new Ended('oracle', message);
  }

  private feedbackOn(judgement: Judgement, text: string): string {
    const { task, feedbackTokensMost, showTestSource } = this.options;
    return feedbackText(judgement, { file: task.file, text, tokensMost: feedbackTokensMost, showTestSource });
  }

  /** What is looked up and thought about before the next code. */
  private async next(shown: Shown, attempt: Attempt): Promise<Round | Ended> {
    const { mode } = this.options;
    const { hasTools, reflects } = SWITCHES[mode];
    let round: Round = {
      code: attempt.code,
      feedback: attempt.feedback,
      observations: [],
      reflection: undefined,
      tried: SWITCHES[mode].hasOracle ? this.history.tried : [],
    };
    if (hasTools) {
      const found = await this.observations(shown, round, attempt);
      if (found instanceof Ended) return found;
      round = { ...round, observations: found };
    }
    if (!reflects) return round;
    const choice = await this.ask('generate/reflect', reflectionQuestion(shown, round));
    if (choice instanceof Ended) return choice;
    const reflection = withoutThoughts(choice.text).trim().slice(0, REFLECTION_MOST);
    this.amend({ reflection });
    return { ...round, reflection };
  }

  private async observations(shown: Shown, round: Round, attempt: Attempt): Promise<readonly string[] | Ended> {
    const offers = toolOffers();
    const choice = await this.ask('generate/tools', toolQuestion(shown, round, false), { tools: offers });
    if (choice instanceof Ended) return choice;
    const thought = withoutThoughts(choice.text).trim();
    const { calls, notes } = wishedCalls(choice.toolCalls, thought, this.options.task.name);
    const found: string[] = [];
    for (const call of calls) {
      this.effects.progress(`looking up ${call.tool.name}`);
      const said = await this.effects.lookUp(call, attempt.code, thought === '' ? attempt.feedback : thought);
      found.push(`${call.tool.name}(${shownArguments(call.arguments)}):\n${said}`);
    }
    this.amend({ calls: calls.map(({ tool, arguments: given }) => ({ tool: tool.name, arguments: given })), notes });
    return [...found, ...notes];
  }

  /** Adds to the last attempt what came of it. */
  private amend(more: Partial<Pick<Attempt, 'calls' | 'notes' | 'reflection'>>): void {
    const last = this.attempts.pop();
    if (last === undefined) return;
    const amended = { ...last, ...more };
    if (this.best === last) this.best = amended;
    this.attempts.push(amended);
  }

  private async ask(kind: string, prompt: Prompt, more: Pick<AskOptions, 'tools'> = {}): Promise<Choice | Ended> {
    const { model, signal } = this.effects;
    this.effects.heard?.(prompt);
    const completion = await model.complete(
      { kind, messages: prompt.messages },
      { signal, temperature: this.options.temperature, ...more },
    );
    this.usage = addSpending(this.usage, completion.usage);
    if (!completion.ok) {
      const { kind: error, message } = completion.error;
      return new Ended(outcomeOfError(error), message, error);
    }
    const [choice] = completion.choices;
    if (choice === undefined) return new Ended('model', `${model.name} gave no answer`);
    return choice.finish === 'refused' ? new Ended('model', `${model.name} declined to answer`) : choice;
  }
}

/** A reflection is a few sentences, in characters. */
const REFLECTION_MOST = 2000;

const nameOf = ({ name, file }: Task): string => name ?? file;
const outcomeOfError = (kind: ModelErrorKind): Outcome => (kind === 'budget' ? 'budget' : 'model');

const attemptOf = (
  number: number,
  { code, text }: { readonly code: string; readonly text: string },
  judgement: Judgement | undefined,
  feedback: string,
): Attempt => ({ number, code, text, judgement, feedback, calls: [], notes: [], reflection: undefined });

const shownArguments = (given: Readonly<Record<string, unknown>>): string =>
  Object.entries(given)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(', ');

/** The first thing that is wrong, on one line. */
function wrongIn({ findings, tests }: Judgement): string {
  const [first] = findings;
  const rest = findings.length > 1 ? ` (and ${findings.length - 1} more)` : '';
  if (first !== undefined) return `${first.message.split('\n')[0] ?? ''}${rest}`;
  return tests === undefined
    ? ''
    : `${tests.failed
        .map(({ name }) => name)
        .slice(0, 3)
        .join(', ')} failed`;
}

function codeIn({
  text,
  finish,
}: Choice): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string } {
  if (finish === 'length') return { ok: false, reason: 'the answer was cut off at its limit; write it shorter' };
  const parsed = parseAnswer(text);
  if (parsed.kind === 'edit') return { ok: true, text: parsed.text };
  return {
    ok: false,
    reason: parsed.kind === 'refused' ? parsed.reason : 'the whole text is wanted, in one code block',
  };
}
