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
import { type Summary } from '../syntax/summary.js';
import { commentSpan } from '../context/file-context.js';
import { elisionIn } from './elision.js';
import { joinedAs, lineBreakOf } from './line-breaks.js';
import { fixedLines } from './literal-lines.js';
import { misplacedLines } from './offside.js';
import { importEdits, splitImports, type Summarise } from './import-merge.js';
import { indentedCandidates, placementAt } from './indentation.js';
import { outlineOf, type OutlineBlock } from './outline.js';
import { withoutPackage } from './package-line.js';

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
  /** Whether the language tells blocks by indentation. */
  readonly offside: boolean;
  /** Members of the class that may be missing in the answer: those of `lost` of an earlier refusal. */
  readonly mayLose?: readonly string[];
  /** Dotted paths under which the block may come back, when its rename is part of the task. */
  readonly alsoNamed?: readonly string[];
}

export type MergeResult =
  /** `edits` of the text before; empty if the answer is what stands there. `text` and `summary` are those after. */
  | { readonly ok: true; readonly edits: readonly TextEdit[]; readonly text: string; readonly summary: Summary }
  /** `lost`: the members that the answer leaves out, where that alone is what is wrong with it. */
  | { readonly ok: false; readonly reason: string; readonly lost?: readonly string[] };

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

/**
 * The text without a block, its lines and the blank line that set it off. A body whose only member it was is left
 * empty.
 */
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
  const given = normalised(request.answer);
  const answer = decl < 0 ? given : normalised(withoutPackage(given, text, summarise));
  if (answer.trim() === '') return refused('the answer is empty');
  const own = spanOf(text, ownSpan(request));
  const left = elisionIn(answer, text.slice(own.start, own.end), summary.language);
  if (left !== undefined)
    return refused(`the answer leaves code out where it says \`${left}\`; write the whole block, every line of it`);
  const whole = mergedWhole(request, answer, summarise);
  if (whole.ok || decl < 0) return whole;
  const alone = withoutWrapper(answer, summary.decls.pathOf(decl), summarise);
  if (alone === undefined) return whole;
  const unwrapped = mergedWhole(request, alone, summarise);
  return unwrapped.ok ? unwrapped : whole;
}

function ownSpan({ summary, decl, span, text }: MergeRequest): Span {
  return decl < 0
    ? (span ?? { start: 0, end: text.length })
    : { start: summary.decls.startOf(decl), end: summary.decls.endOf(decl) };
}

function mergedWhole(request: MergeRequest, answer: string, summarise: Summarise): MergeResult {
  const { text, summary, decl } = request;
  const eol = lineBreakOf(text);
  const { head, rest } = decl < 0 ? { head: '', rest: answer } : splitImports(answer, summarise);
  const span = withCommentAbove(request, spanOf(text, ownSpan(request)), rest);
  const imports = importEdits(text, summary, head, eol, summarise);
  if (!imports.ok) return imports;

  const lines = withoutDoubledSign(rest, text, span).split('\n');
  const place = placementAt(text, span.start, span.end);
  const outline = outlineOf(text, summary, summary.decls.pathOf(decl));
  let refusal: MergeResult | undefined;
  for (const candidate of indentedCandidates(lines, fixedLines(lines.join('\n'), summary.language), place)) {
    const [first = '', ...others] = candidate;
    const fragment = joinedAs([first.trimStart(), ...others], text.slice(span.start, span.end), eol);
    const merged = checked(request, outline, span, imports.edits, fragment, summarise);
    if (merged.ok) return merged;
    refusal ??= merged;
  }
  return refusal ?? refused('the answer is empty');
}

/** The span with the documentation comment above it, where the answer begins with such a comment. */
function withCommentAbove({ text, decl }: MergeRequest, span: Span, answer: string): Span {
  const sign = /^\s*(\/\*\*|\/\/\/)/.exec(answer)?.[1];
  const above = decl < 0 || sign === undefined ? undefined : commentSpan(text, span.start);
  return above === undefined || sign === undefined || !text.startsWith(sign, above.start)
    ? span
    : { start: above.start, end: span.end };
}

/**
 * The block alone, with the imports in front, of an answer that writes the class around it as well;
 * undefined where the answer does not, or where that class holds anything else.
 */
function withoutWrapper(answer: string, path: string, summarise: Summarise): string | undefined {
  const steps = path.replace(/#\d+$/, '').split('.');
  if (steps.length < 2) return undefined;
  const { head, rest } = splitImports(answer, summarise);
  const blocks = outlineOf(rest, summarise(rest), '');
  const wrapper = blocks.find((block) => block.isClass && steps.slice(0, -1).join('.').endsWith(block.path));
  if (wrapper === undefined) return undefined;
  const wanted = `${wrapper.path}.${steps[steps.length - 1] ?? ''}`;
  const members = blocks.filter((block) => parentOf(block.path) === wrapper.path);
  const [first, last] = [members[0], members[members.length - 1]];
  const holdsMore = members.some((block) => block.path !== wanted) || blocks.some((block) => !within(block, wrapper));
  if (first === undefined || last === undefined || holdsMore) return undefined;
  const start = rest.lastIndexOf('\n', first.start - 1) + 1;
  const lead = rest.slice(start, first.start).trim() === '' ? start : first.start;
  return (head === '' ? '' : `${head}\n\n`) + rest.slice(lead, last.end);
}

function refused(reason: string, lost?: readonly string[]): MergeResult {
  return { ok: false, reason, ...(lost === undefined ? {} : { lost }) };
}

/** A byte order mark belongs to no block, nor do blanks behind it: parsers count the `\r` before a dedent in. */
function spanOf(text: string, span: Span): Span {
  const start = Math.max(span.start, text.startsWith('\uFEFF') ? 1 : 0);
  return { start, end: start + text.slice(start, span.end).trimEnd().length };
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
  const blocks = outlineOf(merged, after, summary.decls.pathOf(request.decl));
  const problem =
    newErrors(summary, span, after, now) ??
    strayBlocks(request, before, span, blocks, now) ??
    (request.overloads ? doubledSignature(before, blocks) : undefined) ??
    strayCode(request, before, after, blocks) ??
    newMisplaced(request, merged);
  if (problem !== undefined) return refused(problem);
  const lost = lostMembers(request, before, span, blocks, now);
  return lost.length === 0
    ? { ok: true, edits, text: merged, summary: after }
    : refused(
        `the answer leaves out ${lost.map(lastName).join(', ')}, which ${summary.decls.pathOf(request.decl)} has; ` +
          'write every member, or, if what is missing is meant to go, give the same answer again',
        lost,
      );
}

/** Lines at an indentation that fits nothing: the parser makes the best of them, the language refuses the file. */
function newMisplaced({ text, summary, offside }: MergeRequest, merged: string): string | undefined {
  if (!offside) return undefined;
  const now = misplacedLines(merged, summary.language);
  if (now.length <= misplacedLines(text, summary.language).length) return undefined;
  return (
    `the indentation fits no block near line ${now[0] ?? 0} of the result; indent every line as the fragment ` +
    'is shown'
  );
}

/** Members of classes in the block that are gone, and are not there under another name with the body they had. */
function lostMembers(
  { mayLose = [] }: MergeRequest,
  before: readonly OutlineBlock[],
  span: Span,
  after: readonly OutlineBlock[],
  now: Span,
): string[] {
  const were = before.filter((block) => within(block, span));
  const are = after.filter((block) => within(block, now));
  const classes = new Set(were.filter((block) => block.isClass).map((block) => block.path));
  const paths = new Set(are.map((block) => block.path));
  const known = new Set(were.map((block) => block.path));
  const bodies = new Set(are.filter((block) => !known.has(block.path)).map((block) => block.bodyHash));
  return were
    .filter((block) => classes.has(parentOf(block.path)) && !paths.has(block.path) && !bodies.has(block.bodyHash))
    .map((block) => block.path)
    .filter((path) => !mayLose.includes(path));
}

/**
 * Old errors may stay where they are, in the block too; none may be added, and none may reach into a block that had
 * none.
 */
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
/** Whether a block lies partly in the span: neither in it, nor around it, nor beside it. */
const isTorn = (block: Span, span: Span): boolean =>
  block.start < span.end &&
  block.end > span.start &&
  !within(block, span) &&
  !(block.start <= span.start && block.end >= span.end);
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
    return (
      'the answer changes the structure of the file outside of the block: ' +
      (lost === undefined ? `${gained} appears` : `${lost} disappears`)
    );
  }
  const torn = before.filter((block) => isTorn(block, span)).map((block) => block.path);
  const joined = after.find((block) => isTorn(block, now) && !torn.includes(block.path));
  if (joined !== undefined) return `the answer runs into ${joined.path}, which lies beside the block`;
  const wasInside = new Set(before.filter((block) => within(block, span)).map((block) => block.path));
  const inside = after.filter((block) => within(block, now));
  if (request.decl < 0) {
    const missing = [...wasInside].find((path) => !inside.some((block) => block.path === path));
    if (missing !== undefined) return `${missing} disappears`;
    return doubled(inside, wasInside, outside);
  }
  const path = request.summary.decls.pathOf(request.decl);
  const names = [path, ...(request.alsoNamed ?? [])];
  const own = inside.filter((block) => names.includes(block.path));
  const found = own[0];
  if (found === undefined) {
    const what = inside[0]?.path ?? 'no declaration';
    return `the answer does not declare ${path} but ${what}; it must be the block alone, under its name`;
  }
  const twins = after.filter((block) => names.includes(block.path));
  const wereOverloads = areOverloads(
    before.filter((block) => names.includes(block.path)),
    request.overloads,
  );
  if ((own.length > 1 || wereOverloads) && !areOverloads(twins, request.overloads))
    return `the answer declares ${path} ${twins.length} times with the same parameters`;
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

/** The first function that has the name and the parameters of another one, and had not before. */
function doubledSignature(before: readonly OutlineBlock[], after: readonly OutlineBlock[]): string | undefined {
  const were = bySignature(before);
  for (const [signature, [block, ...others]] of bySignature(after))
    if (block !== undefined && others.length > 0 && others.length >= (were.get(signature)?.length ?? 0))
      return `the answer declares ${block.path} again with the same parameters`;
  return undefined;
}

function bySignature(blocks: readonly OutlineBlock[]): ReadonlyMap<string, readonly OutlineBlock[]> {
  const found = new Map<string, OutlineBlock[]>();
  for (const block of blocks) {
    if (block.signature === '') continue;
    const same = found.get(block.signature);
    if (same === undefined) found.set(block.signature, [block]);
    else same.push(block);
  }
  return found;
}

function areOverloads(blocks: readonly OutlineBlock[], overloads: boolean): boolean {
  if (!blocks.every((block) => block.isFunction)) return false;
  if (overloads) return new Set(blocks.map((block) => block.parameterTypes)).size === blocks.length;
  const different = new Set(blocks.map((block) => block.headerHash)).size === blocks.length;
  return different && blocks.slice(0, -1).every((block) => block.isBodiless || block.isDecorated);
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
  const path = request.summary.decls.pathOf(request.decl);
  if (after.moduleHash !== request.summary.moduleHash)
    return `the answer holds code outside of ${path}, at module level`;
  const parent = parentOf(path);
  if (parent === '' || blocks.length !== before.length) return undefined;
  const was = before.filter((block) => block.path === parent).map((block) => block.bodyHash);
  const is = blocks.filter((block) => block.path === parent).map((block) => block.bodyHash);
  return was.join() === is.join() ? undefined : `the answer holds code outside of ${path}, in ${parent}`;
}
