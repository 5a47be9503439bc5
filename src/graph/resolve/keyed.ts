/**
 * Mappings whose keys a class declares as its fields (Python `TypedDict`): a string that stands where a key does names
 * a field.
 */
import { E } from '../../syntax/summary.js';
import type { DeclRef } from '../../languages/language.js';
import { expectedType } from './expected.js';
import { outsideBases } from './hierarchy.js';
import type { Resolver } from './resolver.js';
import type { Type, Value } from './value.js';

/** The objects that a string may take a key of; none where it is no key, or nobody declares its keys. */
export function keyedObjects(resolver: Resolver, file: string, string: number): readonly Value[] {
  const { exprs } = resolver.summary(file);
  const { keyed } = resolver.language(file).library;
  const types = exprs.usesOf(string).flatMap((use): (Type | undefined)[] => {
    switch (use.kind) {
      case 'subscript':
        return [resolver.typeOf(file, exprs.operandOf(use.row))];
      case 'key':
        return [expectedType(resolver, file, use.row)];
      case 'argument': {
        const callee = exprs.opOf(use.row) === E.call && use.index === 0 ? exprs.operandOf(use.row) : -1;
        return callee >= 0 && exprs.opOf(callee) === E.member && keyed.members.has(exprs.nameOf(callee))
          ? [resolver.typeOf(file, exprs.operandOf(callee))]
          : [];
      }
      default:
        return [];
    }
  });
  return types.flatMap(
    (type) => type?.values.filter((value) => value.kind === 'instance' && isKeyed(resolver, value)) ?? [],
  );
}

/** Whether the objects of a class are such mappings. */
export const isKeyed = (resolver: Resolver, { file, decl }: DeclRef): boolean =>
  outsideBases(resolver, { file, decl, args: [] }).some(({ name }) =>
    resolver.language(file).library.keyed.bases.has(name),
  );
