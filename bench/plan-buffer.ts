/**
 * `npm run bench:plan-buffer -- <editor>…`: how long keys take in the plan buffer of each editor, which is a Neovim or
 * an Emacs by its name, with a plan of 500 edits in 100 files. Wall time in milliseconds, median and worst.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../cli/main.js', import.meta.url));
const FILES = 100;
/** Above three, for which edits that are alike become one row. */
const CALLERS_A_FILE = 5;

const editors = process.argv.slice(2);
if (editors.length === 0) throw new Error('usage: npm run bench:plan-buffer -- <nvim or emacs>…');

const caller = (file: number, n: number): string =>
  `\n\ndef job_${file}_${n}(store: Store, k):\n` +
  `    if k > ${n}:\n        return store.put(k + ${n}, ${file})\n    return None\n`;

/** A repository whose store has 500 callers. */
function written(root: string): void {
  mkdirSync(join(root, 'app'), { recursive: true });
  writeFileSync(join(root, 'store.py'), 'class Store:\n    def put(self, key, ttl):\n        return key\n');
  for (let file = 0; file < FILES; file++) {
    const callers = Array.from({ length: CALLERS_A_FILE }, (_, n) => caller(file, n));
    writeFileSync(join(root, `app/jobs_${file}.py`), `from store import Store\n${callers.join('')}`);
  }
  const git = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    [...git, 'commit', '-q', '-m', 'first'],
  ])
    spawnSync('git', args, { cwd: root });
}

for (const editor of editors) {
  const folder = mkdtempSync(join(tmpdir(), 'codeplan-plan-buffer-'));
  const root = join(folder, 'repository');
  written(root);
  const env = {
    ...process.env,
    HOME: folder,
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    CODEPLAN_BENCH_ROOT: root,
    CODEPLAN_BENCH_COMMAND: [process.execPath, PROGRAM, 'lsp'].join('\n'),
  };
  const script = join(CHECKOUT, 'bench/plan-buffer');
  const args = basename(editor).startsWith('emacs')
    ? ['-Q', '--batch', '-L', join(CHECKOUT, 'editors/emacs'), '-l', `${script}.el`]
    : [
        ['--headless', '-u', 'NONE', '-i', 'NONE', '--cmd', `set runtimepath^=${join(CHECKOUT, 'editors/nvim')}`],
        ['-c', 'filetype on', '-c', 'runtime plugin/codeplan.lua', '-S', `${script}.lua`, '-c', 'cquit'],
      ].flat();
  const { stdout, stderr, status } = spawnSync(editor, args, { env, encoding: 'utf8' });
  spawnSync(process.execPath, [PROGRAM, 'daemon', 'stop', '--root', root], { env });
  rmSync(folder, { recursive: true, force: true });
  const rows = stdout.split('\n').filter((line) => line.includes('\t'));
  console.log(`\n${editor}${status === 0 ? '' : `: ended with ${status}\n${stderr}`}`);
  for (const row of rows) {
    const [what = '', middle = '', worst = ''] = row.split('\t');
    console.log(`${what.padEnd(16)}${middle.padStart(10)}${worst.padStart(10)}`);
  }
}
