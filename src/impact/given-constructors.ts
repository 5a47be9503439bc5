/**
 * Classes that are given where something is expected that makes objects, `new (n: number) => T`, `Callable[[int], A]`,
 * and whose constructor takes other arguments now. Whoever makes the objects names no class, and what gives the class
 * names no argument.
 *
 * Errs towards missing: places that say no type.
 */
import { pieces, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { constructSignatureOf } from '../graph/refer/class-given.js';
import { sitesOf } from '../graph/refer/references.js';
import { blockOf } from '../graph/refer/site.js';
import { descendantsOf } from '../graph/refer/sites-by-name.js';
import { expectedWhere } from '../graph/resolve/expected.js';
import { classOfMember } from '../graph/resolve/hierarchy.js';
import { constructorsOf } from '../graph/resolve/overloads.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { signatureOf, takenBySignature, takenByType } from '../graph/resolve/signature.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import { R } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Question } from './question.js';

export function* givenConstructors({ graphs: { after }, edit }: Question): Turns<readonly AffectedBlock[]> {
  const out = new AffectedBlocks();
  const changed = edit.changes.filter(({ detail: { signature } }) => signature !== undefined);
  for (const found of yield* pieces(changed, (change) => misgiven(after, change)))
    for (const { change, type, file, expr, isLacking } of found) {
      const summary = after.summary(file);
      const block = blockOf(summary, expr);
      const name = after.summary(type.file).decls.nameOf(type.decl);
      const fact = isLacking ? 'its constructor asks for more' : 'its constructor takes other types';
      out.addOnce(file, block, {
        expr,
        tier: isLacking ? 'breaks' : 'may',
        confidence: 'certain',
        reason: `${summary.decls.pathOf(block)} gives ${name} where something is to make objects: ${fact}.`,
        fact,
        rule: 'given-constructor',
        relation: 'UsedBy',
        cause: change,
      });
    }
  return out.sorted();
}

interface Misgiven {
  readonly change: AtomicChange;
  readonly type: DeclRef;
  readonly file: string;
  readonly expr: number;
  /** Whether it asks for more than it is given; else for something else. */
  readonly isLacking: boolean;
}

function misgiven(after: Resolver, change: AtomicChange): Misgiven[] {
  const { after: made, detail } = change;
  const owner = made === undefined ? undefined : madeBy(after, made);
  if (made === undefined || owner === undefined) return [];
  const { params } = signatureOf(after.summary(made.file), made.decl);
  const { least, most } = takenBySignature(signatureOf(after.summary(made.file), made.decl));
  const others = new Set([
    ...(detail.signature?.retyped ?? []).map(({ name }) => name),
    ...(detail.signature?.added ?? []).map(({ name }) => name),
  ]);
  const isOther = (count: number): boolean => params.slice(0, count).some(({ name }) => others.has(name));
  return [owner, ...inheriting(after, owner, made)].flatMap((type) =>
    sitesOf(after, type).flatMap(({ file, expr }): Misgiven[] => {
      const count = expr < 0 ? undefined : countGiven(after, file, expr);
      if (count === undefined) return [];
      const takesFewer = after.language(file).overridesTakeFewer;
      const isLacking = count < least || (count > most && !takesFewer);
      return isLacking || isOther(count) ? [{ change, type, file, expr, isLacking }] : [];
    }),
  );
}

/** The class of a constructor, where it has but one. */
function madeBy(after: Resolver, { file, decl }: DeclRef): DeclRef | undefined {
  const owner = decl < 0 ? undefined : classOfMember(after.summary(file), decl);
  if (owner === undefined) return undefined;
  const [own, ...others] = constructorsOf(after, { file, decl: owner });
  return own !== undefined && others.length === 0 && sameDecl(own, { file, decl }) ? { file, decl: owner } : undefined;
}

/** Classes below whose objects are made by the same constructor. */
const inheriting = (after: Resolver, owner: DeclRef, made: DeclRef): DeclRef[] =>
  descendantsOf(after, owner).filter((below) => constructorsOf(after, below).some((own) => sameDecl(own, made)));

/** How many arguments the place of a class gives what it makes objects with; undefined where none is expected there. */
function countGiven(after: Resolver, file: string, expr: number): number | undefined {
  const summary = after.summary(file);
  if (summary.exprs.roleOf(expr) !== R.read) return undefined;
  const [expected, ...others] = expectedWhere(after, file, expr)?.values ?? [];
  if (expected === undefined || others.length > 0) return undefined;
  if (expected.kind === 'instance') {
    const signature = constructSignatureOf(after, expected);
    if (signature === undefined) return undefined;
    const { most } = takenBySignature(signatureOf(after.summary(signature.file), signature.decl));
    return most === Infinity ? undefined : most;
  }
  if (expected.kind !== 'callable' || expected.type === undefined) return undefined;
  const taken = takenByType(after.summary(expected.type.file), expected.type.expr);
  return taken === undefined || taken.most === Infinity ? undefined : taken.most;
}
