/**
 * All metrics of one predicted tree. Only files that source, target and prediction have count for
 * the metrics of texts; new and deleted files show in the blocks alone.
 *
 * Source: metrics of the CodePlan package (arXiv 2309.12499).
 */
import type { Scores } from '#protocol/evaluation.js';
import type { Grammars } from '../syntax/grammar.js';
import { blockMetrics } from './block-metrics.js';
import { diffBleu } from './diff-bleu.js';
import { editDistance } from './edit-distance.js';
import type { LaidOutCase } from './laid-out-case.js';
import type { Tree } from './tree.js';

export type TextScores = Omit<Scores, 'newErrors'>;

export async function scoreTree(
  { source, target, published }: Pick<LaidOutCase, 'source' | 'target' | 'published'>,
  predicted: Tree,
  grammars: Grammars,
  signal: AbortSignal,
): Promise<TextScores> {
  const files = [...source.keys()].filter((file) => target.has(file) && predicted.has(file));
  const common = (tree: Tree): Tree => new Map(files.map((file) => [file, tree.get(file) ?? '']));
  const bleu = await diffBleu(common(source), common(target), common(predicted), published.profile, signal);
  const blocks = blockMetrics(grammars, source, target, predicted);
  return {
    diffBleu: bleu.mean,
    diffBleuStrict: bleu.strict,
    levenshtein: files.reduce(
      (sum, file) =>
        sum + editDistance(withPlainBreaks(predicted.get(file) ?? ''), withPlainBreaks(target.get(file) ?? '')),
      0,
    ),
    matched: blocks.matched.length,
    missed: blocks.missed.length,
    spurious: blocks.spurious.length,
    exact: blocks.exact,
  };
}

const withPlainBreaks = (text: string): string => text.replace(/\r\n|\r/g, '\n');
