/** What `graph refs` prints of few and of many references. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refsLines } from '#src/cli/graph-text.js';
import type { Reference, RefsReport } from '#protocol/graph.js';

const plain = (text: string): string => text;

/** The first is only possible. */
function reportOf(count: number): RefsReport {
  const references = Array.from({ length: count }, (_, at): Reference => ({
    file: `f${at % 12}.py`,
    block: `g${at}`,

    startLine: at + 1,
    startColumn: 1,
    endLine: at + 1,
    endColumn: 4,
    relation: at % 3 === 0 ? 'ImportedBy' : 'CalledBy',
    confidence: at === 0 ? 'possible' : 'certain',
    via: 'import',
  }));
  return { schema: 1, blocks: [], references, denied: [], undecided: [], problems: [], complete: true };
}

describe('the text of references', () => {
  test('shows each of a few', () => {
    const lines = refsLines(reportOf(60), plain);
    assert.equal(lines.length, 61);
    assert.equal(lines.at(-1), '60 references: 59 certain, 1 possible.');
  });

  test('of many shows the first certain ones, and what all come to', () => {
    const lines = refsLines(reportOf(600), plain);
    assert.ok(lines.length <= 60, `${lines.length} lines`);
    assert.match(lines[0] ?? '', /g1 .*certain/u);
    assert.deepEqual(lines.slice(25, 31), [
      '… 575 more references (--limit shows more)',
      '',
      'by relation',
      '  400  CalledBy',
      '  200  ImportedBy',
      'by file',
    ]);
    assert.ok(lines.includes('  … 2 more: 100 references'));
    assert.equal(lines.at(-1), '600 references: 599 certain, 1 possible.');
  });

  test('shows as many as are asked for', () => {
    assert.equal(refsLines(reportOf(600), plain, 600).length, 601);
    assert.equal(refsLines(reportOf(5), plain, 0)[0], '… 5 more references (--limit shows more)');
  });
});
