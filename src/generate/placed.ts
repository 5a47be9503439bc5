/**
 * A candidate put where it belongs: from a model's code block to the file's new text, or why it does not fit.
 *
 *     the file is not there, or is asked for as a whole    the code is the file
 *     the block is there                                   it is replaced, as an edit of it would be
 *     the block is not there                               it goes to the end of the file, or of the class around
 *
 * Whatever is asked for, nothing else of the file goes or changes its place but for imports.
 */
import { applyEdits } from '../base/text-edit.js';
import { blockNamed } from '../change/block-name.js';
import { elisionIn } from '../edit/elision.js';
import { importEdits, splitImports, type Summarise } from '../edit/import-merge.js';
import { fixedLines } from '../edit/literal-lines.js';
import { lineBreakOf } from '../edit/line-breaks.js';
import { mergeAnswer } from '../edit/merge.js';
import { outlineOf } from '../edit/outline.js';
import { languageOf } from '../languages/registry.js';
import { D, type Summary } from '../syntax/summary.js';
import type { Task } from './task.js';

export interface Host {
  /** The file's text without a candidate; undefined where there is no such file. */
  readonly text: string | undefined;
  readonly summarise: Summarise;
}

export type Placed = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

export function placed({ file, name, language }: Task, { text, summarise }: Host, code: string): Placed {
  const answer = `${code
    .replaceAll('\r\n', '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()}\n`;
  const left = elisionIn(answer, text ?? '', language);
  if (left !== undefined)
    return { ok: false, reason: `the answer leaves code out where it says \`${left}\`; write every line of it` };
  if (text === undefined || name === undefined) return { ok: true, text: answer };
  const summary = summarise(text);
  if (isWholeFile(text, summary, name, answer, summarise)) return { ok: true, text: joined(answer, text) };
  const row = blockNamed(summary, name);
  if (row === undefined) return added(text, summary, name, answer, summarise);
  const merged = mergeAnswer(
    {
      text,
      summary,
      decl: row,
      answer,
      overloads: languageOf(file)?.overloads === true,
      offside: languageOf(file)?.offside === true,
      mayLose: membersOf(text, summary, name),
    },
    summarise,
  );
  return merged.ok ? { ok: true, text: merged.text } : merged;
}

/** What of a block is written anew may all be called otherwise. */
const membersOf = (text: string, summary: Summary, name: string): string[] =>
  outlineOf(text, summary, '').flatMap(({ path }) => (path.startsWith(`${name}.`) ? [path] : []));

/** Whether the answer is the block with all else that the file declares, and not the block alone. */
function isWholeFile(text: string, summary: Summary, name: string, answer: string, summarise: Summarise): boolean {
  const others = outlineOf(text, summary, '')
    .map(({ path }) => path)
    .filter((path) => path !== name && !path.startsWith(`${name}.`));
  if (others.length === 0) return false;
  const are = new Set(outlineOf(answer, summarise(answer), '').map(({ path }) => path));
  return are.has(name) && others.every((path) => are.has(path));
}

const joined = (answer: string, like: string): string =>
  lineBreakOf(like) === '\r\n' ? answer.replaceAll('\n', '\r\n') : answer;

function added(text: string, summary: Summary, name: string, answer: string, summarise: Summarise): Placed {
  const { head, rest } = splitImports(answer, summarise);
  const eol = lineBreakOf(text);
  const imports = importEdits(text, summary, head, eol, summarise);
  if (!imports.ok) return imports;
  const outer = name.includes('.') ? blockNamed(summary, name.slice(0, name.lastIndexOf('.'))) : undefined;
  if (name.includes('.') && outer === undefined)
    return { ok: false, reason: `there is no ${name.slice(0, name.lastIndexOf('.'))} to put ${name} into` };
  const place = outer === undefined ? endOfFile(text, summary) : endOfBlock(text, summary, outer);
  const indent = outer === undefined ? place.indent : place.indent || '    ';
  const block = indented(rest, indent, fixedLines(rest, summary.language)).replaceAll('\n', eol);
  const between = outer === undefined && place.indent === '' ? eol + eol : eol;
  const isEmpty = text.slice(0, place.at).trim() === '';
  const insertion = isEmpty
    ? `${block}${eol}`
    : `${eol}${between}${block}${place.at === text.trimEnd().length ? eol : ''}`;
  const at = isEmpty ? text.length : place.at;
  const tail =
    at === text.trimEnd().length
      ? [{ start: at, end: text.length, text: insertion }]
      : [{ start: at, end: at, text: insertion }];
  const merged = applyEdits(text, [...imports.edits, ...tail]);
  const after = summarise(merged);
  if (after.errors.length > summary.errors.length)
    return {
      ok: false,
      reason: 'the code does not parse where it is put; write the block alone, with its imports first',
    };
  const [were, are] = [outlineOf(text, summary, ''), outlineOf(merged, after, '')];
  const gone = were.find(({ path }) => !are.some((block) => block.path === path));
  if (gone !== undefined) return { ok: false, reason: `${gone.path} disappears` };
  return are.some(({ path }) => path === name)
    ? { ok: true, text: merged }
    : { ok: false, reason: `the answer does not declare ${name}; it must be that block, under its name` };
}

interface End {
  readonly at: number;
  readonly indent: string;
}

/** Behind all, or before the bracket that closes a namespace around all. */
function endOfFile(text: string, summary: Summary): End {
  const { decls } = summary;
  const last = text.trimEnd().length;
  for (let row = 0; row < decls.count; row++) {
    const isAround =
      decls.kindOf(row) === D.namespace &&
      decls.parentOf(row) < 0 &&
      decls.endOf(row) === last &&
      text[last - 1] === '}';
    if (isAround) return endOfBlock(text, summary, row);
  }
  return { at: last, indent: '' };
}

function endOfBlock(text: string, { decls }: Summary, row: number): End {
  const end = decls.endOf(row);
  const closes = text[end - 1] === '}';
  const at = text.slice(0, closes ? end - 1 : end).trimEnd().length;
  const lineStart = text.lastIndexOf('\n', decls.startOf(row) - 1) + 1;
  const own = /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? '';
  const inner = /\n([ \t]+)\S/.exec(text.slice(decls.bodyStartOf(row), end))?.[1];
  return { at, indent: inner !== undefined && inner.length > own.length ? inner : `${own}    ` };
}

/** `fixed`: numbers of lines that stand in a literal, whose blanks are its own. */
function indented(code: string, indent: string, fixed: ReadonlySet<number>): string {
  const lines = code.trimEnd().split('\n');
  const free = lines.filter((line, i) => line.trim() !== '' && !fixed.has(i));
  const common = Math.min(...free.map((line) => line.length - line.trimStart().length));
  return lines
    .map((line, i) => (fixed.has(i) ? line : line.trim() === '' ? '' : indent + line.slice(common)))
    .join('\n');
}
