/**
 * Mappings that are written out where a class declares their keys (Python `TypedDict`), and lack a key that must be
 * there now: one that is new, or that could be left out before.
 *
 *     class Row(TypedDict): name: str; size: int         row: Row = {"name": "a"}
 *
 * No such mapping says the key that it lacks. It is found by another one of the class, or of a class below. Errs
 * towards missing: mappings without any key, and those whose place says no type.
 */
import { pieces, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { blockOf, descendantsOf, sitesOf } from '../graph/refer/references.js';
import { componentsOf } from '../graph/resolve/components.js';
import { isKeyed } from '../graph/resolve/keyed.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { E, isClassLike, type Summary } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Graphs } from './graphs.js';
import type { Question } from './question.js';

export function* lackingMappings({ graphs, edit }: Question): Turns<readonly AffectedBlock[]> {
  const { after } = graphs;
  const out = new AffectedBlocks();
  const changed = edit.changes.filter(({ after: now }) => now !== undefined && now.decl >= 0);
  for (const found of yield* pieces(changed, (change) => askedAnew(graphs, change).map((asked) => ({ change, asked }))))
    for (const { change, asked } of found)
      for (const { file, row, isOpen } of mappingsOf(after, asked)) {
        const summary = after.summary(file);
        const block = blockOf(summary, row);
        out.addOnce(file, block, {
          expr: row,
          tier: isOpen ? 'may' : 'breaks',
          confidence: 'certain',
          reason: `${summary.decls.pathOf(block)} gives a mapping without ${asked.key}, which has to be there now.`,
          fact: `no key ${asked.key}`,
          rule: 'lacking-mapping',
          relation: 'UsedBy',
          cause: change,
        });
      }
  return out.sorted();
}

interface Asked {
  readonly type: DeclRef;
  readonly key: string;
}

/** Keys that a mapping of the class of a change must have, and did not have to. */
function askedAnew({ before, after }: Graphs, { before: was, after: now }: AtomicChange): Asked[] {
  const type = now === undefined ? undefined : classAt(after, now);
  if (type === undefined || !isKeyed(after, type)) return [];
  const old = was === undefined ? undefined : classAt(before, was);
  const had = old === undefined ? new Set<string>() : requiredOf(before, old);
  const name = after.summary(type.file).decls.nameOf(now?.decl ?? -1);
  return [...requiredOf(after, type)]
    .filter((key) => !had.has(key) && (old !== undefined || key === name))
    .map((key) => ({ type, key }));
}

function classAt(resolver: Resolver, { file, decl }: DeclRef): DeclRef | undefined {
  const { decls } = resolver.summary(file);
  const owner = isClassLike(decls.kindOf(decl)) ? decl : decls.parentOf(decl);
  return owner >= 0 && isClassLike(decls.kindOf(owner)) ? { file, decl: owner } : undefined;
}

const requiredOf = (resolver: Resolver, type: DeclRef): Set<string> =>
  new Set(
    componentsOf(resolver, type)
      .params.filter(({ optional }) => !optional)
      .map(({ name }) => name),
  );

interface Mapping {
  readonly file: string;
  readonly row: number;
  /** Whether something is spread into it that may have the key. */
  readonly isOpen: boolean;
}

function mappingsOf(resolver: Resolver, { type, key }: Asked): readonly Mapping[] {
  const found = new Map<string, Mapping>();
  for (const owner of [type, ...descendantsOf(resolver, type)])
    for (const { decl } of componentsOf(resolver, owner).params)
      for (const { file, expr } of sitesOf(resolver, { file: owner.file, decl })) {
        const summary = resolver.summary(file);
        const use = expr < 0 ? undefined : summary.exprs.usesOf(expr).find(({ kind }) => kind === 'key');
        const keys = use?.kind === 'key' ? keysAt(summary, use.row) : undefined;
        if (use?.kind === 'key' && keys?.names.has(key) === false)
          found.set(`${file}\0${use.row}`, { file, row: use.row, isOpen: keys.isOpen });
      }
  return [...found.values()];
}

function keysAt({ exprs }: Summary, row: number): { readonly names: ReadonlySet<string>; readonly isOpen: boolean } {
  const keys = [...exprs.keysOf(row)];
  return {
    names: new Set(keys.filter((key) => key >= 0 && exprs.opOf(key) === E.string).map((key) => exprs.nameOf(key))),
    isOpen: keys.length < exprs.partsOf(row).length || keys.some((key) => key < 0),
  };
}
