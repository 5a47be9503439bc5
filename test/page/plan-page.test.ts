/**
 * The plan as a page, in a real browser: what it shows, that it asks for nothing, and that a repository's texts
 * stay texts.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { LatestPlan, livePlan } from '#src/daemon/latest-plan.js';
import { PageServer } from '#src/daemon/page-server.js';
import { planPage } from '#src/page/plan-page.js';
import { METHODS } from '#protocol/methods.js';
import type { PropagateReport, Step } from '#protocol/propagate.js';
import { Browser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { repository } from '../support/git-repository.js';
import { LspClient } from '../support/lsp-client.js';
import { photographed } from '../support/photographs.js';
import { home } from '../support/program.js';
import { RENAMED_STORE, SHOP } from '../support/shop.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { needs } from '../support/tool.js';

const EVIL = `</pre></style></title><script>document.title = 'taken'</script><img src="http://127.0.0.1:9/x" onerror="document.title = 'taken'">`;

const STEP: Step = {
  id: 1,
  file: EVIL,
  block: EVIL,
  how: 'model',
  rule: EVIL,
  status: 'failed',
  causes: [{ step: 0, relation: 'CalledBy', label: 'MMS' }],
  tier: 'breaks',
  diff: `+${EVIL}\n`,
  reason: EVIL,
  fact: EVIL,
  startLine: 1,
};
const REPORT: PropagateReport = {
  schema: 1,
  run: EVIL,
  applied: true,
  iterations: 2,
  steps: [STEP],
  undo: EVIL,
  open: [{ file: EVIL, block: EVIL, reason: EVIL, needs: 'value', value: EVIL, line: 3 }],
  undecided: [{ file: EVIL, line: 4, reason: EVIL }],
  oracle: {
    name: EVIL,
    baseline: null,
    after: 1,
    new: [{ file: EVIL, line: 1, column: 0, severity: 'error', message: EVIL }],
  },
  usage: { calls: 1, promptTokens: 10, completionTokens: 1, cost: 0.5 },
  complete: false,
  problems: [{ file: EVIL, message: `${EVIL}\u202e` }],
};

test(
  'plan --html: one page with graph, causes, tiers, differences and verdict, without a script or a request',
  needs('chromium'),
  async (t) => {
    const root = repository(t, {
      ...SHOP,
      'evil.py': `from store import Store\n\n\ndef evil(store: Store):\n    store.put(${JSON.stringify(EVIL)}, 2)\n`,
    });
    writeFileSync(join(root, 'store.py'), RENAMED_STORE);
    const page = join(temporaryFolder(t), 'plan.html');
    const { code, stderr } = await home(t).run(root, 'plan', '--no-daemon', '--html', page);
    assert.equal(code, 1, stderr);

    const browser = await Browser.start(t);
    await browser.open(pathToFileURL(page).href);
    assert.notEqual(await browser.evaluate('document.title'), 'taken');
    assert.equal(await browser.evaluate('document.querySelectorAll("script, img, link, iframe, [onerror]").length'), 0);
    assert.equal(await browser.evaluate('document.querySelectorAll("article").length'), 3);
    assert.equal(
      await browser.evaluate('document.querySelectorAll("svg .node").length'),
      4,
      'the edit and three steps',
    );
    assert.equal(await browser.evaluate('document.querySelectorAll("svg .edge").length'), 3);
    assert.match(await browser.evaluate<string>('document.body.innerText'), /by rule \S+ · follows from your edit/u);
    assert.ok((await browser.evaluate<string>('document.querySelector(".diff .added").innerText')).includes('insert'));
    assert.ok(
      (await browser.evaluate<string>('document.body.innerText')).includes(JSON.stringify(EVIL)),
      'shown as it is written',
    );
    assert.match(
      await browser.evaluate<string>('document.querySelector(".verdict").innerText'),
      /No compiler or test/u,
    );
    await photographed(browser, 'plan');
    await browser.click('svg a[href="#step-2"] rect');
    assert.equal(await browser.evaluate('location.hash'), '#step-2');
    assert.equal(
      await browser.evaluate('document.querySelector("article:target h3").innerText.startsWith("2.")'),
      true,
    );
    assert.deepEqual(
      browser.requested.map((url) => new URL(url).pathname),
      [pathToFileURL(page).pathname],
    );
    assert.equal(browser.complaints.length, 0, browser.complaints.join('\n'));
    // A second line of defence: the page's own policy refuses what would get into it.
    assert.equal(
      await browser.evaluate(
        `(() => { const script = document.createElement('script'); script.textContent = "document.title = 'taken'"; document.body.append(script); return document.title === 'taken'; })()`,
      ),
      false,
    );
    assert.ok(
      browser.complaints.some((text) => text.includes('Content Security Policy')),
      browser.complaints.join('\n'),
    );
  },
);

test("every text of a plan is escaped on its page, and the oracle's verdict stands there", () => {
  const page = planPage(REPORT, { title: EVIL });
  assert.equal(page.match(/<script|<img/gu), null);
  assert.equal(page.split('&lt;script&gt;').length - 1, 24, 'wherever a text can stand');
  assert.match(page, /1 new error \(unknown before, 1 after\)/u);
  assert.match(page, /\[U\+202E\]/u, 'what reorders a line is named');
  const silent = planPage(
    { ...REPORT, oracle: { name: 'mypy', baseline: null, after: null, new: [], message: 'not found' } },
    { title: 'shop' },
  );
  assert.match(silent, /mypy could not run: not found/u);
});

test('of hundreds of steps one sees the sums, what is left, and folded files', needs('chromium'), async (t) => {
  const steps = Array.from({ length: 500 }, (_, n): Step => {
    const file = `jobs/table_${Math.floor(n / 10)}.py`;
    return {
      ...STEP,
      id: n + 1,
      file,
      block: `save_${n}`,
      how: 'mechanical',
      rule: 'add-parameter',
      status: 'proposed',
      reason: 'the call lacks a value for ttl',
      diff: `--- a/${file}\n+++ b/${file}\n@@ -1,1 +1,1 @@\n-put(${n})\n+put(${n}, 60)\n`,
    };
  });
  const left = { file: 'x.py', reason: 'the call spreads its arguments', needs: 'model' } as const;
  const open = Array.from({ length: 50 }, (_, n) => ({ ...left, block: `left_${n}`, line: n + 1 }));
  const page = join(temporaryFolder(t), 'plan.html');
  const report = { ...REPORT, applied: false, steps, open, undecided: [], oracle: null, problems: [] };
  writeFileSync(page, planPage(report, { title: 'shop' }));
  const browser = await Browser.start(t);
  await browser.open(pathToFileURL(page).href);
  const text = await browser.evaluate<string>('document.body.innerText');
  assert.match(text, /edits\s+500\s+by rule\s+500\s+files\s+50\s+left for you\s+50/u);
  assert.ok(text.split('\n').length < 150, `${text.split('\n').length} lines at first`);
  assert.equal(await browser.evaluate('document.querySelectorAll("svg").length'), 0, 'no picture that nobody can read');
  await browser.click('details.file-group > summary');
  await photographed(browser, 'many');
  assert.match(
    await browser.evaluate('document.body.innerText'),
    /\n10 × \+ 60\n/u,
    'edits that are alike are one row',
  );
  assert.equal(await browser.evaluate('document.querySelector("article").checkVisibility()'), false);
  await browser.click('#steps details.alike > summary');
  assert.equal(await browser.evaluate('document.querySelector("article").checkVisibility()'), true);
  await browser.evaluate('document.querySelector("#hide-breaks").click()');
  assert.equal(await browser.evaluate('document.querySelector("details.file-group").checkVisibility()'), false);
});

test('while something is looked for, a group is accepted as far as it is shown', needs('chromium'), async (t) => {
  const steps = ['save', 'load', 'drop'].map((block, n): Step => {
    const diff = `--- a/x.py\n+++ b/x.py\n@@ -1,1 +1,1 @@\n-put(${n})\n+put(${n}, 60)\n`;
    return {
      ...STEP,
      id: n + 1,
      file: 'x.py',
      block,
      how: 'mechanical',
      rule: 'add-parameter',
      status: 'proposed',
      diff,
    };
  });
  const page = join(temporaryFolder(t), 'plan.html');
  const report = { ...REPORT, applied: false, steps, open: [], undecided: [], oracle: null, problems: [] };
  writeFileSync(page, planPage(report, { title: 'shop', live: 1 }));
  const browser = await Browser.start(t);
  await browser.open(pathToFileURL(page).href);
  await browser.evaluate(
    'window.fetch = (_, { body }) => { window.said = body; return Promise.resolve({ ok: true }); }; undefined',
  );
  const group = (): Promise<string> =>
    browser.evaluate<string>('document.querySelector(".file-group [data-verdict=accept]").textContent');
  assert.equal(await group(), 'Accept all 3');
  await browser.evaluate('document.querySelector("#find").value = "load"; find()');
  assert.equal(await group(), 'Accept the 1 shown');
  await browser.evaluate('document.querySelector(".file-group [data-verdict=accept]").click()');
  assert.match(await browser.evaluate('window.said'), /"accept":\[2\]/);
  await browser.evaluate('document.querySelector("#find").value = ""; find()');
  assert.equal(await group(), 'Accept all 3');
});

test('a page that cannot be written is a failure that says where', async (t) => {
  const root = repository(t, SHOP);
  const { code, stderr } = await home(t).run(root, 'plan', '--no-daemon', '--html', join(root, 'nowhere/plan.html'));
  assert.equal(code, 2);
  assert.match(stderr, /cannot write the page to .*nowhere/u);
  assert.equal(readFileSync(join(root, 'store.py'), 'utf8'), SHOP['store.py']);
});

test(
  "the daemon serves the session's latest plan, which follows what becomes of it, to who has the token",
  needs('chromium'),
  async (t) => {
    const root = repository(t, SHOP);
    const there = home(t);
    const editor = new LspClient(there, root);
    t.after(() => editor.kill());
    await editor.initialize();
    const { url } = (await editor.execute('codeplan.page')) as { url: string };
    await eventually('the page is shown', () => editor.shown.includes(url) || undefined);
    const browser = await Browser.start(t);
    await browser.open(url);
    assert.match(await browser.evaluate('document.body.innerText'), /No plan was made yet/u);
    const text = (): Promise<string> => browser.evaluate<string>('document.body?.innerText ?? ""');
    const shows = (pattern: RegExp): Promise<unknown> =>
      eventually(String(pattern), async () => pattern.test(await text()) || undefined);

    await editor.renameStore();
    const { run } = (await editor.execute('codeplan.preview')) as PropagateReport;
    await shows(/2\. report proposed/u);
    await browser.evaluate('document.querySelector("#step-2 [data-verdict=reject]").click()');
    await shows(/2\. report rejected|Not taken/u);
    assert.match(await text(), /rejected\s+1\s+left for you\s+0/u);
    assert.match(await text(), /report\.py 1 step, 1 breaks, 1 rejected/u);
    assert.equal(await browser.evaluate('document.querySelector("#said").innerText'), '');
    const reviewed = editor.notified.find(({ method }) => method === 'codeplan/reviewed');
    assert.deepEqual(
      reviewed?.params,
      { ...METHODS['codeplan/reviewed'].example.params, run },
      'the editor hears of it',
    );
    await photographed(browser, 'reviewed');
    const keys = (...pressed: readonly string[]): Promise<unknown> =>
      browser.evaluate(
        `for (const key of ${JSON.stringify(pressed)})` +
          ' (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))',
      );
    await keys('n', 'n', 'a');
    await shows(/2\. report accepted/u);
    await browser.evaluate('{ const find = document.querySelector("#find"); find.value = "job.py"; }');
    await browser.evaluate('document.querySelector("#find").dispatchEvent(new Event("input", { bubbles: true }))');
    const visible = '[...document.querySelectorAll("article")].filter((step) => step.checkVisibility()).length';
    assert.equal(await browser.evaluate(visible), 1, 'what is not found is hidden');
    await browser.evaluate('document.querySelector("#find").focus()');
    await keys('Enter');
    assert.equal(await browser.evaluate('document.activeElement.id'), 'step-1', 'Enter leads to what was found');
    await editor.execute('codeplan.propagate', { run, steps: [1] });
    await shows(/1\. save applied/u);
    assert.equal(await browser.evaluate(visible), 1, 'also after it became another page');
    await browser.evaluate('document.querySelector("#find").value = ""; find()');
    await shows(/1\. save applied[^]*2\. report rejected/u);
    await photographed(browser, 'live');
    await editor.execute('codeplan.undo');
    await shows(/1\. save proposed[^]*2\. report proposed/u);
    assert.equal(browser.complaints.length, 0, browser.complaints.join('\n'));

    const shown = await browser.evaluate<string>('location.href');
    const { port, pathname } = new URL(shown);
    assert.notEqual(shown, url, 'what opens it once is not what shows it');
    const answer = async (path: string, options: RequestOptions = {}): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        request({ host: '127.0.0.1', port, path, ...options }, (response) => {
          response.destroy();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
    assert.equal(await answer(pathname), 200);
    assert.equal(await answer('/'), 404);
    assert.equal(await answer(`/${'x'.repeat(pathname.length - 2)}/`), 404);
    assert.equal(await answer(`${pathname}../`), 404);
    assert.equal(await answer(pathname, { method: 'POST' }), 405);
    for (const origin of [undefined, 'null', 'http://another.example', `http://localhost:${port}`])
      assert.equal(
        await answer(`${pathname}review`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(origin === undefined ? {} : { origin }) },
        }),
        403,
        'a word that is not from the page',
      );
    assert.equal(await answer(`${pathname}review`), 405);
    assert.equal(
      await answer(pathname, { headers: { host: `another.example:${port}` } }),
      404,
      'a name that was made to lead here',
    );
    assert.equal(await answer(new URL(url).pathname), 410, 'whoever comes second with the address');
    assert.equal(await answer(pathname), 404, 'ends what the first was given');
    await editor.quit();
    await assert.rejects(answer(pathname), /ECONNREFUSED/u);
  },
);

test('a change between the page and its connection is told by the connection', async (t) => {
  const plan = new LatestPlan();
  const server = new PageServer(livePlan(plan, 'shop'));
  t.after(() => server.close());
  const page = await fetch(await server.url());
  const shown = /data-revision="(\d+)"/u.exec(await page.text())?.[1];
  plan.made(REPORT);
  const events = await fetch(new URL('events', page.url));
  const reader = (events.body as ReadableStream<Uint8Array>).getReader();
  const told = new TextDecoder().decode((await reader.read()).value);
  await reader.cancel();
  assert.equal(shown, '0');
  assert.equal(told, 'data: 1\n\n');
});
