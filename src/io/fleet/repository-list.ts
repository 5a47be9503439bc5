/**
 * The repositories of a campaign, as a person names them: a file of lines, a folder of checkouts, or a command that
 * prints lines.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { shownName } from '../../base/shown.js';
import { ServiceError } from '../../engine/service.js';
import type { Repository } from '../../fleet/campaign.js';
import { readGivenFile } from '../disk/given-file.js';
import { runCommand, wordsOf, type CommandPlace } from './person-command.js';

/** In front of a command. */
const COMMAND = '!';
/** Hundreds of thousands of addresses. */
const LIST_BYTES_MOST = 32 * 1024 * 1024;
const ADDRESS = /^(?:https:\/\/|ssh:\/\/|file:\/\/|[\w.-]+@[\w.-]+:)/u;

/** Each once, in the order of their keys. Throws ServiceError: settings, where one is no place to clone from. */
export async function repositoriesOf(named: string, place: CommandPlace): Promise<Repository[]> {
  const sources = await sourcesOf(named, place);
  if (sources.length === 0) throw new ServiceError('settings', `${shownName(named)} names no repository`);
  const found = sources.map((source) => repositoryAt(source, place.directory));
  return [...new Map(found.map((each) => [each.key, each])).values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

async function sourcesOf(named: string, place: CommandPlace): Promise<string[]> {
  if (named.startsWith(COMMAND)) {
    const said = await runCommand(wordsOf(named.slice(COMMAND.length)), place);
    if (!said.ok) throw new ServiceError('settings', `cannot list the repositories: ${said.reason}`);
    return linesOf(said.stdout);
  }
  const path = resolve(place.directory, named);
  if (!existsSync(path))
    throw new ServiceError(
      'settings',
      `${shownName(named)} does not exist; give a file with a repository a line, a folder of repositories, ` +
        'or "!command"',
    );
  if (!statSync(path).isDirectory()) return linesOf(readGivenFile(path, 'the list of repositories', LIST_BYTES_MOST));
  return readdirSync(path)
    .sort()
    .map((name) => join(path, name))
    .filter((folder) => isRepository(folder));
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/(?:^|\s)#.*$/u, '').trim())
    .filter((line) => line !== '');

const isRepository = (folder: string): boolean =>
  existsSync(join(folder, '.git')) || (existsSync(join(folder, 'HEAD')) && existsSync(join(folder, 'objects')));

function repositoryAt(source: string, directory: string): Repository {
  if (ADDRESS.test(source)) {
    const [, host = '', path = ''] = /^(?:\w+:\/\/)?(?:[^@/]+@)?([^/:]*)[:/](.*?)(?:\.git)?\/?$/u.exec(source) ?? [];
    return { key: keyOf(source, basename(path)), source, owner: `${host}/${dirname(path)}` };
  }
  const path = isAbsolute(source) ? source : resolve(directory, source);
  if (source.startsWith('-') || !existsSync(path))
    throw new ServiceError('settings', `${shownName(source)} is no folder, and no address by https, ssh or file`);
  const real = realpathSync(path);
  return { key: keyOf(real, basename(real).replace(/\.git$/u, '')), source: real, owner: dirname(real) };
}

/** Readable, and another one for each source. */
function keyOf(source: string, name: string): string {
  const readable = name
    .replace(/[^\w.-]+/gu, '-')
    .replace(/^[.-]+/u, '')
    .slice(0, 40);
  const digest = createHash('sha256').update(source).digest('hex').slice(0, 8);
  return `${readable === '' ? 'repository' : readable}-${digest}`;
}

/** `owner/name` of an address, for tools of hosts. */
export const slugOf = (source: string): string =>
  /[:/]([^/:]+\/[^/]+?)(?:\.git)?\/?$/u.exec(source)?.[1] ?? basename(source);
