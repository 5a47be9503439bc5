/** A unified diff on a page. */
import { shownDiff } from '../base/shown.js';
import { html, type Html } from './html.js';

const LINE_KINDS: readonly (readonly [start: string, name: string])[] = [
  ['+++', 'file'],
  ['---', 'file'],
  ['@@', 'hunk'],
  ['+', 'added'],
  ['-', 'removed'],
];

export const difference = (diff: string): Html => html`<pre class="diff">${shownDiff(diff).map(diffLine)}</pre>`;

function diffLine(line: string): Html {
  const name = LINE_KINDS.find(([start]) => line.startsWith(start))?.[1] ?? 'same';
  return html`<span class="${name}">${line}</span>${'\n'}`;
}
