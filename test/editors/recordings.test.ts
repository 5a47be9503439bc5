/**
 * docs/sessions.md shows what both plugins print: each session is run again and compared with the page, or
 * written into it with UPDATE=1.
 */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { editorPrograms, emacsSession, neovimSession } from '../support/editors.js';
import { commitAll, git, repository } from '../support/git-repository.js';
import { ROOT } from '../support/source-files.js';

const PAGE = join(ROOT, 'docs/sessions.md');

function shop(t: TestContext): string {
  const root = repository(t, {});
  cpSync(join(ROOT, 'fixtures/demo/before'), root, { recursive: true });
  commitAll(root, 'The shop');
  return root;
}

/** What the page holds between the fences of this session is what was shown. */
function compare(title: string, root: string, seen: unknown): void {
  const { shown } = seen as { readonly shown: string };
  assert.equal(git(root, 'status', '--short'), '', 'byte for byte as before');
  const page = readFileSync(PAGE, 'utf8');
  const fence = new RegExp(`(\`\`\`text ${title}\n)([^]*?)(\n\`\`\`\n)`, 'u');
  const lines = shown
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
  if (process.env['UPDATE'] !== undefined)
    writeFileSync(
      PAGE,
      page.replace(fence, (_, before: string, _old, after: string) => before + lines + after),
    );
  else assert.equal(fence.exec(page)?.[2], lines, 'run it with UPDATE=1 and read the difference');
}

for (const { title, program, options } of editorPrograms('nvim'))
  test(`${title} shows what the page says`, options, async (t) => {
    const root = shop(t);
    compare('neovim', root, await neovimSession(t, program, 'recording.lua', root));
  });

for (const { title, program, options } of editorPrograms('emacs'))
  test(`${title} shows what the page says`, options, async (t) => {
    const root = shop(t);
    compare('emacs', root, await emacsSession(t, program, 'recording.el', root));
  });
