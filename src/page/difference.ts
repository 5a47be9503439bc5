/** A unified diff on a page. */
import { shownDiff } from '../base/shown.js';
import { coloured } from './coloured.js';
import { html, type Html } from './html.js';

const HEADS: readonly (readonly [start: string, name: string])[] = [
  ['+++', 'file'],
  ['---', 'file'],
  ['@@', 'hunk'],
];
const KINDS: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed' };

export function difference(diff: string): Html {
  const out: Html[] = [];
  let file = '';
  let hunk: string[] = [];
  const flush = (): void => {
    out.push(...linesOf(hunk, file));
    hunk = [];
  };
  for (const line of shownDiff(diff)) {
    const name = HEADS.find(([start]) => line.startsWith(start))?.[1];
    if (name === undefined) hunk.push(line);
    else {
      flush();
      if (name === 'file') file = pathIn(line) ?? file;
      out.push(spanOf(name, line));
    }
  }
  flush();
  return html`<pre class="diff">${out}</pre>`;
}

/** A file that comes or goes is named on one of the two lines alone. */
function pathIn(head: string): string | undefined {
  const path = head.slice(4).replace(/^"|"$/gu, '').trim();
  return path === '/dev/null' ? undefined : path;
}

/** Each side is coloured as the text that it is, since a string or a comment may go over several lines. */
function linesOf(hunk: readonly string[], file: string): Html[] {
  const side = (without: string): Html[] => {
    const own = hunk.filter((line) => !line.startsWith(without));
    return coloured(
      own.map((line) => line.slice(1)),
      file,
    );
  };
  const [before, after] = [side('+'), side('-')];
  let [b, a] = [0, 0];
  return hunk.map((line) => {
    const sign = line.slice(0, 1);
    const code = sign === '-' ? before[b] : after[a];
    if (sign !== '+') b++;
    if (sign !== '-') a++;
    return spanOf(KINDS[sign] ?? 'same', sign, code);
  });
}

const spanOf = (name: string, ...parts: readonly (Html | string | undefined)[]): Html =>
  html`<span class="${name}">${parts}</span>${'\n'}`;
