/** A campaign as a page, in a real browser: as a file, of 200 repositories, and live while the campaign goes on. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { fleetState, type FleetReport, type FleetRepository, type FleetStep } from '#protocol/fleet.js';
import { fleetPage } from '#src/page/fleet-page.js';
import { Browser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { changeFile, report } from '../support/fleet-campaign.js';
import { photographed } from '../support/photographs.js';
import { home } from '../support/program.js';
import { makeRepositories, syntheticFleet } from '../support/synthetic-fleet.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { needs } from '../support/tool.js';

const EVIL = `</style></title><script>document.title = 'taken'</script><img src=x onerror="document.title = 'taken'">`;

const REASONS: Readonly<Record<FleetRepository['state'], string>> = {
  waiting: 'nobody has looked at it yet',
  'not-affected': 'no manifest of it names shop',
  affected: 'pyproject.toml uses shop >=1.0.0,<2, and the change is ahead of that',
  planned: 'waits for your yes after the canary',
  'needs-value': '1 call needs a value for table',
  'needs-person': 'a folder of it has edits that are not committed',
  checked: '3 edits in 2 files',
  proposed: '3 edits in 2 files',
  merged: '3 edits in 2 files',
  failed: 'cannot be fetched: fatal: could not read from remote repository',
  withdrawn: 'its proposal was closed',
};
const COUNTS: readonly (readonly [FleetRepository['state'], number])[] = [
  ['waiting', 5],
  ['not-affected', 90],
  ['affected', 4],
  ['planned', 10],
  ['needs-value', 6],
  ['needs-person', 7],
  ['checked', 30],
  ['proposed', 20],
  ['merged', 19],
  ['failed', 8],
  ['withdrawn', 1],
];

const STEP: FleetStep = {
  file: 'src/orders/job.py',
  block: 'save',
  line: 4,
  reason: 'shop.Store.put is called insert',
  diff: '--- a/src/orders/job.py\n+++ b/src/orders/job.py\n@@ -4 +4 @@\n-    store.put("a")\n+    store.insert("a")\n',
};

function repositoryOf(state: FleetRepository['state'], n: number): FleetRepository {
  const key = `service-${state}-${n}-0f3a9c${n}`;
  const isEdited = ['planned', 'checked', 'proposed', 'merged', 'withdrawn'].includes(state);
  return {
    key,
    source: `git@git.example:shop/service-${n}.git`,
    owner: 'git.example/shop',
    state,
    reason: REASONS[state],
    attempt: 1,
    wave: n % 7 === 0 ? 1 : 0,
    edits: isEdited ? 3 : 0,
    files: isEdited ? ['src/orders/job.py', 'pyproject.toml'] : [],
    steps: isEdited ? [STEP] : [],
    open:
      state === 'needs-value'
        ? [
            {
              file: 'src/read.py',
              line: 12,
              block: 'read',
              reason: 'the call lacks a value',
              needs: 'value',
              value: 'table',
            },
          ]
        : [],
    notes: isEdited ? ['poetry.lock: run poetry lock'] : [],
    undecided: 0,
    oracle: null,
    ...(state === 'checked'
      ? { ready: { repository: `/fleet/shop/${key}/tree`, branch: 'codeplan/shop-2.0.0', commit: 'c'.repeat(40) } }
      : {}),
    ...(state === 'proposed' || state === 'merged' ? { proposal: `https://git.example/shop/service-${n}/pull/7` } : {}),
  };
}

function reportWith(repositories: readonly FleetRepository[]): FleetReport {
  const counts = Object.fromEntries(
    fleetState.options.map((name) => [name, repositories.filter(({ state }) => state === name).length]),
  ) as FleetReport['counts'];
  return {
    schema: 1,
    campaign: 'shop-2.0.0',
    title: 'Follow shop 2.0.0',
    created: '2026-11-23T10:00:00.000Z',
    status: 'running',
    running: true,
    packages: [{ ecosystem: 'pypi', name: 'shop', from: '1.0.0', to: '2.0.0' }],
    branch: 'codeplan/shop-2.0.0',
    counts,
    repositories: [...repositories],
    damaged: 0,
    folder: '/fleet/shop',
  };
}

test('of 200 repositories one sees the sums, what waits and what failed, and why', needs('chromium'), async (t) => {
  const page = join(temporaryFolder(t), 'campaign.html');
  const all = COUNTS.flatMap(([state, count]) => Array.from({ length: count }, (_, n) => repositoryOf(state, n)));
  writeFileSync(page, fleetPage(reportWith(all)));
  const browser = await Browser.start(t);
  await browser.open(pathToFileURL(page).href);
  for (const scheme of ['light', 'dark'] as const) {
    await browser.colours(scheme);
    await browser.evaluate('scrollTo(0, 0)');
    await photographed(browser, `fleet-${scheme}`);
    await browser.evaluate('document.querySelector("#failed").scrollIntoView()');
    await photographed(browser, `fleet-failed-${scheme}`);
    await browser.evaluate('document.querySelector("#checked").scrollIntoView()');
    await photographed(browser, `fleet-checked-${scheme}`);
  }
  const text = await browser.evaluate<string>('document.body.innerText');
  assert.match(text, /repositories\s+200\s/u);
  assert.match(text, /could not read from remote repository/u);
  assert.equal(await browser.evaluate('document.querySelectorAll("article").length'), 200);
  assert.equal(browser.complaints.length, 0, browser.complaints.join('\n'));
});

test('every text of a campaign is escaped on its page', () => {
  const evil: FleetRepository = {
    ...repositoryOf('failed', 1),
    source: EVIL,
    reason: EVIL,
    files: [EVIL],
    steps: [{ file: EVIL, block: EVIL, reason: EVIL, diff: `+${EVIL}\n` }],
    open: [{ file: EVIL, block: EVIL, reason: EVIL, needs: 'value', value: EVIL }],
    notes: [EVIL],
    ready: { repository: EVIL, branch: EVIL, commit: EVIL },
    proposal: `javascript:${EVIL}`,
  };
  const page = fleetPage({ ...reportWith([evil]), title: EVIL, branch: EVIL });
  assert.equal(page.match(/<script|<img|href="javascript/gu), null);
});

test('the page follows a campaign while it is planned and run, and says when it ends', needs('chromium'), async (t) => {
  const there = home(t);
  const folder = temporaryFolder(t);
  const fleet = syntheticFleet('python');
  makeRepositories(join(folder, 'repositories'), fleet.consumers);
  const change = await changeFile(there, folder, fleet);
  await report(there, folder, 'plan', change, '--repositories', 'repositories', '--name', 'shop');
  const serving = there.start(folder, 'fleet', 'status', 'shop', '--page');
  t.after(() => serving.kill('SIGKILL'));
  let said = '';
  serving.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const url = await eventually('the address', () => /http:\/\/127\.0\.0\.1:\d+\/open\/\S+/u.exec(said)?.[0]);
  const browser = await Browser.start(t);
  await browser.open(url);
  const fold = 'document.querySelector("#not-affected ~ article details")';
  assert.equal(await browser.evaluate(`${fold}.open`), false);
  await browser.evaluate(`${fold}.firstElementChild.click()`);
  await browser.evaluate('window.stayed = true');
  const ready = (): Promise<string> =>
    browser.evaluate<string>('[...document.querySelectorAll("h2")].map((each) => each.innerText).join("; ")');
  assert.doesNotMatch(await ready(), /branch lies ready/u);
  const run = await report(there, folder, 'run', 'shop');
  const expected = `their branch lies ready (${run.counts.checked})`;
  await eventually(expected, async () => (await ready()).includes(expected) || undefined);
  assert.equal(await browser.evaluate('window.stayed'), true, 'the page was never left');
  assert.equal(await browser.evaluate(`${fold}.open`), true, 'what a person unfolded stays so');
  const ended = '(document.querySelector(".ended").checkVisibility())';
  assert.equal(await browser.evaluate(ended), false);
  assert.equal(browser.complaints.length, 0, browser.complaints.join('\n'));
  serving.kill('SIGINT');
  await eventually('the page says that it is on its own', async () => (await browser.evaluate(ended)) || undefined);
});
