/** Git repositories of a test's own, untouched by the settings of whoever runs the tests. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder, writeFiles } from './temporary-folder.js';

const ENVIRONMENT = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b',
};

export function git(root: string, ...args: string[]): string {
  return execFileSync('git', ['-C', root, ...args], {
    env: ENVIRONMENT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

/** Makes a repository with these files in its first commit. */
export function initRepository(root: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  git(root, 'init', '-q', '-b', 'main');
  writeFiles(root, files);
  commitAll(root, 'first');
}

export function commitAll(root: string, message: string): void {
  git(root, 'add', '-A', '-f');
  git(root, 'commit', '-q', '--allow-empty', '-m', message);
}

/** A repository in a folder of the test's own, with one commit of these files. */
export function repository(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = join(temporaryFolder(t), 'repo');
  mkdirSync(root);
  initRepository(root, files);
  return root;
}
