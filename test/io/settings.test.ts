/** Which settings hold, and that a repository cannot give itself what only the person may. */
import assert from 'node:assert/strict';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { withheldBy } from '#src/context/no-send.js';
import { ServiceError } from '#src/engine/service.js';
import { stateFolder } from '#src/io/disk/folders.js';
import { readSettings, readTrustRequest, type Settings, type SettingsSource } from '#src/io/settings/settings.js';
import { grantOfSettings, grantTrust, withdrawTrust } from '#src/io/settings/trust.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

interface Place extends SettingsSource {
  readonly home: string;
}

function place(t: TestContext, person: object | undefined, repository: object | string | undefined): Place {
  const [realRoot, home] = [temporaryFolder(t), temporaryFolder(t)];
  if (person !== undefined) writeFiles(home, { '.config/codeplan/config.json': JSON.stringify(person) });
  if (repository !== undefined)
    writeFiles(realRoot, { 'codeplan.json': typeof repository === 'string' ? repository : JSON.stringify(repository) });
  return { realRoot, home, environment: { HOME: home } };
}
function trust(source: SettingsSource): void {
  const request = readTrustRequest(source);
  assert.ok(request !== undefined);
  grantTrust(stateFolder(source.environment), source.realRoot, [grantOfSettings(request.sections)]);
}
const invalid =
  (pattern: RegExp) =>
  (error: unknown): boolean =>
    error instanceof ServiceError && error.kind === 'settings' && pattern.test(error.message);

test('without files the defaults hold', (t) => {
  const { configuration, trusted, ignored, notice } = readSettings(place(t, undefined, undefined));
  assert.equal(configuration.daemon.idleMinutes, 10);
  assert.equal(configuration.oracle, undefined);
  assert.deepEqual([trusted, ignored, notice], [null, [], undefined]);
});

test('layers lie on top of each other; lists that withhold are joined', (t) => {
  const source = place(
    t,
    {
      strict: true,
      exclude: ['a'],
      noSend: ['x'],
      values: { ttl: '1', n: '2' },
      hints: { perFileMost: 5, codeLens: false },
    },
    { strict: false, exclude: ['b'], noSend: ['y'], values: { ttl: '3' }, hints: { perFileMost: 9 } },
  );
  const { configuration } = readSettings({ ...source, editor: { values: { n: '4' }, daemon: { idleMinutes: 0 } } });
  assert.equal(configuration.strict, false);
  assert.deepEqual(configuration.exclude, ['a', 'b']);
  const withheld = withheldBy(configuration.noSend);
  assert.deepEqual(
    ['x', 'y', '.env', 'a/Secrets.py', 'z.py'].map((file) => withheld(file)),
    ['x', 'y', '.env', '*secret*', undefined],
  );
  assert.deepEqual(configuration.values, { ttl: '3', n: '4' });
  assert.deepEqual(configuration.hints, { enabled: true, perFileMost: 9, codeLens: false });
  assert.equal(configuration.daemon.idleMinutes, 0);
});

test("a repository's command, endpoint and limits are ignored until it is trusted", (t) => {
  const mine = { model: { baseUrl: 'http://127.0.0.1:1/v1' }, oracle: { preset: 'pyright' } };
  const theirs = {
    model: { baseUrl: 'https://evil.example/v1' },
    oracle: { command: ['sh', '-c', 'evil'], pattern: 'tsc' },
    limits: { modelCalls: 1000 },
    exclude: ['gen'],
  };
  const source = place(t, mine, theirs);
  const before = readSettings(source);
  assert.deepEqual(
    [before.configuration.model, before.configuration.oracle, before.configuration.limits],
    [mine.model, mine.oracle, {}],
  );
  assert.deepEqual(before.configuration.exclude, ['gen'], 'the rest counts');
  assert.equal(before.trusted, false);
  assert.deepEqual(before.ignored, ['model', 'oracle', 'limits']);
  assert.match(before.notice ?? '', /model, oracle, limits of codeplan\.json are ignored .*codeplan trust/u);
  assert.ok(!(before.notice ?? '').includes('\n'));

  trust(source);
  const after = readSettings(source);
  assert.deepEqual(
    [after.configuration.model, after.configuration.oracle, after.configuration.limits, after.trusted, after.notice],
    [theirs.model, theirs.oracle, theirs.limits, true, undefined],
  );

  withdrawTrust(stateFolder(source.environment), source.realRoot);
  assert.equal(readSettings(source).trusted, false);
});

test('trust is of the exact sections at the exact place', (t) => {
  const source = place(t, undefined, { oracle: { command: ['make', 'check'], pattern: 'tsc' }, exclude: ['a'] });
  trust(source);
  const rewrite = (content: object): Settings => {
    writeFiles(source.realRoot, { 'codeplan.json': JSON.stringify(content) });
    return readSettings(source);
  };
  assert.equal(
    rewrite({ exclude: ['b'], oracle: { pattern: 'tsc', command: ['make', 'check'] } }).trusted,
    true,
    'order and other sections do not matter',
  );
  assert.equal(rewrite({ oracle: { command: ['make', 'evil'], pattern: 'tsc' } }).trusted, false);
  assert.equal(
    rewrite({ oracle: { command: ['make', 'check'], pattern: 'tsc' }, model: { model: 'm' } }).trusted,
    false,
  );
  assert.equal(rewrite({ oracle: { command: ['make', 'check'], pattern: 'tsc' } }).trusted, true);
  const copy = temporaryFolder(t);
  writeFiles(copy, { 'codeplan.json': JSON.stringify({ oracle: { command: ['make', 'check'], pattern: 'tsc' } }) });
  assert.equal(readSettings({ ...source, realRoot: copy }).trusted, false);
});

test("a file named on the command line is the person's, unless it lies in the repository", (t) => {
  const source = place(t, undefined, { exclude: ['repository'] });
  writeFiles(source.home, { 'mine.json': JSON.stringify({ oracle: { preset: 'tsc' }, exclude: ['mine'] }) });
  writeFiles(source.realRoot, { 'ci/theirs.json': JSON.stringify({ oracle: { preset: 'tsc' } }) });
  const mine = readSettings({ ...source, configFile: join(source.home, 'mine.json') });
  assert.deepEqual(
    [mine.configuration.oracle, mine.configuration.exclude, mine.trusted],
    [{ preset: 'tsc' }, ['mine'], true],
  );
  const theirs = readSettings({ ...source, configFile: join(source.realRoot, 'ci/theirs.json') });
  assert.deepEqual([theirs.configuration.oracle, theirs.trusted], [undefined, false]);
  symlinkSync(join(source.realRoot, 'ci/theirs.json'), join(source.home, 'link.json'));
  assert.equal(
    readSettings({ ...source, configFile: join(source.home, 'link.json') }).trusted,
    false,
    'wherever a link to it lies',
  );
  assert.throws(() => readSettings({ ...source, configFile: join(source.home, 'none.json') }), invalid(/--config/u));
});

test('what does not fit is refused with its place', (t) => {
  const refuse = (repository: object | string, pattern: RegExp): void =>
    assert.throws(() => readSettings(place(t, undefined, repository)), invalid(pattern), String(repository));
  refuse('{ "exclude": [', /codeplan\.json is not JSON/u);
  refuse('[]', /does not fit/u);
  refuse({ excludes: [] }, /excludes/u);
  refuse({ model: { apiKey: 'sk-secret' } }, /apiKey.*at model/u);
  refuse({ model: { baseUrl: 'file:///etc' } }, /model\.baseUrl/u);
  refuse({ oracle: { command: 'make check', pattern: 'tsc' } }, /oracle/u);
  assert.throws(
    () => readSettings({ ...place(t, undefined, undefined), editor: { strict: 'yes' } }),
    invalid(/editor.*strict/u),
  );
  assert.throws(() => readSettings(place(t, { strict: 1 }, undefined)), invalid(/config\.json/u));
});

test('nothing is written by reading', (t) => {
  const source = place(t, undefined, { oracle: { preset: 'tsc' } });
  readSettings(source);
  assert.ok(!existsSync(join(source.home, '.local')));
});
