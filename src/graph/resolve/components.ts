/**
 * The parameters by which instances are made of a class that writes no constructor: the components
 * of a record, the fields of a data class.
 *
 * A data class has its bases' fields too, in front of its own; a field that it declares anew keeps
 * the base's place. What a base from outside adds is not known: then any keyword fits.
 */
import type { DeclRef } from '../../languages/language.js';
import { F } from '../../syntax/summary.js';
import { basesOf, searchOrder } from './hierarchy.js';
import type { Resolver } from './resolver.js';
import { signatureOf, type Parameter, type Signature } from './signature.js';

export interface Components extends Signature {
  /** Whether a base from outside may have further fields. */
  readonly isOpen: boolean;
}

export function componentsOf(resolver: Resolver, type: DeclRef): Components {
  const isDataClass = (ref: DeclRef): boolean => resolver.summary(ref.file).decls.has(ref.decl, F.dataclass);
  if (!isDataClass(type)) {
    const { decls } = resolver.summary(type.file);
    // A class without fields of its own is made as the nearest data class above it.
    const above = decls.hasParams(type.decl) ? undefined : searchOrder(resolver, type).find(isDataClass);
    if (above !== undefined) return componentsOf(resolver, above);
    return { ...signatureOf(resolver.summary(type.file), type.decl), isOpen: false };
  }
  const params = new Map<string, Parameter>();
  for (const ref of [...searchOrder(resolver, type)].reverse().filter(isDataClass)) {
    for (const param of signatureOf(resolver.summary(ref.file), ref.decl).params) params.set(param.name, param);
  }
  const { fieldlessBases } = resolver.language(type.file).library;
  const isOpen = searchOrder(resolver, type).some((ref) => {
    const bases = basesOf(resolver, ref);
    return bases.unknown || bases.external.some((base) => !fieldlessBases.has(base.name));
  });
  const further: Parameter = {
    decl: type.decl,
    name: '',
    optional: true,
    rest: false,
    keywordRest: true,
    keywordOnly: false,
    positionalOnly: false,
  };
  // Those that must be named go last, whatever class declares them.
  const ordered = [...params.values()].sort((a, b) => Number(a.keywordOnly) - Number(b.keywordOnly));
  return { params: isOpen ? [...ordered, further] : ordered, receiver: undefined, isOpen };
}
