/** What agents' tools say of a repository whose names and texts want the terminal, or to be read as something else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { toolsOf } from '#src/agents/agent-tools.js';
import { repository } from '../support/git-repository.js';
import { home, PROGRAM } from '../support/program.js';
import { writeFiles } from '../support/temporary-folder.js';

const UNSAFE = /(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const CALLER = 'u\u001b[31mX\u202e\nY.py';
const HOSTILE = {
  'a.py': 'def g(a):\n    """see \u202eevil \u001b[31m here"""\n    return "\u001b]0;t\u0007" + a\n',
  [CALLER]: 'from a import g\n\n\ndef use():\n    g("\u001b[31m")  # \u202e mention\n',
  'R\u001b[1mE.md': 'see `g` \u001b[31m\n',
};
const WORDS = ['g', 'a.py:g', 'use', CALLER, `${CALLER}:use`, '\u001b[31mX\u202e\nY', 'R\u001b[1mE.md'];

test('no tool gives out a character that commands or misleads, whatever it is asked', async (t) => {
  const root = repository(t, HOSTILE);
  writeFiles(root, { 'a.py': HOSTILE['a.py'].replace('def g(a)', 'def g(a, b)') });
  const env = Object.fromEntries(
    Object.entries(home(t).environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const args = [PROGRAM, 'mcp', '--root', root, '--no-daemon', '--tools', 'all'];
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  t.after(() => client.close());
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    toolsOf('all').map(({ name }) => name),
  );
  let answers = 0;
  for (const { name, inputSchema } of tools) {
    const properties = Object.entries(inputSchema.properties ?? {}) as [string, { type?: string; enum?: string[] }][];
    for (const word of WORDS) {
      const given = properties.flatMap(([key, { type, enum: choices }]): [string, unknown][] => {
        if (choices !== undefined) return [[key, choices[0]]];
        return type === 'string' ? [[key, word]] : type === 'array' ? [[key, [word]]] : [];
      });
      const required = given.filter(([key]) => inputSchema.required?.includes(key) === true);
      for (const some of [required, given]) {
        const answer = await client.callTool({ name, arguments: Object.fromEntries(some) });
        for (const text of stringsIn(answer)) assert.doesNotMatch(text, UNSAFE, `${name} ${JSON.stringify(some)}`);
        answers++;
      }
    }
  }
  assert.equal(answers, tools.length * WORDS.length * 2);
  const refs = await client.callTool({ name: 'refs', arguments: { block: 'g' } });
  assert.match(stringsIn(refs).join('\n'), /"u\\033\[31mX.*\\nY\.py"/, 'the file is named, as git quotes it');
});

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
