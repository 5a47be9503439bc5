/**
 * Mappings that have a key for each member of a type, which got or lost one: objects that are written for them, and who
 * reads a key of them that went.
 *
 *     const labels: Record<keyof Row, string> = { id: 'No.', name: 'Name' };
 *     type Shown = { [K in keyof Row]: boolean };
 *     const names: Record<Level, string> = { low: 'Low' };        enum Level { Low = 'low' }
 *
 * None of these says the member. They are found by who writes the keys of the type, through names for these keys and
 * for the mapping. Certain for `Record`; what else makes a type of the keys may let one be left out. Where no literal
 * for a mapping is in sight, it is listed where it is written.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { rowsNaming } from '../graph/refer/function-values.js';
import { argumentsFor } from '../graph/refer/given.js';
import { sitesOf } from '../graph/refer/references.js';
import { blockOf } from '../graph/refer/site.js';
import { sitesByName } from '../graph/refer/sites-by-name.js';
import { classOfMember } from '../graph/resolve/hierarchy.js';
import { keysOfLiteral, keysWithSpread } from '../graph/resolve/literal-keys.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import type { Use } from '../syntax/parts.js';
import { D, E, F, isFunctionLike, KEY_OF, type Summary } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import { counterpartsIn, type Counterpart } from './counterparts.js';
import type { Graphs } from './graphs.js';
import type { Question } from './question.js';

/** Names that stand for the keys, or for the mapping, one through another. */
const STEPS_MOST = 4;

export function* keysOfType(question: Question): Turns<readonly AffectedBlock[]> {
  const { graphs, edit } = question;
  const now = counterpartsIn(question);
  const out = new AffectedBlocks();
  for (const change of edit.changes) {
    const changed = keysChanged(graphs, change, now);
    if (changed === undefined) continue;
    const mappings = yield* piece(() => mappingsOf(graphs.after, changed.type));
    for (const mapping of mappings)
      yield* piece(() => {
        for (const place of placesOf(graphs.after, mapping)) judge(graphs.after, { ...changed, change, place }, out);
      });
  }
  return out.sorted();
}

interface KeysChanged {
  readonly type: DeclRef;
  readonly came?: string;
  readonly went?: string;
}

/** The type that a member was put into or taken out of, as it is now. */
function keysChanged({ before, after }: Graphs, change: AtomicChange, nowOf: Counterpart): KeysChanged | undefined {
  const { label, before: was, after: now, detail } = change;
  const isNew = label === 'AF' || label === 'AM';
  const isGone = label === 'DF' || label === 'DM';
  const is = isGone || now === undefined ? undefined : memberOf(after, now);
  const had = isNew || was === undefined ? undefined : memberOf(before, was);
  const isOther = isNew || isGone || detail.rename !== undefined || detail.valueOnly === true;
  if (!isOther || is?.name === had?.name) return undefined;
  const [came, went] = [is, had];
  const type = came?.type ?? (went === undefined ? undefined : nowOf(went.type));
  if (type === undefined) return undefined;
  return {
    type,
    ...(came === undefined ? {} : { came: came.name }),
    ...(went === undefined ? {} : { went: went.name }),
  };
}

function memberOf(resolver: Resolver, ref: DeclRef): { readonly type: DeclRef; readonly name: string } | undefined {
  const summary = resolver.summary(ref.file);
  const { decls, exprs } = summary;
  const owner = ref.decl < 0 ? undefined : classOfMember(summary, ref.decl);
  const isHidden = ref.decl >= 0 && decls.has(ref.decl, F.private | F.protected);
  if (owner === undefined || isHidden || !resolver.language(ref.file).structural) return undefined;
  const type = { file: ref.file, decl: owner };
  if (decls.kindOf(owner) !== D.enum) return { type, name: decls.nameOf(ref.decl) };
  // The keys are the strings that its members stand for.
  const value = decls.valueOf(ref.decl);
  return value >= 0 && exprs.opOf(value) === E.string ? { type, name: exprs.nameOf(value) } : undefined;
}

/** A row that writes a mapping with such keys. */
interface Mapping {
  readonly file: string;
  readonly row: number;
  /** Whether each key has to be there: for certain, perhaps, or not, as in `Partial<Record<keyof Row, string>>`. */
  readonly needs: 'all' | 'perhaps' | 'none';
}

function mappingsOf(after: Resolver, type: DeclRef): readonly Mapping[] {
  const isEnum = after.summary(type.file).decls.kindOf(type.decl) === D.enum;
  return sitesByName(after, type, 'typeParts').flatMap(({ file, expr }) => {
    if (expr < 0) return [];
    return isEnum ? madeOfKeys(after, file, expr, STEPS_MOST) : madeOfType(after, file, expr, STEPS_MOST);
  });
}

/** The mappings with the keys of the type that a row names: by its keys, or as an argument of a type made of these. */
function madeOfType(after: Resolver, file: string, row: number, steps: number): readonly Mapping[] {
  const { exprs } = after.summary(file);
  return exprs.usesOf(row).flatMap((use): readonly Mapping[] => {
    if (use.kind === 'operand')
      return exprs.opOf(use.row) === E.operator && exprs.nameOf(use.row) === KEY_OF
        ? madeOfKeys(after, file, use.row, steps)
        : [];
    if (use.kind !== 'subscript' || steps === 0) return [];
    const place = [...exprs.partsOf(use.row)].indexOf(row);
    return after.resolve(file, exprs.operandOf(use.row)).targets.flatMap((alias) => {
      const needs = alias.decl < 0 ? undefined : neededBy(after, alias, place, steps - 1);
      return needs === undefined ? [] : [{ file, row: use.row, needs }];
    });
  });
}

/** Of an alias that is a mapping with the keys of one of its type parameters, which of them have to be there. */
function neededBy(after: Resolver, alias: DeclRef, place: number, steps: number): Mapping['needs'] | undefined {
  const { decls } = after.summary(alias.file);
  const param = decls.kindOf(alias.decl) === D.typeAlias ? decls.typeParamsOf(alias.decl)[place] : undefined;
  if (param === undefined) return undefined;
  return rowsNaming(after, { file: alias.file, decl: param })
    .flatMap(({ file, expr }) => madeOfType(after, file, expr, steps))
    .map((mapping) => asAWhole(after, mapping))
    .find(({ row }) => decls.typeOf(alias.decl) === row)?.needs;
}

/** The mappings whose keys a row says: in place, among other keys, or by a name for the keys. */
function madeOfKeys(after: Resolver, file: string, row: number, steps: number): readonly Mapping[] {
  const { decls, exprs } = after.summary(file);
  const { mappings, selections } = after.language(file).library;
  return exprs.usesOf(row).flatMap((use): readonly Mapping[] => {
    if (use.kind === 'type' && decls.kindOf(use.decl) === D.typeAlias && steps > 0)
      return sitesOf(after, { file, decl: use.decl }).flatMap((site) =>
        site.expr < 0 ? [] : madeOfKeys(after, site.file, site.expr, steps - 1),
      );
    // `keyof Row | 'all'`
    if (use.kind === 'same' && exprs.opOf(use.row) === E.union) return madeOfKeys(after, file, use.row, steps);
    if (use.kind !== 'subscript' || exprs.partsOf(use.row)[0] !== row) return [];
    const made = exprs.nameOf(exprs.operandOf(use.row));
    // `Exclude<keyof Row, 'id'>`
    if (selections.has(made))
      return madeOfKeys(after, file, use.row, steps).map((mapping) => ({ ...mapping, needs: 'perhaps' }));
    if (!mappings.has(made)) return [];
    // A mapped type stands among the sides of one that names its keys.
    const around = exprs.usesOf(use.row).find(({ kind }) => kind === 'same');
    return around?.kind === 'same'
      ? [{ file, row: around.row, needs: 'perhaps' }]
      : [{ file, row: use.row, needs: 'all' }];
  });
}

/** A literal that is written for the mapping, a read of a key, or where neither is in sight the mapping itself. */
interface Place extends Mapping {
  readonly kind: 'literal' | 'read' | 'written';
}

function placesOf(after: Resolver, written: Mapping): readonly Place[] {
  const mapping = asAWhole(after, written);
  const found = usedAs(after, mapping, STEPS_MOST);
  return found.some(({ kind }) => kind === 'literal') ? found : [...found, { ...mapping, kind: 'written' }];
}

/** The mapping with what says something of all its keys: `Readonly<…>`, `Partial<…>`. */
function asAWhole(after: Resolver, mapping: Mapping): Mapping {
  const { exprs } = after.summary(mapping.file);
  const { parts, unions } = after.language(mapping.file).library;
  let whole = mapping;
  for (;;) {
    const use = exprs.usesOf(whole.row).find(({ kind }) => kind === 'subscript');
    const name = use?.kind === 'subscript' ? exprs.nameOf(exprs.operandOf(use.row)) : '';
    const isPartial = parts.get(name) === 'any';
    if (use?.kind !== 'subscript' || !(isPartial || unions.has(name))) return whole;
    whole = { ...whole, row: use.row, ...(isPartial ? { needs: 'none' } : {}) };
  }
}

function usedAs(after: Resolver, mapping: Mapping, steps: number): readonly Place[] {
  const { file, row } = mapping;
  const { exprs } = after.summary(file);
  return exprs.usesOf(row).flatMap((use: Use): readonly Place[] => {
    if (use.kind === 'component' && exprs.opOf(use.row) === E.cast)
      return literalsAt(after, mapping, file, [exprs.operandOf(use.row)]);
    return use.kind === 'type' ? atDeclaration(after, mapping, use.decl, steps) : [];
  });
}

/** What is written for a declaration whose type the mapping is, and what reads its keys. */
function atDeclaration(after: Resolver, mapping: Mapping, decl: number, steps: number): readonly Place[] {
  const { file } = mapping;
  const { decls } = after.summary(file);
  const kind = decls.kindOf(decl);
  const sites = (kind === D.typeAlias ? sitesOf : rowsNaming)(after, { file, decl }).filter(({ expr }) => expr >= 0);
  if (kind === D.typeAlias)
    return steps === 0
      ? []
      : sites.flatMap((site) =>
          usedAs(after, asAWhole(after, { ...mapping, file: site.file, row: site.expr }), steps - 1),
        );
  if (isFunctionLike(kind)) return literalsAt(after, mapping, file, [...decls.resultsOf(decl)]);
  const reads = sites.flatMap((site): Place[] =>
    after
      .summary(site.file)
      .exprs.usesOf(site.expr)
      .flatMap((use) => (use.kind === 'receiver' ? [{ ...mapping, kind: 'read', file: site.file, row: use.row }] : [])),
  );
  const given =
    kind === D.param ? argumentsFor(after, file, after.summary(file), decl) : [{ file, expr: decls.valueOf(decl) }];
  return [...given.flatMap((one) => literalsAt(after, mapping, one.file, [one.expr])), ...reads];
}

const literalsAt = (after: Resolver, mapping: Mapping, file: string, rows: readonly number[]): readonly Place[] =>
  rows
    .filter((row) => row >= 0 && after.summary(file).exprs.opOf(row) === E.closure)
    .map((row) => ({ ...mapping, kind: 'literal', file, row }));

/** The keys of a literal that are written out: not those in brackets, which name members. */
const wordsOf = (summary: Summary, row: number): ReadonlySet<string> | undefined => {
  const keys = keysOfLiteral(summary, row);
  return keys === undefined ? undefined : new Set([...keys].filter((key) => !key.startsWith('[')));
};

interface Asked extends KeysChanged {
  readonly change: AtomicChange;
  readonly place: Place;
}

function judge(after: Resolver, { change, place, type, came, went }: Asked, out: AffectedBlocks): void {
  const { file, row, kind, needs } = place;
  const summary = after.summary(file);
  const add = (tier: 'breaks' | 'may', said: string, fact: string): void => {
    out.addOnce(file, blockOf(summary, row), {
      expr: row,
      tier,
      confidence: 'certain',
      reason: `${summary.decls.pathOf(blockOf(summary, row))} ${said}.`,
      fact,
      rule: 'key-of-type',
      relation: 'UsedBy',
      cause: change,
    });
  };
  if (kind === 'read') {
    if (went !== undefined && summary.exprs.nameOf(row) === went)
      add(
        'breaks',
        `reads the key ${went}, which went with the member of the type that says the keys`,
        `no key ${went}`,
      );
    return;
  }
  const isEnum = after.summary(type.file).decls.kindOf(type.decl) === D.enum;
  const keys = kind !== 'literal' ? undefined : isEnum ? wordsOf(summary, row) : keysWithSpread(after, file, row);
  // Who names the members of an enumeration is told of these.
  if (isEnum && (keys === undefined || keys.size === 0)) return;
  if (came !== undefined && needs !== 'none' && keys?.has(came) !== true)
    add(
      needs === 'all' && keys !== undefined ? 'breaks' : 'may',
      `has a key for each member of a type, which has ${came} now`,
      keys === undefined ? `its keys: ${came} came` : `no key ${came}`,
    );
  if (went !== undefined && keys?.has(went) !== false)
    add(
      keys === undefined ? 'may' : 'breaks',
      `has a key for each member of a type, which has ${went} no more`,
      `its keys: ${went} went`,
    );
}
