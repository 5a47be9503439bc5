/** What `propagate` prints of a plan of many steps. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { planLines } from '#src/cli/plan-text.js';
import type { Open, PropagateReport, Step } from '#protocol/propagate.js';
import type { WorkEntry } from '#protocol/work.js';

const plain = (text: string): string => text;

function planOf(steps: number, open: number): PropagateReport {
  return {
    schema: 1,
    complete: true,
    applied: false,
    run: '1',
    iterations: 1,
    steps: Array.from({ length: steps }, (_, at): Step => ({
      id: at + 1,
      file: `f${at % 4}.py`,
      block: `g${at}`,
      startLine: at + 1,
      how: 'mechanical',
      rule: 'rename',
      status: 'proposed',
      tier: 'breaks',
      reason: 'It calls put.',
      diff: '',
      causes: [],
    })),
    open: Array.from({ length: open }, (_, at): Open => ({
      file: 'h.py',
      block: `h${at}`,
      reason: 'It calls put.',
      needs: 'person',
      tier: 'breaks',
      confidence: 'certain',
    })),
    undecided: [],
    problems: [],
    oracle: null,
    usage: { calls: 0, promptTokens: 0, completionTokens: 0 },
  };
}

describe('the text of a plan', () => {
  test('does not say that nothing is open while a step of its task is', () => {
    const work: WorkEntry = { step: 1, kind: 'create', by: 'model', blocks: [], state: 'open' };
    const task = { steps: [], text: '', search: null, work: [work] };
    const last = (report: PropagateReport): string | undefined => planLines(report, plain).at(-1);
    assert.match(last({ ...planOf(1, 0), task }) ?? '', /nothing else is known to be open, 1 step of the task open/);
    assert.match(last({ ...planOf(0, 0), task }) ?? '', /1 step of the task open/);
    assert.match(last(planOf(1, 0)) ?? '', /nothing is open/);
  });

  test('of many steps shows the first, and what all come to', () => {
    const lines = planLines(planOf(500, 100), plain);
    assert.equal(lines.filter((line) => line.includes('by rule rename, proposed')).length, 5);
    assert.ok(lines.includes('… 495 more steps (--limit shows more)'));
    assert.ok(lines.includes('  500  by rule rename'));
    assert.ok(lines.includes('  125  f3.py'));
    assert.ok(lines.includes('… 90 more open places (--limit shows more)'));
    assert.ok(lines.length < 110, `${lines.length} lines`);
  });

  test('shows all of a few, and as many as are asked for', () => {
    assert.ok(!planLines(planOf(60, 60), plain).some((line) => line.startsWith('…')));
    assert.ok(!planLines(planOf(500, 100), plain, 500).some((line) => line.startsWith('…')));
  });
});
