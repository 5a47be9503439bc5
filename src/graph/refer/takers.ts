/**
 * What a call of a value runs, and what takes its arguments: a function, a constructor, the member that makes an object
 * callable, and the fields of a data class that writes no constructor.
 */
import type { DeclRef } from '../../languages/language.js';
import { F } from '../../syntax/summary.js';
import { componentsOf } from '../resolve/components.js';
import { findMember, searchOrder } from '../resolve/hierarchy.js';
import { constructorsOf } from '../resolve/overloads.js';
import type { Resolver } from '../resolve/resolver.js';
import { signatureOf, type Signature } from '../resolve/signature.js';
import type { Value } from '../resolve/value.js';
import type { Held } from './held.js';

export interface Taker extends DeclRef {
  readonly self?: Value | undefined;
  readonly isBound?: boolean;
}

/** What takes the arguments when a value is called: functions, and a data class whose fields they become. */
export function takersOf(resolver: Resolver, value: Held): Taker[] {
  return value.kind === 'class' && takesComponents(resolver, value)
    ? [{ file: value.file, decl: value.decl }]
    : functionsRun(resolver, value);
}

/** Whether it is a data class that writes no constructor; what runs behind the made one takes none of its arguments. */
export const takesComponents = (resolver: Resolver, type: DeclRef): boolean =>
  resolver.summary(type.file).decls.has(type.decl, F.dataclass) &&
  findMember(resolver, type, resolver.language(type.file).constructorName).found.length === 0;

/** A data class's components; none where some are fields of another file, since a row alone says no file. */
export function ownComponents(resolver: Resolver, type: DeclRef): Signature {
  const isNear = searchOrder(resolver, type).every(({ file }) => file === type.file);
  return isNear ? componentsOf(resolver, type) : signatureOf(resolver.summary(type.file), type.decl);
}

/** The functions that run when a value is called. */
export function functionsRun(resolver: Resolver, value: Held): Taker[] {
  switch (value.kind) {
    case 'function':
      return [value];
    case 'class':
      return constructorsOf(resolver, value).map((made) => ({
        ...made,
        self: { ...value, kind: 'instance', args: [] },
      }));
    case 'instance': {
      const name = resolver.language(value.file).callMember;
      return name === undefined
        ? []
        : findMember(resolver, value, name).found.map((member) => ({ ...member, self: { ...value, args: [] } }));
    }
    default:
      return [];
  }
}
