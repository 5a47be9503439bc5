/**
 * What the program keeps of its own and of the person's words, and settings that it writes for others: every single
 * call of the file system goes wrong in turn, and each time what was kept before is still there, and what was said to
 * be kept is.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { SettingsText } from '#src/agents/hosts.js';
import { putInto, takeOutOf, type SettingsFile } from '#src/cli/settings-files.js';
import { forgetSuddenEnds, noteSuddenEnd, refuseAfterSuddenEnds } from '#src/daemon/sudden-ends.js';
import { campaign as campaignSchema } from '#src/fleet/campaign.js';
import { realFileSystem, type FileSystem } from '#src/io/disk/file-system.js';
import { rootKey } from '#src/io/disk/folders.js';
import { CampaignStore, campaignIds } from '#src/io/fleet/campaign-store.js';
import type { JobReport } from '#src/io/fleet/job.js';
import { Workshop } from '#src/io/fleet/workshop.js';
import { ContentStore } from '#src/io/model/content-store.js';
import { SecretPermits } from '#src/io/settings/secret-permits.js';
import { eachFault } from '../support/each-fault.js';
import { rememberFolder } from '../support/picture.js';
import { quickFolder } from '../support/temporary-folder.js';

const text = { write: (value: string) => value, read: (value: string) => value };

test('what models made of texts is what was put in or nothing, and what was there before stays', async (t) => {
  const folder = join(quickFolder(t), 'made');
  const store = (fs: FileSystem): ContentStore<string> => new ContentStore(folder, { writing: text, most: 10_000, fs });
  const first = store(realFileSystem);
  first.put('old', 'old value');
  first.close();
  // So many that opening joins them.
  const [segment] = readdirSync(folder);
  assert.ok(segment);
  const line = readFileSync(join(folder, segment), 'utf8');
  for (let at = 2; at < 12; at++)
    writeFileSync(join(folder, `${String(at).padStart(8, '0')}-${'a'.repeat(16)}.jsonl`), line);
  const reset = rememberFolder(folder);
  let failed = 0;
  const put: string[] = [];
  await eachFault(
    t,
    realFileSystem,
    () => {
      reset();
      put.length = 0;
    },
    (fs) => {
      const kept = store(fs);
      assert.ok([undefined, 'old value'].includes(kept.get('old')));
      for (const key of ['a', 'b', 'c']) {
        kept.put(key, `${key}: ${key.repeat(40)}`);
        put.push(key);
        assert.equal(kept.get(key), `${key}: ${key.repeat(40)}`, 'it is there, whatever the disk says');
      }
      kept.close();
      // Nothing is said to be kept, so a failure need not be said either; the law counts it.
      if (store(realFileSystem).get('c') === undefined) throw new Error('not kept');
    },
    (fault, error) => {
      const again = store(realFileSystem);
      assert.equal(again.get('old'), 'old value');
      for (const key of ['a', 'b', 'c']) {
        const found = again.get(key);
        assert.ok(found === undefined || found === `${key}: ${key.repeat(40)}`, `${key} became ${found}`);
        if (fault === 'short') assert.equal(found, `${key}: ${key.repeat(40)}`, 'a write of a part is gone on with');
      }
      again.close();
      if (error !== undefined) failed++;
    },
  );
  assert.ok(failed > 0);
});

test('what may be sent although it looks like a secret is never forgotten by a call that fails', async (t) => {
  const state = join(quickFolder(t), 'state');
  const permits = (fs?: FileSystem): SecretPermits => new SecretPermits(state, '/r', fs);
  const [old, next] = ['old', 'next'].map((value) => permits().fingerprintOf('f.py', 'rule', value));
  assert.ok(old !== undefined && next !== undefined);
  permits().noteHeld([old, next]);
  permits().allow([old]);
  const reset = rememberFolder(state);
  const nothingElse = (): void => {
    assert.equal(permits().fingerprintOf('f.py', 'rule', 'old'), old, 'the salt is another one');
    const left = readdirSync(join(state, rootKey('/r'))).filter((name) => !name.endsWith('.json'));
    assert.ok(left.every((name) => /\.[0-9a-f]{24}\.tmp$/u.test(name)));
  };
  await eachFault(
    t,
    realFileSystem,
    reset,
    (fs) => permits(fs).allow([next]),
    (_, error) => {
      const all = permits().all();
      assert.ok(all.includes(old), 'what was allowed before is lost');
      if (error === undefined) assert.ok(all.includes(next));
      nothingElse();
    },
  );
  await eachFault(
    t,
    realFileSystem,
    reset,
    (fs) => permits(fs).withdraw(old),
    (_, error) => {
      if (error === undefined) assert.deepEqual(permits().all(), [], 'it is said to be withdrawn, and is not');
      nothingElse();
    },
  );
  await eachFault(
    t,
    realFileSystem,
    reset,
    (fs) => {
      const printed = permits(fs).fingerprintOf('f.py', 'rule', 'old');
      permits(fs).noteHeld(['rule:new']);
      // Held back all the same, under whatever name: only the law's count is told.
      if (printed !== old) throw new Error('another fingerprint');
    },
    () => {
      nothingElse();
      permits().allow([next]);
      assert.deepEqual(permits().all(), [old, next], 'what was held back before can still be allowed');
    },
  );
});

test('a campaign of which one call fails is there as a whole or is not there, and can be made again', async (t) => {
  const state = quickFolder(t);
  const environment = { XDG_STATE_HOME: state };
  const change = JSON.stringify({ some: 'change' });
  const campaign = campaignSchema.parse({
    version: 1,
    id: 'c',
    created: '2026-11-24T00:00:00.000Z',
    change: 'a'.repeat(64),
    packages: [],
    repositories: [],
    settings: {
      model: 'none',
      values: {},
      oracle: null,
      trustOracle: false,
      push: false,
      propose: null,
      lookUp: null,
      title: 't',
      author: { name: 'n', email: 'e@example.org' },
      canary: 0,
      openMost: 0,
      hourMost: 0,
    },
  });
  await eachFault(
    t,
    realFileSystem,
    () => rmSync(join(state, 'codeplan'), { recursive: true, force: true }),
    (fs) => {
      const made = CampaignStore.create(environment, campaign, change, fs);
      const other = made.keepChange('another');
      assert.equal(readFileSync(made.changePath(other), 'utf8'), 'another');
      assert.deepEqual(CampaignStore.open(environment, 'c', fs).campaign, campaign);
    },
    () => {
      if (campaignIds(environment).length === 0) CampaignStore.create(environment, campaign, change);
      const opened = CampaignStore.open(environment, 'c');
      assert.deepEqual(opened.campaign, campaign);
      for (const content of [change, 'another'])
        assert.equal(readFileSync(opened.changePath(opened.keepChange(content)), 'utf8'), content);
    },
  );
});

test('that a proposal was begun is noted before it is said to be, and never forgotten by a call that fails', async (t) => {
  const folder = join(quickFolder(t), 'workshop');
  const signal = new AbortController().signal;
  const workshop = (fs?: FileSystem): Workshop => new Workshop(folder, signal, fs);
  const body = join(folder, 'proposal.md');
  const report = (commit: string): JobReport => ({
    kind: 'outcome',
    outcome: { step: 'commit', input: 'a'.repeat(64), verdict: 'ready', reason: 'is ready', commit, place: '/r' },
  });
  const [old, next] = [report('a'.repeat(40)), report('b'.repeat(40))];
  const begin = (): void => {
    rmSync(folder, { recursive: true, force: true });
    workshop().keepDone('commit', old);
    workshop().proposalFile('old text');
  };
  await eachFault(
    t,
    realFileSystem,
    begin,
    (fs) => {
      const here = workshop(fs);
      assert.equal(here.isProposing(), false);
      assert.equal(readFileSync(here.proposalFile('new text'), 'utf8'), 'new text');
      here.noteProposing('a'.repeat(40));
      here.keepDone('commit', next);
    },
    (_, error) => {
      const kept = workshop().done('commit', 'a'.repeat(64));
      assert.ok(
        [old, next].some((each) => isDeepStrictEqual(each, kept)),
        'what was done is lost',
      );
      assert.ok(['old text', 'new text'].includes(readFileSync(body, 'utf8')), 'half of a text would be proposed');
      if (error !== undefined) return;
      assert.deepEqual(kept, next);
      assert.ok(workshop().isProposing(), 'it would be proposed twice');
    },
  );
  await eachFault(
    t,
    realFileSystem,
    () => {
      begin();
      workshop().noteProposing('a'.repeat(40));
    },
    (fs) => {
      const here = workshop(fs);
      assert.ok(here.isProposing(), 'a call that fails is no "nothing was begun"');
      here.forgetProposing();
    },
    (_, error) => {
      if (error === undefined) assert.ok(!workshop().isProposing());
    },
  );
});

test('settings of others have our entry or are as they were', async (t) => {
  const folder = quickFolder(t);
  const own: SettingsFile = {
    path: join(folder, 'home', 'settings'),
    put: (before) => (before?.includes('ours\n') === true ? before : `${before ?? ''}ours\n`),
    taken: (before) => {
      if (!before.includes('ours\n')) throw new SettingsText('is something else');
      return before === 'ours\n' ? undefined : before.replace('ours\n', '');
    },
  };
  const inRoot: SettingsFile = { ...own, root: folder, path: join(folder, 'editor', 'settings') };
  for (const file of [own, inRoot])
    for (const [before, after] of [
      [undefined, 'ours\n'],
      ['theirs\n', 'theirs\nours\n'],
    ] as const) {
      const state = (): string | undefined => (existsSync(file.path) ? readFileSync(file.path, 'utf8') : undefined);
      const begin = (content: string | undefined) => (): void => {
        rmSync(join(file.path, '..'), { recursive: true, force: true });
        if (content === undefined) return;
        mkdirSync(join(file.path, '..'));
        writeFileSync(file.path, content);
      };
      const either: readonly (string | undefined)[] = [before, after];
      const check = (wanted: string | undefined) => (_: unknown, error: unknown) => {
        assert.ok(either.includes(state()), `became ${state()}`);
        if (error === undefined) assert.equal(state(), wanted);
      };
      await eachFault(t, realFileSystem, begin(before), (fs) => putInto(file, fs), check(after));
      await eachFault(t, realFileSystem, begin(after), (fs) => takeOutOf(file, fs), check(before));
    }
});

test('how daemons ended is counted or not counted, and never forgotten', async (t) => {
  const lock = join(quickFolder(t), 'lock');
  const refused = (): boolean => {
    try {
      refuseAfterSuddenEnds(lock);
      return false;
    } catch {
      return true;
    }
  };
  const note = (fs?: FileSystem): void => noteSuddenEnd(lock, { why: 'killed' }, fs);
  await eachFault(
    t,
    realFileSystem,
    () => {
      forgetSuddenEnds(lock);
      note();
      assert.ok(!refused());
    },
    note,
    (_, error) => {
      assert.ok(!refused());
      note();
      const counted = refused();
      if (error === undefined) assert.ok(counted);
      if (!counted) note();
      assert.ok(refused(), 'the end before is forgotten');
    },
  );
});
