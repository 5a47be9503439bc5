/**
 * From a choice (`none`, `openai`, `chat`, `completions`, `fill-in`, `replay:<directory>`, or several) to an edit
 * model.
 *
 * Without a choice the configured endpoint is asked, and where none is configured, nobody. A
 * replay reads the target tree once and answers from its blocks.
 */
import { statSync } from 'node:fs';
import type { ModelSection } from '#protocol/configuration.js';
import type { Withheld } from '../../context/no-send.js';
import { chainOf } from '../../edit/model/chain.js';
import type { EditModel } from '../../edit/model/edit-model.js';
import { replayOf, type TargetFile } from '../../edit/model/replay.js';
import { withholding } from '../../edit/model/withholding.js';
import { ServiceError } from '../../engine/service.js';
import { summarise } from '../../languages/summarise.js';
import type { Grammars } from '../../syntax/grammar.js';
import { endpointOfRole } from './model-roles.js';
import type { Permits } from '../settings/secret-permits.js';
import { sourceBytes } from '../disk/repository-file.js';
import { rootOf } from '../disk/root.js';
import { scan } from '../index/scan.js';
import { decodeSource } from '../disk/source-text.js';

export interface ModelSources {
  readonly section: ModelSection;
  /** Files whose text stays here. */
  readonly withheld: Withheld;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly grammars: Grammars;
  /** What the person lets be sent although it looks like a secret. */
  readonly permits?: Permits;
}

/** Several choices stand with commas between. Throws ServiceError: settings, when the choice cannot be had. */
export async function modelOfChoice(choice: string | undefined, sources: ModelSources): Promise<EditModel | undefined> {
  if (choice === 'none') return undefined;
  if (choice === undefined) return endpointOf('openai', sources, false);
  const replay = choice.startsWith(REPLAY) ? 0 : choice.indexOf(`,${REPLAY}`) + 1;
  const hasReplay = choice.startsWith(REPLAY) || replay > 0;
  const names = (hasReplay ? choice.slice(0, replay) : choice).split(',').filter((name) => name !== '');
  const models: EditModel[] = [];
  for (const name of names)
    models.push(...[await endpointOf(name, sources, true)].filter((model) => model !== undefined));
  if (hasReplay)
    models.push(
      replayOf({
        targets: await targetFiles(choice.slice(replay + REPLAY.length), sources.grammars),
        summarise: (file, text) => summarise(sources.grammars, file, text),
      }),
    );
  const [first, ...others] = models;
  return first === undefined || others.length === 0 ? first : chainOf([first, ...others]);
}

const REPLAY = 'replay:';

/** Undefined where no endpoint is configured and none was asked for. */
async function endpointOf(
  form: string,
  { section, environment, withheld, permits }: ModelSources,
  isWanted: boolean,
): Promise<EditModel | undefined> {
  const own = form === 'fill-in' ? section.fillIn : undefined;
  // The environment comes before the files: it is the person's own. What the files say of this form alone comes before
  // both.
  const { roles: _roles, ...withoutRoles } = section;
  const settings = endpointOfRole('edit', {
    section: own === undefined ? section : withoutRoles,
    environment: {
      ...environment,
      ...(own?.baseUrl === undefined ? {} : { CODEPLAN_BASE_URL: own.baseUrl }),
      ...(own?.model === undefined ? {} : { CODEPLAN_MODEL: own.model }),
    },
  });
  if (!settings.ok) {
    if (!isWanted) return undefined;
    throw new ServiceError('settings', `cannot ask the model: ${settings.message}`);
  }
  const endpoint = { ...settings.settings, ...(permits === undefined ? {} : { permits }) };
  const api = form === 'openai' ? (section.api ?? 'chat') : form;
  // The client library is loaded only for whom it serves: it would take a tenth of a restart.
  if (api === 'chat') return withholding((await import('./model-endpoint.js')).chatModel(endpoint), withheld);
  const { completionsModel, fillInModel } = await import('./completions-endpoint.js');
  return withholding(api === 'fill-in' ? fillInModel(endpoint) : completionsModel(endpoint), withheld);
}

/** Every source file below a directory. */
async function targetFiles(directory: string, grammars: Grammars): Promise<ReadonlyMap<string, TargetFile>> {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new ServiceError(
      'settings',
      `cannot replay from ${directory}: it is no directory; give the target tree as --model replay:<directory>`,
    );
  const root = rootOf(directory);
  const { sources } = await scan(root, { exclude: [], signal: new AbortController().signal });
  const files = new Map<string, TargetFile>();
  for (const { path } of sources) {
    const bytes = sourceBytes(root, path);
    const source = bytes === undefined ? undefined : decodeSource(bytes);
    if (source?.ok !== true) continue;
    const summary = summarise(grammars, path, source.text);
    if (summary !== undefined) files.set(path, { text: source.text, summary });
  }
  return files;
}
