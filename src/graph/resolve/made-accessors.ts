/**
 * Accessors that nobody wrote: what a generator makes of the fields of an annotated class (Lombok and its like).
 *
 * A class that is called by a name like `getName`, has no such member, and has a field `name` and an annotation on
 * either, is taken to have the accessor from that field. Possible only: what a generator does is its own affair.
 */
import type { DeclRef } from '../../languages/language.js';
import { isFieldLike } from '../../syntax/summary.js';
import { searchOrder } from './hierarchy.js';
import type { Resolver } from './resolver.js';
import type { Type } from './value.js';

/** Fields of the receiver's classes from which a member of the name may have been made. */
export function fieldsBehind(resolver: Resolver, file: string, receiver: Type, name: string): readonly DeclRef[] {
  const fields = resolver.language(file).madeAccessors?.fieldsOf(name) ?? [];
  if (fields.length === 0) return [];
  const out: DeclRef[] = [];
  for (const value of receiver.values) {
    if (value.kind !== 'instance') continue;
    for (const type of searchOrder(resolver, value)) {
      const summary = resolver.summary(type.file);
      const { decls } = summary;
      for (const field of fields)
        for (const decl of decls.named(summary.idOf(field)))
          if (
            decls.parentOf(decl) === type.decl &&
            isFieldLike(decls.kindOf(decl)) &&
            decls.decoratorsOf(decl).length + decls.decoratorsOf(type.decl).length > 0
          )
            out.push({ file: type.file, decl });
    }
  }
  return out;
}
