/**
 * BLEU of one text against one reference, after tokenising both as the "13a" scheme does: what the
 * authors' DiffBLEU applies to two diffs.
 *
 * Source: metrics of the CodePlan package (arXiv 2309.12499); BLEU without smoothing.
 */
import { exp, log } from './exact-math.js';

/** Papineni et al., BLEU, 2002: n-grams of one to four words, all of one weight. */
const NGRAM_MOST = 4;

/** 0 to 1; 0 where any n-gram length has no match. */
export function bleu(prediction: string, reference: string): number {
  if (reference === '') return 0;
  const p = tokens13a(prediction);
  const r = tokens13a(reference);
  let logSum = 0;
  // The order of roundings is that of the authors' implementation: results agree to the last digit.
  for (let n = 1; n <= NGRAM_MOST; n++) {
    const counts = ngrams(p, n);
    const known = ngrams(r, n);
    let matched = 0;
    for (const [gram, count] of counts) matched += Math.min(count, known.get(gram) ?? 0);
    if (matched === 0) return 0;
    logSum += (1 / NGRAM_MOST) * log(matched / Math.max(0, p.length - n + 1));
  }
  return exp(logSum) * (p.length > r.length ? 1 : exp(1 - 1 / (p.length / r.length)));
}

/** What Python's `str.split` takes for blanks; a byte order mark is none. */
const BLANKS = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/u;

export function tokens13a(text: string): string[] {
  let line = text.replaceAll('<skipped>', '').replaceAll('-\n', '').replaceAll('\n', ' ');
  if (line.includes('&'))
    line = line.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  line = ` ${line} `
    .replace(/([{-~[-` -&(-+:-@/])/g, ' $1 ')
    .replace(/([^0-9])([.,])/gu, '$1 $2 ')
    .replace(/([.,])([^0-9])/gu, ' $1 $2')
    .replace(/([0-9])(-)/g, '$1 $2 ');
  return line.split(BLANKS).filter((token) => token !== '');
}

function ngrams(tokens: readonly string[], n: number): Map<string, number> {
  const out = new Map<string, number>();
  for (let i = 0; i + n <= tokens.length; i++) {
    const gram = tokens.slice(i, i + n).join('\0');
    out.set(gram, (out.get(gram) ?? 0) + 1);
  }
  return out;
}
