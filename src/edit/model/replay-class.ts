/**
 * A replay's answer for a class: the class as it is now, under the target's header, with the members
 * that only the target has. Members that both have keep their text; each is a block of its own.
 */
import { applyEdits, type TextEdit } from '../../base/text-edit.js';
import { childrenOf, isOwnBlock, type Matched } from '../../change/match-blocks.js';
import { isFunctionLike, type Summary } from '../../syntax/summary.js';
import { fragmentOf } from '../merge.js';
import type { TargetFile } from './replay.js';

/** `row` of the present tree and `partner` of the target are the class. */
export function classOfTarget(
  current: TargetFile,
  row: number,
  target: TargetFile,
  partner: number,
  matched: Matched,
): string {
  const { decls } = current.summary;
  const to = target.summary.decls;
  const start = decls.startOf(row);
  const edits: TextEdit[] = [];
  const header = target.text.slice(to.startOf(partner), to.bodyStartOf(partner));
  edits.push({ start, end: decls.bodyStartOf(row), text: header });
  const counterpart = new Map(matched.pairs.map((pair) => [pair.after, pair.before]));
  const added = new Set(matched.added);
  let at = bodyLine(current, row);
  let previousEnd = to.bodyStartOf(partner);
  for (const member of [...childrenOf(target.summary, partner)].sort((a, b) => to.startOf(a) - to.startOf(b))) {
    if (!isWrittenInClass(target.summary, member)) continue;
    const known = counterpart.get(member);
    if (known !== undefined) at = Math.max(at, lineEnd(current.text, decls.endOf(known)));
    else if (added.has(member))
      edits.push({
        start: at,
        end: at,
        text: target.text.slice(lineEnd(target.text, previousEnd), lineEnd(target.text, to.endOf(member))),
      });
    previousEnd = to.endOf(member);
  }
  const lead = fragmentOf(current.text, current.summary, row);
  const indent = lead.slice(0, lead.length - lead.trimStart().length);
  return (
    indent +
    applyEdits(
      current.text.slice(start, decls.endOf(row)),
      edits.map((edit) => ({ start: edit.start - start, end: edit.end - start, text: edit.text })),
    )
  );
}

/** Where a first member goes: below the line that opens the body. */
function bodyLine({ text, summary }: TargetFile, row: number): number {
  const body = summary.decls.bodyStartOf(row);
  return text[body] === '{' ? lineEnd(text, body) : text.lastIndexOf('\n', body);
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end;
}

/** Not a field that a method declares by assigning to it. */
export function isWrittenInClass(summary: Summary, row: number): boolean {
  const { decls } = summary;
  for (let other = 0; other < decls.count; other++) {
    if (
      other !== row &&
      isFunctionLike(decls.kindOf(other)) &&
      isOwnBlock(summary, other) &&
      decls.startOf(other) <= decls.startOf(row) &&
      decls.endOf(row) <= decls.endOf(other)
    )
      return false;
  }
  return true;
}
