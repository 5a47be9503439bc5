/**
 * Reads the settings files of a person and of a repository, and decides with the person's trust
 * what of them holds.
 *
 * A file that cannot be read or does not fit the schema is an error with its name and the place:
 * settings that are half understood would be worse. A file named with `--config` takes the place
 * of the repository's, and is the person's own choice unless it lies inside of the repository.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { configurationFile, type ConfigurationFile } from '#protocol/configuration.js';
import {
  configurationOf,
  ignoredLine,
  sectionsToTrust,
  type Configuration,
  type TrustedSections,
} from '../engine/configuration.js';
import { ServiceError } from '../engine/service.js';
import { configFolder, stateFolder } from './folders.js';
import { isTrusted } from './trust.js';

/** Name of a repository's settings file, at its root. */
export const SETTINGS_FILE = 'codeplan.json';
const PERSON_FILE = 'config.json';

export interface SettingsSource {
  readonly realRoot: string;
  readonly environment: NodeJS.ProcessEnv;
  /** In place of the repository's own file. */
  readonly configFile?: string;
  /** From an editor's initialisation, on top of all files. */
  readonly editor?: unknown;
}

export interface Settings {
  readonly configuration: Configuration;
  /** Null when the repository names nothing that needs trust. */
  readonly trusted: boolean | null;
  /** What of the repository's file does not count. */
  readonly ignored: readonly string[];
  /** The same in one line for the person. */
  readonly notice: string | undefined;
}

/** What a repository's file says that needs trust, for `codeplan trust` to show and grant. */
export interface TrustRequest {
  readonly file: string;
  readonly sections: TrustedSections;
  readonly trusted: boolean;
}

/** Throws ServiceError: settings. */
export function readSettings(source: SettingsSource): Settings {
  const request = readTrustRequest(source);
  const person = readSettingsFile(join(configFolder(source.environment), PERSON_FILE)) ?? {};
  const repository = readSettingsFile(repositoryFile(source)) ?? {};
  requireNamedFile(source);
  const editor =
    source.editor === undefined || source.editor === null
      ? {}
      : checked(source.editor, "the editor's settings for codeplan");
  const { configuration, ignored } = configurationOf({
    person,
    repository,
    repositoryTrusted: request?.trusted ?? true,
    editor,
  });
  return {
    configuration,
    trusted: request?.trusted ?? null,
    ignored,
    notice: ignoredLine(source.configFile ?? SETTINGS_FILE, ignored),
  };
}

/** Undefined when the repository's file names nothing that needs trust. Throws ServiceError: settings. */
export function readTrustRequest(source: SettingsSource): TrustRequest | undefined {
  const file = repositoryFile(source);
  const sections = sectionsToTrust(readSettingsFile(file) ?? {});
  if (sections === undefined) return undefined;
  const personal = source.configFile !== undefined && !isInside(file, source.realRoot);
  return { file, sections, trusted: personal || isTrusted(stateFolder(source.environment), source.realRoot, sections) };
}

function repositoryFile(source: SettingsSource): string {
  return source.configFile === undefined ? join(source.realRoot, SETTINGS_FILE) : resolve(source.configFile);
}

/** A settings file may be absent, unless somebody named it. */
function requireNamedFile(source: SettingsSource): void {
  if (source.configFile !== undefined && readSettingsFile(repositoryFile(source)) === undefined) {
    throw new ServiceError('settings', `there is no settings file ${source.configFile}; check what --config names`);
  }
}

function readSettingsFile(path: string): ConfigurationFile | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/^\uFEFF/u, '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ServiceError(
      'settings',
      `cannot read the settings file ${path}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ServiceError(
      'settings',
      `the settings file ${path} is not JSON: ${error instanceof Error ? error.message : String(error)}; correct it or remove it`,
    );
  }
  return checked(value, `the settings file ${path}`);
}

function checked(value: unknown, what: string): ConfigurationFile {
  const result = configurationFile.safeParse(value);
  if (result.success) return result.data;
  const places = z
    .prettifyError(result.error)
    .replace(/\s*\n\s*→ at /gu, ' at ')
    .replace(/✖ /gu, '')
    .split('\n')
    .join('; ');
  throw new ServiceError('settings', `${what} does not fit: ${places}; see protocol/schema/configuration.json`);
}

function isInside(path: string, realRoot: string): boolean {
  let real = path;
  try {
    real = realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const inside = relative(realRoot, real);
  return inside !== '..' && !inside.startsWith(`..${sep}`);
}
