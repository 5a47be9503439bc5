/**
 * Helix, where `.ci/newer-editors` has unpacked it, with the settings of docs/editors.md as they stand there and
 * no plugin.
 */
import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { test } from 'node:test';
import type { Status } from '#protocol/status.js';
import { programOnPath } from '../support/editors.js';
import { eventually } from '../support/eventually.js';
import { repository } from '../support/git-repository.js';
import { home } from '../support/program.js';
import { SHOP } from '../support/shop.js';
import { ROOT } from '../support/source-files.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';
import { needs, NEWER_EDITORS } from '../support/tool.js';

/** The text of a file, '' in the moment between the old one and the new: Helix puts another in its place. */
function written(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

test(
  'Helix: an unsaved rename is hinted at, propagated and taken back, and left after a restart',
  needs('helix', 'script'),
  async (t) => {
    const root = repository(t, SHOP);
    const folder = temporaryFolder(t);
    const settings = /```toml\n([^]*?)```/u.exec(readFileSync(join(ROOT, 'docs/editors.md'), 'utf8'))?.[1] ?? '';
    writeFiles(folder, { 'config/helix/languages.toml': settings });
    const there = home(t, { XDG_CONFIG_HOME: join(folder, 'config'), TERM: 'xterm', ...programOnPath(folder) });
    let log = '';
    // Helix wants a terminal, and script(1) makes one.
    const started = (name: string): ChildProcessByStdio<Writable, null, null> => {
      log = join(folder, name);
      const child = spawn(
        'script',
        ['-qfec', `${join(NEWER_EDITORS, 'hx')} -v --log ${log} store.py job.py`, '/dev/null'],
        { cwd: root, env: there.environment, stdio: ['pipe', 'ignore', 'inherit'] },
      );
      t.after(() => child.kill());
      return child;
    };
    let helix = started('first.log');
    const press = (keys: string): boolean => helix.stdin.write(keys);
    const quit = (): Promise<unknown> => {
      press(':qa!\r');
      return new Promise((resolve) => helix.once('close', resolve));
    };
    const logged = (what: RegExp): Promise<unknown> =>
      eventually(
        `${what.source} in the log`,
        () => (existsSync(log) && what.test(readFileSync(log, 'utf8'))) || undefined,
      );
    // Asked for again until it is there: Helix refuses to write a document whose last write it has not yet noted.
    const saved = (what: string, isThere: () => boolean): Promise<unknown> => {
      let next = 0;
      return eventually(what, () => {
        if (isThere()) return true;
        if (Date.now() >= next) {
          press(':wa!\r');
          next = Date.now() + 1000;
        }
        return undefined;
      });
    };

    await logged(/textDocument\/didOpen/u);
    await eventually('the index, and both documents', async () => {
      const { state, clients } = JSON.parse((await there.run(root, 'status', '--json')).stdout) as Status;
      return (state === 'ready' && clients.some((client) => client.openFiles === 2)) || undefined;
    });
    press('%sdef put\r');
    // No insert mode: an escape that is read together with the next key would be another key.
    press(':pipe sed s/put/insert/\r');
    await logged(/publishDiagnostics.*job\.py.*impact\/called-by/u);
    press(':lsp-workspace-command codeplan.propagate\r');
    await logged(/changed 2 files/u);
    await saved(
      'both files with the new name',
      () =>
        written(join(root, 'job.py')).includes('store.insert(k, 1)') &&
        written(join(root, 'report.py')).includes('insert'),
    );
    press(':lsp-workspace-command codeplan.undo\r');
    await logged(/took the last propagation back/u);
    await saved(
      'both files, byte for byte',
      () => written(join(root, 'job.py')) === SHOP['job.py'] && written(join(root, 'report.py')) === SHOP['report.py'],
    );
    await quit();
    assert.match(written(join(root, 'store.py')), /def insert/u);
    assert.equal((await there.run(root, 'daemon', 'stop')).code, 0);
    helix = started('second.log');
    await logged(/publishDiagnostics.*job\.py.*impact\/called-by/u);
    await quit();
  },
);
