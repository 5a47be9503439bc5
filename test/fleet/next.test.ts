/** What a campaign lets happen next, as a function of its events alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Campaign } from '#src/fleet/campaign.js';
import type { FleetEvent, Outcome } from '#src/fleet/event.js';
import { nextOf } from '#src/fleet/next.js';
import { planInput, stateAfter, stateAtFirst } from '#src/fleet/state.js';

const ENGINE = 'engine';
const TIME = '2026-11-23T00:00:00.000Z';
const CHANGE = 'c'.repeat(64);
const COMMIT = 'a'.repeat(40);

const campaign: Campaign = {
  version: 1,
  id: 'shop',
  created: TIME,
  change: CHANGE,
  packages: [{ ecosystem: 'pypi', name: 'shop' }],
  repositories: ['a', 'b', 'c'].map((key) => ({ key, source: `/${key}`, owner: '' })),
  settings: {
    model: 'none',
    values: {},
    oracle: null,
    trustOracle: false,
    push: false,
    propose: ['host'],
    lookUp: null,
    title: 'shop',
    author: { name: 'a', email: 'a@b' },
    canary: 0,
    openMost: 2,
    hourMost: 0,
  },
};

const of = (repository: string, outcome: Outcome): FleetEvent => ({
  type: 'outcome',
  time: TIME,
  repository,
  attempt: 1,
  outcome,
});

function looked(key: string): FleetEvent {
  return of(key, {
    step: 'look',
    input: CHANGE,
    base: COMMIT,
    baseBranch: 'main',
    dependence: 'behind',
    reason: 'behind',
    publishes: [],
    uses: [],
    isDirty: false,
  });
}

function planned(key: string): FleetEvent {
  const progress = stateAfter(campaign, [looked(key)]).repositories.get(key);
  assert.ok(progress !== undefined);
  return of(key, {
    step: 'plan',
    input: planInput(progress, [CHANGE], campaign.settings, ENGINE),
    verdict: 'planned',
    reason: 'planned',
    commit: COMMIT,
    edits: 1,
    steps: [],
    files: ['a.py'],
    open: [],
    notes: [],
    undecided: 0,
    oracle: null,
  });
}

const committed = (key: string): FleetEvent =>
  of(key, { step: 'commit', input: CHANGE, verdict: 'ready', reason: 'ready', commit: COMMIT, place: `/${key}` });
const proposed = (key: string): FleetEvent =>
  of(key, { step: 'propose', input: CHANGE, verdict: 'proposed', reason: 'proposed', address: key });

test('the limit of open proposals holds for those that are under way, in whatever order branches become ready', () => {
  const keys = campaign.repositories.map(({ key }) => key);
  const begun = [...keys.map(looked), ...keys.map(planned)];
  const orders = keys.flatMap((one) => keys.filter((two) => two !== one).map((two) => [one, two]));
  for (const [first = '', second = ''] of orders) {
    const order = [first, second, ...keys.filter((key) => key !== first && key !== second)];
    const asked = new Set<string>();
    let state = stateAtFirst(campaign);
    for (let ready = 0; ready <= order.length; ready++) {
      state = stateAfter(campaign, [...begun, ...order.slice(0, ready).map(committed)]);
      for (const { key, steps } of nextOf(campaign, state, { until: 'propose', engine: ENGINE, now: Date.parse(TIME) })
        .jobs)
        if (steps.includes('propose')) asked.add(key);
    }
    assert.deepEqual([...asked].sort(), [first, second].sort(), order.join());
    const after = stateAfter(campaign, [...begun, ...order.map(committed), ...[first, second].map(proposed)]);
    const { jobs, held } = nextOf(campaign, after, { until: 'propose', engine: ENGINE, now: Date.parse(TIME) });
    assert.deepEqual(jobs, []);
    assert.match(held.get(order[2] ?? '') ?? '', /2 open proposals, which is the limit/u);
  }
});
