/**
 * Names that nothing brings any more, where an import of a whole package, namespace or type was deleted. Such an import
 * binds no name by itself, so that no rule about deleted imports hears of its users.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { blockOf } from '../graph/refer/site.js';
import { classOfMember, qualifiedName } from '../graph/resolve/hierarchy.js';
import { lookUp } from '../graph/resolve/names.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import { E, isClassLike, R, type Summary } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import { counterpartsIn } from './counterparts.js';
import type { Question } from './question.js';

export function* usersOfLostImports({ graphs, edit }: Question): Turns<readonly AffectedBlock[]> {
  const { before, after } = graphs;
  const out = new AffectedBlocks();
  const counterpart = counterpartsIn({ graphs, edit });
  const seen = new Set<string>();
  for (const cause of edit.changes)
    for (const file of yield* piece(() => filesWithout(cause, before))) {
      const summary = after.repo.summary(file);
      if (summary === undefined || before.repo.summary(file) === undefined || seen.has(file)) continue;
      seen.add(file);
      const meantBefore = new Map<string, readonly DeclRef[]>();
      for (let expr = 0; expr < summary.exprs.count; expr++) {
        if (isCalledMember(summary, expr)) {
          const extension = yield* piece(() => extensionOutOfReach(after, file, expr));
          if (extension !== undefined) add(out, after, { file, expr }, cause, 'calls', extension);
          continue;
        }
        if (!isBareName(summary, expr)) continue;
        const lost = yield* piece(() => {
          const now = after.resolve(file, expr);
          if (now.targets.length > 0 && now.confidence === 'certain') return undefined;
          const name = summary.exprs.nameOf(expr);
          const meant = meantBefore.get(name) ?? meaningsOf(before, file, name);
          meantBefore.set(name, meant);
          return meant.find((ref) => counterpart(ref) !== undefined);
        });
        if (lost === undefined) continue;
        add(out, after, { file, expr }, cause, 'uses', summary.exprs.nameOf(expr));
      }
    }
  return out.sorted();
}

function add(
  out: AffectedBlocks,
  after: Resolver,
  { file, expr }: { readonly file: string; readonly expr: number },
  cause: AtomicChange,
  does: 'calls' | 'uses',
  name: string,
): void {
  const summary = after.summary(file);
  const block = blockOf(summary, expr);
  const words = `no import brings ${name} any more`;
  out.addOnce(file, block, {
    expr,
    tier: 'breaks',
    confidence: 'certain',
    reason: `${summary.decls.pathOf(block)} ${does} ${name}: ${words}.`,
    fact: words,
    rule: 'lost-import',
    relation: does === 'calls' ? 'CalledBy' : 'UsedBy',
    cause,
  });
}

const isCalledMember = ({ exprs }: Summary, expr: number): boolean =>
  exprs.opOf(expr) === E.member && exprs.roleOf(expr) === R.callee;

/**
 * Name of an extension method that a call certainly means, and whose class cannot be said there any more by its name
 * alone: nothing brings its methods either.
 */
function extensionOutOfReach(after: Resolver, file: string, expr: number): string | undefined {
  const summary = after.summary(file);
  const { targets, via, confidence } = after.resolve(file, expr);
  if (via !== 'extension method' || confidence !== 'certain') return undefined;
  const isInReach = targets.some((target) => {
    const of = after.summary(target.file);
    const owner = classOfMember(of, target.decl);
    if (owner === undefined) return true;
    const whole = qualifiedName(of, owner);
    if (summary.imports.some(({ kind, module }) => kind === 'static' && module === whole)) return true;
    const found = lookUp(after, file, summary, summary.exprs.scopeOf(expr), of.decls.nameOf(owner), R.type);
    return found.targets.some((each) => sameDecl(each, { file: target.file, decl: owner }));
  });
  return isInReach ? undefined : summary.exprs.nameOf(expr);
}

/** Files that a deleted import of all names of a place brought them to. */
function filesWithout({ label, before: was, detail }: AtomicChange, before: Resolver): readonly string[] {
  if (label !== 'DI' || was === undefined || detail.import === undefined || detail.import.binding !== '') return [];
  const { module } = detail.import;
  const isGlobal = before.summary(was.file).imports.some((entry) => entry.global && entry.module === module);
  return isGlobal ? filesThatSayOneOf(before, module) : [was.file];
}

/** Files that say a name of what stands in the namespace. */
function filesThatSayOneOf({ repo }: Resolver, namespace: string): readonly string[] {
  const names = new Set<string>();
  for (const summary of repo.files.values())
    for (let decl = 0; decl < summary.decls.count; decl++) {
      const name = summary.decls.nameOf(decl);
      if (isClassLike(summary.decls.kindOf(decl)) && qualifiedName(summary, decl) === `${namespace}.${name}`)
        names.add(name);
    }
  return [...new Set([...names].flatMap((name) => [...repo.filesMentioning(name)]))].sort();
}

/** Whether the row is a name by itself, which is looked up. */
function isBareName({ exprs }: Summary, expr: number): boolean {
  const role = exprs.roleOf(expr);
  return exprs.opOf(expr) === E.name && role !== R.import && role !== R.doc && role !== R.declares;
}

/** What the name certainly meant in the file, of what stands in others. */
function meaningsOf(before: Resolver, file: string, name: string): readonly DeclRef[] {
  const summary = before.summary(file);
  const row = summary.idOf(name);
  if (row < 0) return [];
  return [...summary.exprs.named(row)].flatMap((expr) => {
    if (!isBareName(summary, expr)) return [];
    const { targets, confidence } = before.resolve(file, expr);
    return confidence === 'certain' ? targets.filter((ref) => ref.decl >= 0 && ref.file !== file) : [];
  });
}
