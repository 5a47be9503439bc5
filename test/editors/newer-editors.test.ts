/** `.ci/newer-editors` fails nobody's run: a suite that cannot be had is named, and the rest goes on. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../support/source-files.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';
import { needs } from '../support/tool.js';

/** Knows where packages come from, and gets none. */
const APT_GET =
  '#!/bin/sh\n[ "$1" = indextargets ] && echo "http://mirror.invalid/debian bookworm" && exit\nexit 100\n';

test('without the archive no editor is unpacked, each is named, and the exit code is 0', needs('bash'), (t) => {
  const folder = temporaryFolder(t);
  writeFiles(folder, { 'path/apt-get': APT_GET, 'path/dpkg': '#!/bin/sh\necho amd64\n' });
  for (const name of ['apt-get', 'dpkg']) chmodSync(join(folder, 'path', name), 0o755);
  const run = spawnSync(join(ROOT, '.ci/newer-editors'), [join(folder, 'editors')], {
    encoding: 'utf8',
    env: { PATH: `${join(folder, 'path')}:${process.env['PATH']}`, CODEPLAN_UNRELEASED_EDITORS: '1' },
  });
  assert.equal(run.status, 0, run.stderr);
  assert.deepEqual(run.stderr.match(/\(\w[\w-]*\) cannot be had today/gu), [
    '(trixie) cannot be had today',
    '(forky) cannot be had today',
    '(bookworm-backports) cannot be had today',
  ]);
  assert.equal(run.stdout.trim(), join(folder, 'editors/bin'));
  assert.ok(existsSync(join(folder, 'editors/bin')));
  assert.deepEqual(readdirSync(join(folder, 'editors/bin')), []);
});
