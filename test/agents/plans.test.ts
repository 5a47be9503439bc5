/** The tools that lead an agent from a request in words to a plan and to its edits, over an engine in process. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { toolsOf } from '#src/agents/agent-tools.js';
import type { AgentAnswer } from '#src/agents/agent-tool.js';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import { ServiceError, type Call } from '#src/engine/service.js';
import { repository } from '../support/git-repository.js';
import { modelServer, piece, streams, type Turn } from '../support/model-server.js';
import { home } from '../support/program.js';

const FILES = {
  'clock.py': 'def wait_seconds(count):\n    """Waits for some seconds."""\n    return count\n',
  'retry.py':
    'from clock import wait_seconds\n\n\ndef retry(job):\n    """Again."""\n    wait_seconds(3)\n    return job()\n',
};
const call: Call = { signal: new AbortController().signal, progress: () => undefined };
const says = (content: string): Turn => streams([piece(content), piece('', 'stop')], 'end');
const PLAN = says(JSON.stringify({ steps: [{ intent: 'let the wait for seconds take a limit' }] }));
const edits = (text: string): Turn => says(`\`\`\`\n${text}\n\`\`\``);

type Ask = (tool: string, given: Record<string, unknown>) => Promise<AgentAnswer>;

async function agent(
  t: TestContext,
  planning: readonly Turn[],
  editing: readonly Turn[],
): Promise<{ readonly ask: Ask; readonly root: string }> {
  const root = repository(t, FILES);
  const [planner, editor] = await Promise.all([modelServer(...planning), modelServer(...editing)]);
  t.after(() => Promise.all([planner.close(), editor.close()]));
  const { environment } = home(t, {
    ...(planning.length === 0 ? {} : { CODEPLAN_PLAN_BASE_URL: planner.baseUrl, CODEPLAN_PLAN_MODEL: 'p' }),
    ...(editing.length === 0 ? {} : { CODEPLAN_EDIT_BASE_URL: editor.baseUrl, CODEPLAN_EDIT_MODEL: 'e' }),
  });
  const engine = createLocalEngine({ root, mode: 'in-process', watch: false, environment, log: () => undefined });
  t.after(() => engine.close());
  const service = engine.connect({ id: '1', name: 'an agent', workingDirectory: root, environment });
  const ask: Ask = (name, given) => {
    const tool = toolsOf('plans').find((known) => known.name === name);
    return tool === undefined ? assert.fail(`there is no tool ${name}`) : tool.call(service, given, call);
  };
  return { ask, root };
}

test('an agent has a request planned, goes on from the text, and has its edits written', async (t) => {
  const { ask, root } = await agent(
    t,
    [PLAN],
    [
      edits('def wait_seconds(count, limit):\n    """Waits for some seconds."""\n    return min(count, limit)'),
      edits('def retry(job):\n    """Again."""\n    wait_seconds(3, 5)\n    return job()'),
    ],
  );
  const planned = await ask('plan', { request: 'limit the wait', symbols: 1 });
  assert.match(planned.text, /^# Plan\n\n> limit the wait\n\n1\. let the wait for seconds take a limit\n/);
  assert.match(planned.text, /\n {3}- `clock\.py:wait_seconds` def wait_seconds/);
  assert.match(planned.text, /ended: queueEmpty; \d+ questions, \d+ tokens\ngraph: /);
  const plan = planned.text.replace('1. let', '1. [edit] let').replace(/\nended: [^]*$/, '');
  const work = await ask('do', { plan, stopAfter: 'work' });
  assert.match(work.text, /^1 step, as far as the work\n1\. \[edit clock\.py:wait_seconds\] let the wait/);
  const done = await ask('do', { plan, apply: true });
  assert.match(
    done.text,
    /^1 step: 1 done, 0 open\n1\. \[edit clock\.py:wait_seconds\][^\n]* – done\n[^]*written; undo/,
  );
  assert.match(readFileSync(join(root, 'retry.py'), 'utf8'), /wait_seconds\(3, 5\)/);
});

test('without a model an agent is told so, and a request is still looked up', async (t) => {
  const { ask } = await agent(t, [], []);
  await assert.rejects(
    () => ask('plan', { request: 'limit the wait' }),
    (error) => error instanceof ServiceError && error.kind === 'settings' && /topk/.test(error.message),
  );
  assert.match((await ask('plan', { request: 'wait seconds', mode: 'topk' })).text, /`clock\.py:wait_seconds`/);
  assert.match((await ask('do', { plan: '> x\n\n1. ponder the seconds\n' })).text, /0 done, 1 open\n1\. \[unclear\]/);
  assert.equal((await ask('do', { request: '' })).refused, true);
});
