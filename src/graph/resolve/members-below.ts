/**
 * Members that a class uses and leaves to the classes below it: a mixin's `self.save()`, where the class that takes it
 * in has `save` from another base, and `super().save()`, where the next class is another one's base.
 *
 * Classes below are found by their bases as written, in the files that say the name of the class. One that is derived
 * from under another name, which its file alone knows, is not seen.
 */
import type { DeclRef } from '../../languages/language.js';
import { declKey, sameDecl } from '../../syntax/rows.js';
import { isClassLike } from '../../syntax/summary.js';
import { basesOf, findMember, ownMembers, searchOrder } from './hierarchy.js';
import type { Resolver } from './resolver.js';
import type { Type } from './value.js';

/** The members that the receiver's objects may have of classes below its own; none where the language has no mixins. */
export function membersBelow(resolver: Resolver, receiver: Type, name: string): readonly DeclRef[] {
  const out = new Map<string, DeclRef>();
  for (const value of receiver.values) {
    // What has the member from somewhere else is not left to classes below.
    if (value.kind !== 'instance' && value.kind !== 'class' && value.kind !== 'super') return [];
    const { id, leavesMembersBelow } = resolver.language(value.file);
    // Most members that a class lacks are those of libraries: nobody here declares the name.
    if (!leavesMembersBelow || resolver.repo.filesDeclaring(id, name).length === 0) return [];
    for (const type of classesBelow(resolver, value)) {
      const order = searchOrder(resolver, type);
      const behind = order.findIndex((side) => sameDecl(side, value)) + 1;
      const found =
        value.kind === 'super'
          ? order
              .slice(behind)
              .map((side) => ownMembers(resolver, side, name))
              .find((own) => own.length > 0)
          : findMember(resolver, type, name).found;
      for (const member of found ?? []) out.set(declKey(member), member);
    }
  }
  return [...out.values()];
}

/** All classes that derive from a type, nearest first. */
function classesBelow(resolver: Resolver, type: DeclRef): readonly DeclRef[] {
  return resolver.answer<readonly DeclRef[]>('classes below', type.file, type.decl, [], () => {
    const out: DeclRef[] = [];
    const seen = new Set([declKey(type)]);
    const queue: DeclRef[] = [{ file: type.file, decl: type.decl }];
    for (const base of queue) {
      const of = resolver.summary(base.file);
      for (const file of resolver.repo.filesMentioning(of.decls.nameOf(base.decl))) {
        const summary = resolver.summary(file);
        if (summary.language !== of.language) continue;
        for (let decl = 0; decl < summary.decls.count; decl++) {
          if (!isClassLike(summary.decls.kindOf(decl)) || summary.decls.basesOf(decl).length === 0) continue;
          const derived = { file, decl };
          if (seen.has(declKey(derived)) || !basesOf(resolver, derived).classes.some((one) => sameDecl(one, base)))
            continue;
          seen.add(declKey(derived));
          out.push(derived);
          queue.push(derived);
        }
      }
    }
    return out;
  });
}
