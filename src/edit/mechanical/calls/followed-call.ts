/**
 * Whether a call was written for the new signature already, by the person or by an earlier run:
 * `put(k, 60)` that the same edit turned into `put(60, k)` is not to be turned back.
 *
 * The call is compared with the one that stood in its place: the same one in order among the
 * calls of that name in the file. What each parameter is given says whose arguments they are. A
 * call that nothing stands for is new, and meant as it is if it fits. Errs towards calls that
 * are as they were, where the edit touched nested calls alone.
 */
import { inNewWords } from '../../../change/version.js';
import { callOf } from '../../../graph/resolve/names.js';
import type { Fit } from '../../../graph/resolve/signature.js';
import { type Argument, type Summary } from '../../../syntax/summary.js';
import { argumentSpans } from './argument-spans.js';
import type { RewriteSite } from '../rewrite.js';

export interface FittedCall {
  readonly call: number;
  /** Its arguments under a signature. */
  readonly fitOf: (args: readonly Argument[]) => { readonly old: Fit; readonly now: Fit };
  /** The new name of a parameter that is kept; undefined for one that is gone. */
  readonly keptAs: (name: string) => string | undefined;
}

export function isFollowed(
  { summary, text, block, site, graphs, texts, changes }: RewriteSite,
  { call, fitOf, keptAs }: FittedCall,
): boolean {
  const [oldSummary, oldText] = [graphs.before.repo.summary(block.file), texts.before(block.file)];
  if (oldSummary === undefined || oldText === undefined || oldText === text) return false;
  const old = {
    summary: oldSummary,
    text: oldText,
    renames: new Map(
      changes.flatMap(({ detail }) => (detail.rename === undefined ? [] : [[detail.rename.from, detail.rename.to]])),
    ),
  };
  const { now } = fitOf(summary.exprs.argumentsOf(call));
  if (!now.fits) return false;
  const name = summary.exprs.nameOf(site.expr);
  const calls = callsNamed(summary, name);
  const oldCalls = callsNamed(old.summary, site.cause.detail.rename?.from ?? name);
  const written = writtenArguments(summary, text, call);
  const writtenThen = (at: number): readonly string[] =>
    writtenArguments(old.summary, old.text, at).map((argument) => inNewWords(old, argument));
  if (calls.length !== oldCalls.length) return !oldCalls.some((other) => isAlike(writtenThen(other), written));
  const before = oldCalls[calls.indexOf(call)];
  if (before === undefined) return false;
  const writtenBefore = writtenThen(before);
  if (isAlike(writtenBefore, written)) return false;
  const meant = fitOf(old.summary.exprs.argumentsOf(before)).old;
  if (!meant.fits) return true;
  const readAs = (reading: Fit, nameOf: (param: string) => string | undefined): number =>
    !reading.fits
      ? 0
      : meant.pairs.filter((pair) =>
          reading.pairs.some(
            (other) =>
              other.param.name === nameOf(pair.param.name) &&
              headOf(written[other.index]) === headOf(writtenBefore[pair.index]),
          ),
        ).length;
  const [asNew, asOld] = [readAs(now, keptAs), readAs(fitOf(summary.exprs.argumentsOf(call)).old, (param) => param)];
  return asNew > asOld || (asNew === asOld && written.length !== writtenBefore.length);
}

/** Rows of the calls of what has that name, in the text's order. */
function callsNamed(summary: Summary, name: string): number[] {
  const id = summary.idOf(name);
  if (id < 0) return [];
  return [...summary.exprs.named(id)]
    .sort((a, b) => summary.exprs.startOf(a) - summary.exprs.startOf(b))
    .map((row) => callOf(summary, row))
    .filter((row) => row >= 0);
}

const writtenArguments = (summary: Summary, text: string, call: number): readonly string[] =>
  (argumentSpans(summary, text, call) ?? []).map(({ argument, start, end }) =>
    text
      .slice(start, end)
      .slice(argument.keyword === '' ? 0 : argument.keyword.length)
      .replace(/^\s*[=:]\s*/, '')
      .replace(/\s+/g, ' '),
  );

const isAlike = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, i) => text === b[i]);

/** An argument without what is given to calls in it, which other rewrites may have edited. */
const headOf = (written: string | undefined): string | undefined =>
  written === undefined || !written.includes('(') ? written : written.slice(0, written.indexOf('('));
