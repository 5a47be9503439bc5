// Drives the extension in a running code-server as a person would, and fails where a person would not see what they
// should: lens, badge, next place, value, take, tree, refactor preview, and the files afterwards.
// Usage: node drive.mjs <playwright-core folder> <Chromium> <address> <repository> <folder for pictures>
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [playwright, executablePath, address, repository, pictures] = process.argv.slice(2);
const { chromium } = (await import(pathToFileURL(join(playwright, 'index.js')).href)).default;
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1400, height: 800 } });
page.setDefaultTimeout(120_000);
const began = Date.now();
let number = 0;
const step = async (title) => {
  await page.screenshot({ path: join(pictures, `${++number}.png`) });
  console.log(`${((Date.now() - began) / 1000).toFixed(1)} s  ${title}`);
};
const widget = page.locator('.quick-input-widget:visible');
const pick = async (text) => {
  await widget.locator('input').waitFor();
  await page.keyboard.type(text);
  await widget
    .getByRole('option')
    .filter({ hasText: text.replace(/^>/, '') })
    .first()
    .click();
};
const command = async (title) => {
  await page.keyboard.press('F1');
  await pick(title);
};
const seen = (text) => page.getByText(text).first().waitFor();

try {
  await page.goto(`${address}/?folder=${repository}`);
  await page.getByText('store.py').first().dblclick();
  await page.locator('[aria-label^="codeplan"]').first().waitFor();
  await page.locator('.view-line').filter({ hasText: 'put' }).click();
  await step('a file is open');
  for (const key of ['End', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  await page.keyboard.type(', ttl');
  await seen('2 blocks affected (2 break)');
  await step('the lens counts');
  await page.locator('[aria-label="codeplan - 2 left"]').first().waitFor();
  await command('codeplan: Go to the Next Place');
  await page.locator('.tab.active[aria-label^="job.py"]').waitFor();
  await step('the next place is shown');
  await command('codeplan: Give the Value');
  await pick('Another expression');
  await page.getByText('Value for ttl').first().waitFor();
  await page.keyboard.type('60');
  await page.keyboard.press('Enter');
  if (
    await widget
      .getByText('For all places')
      .isVisible()
      .catch(() => false)
  )
    await pick('For all places that need it');
  await page.locator('[class*="ced-"]').first().waitFor();
  await page.waitForTimeout(2000);
  await step('its edit is shown on the spot');
  await command('codeplan: Take the Edit');
  await page.locator('[aria-label="codeplan - 1 left"]').first().waitFor();
  await step('it is taken, and one is left');
  await page.locator('[aria-label="codeplan - 1 left"]').first().click();
  await page.locator('.pane-body [role=treeitem]').filter({ hasText: 'again' }).first().waitFor();
  await step('the tree lists it');
  await command('codeplan: Preview All Edits');
  await page.getByText('Refactor Preview').first().waitFor();
  await step('the refactor preview shows it');
  await page.getByRole('button', { name: 'Apply' }).first().click();
  await page.locator('[aria-label="codeplan - 1 left"]').first().waitFor({ state: 'detached' });
  await step('nothing is left');
  await command('File: Save All');
  await page.waitForTimeout(2000);
  const job = readFileSync(join(repository, 'job.py'), 'utf8');
  assert.equal(job.split('ttl=60').length + job.split(', 60)').length, 5, job);
  console.log('1 passed, 0 failed');
} catch (error) {
  await step('failed');
  console.error(error);
  process.exitCode = 1;
} finally {
  await browser.close();
}
