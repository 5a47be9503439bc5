/**
 * A replay's answer for code at module level: the lines of a fragment as the target has them, where
 * the lines belong to no block. Lines of blocks stay as they are, since each is asked for by its name.
 */
import { diffArrays } from 'diff';
import { isOwnBlock } from '../../change/match-blocks.js';
import { D, isClassLike, isFunctionLike, type Summary } from '../../syntax/summary.js';
import type { TargetFile } from './replay.js';

/** `firstLine`: where the fragment begins, from 1. */
export function moduleOfTarget(current: TargetFile, target: TargetFile, fragment: string, firstLine: number): string {
  const lines = current.text.split('\n');
  const first = firstLine - 1;
  const last = first + fragment.split('\n').length;
  const outside = outerLines(current.summary, lines.length);
  const outsideThere = outerLines(target.summary, target.text.split('\n').length);
  const out: string[] = [];
  for (const { here, added } of lineByLine(lines.map(bare), target.text.split('\n').map(bare))) {
    if (here.index < first || here.index >= last) continue;
    if (!here.isGone || outside[here.index] !== true) out.push(lines[here.index] as string);
    for (const { line, index } of added) if (outsideThere[index] === true) out.push(line);
  }
  return out.join('\n');
}

interface FollowedLine {
  readonly here: { readonly index: number; readonly isGone: boolean };
  /** Lines of the target that come in its place, or behind it. */
  readonly added: readonly { readonly line: string; readonly index: number }[];
}

/**
 * Every line of the present text, with the new lines that stand where it stands. New lines in front of all go with the
 * first.
 */
function lineByLine(now: readonly string[], then: readonly string[]): FollowedLine[] {
  const out: { here: { index: number; isGone: boolean }; added: { line: string; index: number }[] }[] = [];
  const inFront: { line: string; index: number }[] = [];
  let there = 0;
  let gone: number[] = [];
  for (const part of diffArrays([...now], [...then])) {
    if (part.added) {
      const places =
        gone.length === 0
          ? part.value.map(() => out.length - 1)
          : aligned(
              gone.map((at) => now[at] as string),
              part.value,
            ).map((at) => gone[at] as number);
      part.value.forEach((line, i) => (out[places[i] as number]?.added ?? inFront).push({ line, index: there + i }));
      there += part.count;
      gone = [];
      continue;
    }
    gone = [];
    for (let i = 0; i < part.count; i++) {
      if (part.removed) gone.push(out.length);
      out.push({ here: { index: out.length, isGone: part.removed }, added: [] });
    }
    if (!part.removed) there += part.count;
  }
  out[0]?.added.unshift(...inFront);
  return out;
}

/** Above this many pairs of lines, new lines are laid along the old ones in proportion. */
const PAIRS_MOST = 40_000;

/** For each new line the old one in whose place it stands, in order: those that have most words in common. */
function aligned(old: readonly string[], added: readonly string[]): number[] {
  if (old.length * added.length > PAIRS_MOST) return added.map((_, i) => Math.floor((i * old.length) / added.length));
  const words = (line: string): Set<string> => new Set(line.match(/\w+/g) ?? []);
  const [left, right] = [old.map(words), added.map(words)];
  const alike = (i: number, j: number): number => {
    const [a, b] = [left[i] as Set<string>, right[j] as Set<string>];
    const common = [...a].filter((word) => b.has(word)).length;
    return common === 0 ? 0 : (2 * common) / (a.size + b.size);
  };
  // best[j][i]: the most that new lines up to j have in common with old ones up to i.
  const best: number[][] = [];
  for (let j = 0; j < added.length; j++) {
    best.push([]);
    for (let i = 0; i < old.length; i++) {
      const before = j === 0 ? 0 : ((best[j - 1] as number[])[i] as number);
      const beside = i === 0 ? -1 : ((best[j] as number[])[i - 1] as number);
      (best[j] as number[]).push(Math.max(before + alike(i, j), beside));
    }
  }
  const places = new Array<number>(added.length).fill(0);
  let i = old.length - 1;
  for (let j = added.length - 1; j >= 0; j--) {
    while (i > 0 && (best[j] as number[])[i - 1] === (best[j] as number[])[i]) i--;
    places[j] = i;
  }
  return places;
}

const bare = (line: string): string => line.replace(/\r$/, '');

/** For each line whether it lies outside of all functions and classes. */
function outerLines(summary: Summary, count: number): boolean[] {
  const out = new Array<boolean>(count).fill(true);
  const { decls, lineStarts } = summary;
  for (let row = 0; row < decls.count; row++) {
    const kind = decls.kindOf(row);
    if (!isOwnBlock(summary, row) || kind === D.namespace || (!isClassLike(kind) && !isFunctionLike(kind))) continue;
    for (let line = 0; line < count; line++)
      if (
        (lineStarts[line] as number) < decls.endOf(row) &&
        (lineStarts[line + 1] ?? summary.textLength + 1) > decls.startOf(row)
      )
        out[line] = false;
  }
  return out;
}
