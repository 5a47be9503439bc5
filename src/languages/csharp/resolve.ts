/**
 * What C#'s names mean beyond the scopes of a file: namespaces, usings, the library.
 *
 * A bare name is looked for from the innermost namespace outwards: in each namespace first its
 * types and the namespaces in it, then what the usings that stand there bring. Names that no
 * file of the repository explains are external as soon as a using leads outside, which nearly
 * every file has: it errs towards external.
 */
import { declKey } from '../../syntax/rows.js';
import { D, F, isClassLike, S, type Summary } from '../../syntax/summary.js';
import type { DeclRef, Entity, NameLookup, Reach, RepoView } from '../language.js';
import { isLibraryName, isLibraryNamespace } from './library-names.js';
import {
  endsNamespace,
  isNamespace,
  namespaceAt,
  namespacesOf,
  seenFrom,
  typesIn,
  typesNamed,
} from './namespace-types.js';
import { globalUsings, usingsIn } from './usings.js';
import type { Using } from './build-files.js';

/**
 * The namespace or type that a dotted name means. Names are taken from the root, or else from the
 * namespaces that the file declares. A name below a namespace of the repository that is not found
 * is unknown rather than external. Dots at the ends, which stand for the global namespace or an
 * empty name, do not count, nor does an `extern alias` at the beginning: which project it stands for is not in the
 * code.
 */
export function resolveModule(specifier: string, from: string, lookup: NameLookup): readonly Entity[] {
  return follow(waysTo(specifier, from, lookup.repo), lookup);
}

/**
 * Where a dotted name may lead, to be tried in turn. Nested types are left to be followed: they depend on bases, which
 * depend on names in turn.
 */
interface Ways {
  readonly ways: readonly Way[];
  /** What it means if none of them leads anywhere. */
  readonly otherwise: readonly Entity[];
}

type Way =
  | { readonly kind: 'namespace'; readonly name: string }
  | { readonly kind: 'types'; readonly types: readonly DeclRef[]; readonly nested: readonly string[] };

function waysTo(specifier: string, from: string, repo: RepoView): Ways {
  const path = specifier.replace(/^\.+|\.+$/g, '');
  if (path === '') return { ways: [{ kind: 'namespace', name: '' }], otherwise: [] };
  const ways: Way[] = [];
  /** Whether the full name leads somewhere for sure. */
  const leads = (name: string): boolean => {
    const way = namespaceOrTypes(name, from, repo);
    if (way !== undefined) ways.push(way);
    return way !== undefined && (way.kind === 'namespace' || way.nested.length === 0);
  };
  if (leads(path)) return { ways, otherwise: [] };
  const summary = repo.summary(from);
  const afterAlias = summary === undefined ? undefined : behindExternAlias(path, summary);
  if (afterAlias !== undefined && leads(afterAlias)) return { ways, otherwise: [] };
  for (const namespace of summary === undefined ? [] : namespacesOf(summary)) {
    for (const outer of withOuter(namespace)) if (leads(`${outer}.${path}`)) return { ways, otherwise: [] };
  }
  const dot = path.lastIndexOf('.');
  const isMissing = !isLibraryNamespace(path) && dot > 0 && isNamespace(path.slice(0, dot), repo);
  return { ways, otherwise: isMissing ? [] : [{ kind: 'external', name: path }] };
}

/** The name without the `extern alias` of the file that it begins with; undefined where it begins with none. */
function behindExternAlias(path: string, { imports }: Summary): string | undefined {
  const dot = path.indexOf('.');
  const first = path.slice(0, Math.max(0, dot));
  const isAlias = imports.some(({ kind, module, expr }) => kind === 'module' && expr < 0 && module === first);
  return dot > 0 && isAlias ? path.slice(dot + 1) : undefined;
}

function follow({ ways, otherwise }: Ways, lookup: NameLookup): readonly Entity[] {
  for (const way of ways) {
    const found = way.kind === 'namespace' ? [way] : nested(way.types, way.nested, lookup);
    if (found.length > 0) return found;
  }
  return otherwise;
}

/** `A.B.C`, `A.B`, `A`. */
function withOuter(namespace: string): string[] {
  const out: string[] = [];
  for (let end = namespace.length; end > 0; end = namespace.lastIndexOf('.', end - 1))
    out.push(namespace.slice(0, end));
  return out;
}

function namespaceOrTypes(path: string, from: string, repo: RepoView): Way | undefined {
  if (isNamespace(path, repo)) return { kind: 'namespace', name: path };
  const parts = path.split('.');
  for (let count = parts.length - 1; count >= 0; count--) {
    const namespace = parts.slice(0, count).join('.');
    if (count > 0 && !isNamespace(namespace, repo)) continue;
    const types = typesIn(namespace, parts[count] as string, from, repo);
    if (types.length > 0) return { kind: 'types', types, nested: parts.slice(count + 1) };
  }
  return undefined;
}

function nested(types: readonly DeclRef[], path: readonly string[], lookup: NameLookup): readonly Entity[] {
  let found: readonly Entity[] = types.map(entityOf);
  for (const name of path) {
    found = found.flatMap((entity) =>
      entity.kind === 'decl' ? lookup.member(entity, name).filter((member) => isType(member, lookup.repo)) : [],
    );
  }
  return found;
}

const entityOf = ({ file, decl }: DeclRef): Entity => ({ kind: 'decl', file, decl });

function isType(entity: Entity, repo: RepoView): boolean {
  return entity.kind === 'decl' && isClassLike(repo.summary(entity.file)?.decls.kindOf(entity.decl) ?? 0);
}

/** See {@link Language.ambient}. */
export function ambient(name: string, from: string, scope: number, lookup: NameLookup): readonly Entity[] {
  const { repo } = lookup;
  const summary = repo.summary(from);
  if (summary === undefined) return [];
  const named = typesNamed(name, repo);
  const mayBeNamespace = endsNamespace(name, repo);
  let leadsOutside = false;
  for (const level of levelsAt(namespaceScope(summary, scope), from, repo)) {
    const types = seenFrom(from, named.get(level.namespace), repo);
    if (types.length > 0) return types.map(entityOf);
    const inner = level.namespace === '' ? name : `${level.namespace}.${name}`;
    if (mayBeNamespace && isNamespace(inner, repo)) return [{ kind: 'namespace', name: inner }];
    const brought = broughtBy(level.usings, name, named, from, lookup);
    if (brought.found.length > 0) return brought.found;
    leadsOutside ||= brought.leadsOutside;
  }
  return leadsOutside || isLibraryName(name) ? [{ kind: 'external', name }] : [];
}

/** A namespace around a use, with the usings that stand right in it. */
interface Level {
  readonly namespace: string;
  readonly usings: readonly LeadingUsing[];
}

interface LeadingUsing extends Using {
  readonly ways: Ways;
  readonly ofLibrary: boolean;
}

/** The scope of the innermost namespace around a scope; 0 for none. */
function namespaceScope({ scopes }: Summary, scope: number): number {
  let inner = scope;
  while (inner > 0 && scopes.kindOf(inner) !== S.namespace) inner = scopes.parentOf(inner);
  return inner;
}

/** The namespaces around a scope, innermost first. */
function levelsAt(inner: number, from: string, repo: RepoView): readonly Level[] {
  return repo.memo(`csharp levels ${inner} ${from}`, () => {
    const summary = repo.summary(from);
    if (summary === undefined) return [];
    const leading = (usings: readonly Using[]): LeadingUsing[] =>
      usings.map((using) => ({
        ...using,
        ways: waysTo(using.path, from, repo),
        ofLibrary: isLibraryNamespace(using.path),
      }));
    const levels: Level[] = [];
    for (let s = inner; s >= 0; s = summary.scopes.parentOf(s)) {
      if (summary.scopes.kindOf(s) !== S.namespace) continue;
      const namespace = namespaceAt(summary, s);
      const outer = namespaceAt(summary, summary.scopes.parentOf(s));
      levels.push({ namespace, usings: leading(usingsIn(summary, s)) });
      // `namespace A.B` stands for one in the other; usings belong to the inner one.
      for (let end = namespace.lastIndexOf('.'); end > outer.length; end = namespace.lastIndexOf('.', end - 1))
        levels.push({ namespace: namespace.slice(0, end), usings: [] });
    }
    levels.push({ namespace: '', usings: leading([...usingsIn(summary, 0), ...globalUsings(from, repo)]) });
    return levels;
  });
}

/** `named`: the types of the name, by namespace. */
function broughtBy(
  usings: readonly LeadingUsing[],
  name: string,
  named: ReadonlyMap<string, readonly DeclRef[]>,
  from: string,
  lookup: NameLookup,
): { found: readonly Entity[]; leadsOutside: boolean } {
  const found = new Map<string, Entity>();
  let leadsOutside = false;
  const add = (entity: Entity): void => {
    if (entity.kind === 'decl') found.set(declKey(entity), entity);
  };
  for (const using of usings) {
    if (using.kind === 'alias' && using.alias !== name) continue;
    leadsOutside ||= using.ofLibrary;
    for (const module of follow(using.ways, lookup)) {
      if (module.kind === 'external') leadsOutside = true;
      else if (using.kind === 'alias') {
        if (module.kind === 'namespace') return { found: [module], leadsOutside };
        add(module);
      } else if (module.kind === 'namespace')
        seenFrom(from, named.get(module.name), lookup.repo).forEach((type) => add(entityOf(type)));
      else if (using.kind === 'static' && module.kind === 'decl')
        lookup
          .member(module, name)
          .filter((member) => isStatic(member, lookup.repo))
          .forEach(add);
    }
  }
  return { found: [...found.values()], leadsOutside };
}

/** What `using static` brings of a type: static members but extension methods, and nested types. */
function isStatic(entity: Entity, repo: RepoView): boolean {
  if (entity.kind !== 'decl') return false;
  const decls = repo.summary(entity.file)?.decls;
  if (decls === undefined) return false;
  const flags = decls.flagsOf(entity.decl);
  return (
    isType(entity, repo) ||
    ((flags & F.static) !== 0 && (flags & F.extension) === 0) ||
    decls.kindOf(entity.decl) === D.enumMember
  );
}

/**
 * The chain of base classes, then interfaces, depth first without repeats. A class's first base may also be an
 * interface: that changes nothing.
 */
export function baseOrder(type: DeclRef, basesOf: (type: DeclRef) => readonly DeclRef[]): readonly DeclRef[] {
  const order: DeclRef[] = [];
  const seen = new Set([declKey(type)]);
  const add = (base: DeclRef): boolean => {
    const key = declKey(base);
    if (seen.has(key)) return false;
    seen.add(key);
    order.push(base);
    return true;
  };
  const chain: DeclRef[] = [type];
  for (let next = basesOf(type)[0]; next !== undefined && add(next); next = basesOf(next)[0]) chain.push(next);
  const visit = (derived: DeclRef): void => {
    for (const base of basesOf(derived)) if (add(base)) visit(base);
  };
  chain.forEach(visit);
  return order;
}

export function isPrivate(_name: string, flags: number): boolean {
  return (flags & F.private) !== 0;
}

/** What is internal is used by the whole assembly, whose bounds are not followed. */
export const reach = (flags: number): Reach =>
  (flags & F.private) !== 0 ? 'class' : (flags & F.protected) !== 0 ? 'subclasses' : 'everywhere';
