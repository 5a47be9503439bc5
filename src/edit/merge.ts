/**
 * Puts a model's answer into the file: from untrusted fragment to checked text edits, or a refusal.
 *
 *     answer ──► imports at its head ──► edits of the file's imports
 *           └──► the fragment, at the block's indentation ──► one edit of the block's span
 *                                 then: parse the result and compare it with the file before
 *
 * What holds for every accepted answer: the file has no new syntax error; the block is still there
 * under its name; no other block appeared, vanished or changed its place in the tree, but for new
 * members beside the block and what lies inside it; no statement was added outside of it.
 * Line endings and a byte order mark stay as the file has them. Pure: the parser is a parameter.
 */
import { applyEdits, movedOffset, type TextEdit } from '../base/text-edit.js';
import { blockPath, type Summary } from '../syntax/summary.js';
import { fixedLines } from './literal-lines.js';
import { importEdits, splitImports, type Summarise } from './import-merge.js';
import { indentedCandidates, placementAt } from './indentation.js';
import { outlineOf, type OutlineBlock } from './outline.js';

export interface MergeRequest {
  readonly text: string;
  /** Summary of `text`. */
  readonly summary: Summary;
  /** Row of the block; -1 for module level. */
  readonly decl: number;
  /** For module level: the part that was shown to the model. The whole file if not given. */
  readonly span?: { readonly start: number; readonly end: number };
  /** The code block of the answer. */
  readonly answer: string;
  /** Whether the language has functions of one name that differ in their parameters. */
  readonly overloads: boolean;
  /** Dotted paths under which the block may come back, when its rename is part of the task. */
  readonly alsoNamed?: readonly string[];
}

export type MergeResult =
  /** `edits` of the text before; empty if the answer is what stands there. `text` and `summary` are those after. */
  | { readonly ok: true; readonly edits: readonly TextEdit[]; readonly text: string; readonly summary: Summary }
  | { readonly ok: false; readonly reason: string };

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text of a block as a model is shown it: with the blanks in front of its first line. */
export function fragmentOf(text: string, summary: Summary, decl: number): string {
  const { start, end } = spanOf(text, { start: summary.decls.startOf(decl), end: summary.decls.endOf(decl) });
  const lineStart = Math.max(text.lastIndexOf('\n', start - 1) + 1, text.startsWith('\uFEFF') ? 1 : 0);
  const lead = text.slice(lineStart, start);
  return (lead.trim() === '' ? lead : '') + text.slice(start, end);
}

/** The text without a block, its lines and the blank line that set it off. A body whose only member it was is left empty. */
export function withoutBlock(text: string, summary: Summary, decl: number): string {
  const { start, end } = spanOf(text, { start: summary.decls.startOf(decl), end: summary.decls.endOf(decl) });
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const aloneBefore = text.slice(lineStart, start).trim() === '';
  const rest = /^[ \t]*[;,]?[ \t]*(\r?\n(?:[ \t]*\r?\n)?)?/.exec(text.slice(end)) as RegExpExecArray;
  const aloneAfter = rest[1] !== undefined || end + rest[0].length === text.length;
  return aloneBefore && aloneAfter
    ? text.slice(0, lineStart) + text.slice(end + rest[0].length)
    : text.slice(0, start) + text.slice(end);
}

export function mergeAnswer(request: MergeRequest, summarise: Summarise): MergeResult {
  const { text, summary, decl } = request;
  const own =
    decl < 0
      ? (request.span ?? { start: 0, end: text.length })
      : { start: summary.decls.startOf(decl), end: summary.decls.endOf(decl) };
  const span = spanOf(text, own);
  const eol = lineBreakOf(text);
  const answer = normalised(request.answer);
  if (answer.trim() === '') return refused('the answer is empty');
  const { head, rest } = decl < 0 ? { head: '', rest: answer } : splitImports(answer, summarise);
  const imports = importEdits(text, summary, head, eol, summarise);
  if (!imports.ok) return imports;

  const lines = withoutDoubledSign(rest, text, span).split('\n');
  const place = placementAt(text, span.start, span.end);
  const outline = outlineOf(summary, blockPath(summary, decl));
  let refusal: MergeResult | undefined;
  for (const candidate of indentedCandidates(lines, fixedLines(lines.join('\n'), summary.language), place)) {
    const fragment = candidate.join(eol).trimStart();
    const merged = checked(request, outline, span, imports.edits, fragment, summarise);
    if (merged.ok) return merged;
    refusal ??= merged;
  }
  return refusal ?? refused('the answer is empty');
}

function refused(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

/** A byte order mark belongs to no block, nor do blanks behind it: parsers count the `\r` before a dedent in. */
function spanOf(text: string, span: Span): Span {
  const start = Math.max(span.start, text.startsWith('\uFEFF') ? 1 : 0);
  return { start, end: start + text.slice(start, span.end).trimEnd().length };
}

/** What most lines end with. */
function lineBreakOf(text: string): '\r\n' | '\n' {
  const all = text.split('\n').length - 1;
  const windows = text.split('\r\n').length - 1;
  return windows * 2 > all ? '\r\n' : '\n';
}

function normalised(answer: string): string {
  return answer
    .replace(/^\uFEFF/, '')
    .replace(/\r\n|\r/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
}

/** Models close a field with the sign that follows the block's span anyway. */
function withoutDoubledSign(fragment: string, text: string, span: Span): string {
  const sign = fragment[fragment.length - 1] as string;
  const follows = text.slice(span.end).trimStart().startsWith(sign);
  const doubled = (sign === ';' || sign === ',') && follows && text[span.end - 1] !== sign;
  return doubled ? fragment.slice(0, -1) : fragment;
}

function checked(
  request: MergeRequest,
  before: readonly OutlineBlock[],
  span: Span,
  imports: readonly TextEdit[],
  fragment: string,
  summarise: Summarise,
): MergeResult {
  const { text, summary } = request;
  const same = fragment === text.slice(span.start, span.end);
  const edits = same ? imports : [...imports, { ...span, text: fragment }];
  if (edits.length === 0) return { ok: true, edits, text, summary };
  const merged = applyEdits(text, edits);
  const after = summarise(merged);
  const start = movedOffset(imports, span.start);
  const now: Span = { start, end: start + fragment.length };
  const blocks = outlineOf(after, blockPath(summary, request.decl));
  const problem =
    newErrors(summary, span, after, now) ??
    strayBlocks(request, before, span, blocks, now) ??
    strayCode(request, before, after, blocks);
  return problem === undefined ? { ok: true, edits, text: merged, summary: after } : refused(problem);
}

/** Old errors may stay where they are, in the block too; none may be added, and none may reach into a block that had none. */
function newErrors(before: Summary, span: Span, after: Summary, now: Span): string | undefined {
  const inside = errorsWithin(after, now);
  const line = inside[0] ?? after.errors[0] ?? 0;
  if (inside.length <= errorsWithin(before, span).length && after.errors.length <= before.errors.length)
    return undefined;
  return `the file would not parse: syntax error near line ${lineOf(after, line)} of the result`;
}

function errorsWithin(summary: Summary, span: Span): number[] {
  const starts: number[] = [];
  for (let i = 0; i < summary.errors.length; i += 2) {
    const start = summary.errors[i] as number;
    if (start <= span.end && (summary.errors[i + 1] as number) >= span.start) starts.push(start);
  }
  return starts;
}

function lineOf(summary: Summary, offset: number): number {
  let line = 0;
  while (line < summary.lineStarts.length && (summary.lineStarts[line] as number) <= offset) line++;
  return line;
}

const within = (block: Span, span: Span): boolean => block.start >= span.start && block.end <= span.end;
const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')));

/** The block must be there once (or with overloads), and other blocks must be those from before. */
function strayBlocks(
  request: MergeRequest,
  before: readonly OutlineBlock[],
  span: Span,
  after: readonly OutlineBlock[],
  now: Span,
): string | undefined {
  const outside = before.filter((block) => !within(block, span)).map((block) => block.path);
  const outsideNow = after.filter((block) => !within(block, now)).map((block) => block.path);
  const lost = firstNotIn(outside, outsideNow);
  const gained = firstNotIn(outsideNow, outside);
  if (lost !== undefined || gained !== undefined) {
    return `the answer changes the structure of the file outside of the block: ${lost === undefined ? `${gained} appears` : `${lost} disappears`}`;
  }
  const wasInside = new Set(before.filter((block) => within(block, span)).map((block) => block.path));
  const inside = after.filter((block) => within(block, now));
  if (request.decl < 0) {
    const missing = [...wasInside].find((path) => !inside.some((block) => block.path === path));
    if (missing !== undefined) return `${missing} disappears`;
    return doubled(inside, wasInside, outside);
  }
  const path = blockPath(request.summary, request.decl);
  const names = [path, ...(request.alsoNamed ?? [])];
  const own = inside.filter((block) => names.includes(block.path));
  const found = own[0];
  if (found === undefined) {
    const what = inside[0]?.path ?? 'no declaration';
    return `the answer does not declare ${path} but ${what}; it must be the block alone, under its name`;
  }
  const twins = after.filter((block) => names.includes(block.path));
  if (own.length > 1 && !areOverloads(twins, request.overloads))
    return `the answer declares ${path} ${own.length} times`;
  const wrapper = inside.find(
    (block) => !names.includes(block.path) && parentOf(path).split('.').includes(lastName(block.path)),
  );
  if (wrapper !== undefined) return `the answer repeats the declaration around ${path}; it must be the block alone`;
  const stranger = inside.find(
    (block) =>
      !names.some((name) => block.path === name || block.path.startsWith(`${name}.`)) &&
      parentOf(block.path) !== parentOf(path),
  );
  if (stranger !== undefined) return `the answer defines ${stranger.path}, which lies outside of ${path}`;
  return doubled(
    inside.filter((block) => !names.includes(block.path)),
    wasInside,
    outside,
  );
}

/** The first block that is both in the span and, in the same file, outside of it, and was not before. */
function doubled(
  inside: readonly OutlineBlock[],
  wasInside: ReadonlySet<string>,
  outside: readonly string[],
): string | undefined {
  const known = new Set(outside);
  const twice = inside.find((block) => known.has(block.path) && !wasInside.has(block.path));
  return twice === undefined ? undefined : `the answer defines ${twice.path} again, which lies outside of the block`;
}

function areOverloads(blocks: readonly OutlineBlock[], overloads: boolean): boolean {
  const different = new Set(blocks.map((block) => block.headerHash)).size === blocks.length;
  if (!blocks.every((block) => block.isFunction) || !different) return false;
  return overloads || blocks.slice(0, -1).every((block) => block.isBodiless || block.isDecorated);
}

/** The first of `these` (counted as often as it occurs) that `those` do not have. */
function firstNotIn(these: readonly string[], those: readonly string[]): string | undefined {
  const count = new Map<string, number>();
  for (const path of those) count.set(path, (count.get(path) ?? 0) + 1);
  for (const path of these) {
    const left = count.get(path) ?? 0;
    if (left === 0) return path;
    count.set(path, left - 1);
  }
  return undefined;
}

/**
 * Code beside the block that belongs to no declaration: at module level, or in the block around.
 * The block around is not compared when members were added, since their separators are its tokens.
 */
function strayCode(
  request: MergeRequest,
  before: readonly OutlineBlock[],
  after: Summary,
  blocks: readonly OutlineBlock[],
): string | undefined {
  if (request.decl < 0) return undefined;
  const path = blockPath(request.summary, request.decl);
  if (after.moduleHash !== request.summary.moduleHash)
    return `the answer holds code outside of ${path}, at module level`;
  const parent = parentOf(path);
  if (parent === '' || blocks.length !== before.length) return undefined;
  const was = before.filter((block) => block.path === parent).map((block) => block.bodyHash);
  const is = blocks.filter((block) => block.path === parent).map((block) => block.bodyHash);
  return was.join() === is.join() ? undefined : `the answer holds code outside of ${path}, in ${parent}`;
}
