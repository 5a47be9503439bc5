/** Language servers of the test's own: a program of a few lines that speaks the protocol. */

/** A server in a few lines: `answer(message)` gives the result, or undefined for no answer. */
export const fakeLanguageServer = (answer: string): string[] => [
  process.execPath,
  '-e',
  `
  let text = Buffer.alloc(0);
  const send = (message) => { const body = JSON.stringify({ jsonrpc: '2.0', ...message }); process.stdout.write('Content-Length: ' + Buffer.byteLength(body) + '\\r\\n\\r\\n' + body); };
  const answer = ${answer};
  process.stdin.on('data', (chunk) => {
    text = Buffer.concat([text, chunk]);
    for (;;) {
      const end = text.indexOf('\\r\\n\\r\\n');
      const length = Number(/Content-Length: (\\d+)/.exec(text.subarray(0, Math.max(end, 0)).toString())?.[1]);
      if (end < 0 || text.length < end + 4 + length) return;
      const message = JSON.parse(text.subarray(end + 4, end + 4 + length).toString());
      text = text.subarray(end + 4 + length);
      if (message.method === 'exit') process.exit(0);
      const result = answer(message);
      if (message.id !== undefined && result !== undefined) send({ id: message.id, result });
    }
  });
`,
];
