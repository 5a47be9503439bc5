/**
 * Completion in the shells themselves, with names from a daemon that runs; and long answers on a terminal, through the
 * person's pager.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { repository } from '../support/git-repository.js';
import { home, PROGRAM } from '../support/program.js';
import { SHOP } from '../support/shop.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { needs } from '../support/tool.js';

const FILES = {
  ...SHOP,
  'src/depot.py': 'class Depot:\n    def store(self, key): ...\n',
  'a b/it.py': 'def thing(): ...\n',
};

/** Runs a program in a repository whose daemon is up, with `codeplan` on the path. */
async function prepared(t: TestContext): Promise<(program: string, ...args: string[]) => string[]> {
  const there = home(t);
  const root = repository(t, FILES);
  assert.equal((await there.run(root, 'daemon', 'start')).code, 0);
  const bin = join(temporaryFolder(t), 'bin');
  mkdirSync(bin);
  const program = join(bin, 'codeplan');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  chmodSync(program, 0o755);
  const env = { ...there.environment, PATH: `${bin}${delimiter}${there.environment['PATH'] ?? ''}`, TERM: 'xterm' };
  return (name, ...args) => {
    const { stdout, stderr } = spawnSync(name, args, { cwd: root, env, encoding: 'utf8' });
    assert.equal(stderr, '');
    return stdout.split('\n').filter((line) => line !== '');
  };
}

test('what a word may become: commands, flags, their values, blocks and paths', async (t) => {
  const run = await prepared(t);
  const complete = (...words: string[]): string[] => run('codeplan', 'complete', '--', ...words);
  assert.deepEqual(complete('gra'), ['graph']);
  assert.deepEqual(complete('graph', 'hier'), ['hierarchy']);
  assert.deepEqual(complete('impact', '--for'), ['--format']);
  assert.deepEqual(complete('impact', '--he'), ['--help']);
  assert.deepEqual(complete('nonsense', 'gra'), []);
  assert.deepEqual(complete('impact', '--format', 'm'), ['markdown']);
  assert.deepEqual(complete('editors', 'install', 'e'), ['emacs']);
  assert.deepEqual(complete('refs', '--depth', '2', 'Store.p'), ['Store.put']);
  assert.deepEqual(complete('refs', 'store.py:'), ['store.py:Store', 'store.py:Store.put']);
  assert.deepEqual(complete('refs', 'sto'), ['store', 'store.py:']);
  assert.deepEqual(complete('refs', ''), ['a b/', 'job.py:', 'log.py:', 'report.py:', 'src/', 'store.py:']);
  assert.deepEqual(complete('refactor', 'rename', 'src/d'), ['src/depot.py:']);
  assert.deepEqual(complete('refactor', 'rename', 'save', 'ne'), [], 'a new name is not completed');
  assert.deepEqual(complete('refs', 'gone.py:x'), []);
});

test('bash replaces what stands behind the last colon', needs('bash'), async (t) => {
  const run = await prepared(t);
  const completed = (line: string): string[] => {
    const script = `source <(codeplan completion bash); COMP_LINE='${line}' COMP_POINT=${line.length}; _codeplan; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run('bash', '-c', script);
  };
  assert.deepEqual(completed('codeplan graph refs store.py:Store.'), ['Store.put']);
  assert.deepEqual(completed('codeplan graph refs a'), ['a\\ b/'], 'a blank is no end of the word');
  assert.deepEqual(completed('codeplan graph refs a\\ b/it.py:'), ['thing']);
});

test('fish is offered the same', needs('fish'), async (t) => {
  const run = await prepared(t);
  const completed = (line: string): string[] =>
    run('fish', '-c', `codeplan completion fish | source; complete -C '${line}'`).sort();
  assert.deepEqual(completed('codeplan refs store.py:St'), ['store.py:Store', 'store.py:Store.put']);
  assert.deepEqual(completed('codeplan refs a\\ b/it.py:t'), ['a b/it.py:thing']);
});

test('zsh completes on its line', needs('zsh'), async (t) => {
  const run = await prepared(t);
  const script = `zmodload zsh/zpty; zpty z zsh -f -i
zpty -w z 'autoload -U compinit; compinit -u -D; source <(codeplan completion zsh); bindkey "^X" accept-line; print rea''dy'
while zpty -r z piece; do [[ $piece == *ready* && $piece != *print* ]] && break; done
zpty -w z $'print codeplan; : ; codeplan refs --depth 1 src/dep\\tDepot.st\\t'
while zpty -r z piece; do print -r -- "$piece"; [[ $piece == *"1 use"* || $piece == *"0 uses"* || $piece == *graph:* ]] && break; done`;
  assert.match(run('zsh', '-fc', script).join('\n'), /src\/depot\.py:Depot\.store/u);
});

test(
  'an answer longer than the terminal goes through the pager, unless nobody wants one',
  needs('script'),
  async (t) => {
    const run = await prepared(t);
    const shown = (command: string): string =>
      run('script', '-qec', `stty rows 3 cols 80; ${command}; echo ended with $?`, '/dev/null').join('\n');
    const paged = shown("CODEPLAN_PAGER='sed s/^/paged:/' codeplan refs Store.put");
    assert.match(paged, /paged:store\.py:Store\.put: 3 uses/u);
    assert.match(paged, /paged:graph: current/u);
    assert.match(paged, /ended with 0/u);
    for (const plain of ['CODEPLAN_PAGER= codeplan refs Store.put', 'PAGER=cat codeplan refs Store.put'])
      assert.match(shown(plain), /graph: current/u);
    assert.doesNotMatch(shown("CODEPLAN_PAGER='sed s/^/paged:/' codeplan refs Store.put --no-pager"), /paged/u);
    const short = run(
      'script',
      '-qec',
      "stty rows 50; CODEPLAN_PAGER='sed s/^/paged:/' codeplan refs Store.put",
      '/dev/null',
    );
    assert.doesNotMatch(short.join('\n'), /paged/u);
  },
);
