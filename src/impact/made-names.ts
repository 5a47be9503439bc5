/**
 * Names that are made at run time, of which a part is written (`getattr(self, "visit_" + kind)`), and that may be that
 * of something whose name went, or whose calls have to change.
 *
 * Errs towards too many where nothing says the type of the object: then in files that know the member's class.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { classOfMember, searchOrder } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { canBeMade, filesWithMadeNames, madeNamesOf } from '../syntax/made-names.js';
import { sameDecl } from '../syntax/rows.js';
import { isClassLike, type Summary } from '../syntax/summary.js';
import type { Undecided } from './affected.js';
import type { Graphs } from './graphs.js';

export function undecidedMadeNames(graphs: Graphs, changes: readonly AtomicChange[]): Undecided[] {
  const asked = changes.flatMap((change) => askedOf(graphs, change));
  if (asked.length === 0) return [];
  const { after } = graphs;
  return filesWithMadeNames(after.repo).flatMap((file) =>
    madeNamesOf(after.summary(file)).flatMap(({ expr, object, pattern }): Undecided[] => {
      const meant = asked.find((each) => canBeMade(pattern, each.name) && canHave(after, file, object, each));
      return meant === undefined
        ? []
        : [{ file, expr, reason: `a name like ${pattern} is made at run time, and ${meant.name} ${meant.now}` }];
    }),
  );
}

/** A member, or a function of a module, that something may ask for by its name. */
interface Asked {
  /** As it was. */
  readonly name: string;
  readonly now: string;
  readonly file: string;
  /** The class that has it, in the tree after the edit. */
  readonly owner: DeclRef | undefined;
  /** Where nothing says what an object is, the file has to say one of these. */
  readonly known: ReadonlySet<string>;
}

function askedOf({ before, after }: Graphs, change: AtomicChange): Asked[] {
  const { before: was, label, detail } = change;
  if (was === undefined || was.decl < 0) return [];
  const summary = before.summary(was.file);
  const name = summary.decls.nameOf(was.decl);
  const now =
    detail.rename !== undefined
      ? `is named ${detail.rename.to} now`
      : label.startsWith('D')
        ? 'is deleted'
        : takesOthers(change)
          ? 'takes other arguments now'
          : undefined;
  const home = classOfMember(summary, was.decl);
  if (now === undefined || (home === undefined && !isTopLevel(summary, was.decl))) return [];
  const { file } = change;
  if (home === undefined) return [{ name, now, file, owner: undefined, known: new Set() }];
  const className = summary.decls.nameOf(home);
  const known = new Set([file, was.file, ...after.repo.filesMentioning(className)]);
  return [{ name, now, file, owner: classAt(after, file, summary.decls.pathOf(home)), known }];
}

const isTopLevel = ({ decls, scopes }: Summary, decl: number): boolean => scopes.ownerOf(decls.scopeOf(decl)) < 0;

/** Whether calls that fitted may fit no more. */
function takesOthers({ detail: { signature } }: AtomicChange): boolean {
  if (signature === undefined) return false;
  const { added, removed, moved, madeRequired, passing } = signature;
  return (
    removed.length + moved.length + madeRequired.length + passing.length > 0 ||
    added.some(({ optional, rest }) => !optional && !rest)
  );
}

function classAt(resolver: Resolver, file: string, path: string): DeclRef | undefined {
  const summary = resolver.repo.summary(file);
  if (summary === undefined) return undefined;
  for (const decl of summary.decls.named(summary.idOf(path.slice(path.lastIndexOf('.') + 1))))
    if (isClassLike(summary.decls.kindOf(decl)) && summary.decls.pathOf(decl) === path) return { file, decl };
  return undefined;
}

/** Whether the object at a row can be one that has the member. */
function canHave(resolver: Resolver, file: string, object: number, { file: home, owner, known }: Asked): boolean {
  const type = resolver.typeOf(file, object);
  const isOf = type.values.some((value) => {
    if (value.kind === 'module') return owner === undefined && value.file === home;
    if (owner === undefined || (value.kind !== 'instance' && value.kind !== 'class')) return false;
    return (
      searchOrder(resolver, value).some((side) => sameDecl(side, owner)) ||
      searchOrder(resolver, owner).some((side) => sameDecl(side, value))
    );
  });
  return isOf || (type.values.length === 0 && type.unknown && owner !== undefined && known.has(file));
}
