/**
 * Calls that make an object of a class which they do not name: `cls(…)`, `type(x)(…)`, `self.__class__(…)`, `new
 * this(…)`, and calls of a parameter, local or field that is declared to be a class.
 *
 * The class is that of the declared type: what a class below makes of itself by the same call is not said.
 */
import type { DeclRef } from '../../languages/language.js';
import { sameDecl } from '../../syntax/rows.js';
import { D, E, F, isClassLike, R, type Summary } from '../../syntax/summary.js';
import { constructorsOf, fittingCalls } from '../resolve/overloads.js';
import type { Resolver } from '../resolve/resolver.js';
import type { Site } from './references.js';

/** All such calls of a file, as sites of the classes and of their constructors. */
export function classCallsIn(resolver: Resolver, file: string): readonly Site[] {
  return resolver.answer<readonly Site[]>('class calls', file, '', [], () => {
    const summary = resolver.summary(file);
    const { exprs, scopes } = summary;
    const { callableClasses, followsValues } = resolver.language(file);
    return [...exprs.ofOp(E.call), ...exprs.ofOp(E.new)].flatMap((call): Site[] => {
      const callee = exprs.calleeOf(call);
      // Where values are not followed, a name that is declared as `typeof A` is an alias.
      if (callee < 0 || !canHoldClass(summary, callee, callableClasses && followsValues)) return [];
      const { values, unknown } = resolver.typeOf(file, callee);
      const classes = values.filter((value) => value.kind === 'class' && isClass(resolver, value));
      const confidence = !unknown && values.length === 1 ? 'certain' : 'possible';
      return classes.flatMap((type) =>
        type.kind !== 'class'
          ? []
          : [type, ...calledConstructors(resolver, file, callee, type)].map(({ file: of, decl }) => ({
              file,
              expr: callee,
              block: scopes.blockOf(exprs.scopeOf(callee)),
              target: { file: of, decl },
              kind: 'instantiate' as const,
              confidence,
              via: 'class value' as const,
            })),
      );
    });
  });
}

/** Of those calls, the ones that make objects of the types, or run the constructor, that `target` is. */
export function classCallsTo(resolver: Resolver, target: DeclRef, types: readonly DeclRef[]): readonly Site[] {
  const files = new Set(
    types.flatMap((type) => resolver.repo.filesMentioning(resolver.summary(type.file).decls.nameOf(type.decl))),
  );
  return [...files]
    .filter((file) => resolver.language(file).id === resolver.language(target.file).id)
    .flatMap((file) => classCallsIn(resolver, file).filter((site) => sameDecl(site.target, target)));
}

const isClass = (resolver: Resolver, { file, decl }: DeclRef): boolean =>
  isClassLike(resolver.summary(file).decls.kindOf(decl));

/**
 * Whether a callee can be a class without being its name: most are told by their rows alone. What holds a class without
 * a declared type is followed as a value.
 */
function canHoldClass({ exprs, decls }: Summary, callee: number, byName: boolean): boolean {
  const op = exprs.opOf(callee);
  // `this(…)` is a call of another constructor (Java, C#).
  if (op === E.this) return exprs.roleOf(callee) === R.newCallee;
  if (op === E.classOf || op === E.cast) return true;
  if (!byName || (op !== E.name && op !== E.member)) return false;
  for (const decl of decls.named(exprs.nameIdOf(callee))) {
    const kind = decls.kindOf(decl);
    if (kind === D.param && decls.has(decl, F.receiver) && op === E.name) return true;
    if ((kind === D.param || kind === D.local || kind === D.field) && decls.typeOf(decl) >= 0) return true;
  }
  return false;
}

/** The constructors that a call runs whose callee gives the class. */
export function calledConstructors(
  resolver: Resolver,
  file: string,
  callee: number,
  type: DeclRef,
): readonly DeclRef[] {
  const all = constructorsOf(resolver, type);
  const call = resolver.summary(file).exprs.callOf(callee);
  return call < 0 || all.length < 2 ? all : fittingCalls.among(resolver, all, { file, expr: call });
}
