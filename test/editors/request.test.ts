/** A request in words in real editors: its plans in a buffer, edited step by step, carried out, applied, taken back. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { editorPrograms, emacsSession, neovimSession } from '../support/editors.js';
import { repository } from '../support/git-repository.js';
import { json, modelServer, piece, streams, type Asked, type Turn } from '../support/model-server.js';

const FILES = {
  'clock.py': 'def wait_seconds(count):\n    """Waits for some seconds."""\n    return count\n',
  'retry.py':
    'from clock import wait_seconds\n\n\ndef retry(job):\n    """Runs a job again after a pause of some seconds."""\n    wait_seconds(3)\n    return job()\n',
  'units.py': 'def to_seconds(text):\n    """Reads a time such as 3m as seconds."""\n    return int(text)\n',
};

type Seen = Readonly<
  Record<'stopped' | 'found' | 'unfolded' | 'link' | 'offered' | 'reworded' | 'edited' | 'edits' | 'face', string>
> & { readonly unsaved: unknown; readonly refusals: readonly string[] };

const says = (content: string): Turn => streams([piece(content), piece('', 'stop')], 'end');
const steps = (...intents: string[]): Turn => says(JSON.stringify({ steps: intents.map((intent) => ({ intent })) }));
const FIRST = 'let the function that waits for seconds take a limit';

/** One endpoint for all that is asked, which answers by what it is asked. */
function scripted(): Turn {
  const asked = new Map<string, number>();
  const next = (request: string): number => {
    asked.set(request, (asked.get(request) ?? 0) + 1);
    return asked.get(request) ?? 0;
  };
  const answer = (prompt: string): Turn => {
    if (prompt.includes('Refuse it')) return says('I cannot help with that.');
    if (prompt.includes('Fail at it')) return json(401, { error: { message: 'who are you' } });
    if (prompt.includes('Hang a while'))
      return next('hang') === 1 ? steps('wait for seconds') : streams([piece('')], 'hang');
    if (prompt.includes('Write Face')) return says('```\nclass Face:\n    hands = 2\n```');
    if (prompt.includes('The fragment: function wait_seconds'))
      return says('```\ndef wait_seconds(count, limit):\n    return min(count, limit)\n```');
    if (prompt.includes('The fragment: function retry'))
      return says('```\ndef retry(job):\n    wait_seconds(3, 5)\n    return job()\n```');
    return next('plan') === 1 ? steps(FIRST, 'paint the wall') : steps(FIRST, 'paint the wall', 'read a time');
  };
  return (response, entry) => answer(promptOf(entry))(response, entry);
}

const promptOf = ({ body }: Asked): string =>
  (body['messages'] as { content: string }[]).map(({ content }) => content).join('\n');

async function endpoint(t: TestContext): Promise<NodeJS.ProcessEnv> {
  const server = await modelServer(scripted());
  t.after(() => server.close());
  return { CODEPLAN_BASE_URL: server.baseUrl, CODEPLAN_MODEL: 'm' };
}

function check(seen: Seen): void {
  assert.match(seen.stopped, /Hang a while\n\nPlan 1: 1 step, 3 symbols\n {2}1\. wait for seconds\n/u);
  assert.match(
    seen.found,
    /Let the pause have a limit\nnothing of the repository fits one step\n\nPlan 1: 2 steps, 3 symbols\n {2}1\. let the function [^]*\n {2}2\. paint the wall\n/u,
  );
  assert.match(seen.found, /^ {4}clock\.py:1 {2}wait_seconds {2}def wait_seconds\(count\):$/mu);
  assert.match(seen.found, /Plan 2: 3 steps, 3 symbols\n?$/u, 'runners-up are folded');
  assert.match(seen.unfolded, /Plan 2: [^]* {2}3\. read a time\n/u);
  assert.equal(seen.link, 'clock.py:1');
  assert.equal(seen.offered, 'paint the wall');
  assert.match(seen.reworded, /2\. read a time as seconds\n {4}units\.py:1 /u, 'looked up anew');
  assert.match(seen.edited, /1\. \[edit\] let .*\n {4}clock\.py.*\n {2}2\. \[use\] read a time/u, 'one symbol is left');
  assert.match(seen.edited, /3\. \[create face\.py:Face\] build a clock face\n/u);
  assert.match(seen.edits, /^2 edits in 2 files$[^]*^clock\.py {2}1$[^]*^retry\.py {2}1$[^]*^face\.py {2}created$/mu);
  assert.equal(seen.face, 'class Face:\n    hands = 2\n');
  assert.equal(seen.unsaved, 0, 'nothing is written behind the editor');
  assert.match(seen.refusals[0] ?? '', /no plan was found: the model proposed no plan that could be read/u);
  assert.match(seen.refusals[1] ?? '', /no plan was found: .*status 401/u);
}

for (const { title, program, options } of editorPrograms('nvim'))
  test(`${title}: plans of a request, edited and carried out`, options, async (t) => {
    const root = repository(t, FILES);
    check((await neovimSession(t, program, 'nvim-request.lua', root, await endpoint(t))) as Seen);
  });

for (const { title, program, options } of editorPrograms('emacs'))
  test(`${title}: plans of a request, edited and carried out`, options, async (t) => {
    const root = repository(t, FILES);
    check((await emacsSession(t, program, 'emacs-request.el', root, [], await endpoint(t))) as Seen);
  });
