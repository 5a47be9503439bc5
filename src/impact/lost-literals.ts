/**
 * Strings that a type had among its alternatives and has no more, in blocks that do not say the type: who puts one
 * where the type is declared, compares with it, or takes the entry of it.
 *
 *     type Mode = 'fast' | 'slow'          job.mode = 'slow'      if (job.mode === 'slow')      run('slow')
 *     const LIMITS: Record<Mode, number>   LIMITS.slow            { fast: 1, slow: 2 }
 *
 * Errs towards missing: strings that are no name, whose text no row has, and types that are computed.
 */
import { piece, pieces, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { blockOf } from '../graph/refer/site.js';
import { expandedStrings } from '../graph/resolve/literal-alternatives.js';
import { declaredTypes, literalOf, placesOf, recordsIn, type Written } from '../graph/resolve/string-places.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { E } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Question } from './question.js';

/** A type as it is written in the edited tree, and the strings that it took before and does not any more. */
interface Narrowed {
  readonly change: AtomicChange;
  readonly file: string;
  readonly row: number;
  readonly gone: ReadonlySet<string>;
  /** What has the type, in words. */
  readonly owner: string;
}

export function* usersOfLostLiterals({ graphs: { before, after }, edit }: Question): Turns<readonly AffectedBlock[]> {
  const out = new AffectedBlocks();
  for (const change of edit.changes)
    for (const narrowed of yield* piece(() => narrowedBy(before, after, change)))
      for (const name of narrowed.gone)
        for (const file of after.repo.filesMentioning(name)) {
          const { exprs } = after.summary(file);
          const rows = [...exprs.named(after.summary(file).idOf(name))];
          for (const found of yield* pieces(rows, (row) => factAt(after, file, row, name, narrowed) ?? []))
            for (const { row, fact } of found) add(after, { file, row, fact }, narrowed, out);
        }
  return out.sorted();
}

/** Of a type that has a name, and of each type that a header writes out, where strings went from among them. */
function narrowedBy(before: Resolver, after: Resolver, change: AtomicChange): Narrowed[] {
  const { before: was, after: is } = change;
  if (was === undefined || is === undefined || was.decl < 0 || is.decl < 0) return [];
  const now = typeRowsOf(after, is);
  return [...typeRowsOf(before, was)].flatMap(([name, old]): Narrowed[] => {
    const row = now.get(name);
    if (row === undefined) return [];
    const had = expandedStrings(before, { file: was.file, row: old }).strings;
    const has = expandedStrings(after, { file: is.file, row });
    const gone = new Set([...had].filter((each) => !has.strings.has(each)));
    return gone.size === 0 || has.isOpen
      ? []
      : [{ change, file: is.file, row, gone, owner: name === '' ? change.block : `${name} of ${change.block}` }];
  });
}

/** The types that a declaration writes out, by the parameter's name; '' its own. */
function typeRowsOf(resolver: Resolver, { file, decl }: DeclRef): ReadonlyMap<string, number> {
  const { decls, exprs } = resolver.summary(file);
  const value = decls.valueOf(decl);
  const isAlias = value >= 0 && exprs.opOf(value) === E.index;
  const own = decls.typeOf(decl) >= 0 ? decls.typeOf(decl) : isAlias ? value : -1;
  return new Map(
    [
      ['', own] as const,
      ...[...decls.paramsOf(decl)].map((param) => [decls.nameOf(param), decls.typeOf(param)] as const),
    ].filter(([, row]) => row >= 0),
  );
}

interface Fact {
  readonly row: number;
  readonly fact: string;
}

/** What is wrong with a row that says the string. */
function factAt(after: Resolver, file: string, row: number, name: string, narrowed: Narrowed): Fact[] | undefined {
  const summary = after.summary(file);
  const { exprs, decls } = summary;
  const lacks = (type: Written): boolean => isLackedBy(after, type, name, narrowed);
  const lacksKey = (type: Written): boolean => recordsIn(after, type).some(({ keys }) => lacks(keys));
  const given = [{ row, fact: `'${name}' is not expected there now` }];
  const taken = [{ row, fact: `there is nothing under ${name} now` }];
  switch (exprs.opOf(row)) {
    case E.string: {
      if (exprs.operandOf(row) >= 0) return undefined;
      if (placesOf(after, file, row, lacks).some(lacks)) return given;
      const indexed = exprs.usesOf(row).flatMap((use) => (use.kind === 'subscript' ? [use.row] : []));
      return indexed.some((index) => declaredTypes(after, file, exprs.operandOf(index)).some(lacksKey))
        ? taken
        : undefined;
    }
    case E.member:
      return declaredTypes(after, file, exprs.operandOf(row)).some(lacksKey) ? taken : undefined;
    case E.initializer: {
      const literal = exprs.operandOf(row);
      const property = [...decls.allInScope(decls.innerOf(exprs.closureOf(literal)))].find(
        (decl) => decls.nameOf(decl) === name,
      );
      const isOne = property !== undefined && literalOf(after, file, property) === literal;
      return isOne && placesOf(after, file, literal, lacksKey).some(lacksKey) ? given : undefined;
    }
    default:
      return undefined;
  }
}

/** Whether a type is, or has among its parts, the one that takes the string no more, and nothing else takes it. */
function isLackedBy(after: Resolver, type: Written, name: string, { file, row }: Narrowed): boolean {
  const { strings, isOpen, through } = expandedStrings(after, type);
  return !isOpen && !strings.has(name) && through.some((each) => each.file === file && each.row === row);
}

function add(
  after: Resolver,
  { file, row, fact }: Fact & { readonly file: string },
  { change, owner }: Narrowed,
  out: AffectedBlocks,
): void {
  const summary = after.summary(file);
  const block = blockOf(summary, row);
  // What stands in the edit itself the person sees.
  if (change.after?.file === file && change.after.decl === block) return;
  const name = block < 0 ? '<module>' : summary.decls.pathOf(block);
  out.addOnce(file, block, {
    expr: row,
    tier: after.language(file).checksTypes ? 'breaks' : 'may',
    confidence: 'certain',
    reason: `${name} says a string that is none of ${owner} any more: ${fact}.`,
    fact,
    rule: 'lost-literal',
    relation: 'UsedBy',
    cause: change,
  });
}
