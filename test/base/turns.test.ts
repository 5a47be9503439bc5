/** Long work that gives way: who else is heard between its turns. */
import assert from 'node:assert/strict';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import { createProtocolConnection, StreamMessageWriter } from 'vscode-languageserver/node';
import { inTurns, type Turns } from '#src/base/turns.js';
import { messageReader } from '#src/io/process/message-reader.js';

/** As long as a turn takes, and some more. */
const TURN_MS = 9;
const TURNS = 20;

const connectionOver = (socket: Socket): ReturnType<typeof createProtocolConnection> =>
  createProtocolConnection(messageReader(socket), new StreamMessageWriter(socket));

test('a message that comes while work goes on is heard once the turn is over', async () => {
  const server = createServer();
  const heard = new Promise<Socket>((resolve) => server.once('connection', resolve));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const editor = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [near, far] = [connectionOver(editor), connectionOver(await heard)];
  let turns = 0;
  let heardAt = -1;
  far.onNotification('key', () => {
    heardAt = turns;
  });
  near.listen();
  far.listen();
  function* work(): Turns<void> {
    for (; turns < TURNS; turns++) {
      const started = performance.now();
      // What is sent within a turn lies in the socket when it ends.
      if (turns === 5) void near.sendNotification('key');
      while (performance.now() - started < TURN_MS);
      yield;
    }
  }
  await inTurns(work(), new AbortController().signal);
  near.dispose();
  far.dispose();
  editor.destroy();
  server.close();
  assert.ok(heardAt >= 5 && heardAt <= 7, `sent in turn 5, heard in turn ${heardAt}`);
});
