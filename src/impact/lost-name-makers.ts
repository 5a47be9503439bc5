/**
 * Names that nothing declares and that a function gave for any name, where that function is gone: Python's
 * `__getattr__`, of a class or of a module.
 *
 * Errs towards missing: objects in files that say neither the class nor one below it.
 */
import { piece, pieces, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import type { Given } from '../graph/refer/given.js';
import { importsFrom } from '../graph/refer/module-sites.js';
import { blockOf } from '../graph/refer/site.js';
import { descendantsOf, filesSaying } from '../graph/refer/sites-by-name.js';
import { classOfMember, findMember } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import { E, R } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import { counterpartsIn } from './counterparts.js';
import type { Question } from './question.js';

export function* lostNameMakers({ graphs, edit }: Question): Turns<readonly AffectedBlock[]> {
  const { before, after } = graphs;
  const out = new AffectedBlocks();
  const now = counterpartsIn({ graphs, edit });
  for (const change of edit.changes) {
    const { label, before: was } = change;
    const isGone = label === 'DM' && was !== undefined && after.repo.hasFile(was.file);
    if (!isGone || !isNameMaker(before, was)) continue;
    const owner = classOfMember(before.summary(was.file), was.decl);
    if (owner === undefined) {
      const files = after.repo.filesOf(after.summary(was.file).language);
      for (const places of yield* pieces(files, (file) => lostOfModule(after, file, was.file)))
        for (const place of places) add(out, after, place, change);
      continue;
    }
    const type = now({ file: was.file, decl: owner });
    if (type === undefined || (yield* piece(() => findMember(after, type, nameOf(before, was)).found.length > 0)))
      continue;
    const below = yield* piece(() => [type, ...descendantsOf(after, type)]);
    const files = yield* piece(() => [...filesSaying(after, below)]);
    for (const places of yield* pieces(files, (file) => lostOfObjects(after, file, below)))
      for (const place of places) add(out, after, place, change);
  }
  return out.sorted();
}

const nameOf = (resolver: Resolver, { file, decl }: DeclRef): string => resolver.summary(file).decls.nameOf(decl);

function isNameMaker(resolver: Resolver, ref: DeclRef): boolean {
  return nameOf(resolver, ref) === resolver.language(ref.file).nameMaker;
}

interface Lost extends Given {
  /** Something from outside may declare it still. */
  readonly mayBeElsewhere: boolean;
}

/** What is taken in a file of objects of the classes, and no class declares. */
function lostOfObjects(after: Resolver, file: string, below: readonly DeclRef[]): Lost[] {
  const { exprs } = after.summary(file);
  const { objectMembers } = after.language(file).library;
  return exprs.ofOp(E.member).flatMap((expr): Lost[] => {
    const role = exprs.roleOf(expr);
    if ((role !== R.read && role !== R.callee) || objectMembers.has(exprs.nameOf(expr))) return [];
    return after.typeOf(file, exprs.operandOf(expr)).values.flatMap((value): Lost[] => {
      if (value.kind !== 'instance' || !below.some((each) => sameDecl(each, value))) return [];
      const { found, outside } = findMember(after, value, exprs.nameOf(expr));
      return found.length > 0 ? [] : [{ file, expr, mayBeElsewhere: outside }];
    });
  });
}

/** Names of the module that a file imports, or takes of it, and that lead nowhere. */
function lostOfModule(after: Resolver, file: string, module: string): Lost[] {
  const imports = importsFrom(after, file, module);
  if (imports.length === 0) return [];
  const { exprs } = after.summary(file);
  const imported = imports.flatMap(({ kind, expr }) => (kind === 'name' && expr >= 0 ? [expr] : []));
  const taken = exprs
    .ofOp(E.member)
    .filter((expr) =>
      after
        .typeOf(file, exprs.operandOf(expr))
        .values.some((value) => value.kind === 'module' && value.file === module),
    );
  return [...new Set([...imported, ...taken])]
    .filter((expr) => after.resolve(file, expr).targets.length === 0)
    .map((expr) => ({ file, expr, mayBeElsewhere: false }));
}

function add(out: AffectedBlocks, after: Resolver, { file, expr, mayBeElsewhere }: Lost, change: AtomicChange): void {
  const summary = after.summary(file);
  const { exprs, decls } = summary;
  const block = blockOf(summary, expr);
  const role = exprs.roleOf(expr);
  const name = exprs.nameOf(expr);
  const path = block < 0 ? '<module>' : decls.pathOf(block);
  out.addOnce(file, block, {
    expr,
    tier: mayBeElsewhere ? 'may' : 'breaks',
    confidence: 'certain',
    reason: `${path} takes ${name}, which ${change.block} made and nothing makes any more.`,
    fact: `nothing makes ${name} any more`,
    rule: 'lost-name-maker',
    relation: role === R.callee ? 'CalledBy' : role === R.import ? 'ImportedBy' : 'UsedBy',
    cause: change,
  });
}
