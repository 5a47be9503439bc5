/**
 * Imports that a file does for its checkers alone:
 *
 *     if TYPE_CHECKING:
 *         from .app import App
 *
 * What such an import binds is used in annotations that nobody evaluates, so that it may close a circle
 * of imports; where it goes along with a moved definition it goes below such a guard again.
 */
import type { TextEdit } from '../../../base/text-edit.js';
import type { Summary } from '../../../syntax/summary.js';
import { importEdits, type Summarise } from '../../import-merge.js';
import type { ImportStatement } from './import-statement.js';

/** The guard above an import that stands right below one, as its condition is written; undefined for another import. */
export function guardOf(text: string, { start }: Pick<ImportStatement, 'start'>, guard: RegExp): string | undefined {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  if (!/^[ \t]+$/.test(text.slice(lineStart, start))) return undefined;
  const above = text.slice(0, lineStart).split('\n').slice(0, -1);
  const header = above.findLast((line) => /^\S/.test(line) && !line.startsWith('#') && !line.startsWith(')'));
  return header === undefined ? undefined : guard.exec(header)?.[1];
}

/**
 * The edits that put lines below the file's guard: names into the list of their module, other lines at the end of what
 * stands there; undefined where it has none.
 */
export function belowGuard(
  text: string,
  guard: RegExp,
  lines: readonly string[],
  eol: string,
): readonly TextEdit[] | undefined {
  const place = endBelowGuard(text, guard);
  if (place === undefined) return undefined;
  const { from, at, indent } = place;
  const edits: TextEdit[] = [];
  const own = lines.filter((line) => {
    const head = /^from \S+ import (?=\w)/.exec(line)?.[0];
    const known = head === undefined ? -1 : text.slice(from, at).indexOf(`${indent}${head}`);
    const rest =
      known < 0 ? null : /^[\w, \t]*(?=\r?\n)/.exec(text.slice(from + known + indent.length + (head ?? '').length));
    if (head === undefined || rest === null || rest[0].trim() === '') return true;
    const end = from + known + indent.length + head.length + rest[0].trimEnd().length;
    edits.push({ start: end, end, text: `, ${line.slice(head.length)}` });
    return false;
  });
  const lead = text[at - 1] === '\n' ? '' : eol;
  if (own.length > 0) edits.push({ start: at, end: at, text: lead + own.map((line) => indent + line + eol).join('') });
  return edits;
}

/** Where what stands below the guard begins and ends. */
function endBelowGuard(
  text: string,
  guard: RegExp,
): { readonly from: number; readonly at: number; readonly indent: string } | undefined {
  let offset = 0;
  let end: { from: number; at: number; indent: string } | undefined;
  for (const line of text.split('\n')) {
    const next = Math.min(offset + line.length + 1, text.length);
    if (end === undefined) {
      if (guard.test(line) && /:\s*(?:#.*)?$/.test(line)) end = { from: next, at: next, indent: '' };
    } else if (/^[ \t]+\S/.test(line)) {
      end = { from: end.from, at: next, indent: end.indent === '' ? (/^[ \t]+/.exec(line)?.[0] ?? '') : end.indent };
    } else if (line.trim() !== '' && !line.startsWith(')')) break;
    else if (line.startsWith(')')) end = { ...end, at: next };
    offset = next;
  }
  return end === undefined || end.indent === '' ? undefined : end;
}

/**
 * The edits with a guard of its own for the lines, behind the imports that `added` puts in, or behind those of the
 * file.
 */
export function withGuard(
  text: string,
  summary: Summary,
  added: readonly TextEdit[],
  condition: string,
  lines: readonly string[],
  eol: string,
  summarise: Summarise,
): readonly TextEdit[] {
  const block = [`if ${condition}:`, ...lines.map((line) => `    ${line}`)].join(eol);
  return behindImports(text, summary, added, { block, like: lines.join('\n') }, eol, summarise);
}

/**
 * The edits with a block of lines of its own behind the imports that `added` puts in, or else where the plain imports
 * `like` would stand.
 */
export function behindImports(
  text: string,
  summary: Summary,
  added: readonly TextEdit[],
  { block, like }: { readonly block: string; readonly like: string },
  eol: string,
  summarise: Summarise,
): readonly TextEdit[] {
  const last = latest(added);
  if (last === undefined) {
    const plain = importEdits(text, summary, `${like}\n`, eol, summarise);
    const place = plain.ok ? latest(plain.edits) : undefined;
    return place === undefined
      ? added
      : [...added, { ...place, text: eol + block + (/\s*$/.exec(place.text)?.[0] ?? eol) }];
  }
  const put = last.text.trimEnd();
  return added.map((edit) =>
    edit === last ? { ...edit, text: put + eol + eol + block + last.text.slice(put.length) } : edit,
  );
}

/** The insertion that stands last. */
const latest = (edits: readonly TextEdit[]): TextEdit | undefined =>
  edits.reduce<TextEdit | undefined>(
    (last, edit) => (edit.start === edit.end && (last === undefined || edit.start >= last.start) ? edit : last),
    undefined,
  );
