/**
 * Which endpoint answers in which role: planning, judging, describing, vectors, and editing.
 *
 * A role has what is said of it alone, first by the environment (`CODEPLAN_PLAN_MODEL`), then by the settings
 * (`model.roles.plan`); for the rest it has what is said of all. The general key is sent to the general address
 * alone: a role at another host has a key of its own, or none. A chat model gives no vectors, so that role has a
 * model only where one is named for it.
 */
import { resolve } from 'node:path';
import type { ModelSection } from '#protocol/configuration.js';
import { ServiceError } from '../../engine/service.js';
import type { Embedder, Model, ModelRole } from '../../model/model.js';
import { settingsFromEnvironment, type EndpointSettings, type SettingsResult } from './model-settings.js';

export interface RoleSources {
  readonly section: ModelSection;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

interface CassetteSources extends RoleSources {
  /** Where the name of a cassette begins. */
  readonly workingDirectory: string;
}

type Words = Readonly<Record<string, string | undefined>>;

/** The files' section in the environment's words, under what the environment itself says. */
function general({ section, environment }: RoleSources): Words {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => (value ?? '').trim() !== ''));
  return {
    ...(section.baseUrl === undefined ? {} : { OPENAI_BASE_URL: section.baseUrl }),
    ...(section.model === undefined ? {} : { OPENAI_MODEL: section.model }),
    ...given,
  };
}

/** Settings of the endpoint that a role has, or what is missing. */
export function endpointOfRole(role: ModelRole, sources: RoleSources): SettingsResult {
  const { section } = sources;
  const all = general(sources);
  const own = section.roles?.[role];
  const prefix = `CODEPLAN_${role.toUpperCase()}_`;
  const baseUrl = all[`${prefix}BASE_URL`] ?? own?.baseUrl;
  const model = all[`${prefix}MODEL`] ?? own?.model;
  const key = all[`${prefix}API_KEY`];
  if (role === 'embed' && model === undefined)
    return {
      ok: false,
      message: `no model for vectors is named: set model.roles.embed.model in the settings, or ${prefix}MODEL`,
    };
  const of = (words: Words): SettingsResult => settingsFromEnvironment(words);
  const found = of({
    ...all,
    ...(baseUrl === undefined ? {} : { CODEPLAN_BASE_URL: baseUrl }),
    ...(model === undefined ? {} : { CODEPLAN_MODEL: model }),
    ...(key === undefined ? {} : { CODEPLAN_API_KEY: key }),
  });
  if (!found.ok) return found;
  const settings: EndpointSettings = {
    ...found.settings,
    ...(section.streaming === undefined ? {} : { streaming: section.streaming }),
    ...(section.timeoutSeconds === undefined ? {} : { timeoutMs: section.timeoutSeconds * 1000 }),
    ...(section.retries === undefined ? {} : { retriesMax: section.retries }),
  };
  const elsewhere = baseUrl === undefined || key !== undefined ? undefined : of({ ...all, CODEPLAN_MODEL: 'any' });
  const isForeign =
    elsewhere?.ok === true && new URL(elsewhere.settings.baseUrl).origin !== new URL(settings.baseUrl).origin;
  return { ok: true, settings: isForeign ? { ...settings, apiKey: undefined } : settings };
}

const REPLAY = 'replay:';
const RECORD = 'record:';

/** Undefined where nothing is configured for the role. Throws ServiceError: settings. */
export async function modelOfRole(role: ModelRole, sources: CassetteSources): Promise<Model | undefined> {
  const cassette = sources.environment['CODEPLAN_CASSETTE']?.trim() ?? '';
  const fileOf = (kind: string): string => resolve(sources.workingDirectory, cassette.slice(kind.length));
  if (cassette.startsWith(REPLAY)) return (await import('./cassette.js')).replaying(fileOf(REPLAY));
  const found = endpointOfRole(role, sources);
  if (!found.ok) return undefined;
  // The client library is loaded only for whom it serves.
  const { endpointClient } = await import('./model-client.js');
  const model = endpointClient(found.settings);
  if (cassette === '') return model;
  if (!cassette.startsWith(RECORD))
    throw new ServiceError('settings', 'CODEPLAN_CASSETTE must begin with replay: or record:, and go on with a file');
  return (await import('./cassette.js')).recording(model, fileOf(RECORD));
}

/** Undefined where no model for vectors is configured. */
export async function embedderOfRole(sources: RoleSources): Promise<Embedder | undefined> {
  const found = endpointOfRole('embed', sources);
  return found.ok ? (await import('./embeddings-endpoint.js')).endpointEmbedder(found.settings) : undefined;
}
