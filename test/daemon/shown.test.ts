/** What an editor shows of names and reasons that want to command or to mislead: hints, titles, errors. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CancellationTokenSource, ResponseError, type InitializeParams } from 'vscode-languageserver/node';
import type { LeftReport } from '#protocol/left.js';
import { actionsFor } from '#src/daemon/actions.js';
import { answer } from '#src/daemon/answer.js';
import { featuresOf } from '#src/daemon/client-features.js';
import { hintsOf } from '#src/daemon/hints.js';
import { PathsAndUris } from '#src/daemon/paths-and-uris.js';
import { ServiceError } from '#src/engine/service.js';
import { EVERYTHING } from '../support/lsp-client.js';

const UNSAFE = /(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const word = fc
  .array(fc.constantFrom('a', '\u001b[31m', '\n', '\r', '\t', '\u202e', '\u009b', '"', '\\', 'é'), { minLength: 1 })
  .map((parts) => parts.join(''));
// eslint-disable-next-line @typescript-eslint/no-deprecated -- the protocol demands it still
const editor: InitializeParams = { processId: null, rootUri: null, capabilities: EVERYTHING };

test('hints and titles hold nothing of it, and what goes back to the server is exact', () => {
  const features = featuresOf(editor);
  fc.assert(
    fc.property(word, word, word, (file, block, reason) => {
      const cause = { file, block, label: 'MMS' as const };
      const report: LeftReport = {
        schema: 1,
        root: '/r',
        base: 'HEAD',
        changes: [{ ...cause, kind: 'method', detail: {}, startLine: 1 }],
        entries: [
          {
            file: 'job.py',
            block,
            kind: 'function',
            startLine: 1,
            endLine: 2,
            tier: 'breaks',
            confidence: 'possible',
            relation: 'CalledBy',
            depth: 1,
            cause,
            rule: 'MMS/CalledBy',
            reason,
            fact: reason,
            id: 'a',
            line: 1,
            column: 0,
            state: 'open',
            sites: [],
            beside: 'possible',
          },
        ],
        counts: { left: 1, breaks: 1, waiting: 0, rejected: 0, dismissed: 0, undecided: 0 },
        files: [{ file: 'job.py', ids: ['a'] }],
        says: [],
        undecided: [],
        complete: true,
        problems: [],
      };
      const hints = hintsOf('job.py', report, 9, features, new PathsAndUris('/r'));
      const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
      const params = { textDocument: { uri: 'file:///r/job.py' }, range, context: { diagnostics: [] } };
      const actions = actionsFor('job.py', params, report, hints, features);
      assert.equal(hints.length, 1);
      assert.ok(actions.length > 1);
      for (const { message, relatedInformation = [] } of hints) {
        assert.doesNotMatch(String(message), UNSAFE);
        for (const related of relatedInformation) assert.doesNotMatch(related.message, /[\n\t]/u);
      }
      for (const { title } of actions) assert.doesNotMatch(title, /[\p{Cc}\u202e]/u);
      assert.equal((hints[0]?.data as { block: string }).block, block);
    }),
  );
});

test('errors', async () => {
  const log = (): void => undefined;
  for (const error of [
    new ServiceError('root', 'no \u001b[2J\u202e here', ['\u001b.py']),
    new Error('\u009b2J\u2028'),
  ]) {
    const failed: unknown = await answer('codeplan/impact', new CancellationTokenSource().token, log, () => {
      throw error;
    }).catch((caught: unknown) => caught);
    assert.ok(failed instanceof ResponseError);
    assert.doesNotMatch(failed.message, UNSAFE);
    assert.match(failed.message, /\[U\+(?:001B|009B)\]/u);
  }
});
