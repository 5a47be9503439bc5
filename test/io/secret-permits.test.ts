/**
 * What the person lets be sent although it looks like a secret: one value, in one file, in one repository, until it
 * is taken back; against a real server.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { rootKey } from '#src/io/disk/folders.js';
import { chatModel } from '#src/io/model/model-endpoint.js';
import { ENDPOINT_DEFAULTS } from '#src/io/model/model-settings.js';
import { SecretPermits } from '#src/io/settings/secret-permits.js';
import { editRequest } from '../support/edit-request.js';
import { modelServer, says } from '../support/model-server.js';

const ANSWER = 'Here:\n```python\ndef save(store, k):\n    store.put(k, 0)\n```\n';
const ROOT = '/home/me/repository';

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'permits-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('what was held back is sent once it is allowed, and nothing else is', async (t) => {
  const permits = new SecretPermits(folder(t), ROOT);
  const server = await modelServer(says(ANSWER));
  t.after(() => server.close());
  const ask = (fragment: string) =>
    chatModel({
      ...ENDPOINT_DEFAULTS,
      baseUrl: server.baseUrl,
      apiKey: undefined,
      model: 'small',
      streaming: false,
      permits,
    }).edit(editRequest({ fragment, line: 41 }), new AbortController().signal);

  const held = await ask('def save():\n    password = "tr0ub4dor"\n');
  assert.ok(held.kind === 'cannot');
  assert.match(held.reason, /pkg\/job\.py:42 looks like a password or key .* \(rule assigned-literal\)/);
  assert.doesNotMatch(held.reason, /tr0ub/);
  const fingerprint = /--send-anyway (assigned-literal:[0-9a-f]{16})$/.exec(held.reason)?.[1];
  assert.ok(fingerprint, held.reason);
  assert.equal(server.asked.length, 0);

  permits.allow([fingerprint]);
  const another = await ask('def save():\n    password = "tr0ub4dor2"\n');
  assert.equal(another.kind, 'cannot', 'another value is held back still');
  const both = await ask('def save():\n    password = "tr0ub4dor"\n    pw = "c0rrecth0rse"\n');
  assert.ok(both.kind === 'cannot');
  assert.match(both.reason, /pkg\/job\.py:43 /, 'the line that is not allowed is named');
  assert.equal(server.asked.length, 0);
  assert.equal((await ask('def save():\n    password = "tr0ub4dor"\n')).kind, 'edit');
  assert.equal(server.asked.length, 1);

  assert.equal(permits.withdraw(fingerprint), 1);
  assert.equal(permits.withdraw(fingerprint), 0);
  assert.equal((await ask('def save():\n    password = "tr0ub4dor"\n')).kind, 'cannot');
});

test('a fingerprint is of a value, a file, a rule, a repository and a machine', (t) => {
  const [here, elsewhere] = [folder(t), folder(t)];
  const one = new SecretPermits(here, ROOT);
  const fingerprint = one.fingerprintOf('a.py', 'jwt', 'v');
  assert.equal(new SecretPermits(here, ROOT).fingerprintOf('a.py', 'jwt', 'v'), fingerprint, 'the salt stays');
  const others = [
    one.fingerprintOf('b.py', 'jwt', 'v'),
    one.fingerprintOf('a.py', 'npm', 'v'),
    one.fingerprintOf('a.py', 'jwt', 'w'),
    new SecretPermits(here, `${ROOT}2`).fingerprintOf('a.py', 'jwt', 'v'),
    new SecretPermits(elsewhere, ROOT).fingerprintOf('a.py', 'jwt', 'v'),
  ];
  assert.equal(new Set([fingerprint, ...others]).size, 6);
});

test('what cannot be read, or is of another repository, allows nothing', (t) => {
  const state = folder(t);
  const permits = new SecretPermits(state, ROOT);
  permits.noteHeld(['jwt:0123456789abcdef']);
  permits.allow(['jwt:0123456789abcdef']);
  assert.deepEqual(permits.all(), ['jwt:0123456789abcdef']);
  const file = join(state, rootKey(ROOT), 'sent-anyway.json');
  const text = readFileSync(file, 'utf8');
  for (const damaged of ['', '{', 'null', text.replace(ROOT, '/other'), text.slice(0, -4)]) {
    writeFileSync(file, damaged);
    assert.equal(permits.isAllowed('jwt:0123456789abcdef'), false, damaged);
  }
});

test('what was never held back cannot be allowed', (t) => {
  const state = folder(t);
  const permits = new SecretPermits(state, ROOT);
  permits.noteHeld(['jwt:0123456789abcdef']);
  for (const of of [permits, new SecretPermits(state, '/another/root')])
    assert.throws(
      () => of.allow(['jwt:fedcba9876543210', 'jwt:0123456789abcdef']),
      /nothing of this repository was held back as jwt:fedcba9876543210.*copy the fingerprint from the message/su,
    );
  assert.deepEqual(permits.all(), [], 'all or none');
  permits.allow(['jwt:0123456789abcdef']);
  permits.allow(['jwt:0123456789abcdef']);
  assert.deepEqual(permits.all(), ['jwt:0123456789abcdef']);
});
