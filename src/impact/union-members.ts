/**
 * Members of a union that has a name: `type Shape = Circle | Square`, `Mode = Literal["fast", "slow"]`.
 */
import { childrenOf } from '../change/match-blocks.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { languageById } from '../languages/registry.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { E, isFieldLike, type Summary } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';

export interface UnionMember {
  readonly name: string;
  /** Row that names it. */
  readonly expr: number;
}

/** Members that the edit added to the union, and those that it had; undefined if it lost one, or had fewer than two. */
export function grownUnion(
  { before, after }: Graphs,
  change: AtomicChange,
): { readonly old: readonly UnionMember[]; readonly added: readonly UnionMember[] } | undefined {
  if (change.before === undefined || change.after === undefined || change.after.decl < 0) return undefined;
  const had = new Set(membersOf(before.summary(change.before.file), change.before.decl).map(({ name }) => name));
  const now = membersOf(after.summary(change.after.file), change.after.decl);
  const old = now.filter(({ name }) => had.has(name));
  const added = now.filter(({ name }) => !had.has(name));
  return had.size < 2 || old.length < had.size || added.length === 0 ? undefined : { old, added };
}

function membersOf(summary: Summary, decl: number): UnionMember[] {
  const { decls, exprs } = summary;
  const { namedUnions } = languageById(summary.language).library;
  const collect = (row: number): UnionMember[] => {
    if (row < 0) return [];
    const name = exprs.nameOf(row);
    const [a, b] = [exprs.operandOf(row), exprs.secondOf(row)];
    switch (exprs.opOf(row)) {
      case E.union:
        return [...exprs.partsOf(row)].flatMap(collect);
      case E.operator:
        return name === '|' ? [...collect(a), ...collect(b)] : [];
      case E.index:
        return namedUnions.has(exprs.nameOf(a)) ? [...exprs.partsOf(row)].flatMap(collect) : collect(a);
      case E.name:
      case E.member:
      case E.string:
        return [{ name, expr: row }];
      default:
        return [];
    }
  };
  const type = decls.typeOf(decl);
  const found = collect(type);
  return found.length > 1 ? found : collect(decls.valueOf(decl));
}

/**
 * Words by which code tells a member from the others: its name, and the strings that are the types of its fields
 * (`kind: 'circle'`).
 */
export function wordsOf(resolver: Resolver, file: string, { name, expr }: UnionMember): string[] {
  const tags = resolver
    .resolve(file, expr)
    .targets.filter((target) => target.decl >= 0)
    .flatMap((target) => {
      const summary = resolver.summary(target.file);
      const { decls, exprs } = summary;
      return childrenOf(summary, target.decl).flatMap((field) => {
        const type = decls.typeOf(field);
        return isFieldLike(decls.kindOf(field)) && type >= 0 && exprs.opOf(type) === E.string
          ? [exprs.nameOf(type)]
          : [];
      });
    });
  return [name, ...tags];
}
