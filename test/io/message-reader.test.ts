/** What a client leaves in memory that vanished in the middle of a message. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { messageReader } from '#src/io/process/message-reader.js';

describe('the reader of messages', () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

  test('keeps no timer for a message that never becomes whole', async () => {
    const before = timers();
    const input = new PassThrough();
    const ended = new Promise<void>((resolve) => {
      const reader = messageReader(input);
      reader.onClose(resolve);
      reader.listen(() => undefined);
    });
    input.write('Content-Length: 100\r\n\r\n{"jsonrpc"');
    input.destroy();
    await ended;
    assert.equal(timers(), before);
  });
});
