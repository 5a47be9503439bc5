/** What a model wrote, read as a plan and as a judgement; and how plans are scored and ordered at the end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgementForm } from '#src/search/judgement.js';
import { keyOf, type Plan } from '#src/search/plan.js';
import { intentsInText, proposalForm } from '#src/search/proposal.js';
import { ranked } from '#src/search/ranking.js';
import { diversityOf, guidance, Judge, recallOf, type Scores } from '#src/search/scorer.js';
import { codeIn } from '#src/search/plan-prompt.js';
import { parseAnswer } from '#src/context/answer.js';
import { jsonInText, withoutThoughts } from '#src/model/json-in-text.js';
import type { PlanNode } from '#src/search/search.js';
import { readChoice } from '#src/model/structured.js';
import { assertLinear } from '../support/growth.js';
import { planSymbol } from '../support/plan-symbols.js';
import { scriptedModel } from '../support/scripted-model.js';

const form = proposalForm(1);

function read(text: string): readonly string[] | string {
  const result = readChoice({ text, toolCalls: [], finish: 'stop' }, form);
  return result.ok ? result.value.flatMap(({ intents }) => intents) : result.reason;
}

test('steps are read from every form in which models write them', () => {
  const cases: Readonly<Record<string, string>> = {
    'bare JSON': '{"thought": "t", "steps": [{"intent": "load it"}, {"intent": "save it"}]}',
    'in a fence': 'Here is the plan:\n```json\n{"steps": [{"intent": "load it"}, {"intent": "save it"}]}\n```\nDone.',
    'other names': '{"plan": [{"description": "load it"}, "save it"]}',
    tags: '<plan><step number="1">load it</step><step number="2">save it</step></plan>',
    'numbers that are none': '<step number="2.5">load it</step>\n<step number="x">save it</step>',
    'a number that is lacking': '<step>load it</step><step>save it',
    'tags in tags': '<step number="1"><intention>load it</intention></step><step><intent>save it</intent></step>',
    'a list': 'My plan:\n\n1. load it\n2) save it\n\nThat is all.',
    'a list in bold': '**1.** load it\n**Step 2:** save it',
    'a list with lines': '1. load\n   it\n2. save it\n   - with care',
    signs: '- load it\n- save it',
    'thoughts in front': '<think>1. no\n2. no</think>\n1. load it\n2. save it',
    'the same twice': '1. load it\n2. Load it.\n3. save it\n4. ',
    'JSON after a draft': '{"steps": ["no"]} is wrong, so: {"steps": ["load it", "save it"]}',
  };
  for (const [name, text] of Object.entries(cases)) assert.deepEqual(read(text), ['load it', 'save it'], name);
  assert.deepEqual(read('<step>a < b & c</step>'), ['a < b & c']);
  assert.deepEqual(read('<step>a &lt; b &amp; c</step>'), ['a < b & c']);
});

test('what is no plan says so', () => {
  for (const text of ['I would rather not.', '{"steps": []}', '{"steps": 3}', '<plan></plan>', '[]'])
    assert.equal(read(text), 'the answer has no steps', text);
  assert.equal(read('  '), 'the answer is empty');
  assert.equal(
    (readChoice({ text: 'no', toolCalls: [], finish: 'refused' }, form) as { reason: string }).reason,
    'the model declined to answer',
  );
  assert.deepEqual(intentsInText(''), []);
});

test('thoughts that are never closed stay, those that are closed go', () => {
  assert.equal(withoutThoughts('a<think>b</think>c<reasoning>d'), 'ac<reasoning>d');
  assert.equal(withoutThoughts('<think><think>a</think>b</think>c'), 'b</think>c');
  assert.equal(withoutThoughts('<think>a<thinking>b</thinking>c'), '<think>ac');
});

test('whatever a model writes is read in time in proportion to its length', () => {
  const hostile = ['<think>', '<think><thinking></thinking>', '{', '{"a":', '[[],', '```\n', '```python\n', '~~~\n'];
  const readers = { jsonInText, intentsInText, codeIn, parseAnswer };
  for (const part of hostile)
    for (const [name, reader] of Object.entries(readers))
      assertLinear(`${name} of ${part}`, 20_000, (size) => reader(part.repeat(size / part.length)));
  const blocks = (size: number): string =>
    Array.from({ length: size / 10 }, (_, i) => `\`\`\`\n${i}\n\`\`\`\n`).join('');
  assertLinear('different blocks', 20_000, (size) => parseAnswer(blocks(size)));
});

test('a tool call is read before the text', () => {
  const toolCalls = [{ id: '1', name: 'propose', arguments: '{"steps": ["load it"]}' }];
  const result = readChoice({ text: '1. something else', toolCalls, finish: 'stop' }, form);
  assert.ok(result.ok);
  assert.deepEqual(result.value[0]?.intents, ['load it']);
});

const plan = (...steps: string[][]): Plan => ({
  steps: steps.map((paths, at) => ({ intent: `step ${at}`, symbols: paths.map(planSymbol) })),
});

test('diversity counts different symbols: members of different classes, overloads, nested ones', () => {
  const symbols = ['lib.a', 'lib.Outer.a', 'lib.Outer.Inner.a', 'lib.a#2'];
  assert.equal(diversityOf(plan(symbols, ['lib.a'])), 4);
});

test('recall goes by the last part of a name; as published, by any part of it', () => {
  const one = plan(['lib.prune'], ['lib.Store.put']);
  assert.equal(recallOf(one, ['put', 'run']), 0.5);
  assert.equal(recallOf(one, ['put', 'run'], true), 1);
  assert.equal(recallOf(one, []), 0);
});

test('plans are the same whatever their case, spaces and order of symbols', () => {
  const of = (intent: string, ...paths: string[]): string =>
    keyOf({ steps: [{ intent, symbols: paths.map(planSymbol) }] });
  assert.equal(of('Load it.', 'lib.a', 'lib.b'), of('  load   IT', 'lib.b', 'lib.a'));
  assert.notEqual(of('load it', 'lib.a'), of('load it', 'lib.b'));
});

function judged(text: string, steps = 2): unknown {
  const result = readChoice({ text, toolCalls: [], finish: 'stop' }, judgementForm(steps));
  return result.ok ? [result.value.plan, result.value.steps] : result.reason;
}

test('a judgement is read with too few numbers, too many, and such as are out of range', () => {
  assert.deepEqual(judged('{"plan": 6, "steps": [5, 3]}'), [6, [5, 3]]);
  assert.deepEqual(judged('{"plan": 6, "steps": [5]}'), [6, [5, 5]]);
  assert.deepEqual(judged('{"plan": "6", "steps": [{"score": 2}, 4, 7]}'), [6, [2, 4]]);
  assert.deepEqual(judged('{"plan": 60, "steps": [-5, 0]}'), [7, [1, 1]]);
  assert.deepEqual(judged('{"plan": 3}'), [3, [3, 3]]);
  assert.deepEqual(judged('Plan: 5/7\nStep 1: 4\nStep 2 - 6'), [5, [4, 6]]);
  assert.equal(judged('{"steps": [1]}'), 'there is no number for the plan');
  assert.equal(judged('fine'), 'there is no number for the plan');
});

const { signal } = new AbortController();

test('a judge is asked three times for a number, and once for equal plans', async () => {
  const model = scriptedModel({ 'plan/judge': (_, nth) => [nth < 2 ? 'hm' : '{"plan": 6, "steps": [2]}'] });
  const judge = new Judge(model, 'do it', () => 'code', signal);
  const first = await judge.judge(plan(['lib.a']));
  assert.deepEqual([first.judgement, first.usage.calls], [{ plan: 6, steps: [2] }, 3]);
  const again = await judge.judge(plan(['lib.a']));
  assert.deepEqual([again.judgement, again.usage.calls], [{ plan: 6, steps: [2] }, 0]);
  assert.equal(model.told.length, 3);
  const mute = new Judge(scriptedModel({ 'plan/judge': () => ['hm'] }), 'do it', () => 'code', signal);
  assert.equal((await mute.judge(plan(['lib.a']))).judgement, undefined);
  assert.deepEqual((await mute.judge(plan())).judgement, { plan: 0, steps: [] });
});

test('guidance: a plan without a number ranks behind any; blended ranks are means of places', () => {
  const scores: Scores[] = [
    { diversity: 3 },
    { diversity: 1, judgement: { plan: 6, steps: [2] } },
    { diversity: 2, judgement: { plan: 5, steps: [7] } },
  ];
  assert.deepEqual(guidance('diversity', scores), [3, 1, 2]);
  assert.deepEqual(guidance('likert', scores), [-Infinity, 4, 6]);
  assert.deepEqual(guidance('blend', scores), [1, 0.5, 1.5]);
});

test('at the end a judged plan goes by its own number first, and the search by the mean of both', () => {
  const node = (id: number, level: number, mean: number): PlanNode => ({
    id,
    plan: plan([`lib.a${id}`]),
    parent: 0,
    depth: 1,
    state: 'frontier',
    scores: { diversity: 1, judgement: { plan: level, steps: [mean] } },
  });
  const nodes = [node(0, 6, 2), node(1, 5, 7), { ...node(2, 7, 7), plan: plan() }];
  assert.deepEqual(
    guidance(
      'likert',
      nodes.slice(0, 2).map(({ scores }) => scores),
    ),
    [4, 6],
  );
  assert.deepEqual(
    ranked(nodes, 'likert').map(({ id }) => id),
    [0, 1],
  );
});
