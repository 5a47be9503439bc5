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
import { sitesOf } from '../graph/refer/references.js';
import { blockOf } from '../graph/refer/site.js';
import { descendantsOf } from '../graph/refer/sites-by-name.js';
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

export interface Asked {
  readonly type: DeclRef;
  readonly key: string;
}

/** Keys that a mapping of the class of a change must have, and did not have to. One that was renamed is no new one. */
export function askedAnew({ before, after }: Graphs, { before: was, after: now, detail }: AtomicChange): Asked[] {
  const type = now === undefined || detail.rename !== undefined ? undefined : classAt(after, now);
  if (now === undefined || type === undefined || !isKeyed(after, type)) return [];
  const old = was === undefined ? undefined : classAt(before, was);
  const wasKnown = old === undefined ? undefined : keysOf(before, old);
  const isOfAll = type.decl === now.decl;
  const own = after.summary(now.file).decls.nameOf(now.decl);
  return [...keysOf(after, type)].flatMap(([key, isRequired]) => {
    const had = wasKnown?.get(key);
    const isAsked = isOfAll ? had === false : key === own && had !== true;
    return isRequired && isAsked ? [{ type, key }] : [];
  });
}

function classAt(resolver: Resolver, { file, decl }: DeclRef): DeclRef | undefined {
  const { decls } = resolver.summary(file);
  const owner = isClassLike(decls.kindOf(decl)) ? decl : decls.parentOf(decl);
  return owner >= 0 && isClassLike(decls.kindOf(owner)) ? { file, decl: owner } : undefined;
}

/** Its keys, and whether each must be there. */
const keysOf = (resolver: Resolver, type: DeclRef): ReadonlyMap<string, boolean> =>
  new Map(componentsOf(resolver, type).params.map(({ name, optional }) => [name, !optional]));

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
