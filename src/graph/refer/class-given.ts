/**
 * Classes that are given for a type with a construct signature: they are what makes the objects that it promises.
 *
 *     interface Maker { new (name: string): Shape }        const all: Record<string, Maker> = { box: Box }
 *
 * Looked for in files that say the type.
 */
import type { DeclRef } from '../../languages/language.js';
import { findMember } from '../resolve/hierarchy.js';
import type { Resolver } from '../resolve/resolver.js';
import { expectedAs, type Given } from './given.js';
import { filesSaying } from './sites-by-name.js';

/** The signature by which what is given for a type makes objects, or undefined. */
export function constructSignatureOf(resolver: Resolver, type: DeclRef): DeclRef | undefined {
  const { constructSignature } = resolver.language(type.file);
  return constructSignature === undefined ? undefined : findMember(resolver, type, constructSignature).found[0];
}

/** The rows that give a class for the type; in `only` of all files. */
export function classesGivenFor(resolver: Resolver, type: DeclRef, only?: ReadonlySet<string>): readonly Given[] {
  if (constructSignatureOf(resolver, type) === undefined) return [];
  const all = resolver.answer<readonly Given[]>('classes given', type.file, type.decl, [], () =>
    [...filesSaying(resolver, [type])].flatMap((file) =>
      expectedAs(resolver, file, type).filter(({ expr }) =>
        resolver.typeOf(file, expr).values.some(({ kind }) => kind === 'class'),
      ),
    ),
  );
  return only === undefined ? all : all.filter(({ file }) => only.has(file));
}
