/**
 * Why a place refers to a block, or why it does not, as a document with the answer in one sentence.
 */
import type { OtherMeaning, Reference, WhyParams, WhyReport } from '#protocol/graph.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { why, type OtherMeaning as Row } from '../graph/explain/why.js';
import { lineAt } from '../syntax/line-at.js';
import { findBlock, findPlace, lastName, withoutModule } from './block-names.js';
import { blockEntry, endEntry, factEntries, referenceEntry, spanOfSite, type GraphQuestion } from './graph-entries.js';

export function whyDocument({ resolver, problems }: GraphQuestion, params: WhyParams): WhyReport {
  const targets = withoutModule(findBlock(resolver, params.block), params.block);
  const place = findPlace(resolver, params.from);
  const { edges, others } = why(resolver, targets, place);
  const references = edges.map(({ site, path }) =>
    referenceEntry(resolver, site, { path: factEntries(resolver, path) }),
  );
  const entries = others.map((row) => otherMeaningEntry(resolver, row));
  const summary = resolver.summary(place.file);
  return {
    schema: SCHEMA_VERSION,
    blocks: targets.map((target) => blockEntry(resolver, target)),
    from: {
      ...endEntry(resolver, place),
      startLine: lineAt(summary, place.start),
      endLine: lineAt(summary, Math.max(place.end - 1, place.start)),
    },
    references,
    others: entries,
    summary: sentence(lastName(resolver, targets[0]), params.from, references, entries),
    complete: problems.length === 0,
    problems: [...problems],
  };
}

function otherMeaningEntry(resolver: Resolver, row: Row): OtherMeaning {
  return {
    ...endEntry(resolver, { file: row.file, decl: row.block }),
    ...spanOfSite(resolver, row),
    outcome: row.outcome,
    means: row.targets.map((target) => endEntry(resolver, target)),
    path: factEntries(resolver, row.path),
  };
}

const OUTCOMES: Readonly<Record<OtherMeaning['outcome'], string>> = {
  other: 'where the name means something else',
  external: 'where the name comes from outside of the repository',
  unresolved: 'where what the name means is not known',
  excluded: 'where only other members of the name are possible',
  string: 'where a string spells it',
};

function sentence(
  name: string,
  from: string,
  references: readonly Reference[],
  others: readonly OtherMeaning[],
): string {
  if (references.length > 0) {
    const certain = references.some((reference) => reference.confidence === 'certain');
    return `${from} refers to ${name}${certain ? '' : ', but only possibly: the name alone says so'}.`;
  }
  if (others.length === 0) return `${from} does not refer to ${name}: it does not say the name.`;
  const outcomes = [...new Set(others.map((other) => OUTCOMES[other.outcome]))];
  return `${from} says ${name}, ${outcomes.join(', and ')}: so it does not refer to it.`;
}
