/** Settings of hosts: what is put in, that the rest stays, and that it can be taken out without a trace. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HOSTS, type HostFile } from '#src/agents/hosts.js';
import { home } from '../support/program.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** What a person may have in such a file already. */
function others(file: HostFile): string {
  if (file.path.endsWith('.toml')) return 'model = "x"\n\n[mcp_servers.other]\ncommand = "other"\n';
  if (file.path.endsWith('.md')) return '# Notes\n\nRun the tests.\n';
  const hooks = { PostToolUse: [{ matcher: 'Bash', hooks: [] }], afterFileEdit: [{ command: 'format' }] };
  const settings = { version: 1, mcpServers: { other: { command: 'other' } }, servers: { other: {} }, hooks };
  return `${JSON.stringify(settings, null, 4)}\n`;
}

for (const host of HOSTS) {
  test(`${host.title}: an entry is put in once, beside others, and taken out again`, () => {
    for (const file of host.files) {
      const fresh = file.put(undefined);
      assert.match(fresh, /codeplan/);
      assert.equal(file.put(fresh), fresh);
      assert.equal(file.taken(fresh), undefined, file.path);
      const before = others(file);
      const after = file.put(before);
      assert.match(after, /codeplan/);
      assert.equal(file.put(after), after);
      assert.equal(file.taken(after), before, file.path);
    }
  });
}

test('a file that is no plain JSON is refused and stays as it is', async (t) => {
  const root = temporaryFolder(t);
  const { run } = home(t);
  mkdirSync(join(root, '.vscode'));
  writeFileSync(join(root, '.vscode/mcp.json'), '{ // mine\n}\n');
  const refused = await run(root, 'mcp', '--install', 'vscode', '--root', root);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /mcp\.json is no plain JSON/);
  assert.equal(readFileSync(join(root, '.vscode/mcp.json'), 'utf8'), '{ // mine\n}\n');
  assert.match((await run(root, 'mcp', '--install', 'emacs', '--root', root)).stderr, /emacs is no host that is known/);
});

test('the command writes into the root, shows without writing, and takes out', async (t) => {
  const root = temporaryFolder(t);
  const { run } = home(t);
  const shown = await run(root, 'mcp', '--install', 'claude', '--print', '--root', root);
  assert.match(shown.stdout, /"command": "codeplan hook"/);
  assert.equal(existsSync(join(root, '.mcp.json')), false);
  assert.equal((await run(root, 'mcp', '--install', 'claude', '--root', root)).code, 0);
  assert.match(readFileSync(join(root, '.mcp.json'), 'utf8'), /"codeplan"/);
  assert.match((await run(root, 'mcp', '--install', 'claude', '--root', root)).stdout, /has it already/);
  assert.equal((await run(root, 'mcp', '--uninstall', 'claude', '--root', root)).code, 0);
  assert.equal(existsSync(join(root, '.mcp.json')), false);
});

test('what a repository has in place of such a file or its folder leads nowhere else, and is not waited for', async (t) => {
  const [root, elsewhere] = [temporaryFolder(t), temporaryFolder(t)];
  const { run } = home(t);
  const install = async (host: string): Promise<string> => {
    const { code, stderr } = await run(root, 'mcp', '--install', host, '--root', root);
    assert.equal(code, 2);
    return stderr;
  };
  symlinkSync(elsewhere, join(root, '.claude'));
  symlinkSync(elsewhere, join(root, '.cursor'));
  assert.match(await install('claude'), /\.claude is a link, and nothing is written through links/);
  assert.match(await install('cursor'), /\.cursor is a link/);
  assert.deepEqual(readdirSync(elsewhere), []);
  writeFileSync(join(elsewhere, 'settings.json'), '{}\n');
  assert.match(await install('claude'), /settings\.json is a link that leads out of the root/);
  assert.equal(readFileSync(join(elsewhere, 'settings.json'), 'utf8'), '{}\n');
  rmSync(join(root, '.mcp.json'), { force: true });
  execFileSync('mkfifo', [join(root, '.mcp.json')]);
  assert.match(await install('claude'), /\.mcp\.json is no regular file/);
  rmSync(join(root, '.mcp.json'));
  symlinkSync('/dev/zero', join(root, '.mcp.json'));
  assert.match(await install('claude'), /\.mcp\.json is a link/);
});
