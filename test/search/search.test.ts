/**
 * Plan search with a scripted model: order, budgets, duplicates, retries, cancelling, the same bytes for the same
 * answers; and that it ends whatever is answered.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Model } from '#src/model/model.js';
import { normalised } from '#src/search/plan.js';
import { LINEAR, SEARCH_DEFAULTS, type SearchSettings } from '#src/search/search-settings.js';
import { searchPlans, type PlanNode, type SearchResult } from '#src/search/search.js';
import { groundByName } from '../support/plan-symbols.js';
import { completionOf, scriptedModel, type Script, type ScriptedModel } from '../support/scripted-model.js';

const steps = (...intents: string[]): string =>
  JSON.stringify({ thought: 'because', steps: intents.map((intent) => ({ intent })) });

interface Ran {
  readonly result: SearchResult;
  readonly model: ScriptedModel;
  readonly asked: readonly string[];
}

async function ran(
  given: Partial<SearchSettings>,
  scripts: Readonly<Record<string, Script>>,
  more: { readonly judge?: Model; readonly signal?: AbortSignal; readonly seen?: (nodes: number) => void } = {},
): Promise<Ran> {
  const { ground, asked } = groundByName();
  const model = scriptedModel(scripts);
  const result = await searchPlans(
    { request: 'do it', purpose: 'use', starting: [], files: ['lib.py'] },
    { ...SEARCH_DEFAULTS, ...given },
    {
      model,
      judge: more.judge,
      ground,
      definitionOf: ({ name }) => `def ${name}(): pass`,
      signal: more.signal ?? new AbortController().signal,
      progress: (nodes) => more.seen?.(nodes.length),
    },
  );
  return { result, model, asked };
}

const created = (most: number): Pick<SearchSettings, 'budget'> => ({ budget: { unit: 'created', most } });
const intents = ({ plan }: PlanNode): string[] => plan.steps.map(({ intent }) => intent);
const best = ({ nodes, ranked }: SearchResult): string[] => intents(nodes[ranked[0] ?? 0] as PlanNode);
const wantedOf = (model: ScriptedModel): (number | undefined)[] => model.told.map(({ options }) => options.n);

/** Every answer is new: the nth sample of all says `do <n>`. */
function endless(): Script {
  let count = 0;
  return ({ options }) => Array.from({ length: options.n ?? 1 }, () => steps(`do a${count++}`));
}

test('the best plan is gone on with first; a queue and a stack go by order alone', async () => {
  // The root gives three plans with 1, 3 and 2 symbols; then every plan gives one with more words of its own.
  const script: Script = ({ prompt, options }, nth) =>
    nth === 0
      ? [steps('use a'), steps('use a b c'), steps('use a b')]
      : Array.from({ length: options.n ?? 1 }, (_, at) =>
          steps(`${/^1\. (.*)$/m.exec(prompt)?.[1] ?? ''} ${nth}${at}`),
        );
  const second = async (strategy: SearchSettings['strategy']): Promise<string> => {
    const { model } = await ran({ strategy, ...created(6) }, { 'plan/unconstrained': script });
    return /^1\. (.*)$/m.exec(model.told[1]?.prompt ?? '')?.[1] ?? '';
  };
  assert.equal(await second('best-first'), 'use a b c');
  assert.equal(await second('breadth-first'), 'use a');
  assert.equal(await second('depth-first'), 'use a b');
});

test('of equal plans the one with fewer steps goes first, then the older one', async () => {
  const { result } = await ran(created(4), {
    'plan/unconstrained': () => [steps('use a', 'then b'), steps('use a b'), steps('use c d')],
  });
  assert.deepEqual(
    result.ranked.map((id) => intents(result.nodes[id] as PlanNode)),
    [['use a b'], ['use c d'], ['use a', 'then b']],
  );
});

test('a budget of plans gives exactly so many and asks for none too many', async () => {
  const { result, model } = await ran(created(9), { 'plan/unconstrained': endless() });
  assert.equal(result.stop, 'budget');
  assert.equal(result.nodes.length, 9);
  assert.deepEqual(wantedOf(model), [3, 3, 2]);
  assert.equal(result.usage.samples, 8);
});

test('a budget may be of expansions, of samples, of tokens', async () => {
  const expanded = await ran({ budget: { unit: 'expanded', most: 2 } }, { 'plan/unconstrained': endless() });
  assert.deepEqual([expanded.result.stop, expanded.result.usage.expansions], ['budget', 2]);
  const samples = await ran({ budget: { unit: 'samples', most: 4 } }, { 'plan/unconstrained': endless() });
  assert.deepEqual(wantedOf(samples.model), [3, 1]);
  const tokens = await ran({ budget: { unit: 'tokens', most: 20 } }, { 'plan/unconstrained': endless() });
  assert.equal(tokens.result.usage.expansions, 2);
});

test('a plan at the greatest depth is kept and not gone on with', async () => {
  const { result } = await ran({ depthMost: 1, ...created(50) }, { 'plan/unconstrained': endless() });
  assert.equal(result.stop, 'queueEmpty');
  assert.deepEqual(
    result.nodes.map(({ state }) => state),
    ['expanded', 'leaf', 'leaf', 'leaf'],
  );
  assert.equal(result.ranked.length, 3);
});

test('one proposal at a time, one step each, is a chain that ends at its depth', async () => {
  const { result } = await ran({ ...LINEAR, ...created(80) }, { 'plan/monotonic': endless() });
  assert.equal(result.stop, 'queueEmpty');
  assert.deepEqual(
    result.nodes.map(({ parent, plan }) => [parent, plan.steps.length]),
    [[undefined, 0], ...Array.from({ length: 20 }, (_, at) => [at, at + 1])],
  );
});

test('a step more leaves all earlier steps as they are, also where the whole plan is repeated', async () => {
  const { result, asked } = await ran(
    { successor: 'monotonic', branching: 1, ...created(4) },
    {
      'plan/monotonic': (_, nth) =>
        [
          [steps('use a')],
          // A whole plan whose beginning stands: what comes next in it is the step.
          [steps('Use a.', 'use b', 'use z')],
          // One whose beginning is another is not allowed, and is asked for again.
          [steps('use q', 'use r', 'use s')],
          ['<step number="9">use c</step>'],
        ][nth] ?? [],
    },
  );
  assert.deepEqual(
    result.nodes.map((node) => intents(node)),
    [[], ['use a'], ['use a', 'use b'], ['use a', 'use b', 'use c']],
  );
  assert.deepEqual(asked, ['use a', 'use b', 'use c']);
  assert.equal(result.usage.unusable, 1);
});

test('only words that are new are looked up', async () => {
  const { result, asked } = await ran(
    { branching: 1, ...created(3) },
    {
      'plan/unconstrained': (_, nth) => [
        nth === 0 ? steps('use a', 'use b', 'use c') : steps('use c', 'then d', '  USE   a. '),
      ],
    },
  );
  assert.deepEqual(asked, ['use a', 'use b', 'use c', 'then d']);
  assert.equal(result.usage.grounded, 4);
  const last = result.nodes[2] as PlanNode;
  assert.deepEqual(
    last.plan.steps.map(({ symbols }) => symbols.map(({ name }) => name)),
    [['c'], ['d'], ['a']],
  );
});

test('a plan that is there already is dropped; a model that echoes ends the search', async () => {
  const { result } = await ran(created(80), {
    'plan/unconstrained': ({ options }) => Array.from({ length: options.n ?? 1 }, () => steps('use a', 'use b')),
  });
  assert.equal(result.stop, 'queueEmpty');
  assert.deepEqual(
    result.nodes.map(({ state }) => state),
    ['expanded', 'leaf'],
  );
  assert.equal(result.usage.duplicates, 5);
});

test('only what is missing is asked for again, a few times', async () => {
  const { result, model } = await ran(created(4), {
    'plan/unconstrained': (_, nth) =>
      [
        ['I would begin with the rows.', steps('use a'), ''],
        ['no', steps('use b')],
        [steps('use c'), steps('use d')],
      ][nth] ?? [],
  });
  assert.deepEqual(wantedOf(model), [3, 2, 1]);
  assert.deepEqual([result.usage.unusable, result.nodes.length], [3, 4]);
});

test('a model that never gives a plan ends the search at its root, with the reason', async () => {
  const { result, model } = await ran({}, { 'plan/unconstrained': () => ['I cannot do that.'] });
  assert.equal(result.stop, 'modelFailure');
  assert.match(result.message ?? '', /no plan that could be read/);
  assert.deepEqual([model.told.length, result.ranked], [3, []]);
});

test('what went wrong outside ends the search with the best so far', async () => {
  const lost = { kind: 'unreachable', message: 'nothing listens there' } as const;
  const { result } = await ran(created(80), {
    'plan/unconstrained': (_, nth) =>
      nth === 0
        ? [steps('use a'), steps('use a b')]
        : { ok: false, error: lost, usage: { calls: 1, promptTokens: 0, completionTokens: 0 } },
  });
  assert.deepEqual([result.stop, result.message], ['modelFailure', 'nothing listens there']);
  assert.deepEqual(best(result), ['use a b']);
});

test('one question that takes too long costs one plan; several in a row end it', async () => {
  const slow = { kind: 'timeout', message: 'no answer' } as const;
  const failing = { ok: false, error: slow, usage: { calls: 1, promptTokens: 0, completionTokens: 0 } } as const;
  const { result } = await ran(
    { branching: 1, ...created(80) },
    { 'plan/unconstrained': (_, nth) => (nth === 0 ? [steps('use a')] : failing) },
  );
  assert.equal(result.stop, 'queueEmpty');
  const many = await ran(
    { branching: 5, ...created(80) },
    {
      'plan/unconstrained': (_, nth) =>
        nth === 0 ? ['a', 'b', 'c', 'd', 'e'].map((name) => steps(`use ${name}`)) : failing,
    },
  );
  assert.deepEqual([many.result.stop, many.result.usage.expansions], ['modelFailure', 4]);
});

test('a plan that was never gone on with can be the best', async () => {
  const { result } = await ran(created(5), {
    'plan/unconstrained': (_, nth) =>
      nth === 0 ? [steps('use a b'), steps('use a'), steps('use b')] : [steps('use a b c d')],
  });
  const first = result.nodes[result.ranked[0] ?? 0] as PlanNode;
  assert.deepEqual([first.state, intents(first)], ['frontier', ['use a b c d']]);
});

test('cancelled in its middle it gives what is best so far', async () => {
  const cancel = new AbortController();
  const { result } = await ran(
    created(80),
    { 'plan/unconstrained': endless() },
    {
      signal: cancel.signal,
      seen: (nodes) => {
        if (nodes > 6) cancel.abort(new Error('enough'));
      },
    },
  );
  assert.equal(result.stop, 'cancelled');
  assert.deepEqual([result.nodes.length, result.ranked.length], [7, 6]);
});

test('cancelled while a question is on its way as well', async () => {
  const cancel = new AbortController();
  const { result } = await ran(
    created(80),
    {
      'plan/unconstrained': (told, nth) => {
        if (nth === 1) cancel.abort(new Error('enough'));
        told.options.signal.throwIfAborted();
        return [steps('use a')];
      },
    },
    { signal: cancel.signal },
  );
  assert.deepEqual([result.stop, best(result)], ['cancelled', ['use a']]);
});

test('at temperature 0 different plans are asked for in one answer', async () => {
  const both = JSON.stringify({ plans: [{ steps: ['use a'] }, { steps: ['use b'] }, { steps: ['use c'] }] });
  const { result, model } = await ran({ temperature: 0, ...created(4) }, { 'plan/unconstrained': () => [both] });
  assert.deepEqual([wantedOf(model), result.nodes.length], [[1], 4]);
  assert.match(model.told[0]?.prompt ?? '', /with 3 plans that differ/);
});

test('the same answers give the same bytes', async () => {
  const once = async (): Promise<string> =>
    JSON.stringify((await ran(created(40), { 'plan/unconstrained': endless() })).result);
  assert.equal(await once(), await once());
});

test('recall does not fall with a greater budget where the model always adds what is right', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const perfect: Script = ({ prompt, options }) => {
    const known = names.filter((name) => new RegExp(`^\\d+\\. use ${name}$`, 'm').test(prompt));
    const next = names.slice(known.length, known.length + (options.n ?? 1));
    return next.length === 0 ? [steps('nothing')] : next.map((name) => steps(`use ${name}`));
  };
  const recalls: number[] = [];
  for (const most of [2, 5, 10, 20, 40]) {
    const { result } = await ran(
      { successor: 'monotonic', scorer: 'oracle', truth: names.map((name) => `lib.${name}`), ...created(most) },
      { 'plan/monotonic': perfect },
    );
    recalls.push(result.nodes[result.ranked[0] ?? 0]?.scores.recall ?? 0);
  }
  assert.deepEqual(recalls, [...recalls].sort());
  assert.ok((recalls.at(-1) ?? 0) > (recalls[0] ?? 0));
});

test('whatever a model answers, the search ends within its budget', async () => {
  const answer = fc.oneof(
    fc.string(),
    fc.constantFrom('', 'I refuse.', '<step>use a & b</step>', '1. use a\n2. use b', '{"steps": []}', '{"steps": 3}'),
    fc.array(fc.constantFrom('use a', 'use b', 'use c', 'USE a.', ''), { maxLength: 5 }).map((list) => steps(...list)),
  );
  const replies = fc.array(fc.array(answer, { maxLength: 5 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      replies,
      fc.constantFrom('created', 'expanded', 'samples', 'tokens'),
      fc.integer({ min: 1, max: 15 }),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom('monotonic', 'unconstrained'),
      fc.constantFrom('best-first', 'depth-first', 'breadth-first'),
      async (script, unit, most, branching, successor, strategy) => {
        const said: Script = (_, nth) => completionOf(script[nth % script.length] ?? []);
        const { result } = await ran(
          { successor, strategy, branching, budget: { unit, most } },
          { [`plan/${successor}`]: said },
        );
        if (unit === 'created') assert.ok(result.nodes.length <= most);
        if (unit === 'expanded') assert.ok(result.usage.expansions <= most);
        assert.ok(result.usage.samples <= Math.max(3 * branching, 15) * Math.max(1, result.usage.expansions));
        const keys = result.nodes.map(({ plan }) => JSON.stringify(plan.steps.map(({ intent }) => normalised(intent))));
        assert.equal(new Set(keys).size, keys.length);
      },
    ),
    { numRuns: 150, seed: 7 },
  );
});
