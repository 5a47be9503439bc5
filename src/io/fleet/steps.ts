/**
 * The steps of a repository's job: look, plan, commit, propose, watch. Each gives an outcome that follows from its
 * input, is kept before it is told, and is not done again; a process may end at any moment and another begin anew.
 *
 * A repository's content is untrusted: it is read, and planned on in a folder of our own. The one thing that goes back
 * to where it came from is our branch, and only where the person asked for that.
 */
import type { ApiDescriptor, ChangeFile } from '#protocol/api.js';
import type { PropagateReport } from '#protocol/propagate.js';
import { canonicalName } from '../../api/dependencies/dependency.js';
import { dependenciesIn } from '../../api/dependencies/read.js';
import { dependenceOf, usesOf, type ChangedPackage } from '../../api/dependence.js';
import { publishedIn } from '../../api/manifests.js';
import { branchOf } from '../../fleet/campaign.js';
import type { Outcome, OutcomeOf, Step } from '../../fleet/event.js';
import { readChangeFile } from '../disk/change-file.js';
import { manifestTexts } from '../index/manifest-texts.js';
import { StepFailed, type Job, type JobReport } from './job.js';
import { joinedChange } from './joined-change.js';
import { filled, runCommand } from './person-command.js';
import { planVerdict } from './plan-verdict.js';
import { proposalText } from './proposal-text.js';
import { slugOf } from './repository-list.js';
import { isFolder, type Workshop } from './workshop.js';

/** What plans and describes, in a folder of ours. */
export interface StepEngine {
  /** Plans what follows a change file and writes it. */
  plan(root: string, change: string, job: Job): Promise<PropagateReport>;
  api(root: string): Promise<ApiDescriptor>;
  difference(from: ApiDescriptor, to: ApiDescriptor): Promise<ChangeFile>;
}

export interface StepPlace {
  readonly workshop: Workshop;
  readonly engine: StepEngine;
  readonly changePath: (digest: string) => string;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

type Done<S extends Step> = OutcomeOf<S> | { readonly outcome: OutcomeOf<S>; readonly changeText: string };

const STEPS: { readonly [S in Step]: (job: Job, place: StepPlace) => Promise<Done<S>> } = {
  look,
  plan,
  commit,
  propose,
  watch,
};

/** Tells what came of each step, as soon as it is kept. Rejects only when `signal` aborts. */
export async function runSteps(job: Job, place: StepPlace, tell: (report: JobReport) => void): Promise<void> {
  for (const step of job.steps) {
    const kept = place.workshop.done(step, job.input);
    if (kept !== undefined) {
      tell(kept);
      continue;
    }
    try {
      const done = await STEPS[step](job, place);
      const report: JobReport = 'outcome' in done ? { kind: 'outcome', ...done } : { kind: 'outcome', outcome: done };
      place.workshop.keepDone(step, report);
      tell(report);
    } catch (error) {
      place.signal.throwIfAborted();
      const reason = error instanceof Error && error.message !== '' ? error.message : String(error);
      // What the engine refuses it would refuse again.
      tell({ kind: 'failed', step, reason, isFinal: error instanceof StepFailed ? error.isFinal : true });
      return;
    }
  }
}

const packagesOf = (job: Job): ChangedPackage[] => job.packages as ChangedPackage[];

async function look(job: Job, { workshop, signal }: StepPlace): Promise<OutcomeOf<'look'>> {
  const isDirty = await workshop.isDirty(job.repository);
  const { commit: base, branch: baseBranch } = await workshop.fetch(job.repository);
  await workshop.checkOut(base);
  const texts = await manifestTexts(workshop.tree, { exclude: [], signal });
  const packages = packagesOf(job);
  const ecosystems = new Set(packages.map(({ ecosystem }) => ecosystem));
  const uses = dependenciesIn(texts, ecosystems).filter(({ kind }) => kind === 'declared');
  const said = dependenceOf(usesOf(texts, packages));
  // Scripts without a manifest can use anything.
  const isSilent = said.dependence === 'none' && uses.length === 0 && !hasManifest(texts, ecosystems);
  return {
    step: 'look',
    input: job.input,
    base,
    baseBranch,
    ...(isSilent ? { dependence: 'unknown', reason: 'no manifest says what it uses' } : said),
    publishes: publishedIn(texts).map(({ ecosystem, name }) => `${ecosystem} ${canonicalName(ecosystem, name)}`),
    uses: [...new Set(uses.map(({ ecosystem, name }) => `${ecosystem} ${name}`))].sort(),
    isDirty,
  };
}

const hasManifest = (texts: ReadonlyMap<string, string>, ecosystems: ReadonlySet<string>): boolean =>
  publishedIn(texts).some(({ ecosystem }) => ecosystems.has(ecosystem));

async function plan(job: Job, place: StepPlace): Promise<Done<'plan'>> {
  const { workshop, engine } = place;
  const { base } = earlier(job, 'look');
  await workshop.bring(job.repository, base);
  await workshop.checkOut(base);
  const before = job.isLibrary ? await engine.api(workshop.tree) : undefined;
  const { made, reports, known } = await followed(job, place, job.input);
  const files = made === undefined ? [] : await workshop.filesBetween(base, made);
  const verdict = planVerdict(reports, known, made !== undefined);
  const change = before === undefined ? undefined : await ownChange(before, known, place);
  const outcome: OutcomeOf<'plan'> = {
    step: 'plan',
    input: job.input,
    ...verdict,
    files,
    ...(made === undefined ? {} : { commit: made }),
    ...(change === undefined ? {} : { change: change.digest }),
  };
  return change === undefined ? outcome : { outcome, changeText: change.text };
}

/** Follows each change in the tree as it lies there, and commits what came of that. */
async function followed(
  job: Job,
  { workshop, engine, changePath }: StepPlace,
  input: string,
): Promise<{ readonly made: string | undefined; readonly reports: PropagateReport[]; readonly known: ChangeFile[] }> {
  const reports: PropagateReport[] = [];
  const known: ChangeFile[] = [];
  for (const digest of job.changes) {
    known.push(readChangeFile(changePath(digest)));
    reports.push(await engine.plan(workshop.tree, changePath(digest), job));
  }
  const { base } = earlier(job, 'look');
  return { made: await workshop.commit(base, messageOf(job, input), job.settings.author), reports, known };
}

/** The planned commit, here: where another worker planned it, it is made again, and the same input gives the same. */
async function plannedHere(job: Job, place: StepPlace): Promise<string> {
  const { workshop } = place;
  const planned = earlier(job, 'plan');
  if (planned.commit === undefined) throw new StepFailed('there is no commit to give a branch to', true);
  if (await workshop.has(planned.commit)) return planned.commit;
  const { base } = earlier(job, 'look');
  await workshop.bring(job.repository, base);
  await workshop.checkOut(base);
  const { made } = await followed(job, place, planned.input);
  if (made !== planned.commit)
    throw new StepFailed('planned again on another machine it came out otherwise; retry plans it anew', true);
  return made;
}

/** What its users have to follow in their turn: also what it changes in nothing, and hands on or gives out. */
async function ownChange(
  before: ApiDescriptor,
  followed: readonly ChangeFile[],
  { engine, workshop }: StepPlace,
): Promise<{ readonly digest: string; readonly text: string }> {
  const { digestOfText } = await import('../settings/trust.js');
  const change = await engine.difference(before, await engine.api(workshop.tree));
  // It is not published yet, so no manifest can follow it.
  const packages = change.packages.map(({ to: _to, ...rest }) => rest);
  const text = JSON.stringify(joinedChange({ ...change, packages }, followed));
  return { digest: digestOfText(text), text };
}

const messageOf = ({ settings: { title }, campaign }: Job, input: string): string =>
  `${title}\n\nMade by codeplan.\n\nCodeplan-Campaign: ${campaign}\nCodeplan-Input: ${input}`;

async function commit(job: Job, place: StepPlace): Promise<OutcomeOf<'commit'>> {
  const { workshop } = place;
  const planned = await plannedHere(job, place);
  const branch = branchOf(job.campaign);
  const tip = await workshop.tip(branch);
  const common = { step: 'commit', input: job.input, commit: planned, place: workshop.git } as const;
  if (isOthers(job, tip)) return { ...common, verdict: 'taken-over', reason: takenOver(branch) };
  if (tip !== planned) await workshop.setBranch(branch, planned, tip);
  return { ...common, verdict: 'ready', reason: earlier(job, 'plan').reason };
}

const isOthers = ({ made }: Job, tip: string | undefined): boolean => tip !== undefined && !made.includes(tip);
const takenOver = (branch: string): string => `${branch} holds commits of somebody else: taken over by a person`;

async function propose(job: Job, place: StepPlace): Promise<OutcomeOf<'propose'>> {
  const { workshop } = place;
  const { commit: made } = earlier(job, 'commit');
  const branch = branchOf(job.campaign);
  const common = { step: 'propose', input: job.input } as const;
  const tip = await workshop.tipAt(job.repository, branch);
  if (isOthers(job, tip)) return { ...common, verdict: 'taken-over', reason: takenOver(branch) };
  if (tip !== made) await workshop.push(job.repository, branch, await plannedHere(job, place), tip);
  const { propose: command } = job.settings;
  if (command === null) return { ...common, verdict: 'pushed', reason: `${branch} is pushed` };
  const there = await lookedUp(job, place);
  if (there !== undefined && there.verdict !== 'withdrawn')
    return { ...common, verdict: 'proposed', reason: 'it is proposed', ...addressIn(there.said) };
  // Between the command and our note of it a process may end: then nobody here knows whether it was made.
  if (workshop.isProposing() && job.settings.lookUp === null)
    return {
      ...common,
      verdict: 'unclear',
      reason: 'a process ended while it proposed; see whether there is a proposal, then retry or leave it',
    };
  workshop.noteProposing(made);
  const said = await runCommand(filled(command, placeholders(job, place)), {
    directory: workshop.folder,
    environment: place.environment,
    signal: place.signal,
  });
  if (!said.ok) {
    workshop.forgetProposing();
    throw new StepFailed(said.reason, false);
  }
  return { ...common, verdict: 'proposed', reason: 'it is proposed', ...addressIn(said.stdout) };
}

function addressIn(text: string): { readonly address?: string } {
  const address = /https?:\/\/\S+/u.exec(text)?.[0] ?? text.trim().split('\n').at(-1)?.trim();
  return address === undefined || address === '' ? {} : { address };
}

async function watch(job: Job, place: StepPlace): Promise<OutcomeOf<'watch'>> {
  const common = { step: 'watch', input: job.input } as const;
  const { commit: made } = earlier(job, 'commit');
  const there = await lookedUp(job, place);
  if (there !== undefined) return { ...common, verdict: there.verdict, reason: `its proposal is ${there.verdict}` };
  const isMerged = await place.workshop.isMerged(job.repository, made);
  return isMerged
    ? { ...common, verdict: 'merged', reason: 'its branch is merged' }
    : { ...common, verdict: 'open', reason: 'its branch is not merged yet' };
}

/** What the person's command says of a proposal; undefined where it says nothing, or there is no command. */
async function lookedUp(
  job: Job,
  place: StepPlace,
): Promise<{ readonly verdict: OutcomeOf<'watch'>['verdict']; readonly said: string } | undefined> {
  if (job.settings.lookUp === null) return undefined;
  const said = await runCommand(filled(job.settings.lookUp, placeholders(job, place)), {
    directory: place.workshop.folder,
    environment: place.environment,
    signal: place.signal,
  });
  if (!said.ok || said.stdout.trim() === '') return undefined;
  const text = said.stdout;
  const verdict = /\bmerged\b/iu.test(text) ? 'merged' : /\b(?:closed|withdrawn)\b/iu.test(text) ? 'withdrawn' : 'open';
  return { verdict, said: text };
}

function placeholders(job: Job, { workshop }: StepPlace): Readonly<Record<string, string>> {
  const { repository, settings } = job;
  const body = workshop.proposalFile(proposalText(job.settings.title, earlier(job, 'plan')));
  return {
    repository: repository.source,
    slug: isFolder(repository.source) ? repository.key : slugOf(repository.source),
    key: repository.key,
    owner: repository.owner,
    branch: branchOf(job.campaign),
    base: earlier(job, 'look').baseBranch,
    commit: earlier(job, 'plan').commit ?? '',
    title: settings.title,
    body,
  };
}

function earlier<S extends Step>(job: Job, step: S): OutcomeOf<S> {
  const found = job.earlier.find((each: Outcome): each is OutcomeOf<S> => each.step === step);
  if (found === undefined) throw new StepFailed(`the job does not say what came of ${step}`, true);
  return found;
}
