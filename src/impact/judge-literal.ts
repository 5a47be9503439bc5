/**
 * Judges object literals of a type that got a member which every object of it must have.
 *
 * A literal names no type. It is found by its keys, which are members of the type that its place
 * expects: those of one other member that all whole literals must have had as well.
 */
import { childrenOf } from '../change/match-blocks.js';
import type { AtomicChange } from '../change/atomic-change.js';
import type { Given } from '../graph/refer/given.js';
import { sitesOf } from '../graph/refer/references.js';
import { blockOf } from '../graph/refer/site.js';
import { filesSaying } from '../graph/refer/sites-by-name.js';
import { givenFor, typesOn } from '../graph/refer/satisfied.js';
import { searchOrder } from '../graph/resolve/hierarchy.js';
import { expectedOfLiteral, keysOfLiteral, keysWithSpread, lackedByLiteral } from '../graph/resolve/literal-keys.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { leavesOut, type Part, type Value } from '../graph/resolve/value.js';
import { takenAt } from '../graph/resolve/written-types.js';
import type { DeclRef } from '../languages/language.js';
import { Places } from '../base/places.js';
import { declKey, sameDecl, type ExprRow } from '../syntax/rows.js';
import { D, E, F, isFieldLike, isFunctionLike, R, type Summary } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import type { Related } from './related.js';
import { breaks, may, type JudgedSite, type Verdict } from './verdict.js';

/**
 * Another member of the type, or of one above it, that its objects must have and had to have before the edit, the one
 * whose name the fewest files say; all other members of a type without one.
 */
export function requiredBeside({ before, after: resolver }: Graphs, { file, decl }: DeclRef): DeclRef[] {
  const summary = resolver.repo.summary(file);
  const owner = summary === undefined ? -1 : summary.decls.parentOf(decl);
  if (owner < 0) return [];
  const others = searchOrder(resolver, { file, decl: owner }).flatMap((type): DeclRef[] =>
    membersIn(resolver.summary(type.file), type.decl)
      .filter((other) => other !== decl || type.file !== file)
      .map((other) => ({ file: type.file, decl: other })),
  );
  const [first, ...rest] = others.filter(
    (other) => !resolver.summary(other.file).decls.has(other.decl, F.optional) && wasRequired(before, resolver, other),
  );
  if (first === undefined) return others;
  const nameOf = (member: DeclRef): string => resolver.summary(member.file).decls.nameOf(member.decl);
  const filesOf = (member: DeclRef): number => resolver.repo.filesMentioning(nameOf(member)).length;
  const byFiles = [first, ...rest].sort((a, b) => filesOf(a) - filesOf(b));
  const chosen = byFiles.slice(0, 1);
  // Objects of a part of the type may lack the one that was chosen, and not another one.
  for (const part of partsOfType(resolver, { file, decl: owner })) {
    if (!chosen.every((member) => leavesOut(part, nameOf(member)))) continue;
    chosen.push(...byFiles.filter((member) => !leavesOut(part, nameOf(member))).slice(0, 1));
  }
  return chosen;
}

/** Parts of a type that are written somewhere: `Omit<Type, 'x'>`. */
function partsOfType(resolver: Resolver, type: DeclRef): readonly Part[] {
  if (resolver.language(type.file).library.parts.size === 0) return [];
  return sitesOf(resolver, type).flatMap(({ file, expr }): readonly Part[] => {
    const { exprs } = resolver.summary(file);
    if (expr < 0 || exprs.roleOf(expr) !== R.type) return [];
    return exprs.wholesOf(expr).flatMap((whole) => {
      const taken =
        exprs.opOf(whole) === E.index && exprs.partsOf(whole)[0] === expr ? takenAt(resolver, file, whole) : undefined;
      return taken === undefined ? [] : [{ isPart: 'some', taken } as const];
    });
  });
}

/** Whether what was written before the edit had to have the member: one that came with it no literal says. */
function wasRequired(before: Resolver, after: Resolver, { file, decl }: DeclRef): boolean {
  const was = before.repo.summary(file);
  const is = after.summary(file);
  if (was === undefined || was === is) return was !== undefined;
  const path = is.decls.pathOf(decl);
  return [...was.decls.named(was.idOf(is.decls.nameOf(decl)))].some(
    (row) => was.decls.pathOf(row) === path && !was.decls.has(row, F.optional),
  );
}

const membersIn = (summary: Summary, owner: number): number[] =>
  childrenOf(summary, owner).filter((member) => {
    const kind = summary.decls.kindOf(member);
    return isFieldLike(kind) || isFunctionLike(kind);
  });

/**
 * Literals without a key of a type, where an object of it is expected: `f({})`, `<Box />`. Where types have names no
 * literal is of one.
 */
export function keylessLiterals(resolver: Resolver, { file, decl }: DeclRef): Related[] {
  const owner = { file, decl: resolver.summary(file).decls.parentOf(decl) };
  if (owner.decl < 0 || !resolver.language(file).structural) return [];
  const keys = new Set(
    searchOrder(resolver, owner).flatMap((type) => {
      const summary = resolver.summary(type.file);
      return membersIn(summary, type.decl).map((member) => summary.decls.nameOf(member));
    }),
  );
  const types = [owner, ...typesOn(resolver, owner)];
  const places = [
    ...types.flatMap((type) => givenFor(resolver, type)),
    ...givenToHolders(resolver, owner),
    ...literalsWhereNamed(resolver, types),
  ];
  const seen = new Places();
  return places.flatMap((given): Related[] => {
    if (!seen.add(given.file, given.expr)) return [];
    const summary = resolver.summary(given.file);
    const own = keysWithSpread(resolver, given.file, given.expr);
    return own === undefined || [...(keysOfLiteral(summary, given.expr) ?? [])].some((key) => keys.has(key))
      ? []
      : [{ file: given.file, expr: given.expr, block: blockOf(summary, given.expr), confidence: 'certain' }];
  });
}

/** Object literals whose place expects one of the types, in files that say the name of one: assigned, nested. */
function literalsWhereNamed(resolver: Resolver, types: readonly DeclRef[]): Given[] {
  const isMeant = (value: Value): boolean => value.kind === 'instance' && types.some((type) => sameDecl(type, value));
  return [...filesSaying(resolver, types)].flatMap((file): Given[] => {
    const { decls, exprs } = resolver.summary(file);
    return [...exprs.ofOp(E.closure)].flatMap((expr) =>
      exprs.roleOf(expr) !== R.type &&
      decls.kindOf(exprs.closureOf(expr)) === D.anonymousClass &&
      expectedOfLiteral(resolver, file, expr)?.values.some(isMeant) === true
        ? [{ file, expr }]
        : [],
    );
  });
}

/**
 * What is given in calls of values whose types are written with the type, `const Box: FC<Props>`, `<Box />`, and of
 * those that are made of a function that takes it: `const Fast = memo(Box)`.
 */
function givenToHolders(resolver: Resolver, type: DeclRef): Given[] {
  const holders = new Map<string, DeclRef>();
  for (const { file, block, expr } of sitesOf(resolver, type)) {
    const { decls, exprs } = resolver.summary(file);
    if (block < 0 || expr < 0 || exprs.roleOf(expr) !== R.type) continue;
    // A function that a variable of the type holds is declared as one.
    const kind = decls.kindOf(block);
    if (kind !== D.variable && kind !== D.field && kind !== D.function) continue;
    holders.set(declKey({ file, decl: block }), { file, decl: block });
    for (const made of madeOf(resolver, { file, decl: block })) holders.set(declKey(made), made);
  }
  return [...holders.values()].flatMap((holder) =>
    sitesOf(resolver, holder).flatMap(({ file, expr, kind }): Given[] => {
      const { exprs } = resolver.summary(file);
      const call = kind === 'call' && expr >= 0 ? exprs.callOf(expr) : -1;
      return call < 0 ? [] : exprs.argumentsOf(call).map((argument) => ({ file, expr: argument.expr }));
    }),
  );
}

/** Variables that hold what a call gives which is given the function, by itself or within another call. */
function madeOf(resolver: Resolver, of: DeclRef): readonly DeclRef[] {
  return sitesOf(resolver, of).flatMap(({ file, expr }): readonly DeclRef[] => {
    const { exprs } = resolver.summary(file);
    for (let row = expr; row >= 0;) {
      const uses = exprs.usesOf(row);
      const held = uses.find((use) => use.kind === 'value');
      if (held?.kind === 'value') return row === expr ? [] : [{ file, decl: held.decl }];
      const given = uses.find((use) => use.kind === 'argument');
      row = given?.kind === 'argument' ? given.row : -1;
    }
    return [];
  });
}

/** A key of a literal in which the new member is missing, or a literal without any. */
export function literalLacks(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const { after } = graphs;
  const { exprs } = after.summary(site.file);
  if (change.after === undefined || site.expr < 0) return 'fine';
  const op = exprs.opOf(site.expr);
  const literal = op === E.closure ? site.expr : op === E.initializer ? exprs.operandOf(site.expr) : -1;
  const name = after.summary(change.after.file).decls.nameOf(change.after.decl);
  if (literal < 0 || exprs.opOf(literal) !== E.closure) return 'fine';
  if (!lackedByLiteral(after, site.file, literal).includes(name)) return 'fine';
  if (op === E.initializer && !isFirstKey(graphs, site, literal, change.after)) return 'fine';
  const expected = expectedOfLiteral(after, site.file, literal);
  return expected?.unknown === true || expected?.values.some(({ kind }) => kind !== 'instance') === true
    ? may(`missing key: ${name}, if it has to be there`)
    : breaks(`missing key: ${name}`);
}

/** Whether no key before it in the literal is one of those by which literals are found: each is spoken of once. */
function isFirstKey(graphs: Graphs, { file, expr }: JudgedSite, literal: number, member: DeclRef): boolean {
  const { exprs } = graphs.after.summary(file);
  const before: ExprRow[] = [];
  for (let row = literal + 1; row < expr; row++)
    if (exprs.opOf(row) === E.initializer && exprs.operandOf(row) === literal) before.push(row);
  if (before.length === 0) return true;
  const asked = requiredBeside(graphs, member);
  return !before.some((row) =>
    graphs.after.resolve(file, row).targets.some((target) => asked.some((other) => sameDecl(other, target))),
  );
}
