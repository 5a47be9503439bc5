/**
 * The service in process: one client's view of the host, with the effects of io/ behind it.
 *
 * Impact, what is left, runs and plans of steps have a desk each; here stands which question goes to which. Nothing is
 * written but through `effects.apply`. What plans and asks models is loaded when somebody wants it: most starts are for
 * questions, which should not wait for it.
 */
import { randomUUID } from 'node:crypto';
import type { ApiDescriptor, ApiParams } from '#protocol/api.js';
import type { ParamsOf, ResultOf } from '#protocol/methods.js';
import type { QuestionName } from '#protocol/names.js';
import type { DoParams, DoReport } from '#protocol/do.js';
import type { GenerateParams, GenerateReport } from '#protocol/generate.js';
import type { LeftParams, LeftReport, TakeParams, TakeReport } from '#protocol/left.js';
import type { PropagateParams, PropagateReport } from '#protocol/propagate.js';
import type { PromptParams, PromptReport } from '#protocol/prompt.js';
import type { RefactorParams } from '#protocol/refactor.js';
import type { Status } from '#protocol/status.js';
import type { GroundParams, GroundReport, ToolParams, ToolReport } from '#protocol/tools.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { shownName } from '../base/shown.js';
import { Precedence } from '../base/precedence.js';
import { inTurns } from '../base/turns.js';
import type { Grammars } from '../syntax/grammar.js';
import type { ClientId } from './event.js';
import { Confirmation } from './confirmation.js';
import type { Effects, RunNote, WrittenFile } from './effects.js';
import { callsDocument } from './graph-calls.js';
import { exportGraph } from './graph-export.js';
import { hierarchyDocument } from './graph-hierarchy.js';
import { refsDocument } from './graph-refs.js';
import { whyDocument } from './graph-why.js';
import type { GraphQuestion } from './graph-entries.js';
import type { Host } from './host.js';
import { isRejected, type Decisions, type Rejected } from './left.js';
import { LeftDesk } from './left-desk.js';
import { PlanDesk } from './plan-desk.js';
import { withManifests } from './manifest-follow.js';
import { namesBegun } from './names-begun.js';
import { planRows } from './plan-rows.js';
import { reviewed } from './review.js';
import type { Asked, Run } from './propagation.js';
import { groundDocument } from './ground-document.js';
import { scipDocument } from './scip-document.js';
import type { SearchMemory } from './search-memory.js';
import { ServiceError, SETTLED_BASE, type Answers, type Call } from './service.js';
import { ImpactDesk } from './impact-desk.js';
import { Rehearsal } from './rehearsal.js';
import { RunDesk } from './run-desk.js';
import { Trees, type TreePair } from './trees.js';
import type { WorkingTree } from './working-tree.js';

export interface LocalServiceParts {
  readonly host: Host;
  readonly effects: Effects;
  readonly grammars: Grammars;
  readonly search: SearchMemory;
  /** Whose unsaved texts and baseline are meant; undefined: the disk. */
  readonly client: ClientId | undefined;
  /** Everything of the status document that the engine does not know. */
  readonly status: () => Status;
}

/** What of a service is asked and answered; texts and events are the session's. */
export class LocalService {
  private readonly trees: Trees;
  private readonly runs: RunDesk;
  private readonly desk: LeftDesk;
  private readonly plans: PlanDesk;
  private readonly impacts: ImpactDesk;
  private readonly rehearsal: Rehearsal;
  private readonly precedence = new Precedence();
  private readonly answers: Answers = {
    'codeplan/status': () => Promise.resolve(this.parts.status()),
    'codeplan/impact': (params, call) => this.impacts.impact(params, call),
    'codeplan/plan': (params, call) => this.propagate(params, call),
    'codeplan/refactor': (params, call) => this.refactor(params, call),
    'codeplan/refactor/here': async (params) => {
      const { hereDocument } = await import('./refactor-here.js');
      return hereDocument(this.trees.current(), params);
    },
    'codeplan/review': (params) => Promise.resolve(this.runs.review(params)),
    'codeplan/rows': ({ run, folded }) => Promise.resolve(planRows(this.runs.run(run), folded)),
    'codeplan/execute': (params) => Promise.resolve(this.runs.execute(params)),
    'codeplan/edits': (params) => Promise.resolve({ schema: SCHEMA_VERSION, edits: [...this.runs.editsOf(params)] }),
    'codeplan/left': (params, call) => this.leftAs(params, call),
    'codeplan/next': (params, call) => this.desk.next(params, call),
    'codeplan/take': (params, call) => this.take(params, call),
    'codeplan/decide': async (params, call) => ({
      schema: SCHEMA_VERSION,
      counts: (await this.desk.decide(params, call)).counts,
    }),
    'codeplan/prompt': (params, call) => this.prompt(params, call),
    'codeplan/generate': (params, call) => this.generate(params, call),
    'codeplan/undo': (params) => Promise.resolve(this.runs.undo(params)),
    'codeplan/log': () => Promise.resolve({ schema: SCHEMA_VERSION, ...this.parts.effects.journal() }),
    'codeplan/api': (params, call) => this.api(params, call),
    'codeplan/graph': async (params, call) => exportGraph(await this.question(call), params.confidence ?? 'all', call),
    'codeplan/graph/scip': async (_params, call) => scipDocument(await this.question(call), call),
    'codeplan/graph/refs': (params, call) =>
      this.confirming(params.confirm, call, (question) => refsDocument(question, params)),
    'codeplan/graph/calls': (params, call) =>
      this.confirming(params.confirm, call, (question) => callsDocument(question, params)),
    'codeplan/graph/hierarchy': (params, call) =>
      this.confirming(params.confirm, call, (question) => hierarchyDocument(question, params)),
    'codeplan/graph/why': async (params, call) => whyDocument(await this.question(call), params),
    'codeplan/graph/names': ({ begun, limit }) => {
      const { snapshot, resolver } = this.trees.current();
      return Promise.resolve({ schema: SCHEMA_VERSION, names: namesBegun(snapshot, resolver, begun, limit ?? 200) });
    },
    'codeplan/ground': (params, call) => this.ground(params, call),
    'codeplan/planSearch': (params, call) => this.plans.search(params, call),
    'codeplan/planStop': ({ search }) => Promise.resolve({ stopped: this.plans.stop(search) }),
    'codeplan/planRead': (params, call) => this.plans.read(params, call),
    'codeplan/planRows': (params, call) => this.plans.rows(params, call),
    'codeplan/planPrompt': (params, call) => this.plans.prompt(params, call),
    'codeplan/planCode': (params, call) => this.plans.code(params, call),
    'codeplan/do': (params, call) => this.carryOut(params, call),
    'codeplan/tool': (params, call) => this.tool(params, call),
  };

  constructor(private readonly parts: LocalServiceParts) {
    const { host, effects, grammars, client, search } = parts;
    this.trees = new Trees(host, effects, grammars, client, search);
    this.impacts = new ImpactDesk(this.trees, effects);
    this.rehearsal = new Rehearsal(
      this.trees,
      (file, text, signal) => effects.summaryOf(file, text, signal),
      (signal) => this.precedence.standBack(signal),
    );
    this.runs = new RunDesk(effects);
    this.plans = new PlanDesk({ effects, memory: search, grammars, tree: (call) => this.treeNow(call) });
    this.desk = new LeftDesk({
      effects,
      current: () => this.trees.current(),
      baseline: () => host.baselineOf(client),
      impact: (call) => this.impacts.impact({ base: SETTLED_BASE }, call),
      plan: async (params, call) => this.runs.run((await this.propagate(params, call)).run),
    });
  }

  async ask<M extends QuestionName>(method: M, params: ParamsOf<M>, call: Call): Promise<ResultOf<M>> {
    const answer: Answers[M] = this.answers[method];
    const isAhead = 'ahead' in params && params.ahead === true;
    return isAhead ? answer(params, call) : this.precedence.first(() => answer(params, call));
  }

  private async ground(params: GroundParams, call: Call): Promise<GroundReport> {
    const { effects, search: memory } = this.parts;
    const tree = await this.treeNow(call);
    if (params.describe === undefined && params.vectors === undefined)
      return inTurns(groundDocument(tree, memory, params), call.signal);
    const { groundWithModels } = await import('./ground-with-models.js');
    return groundWithModels(params, { tree, memory, effects, call });
  }

  private async leftAs({ plan, early, ahead }: LeftParams, call: Call): Promise<LeftReport> {
    const { host, client } = this.parts;
    const latest = ahead === true && client !== undefined ? host.overlayPaths(client).at(-1) : undefined;
    if (latest !== undefined) await this.rehearsal.of(latest, call);
    return plan === true ? this.desk.prepare(call) : early === true ? this.leftSoon(call) : this.desk.left(call);
  }

  /** What is left in the files that the client has open, where all of it takes long; else all of it. */
  private async leftSoon(call: Call): Promise<LeftReport> {
    const { host, client } = this.parts;
    const near = await this.impacts.near(() => (client === undefined ? [] : host.overlayPaths(client)), call);
    return near === undefined ? this.desk.left(call) : this.desk.part(near.report, near.share, call);
  }

  private async propagate(asked: PropagateParams, call: Call): Promise<PropagateReport> {
    const { effects } = this.parts;
    const note =
      asked.resume === undefined ? undefined : effects.notes.read(asked.resume === true ? undefined : asked.resume);
    // A permission is the person's, of this moment: a run that is gone on with does not give it again.
    const { resume: _resume, sendAnyway, ...given } = asked;
    if (sendAnyway !== undefined) effects.sendAnyway(sendAnyway);
    const { left } = effects;
    const isOfSession = given.base === SETTLED_BASE;
    const params: PropagateParams = {
      ...note?.params,
      ...given,
      ...(isOfSession ? withDecisions(given, left.read()) : {}),
    };
    if (note !== undefined) this.runs.takeBack(note, params);
    const { refuseSearchOptions, requestOfTask } = await import('./task-in-words.js');
    const trees = await this.trees.around(params, call);
    const request = note === undefined ? await requestOfTask(params, trees, effects) : undefined;
    if (request !== undefined) return this.taskCarriedOut(request, call);
    refuseSearchOptions(params);
    const planned =
      note?.params.seeds === undefined
        ? await this.planned(trees, params, call, note?.answers)
        : await this.edited(params, writtenBefore(note, this.trees.current()), call, note.answers);
    const run =
      trees.change === undefined
        ? planned
        : withManifests(planned, await effects.manifests(call.signal), trees.change.packages);
    if (note !== undefined) effects.notes.forget(note.run);
    if (params.apply === true || !isOfSession) return this.runs.finished(run, params.apply === true);
    const kept = withoutRejected(run, left.read().rejected);
    this.runs.remember(kept);
    return kept.report;
  }

  private async refactor(params: RefactorParams, call: Call): Promise<PropagateReport> {
    const { effects, grammars } = this.parts;
    await effects.refresh(call.signal, (message, fraction) => call.progress(message, fraction));
    if (params.sendAnyway !== undefined) effects.sendAnyway(params.sendAnyway);
    const { seedTrees, planParams, withSeed } = await import('./refactoring.js');
    const trees = seedTrees(this.trees.current(), params.refactoring, grammars, this.trees.problems());
    const run = await this.planned(trees, planParams(params, trees), call);
    return this.runs.finished(withSeed(run, trees, params), params.apply === true);
  }

  /** What does not pass is written only where the person insists. */
  private async generate(params: GenerateParams, call: Call): Promise<GenerateReport> {
    const tree = await this.treeNow(call);
    const { effects, grammars, search } = this.parts;
    const { generateRun } = await import('./generate-run.js');
    const parts = { tree, problems: this.trees.problems(), effects, grammars, search };
    const { report, run } = await generateRun(randomUUID().slice(0, 8), parts, params, call);
    if (run === undefined) return report;
    const isGood = report.outcome === 'passed' || params.force === true;
    return { ...report, plan: this.runs.finished(run, params.apply === true && isGood) };
  }

  private async carryOut(params: DoParams, call: Call): Promise<DoReport> {
    if (params.sendAnyway !== undefined) this.parts.effects.sendAnyway(params.sendAnyway);
    const { report, run } = await this.plans.carryOut(params, (plan, texts) => this.edited(plan, texts, call), call);
    if (run === undefined) return report;
    const edits = this.runs.finished(run, params.apply === true);
    const { withTask } = await import('./task-in-words.js');
    // Whoever looks at the run's rows sees as well what became of the steps that no edit is of.
    this.runs.remember(withTask({ ...run, report: edits }, report));
    return { ...report, edits };
  }

  /** A task in words that begins with nothing but its words. */
  private async taskCarriedOut(params: DoParams, call: Call): Promise<PropagateReport> {
    const { withTask } = await import('./task-in-words.js');
    const done = await this.plans.carryOut(params, (plan, texts) => this.edited(plan, texts, call), call);
    const run = done.run ?? (await this.edited({ instruction: done.report.request, seeds: [] }, new Map(), call));
    return this.runs.finished(withTask(run, done.report), params.apply === true);
  }

  /** The edits that follow from seeds, with new texts in the tree already. */
  private async edited(
    plan: PropagateParams,
    texts: ReadonlyMap<string, string>,
    call: Call,
    known?: Asked['known'],
  ): Promise<Run> {
    const { grammars, search } = this.parts;
    const now = this.trees.current();
    const after = texts.size === 0 ? now : await inTurns(now.withInTurns(texts, grammars), call.signal);
    const trees: TreePair = {
      before: now,
      after,
      present: texts.size === 0 ? 'after' : 'before',
      name: 'now',
      renames: new Map(),
      problems: this.trees.problems(),
      search,
    };
    const written = [...texts].map(([file, after]) => ({ file, before: now.text(file) ?? null, after }));
    return this.planned(trees, plan, call, known, written);
  }

  /** All that follows between two trees; `known`: answers of a run that this one goes on with. */
  private async planned(
    trees: TreePair,
    params: PropagateParams,
    call: Call,
    known: Asked['known'] = new Map(),
    written: readonly WrittenFile[] = [],
  ): Promise<Run> {
    const { effects, grammars, search } = this.parts;
    const { propagation } = await import('./propagation.js');
    return propagation({
      id: randomUUID().slice(0, 8),
      trees,
      params,
      effects,
      grammars,
      search,
      call,
      known,
      written,
    });
  }

  private async prompt(params: PromptParams, call: Call): Promise<PromptReport> {
    const { promptOfStep } = await import('./prompt-of-step.js');
    return promptOfStep(await this.trees.around(params, call), params, this.parts.effects, this.parts.grammars, call);
  }

  private async api({ revision }: ApiParams, call: Call): Promise<ApiDescriptor> {
    const { effects, grammars } = this.parts;
    const { apiDocument } = await import('./api-document.js');
    const tree = revision === undefined ? undefined : (await this.trees.around({ base: revision }, call)).before;
    const { problems } = await this.question(call);
    return apiDocument(tree ?? this.trees.current(), effects.manifest, problems, grammars, call.signal);
  }

  /** Calls a repository tool. What is wrong with its arguments is told in the answer. */
  private async tool(params: ToolParams, call: Call): Promise<ToolReport> {
    const { toolDocument } = await import('./tool-document.js');
    const { withheld } = this.parts.effects;
    const tree = await this.treeNow(call);
    return inTurns(toolDocument(tree, this.parts.search, this.parts.grammars, withheld, params), call.signal);
  }

  /** The tree as this client sees it now, unsaved texts included. */
  private async treeNow(call: Call): Promise<WorkingTree> {
    await this.parts.effects.refresh(call.signal, (message, fraction) => call.progress(message, fraction));
    return this.trees.current();
  }

  /** What a question about the graph is answered from: the tree as this client sees it, unsaved texts included. */
  private async question(call: Call): Promise<GraphQuestion> {
    await this.parts.effects.refresh(call.signal, (message, fraction) => call.progress(message, fraction));
    return {
      resolver: this.trees.current().resolver,
      problems: this.trees.problems(),
      signal: call.signal,
      confirmation: undefined,
    };
  }

  /** With a language server for as long as the answer takes, where one is asked for. */
  private async confirming<T>(
    isAsked: boolean | undefined,
    call: Call,
    answer: (question: GraphQuestion) => Promise<T>,
  ): Promise<T> {
    const question = await this.question(call);
    if (isAsked !== true) return answer(question);
    const { effects, host, client } = this.parts;
    const tree = this.trees.current();
    const confirmation = new Confirmation({
      resolver: question.resolver,
      text: (file) => tree.text(file),
      unsaved: client === undefined ? [] : host.overlayPaths(client),
      start: (language, signal) => effects.languageServer(language, signal),
      signal: call.signal,
    });
    try {
      return await answer({ ...question, confirmation });
    } finally {
      await confirmation.close();
    }
  }

  private async take({ id }: TakeParams, call: Call): Promise<TakeReport> {
    const report = await this.desk.take(id, call);
    this.runs.keepMade(this.runs.run(report.run));
    return report;
  }
}

/** What the person gave before counts, unless this request says otherwise. */
const withDecisions = (
  { values, accept }: PropagateParams,
  decisions: Decisions,
): Pick<PropagateParams, 'values' | 'accept'> => ({
  values: { ...decisions.values, ...values },
  accept: [...new Set([...decisions.accepted, ...(accept ?? [])])],
});

/** New code that a run wrote before it stopped. Throws ServiceError: settings, where its file was edited since. */
function writtenBefore({ run, written }: RunNote, tree: WorkingTree): ReadonlyMap<string, string> {
  const moved = written.filter(({ file, before }) => (tree.text(file) ?? null) !== before).map(({ file }) => file);
  if (moved.length > 0)
    throw new ServiceError(
      'settings',
      `run ${run} wrote new code in ${moved.map(shownName).join(', ')}, edited since: take these edits back to go on ` +
        'with it, or begin anew',
    );
  return new Map(written.map(({ file, after }) => [file, after]));
}

/** What was left out once stays so in a later plan. */
function withoutRejected(run: Run, rejected: readonly Rejected[]): Run {
  const ids = run.report.steps.filter((step) => isRejected(step, rejected)).map(({ id }) => id);
  return ids.length === 0 ? run : { ...run, report: { ...run.report, steps: reviewed(run, { reject: ids }) } };
}
