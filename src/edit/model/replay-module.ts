/**
 * A replay's answer for code at module level: the lines of a fragment as the target has them, where
 * the lines belong to no block. Lines of blocks stay as they are, since each is asked for by its name.
 */
import { diffArrays } from 'diff';
import { isOwnBlock } from '../../change/match-blocks.js';
import { D, isClassLike, isFunctionLike, type Summary } from '../../syntax/summary.js';
import type { TargetFile } from './replay.js';

export function moduleOfTarget(current: TargetFile, target: TargetFile, fragment: string): string {
  const from = current.text.indexOf(fragment);
  const lines = current.text.split('\n');
  const first = current.text.slice(0, from).split('\n').length - 1;
  const last = first + fragment.split('\n').length;
  const outside = outerLines(current.summary, lines.length);
  const outsideThere = outerLines(target.summary, target.text.split('\n').length);
  const out: string[] = [];
  let here = 0;
  let there = 0;
  for (const part of diffArrays(lines.map(bare), target.text.split('\n').map(bare))) {
    if (part.added) {
      // A new line goes where the lines around it stand, if those are in the fragment.
      if (here > first && here <= last) part.value.forEach((line, i) => { if (outsideThere[there + i] === true) out.push(line); });
      there += part.count;
      continue;
    }
    for (let i = here; i < here + part.count; i++) if (i >= first && i < last && !(part.removed && outside[i] === true)) out.push(lines[i] as string);
    here += part.count;
    if (!part.removed) there += part.count;
  }
  return out.join('\n');
}

const bare = (line: string): string => line.replace(/\r$/, '');

/** For each line whether it lies outside of all functions and classes. */
function outerLines(summary: Summary, count: number): boolean[] {
  const out = new Array<boolean>(count).fill(true);
  const { decls, lineStarts } = summary;
  for (let row = 0; row < decls.count; row++) {
    const kind = decls.kind[row] as number;
    if (!isOwnBlock(summary, row) || kind === D.namespace || (!isClassLike(kind) && !isFunctionLike(kind))) continue;
    for (let line = 0; line < count; line++) if ((lineStarts[line] as number) < (decls.end[row] as number) && (lineStarts[line + 1] ?? summary.textLength + 1) > (decls.start[row] as number)) out[line] = false;
  }
  return out;
}
