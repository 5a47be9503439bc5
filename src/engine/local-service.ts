/**
 * The service in process: one client's view of the host, with the effects of io/ behind it.
 *
 * Runs are kept in memory under their names until the session ends, so that `execute` can apply
 * what was shown. Nothing is written but through `effects.apply`. What plans and asks models is loaded
 * when somebody wants it: most starts are for questions, which should not wait for it.
 */
import { randomUUID } from 'node:crypto';
import type { ApiDescriptor, ApiParams } from '#protocol/api.js';
import type { ParamsOf, ResultOf } from '#protocol/methods.js';
import type { QuestionName } from '#protocol/names.js';
import type { DoParams, DoReport } from '#protocol/do.js';
import type { GenerateParams, GenerateReport } from '#protocol/generate.js';
import type { ImpactParams, ImpactReport } from '#protocol/impact.js';
import type { LeftReport, TakeParams, TakeReport } from '#protocol/left.js';
import type {
  ExecuteParams,
  ExecuteReport,
  PropagateParams,
  PropagateReport,
  ReviewParams,
  ReviewReport,
} from '#protocol/propagate.js';
import type { MentionEntry } from '#protocol/mentions.js';
import type { StepStatus } from '#protocol/words.js';
import type { PromptParams, PromptReport } from '#protocol/prompt.js';
import type { RefactorParams } from '#protocol/refactor.js';
import type { Status } from '#protocol/status.js';
import type { GroundParams, GroundReport, ToolParams, ToolReport } from '#protocol/tools.js';
import type { UndoParams, UndoReport } from '#protocol/undo.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { shownName } from '../base/shown.js';
import { inTurns, type Turns } from '../base/turns.js';
import type { Edit } from '../change/edit.js';
import { foundOn } from '../impact/finders.js';
import { DEPTH_MOST } from '../impact/forecast.js';
import { impactOf, type Impact } from '../impact/impact.js';
import { questionAbout, type Question } from '../impact/question.js';
import type { Grammars } from '../syntax/grammar.js';
import { AskedAgain } from './asked-again.js';
import type { ClientId } from './event.js';
import { Confirmation } from './confirmation.js';
import { editInTurns } from './edit-between.js';
import type { Effects, RunNote, WrittenFile } from './effects.js';
import { callsDocument } from './graph-calls.js';
import { exportGraph } from './graph-export.js';
import { hierarchyDocument } from './graph-hierarchy.js';
import { refsDocument } from './graph-refs.js';
import { whyDocument } from './graph-why.js';
import type { GraphQuestion } from './graph-entries.js';
import type { Host } from './host.js';
import { impactNear, reachesFar } from './impact-near.js';
import { impactDocument } from './impact-document.js';
import { isRejected, type Decisions, type PlaceOfBlock, type Rejected } from './left.js';
import { LeftDesk } from './left-desk.js';
import { withoutMade } from './made-blocks.js';
import { PlanDesk } from './plan-desk.js';
import { usesOf } from '../api/dependence.js';
import { dependencyEntry, withManifests } from './manifest-follow.js';
import { namesBegun } from './names-begun.js';
import { planRows } from './plan-rows.js';
import { hunksLeftOut, partLeftIn, reviewed } from './review.js';
import type { Asked, Run, RunPart } from './propagation.js';
import { groundDocument } from './ground-document.js';
import { scipDocument } from './scip-document.js';
import type { SearchMemory } from './search-memory.js';
import { ServiceError, SETTLED_BASE, type Answers, type Call } from './service.js';
import { Trees, type TreePair } from './trees.js';
import type { WorkingTree } from './working-tree.js';

/** How often an answer is begun whose files are written meanwhile. */
const ATTEMPTS_MOST = 4;
/** Runs that a session remembers. */
const RUNS_MOST = 20;

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
const NO_IMPACT: Impact = { affected: [], undecided: [], unlisted: {} };

export class LocalService {
  private readonly trees: Trees;
  private readonly runs = new Map<string, Run>();
  private readonly desk: LeftDesk;
  private readonly plans: PlanDesk;
  private readonly lastImpact = new AskedAgain<ImpactReport>();
  private readonly answers: Answers = {
    'codeplan/status': () => Promise.resolve(this.parts.status()),
    'codeplan/impact': (params, call) => this.impact(params, call),
    'codeplan/plan': (params, call) => this.propagate(params, call),
    'codeplan/refactor': (params, call) => this.refactor(params, call),
    'codeplan/refactor/here': async (params) => {
      const { hereDocument } = await import('./refactor-here.js');
      return hereDocument(this.trees.current(), params);
    },
    'codeplan/review': (params) => Promise.resolve(this.review(params)),
    'codeplan/rows': ({ run }) => Promise.resolve(planRows(this.run(run))),
    'codeplan/execute': (params) => Promise.resolve(this.execute(params)),
    'codeplan/edits': (params) => Promise.resolve({ schema: SCHEMA_VERSION, edits: [...this.editsOf(params)] }),
    'codeplan/left': ({ plan, early }, call) =>
      plan === true ? this.desk.prepare(call) : early === true ? this.leftSoon(call) : this.desk.left(call),
    'codeplan/next': (params, call) => this.desk.next(params, call),
    'codeplan/take': (params, call) => this.take(params, call),
    'codeplan/decide': async (params, call) => ({
      schema: SCHEMA_VERSION,
      counts: (await this.desk.decide(params, call)).counts,
    }),
    'codeplan/prompt': (params, call) => this.prompt(params, call),
    'codeplan/generate': (params, call) => this.generate(params, call),
    'codeplan/undo': (params) => Promise.resolve(this.undo(params)),
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
    this.plans = new PlanDesk({ effects, memory: search, grammars, tree: (call) => this.treeNow(call) });
    this.desk = new LeftDesk({
      effects,
      current: () => this.trees.current(),
      baseline: () => host.baselineOf(client),
      impact: (call) => this.impact({ base: SETTLED_BASE }, call),
      plan: async (params, call) => this.run((await this.propagate(params, call)).run),
    });
  }

  async ask<M extends QuestionName>(method: M, params: ParamsOf<M>, call: Call): Promise<ResultOf<M>> {
    const answer: Answers[M] = this.answers[method];
    return answer(params, call);
  }

  private async ground(params: GroundParams, call: Call): Promise<GroundReport> {
    const { effects, search: memory } = this.parts;
    const tree = await this.treeNow(call);
    if (params.describe === undefined && params.vectors === undefined)
      return inTurns(groundDocument(tree, memory, params), call.signal);
    const { groundWithModels } = await import('./ground-with-models.js');
    return groundWithModels(params, { tree, memory, effects, call });
  }

  /** Again, where a file is written while it is being answered: nothing but time is lost by it. */
  private async impact(params: ImpactParams, call: Call): Promise<ImpactReport> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.impactOnce(params, call);
      } catch (error) {
        if (!(error instanceof ServiceError && error.kind === 'textMovedOn') || attempt === ATTEMPTS_MOST) throw error;
        this.parts.effects.lookAt(error.files);
      }
    }
  }

  /** What is left in the files that the client has open, where all of it takes long; else all of it. */
  private async leftSoon(call: Call): Promise<LeftReport> {
    const { host, client, effects } = this.parts;
    const trees = await this.trees.around({ base: SETTLED_BASE }, call);
    const files = new Set(client === undefined ? [] : host.overlayPaths(client));
    const { made } = effects.left.read();
    const from = this.impactFrom({ base: SETTLED_BASE }, trees);
    if (files.size === 0 || this.lastImpact.to(from) !== undefined) return this.desk.left(call);
    const whole = await inTurns(editInTurns(trees.before, trees.after, trees.renames), call.signal);
    if (!reachesFar(whole, trees)) return this.desk.left(call);
    const near = { trees, edit: withoutMade(whole, trees.after, made), files };
    const impact = await inTurns(impactNear(near), call.signal);
    const { before, after: tree, name: base, problems } = trees;
    const { matches, changes } = whole;
    const certainOnly = effects.configuration.strict;
    const { root } = effects;
    return this.desk.part(
      impactDocument({ root, base, before, tree, matches, changes, impact, problems, certainOnly }),
      { files: files.size, of: tree.snapshot.files.size },
    );
  }

  /** Of what an impact is found. */
  private impactFrom(params: ImpactParams, { before, after, name, renames, problems }: TreePair): readonly unknown[] {
    const { left, configuration } = this.parts.effects;
    const certainOnly = params.certain ?? configuration.strict;
    return [before, after, JSON.stringify([params, certainOnly, name, [...renames], problems, left.read().made])];
  }

  private async impactOnce(params: ImpactParams, call: Call): Promise<ImpactReport> {
    const trees = await this.trees.around(params, call);
    const { before, after, name, renames, problems } = trees;
    const { made } = this.parts.effects.left.read();
    const certainOnly = params.certain ?? this.parts.effects.configuration.strict;
    const from = this.impactFrom(params, trees);
    // What lies outside of the two trees may have changed since.
    const isOfTrees = params.mentions !== true && params.change === undefined;
    const known = isOfTrees ? this.lastImpact.to(from) : undefined;
    if (known !== undefined) return known;
    const whole = await inTurns(editInTurns(before, after, renames), call.signal);
    const edit = withoutMade(whole, after, made);
    const question: Question = {
      ...questionAbout({ before: before.resolver, after: after.resolver }, edit),
      profile: params.strict === true ? 'strict' : 'precise',
      depthMost: params.all === true ? DEPTH_MOST : (params.depth ?? 1),
    };
    const impact = await inTurns(
      (function* (): Turns<Impact> {
        if (trees.isClosed === true) return NO_IMPACT;
        const direct = yield* impactOf(question);
        const further = { ...question, known: direct.affected };
        const beside = yield* foundOn('beside', further);
        const later = yield* foundOn('forecast', further);
        return { ...direct, affected: [...direct.affected, ...beside, ...later] };
      })(),
      call.signal,
    );
    const isMentioned = params.mentions === true && trees.isClosed !== true;
    const mentions = isMentioned
      ? await this.mentionsOf(trees, edit, impact, call)
      : params.mentions === true
        ? []
        : undefined;
    const document = impactDocument({
      ...(mentions === undefined ? {} : { mentions }),
      root: this.parts.effects.root,
      base: name,
      before,
      tree: after,
      matches: edit.matches,
      changes: whole.changes,
      impact,
      problems,
      certainOnly,
    });
    if (isOfTrees) this.lastImpact.keep(from, document);
    const { change } = trees;
    if (change === undefined) return document;
    const uses = trees.uses ?? usesOf(await this.parts.effects.manifests(call.signal), change.packages);
    return {
      ...document,
      ...(trees.isClosed === true && change.changes.length > 0 ? { unused: change.changes.length } : {}),
      dependencies: uses.map(dependencyEntry),
    };
  }

  /** Where the names that an edit took away are mentioned outside of code. */
  private async mentionsOf(trees: TreePair, edit: Edit, { affected }: Impact, call: Call): Promise<MentionEntry[]> {
    const { changesSpokenOf, mentionEntries, mentionsOf, wantedNames } = await import('./mentions.js');
    const changes = changesSpokenOf(
      edit.changes,
      affected.flatMap(({ sites }) => sites.map(({ cause }) => cause)),
    );
    const found = await mentionsOf(wantedNames(trees, trees.after, changes), trees.after, this.parts.effects, call);
    return mentionEntries(
      found,
      changes.map(({ file }) => file),
    );
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
    if (note !== undefined) this.takeBack(note, params);
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
    if (params.apply === true || !isOfSession) return this.finished(run, params.apply === true);
    const kept = withoutRejected(run, left.read().rejected);
    this.remember(kept);
    return kept.report;
  }

  private async refactor(params: RefactorParams, call: Call): Promise<PropagateReport> {
    const { effects, grammars } = this.parts;
    await effects.refresh(call.signal, (message, fraction) => call.progress(message, fraction));
    if (params.sendAnyway !== undefined) effects.sendAnyway(params.sendAnyway);
    const { seedTrees, planParams, withSeed } = await import('./refactoring.js');
    const trees = seedTrees(this.trees.current(), params.refactoring, grammars, this.trees.problems());
    const run = await this.planned(trees, planParams(params, trees), call);
    return this.finished(withSeed(run, trees, params), params.apply === true);
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
    return { ...report, plan: this.finished(run, params.apply === true && isGood) };
  }

  private async carryOut(params: DoParams, call: Call): Promise<DoReport> {
    if (params.sendAnyway !== undefined) this.parts.effects.sendAnyway(params.sendAnyway);
    const { report, run } = await this.plans.carryOut(params, (plan, texts) => this.edited(plan, texts, call), call);
    if (run === undefined) return report;
    const edits = this.finished(run, params.apply === true);
    const { withTask } = await import('./task-in-words.js');
    // Whoever looks at the run's rows sees as well what became of the steps that no edit is of.
    this.remember(withTask({ ...run, report: edits }, report));
    return { ...report, edits };
  }

  /** A task in words that begins with nothing but its words. */
  private async taskCarriedOut(params: DoParams, call: Call): Promise<PropagateReport> {
    const { withTask } = await import('./task-in-words.js');
    const done = await this.plans.carryOut(params, (plan, texts) => this.edited(plan, texts, call), call);
    const run = done.run ?? (await this.edited({ instruction: done.report.request, seeds: [] }, new Map(), call));
    return this.finished(withTask(run, done.report), params.apply === true);
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

  /** Remembers a run, and writes it where that is asked for. */
  private finished(run: Run, isApplied: boolean): PropagateReport {
    this.remember(run);
    if (!isApplied) return run.report;
    const edits = run.edits;
    if (edits.length === 0) return run.report;
    this.parts.effects.apply(run.id, run.title, edits);
    this.keepMade(run);
    const applied: PropagateReport = {
      ...run.report,
      applied: true,
      undo: `codeplan undo ${run.id}`,
      steps: run.report.steps.map((step) =>
        step.status === 'proposed' ? { ...step, status: statusWhenWritten(run.report) } : step,
      ),
    };
    this.remember({ ...run, report: applied });
    return applied;
  }

  /**
   * A run is planned from the person's edits alone: what an earlier part of it wrote is undone before it is made again,
   * and more.
   */
  private takeBack({ run }: RunNote, params: PropagateParams): void {
    const isWritten = this.parts.effects
      .journal()
      .entries.some((entry) => entry.run === run && entry.state !== 'undone');
    if (!isWritten) return;
    if (params.apply !== true)
      throw new ServiceError(
        'settings',
        `the edits of run ${run} were written: give --apply to go on and write again, or take them back ` +
          `first with codeplan undo ${run}`,
      );
    this.parts.effects.undo(run);
  }

  private execute(params: ExecuteParams): ExecuteReport {
    const run = this.run(params.run);
    const { steps, edits } = this.chosen(run, params.steps);
    // Told from the texts that were planned on, which are others once it is written.
    const files = edits.length === 0 ? [] : this.parts.effects.apply(run.id, run.title, edits);
    if (files.length > 0) this.keepMade(run);
    // The oracle has judged all steps together, and says nothing of some of them.
    const isWhole = steps.size === run.report.steps.length && hunksLeftOut(run.report.steps).size === 0;
    const whenWritten = isWhole ? statusWhenWritten(run.report) : 'applied';
    const unwritten = (id: number): StepStatus => (params.steps?.includes(id) === false ? 'rejected' : 'blocked');
    return {
      schema: SCHEMA_VERSION,
      run: run.id,
      files: [...files],
      steps: run.report.steps.map(({ id, status }) => {
        if (status !== 'proposed' && status !== 'accepted') return { id, status };
        return { id, status: steps.has(id) ? whenWritten : unwritten(id) };
      }),
      ...(files.length > 0 ? { undo: `codeplan undo ${run.id}` } : {}),
    };
  }

  private review(params: ReviewParams): ReviewReport {
    const run = this.run(params.run);
    const steps = reviewed(run, params);
    this.remember({ ...run, report: { ...run.report, steps } });
    const { accept = [], reject = [], acceptHunks = [], rejectHunks = [] } = params;
    const named = new Set([...accept, ...reject, ...[...acceptHunks, ...rejectHunks].map(({ step }) => step)]);
    const places = steps
      .filter(({ id }) => named.has(id))
      .map(({ file, block, reason, status }) => ({ file, block, reason, isOut: status === 'rejected' }));
    const leftOut = places.filter(({ isOut }) => isOut).map(({ isOut: _, ...place }) => place);
    this.parts.effects.left.change((known) => ({
      ...known,
      rejected: [...known.rejected.filter((place) => !isAmong(place, places)), ...leftOut],
    }));
    return {
      schema: SCHEMA_VERSION,
      run: run.id,
      steps: steps.map(({ id, status, leftOut }) => ({ id, status, ...(leftOut === undefined ? {} : { leftOut }) })),
    };
  }

  private async prompt(params: PromptParams, call: Call): Promise<PromptReport> {
    const { promptOfStep } = await import('./prompt-of-step.js');
    return promptOfStep(await this.trees.around(params, call), params, this.parts.effects, this.parts.grammars, call);
  }

  private undo(params: UndoParams): UndoReport {
    const undone = this.parts.effects.undo(params.run);
    return { schema: SCHEMA_VERSION, run: undone.run, files: [...undone.files] };
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

  private editsOf({ run: id, steps }: ExecuteParams): RunPart['edits'] {
    const run = this.run(id);
    // Whether they were made is seen by the blocks' texts.
    this.keepMade(run);
    return this.chosen(run, steps).edits;
  }

  private async take({ id }: TakeParams, call: Call): Promise<TakeReport> {
    const report = await this.desk.take(id, call);
    this.keepMade(this.run(report.run));
    return report;
  }

  private keepMade({ made }: Run): void {
    if (made.length === 0) return;
    this.parts.effects.left.change((known) => ({
      ...known,
      made: [...known.made.filter((block) => !isAmong(block, made)), ...made],
    }));
  }

  private remember(run: Run): void {
    this.runs.delete(run.id);
    this.runs.set(run.id, run);
    for (const oldest of this.runs.keys()) {
      if (this.runs.size <= RUNS_MOST) break;
      this.runs.delete(oldest);
    }
  }

  private run(id: string): Run {
    const run = this.runs.get(id);
    if (run === undefined)
      throw new ServiceError(
        'unknownRun',
        `there is no run ${id} in this session; plan again and use the name that it gives`,
      );
    return run;
  }

  /** The edits of the steps named, else of all that the person has not left out. */
  private chosen(run: Run, steps: readonly number[] | undefined): RunPart {
    if (steps !== undefined) return run.partOf(new Set(steps), hunksLeftOut(run.report.steps));
    return run.report.steps.some(({ status, leftOut }) => status === 'rejected' || leftOut !== undefined)
      ? partLeftIn(run)
      : { steps: new Set(run.report.steps.map(({ id }) => id)), edits: run.edits };
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

const isAmong = (place: PlaceOfBlock, places: readonly PlaceOfBlock[]): boolean =>
  places.some(({ file, block }) => file === place.file && block === place.block);

/** What the oracle found nothing new in is not only written. */
function statusWhenWritten({ oracle }: PropagateReport): StepStatus {
  return oracle !== null && oracle.after !== null && oracle.new.length === 0 ? 'verified' : 'applied';
}
