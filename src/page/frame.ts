/**
 * What every page stands in: no network, no font, no image of another place, and without `live` no script. Its content
 * policy allows exactly the style (and script) that stand in it, by their hashes, so whatever a repository's names and
 * texts hold stays text.
 */
import { createHash } from 'node:crypto';
import { Html, html } from './html.js';
import { STYLE } from './style.js';

/**
 * Loads the page anew when what it shows has another revision. `events`, beside the page, says the revision at once
 * and at each change: so a change between the page's answer and this connection is seen too.
 */
const RELOAD =
  "new EventSource('events').onmessage=(told)=>{if(told.data!==document.body.dataset.revision)location.reload()}";

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
        <h1>${title}</h1>
        ${body}
        ${live !== undefined ? exactly('script', RELOAD) : undefined}
      </body>
    </html> `.source;
}

/** In no template, which may be laid out anew: the policy allows the content to the byte. */
const exactly = (tag: 'style' | 'script', content: string): Html => new Html(`<${tag}>${content}</${tag}>`);

/** As a header where the page is served; it also stands in the page. */
export function contentPolicy(live: boolean): string {
  const scripts = live ? `; script-src '${hashOf(RELOAD)}'; connect-src 'self'` : '';
  return `default-src 'none'; style-src '${hashOf(STYLE)}'${scripts}; base-uri 'none'; form-action 'none'`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
