/**
 * Blocks that say a name which the edit took away, and mean something else by it.
 *
 * Nothing leads from the edit to them. Still, who renames a helper of one test wants its copy in
 * the next test renamed as well, and who renames a method of a mock the method that it stands for.
 * So what reads the same as the changed block did is named, with all that mentions it. Where the
 * name is said seldom, so is the member of a class that stands in for the changed one's class by
 * its name (`MockStore`, `Store`), a member of the name on an object of unknown type, and, where types
 * are structural, a type written out once more without a name. Always
 * `may` and `possible`: no rule edits them, and a plan asks about them only where there is a model.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { childrenOf } from '../change/match-blocks.js';
import { classOfMember, qualifiedName } from '../graph/resolve/hierarchy.js';
import { blockOf } from '../graph/refer/site.js';
import type { Relation } from '../graph/refer/relation.js';
import { excludesStatics } from '../graph/resolve/possible-members.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { D, E, F, isBlockKind, R, type Summary } from '../syntax/summary.js';
import { familyOf } from './family.js';
import { AffectedBlocks, type AffectedBlock, type AffectedSite } from './affected.js';
import { deletedClasses } from './deleted-classes.js';
import { knownBlocks } from './known-blocks.js';
import type { Graphs } from './graphs.js';

/** How many blocks may say a name for each of them to be worth a look. */
const SELDOM = 4;
/** How many blocks are asked what they mean by it. */
const ASKED_MOST = 16;
/** How many blocks a copy of the changed block may add. */
const COPIES_MOST = 100;
/** How many blocks may write a type out before none of them is taken to mean this one. */
const SHAPES_MOST = 8;
/** A name that more files say belongs to nobody. */
const FILES_MOST = 60;
/** Characters of a body below which two that read the same are so by chance. */
const BODY_LEAST = 40;
/** Shorter names mean too much. */
const NAME_LEAST = 4;

interface Mention {
  readonly file: string;
  readonly decl: number;
  readonly expr: number;
  readonly place?: AffectedSite['place'];
  readonly relation: Relation;
  readonly means: Meaning;
}

/**
 * What the name means there: something that reads as the changed block did, a member of a class that stands in for its
 * own, one of a type written out once more, or nobody knows what.
 */
type Meaning = 'copy' | 'stand-in' | 'shape' | 'unknown';

/** Blocks beside those that are `affected`, in the edited tree. Sorted by file and position. */
export function namesakes(
  graphs: Graphs,
  changes: readonly AtomicChange[],
  affected: readonly AffectedBlock[],
): AffectedBlock[] {
  const isKnown = knownBlocks(changes, affected);
  const out = new AffectedBlocks();
  for (const change of changes) {
    const name = goneName(graphs, change, deletedClasses(graphs.before, changes));
    if (name === undefined || name.length < NAME_LEAST) continue;
    const mentions = mentionsOf(graphs, change, name, isKnown);
    const copies = mentions.filter((mention) => mention.means === 'copy');
    for (const mention of countBlocks(mentions) <= SELDOM ? mentions : countBlocks(copies) <= COPIES_MOST ? copies : [])
      add(out, graphs.after, change, mention, name);
    const shapes = shapesOf(graphs, change, name).filter(({ file, decl }) => decl < 0 || !isKnown(file, decl));
    if (countBlocks(shapes) <= SHAPES_MOST) for (const mention of shapes) add(out, graphs.after, change, mention, name);
  }
  return out.sorted();
}

const countBlocks = (mentions: readonly { readonly file: string; readonly decl: number }[]): number =>
  new Set(mentions.map((mention) => `${mention.file}\0${mention.decl}`)).size;

/** The name that the change took from a block; what is gone with its class is no loss of its own. */
function goneName(
  { before }: Graphs,
  { before: ref, detail, label }: AtomicChange,
  classes: ReadonlySet<string>,
): string | undefined {
  if (ref === undefined || ref.decl < 0) return undefined;
  if (detail.rename !== undefined) return detail.rename.from;
  const summary = before.summary(ref.file);
  const isOwnLoss =
    (label === 'DM' || label === 'DF' || label === 'DC') &&
    !classes.has(`${ref.file}\0${summary.decls.parentOf(ref.decl)}`);
  return isOwnLoss ? summary.decls.nameOf(ref.decl) : undefined;
}

function mentionsOf(
  graphs: Graphs,
  change: AtomicChange,
  name: string,
  isKnown: (file: string, decl: number) => boolean,
): Mention[] {
  const { after, before } = graphs;
  const ref = change.before as DeclRef;
  const old = before.summary(ref.file);
  const files = after.repo.filesMentioning(name).filter((file) => after.summary(file).language === old.language);
  if (files.length > FILES_MOST) return [];
  const relatives = new Set(
    [...familyOf(before, ref), ...overloadsOf(before, ref)].map(
      ({ file, decl }) => `${file}\0${before.summary(file).decls.pathOf(decl)}`,
    ),
  );
  const isRelative = (target: DeclRef): boolean =>
    target.decl >= 0 && relatives.has(`${target.file}\0${after.summary(target.file).decls.pathOf(target.decl)}`);
  const declared = files.flatMap((file) =>
    declarationsOf(after.summary(file), name).flatMap((decl): Mention[] => {
      const means =
        isKnown(file, decl) || isRelative({ file, decl })
          ? undefined
          : likeness(old, ref.decl, after.summary(file), decl);
      return means === undefined ? [] : [{ file, decl, expr: -1, relation: 'UsedBy', means }];
    }),
  );
  const rows = files
    .flatMap((file) =>
      rowsSaying(after.summary(file), name).map((expr) => ({ file, expr, decl: blockOf(after.summary(file), expr) })),
    )
    .filter(({ file, decl }) => !isKnown(file, decl));
  // So many are not worth asking what each means, unless one may mean a copy.
  if (countBlocks(rows) > ASKED_MOST && !declared.some(({ means }) => means === 'copy')) return declared;
  return [...declared, ...rows.flatMap((row) => rowMention(graphs, change, row, isRelative))];
}

const declarationsOf = (summary: Summary, name: string): number[] => {
  const row = summary.idOf(name);
  return row < 0 ? [] : [...summary.decls.named(row)];
};

/** Rows that say the name in code: not in a text, an import or a comment. */
const rowsSaying = (summary: Summary, name: string): number[] => {
  const row = summary.idOf(name);
  return row < 0
    ? []
    : [...summary.exprs.named(row)].filter(
        (expr) =>
          summary.exprs.opOf(expr) !== E.string &&
          summary.exprs.roleOf(expr) !== R.import &&
          summary.exprs.roleOf(expr) !== R.doc &&
          summary.exprs.roleOf(expr) !== R.declares,
      );
};

/** The row as a mention of something else of the name; none for what is local. */
function rowMention(
  { after, before }: Graphs,
  change: AtomicChange,
  { file, expr, decl }: { readonly file: string; readonly expr: number; readonly decl: number },
  isRelative: (target: DeclRef) => boolean,
): Mention[] {
  const summary = after.summary(file);
  const role = summary.exprs.roleOf(expr);
  const { targets } = after.resolve(file, expr);
  if (targets.length === 0 && summary.exprs.opOf(expr) === E.name) return [];
  const ref = change.before as DeclRef;
  const old = before.summary(ref.file);
  // A library that lies here twice: its users mean the copy, and have to do with that alone.
  if (targets.some((target) => isOfSameName(old, ref.decl, after.summary(target.file), target.decl))) return [];
  const likely = targets.flatMap((target) =>
    target.decl < 0 || isRelative(target)
      ? []
      : (likeness(old, ref.decl, after.summary(target.file), target.decl) ?? []),
  );
  const isStatic = old.decls.has(ref.decl, F.static) && !old.decls.has(ref.decl, F.extension);
  if (targets.length === 0 && isStatic && !mayNameType(after, file, expr, ownerName(old, ref.decl))) return [];
  const means = targets.length === 0 ? 'unknown' : likely.includes('copy') ? 'copy' : likely[0];
  return means === undefined
    ? []
    : [
        {
          file,
          decl,
          expr,
          relation: role === R.callee ? 'CalledBy' : role === R.newCallee ? 'InstantiatedBy' : 'UsedBy',
          means,
        },
      ];
}

/** Whether two blocks are called the same from everywhere, by a namespace: no one program has both. */
function isOfSameName(one: Summary, a: number, other: Summary, b: number): boolean {
  if (a < 0 || b < 0) return false;
  const name = qualifiedName(one, a);
  return name === qualifiedName(other, b) && name !== one.decls.pathOf(a);
}

/** Whether the member may be named there on its type: where that takes no values, by what says the type's name. */
function mayNameType(after: Resolver, file: string, expr: number, owner: string): boolean {
  if (after.language(file).staticsOnValues) return true;
  const { exprs } = after.summary(file);
  const on = exprs.operandOf(expr);
  return !excludesStatics(after, file, expr) && (on < 0 || exprs.nameOf(on) === owner);
}

/** How much another block of the name is like the changed one; undefined for a mere namesake. */
function likeness(one: Summary, a: number, other: Summary, b: number): 'copy' | 'stand-in' | undefined {
  const sort = (kind: number): number => (kind <= D.delegate ? 0 : kind <= D.constructor ? 1 : 2);
  if (!isBlockKind(other.decls.kindOf(b)) || sort(one.decls.kindOf(a)) !== sort(other.decls.kindOf(b)))
    return undefined;
  const length = one.decls.endOf(a) - one.decls.bodyStartOf(a);
  if (length >= BODY_LEAST && one.decls.bodyHashOf(a) === other.decls.bodyHashOf(b)) return 'copy';
  const [own, others] = [ownerName(one, a), ownerName(other, b)];
  const isPart =
    own !== others &&
    Math.min(own.length, others.length) >= NAME_LEAST &&
    (own.includes(others) || others.includes(own));
  return isPart ? 'stand-in' : undefined;
}

/** Name of the class that holds a member; '' for none. */
function ownerName(summary: Summary, decl: number): string {
  const owner = classOfMember(summary, decl);
  return owner === undefined ? '' : summary.decls.nameOf(owner);
}

/**
 * Types without a name that the changed type was an instance of, and is not any more: all of their
 * members are some of its own, `{ title: string }`. They describe its objects where nothing leads
 * from the type to them, such as in what a text is parsed to.
 */
function shapesOf({ before, after }: Graphs, { before: ref }: AtomicChange, name: string): Mention[] {
  if (ref === undefined || !before.language(ref.file).structural) return [];
  const old = before.summary(ref.file);
  const owner = classOfMember(old, ref.decl);
  const files = after.repo.filesMentioning(name);
  if (owner === undefined || files.length > FILES_MOST) return [];
  const own = new Set(childrenOf(old, owner).map((member) => old.decls.nameOf(member)));
  return files.flatMap((file) => {
    const summary = after.summary(file);
    const { decls, scopes } = summary;
    return declarationsOf(summary, name).flatMap((member): Mention[] => {
      const scope = decls.scopeOf(member);
      const type = scopes.ownerOf(scope);
      if (
        type < 0 ||
        decls.kindOf(type) !== D.anonymousClass ||
        !decls.has(member, F.bodiless) ||
        !decls.allInScope(scope).every((other) => own.has(summary.decls.nameOf(other)))
      )
        return [];
      const start = decls.nameStartOf(member);
      return [
        {
          file,
          decl: scopes.blockOf(scope),
          expr: -1,
          place: { start, end: start + name.length },
          relation: 'UsedBy',
          means: 'shape',
        },
      ];
    });
  });
}

/** Members of the name in the same class, which the name still means. */
function overloadsOf(resolver: Resolver, { file, decl }: DeclRef): DeclRef[] {
  const summary = resolver.summary(file);
  const owner = classOfMember(summary, decl);
  return declarationsOf(summary, summary.decls.nameOf(decl))
    .filter(
      (other) =>
        classOfMember(summary, other) === owner && summary.decls.parentOf(other) === summary.decls.parentOf(decl),
    )
    .map((other) => ({ file, decl: other }));
}

const WORDS: Readonly<Record<Meaning, (name: string) => string>> = {
  copy: (name) => `another ${name}, which reads as the changed one did`,
  'stand-in': (name) => `${name} of a class of a similar name`,
  shape: (name) => `a type with ${name} that objects of the changed type fitted`,
  unknown: (name) => `a ${name} of something not known`,
};

function add(
  out: AffectedBlocks,
  after: Resolver,
  change: AtomicChange,
  { file, decl, expr, place, relation, means }: Mention,
  name: string,
): void {
  const block = after.summary(file).decls.pathOf(decl);
  const uses = means === 'shape' ? 'writes out' : relation === 'CalledBy' ? 'calls' : 'uses';
  const reason = `${block} ${expr < 0 && place === undefined ? 'is' : uses} ${WORDS[means](name)}.`;
  out.addOnce(file, decl, {
    expr,
    ...(place === undefined ? {} : { place }),
    tier: 'may',
    confidence: 'possible',
    reason,
    rule: 'namesake',
    relation,
    cause: change,
  });
}
