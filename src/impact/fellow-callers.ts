/**
 * Callers beside a changed function: it got a parameter and hands it on by its name to something
 * else, and they call that with the same keywords. What one wrapper can be given now, the next
 * wrapper of the same thing may want as well.
 *
 * Nothing leads from the edit to them, so they are `may` and `possible`: no rule edits them, and a plan asks about them
 * only where there is a model.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { callOf } from '../graph/resolve/names.js';
import { blockOf } from '../graph/refer/site.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { E, R, type Summary } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock, type AffectedSite } from './affected.js';
import { knownBlocks } from './known-blocks.js';
import type { Graphs } from './graphs.js';

/** Fewer keywords than this do not show that two calls are made alike. */
const KEYWORDS_LEAST = 3;
/** A name that more files say is not what a few wrap. */
const FILES_MOST = 60;

interface HandedOn {
  readonly callee: string;
  readonly param: string;
  readonly keywords: ReadonlySet<string>;
}

/** Blocks beside those that are `affected`, in the edited tree. Sorted by file and position. */
export function fellowCallers(
  { after }: Graphs,
  changes: readonly AtomicChange[],
  affected: readonly AffectedBlock[],
): AffectedBlock[] {
  const isKnown = knownBlocks(changes, affected);
  const out = new AffectedBlocks();
  for (const change of changes) {
    for (const handed of handedOn(after, change)) {
      for (const { file, expr } of likeCalls(after, handed)) {
        const summary = after.summary(file);
        const decl = blockOf(summary, expr);
        if (isKnown(file, decl)) continue;
        const reason =
          `${summary.decls.pathOf(decl)} calls ${handed.callee} as ${change.block} does, and does not give ` +
          `${handed.param}.`;
        const site: AffectedSite = {
          expr,
          tier: 'may',
          confidence: 'possible',
          reason,
          rule: 'fellow-caller',
          relation: 'Calls',
          cause: change,
        };
        out.addOnce(file, decl, site);
      }
    }
  }
  return out.sorted();
}

/** Calls in the changed body that give a new parameter on by its name. */
function handedOn(after: Resolver, { after: ref, detail }: AtomicChange): HandedOn[] {
  const added = new Set(detail.signature?.added.map((param) => param.name) ?? []);
  if (ref === undefined || added.size === 0) return [];
  const summary = after.summary(ref.file);
  const { exprs } = summary;
  const out: HandedOn[] = [];
  for (let callee = 0; callee < exprs.count; callee++) {
    if (
      exprs.roleOf(callee) !== R.callee ||
      !(exprs.opOf(callee) === E.member || exprs.opOf(callee) === E.name) ||
      blockOf(summary, callee) !== ref.decl
    )
      continue;
    const keywords = keywordsOf(summary, callee);
    for (const param of keywords)
      if (added.has(param) && keywords.size > KEYWORDS_LEAST)
        out.push({ callee: exprs.nameOf(callee), param, keywords });
  }
  return out;
}

/** Calls of the name anywhere that give some of the same keywords, no others, and not the new one. */
function likeCalls(
  after: Resolver,
  { callee, param, keywords }: HandedOn,
): { readonly file: string; readonly expr: number }[] {
  const files = after.repo.filesMentioning(callee);
  if (files.length > FILES_MOST) return [];
  return files.flatMap((file) => {
    const summary = after.summary(file);
    const row = summary.idOf(callee);
    if (row < 0) return [];
    return [...summary.exprs.named(row)]
      .filter((expr) => {
        const given = summary.exprs.roleOf(expr) === R.callee ? keywordsOf(summary, expr) : new Set<string>();
        return (
          given.size >= KEYWORDS_LEAST && !given.has(param) && [...given].every((keyword) => keywords.has(keyword))
        );
      })
      .map((expr) => ({ file, expr }));
  });
}

function keywordsOf(summary: Summary, callee: number): Set<string> {
  const call = callOf(summary, callee);
  return new Set(
    call < 0 ? [] : summary.exprs.argumentsOf(call).flatMap(({ keyword }) => (keyword === '' ? [] : [keyword])),
  );
}
