/**
 * `codeplan plan "<request>"`: steps for a request in words, with the symbols that could carry each out.
 *
 * Without a request it is `codeplan propagate`: the plan of the edits that were made. An interruption ends a search
 * with what is best so far.
 */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { GivenStep, PlanCodeReport, PlanSearchReport, PromptStyle } from '#protocol/plan-search.js';
import type { Call, Service } from '../engine/service.js';
import { ServiceError } from '../engine/service.js';
import { readGivenFile } from '../io/disk/given-file.js';
import { PROMPT_STYLES } from '../search/plan-prompt.js';
import { wholeNumber, withCommonFlags } from './common-flags.js';
import { planMarkdown, planSearchLines, stepLines } from './plan-search-text.js';
import { writeLines } from './print.js';
import { questionLines } from './question-text.js';
import { propagate, withPropagateOptions, type PropagateFlags } from './propagate.js';
import { SEARCH_OPTIONS } from '../search/search-settings.js';
import { searchOptionsOf, withSearchOptions, type SearchFlags } from './search-flags.js';
import { withService, type CommandContext } from './with-service.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface PlanFlags extends PropagateFlags, SearchFlags {
  readonly plan?: string;
  readonly plans?: number;
  readonly markdown?: boolean;
  readonly toPrompt?: PromptStyle;
  readonly promptTokens?: number;
  readonly codegen?: number;
  readonly trace?: boolean;
  readonly prompt?: boolean;
}

/** Best and runners-up that are shown. */
const PLANS = 4;
/** What a plan for a request shares with one of edits. */
const SHARED: ReadonlySet<string> = new Set(
  'root json daemon config quiet maxCalls maxTokens maxCost maxSeconds'.split(' '),
);
const OF_SEARCH: ReadonlySet<string> = new Set(SEARCH_OPTIONS);
const OWN: ReadonlySet<string> = new Set([
  ...OF_SEARCH,
  ...'plan plans markdown toPrompt promptTokens codegen trace prompt'.split(' '),
]);

export function addPlan(program: Command, world: World, finish: (code: ExitCode) => void): void {
  const command = withCommonFlags(
    program
      .command('plan')
      .argument('[request]', 'what is wanted, in plain words; without it: what follows from your edits')
      .description('find the steps that a request takes, with the symbols for each; or plan what follows from edits'),
  );
  withSearchOptions(withPropagateOptions(command))
    .option('--plan <file>', 'go on with this plan, which --markdown wrote and you may have edited')
    .option('--plans <n>', `how many plans to show, the best and runners-up (default: ${PLANS})`, wholeNumber(1))
    .option('--markdown', 'print the plans as Markdown, to be edited and given back with --plan')
    .addOption(
      new Option(
        '--to-prompt <style>',
        'print the text that stands for the repository in front of the request',
      ).choices(PROMPT_STYLES),
    )
    .option('--prompt-tokens <n>', 'most tokens of that text with --mode full (default: 120000)', wholeNumber(100))
    .option('--codegen <n>', 'have the model write code from the best plan, so many times', wholeNumber(1))
    .option('--trace', 'give every plan of the search in the document of --json')
    .option('--prompt', 'print the first question of the search with its tokens by part, and send nothing')
    .addHelpText(
      'after',
      '\nExit codes with a request: 0 there is a plan, 1 there is none that fits or the search was cut ' +
        'short, 2 failure, 130 interrupted.',
    )
    .action(async (request: string | undefined, flags: PlanFlags) => {
      const isRequest = request !== undefined || flags.plan !== undefined;
      refuseStrangers(command, isRequest, flags.task !== undefined);
      finish(await (isRequest ? planned(request, flags, world) : propagate(flags, world)));
    });
}

/** Options of the other meaning of the command would be passed over in silence. */
function refuseStrangers(command: Command, isRequest: boolean, isTask: boolean): void {
  for (const option of command.options) {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== 'cli' || SHARED.has(name) || OWN.has(name) === isRequest) continue;
    if (isTask && OF_SEARCH.has(name)) continue;
    throw new ServiceError(
      'settings',
      isRequest
        ? `${option.long ?? option.flags} is about edits, and a plan for a request makes none: use codeplan ` +
            'do, or leave the request out'
        : `${option.long ?? option.flags} is about a plan for a request: give one in quotes, or a task with --task`,
    );
  }
}

function planned(request: string | undefined, flags: PlanFlags, world: World): Promise<ExitCode> {
  return withService('plan', flags, world, async (context) => {
    const { plan } = flags;
    if (plan !== undefined)
      return fromFile(readPlanFile(resolve(world.workingDirectory, plan)), request, flags, context, world);
    const wanted = request ?? '';
    const report = await searched(wanted, flags, context, world);
    const best = report.plans[0];
    const code =
      flags.codegen === undefined || best === undefined
        ? undefined
        : await context.service.ask(
            'codeplan/planCode',
            codeParams(wanted, best.steps.map(givenStep), flags),
            context.call,
          );
    show(code === undefined ? report : { ...report, code: withoutSchema(code) }, flags, context, world);
    if (world.signal.aborted) return EXIT.interrupted;
    return codeOf(report);
  });
}

/** The search of a name of its own, so that an interruption ends it with what is best so far. */
export async function searched(
  request: string,
  flags: SearchFlags & Pick<PlanFlags, 'plans' | 'toPrompt' | 'promptTokens' | 'trace' | 'prompt'>,
  { service, call }: CommandContext,
  world: World,
): Promise<PlanSearchReport> {
  const search = randomUUID();
  const isBare = flags.mode === 'full' || flags.mode === 'instruction';
  const prompt = flags.toPrompt ?? (isBare ? 'full' : undefined);
  return endingWell(service, search, call, world, (own) =>
    service.ask(
      'codeplan/planSearch',
      {
        request,
        ...searchOptionsOf(flags),
        plans: flags.plans ?? PLANS,
        ...(prompt === undefined ? {} : { prompt }),
        ...(flags.promptTokens === undefined ? {} : { promptTokens: flags.promptTokens }),
        ...(flags.trace === undefined ? {} : { trace: flags.trace }),
        ...(flags.prompt === undefined ? {} : { preview: flags.prompt }),
        search,
      },
      own,
    ),
  );
}

export async function endingWell<T>(
  service: Service,
  search: string,
  call: Call,
  { signal }: World,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const end = (): void => {
    const never = new AbortController().signal;
    service
      .ask('codeplan/planStop', { search }, { signal: never, progress: () => undefined })
      .then(({ stopped }) => {
        // Nothing is searched yet, or any more.
        if (!stopped) own.abort(signal.reason);
      })
      .catch(() => own.abort(signal.reason));
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    signal.throwIfAborted();
    return await work({ ...call, signal: own.signal });
  } finally {
    signal.removeEventListener('abort', end);
  }
}

export function codeOf({ stop, message, plans, mode, question }: PlanSearchReport): ExitCode {
  if (mode === 'full' || mode === 'instruction' || question !== undefined) return EXIT.done;
  if (plans.length === 0) return stop === 'modelFailure' ? EXIT.failed : EXIT.open;
  const isCut = stop === 'modelFailure' || message !== undefined;
  return isCut || plans[0]?.steps.every(({ symbols }) => symbols.length === 0) === true ? EXIT.open : EXIT.done;
}

function show(report: PlanSearchReport, flags: PlanFlags, { print }: CommandContext, world: World): void {
  if (flags.json === true) print.json(report);
  else if (report.question !== undefined) for (const line of questionLines(report.question)) print.line(line);
  else if (report.prompt !== undefined) writeLines(world.stdout, `${report.prompt.text}\n`);
  else if (flags.markdown === true) writeLines(world.stdout, planMarkdown(report));
  else for (const line of planSearchLines(report, print.paint)) print.line(line);
  const { message, notes, code, prompt } = report;
  if (flags.json !== true && (prompt !== undefined || flags.markdown === true))
    for (const note of [...notes, ...(message === undefined ? [] : [message])]) print.note(note);
  if (flags.json !== true) showCode(code?.samples ?? [], world);
}

function showCode(samples: readonly { readonly code: string }[], world: World): void {
  samples.forEach(({ code }, at) => writeLines(world.stdout, `\n# Answer ${at + 1}\n\n${code}\n`));
}

async function fromFile(
  text: string,
  request: string | undefined,
  flags: PlanFlags,
  { service, call, print }: CommandContext,
  world: World,
): Promise<ExitCode> {
  const plan = await service.ask(
    'codeplan/planRead',
    {
      text,
      ...(request === undefined ? {} : { request }),
      ...(flags.symbols === undefined ? {} : { symbols: flags.symbols }),
      ...(flags.exclude === undefined ? {} : { exclude: [...flags.exclude] }),
    },
    call,
  );
  for (const note of plan.notes) print.note(note);
  const steps = plan.steps.map(givenStep);
  if (flags.codegen !== undefined) {
    const written = await service.ask('codeplan/planCode', codeParams(plan.request, steps, flags), call);
    if (flags.json === true) print.json(written);
    else showCode(written.samples, world);
  } else if (flags.toPrompt !== undefined) {
    const prompt = await service.ask(
      'codeplan/planPrompt',
      { request: plan.request, steps, style: flags.toPrompt },
      call,
    );
    if (flags.json === true) print.json(prompt);
    else writeLines(world.stdout, `${prompt.text}\n`);
  } else if (flags.json === true) print.json(plan);
  else if (flags.markdown === true) writeLines(world.stdout, plan.text);
  else for (const line of stepLines(plan.steps, print.paint)) print.line(line);
  return plan.notes.length > 0 || plan.steps.every(({ symbols }) => symbols.length === 0) ? EXIT.open : EXIT.done;
}

export const givenStep = ({ intent, symbols }: PlanSearchReport['plans'][number]['steps'][number]): GivenStep => ({
  intent,
  symbols: symbols.map(({ file, block }) => `${file}:${block}`),
});

const withoutSchema = ({ schema: _schema, ...rest }: PlanCodeReport): NonNullable<PlanSearchReport['code']> => rest;

const codeParams = (
  request: string,
  steps: GivenStep[],
  { codegen = 1, toPrompt, temperature }: PlanFlags,
): { request: string; steps: GivenStep[]; n: number; style?: PromptStyle; temperature?: number } => ({
  request,
  steps,
  n: codegen,
  ...(toPrompt === undefined ? {} : { style: toPrompt }),
  ...(temperature === undefined ? {} : { temperature }),
});

/** Throws ServiceError: settings. */
/** Longer plans are refused by the protocol. */
const PLAN_BYTES_MOST = 1_000_000;

export function readPlanFile(path: string): string {
  return readGivenFile(path, 'the plan', PLAN_BYTES_MOST);
}
