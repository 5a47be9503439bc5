/**
 * The package's `diff.html`: differences of source, target and prediction as one page, from which a
 * prediction can be rebuilt whose tree the package does not hold.
 *
 * Each hunk names the blob that it makes, so a rebuilt text proves itself.
 */
import { createHash } from 'node:crypto';
import { ServiceError } from '../engine/service.js';

export type Comparison = 'Source vs Target' | 'Source vs Predicted';

/**
 * The text after the page's hunks for a file; the source's where it has none. Throws ServiceError when the
 * result is not what the page names.
 */
export function textAfter(page: string, file: string, comparison: Comparison, source: string): string {
  const diff = hunksOf(page, file, comparison);
  if (diff === undefined) return source;
  const text = patched(source, diff);
  const wanted = /^index [0-9a-f]+\.\.([0-9a-f]+)/m.exec(diff)?.[1];
  if (wanted === undefined || blobId(text).startsWith(wanted)) return text;
  throw new ServiceError(
    'settings',
    `${file} cannot be rebuilt from the page of differences: blob ${blobId(text).slice(0, 7)}, not ${wanted}`,
  );
}

function hunksOf(page: string, file: string, comparison: Comparison): string | undefined {
  const title = `<h1>${file.replaceAll('/', '\\')}</h1>`;
  const at = page.indexOf(title);
  if (at === -1) return undefined;
  const next = page.indexOf('<hr><h1>', at);
  const part = page.slice(at, next === -1 ? undefined : next);
  const sections = part
    .split('<h2>')
    .slice(1)
    .map((section) => section.split('</h2>'));
  const body = sections.find(([heading]) => withoutTags(heading ?? '') === comparison)?.[1];
  if (body === undefined || !body.includes('@@')) return undefined;
  return unescaped(withoutTags(body.replaceAll('<br>', '\n')));
}

const withoutTags = (html: string): string => html.replace(/<\/?(?:span|pre|body|html|hr)[^>]*>/g, '');

function unescaped(html: string): string {
  return html
    .replace(/&#x27;|&#39;/g, "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** Lines that hunks add end as the source's do. */
function patched(source: string, diff: string): string {
  const lines = source.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const eol = lines.filter((line) => line.endsWith('\r\n')).length * 2 > lines.length ? '\r\n' : '\n';
  const out: string[] = [];
  let at = 0;
  let inHunk = false;
  let sign = '';
  for (const line of diff.split('\n')) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+/.exec(line);
    if (header !== null) {
      const first = Number(header[1]) - (header[2] === '0' ? 0 : 1);
      out.push(...lines.slice(at, first));
      at = first;
      inHunk = true;
    } else if (!inHunk) continue;
    else if (line.startsWith('+')) out.push(line.slice(1) + eol);
    else if (line.startsWith('-')) at++;
    else if (line.startsWith(' ')) out.push(lines[at++] ?? '');
    // No line break at the end: of the line above, which may be one that goes.
    else if (line.startsWith('\\') && sign !== '-') out.push((out.pop() ?? '').replace(/\r?\n$/, ''));
    sign = line[0] ?? '';
  }
  return [...out, ...lines.slice(at)].join('');
}

function blobId(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
