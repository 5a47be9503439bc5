/**
 * Parameters that a framework fills in by their name: a test that takes `client` is given what the
 * fixture function `client` returns or yields (pytest).
 *
 *     conftest.py   @pytest.fixture
 *                   def client(): return Client()      ◄──┐ by name, the nearest file first
 *     test_a.py     def test_get(client): client.get() ───┘
 */
import type { DeclRef } from '../../languages/language.js';
import { E, F, isFunctionLike, type Summary } from '../../syntax/summary.js';
import { elementOf } from './containers.js';
import { returnType } from './declaration-types.js';
import { classOfMember, memberEntities } from './hierarchy.js';
import { topLevelEntities } from './imports.js';
import type { Resolver } from './resolver.js';
import type { Type } from './value.js';

/** The function that gives a parameter its value, by its name: of the class around, else of the nearest file. */
export function injectedFrom(resolver: Resolver, file: string, param: number): DeclRef | undefined {
  const { injection } = resolver.language(file);
  const summary = resolver.summary(file);
  const owner = summary.scopes.ownerOf(summary.decls.scopeOf(param));
  if (
    injection === undefined ||
    owner < 0 ||
    (!injection.into.test(summary.decls.nameOf(owner)) && !isDecorated(summary, owner, injection.decorator))
  )
    return undefined;
  return giverOf(resolver, file, owner, summary.decls.nameOf(param));
}

/** The function that a string asks for by its name: `usefixtures("client")`. */
export function injectedByString(resolver: Resolver, file: string, string: number): DeclRef | undefined {
  const { injection } = resolver.language(file);
  const { exprs, scopes } = resolver.summary(file);
  const isAsked = exprs.usesOf(string).some((use) => {
    const callee = use.kind === 'argument' && exprs.opOf(use.row) === E.call ? exprs.calleeOf(use.row) : -1;
    return callee >= 0 && injection?.askedBy.has(exprs.nameOf(callee)) === true;
  });
  return isAsked ? giverOf(resolver, file, scopes.blockOf(exprs.scopeOf(string)), exprs.nameOf(string)) : undefined;
}

/** The function of that name which gives a value to `taker`: of the class around, else of the nearest file. */
function giverOf(resolver: Resolver, file: string, taker: number, name: string): DeclRef | undefined {
  const { injection } = resolver.language(file);
  if (injection === undefined) return undefined;
  const home = taker < 0 ? undefined : classOfMember(resolver.summary(file), taker);
  const own = home === undefined ? [] : memberEntities(resolver, { file, decl: home }, name);
  for (const entities of [own, ...injection.sources(file).map((source) => topLevelEntities(resolver, source, name))]) {
    for (const entity of entities) {
      // A fixture may take the one that it stands before.
      if (entity.kind !== 'decl' || (entity.file === file && entity.decl === taker)) continue;
      const of = resolver.summary(entity.file);
      if (isFunctionLike(of.decls.kindOf(entity.decl)) && isDecorated(of, entity.decl, injection.decorator))
        return { file: entity.file, decl: entity.decl };
    }
  }
  return undefined;
}

/** What that function returns or yields; undefined where nothing is filled in. */
export function injectedType(resolver: Resolver, file: string, param: number): Type | undefined {
  const source = injectedFrom(resolver, file, param);
  if (source === undefined) return undefined;
  const given = returnType(resolver, source.file, source.decl, undefined);
  return resolver.summary(source.file).decls.has(source.decl, F.generator)
    ? elementOf(resolver, resolver.language(source.file).library, given)
    : given;
}

function isDecorated(summary: Summary, decl: number, name: string): boolean {
  const { exprs } = summary;
  return summary.decls.decoratorsOf(decl).some((row) => {
    const named = exprs.opOf(row) === E.call ? exprs.operandOf(row) : row;
    return named >= 0 && exprs.nameOf(named) === name;
  });
}
