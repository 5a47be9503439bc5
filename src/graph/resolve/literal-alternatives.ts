/**
 * The strings among the alternatives of a type as it is written, with aliases and bounds of type parameters written
 * out: `'fast' | Slow` where `type Slow = 'slow' | 'slower'`, `Literal["fast"]`.
 */
import { D, E, R } from '../../syntax/summary.js';
import type { Resolver } from './resolver.js';

interface TypeRow {
  readonly file: string;
  readonly row: number;
}

export interface Alternatives {
  readonly strings: ReadonlySet<string>;
  /** It takes other strings as well, or nobody knows whether it does. */
  readonly isOpen: boolean;
  /** The types that it is made of, itself the first. */
  readonly through: readonly TypeRow[];
}

/** Aliases and parts deep; each is looked at once, since one may name itself in several places. */
const DEPTH_MOST = 12;

export function expandedStrings(resolver: Resolver, type: TypeRow): Alternatives {
  const strings = new Set<string>();
  const through: TypeRow[] = [];
  let isOpen = false;
  const seen = new Set<string>();
  const walk = (file: string, row: number, depth: number): void => {
    const key = `${file}\0${row}`;
    if (row < 0 || seen.has(key)) return;
    seen.add(key);
    through.push({ file, row });
    if (depth === 0) {
      isOpen = true;
      return;
    }
    const { exprs } = resolver.summary(file);
    const { library } = resolver.language(file);
    const parts = (): void => [...exprs.partsOf(row)].forEach((part) => walk(file, part, depth - 1));
    switch (exprs.opOf(row)) {
      case E.string:
        if (exprs.operandOf(row) < 0) strings.add(exprs.nameOf(row));
        return;
      case E.literal:
        // A literal is one value; a word for a type is all of its values.
        if (exprs.roleOf(row) === R.type && exprs.nameOf(row) === 'str') isOpen = true;
        return;
      case E.union:
        if (exprs.nameOf(row) === '') parts();
        else isOpen = true;
        return;
      case E.array:
        walk(file, exprs.operandOf(row), depth - 1);
        return;
      case E.index: {
        const head = exprs.nameOf(exprs.operandOf(row));
        if (library.namedUnions.has(head) || library.sequences.has(head) || library.wrappers.has(head)) parts();
        else isOpen = true;
        return;
      }
      case E.name:
      case E.member:
        walkNamed(file, row, depth);
        return;
      default:
        isOpen = true;
    }
  };
  const walkNamed = (file: string, row: number, depth: number): void => {
    const { targets } = resolver.resolve(file, row);
    if (targets.length === 0) isOpen = true;
    for (const target of targets) {
      const { decls, exprs } = resolver.summary(target.file);
      const kind = target.decl < 0 ? undefined : decls.kindOf(target.decl);
      if (kind === D.typeAlias || kind === D.typeParam) {
        if (decls.typeOf(target.decl) < 0) isOpen = true;
        walk(target.file, decls.typeOf(target.decl), depth - 1);
      } else if (kind === D.variable && exprs.opOf(decls.valueOf(target.decl)) === E.index)
        walk(target.file, decls.valueOf(target.decl), depth - 1);
    }
  };
  walk(type.file, type.row, DEPTH_MOST);
  return { strings, isOpen, through };
}
