/**
 * Reads the settings files of a person and of a repository, and decides with the person's trust
 * what of them holds.
 *
 * A file that cannot be read or does not fit the schema is an error with its name and the place:
 * settings that are half understood would be worse. A file named with `--config` takes the place
 * of the repository's, and is the person's own choice unless it lies inside of the repository.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { configurationFile, type ConfigurationFile } from '#protocol/configuration.js';
import { shownName } from '../../base/shown.js';
import {
  configurationOf,
  ignoredLine,
  sectionsToTrust,
  type Configuration,
  type TrustedSections,
} from '../../engine/configuration.js';
import { ServiceError } from '../../engine/service.js';
import { configFolder, stateFolder } from '../disk/folders.js';
import {
  isBelow,
  pathBelow,
  readPersonalFile,
  readRepositoryFile,
  SETTINGS_BYTES_MOST,
} from '../disk/repository-file.js';
import { grantOfSettings, standingOf } from './trust.js';

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
  const own = join(configFolder(source.environment), PERSON_FILE);
  const person = settingsIn(own, () => readPersonalFile(own)) ?? {};
  const repository = readRepositorySettings(source) ?? {};
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
  const sections = sectionsToTrust(readRepositorySettings(source) ?? {});
  if (sections === undefined) return undefined;
  const personal = isPersonal(source);
  const standing = standingOf(stateFolder(source.environment), source.realRoot, grantOfSettings(sections));
  return { file, sections, trusted: personal || standing.kind === 'granted' };
}

function repositoryFile(source: SettingsSource): string {
  return source.configFile === undefined ? join(source.realRoot, SETTINGS_FILE) : resolve(source.configFile);
}

/** A settings file may be absent, unless somebody named it. */
function requireNamedFile(source: SettingsSource): void {
  if (source.configFile !== undefined && readRepositorySettings(source) === undefined) {
    throw new ServiceError(
      'settings',
      `there is no settings file ${shownName(source.configFile)}; check what --config names`,
    );
  }
}

/**
 * Undefined if there is none. A repository's own is a regular file of it and no link: what that leads to is not its to
 * tell.
 */
function readRepositorySettings(source: SettingsSource): ConfigurationFile | undefined {
  const file = repositoryFile(source);
  return settingsIn(file, () => {
    if (isPersonal(source)) return readPersonalFile(file);
    const named = inRealFolder(file);
    // A link of the person's own to a file of the repository.
    const place = isBelow(source.realRoot, named) ? named : realOrItself(file);
    const limits = { bytesMost: SETTINGS_BYTES_MOST, links: 'none' } as const;
    const read = readRepositoryFile(source.realRoot, pathBelow(source.realRoot, place), limits);
    if (read.kind === 'refused') throw new Error(`it ${read.reason}`);
    return read.kind === 'file' ? read.bytes.toString('utf8') : undefined;
  });
}

/** `read` gives the text, undefined for no file, and throws when it cannot be read. */
function settingsIn(path: string, read: () => string | undefined): ConfigurationFile | undefined {
  let text: string | undefined;
  try {
    text = read();
  } catch (error) {
    throw new ServiceError(
      'settings',
      `cannot read the settings file ${shownName(path)}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/u, ''));
  } catch (error) {
    throw new ServiceError(
      'settings',
      `the settings file ${shownName(path)} is not JSON${placeIn(text, error)}; correct it or remove it`,
    );
  }
  return checked(value, `the settings file ${shownName(path)}`);
}

/** Where it stops being JSON, as far as the parser tells; its message may quote the text, which is not repeated. */
function placeIn(text: string, error: unknown): string {
  const at = /at position (\d+)/u.exec(error instanceof Error ? error.message : '')?.[1];
  return at === undefined ? '' : ` (line ${text.slice(0, Number(at)).split('\n').length})`;
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

/**
 * Whether the file that stands for the repository's is the person's own: named by `--config`, and neither it nor what
 * it leads to in the repository.
 */
function isPersonal(source: SettingsSource): boolean {
  if (source.configFile === undefined) return false;
  const file = repositoryFile(source);
  if (isBelow(source.realRoot, inRealFolder(file))) return false;
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return !isLink || !isBelow(source.realRoot, realOrItself(file));
}

const inRealFolder = (file: string): string => join(realOrItself(dirname(file)), basename(file));

function realOrItself(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return path;
    throw error;
  }
}
