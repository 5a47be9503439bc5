/**
 * Matched, missed and spurious blocks of a prediction: whether the blocks that the target changes
 * are the ones that the prediction changes, whatever it makes of them; `exact` counts those that it
 * makes equal to the target's.
 *
 * Source: metrics of the CodePlan package (arXiv 2309.12499).
 */
import { summarise } from '../languages/summarise.js';
import type { Grammars } from '../syntax/grammar.js';
import { pairBlocks, scoredBlocks, type ScoredBlock } from './scored-blocks.js';
import type { Tree } from './tree.js';

export interface BlockMetrics {
  readonly matched: readonly ScoredBlock[];
  readonly missed: readonly ScoredBlock[];
  readonly spurious: readonly ScoredBlock[];
  readonly untouched: number;
  /** How many of the matched have the target's text. */
  readonly exact: number;
}

export function blockMetrics(grammars: Grammars, source: Tree, target: Tree, predicted: Tree): BlockMetrics {
  const out = {
    matched: [] as ScoredBlock[],
    missed: [] as ScoredBlock[],
    spurious: [] as ScoredBlock[],
    untouched: 0,
    exact: 0,
  };
  const blocks = (tree: Tree, file: string): ScoredBlock[] => {
    const text = tree.get(file);
    const summary = text === undefined ? undefined : summarise(grammars, file, text);
    return text === undefined || summary === undefined ? [] : scoredBlocks(file, text, summary);
  };
  for (const file of [...new Set([...source.keys(), ...target.keys(), ...predicted.keys()])].sort()) {
    const same =
      source.get(file) !== undefined &&
      source.get(file) === target.get(file) &&
      source.get(file) === predicted.get(file);
    const s = blocks(source, file);
    if (same) out.untouched += s.length;
    else compareFile(s, blocks(target, file), blocks(predicted, file), out);
  }
  return out;
}

function compareFile(
  s: readonly ScoredBlock[],
  t: readonly ScoredBlock[],
  p: readonly ScoredBlock[],
  out: { matched: ScoredBlock[]; missed: ScoredBlock[]; spurious: ScoredBlock[]; untouched: number; exact: number },
): void {
  const wanted = pairBlocks(s, t);
  const made = pairBlocks(s, p);
  for (const block of s) {
    const [inTarget, inPrediction] = [wanted.get(block), made.get(block)];
    const isWanted = inTarget?.text !== block.text;
    const isMade = inPrediction?.text !== block.text;
    const isLost = isWanted && inTarget !== undefined && inPrediction === undefined;
    if (isWanted && isMade && !isLost) {
      out.matched.push(block);
      if (inTarget?.text === inPrediction?.text) out.exact++;
    } else if (isWanted) out.missed.push(block);
    else if (isMade) out.spurious.push(block);
    else out.untouched++;
  }
  const paired = (pairs: ReadonlyMap<ScoredBlock, ScoredBlock>): Set<ScoredBlock> => new Set(pairs.values());
  const [knownT, knownP] = [paired(wanted), paired(made)];
  const addedInTarget = t.filter((block) => !knownT.has(block));
  const addedInPrediction = p.filter((block) => !knownP.has(block));
  const added = pairBlocks(addedInTarget, addedInPrediction);
  for (const block of addedInTarget) {
    const partner = added.get(block);
    (partner === undefined ? out.missed : out.matched).push(block);
    if (partner?.text === block.text) out.exact++;
  }
  const partners = paired(added);
  out.spurious.push(...addedInPrediction.filter((block) => !partners.has(block)));
}
