/**
 * Types whose package or namespace changed, and what the imports of each file must be then.
 *
 * Most uses name the type, and the rule table reaches them. Not so an import of the whole package
 * or namespace, an import of the type's members, an extension method; nor the names in the moved
 * type's own file, which were known through the package or namespace that it left.
 */
import { shownName } from '../base/shown.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { qualifiedName } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { D, E, isClassLike, R, type ImportEntry, type Summary } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Graphs } from './graphs.js';
import { sameDecl } from '../syntax/rows.js';

interface MovedType {
  readonly cause: AtomicChange;
  readonly before: DeclRef;
  readonly after: DeclRef;
  /** Package or namespace; '' for none. */
  readonly from: string;
  readonly to: string;
}

/** What has to become of a file's imports. */
export interface ImportNeeds {
  readonly dropped: readonly ImportEntry[];
  /** Imports that name another package, namespace or type. */
  readonly renamed: readonly RenamedImport[];
  /** Declarations that were known without an import. */
  readonly missing: readonly DeclRef[];
}

interface RenamedImport {
  readonly entry: ImportEntry;
  readonly module: string;
}

/** Types at the top of their file that stand in another package or namespace now. */
function movedTypes({ before, after }: Graphs, changes: readonly AtomicChange[]): MovedType[] {
  return changes.flatMap((cause): MovedType[] => {
    if (
      cause.label !== 'MC' ||
      cause.detail.move === undefined ||
      cause.before === undefined ||
      cause.after === undefined
    )
      return [];
    const from = spaceOf(before, cause.before);
    const to = spaceOf(after, cause.after);
    return from === to || from === undefined || to === undefined
      ? []
      : [{ cause, before: cause.before, after: cause.after, from, to }];
  });
}

/** Package or namespace of what stands at the top; undefined for members. */
function spaceOf(resolver: Resolver, { file, decl }: DeclRef): string | undefined {
  const summary = resolver.summary(file);
  return decl < 0 || summary.decls.parentOf(decl) >= 0
    ? undefined
    : qualifiedName(summary, decl).slice(0, -summary.decls.nameOf(decl).length).replace(/\.$/, '');
}

/** The module level of every file whose imports must follow. Sorted by file. */
export function importersOfMovedTypes(graphs: Graphs, changes: readonly AtomicChange[]): AffectedBlock[] {
  const moved = movedTypes(graphs, changes);
  if (moved.length === 0) return [];
  const out = new AffectedBlocks();
  for (const [file, summary] of graphs.after.repo.files) {
    const cause = moved.find(
      (type) => type.after.file === file || summary.imports.some((entry) => isAbout(entry, type, graphs)),
    );
    if (cause === undefined) continue;
    const { dropped, renamed, missing } = importNeeds(graphs, changes, file);
    if (dropped.length + renamed.length + missing.length === 0) continue;
    // An import that nothing needs any more may still lead somewhere.
    const tier = renamed.length + missing.length > 0 ? 'breaks' : 'may';
    const reason =
      `What ${shownName(file)} imports stands elsewhere now: ${cause.cause.block} moved from ` +
      `${cause.from || 'the top'} to ${cause.to || 'the top'}.`;
    out.add(file, -1, {
      expr: -1,
      tier,
      confidence: 'certain',
      reason,
      rule: 'moved-type/ImportedBy',
      relation: 'ImportedBy',
      cause: cause.cause,
    });
  }
  return out.sorted();
}

const fullName = (resolver: Resolver, { file, decl }: DeclRef): string => qualifiedName(resolver.summary(file), decl);

/** Whether the import names all that is in the type's old package or namespace, or is of what is in the type. */
function isAbout(entry: ImportEntry, type: MovedType, { before }: Graphs): boolean {
  const name = fullName(before, type.before);
  return (
    (entry.kind === 'star' && (entry.module === type.from || type.from.endsWith(`.${entry.module}`))) ||
    entry.module === name ||
    entry.module.startsWith(`${name}.`)
  );
}

/**
 * Package or namespace that an import of a whole one means; it may be written without what stands around the import.
 */
function spaceOfStar(resolver: Resolver, file: string, { module }: ImportEntry): string {
  const found = resolver
    .language(file)
    .resolveModule(module, file, resolver)
    .find((entity) => entity.kind === 'namespace');
  return found?.kind === 'namespace' ? found.name : module;
}

const known = new WeakMap<Resolver, Map<string, ImportNeeds>>();

/** See {@link ImportNeeds}; the same answer for all sites of a file in one round. */
export function importNeeds(graphs: Graphs, changes: readonly AtomicChange[], file: string): ImportNeeds {
  let ofRound = known.get(graphs.after);
  if (ofRound === undefined) known.set(graphs.after, (ofRound = new Map<string, ImportNeeds>()));
  let needs = ofRound.get(file);
  if (needs === undefined) ofRound.set(file, (needs = findNeeds(graphs, movedTypes(graphs, changes), file)));
  return needs;
}

/** Whether an import of a whole package or namespace, through which the type was known in the file, follows it. */
export function followsWithStar(
  graphs: Graphs,
  changes: readonly AtomicChange[],
  file: string,
  type: DeclRef,
): boolean {
  const from = spaceOf(graphs.before, type);
  const { dropped, renamed } = importNeeds(graphs, changes, file);
  return (
    from !== undefined &&
    [...dropped, ...renamed.map(({ entry }) => entry)].some(
      (entry) => entry.kind === 'star' && (entry.module === from || from.endsWith(`.${entry.module}`)),
    )
  );
}

function findNeeds(graphs: Graphs, moved: readonly MovedType[], file: string): ImportNeeds {
  const summary = graphs.after.summary(file);
  const dropped: ImportEntry[] = [];
  const renamed: RenamedImport[] = [];
  const own = moved.filter((type) => type.after.file === file);
  const oldFile = own[0]?.before.file ?? file;
  const uses = usesOf(graphs, moved, oldFile, file);
  const home = own[0]?.to ?? summary.package;
  for (const entry of summary.imports) {
    const isStar = entry.kind === 'star';
    const inside = isStar ? undefined : moved.find((type) => isAbout(entry, type, graphs));
    if (inside !== undefined) {
      const behind = entry.module.slice(fullName(graphs.before, inside.before).length);
      renamed.push({ entry, module: fullName(graphs.after, inside.after) + behind });
    } else if (own.length > 0 && entry.module === home && (isStar || summary.package !== '')) dropped.push(entry);
    else if (isStar && !entry.global && moved.some((type) => isAbout(entry, type, graphs))) {
      const follows = followsStar(graphs, entry, { file, oldFile, home, uses });
      if (follows === 'dropped') dropped.push(entry);
      else if (follows !== undefined) renamed.push(follows);
    }
  }
  return { dropped, renamed, missing: uses.missing };
}

/** What becomes of an import of a whole namespace that types moved out of; undefined where it stays. */
function followsStar(
  graphs: Graphs,
  entry: ImportEntry,
  at: { readonly file: string; readonly oldFile: string; readonly home: string; readonly uses: Uses },
): RenamedImport | 'dropped' | undefined {
  const { file, oldFile, home, uses } = at;
  if (!graphs.before.repo.hasFile(oldFile)) return undefined;
  const space = spaceOfStar(graphs.before, oldFile, entry);
  if (uses.spaces.has(space)) return undefined;
  const through = uses.moved.filter((type) => type.from === space);
  const [target = '', ...others] = new Set(through.filter((type) => type.to !== home).map((type) => type.to));
  const { imports } = graphs.after.summary(file);
  const isThere = imports.some((other) => other.kind === 'star' && other.module === target);
  if (others.length === 0 && target !== '' && !isThere)
    return { entry, module: likeWritten(entry.module, space, target) };
  return through.length > 0 && others.length === 0 ? 'dropped' : undefined;
}

/** The new name without what the old one was written without. */
function likeWritten(written: string, old: string, now: string): string {
  const left = old.slice(0, old.length - written.length);
  return now.startsWith(left) ? now.slice(left.length) : now;
}

interface Uses {
  /** Moved types that the file names, or whose extension methods it calls. */
  readonly moved: readonly MovedType[];
  /** Packages and namespaces of what it names now. */
  readonly spaces: ReadonlySet<string>;
  /** What it named before without an import, and cannot name now. */
  readonly missing: readonly DeclRef[];
}

function usesOf(graphs: Graphs, moved: readonly MovedType[], oldFile: string, file: string): Uses {
  const spaces = new Set<string>();
  const used = new Set<MovedType>();
  const missing = new Map<string, DeclRef>();
  for (const { top } of typesNamed(graphs.after, file)) spaces.add(spaceOf(graphs.after, top) ?? '');
  if (!graphs.before.repo.hasFile(oldFile)) return { moved: [], spaces, missing: [] };
  const now = new Set([...typesNamed(graphs.after, file)].map(({ name, top }) => `${name}\0${top.file}\0${top.decl}`));
  const said = new Set(graphs.after.summary(file).names);
  const isMovedFile = moved.some((type) => type.after.file === file);
  for (const { name, top, viaImport } of typesNamed(graphs.before, oldFile)) {
    const type = moved.find(({ before }) => sameDecl(before, top));
    if (type !== undefined) used.add(type);
    const then = type?.after ?? sameDeclaration(graphs, top);
    const isLost =
      isMovedFile &&
      !viaImport &&
      top.file !== oldFile &&
      then !== undefined &&
      then.file !== file &&
      said.has(name) &&
      !now.has(`${name}\0${then.file}\0${then.decl}`);
    if (isLost) missing.set(`${then.file}\0${then.decl}`, then);
  }
  return {
    moved: [...used],
    spaces,
    missing: [...missing.values()].sort((a, b) => (fullName(graphs.after, a) < fullName(graphs.after, b) ? -1 : 1)),
  };
}

/** Types at the top of files that a file's bare names lead to, and classes of the extension methods that it calls. */
function typesNamed(
  resolver: Resolver,
  file: string,
): { readonly name: string; readonly top: DeclRef; readonly viaImport: boolean }[] {
  const summary = resolver.summary(file);
  const { exprs } = summary;
  const out = new Map<string, { name: string; top: DeclRef; viaImport: boolean }>();
  for (let expr = 0; expr < exprs.count; expr++) {
    const role = exprs.roleOf(expr);
    if (
      role === R.import ||
      role === R.doc ||
      (exprs.opOf(expr) !== E.name && !(exprs.opOf(expr) === E.member && role === R.callee))
    )
      continue;
    const { targets, via } = resolver.resolve(file, expr);
    if (exprs.opOf(expr) === E.member && via !== 'extension method') continue;
    const name = exprs.nameOf(expr);
    for (const target of targets) {
      const top = topOf(resolver, target);
      if (top !== undefined && (exprs.opOf(expr) === E.member || sameDecl(target, top)))
        out.set(`${name}\0${top.file}\0${top.decl}`, { name, top, viaImport: isImported(summary, name) });
    }
  }
  return [...out.values()];
}

const isImported = (summary: Summary, name: string): boolean =>
  summary.imports.some((entry) => entry.decl >= 0 && summary.decls.nameOf(entry.decl) === name);

/** The type at the top of the file around a declaration. */
function topOf(resolver: Resolver, { file, decl }: DeclRef): DeclRef | undefined {
  if (decl < 0) return undefined;
  const { decls } = resolver.summary(file);
  let top = decl;
  while (decls.parentOf(top) >= 0) top = decls.parentOf(top);
  return isClassLike(decls.kindOf(top)) && decls.kindOf(top) !== D.anonymousClass ? { file, decl: top } : undefined;
}

/** Where a type that did not move is in the edited tree. */
function sameDeclaration({ before, after }: Graphs, { file, decl }: DeclRef): DeclRef | undefined {
  const old = before.summary(file);
  const now = after.repo.summary(file);
  if (now === undefined || now === old) return now === undefined ? undefined : { file, decl };
  const name = qualifiedName(old, decl);
  for (let row = 0; row < now.decls.count; row++)
    if (isClassLike(now.decls.kindOf(row)) && now.decls.parentOf(row) < 0 && qualifiedName(now, row) === name)
      return { file, decl: row };
  return undefined;
}
