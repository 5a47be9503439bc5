/**
 * What an expression can evaluate to, as far as names tell.
 *
 * A `Type` is a small set of values plus whether something else is possible. It errs towards
 * unknown: a value is only listed when a declaration, an initial value or a return says it.
 * `external` stands for everything that comes from outside the repository, with the name of the
 * library type where it is known, since containers pass their arguments on.
 */
import { F, type Summary } from '../../syntax/summary.js';

export type Value =
  /**
   * An object of a class of the repository. `args`: type arguments where written. `isPart`: it may lack members of the
   * class; `taken`: which of them it has, where that is known.
   */
  | {
      readonly kind: 'instance';
      readonly file: string;
      readonly decl: number;
      readonly args: readonly Type[];
      readonly isPart?: 'any' | 'some';
      readonly taken?: Taken;
    }
  /** The class itself (static members, construction). */
  | { readonly kind: 'class'; readonly file: string; readonly decl: number; readonly args: readonly Type[] }
  /** The object seen as one of its base classes: `super`. */
  | { readonly kind: 'super'; readonly file: string; readonly decl: number; readonly isStatic: boolean }
  /** A function or method; `self`: the receiver it was taken from. */
  | { readonly kind: 'function'; readonly file: string; readonly decl: number; readonly self: Value | undefined }
  /** Something callable of which only the type is known. `type`: the function type as written, for its parameters. */
  | { readonly kind: 'callable'; readonly returns: Type; readonly type?: TypeRow }
  | { readonly kind: 'module'; readonly file: string }
  | { readonly kind: 'namespace'; readonly name: string }
  /** `text`: of a string that stands for a type parameter, what it says. */
  | { readonly kind: 'external'; readonly name: string; readonly args: readonly Type[]; readonly text?: string }
  | { readonly kind: 'tuple'; readonly parts: readonly Type[] };

/** An object, or the class itself, which is given for the class of a type: `type[Runner]`. */
export const isOfClass = (value: Value): value is Value & { kind: 'instance' | 'class' } =>
  value.kind === 'instance' || value.kind === 'class';

/** Members that a part of a type has: those of these names, or with `isLeftOut` all others. */
export interface Taken {
  readonly names: ReadonlySet<string>;
  readonly isLeftOut: boolean;
}

/** A type, or a part of it. */
export interface Part {
  readonly isPart?: 'any' | 'some';
  readonly taken?: Taken;
}

/** Whether each object of a part has the member if each object of the whole type has; false where nobody knows. */
export const asksFor = ({ isPart, taken }: Part, name: string): boolean =>
  isPart === undefined || (isPart === 'some' && taken !== undefined && taken.names.has(name) !== taken.isLeftOut);

/** Whether no object of a part has the member by the type. */
export const leavesOut = ({ taken }: Part, name: string): boolean =>
  taken !== undefined && taken.names.has(name) === taken.isLeftOut;

/** A type expression and what its type parameters stand for. */
export interface TypeRow {
  readonly file: string;
  readonly expr: number;
  readonly bindings: Bindings;
}

/** Type parameters with the types they stand for. */
export type Bindings = readonly { readonly file: string; readonly decl: number; readonly type: Type }[];

export interface Type {
  readonly values: readonly Value[];
  /** Whether it may be something that is not listed. */
  readonly unknown: boolean;
}

export const UNKNOWN: Type = { values: [], unknown: true };
/** No value at all: `None`, a function that returns nothing. */
export const NOTHING: Type = { values: [], unknown: false };
/**
 * At most this many values are kept of a union; more is unknown. Unions of interfaces that a tag tells apart have some
 * twenty sides.
 */
const VALUES_MOST = 32;

/** Name of a value from outside that is made of its type arguments in a way that nobody here knows. */
export const MADE_OF = '?';

export const external = (name: string, args: readonly Type[] = []): Type => ({
  values: [{ kind: 'external', name, args }],
  unknown: false,
});
export const just = (value: Value): Type => ({ values: [value], unknown: false });

/** Objects of the type that may lack members of it: any of them, or some, not known which unless `taken` says so. */
export const inPart = (type: Type, isPart: 'any' | 'some', taken?: Taken): Type => ({
  ...type,
  values: type.values.map((value) => {
    if (value.kind !== 'instance') return value;
    const { taken: _, ...whole } = value;
    // A part of a part lacks what either lacks; of two lists of names nothing is said here.
    const isAny = isPart === 'any' || value.isPart === 'any';
    const known = value.isPart === undefined ? taken : isPart === 'any' ? value.taken : undefined;
    return { ...whole, isPart: isAny ? 'any' : 'some', ...(known === undefined ? {} : { taken: known }) };
  }),
});

export function unionOf(types: readonly Type[]): Type {
  if (types.length === 1) return types[0] as Type;
  const values: Value[] = [];
  let unknown = false;
  const seen = new Set<string>();
  for (const type of types) {
    unknown ||= type.unknown;
    for (const value of type.values) {
      const key = keyOf(value);
      if (seen.has(key)) continue;
      seen.add(key);
      if (values.length < VALUES_MOST) values.push(value);
      else unknown = true;
    }
  }
  return { values, unknown };
}

/** Identity of a value; type arguments count one level deep. */
export function keyOf(value: Value, depth = 0): string {
  const args = (types: readonly Type[]): string =>
    depth > 1 ? '' : types.map((type) => type.values.map((v) => keyOf(v, depth + 1)).join('|')).join(',');
  switch (value.kind) {
    case 'instance':
      return `i${value.file}:${value.decl}<${args(value.args)}>`;
    case 'class':
      return `c${value.file}:${value.decl}<${args(value.args)}>`;
    case 'super':
      return `s${value.file}:${value.decl}`;
    case 'function':
      return `f${value.file}:${value.decl}`;
    case 'callable':
      return `()${args([value.returns])}`;
    case 'module':
      return `m${value.file}`;
    case 'namespace':
      return `n${value.name}`;
    case 'external':
      return `e${value.name}<${args(value.args)}>${value.text ?? ''}`;
    case 'tuple':
      return `t${args(value.parts)}`;
  }
}

/**
 * The class-like declaration around a scope, lambdas and functions passed through; -1 for none. `isStatic`: a static
 * function lies between.
 */
export function enclosingClass(
  summary: Summary,
  scope: number,
  isClass: (kind: number) => boolean,
  isFunction: (kind: number) => boolean,
): { decl: number; functionDecl: number } {
  const { scopes, decls } = summary;
  let functionDecl = -1;
  for (let s = scope; s >= 0; s = scopes.parentOf(s)) {
    const owner = scopes.ownerOf(s);
    if (owner < 0) continue;
    const kind = decls.kindOf(owner);
    if (isClass(kind) && decls.innerOf(owner) !== -1) return { decl: owner, functionDecl };
    if (isFunction(kind)) {
      // The class of a method is the one in whose scope the method is declared, even if the
      // language's lookup chain leads past that scope (Python, TypeScript).
      functionDecl = owner;
      if (decls.has(owner, F.lexicalThis)) continue;
      const home = scopes.ownerOf(decls.scopeOf(owner));
      if (home >= 0 && isClass(decls.kindOf(home)) && decls.scopeOf(owner) === decls.innerOf(home))
        return { decl: home, functionDecl };
    }
  }
  return { decl: -1, functionDecl };
}
