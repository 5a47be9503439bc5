/**
 * An answer made whole: whichever shorter form a model chose, the result is the block's new text,
 * so that it is checked in one way.
 *
 * A changed place must stand in the fragment exactly once. Blanks at the ends of lines do not count, nor
 * does an indentation that all its lines lack or have too much; what replaces them then moves along.
 */
import type { EditRequest } from './edit-request.js';
import { parseAnswer, withoutReasoning, type ChangedPlace, type ParsedAnswer } from './answer.js';

/** What a model asked in words can have meant. */
export type WholeAnswer = Extract<ParsedAnswer, { kind: 'edit' | 'delete' | 'noChange' | 'refused' }>;

export function wholeAnswer(answer: string, request: EditRequest): WholeAnswer {
  const parsed = parseAnswer(answer);
  if (parsed.kind === 'edit' && request.outline !== undefined)
    return {
      kind: 'refused',
      reason:
        'bodies of its members were not shown, so it cannot be written whole; write changed places, or members to add',
    };
  if (parsed.kind === 'changes') return withChanges(request.fragment, parsed.head, parsed.places);
  if (parsed.kind === 'members') return { kind: 'edit', text: withMembers(request, parsed.text) };
  if (parsed.kind === 'delete' && request.kind === 'module')
    return {
      kind: 'refused',
      reason: 'code at module level is not removed as a whole; write what is to be left of it',
    };
  return parsed;
}

/** The answers to several requests that were one question; one that is missing is refused. */
export function answersTogether(answer: string, requests: readonly EditRequest[]): WholeAnswer[] {
  const pieces = numberedPieces(answer);
  return requests.map((request, at) => {
    const piece = pieces.get(at + 1);
    return piece === undefined
      ? { kind: 'refused', reason: `no line "## ${at + 1}" says that an answer to fragment ${at + 1} follows` }
      : wholeAnswer(piece, request);
  });
}

/** What stands below each line `## 2` outside of fences. Of two with one number the last is meant. */
function numberedPieces(answer: string): ReadonlyMap<number, string> {
  const pieces = new Map<number, string[]>();
  let at: string[] | undefined;
  let fence = '';
  for (const line of withoutReasoning(answer).split(/\r\n|\n|\r/)) {
    const [, sign = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    const number = fence === '' ? /^ {0,3}#{1,6} *(?:fragment *)?(\d{1,3})\b/i.exec(line)?.[1] : undefined;
    if (number !== undefined) pieces.set(Number(number), (at = []));
    else at?.push(line);
    if (fence === '') fence = sign;
    else if (sign.startsWith(fence) && line.trim() === sign) fence = '';
  }
  return new Map([...pieces].map(([number, lines]) => [number, lines.join('\n')]));
}

function withChanges(fragment: string, head: string, places: readonly ChangedPlace[]): WholeAnswer {
  let lines = fragment.replaceAll('\r\n', '\n').split('\n');
  for (const place of places) {
    const changed = withChange(lines, place);
    if (typeof changed === 'string') return { kind: 'refused', reason: changed };
    lines = [...changed];
  }
  const text = lines.join('\n');
  if (text.trim() === '')
    return { kind: 'refused', reason: 'nothing would be left; to remove the fragment, answer "Delete."' };
  return { kind: 'edit', text: head === '' ? text : `${head}\n\n${text}` };
}

/** The lines with the place changed; or why it cannot be. */
function withChange(lines: readonly string[], { search, replace }: ChangedPlace): readonly string[] | string {
  const wanted = trimmedLines(search);
  const first = wanted[0]?.trim() ?? '';
  if (wanted.length === 0)
    return 'a changed place has no lines to look for; copy the lines above or below where it goes';
  const at = places(lines, wanted);
  const said = `the lines to look for that begin with "${first.slice(0, 80)}"`;
  if (at.length === 0) return `${said} are not in the fragment as it is; copy them exactly`;
  const [start = 0, second] = at;
  if (second !== undefined) return `${said} stand in the fragment ${at.length} times; copy more lines around`;
  const shift = indentOf(lines[start] ?? '').length - indentOf(wanted[0] ?? '').length;
  const added =
    replace === '' ? [] : trimmedLines(replace, false).map((line) => shifted(line, shift, lines[start] ?? ''));
  return [...lines.slice(0, start), ...added, ...lines.slice(start + wanted.length)];
}

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';

function places(lines: readonly string[], wanted: readonly string[]): number[] {
  const find = (same: (a: string, b: string) => boolean): number[] =>
    lines.flatMap((_, at) =>
      at + wanted.length <= lines.length && wanted.every((line, i) => same(line, lines[at + i] ?? '')) ? [at] : [],
    );
  const exact = find((a, b) => a.trimEnd() === b.trimEnd());
  return exact.length > 0 ? exact : find((a, b) => a.trim() === b.trim());
}

function shifted(line: string, by: number, like: string): string {
  if (by === 0 || line.trim() === '') return line;
  const indent = indentOf(line);
  return by > 0 ? indentOf(like).slice(0, by) + line : line.slice(Math.min(-by, indent.length));
}

/** Without empty lines at both ends. */
function trimmedLines(text: string, trims = true): string[] {
  const lines = text.split('\n');
  if (!trims) return lines;
  while (lines.length > 0 && lines[0]?.trim() === '') lines.shift();
  while (lines.length > 0 && lines[lines.length - 1]?.trim() === '') lines.pop();
  return lines;
}

const CLASS_KINDS: ReadonlySet<string> = new Set(['class', 'interface', 'enum', 'struct', 'record', 'trait']);

/** Members of a class go in at its end, others behind the fragment. */
function withMembers({ kind, fragment }: EditRequest, members: string): string {
  const text = fragment.replaceAll('\r\n', '\n').trimEnd();
  if (!CLASS_KINDS.has(kind)) return `${text}\n\n${reindented(members, indentOf(text))}`;
  const closes = text.endsWith('}');
  const body = closes ? text.slice(0, -1).trimEnd() : text;
  const lines = text.split('\n');
  const outer = indentOf(lines[0] ?? '');
  const inner = lines
    .slice(1)
    .map(indentOf)
    .find((indent, i) => (lines[i + 1] ?? '').trim() !== '' && indent.length > outer.length);
  const added = reindented(members, inner ?? `${outer}    `);
  return closes ? `${body}\n\n${added}\n${outer}}` : `${body}\n\n${added}`;
}

function reindented(text: string, indent: string): string {
  const lines = trimmedLines(text);
  const common = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => indentOf(line).length));
  return lines.map((line) => (line.trim() === '' ? '' : indent + line.slice(common))).join('\n');
}
