/**
 * Names that an edited import or list of exports leads to another definition now: `export * from './a'` that became
 * `export * from './b'`; those whose whole value is another one, `{ put: store }` that became `{ put: keep }`; and
 * those that a class inherits from another base, `class Row(Old)` that became `class Row(New)`.
 * Neither definition need have changed; whoever comes by the name meets another one.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { aliasedBy } from '../graph/refer/alias.js';
import { descendantsOf } from '../graph/refer/sites-by-name.js';
import { exportedNames } from '../graph/resolve/exported-names.js';
import { classOfMember, findMember, isSubclass, searchOrder } from '../graph/resolve/hierarchy.js';
import { constructorsOf, receiverAt } from '../graph/resolve/overloads.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { enclosingClass } from '../graph/resolve/value.js';
import type { DeclRef, Entity } from '../languages/language.js';
import { declKey, sameDecl } from '../syntax/rows.js';
import { isClassLike, isFieldLike, isFunctionLike } from '../syntax/summary.js';
import { counterpartsIn, earlierIn, type Counterpart } from './counterparts.js';
import type { Question } from './question.js';
import type { Related } from './related.js';

export interface Redirected {
  /** The file whose import, list of exports, value or class was edited. */
  readonly by: string;
  /** The class that inherits the name from another base now; absent where no base was edited. */
  readonly heir?: string;
  /** Of the tree after: only what is taken of this class, or of one below it, is concerned. */
  readonly only?: DeclRef;
  /** What is different for whoever comes by the name; its `before` is what the name led to. */
  readonly change: AtomicChange;
  /** What `before` is in the tree after the edit, where it is still there: who means it is not concerned. */
  readonly still: DeclRef | undefined;
  /** What `after` is in the tree before the edit: who meant it there is not concerned either. */
  readonly already: DeclRef | undefined;
}

/** One change for each difference between what a name led to and what it leads to; each pair of definitions once. */
export function* redirected({ graphs, edit }: Question): Turns<readonly Redirected[]> {
  const finder = new Redirections({ graphs, edit });
  for (const [file, doors] of doorsOf(edit.changes)) {
    for (const name of yield* piece(() => finder.names(file, doors))) {
      const changes = yield* piece(() => finder.of(file, name, doors));
      for (const [key, found] of changes) finder.found.set(key, found);
      yield;
    }
  }
  for (const change of edit.changes) {
    for (const [key, found] of yield* piece(() => finder.ofValue(change))) finder.found.set(key, found);
    yield* finder.ofBases(change);
    yield* finder.ofArguments(change);
  }
  return [...finder.found.values()].flat();
}

interface Doors {
  /** Names that edited imports bind, in either tree. */
  readonly bindings: ReadonlySet<string>;
  /** Modules that an edited import takes all names from. */
  readonly modules: ReadonlySet<string>;
  readonly exports: ReadonlySet<string>;
}

/** What was edited of imports and lists of exports, by file. */
function doorsOf(changes: readonly AtomicChange[]): ReadonlyMap<string, Doors> {
  const out = new Map<string, { bindings: Set<string>; modules: Set<string>; exports: Set<string> }>();
  for (const { before, after, file, detail } of changes) {
    // A file that came or went has no name that leads elsewhere.
    if ((detail.import ?? detail.export) === undefined || before?.file !== after?.file) continue;
    let doors = out.get(file);
    if (doors === undefined) out.set(file, (doors = { bindings: new Set(), modules: new Set(), exports: new Set() }));
    if (detail.export !== undefined) doors.exports.add(detail.export.name);
    else if (detail.import?.binding === '') doors.modules.add(detail.import.module);
    else if (detail.import !== undefined) doors.bindings.add(detail.import.binding);
  }
  return out;
}

class Redirections {
  /** By the two definitions. */
  readonly found = new Map<string, readonly Redirected[]>();
  private readonly now: Counterpart;
  private readonly earlier: Counterpart;

  constructor(private readonly asked: Pick<Question, 'graphs' | 'edit'>) {
    this.now = counterpartsIn(asked);
    this.earlier = earlierIn(asked);
  }

  names(file: string, { bindings, modules, exports }: Doors): readonly string[] {
    const { before } = this.asked.graphs;
    const taken = [...modules].flatMap((module) =>
      before
        .language(file)
        .resolveModule(module, file, before)
        .flatMap((entity) => (entity.kind === 'module' ? [...exportedNames(before, entity.file)] : [])),
    );
    return [...new Set([...bindings, ...taken, ...(exports.has('*') ? exportedNames(before, file) : exports)])];
  }

  of(file: string, name: string, { exports }: Doors): readonly [string, readonly Redirected[]][] {
    const { before, after } = this.asked.graphs;
    const isOffered = exports.has(name) || exports.has('*');
    // What an import of all names of a module brings is bound by no name of its own.
    const isBound = !isOffered && before.topLevel(file, name).length > 0;
    const [was, is] = !isBound
      ? [before.exported(file, name), after.exported(file, name)]
      : [before.topLevel(file, name), after.topLevel(file, name)];
    const isPassedOn =
      exports.has('*') ||
      (!isOffered && before.language(file).importsAreOffered && before.exported(file, name).length > 0);
    if (is.length === 0) return was.length > 0 && isPassedOn ? [notPassedOn(file, name)] : [];
    return this.between(file, was, is);
  }

  /** What calls of a name ran, where it is another definition's now: its value was edited. */
  ofValue({ label, before: was, after: is }: AtomicChange): readonly [string, readonly Redirected[]][] {
    const { before, after } = this.asked.graphs;
    if (label !== 'MF' || was === undefined || is === undefined) return [];
    const entities = (refs: readonly DeclRef[]): Entity[] => refs.map((ref) => ({ kind: 'decl', ...ref }));
    return this.between(is.file, entities(aliasedBy(before, was)), entities(aliasedBy(after, is)));
  }

  /** What a class, and each below it, inherits by a name, where that is another one's now. */
  *ofBases({ before: was, after: is, detail }: AtomicChange): Turns<void> {
    const { before } = this.asked.graphs;
    if (detail.bases === undefined || was === undefined || is === undefined) return;
    const heir = before.summary(was.file).decls.pathOf(was.decl);
    for (const type of yield* piece(() => [was, ...descendantsOf(before, was)])) {
      const now = this.now(type);
      if (now === undefined) continue;
      for (const name of yield* piece(() => this.inheritedNames(type, now)))
        for (const [key, found] of yield* piece(() => this.inherited(name, type, now)))
          this.found.set(
            key,
            found.map((each) => ({ ...each, heir })),
          );
    }
  }

  /** What a class has from a base whose type arguments are others now. */
  *ofArguments({ label, before: was, after: is }: AtomicChange): Turns<void> {
    const { graphs, edit } = this.asked;
    if (label !== 'MC' || was === undefined || is === undefined) return;
    const heir = graphs.after.summary(is.file).decls.pathOf(is.decl);
    for (const { base, from, to } of yield* piece(() => edit.matches.otherArguments(was, is)))
      for (const type of yield* piece(() => graphs.after.resolve(is.file, base).targets)) {
        if (type.decl < 0) continue;
        const { decls } = graphs.after.summary(type.file);
        const params = [...decls.typeParamsOf(type.decl)].map((param) => decls.nameOf(param));
        const named = (args: readonly string[]): ReadonlyMap<string, string> =>
          new Map(params.flatMap((name, at) => (args[at] === undefined ? [] : [[name, args[at]] as const])));
        for (const change of yield* piece(() => edit.matches.withArguments(type, named(from), named(to)))) {
          const before = change.after === undefined ? undefined : this.earlier(change.after);
          if (before === undefined) continue;
          const found = { by: is.file, heir, only: is, change: { ...change, before } };
          this.found.set(`${declKey(is)}\0${declKey(before)}`, [{ ...found, still: undefined, already: undefined }]);
        }
      }
  }

  private inheritedNames(was: DeclRef, is: DeclRef): ReadonlySet<string> {
    const { before, after } = this.asked.graphs;
    return new Set([...inheritedBy(before, was), after.language(is.file).constructorName]);
  }

  private inherited(name: string, was: DeclRef, is: DeclRef): readonly [string, readonly Redirected[]][] {
    const { graphs, edit } = this.asked;
    const isConstructor = name === graphs.after.language(is.file).constructorName;
    const entities = (refs: readonly DeclRef[]): Entity[] => refs.map((ref) => ({ kind: 'decl', ...ref }));
    const from = findMember(graphs.before, was, name, true).found;
    const to = findMember(graphs.after, is, name, true).found;
    const [first] = to;
    // What came to a class that stood above before is told of as added.
    if (first !== undefined && this.earlier(first) === undefined && this.wasAbove(first, was)) return [];
    if (isConstructor && from.length === 0 && first !== undefined && constructorsOf(graphs.before, was).length === 0)
      return [[`\0${declKey(first)}`, edit.matches.adding(first).map((change) => this.told(is.file, change))]];
    return this.between(is.file, entities(from), entities(to));
  }

  private wasAbove(member: DeclRef, type: DeclRef): boolean {
    const { before, after } = this.asked.graphs;
    const owner = classOfMember(after.summary(member.file), member.decl);
    const was = owner === undefined ? undefined : this.earlier({ file: member.file, decl: owner });
    return was !== undefined && searchOrder(before, type).some((above) => sameDecl(above, was));
  }

  private between(by: string, was: readonly Entity[], is: readonly Entity[]): [string, readonly Redirected[]][] {
    const [oldModule, newModule] = [was, is].map((list) => list.find((entity) => entity.kind === 'module')?.file);
    const whole = oldModule === undefined || newModule === undefined ? [] : this.ofModules(by, oldModule, newModule);
    const [from, to] = [declsOf(was), declsOf(is)];
    const now = from.map((ref) => this.now(ref));
    const isStill = (ref: DeclRef): boolean => to.some((other) => declKey(other) === declKey(ref));
    // One that is gone or leads on to what it led to is none that leads elsewhere.
    if (to.length === 0 || now.some((ref) => ref !== undefined && isStill(ref))) return whole;
    return [
      ...whole,
      ...from.map((ref, at): [string, readonly Redirected[]] => {
        const target = to[Math.min(at, to.length - 1)] as DeclRef;
        return [`${declKey(ref)}\0${declKey(target)}`, this.replaced(by, ref, target)];
      }),
    ];
  }

  /** What a module offered that another one offers in its place, or does not. */
  private ofModules(by: string, from: string, to: string): [string, readonly Redirected[]][] {
    const { before, after } = this.asked.graphs;
    if (from === to || !after.repo.hasFile(from)) return [];
    return [...exportedNames(before, from)].flatMap((name): [string, readonly Redirected[]][] => {
      const [was, is] = [before.exported(from, name), after.exported(to, name)];
      if (is.length > 0) return this.between(by, declsAlone(was), declsAlone(is));
      return declsOf(was)
        .filter((ref) => ref.file === from)
        .map((ref) => [declKey(ref), this.asked.edit.matches.deleting(ref).map((change) => this.told(by, change))]);
    });
  }

  private replaced(by: string, from: DeclRef, to: DeclRef): readonly Redirected[] {
    return this.asked.edit.matches.replacing(from, to).map((change) => this.told(by, change));
  }

  private told(by: string, change: AtomicChange): Redirected {
    const { before: was, after: is } = change;
    return {
      by,
      change,
      still: was === undefined ? undefined : this.now(was),
      already: is === undefined || is.decl < 0 ? undefined : this.earlier(is),
    };
  }
}

/** Whether a site takes something of a class, or of one below it: of its objects, in it, or by making one. */
export function isOf(after: Resolver, { file, expr, block }: Related, type: DeclRef): boolean {
  const summary = after.summary(file);
  const within = (decl: number | undefined): boolean =>
    decl !== undefined && decl >= 0 && isSubclass(after, { file, decl }, type);
  if (expr < 0) return block >= 0 && within(classOfMember(summary, block));
  const self = receiverAt(after, file, expr);
  if (self?.kind === 'instance' || self?.kind === 'class') return isSubclass(after, self, type);
  const isMade = after
    .resolve(file, expr)
    .targets.some(
      (target) => target.decl >= 0 && isClassLike(kindOf(after, target)) && isSubclass(after, target, type),
    );
  return isMade || within(enclosingClass(summary, summary.exprs.scopeOf(expr), isClassLike, isFunctionLike).decl);
}

const kindOf = (resolver: Resolver, { file, decl }: DeclRef): number => resolver.summary(file).decls.kindOf(decl);

/** Names of the members that the classes above one declare. */
function inheritedBy(resolver: Resolver, type: DeclRef): string[] {
  const rows = searchOrder(resolver, type)
    .slice(1)
    .flatMap((above) => resolver.bodies(above));
  return rows.flatMap(({ file, decl }) => {
    const { decls } = resolver.summary(file);
    const inner = decls.innerOf(decl);
    return (inner < 0 ? [] : [...decls.allInScope(inner)])
      .filter((row) => isFunctionLike(decls.kindOf(row)) || isFieldLike(decls.kindOf(row)))
      .map((row) => decls.nameOf(row));
  });
}

const declsOf = (entities: readonly Entity[]): DeclRef[] =>
  entities.flatMap((entity) => (entity.kind === 'decl' ? [{ file: entity.file, decl: entity.decl }] : []));

const declsAlone = (entities: readonly Entity[]): readonly Entity[] => entities.filter(({ kind }) => kind === 'decl');

/** A name among those that were passed on without being said. */
function notPassedOn(file: string, name: string): [string, readonly Redirected[]] {
  const ref = { file, decl: -1 };
  const change: AtomicChange = {
    label: 'DI',
    before: ref,
    after: ref,
    file,
    block: '<module>',
    kind: 'import',
    detail: { export: { name } },
  };
  return [`${file}\0*\0${name}`, [{ by: file, change, still: undefined, already: undefined }]];
}
