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
  document.title = next.title;
  document.body.dataset.revision = next.body.dataset.revision;
  document.querySelector('main').replaceWith(next.querySelector('main'));
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
