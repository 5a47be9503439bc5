/**
 * What every page stands in: no network, no font, no image of another place, and without `live` no script. Its content
 * policy allows exactly the style (and script) that stand in it, by their hashes, so whatever a repository's names and
 * texts hold stays text.
 */
import { createHash } from 'node:crypto';
import { Html, html } from './html.js';
import { STYLE } from './style.js';

/**
 * Takes over what the page has become, without leaving it: where the person is, and what they folded or ticked, stays.
 * `events`, beside the page, says the revision at once and at each change: so a change between the page's answer and
 * this connection is seen too.
 */
const FOLLOW = `
const folds = new Map();
const nameOf = (fold) => (fold.closest('[id]')?.id ?? '') + '\\n' + fold.firstElementChild.textContent;
document.addEventListener('click', ({ target }) => {
  const fold = target.closest('summary')?.parentElement;
  if (fold) folds.set(nameOf(fold), !fold.open);
});
const steps = () => [...document.querySelectorAll('#steps article')];
const foundOf = ({ dataset }) =>
  dataset.steps.split(' ').filter((id) => !document.getElementById('step-' + id)?.hidden);
const find = () => {
  const wanted = document.getElementById('find')?.value.toLowerCase() ?? '';
  for (const step of steps()) step.hidden = !step.textContent.toLowerCase().includes(wanted);
  for (const fold of document.querySelectorAll('#steps :is(.file-group, .alike)')) {
    fold.hidden = !fold.querySelector('article:not([hidden])');
    if (wanted !== '' && !fold.hidden) fold.open = true;
  }
  for (const button of document.querySelectorAll('#steps button[data-steps*=" "]')) {
    const [all, shown] = [button.dataset.steps.split(' ').length, foundOf(button).length];
    const verb = button.dataset.verdict === 'accept' ? 'Accept' : 'Reject';
    button.textContent = verb + (shown === all ? ' all ' + all : ' the ' + shown + ' shown');
  }
};
const say = async (verdict, ids) => {
  const run = document.getElementById('steps').dataset.run;
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ run, [verdict]: ids });
  const asked = { method: 'POST', headers, body, referrerPolicy: 'same-origin' };
  const answer = await fetch('review', asked).catch((error) => error);
  document.getElementById('said').textContent = answer.ok ? '' : 'Not taken: ' + (await answer.text?.() ?? answer);
};
const go = (by) => {
  const there = steps().filter((step) => step.checkVisibility() || step.closest('details:not([open])'));
  const seen = there.filter((step) => !step.hidden);
  const at = seen.indexOf(document.activeElement?.closest('article'));
  const step = seen[at < 0 ? (by > 0 ? 0 : seen.length - 1) : at + by];
  for (let fold = step?.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
  step?.focus();
};
const KEYS = {
  '/': () => document.getElementById('find')?.focus(),
  n: () => go(1),
  p: () => go(-1),
  a: () => document.activeElement?.closest('article')?.querySelector('[data-verdict=accept]')?.click(),
  r: () => document.activeElement?.closest('article')?.querySelector('[data-verdict=reject]')?.click(),
};
document.addEventListener('input', ({ target }) => target.id === 'find' && find());
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Enter' && event.target.id === 'find') event.target.blur(), go(1);
  if (event.target.matches('input')) return;
  const act = KEYS[event.key];
  if (act) event.preventDefault(), act();
});
document.addEventListener('click', ({ target }) => {
  const button = target.closest('button[data-verdict]');
  if (button) say(button.dataset.verdict, foundOf(button).map(Number));
});
const shown = () => Number(document.body.dataset.revision);
const events = new EventSource('events');
events.onopen = () => delete document.body.dataset.ended;
events.onerror = () => (document.body.dataset.ended = '');
events.onmessage = async ({ data }) => {
  if (Number(data) === shown()) return;
  const answer = await fetch('').catch(() => undefined);
  if (!answer?.ok) return;
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
  if (Number(next.body.dataset.revision) <= shown()) return;
  for (const fold of next.querySelectorAll('details')) fold.open = folds.get(nameOf(fold)) ?? fold.open;
  for (const { id, checked } of document.querySelectorAll('main input')) {
    const box = next.getElementById(id);
    if (box) box.checked = checked;
  }
  const focused = document.activeElement;
  const place = focused?.closest('article')?.id;
  const word = document.getElementById('find')?.value ?? '';
  document.title = next.title;
  document.body.dataset.revision = next.body.dataset.revision;
  document.querySelector('main').replaceWith(next.querySelector('main'));
  const box = document.getElementById('find');
  if (box) box.value = word;
  if (word !== '') find();
  if (place) document.getElementById(place)?.focus({ preventScroll: true });
  else if (focused?.id === 'find') box?.focus();
};
`;

export interface PageOptions {
  /** What the page is about, such as the root's name. */
  readonly title: string;
  /** The revision shown, where somebody serves the page and says when there is another one. */
  readonly live?: number;
}

export function framed({ title, live }: PageOptions, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${contentPolicy(live !== undefined)}" />
        <meta name="referrer" content="no-referrer" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>codeplan: ${title}</title>
        ${exactly('style', STYLE)}
      </head>
      <body${live === undefined ? undefined : html` data-revision="${live}"`}>
        ${live === undefined ? undefined : ENDED}
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
        ${live === undefined ? undefined : exactly('script', FOLLOW)}
      </body>
    </html> `.source;
}

const ENDED = html`<p class="ended">
  What served this page has ended, or cannot be reached: it shows how things stood then.
</p>`;

/** In no template, which may be laid out anew: the policy allows the content to the byte. */
const exactly = (tag: 'style' | 'script', content: string): Html => new Html(`<${tag}>${content}</${tag}>`);

/** As a header where the page is served; it also stands in the page. */
export function contentPolicy(live: boolean): string {
  const scripts = live ? `; script-src '${hashOf(FOLLOW)}'; connect-src 'self'` : '';
  return `default-src 'none'; style-src '${hashOf(STYLE)}'${scripts}; base-uri 'none'; form-action 'none'`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
