/**
 * From a choice (`none`, `openai`, `replay:<directory>`) to an edit model.
 *
 * Without a choice the configured endpoint is asked, and where none is configured, nobody. A
 * replay reads the target tree once and answers from its blocks.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelSection } from '#protocol/configuration.js';
import type { Withheld } from '../context/no-send.js';
import type { EditModel } from '../edit/model/edit-model.js';
import { replayOf, type TargetFile } from '../edit/model/replay.js';
import { withholding } from '../edit/model/withholding.js';
import { ServiceError } from '../engine/service.js';
import { summarise } from '../languages/summarise.js';
import type { Grammars } from '../syntax/grammar.js';
import { settingsFromEnvironment } from './model-settings.js';
import { scan } from './scan.js';
import { decodeSource } from './source-text.js';

export interface ModelSources {
  readonly section: ModelSection;
  /** Files whose text stays here. */
  readonly withheld: Withheld;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly grammars: Grammars;
}

/** Throws ServiceError: settings, when the choice cannot be had. */
export async function modelOfChoice(choice: string | undefined, sources: ModelSources): Promise<EditModel | undefined> {
  if (choice === 'none') return undefined;
  if (choice?.startsWith('replay:') === true) return replayOf({ targets: await targetFiles(choice.slice('replay:'.length), sources.grammars), summarise: (file, text) => summarise(sources.grammars, file, text) });
  const { section } = sources;
  // The environment comes before the files: it is the person's own.
  const settings = settingsFromEnvironment({ ...environmentOf(section), ...given(sources.environment) });
  if (settings.ok) {
    const endpoint = { ...settings.settings, ...(section.streaming === undefined ? {} : { streaming: section.streaming }), ...(section.timeoutSeconds === undefined ? {} : { timeoutMs: section.timeoutSeconds * 1000 }), ...(section.retries === undefined ? {} : { retriesMax: section.retries }) };
    // The client library is loaded only for whom it serves: it would take a tenth of a restart.
    const model = section.api === 'completions' ? (await import('./completions-endpoint.js')).completionsModel(endpoint) : (await import('./model-endpoint.js')).chatModel(endpoint);
    return withholding(model, sources.withheld);
  }
  if (choice === undefined) return undefined;
  throw new ServiceError('settings', `cannot ask the model: ${settings.message}`);
}

/** The files' section in the environment's words, under what the environment itself says. */
function environmentOf(section: ModelSection): Record<string, string> {
  return { ...(section.baseUrl === undefined ? {} : { OPENAI_BASE_URL: section.baseUrl }), ...(section.model === undefined ? {} : { OPENAI_MODEL: section.model }) };
}

const given = (environment: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> => Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));

/** Every source file below a directory. */
async function targetFiles(directory: string, grammars: Grammars): Promise<ReadonlyMap<string, TargetFile>> {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) throw new ServiceError('settings', `cannot replay from ${directory}: it is no directory; give the target tree as --model replay:<directory>`);
  const { sources } = await scan(directory, { exclude: [], signal: new AbortController().signal });
  const files = new Map<string, TargetFile>();
  for (const { path } of sources) {
    const source = decodeSource(readFileSync(join(directory, path)));
    if (!source.ok) continue;
    const summary = summarise(grammars, path, source.text);
    if (summary !== undefined) files.set(path, { text: source.text, summary });
  }
  return files;
}
