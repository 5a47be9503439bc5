/**
 * What an argument says of the type parameters in the type that is written for it: `Store` passed for
 * `new () => T`, for `Type<T>` or for `{ type: T } | string` binds T to `Store`.
 *
 * Aliases are followed with what is written for their own parameters. Errs towards unbound.
 */
import type { DeclRow, ExprRow, RowList } from '../../syntax/rows.js';
import { D, E, isClassLike } from '../../syntax/summary.js';
import type { DeclRef } from '../../languages/language.js';
import { bindingsOf, bindingsUpTo, type Binding } from './bindings.js';
import { elementOf, functionalMethod } from './containers.js';
import { returnType } from './declaration-types.js';
import { typeOfMemberOf } from './expression-types.js';
import { findMember } from './hierarchy.js';
import type { Resolver } from './resolver.js';
import { firstParameters } from './outside-calls.js';
import { just, NOTHING, unionOf, UNKNOWN, type Type, type Value } from './value.js';
import { instanceOf } from './written-types.js';

/** Aliases and containers within each other that are looked into. */
const DEPTH_MOST = 8;

/** A type as it is written, and what is written for the type parameters of the aliases that led to it. */
interface Written {
  readonly file: string;
  readonly row: ExprRow;
  readonly given: readonly { readonly decl: DeclRow; readonly file: string; readonly as: Written }[];
}

/** The type parameters of a function, or of the class that a constructor makes. */
export interface Inferred extends Pick<DeclRef, 'file'> {
  readonly params: RowList<DeclRow>;
}

/** Adds to `out` what `actual`, given where the row of `of.file` is the declared type, says of the parameters. */
export function infer(resolver: Resolver, of: Inferred, row: ExprRow, actual: Type, out: Binding[]): void {
  if (actual.values.length > 0) new Inference(resolver, of, out).bind({ file: of.file, row, given: [] }, actual, 0);
}

class Inference {
  /** Aliases and types that are being looked into: one that names itself says no more the second time. */
  private readonly following = new Set<string>();

  constructor(
    private readonly resolver: Resolver,
    private readonly of: Inferred,
    private readonly out: Binding[],
  ) {}

  bind(written: Written, actual: Type, depth: number): void {
    if (written.row < 0 || actual.values.length === 0 || depth > DEPTH_MOST) return;
    const { exprs } = this.resolver.summary(written.file);
    switch (exprs.opOf(written.row)) {
      case E.name:
        return this.bindName(written, actual, depth);
      case E.array:
        return this.bind(this.part(written, exprs.operandOf(written.row)), this.elementsOf(written, actual), depth + 1);
      case E.functionType:
        exprs
          .partsOf(written.row)
          .forEach((row, i) => this.bind(this.part(written, row), this.takenAt(actual, i), depth + 1));
        return this.bind(this.part(written, exprs.operandOf(written.row)), this.resultsOf(actual), depth + 1);
      case E.union:
        return this.bindUnion(written, actual, depth);
      case E.index:
        return this.bindGeneric(written, actual, depth);
      case E.closure:
        return this.bindMembers(
          { file: written.file, decl: exprs.closureOf(written.row) },
          written.given,
          actual,
          depth + 1,
        );
    }
  }

  private part({ file, given }: Written, row: ExprRow): Written {
    return { file, row, given };
  }

  private bindName(written: Written, actual: Type, depth: number): void {
    const param = this.paramAt(written);
    if (param !== undefined) {
      if (param.as === undefined) this.out.push({ file: this.of.file, decl: param.decl, type: actual });
      else this.bind(param.as, actual, depth);
      return;
    }
    this.bindDeclared(written, written.row, [], actual, depth);
  }

  /** The type parameter that a name is; `as`: what is written for it where it is an alias's. */
  private paramAt({ file, row, given }: Written): { decl: DeclRow; as: Written | undefined } | undefined {
    const { exprs, decls } = this.resolver.summary(file);
    const name = exprs.nameIdOf(row);
    const ofAlias = given.find((entry) => entry.file === file && decls.nameIdOf(entry.decl) === name);
    if (ofAlias !== undefined) return { decl: ofAlias.decl, as: ofAlias.as };
    const own = file === this.of.file ? this.of.params.find((decl) => decls.nameIdOf(decl) === name) : undefined;
    return own === undefined ? undefined : { decl: own, as: undefined };
  }

  /** An alias or a type of the repository, with the types that are written for its parameters. */
  private bindDeclared(written: Written, head: ExprRow, args: readonly ExprRow[], actual: Type, depth: number): void {
    for (const target of this.resolver.resolve(written.file, head).targets) {
      const key = `${target.file}\0${target.decl}`;
      if (target.decl < 0 || this.following.has(key)) continue;
      this.following.add(key);
      this.bindTarget(target, written, args, actual, depth);
      this.following.delete(key);
    }
  }

  private bindTarget(target: DeclRef, written: Written, args: readonly ExprRow[], actual: Type, depth: number): void {
    const { decls } = this.resolver.summary(target.file);
    const kind = decls.kindOf(target.decl);
    const given = [...decls.typeParamsOf(target.decl)].flatMap((decl, i) => {
      const row = args[i];
      return row === undefined ? [] : [{ file: target.file, decl, as: this.part(written, row) }];
    });
    if (kind === D.typeAlias && decls.typeOf(target.decl) >= 0)
      this.bind({ file: target.file, row: decls.typeOf(target.decl), given }, actual, depth + 1);
    else if (given.length > 0 && (isClassLike(kind) || kind === D.typeAlias)) {
      this.bindArguments(target, given, actual, depth);
      this.bindMembers(target, given, actual, depth + 1);
    }
  }

  private bindGeneric(written: Written, actual: Type, depth: number): void {
    const { exprs } = this.resolver.summary(written.file);
    const head = exprs.operandOf(written.row);
    const args = [...exprs.partsOf(written.row)];
    if (this.resolver.resolve(written.file, head).targets.length > 0)
      return this.bindDeclared(written, head, args, actual, depth);
    const { library } = this.resolver.language(written.file);
    const name = exprs.nameOf(head);
    const results =
      library.functions?.has(name) === true
        ? this.resultsOf({ ...actual, values: actual.values.filter(isFunction) })
        : NOTHING;
    this.bind(this.part(written, args.at(-1) ?? -1), results, depth + 1);
    args.forEach((argument, i) => {
      const inner = unionOf(
        actual.values
          .map((value): Type => {
            if (value.kind === 'class' && library.classObjects.has(name)) return just({ ...value, kind: 'instance' });
            if (value.kind === 'external' || value.kind === 'instance') return value.args[i] ?? UNKNOWN;
            if (value.kind === 'function' && i === 0 && library.components.has(name))
              return firstParameters(this.resolver, just(value));
            return UNKNOWN;
          })
          .concat(NOTHING),
      );
      this.bind(this.part(written, argument), inner, depth + 1);
    });
  }

  /** Each side takes what it can be; a type parameter by itself what no other side takes. */
  private bindUnion(written: Written, actual: Type, depth: number): void {
    const { exprs } = this.resolver.summary(written.file);
    const sides = [...exprs.partsOf(written.row)];
    const isParam = (row: ExprRow): boolean =>
      exprs.opOf(row) === E.name && this.paramAt(this.part(written, row)) !== undefined;
    const others = sides.filter((row) => !isParam(row));
    for (const row of others) this.bind(this.part(written, row), actual, depth + 1);
    if (others.length === sides.length) return;
    const taken = others.flatMap((row) => instanceOf(this.resolver, written.file, row).values);
    const left = actual.values.filter((value) => !taken.some((other) => isAlike(value, other)));
    for (const row of sides)
      if (!others.includes(row))
        this.bind(this.part(written, row), { values: left, unknown: actual.unknown }, depth + 1);
  }

  /** `Box<T>` and an object of a class that is a `Box<Store>`, or derives from one. */
  private bindArguments(target: DeclRef, given: Written['given'], actual: Type, depth: number): void {
    for (const value of actual.values) {
      if (value.kind !== 'instance') continue;
      const known = bindingsUpTo(this.resolver, value, target.file, target.decl, 0);
      for (const { decl, as } of given) {
        const bound = known.find((entry) => entry.file === target.file && entry.decl === decl);
        if (bound !== undefined) this.bind(as, bound.type, depth + 1);
      }
    }
  }

  /**
   * By shape: what making an object gives, what a function for an interface of one method returns, and members by name.
   */
  private bindMembers(shape: DeclRef, given: Written['given'], actual: Type, depth: number): void {
    const { decls } = this.resolver.summary(shape.file);
    const { constructMember, structural } = this.resolver.language(shape.file);
    const result = (decl: DeclRow): Written => ({ file: shape.file, row: decls.typeOf(decl), given });
    const functions: Type = { values: actual.values.filter(isFunction), unknown: false };
    if (decls.kindOf(shape.decl) === D.delegate) return this.bind(result(shape.decl), this.resultsOf(functions), depth);
    const inner = decls.innerOf(shape.decl);
    if (inner < 0) return;
    const members = [...decls.allInScope(inner)];
    const made = unionOf(
      actual.values
        .flatMap((value) => (value.kind === 'class' ? [just({ ...value, kind: 'instance' })] : []))
        .concat(NOTHING),
    );
    for (const decl of members) if (decls.nameOf(decl) === constructMember) this.bind(result(decl), made, depth);
    const method =
      functions.values.length === 0
        ? undefined
        : functionalMethod(this.resolver, { kind: 'instance', ...shape, args: [] });
    if (method?.file === shape.file) this.bind(result(method.decl), this.resultsOf(functions), depth);
    if (!structural) return;
    for (const value of actual.values) {
      if (value.kind !== 'instance' || (value.file === shape.file && value.decl === shape.decl)) continue;
      for (const decl of members) {
        const kind = decls.kindOf(decl);
        if ((kind !== D.field && kind !== D.local && kind !== D.property) || decls.typeOf(decl) < 0) continue;
        const name = decls.nameOf(decl);
        if (findMember(this.resolver, value, name).found.length > 0)
          this.bind(result(decl), typeOfMemberOf(this.resolver, value.file, value, name), depth);
      }
    }
  }

  private elementsOf({ file }: Written, actual: Type): Type {
    return elementOf(this.resolver, this.resolver.language(file).library, actual);
  }

  /** What the functions among the values take at a place, as far as they declare it. */
  private takenAt({ values }: Type, index: number): Type {
    return unionOf(
      values
        .map((value): Type => {
          if (value.kind !== 'function') return UNKNOWN;
          const { decls } = this.resolver.summary(value.file);
          const param = decls.paramsOf(value.decl)[index];
          const type = param === undefined ? -1 : decls.typeOf(param);
          const bindings = bindingsOf(this.resolver, value.self, value.file, value.decl);
          return type < 0 ? UNKNOWN : instanceOf(this.resolver, value.file, type, bindings);
        })
        .concat(NOTHING),
    );
  }

  /** What calls of the values give, or making objects of them. */
  private resultsOf({ values }: Type): Type {
    return unionOf(
      values
        .map((value): Type => {
          if (value.kind === 'function') return returnType(this.resolver, value.file, value.decl, value.self);
          if (value.kind === 'class') return just({ ...value, kind: 'instance' });
          return value.kind === 'callable' ? value.returns : UNKNOWN;
        })
        .concat(NOTHING),
    );
  }
}

const isFunction = (value: Value): boolean => value.kind === 'function' || value.kind === 'callable';

/** Whether two values are of one head, whatever their arguments. */
function isAlike(value: Value, other: Value): boolean {
  if (value.kind === 'external' || value.kind === 'namespace')
    return other.kind === value.kind && other.name === value.name;
  if (value.kind === 'instance')
    return other.kind === 'instance' && other.file === value.file && other.decl === value.decl;
  return isFunction(value) && other.kind === 'callable';
}
