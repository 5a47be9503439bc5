/**
 * Places that may refer to a declaration without any row that resolution could follow: strings
 * that spell its name, keys of objects that are passed to something unknown, and code that reaches
 * names at run time (`getattr`, reflection, `eval`).
 */
import { pieces, type Turns } from '../../base/turns.js';
import type { DeclRef } from '../../languages/language.js';
import { E, isFieldLike, isFunctionLike, R, type Summary } from '../../syntax/summary.js';
import { namesMember } from '../../syntax/strings-as-members.js';
import { callPassedTo } from '../resolve/expected.js';
import { classOfMember } from '../resolve/hierarchy.js';
import { sitesOf } from './references.js';
import type { Resolver } from '../resolve/resolver.js';
import { findingByName } from './sites-by-name.js';

export interface HiddenUse {
  readonly file: string;
  readonly expr: number;
  readonly reason: string;
}

/** A string that spells a name. */
interface Spelled {
  readonly file: string;
  readonly expr: number;
}

/** Shorter names are in too many strings that mean something else. */
const SPELLED_LEAST = 3;

/** Strings anywhere that spell the name; those in lists of exported names are resolved, and left out. */
export const stringsSpelling = (resolver: Resolver, name: string): readonly Spelled[] =>
  filesSpelling(resolver, name).flatMap((file) => stringsIn(resolver, file, name));

/** The same, a file at a time. */
export function* stringsInTurns(resolver: Resolver, name: string): Turns<readonly Spelled[]> {
  return (yield* pieces(filesSpelling(resolver, name), (file) => stringsIn(resolver, file, name))).flat();
}

const filesSpelling = (resolver: Resolver, name: string): readonly string[] =>
  name.length < SPELLED_LEAST ? [] : resolver.repo.filesMentioning(name);

const stringsIn = (resolver: Resolver, file: string, name: string): readonly Spelled[] =>
  resolver.answer<readonly Spelled[]>('spelling strings', file, name, [], () => {
    const summary = resolver.summary(file);
    return rowsNamed(summary, name)
      .filter(
        (expr) =>
          summary.exprs.opOf(expr) === E.string &&
          summary.exprs.roleOf(expr) !== R.doc &&
          !summary.exports.some((entry) => entry.expr === expr) &&
          !namesMember(summary, expr) &&
          resolver.resolve(file, expr).targets.length === 0,
      )
      .map((expr) => ({ file, expr }));
  });

/**
 * Keys of object literals that say the member's name, in a call of which not even the type is known:
 * what the literal is meant for cannot be told. None in languages whose literals have no keys.
 * `of`: the tree that has the member, if it is another one.
 */
export function keysSpelling(
  resolver: Resolver,
  member: DeclRef,
  of: Resolver = resolver,
): { readonly file: string; readonly expr: number }[] {
  const { decls, language } = of.summary(member.file);
  if (member.decl < 0 || !of.language(member.file).structural) return [];
  const kind = decls.kindOf(member.decl);
  if (!(isFieldLike(kind) || isFunctionLike(kind)) || classOfMember(of.summary(member.file), member.decl) === undefined)
    return [];
  const name = of.summary(member.file).decls.nameOf(member.decl);
  return resolver.repo
    .filesMentioning(name)
    .filter((file) => resolver.summary(file).language === language)
    .flatMap((file) =>
      resolver.answer<readonly { file: string; expr: number }[]>('spelling keys', file, name, [], () => {
        const summary = resolver.summary(file);
        return rowsNamed(summary, name)
          .filter((expr) => {
            const literal = summary.exprs.operandOf(expr);
            if (summary.exprs.opOf(expr) !== E.initializer || summary.exprs.opOf(literal) !== E.closure) return false;
            const call = callPassedTo(summary, literal);
            return (
              call !== undefined &&
              isUnknown(resolver, file, summary, summary.exprs.calleeOf(call)) &&
              resolver.resolve(file, expr).targets.length === 0
            );
          })
          .map((expr) => ({ file, expr }));
      }),
    );
}

function isUnknown(resolver: Resolver, file: string, summary: Summary, callee: number): boolean {
  return (
    callee >= 0 &&
    summary.exprs.opOf(callee) !== E.super &&
    !resolver.resolve(file, callee).external &&
    resolver.typeOf(file, callee).values.length === 0
  );
}

function rowsNamed(summary: Summary, name: string): number[] {
  const row = summary.idOf(name);
  return row < 0 ? [] : [...summary.exprs.named(row)];
}

const filesOfDynamic = (resolver: Resolver): ReadonlySet<string> =>
  resolver.repo.memo(
    'files of dynamic code',
    () => new Set([...resolver.repo.files].flatMap(([file, { dynamic }]) => (dynamic.length > 0 ? [file] : []))),
  );

/**
 * Strings that spell the declaration's name, and dynamic code in files that know the declaration
 * or the class that holds it: only there would an object of it be at hand.
 */
export function hiddenUses(resolver: Resolver, target: DeclRef): HiddenUse[] {
  const summary = resolver.summary(target.file);
  const name = summary.decls.nameOf(target.decl);
  const owner = classOfMember(summary, target.decl);
  const knowing = new Set([target.file, ...sitesOf(resolver, target).map(({ file }) => file)]);
  // A class may be named in a thousand files: one place says that such a file knows it, and the others do not count.
  const open = new Set([...filesOfDynamic(resolver)].filter((file) => !knowing.has(file)));
  const named = owner === undefined ? [] : findingByName(resolver, { ...target, decl: owner }, 'everywhere', open);
  for (const { file } of named) {
    knowing.add(file);
    open.delete(file);
  }
  const strings = [
    ...stringsSpelling(resolver, name).map((place) => ({ ...place, reason: `a string spells ${name}` })),
    ...keysSpelling(resolver, target).map((place) => ({
      ...place,
      reason: `${name} is set in an object that is passed to something unknown`,
    })),
  ];
  const dynamic = [...knowing]
    .sort()
    .flatMap((file) =>
      [...resolver.summary(file).dynamic].map((expr) => ({
        file,
        expr,
        reason: 'names are reached at run time here, and which ones cannot be told',
      })),
    );
  const spelled = new Set(strings.map((place) => `${place.file}\0${place.expr}`));
  return [...strings, ...dynamic.filter((place) => !spelled.has(`${place.file}\0${place.expr}`))];
}
