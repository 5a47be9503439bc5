/** What indexes of editors' packages would take: the repository that the mirror makes, and the entries as they are. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { editorPrograms, programOnPath, runNeovim } from '../support/editors.js';
import { commitAll, git, repository } from '../support/git-repository.js';
import { SHOP } from '../support/shop.js';
import { ROOT } from '../support/source-files.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

const PACKAGING = join(ROOT, 'editors/packaging');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const FILE = { name: '', version: '', bin: {}, ...(JSON.parse(read('package.json')) as object) };

/** The mirror of a repository that has the plugin among other things, as its folder in a clone of one's own. */
function mirrored(t: TestContext): string {
  const folder = temporaryFolder(t);
  const whole = repository(t, { 'src/other.ts': '' });
  for (const part of ['editors/nvim', 'editors/packaging']) {
    mkdirSync(join(whole, part), { recursive: true });
    cpSync(join(ROOT, part), join(whole, part), { recursive: true });
  }
  commitAll(whole, 'the plugin');
  git(folder, 'init', '-q', '--bare', '-b', 'main', 'mirror');
  execFileSync(join(whole, 'editors/packaging/mirror-nvim'), [join(folder, 'mirror')], { stdio: 'pipe' });
  const clone = join(folder, 'data/nvim/site/pack/of-a-manager/opt/codeplan.nvim');
  git(folder, 'clone', '-q', join(folder, 'mirror'), clone);
  return folder;
}

for (const { title, program, options } of editorPrograms('nvim'))
  test(`${title}: the mirror is a plugin, which joins files that were opened before it`, options, async (t) => {
    const folder = mirrored(t);
    writeFiles(folder, { 'init.vim': 'filetype on\n' });
    const seen = (await runNeovim(t, program, join(folder, 'init.vim'), 'nvim-late.lua', repository(t, SHOP), {
      XDG_DATA_HOME: join(folder, 'data'),
      ...programOnPath(folder),
    })) as { hint: string; help: string };
    assert.match(seen.hint, /insert/u);
    assert.equal(seen.help, 'codeplan.txt');
    const clone = join(folder, 'data/nvim/site/pack/of-a-manager/opt/codeplan.nvim');
    assert.equal(readFileSync(join(clone, 'LICENSE'), 'utf8'), read('LICENSE'));
    assert.ok(existsSync(join(clone, 'README.md')));
  });

test('each recipe of MELPA names its package, and the files that it takes have that package among them', () => {
  for (const name of readdirSync(join(PACKAGING, 'melpa'))) {
    const recipe = readFileSync(join(PACKAGING, 'melpa', name), 'utf8');
    const [, named, folder = ''] =
      /^\((\S+)\n :fetcher git\n :url "[^"]+"\n :files \("([^"*]+)\/\*\.el"\)\)\n$/u.exec(recipe) ??
      assert.fail(recipe);
    assert.equal(named, name);
    assert.deepEqual(
      readdirSync(join(ROOT, folder)).filter((file) => file.endsWith('.el')),
      [`${name}.el`],
    );
  }
});

test("mason's entry installs the version that this is, and its program", () => {
  const entry = readFileSync(join(PACKAGING, 'mason/package.yaml'), 'utf8');
  const value = (key: string): string | undefined => new RegExp(`^ *${key}: (.+)$`, 'mu').exec(entry)?.[1];
  assert.equal(value('name'), FILE.name);
  assert.equal(value('id'), `pkg:npm/${FILE.name}@${FILE.version}`);
  const [, programs = ''] = /^bin:\n((?: {2}.+\n)+)/mu.exec(entry) ?? [];
  assert.deepEqual(
    programs.trim().split(/\n */u),
    Object.keys(FILE.bin).map((name) => `${name}: npm:${name}`),
  );
  assert.deepEqual(
    [...entry.matchAll(/^(\w+):/gmu)].map(([, key]) => key),
    ['name', 'description', 'homepage', 'licenses', 'languages', 'categories', 'source', 'bin'],
    'what the schema of mason asks for, and nothing that it does not know',
  );
});
