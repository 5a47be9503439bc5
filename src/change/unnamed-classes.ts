/**
 * Methods of classes without a name, which are part of the block that they stand in: of an edit of the block, what
 * became of their names and signatures, which the others of their family have to keep.
 */
import { D, isFunctionLike, type Summary } from '../syntax/summary.js';
import { kindName, type AtomicChange } from './atomic-change.js';
import { changeOf } from './compare-block.js';
import { isEmptyDelta, signatureDelta } from './signature-delta.js';
import type { BlockVersion } from './version.js';

interface Pair {
  readonly before: number;
  readonly after: number;
}

/** Only those of classes with a base: nobody else hears of the others. */
export function unnamedChanges(from: BlockVersion, to: BlockVersion): AtomicChange[] {
  const [old, now] = [from.version.summary, to.version.summary];
  const [were, are] = [classesIn(old, from.decl), classesIn(now, to.decl)];
  return [...were].flatMap(([base, classes]) => {
    const others = are.get(base) ?? [];
    // Which of them came or went nobody says: of one base all have the same signatures, but not the same methods.
    const isEach = classes.length === others.length;
    return classes
      .slice(0, others.length)
      .flatMap((before, i) =>
        sameMethods(old, before, now, others[i] as number, isEach).flatMap((pair) => methodChange(from, to, pair)),
      );
  });
}

function methodChange(from: BlockVersion, to: BlockVersion, { before, after }: Pair): AtomicChange[] {
  const [old, now] = [
    { version: from.version, decl: before },
    { version: to.version, decl: after },
  ];
  const signature = signatureDelta(old.version, before, now.version, after);
  const [was, is] = [from.version.summary.decls.nameOf(before), to.version.summary.decls.nameOf(after)];
  if (was === is && isEmptyDelta(signature)) return [];
  const change = changeOf('MMS', old, now, { ...(was === is ? {} : { rename: { from: was, to: is } }), signature });
  return [{ ...change, block: `${to.version.summary.decls.pathOf(to.decl)}.${is}`, kind: kindName(D.method) }];
}

/** Rows of the classes without a name that stand in a block, and in none inside it, by the name of their base. */
function classesIn({ decls, exprs, scopes }: Summary, block: number): Map<string, number[]> {
  const found: number[] = [];
  for (let decl = 0; decl < decls.count; decl++)
    if (
      decls.kindOf(decl) === D.anonymousClass &&
      decls.basesOf(decl).length > 0 &&
      scopes.blockOf(decls.scopeOf(decl)) === block
    )
      found.push(decl);
  return byName(found, (decl) => [...decls.basesOf(decl)].map((base) => exprs.nameOf(base)).join());
}

/** Methods of two versions of a class: those of one name in their order; with `others`, the only one left too. */
function sameMethods(old: Summary, before: number, now: Summary, after: number, others: boolean): Pair[] {
  const [were, are] = [methodsOf(old, before), methodsOf(now, after)];
  const pairs: Pair[] = [];
  for (const [name, rows] of were) {
    const same = are.get(name) ?? [];
    if (rows.length !== same.length) continue;
    rows.forEach((row, i) => pairs.push({ before: row, after: same[i] as number }));
    were.delete(name);
    are.delete(name);
  }
  const [gone, come] = [[...were.values()].flat(), [...are.values()].flat()];
  return others && gone.length === 1 && come.length === 1
    ? [...pairs, { before: gone[0] as number, after: come[0] as number }]
    : pairs;
}

function methodsOf({ decls }: Summary, type: number): Map<string, number[]> {
  const inner = decls.innerOf(type);
  const found: number[] = [];
  for (let decl = 0; decl < decls.count; decl++)
    if (decls.scopeOf(decl) === inner && isFunctionLike(decls.kindOf(decl)) && decls.nameOf(decl) !== '')
      found.push(decl);
  return byName(found, (decl) => decls.nameOf(decl));
}

function byName(rows: readonly number[], nameOf: (row: number) => string): Map<string, number[]> {
  const out = new Map<string, number[]>();
  for (const row of rows) out.set(nameOf(row), [...(out.get(nameOf(row)) ?? []), row]);
  return out;
}
