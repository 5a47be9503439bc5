/**
 * What overrides a member in whose header a name stands for a type, where that name stands for another type now. The
 * header itself is as it was, so that no rule about changed signatures hears of it.
 *
 * Errs towards missing: a name that is only a part of a parameter's type, what is returned, overrides whose parameter
 * is not written as the name's old type.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { overridersOf } from '../graph/refer/overriders.js';
import { sitesInTurns } from '../graph/refer/references.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { sameWritten } from '../graph/resolve/written-form.js';
import type { DeclRef } from '../languages/language.js';
import { D, isFunctionLike, R } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Question } from './question.js';

export function* overridersByAlias(question: Question): Turns<readonly AffectedBlock[]> {
  const finder = new OverridersByAlias(question);
  for (const cause of question.edit.changes) {
    const alias = aliasChangedBy(cause, question);
    if (alias === undefined) continue;
    for (const { file, block, expr } of yield* sitesInTurns(question.graphs.after, alias.is))
      yield* piece(() => finder.below(alias, { file, decl: block }, expr, new Set()));
  }
  return finder.out.sorted();
}

/** A name for a type, and the rows of the type that it stood for and stands for. */
interface ChangedAlias {
  readonly cause: AtomicChange;
  readonly is: DeclRef;
  readonly old: { readonly file: string; readonly row: number };
  readonly now: { readonly file: string; readonly row: number };
}

function aliasChangedBy(cause: AtomicChange, { graphs: { before, after } }: Question): ChangedAlias | undefined {
  const { before: was, after: is } = cause;
  if (was === undefined || is === undefined || was.decl < 0 || is.decl < 0) return undefined;
  const old = { file: was.file, row: meantRow(before, was) };
  const now = { file: is.file, row: meantRow(after, is) };
  const isOther = !sameWritten(before.summary(old.file), old.row, after.summary(now.file), now.row);
  return old.row < 0 || now.row < 0 || !isOther ? undefined : { cause, is, old, now };
}

/** The row of what a declaration is a name for; -1 for other declarations. */
function meantRow(resolver: Resolver, { file, decl }: DeclRef): number {
  const { decls } = resolver.summary(file);
  const kind = decls.kindOf(decl);
  if (kind === D.typeAlias) return decls.valueOf(decl) >= 0 ? decls.valueOf(decl) : decls.typeOf(decl);
  return kind === D.variable ? decls.valueOf(decl) : -1;
}

class OverridersByAlias {
  readonly out = new AffectedBlocks();
  private readonly before: Resolver;
  private readonly after: Resolver;

  constructor({ graphs }: Question) {
    this.before = graphs.before;
    this.after = graphs.after;
  }

  /** The members below one whose parameter has the row as its type. */
  below(alias: ChangedAlias, member: DeclRef, type: number, seen: Set<string>): void {
    const key = `${member.file}\0${member.decl}`;
    if (type < 0 || member.decl < 0 || seen.has(key)) return;
    seen.add(key);
    const { decls, exprs } = this.after.summary(member.file);
    if (exprs.roleOf(type) !== R.type || !isFunctionLike(decls.kindOf(member.decl))) return;
    const place = [...decls.paramsOf(member.decl)].findIndex((param) => decls.typeOf(param) === type);
    if (place >= 0) this.follow(alias, member, place, seen);
  }

  private follow(alias: ChangedAlias, member: DeclRef, place: number, seen: Set<string>): void {
    for (const { file, block } of overridersOf(this.after, member)) {
      const key = `${file}\0${block}`;
      if (block < 0 || seen.has(key)) continue;
      seen.add(key);
      const summary = this.after.summary(file);
      const param = [...summary.decls.paramsOf(block)][place];
      const type = param === undefined ? -1 : summary.decls.typeOf(param);
      if (param !== undefined && type >= 0 && this.isLeftBehind(alias, file, type)) {
        const name = summary.decls.nameOf(param);
        this.out.addOnce(file, block, {
          expr: type,
          tier: 'breaks',
          confidence: 'certain',
          reason:
            `${summary.decls.pathOf(block)} overrides ${this.after.summary(member.file).decls.pathOf(member.decl)}, ` +
            `whose parameter ${name} is of what ${alias.cause.block} stands for, which is another type now.`,
          fact: `its parameter ${name} has another type now`,
          rule: 'alias-in-header',
          relation: 'Overrides',
          cause: alias.cause,
        });
      }
      this.follow(alias, { file, decl: block }, place, seen);
    }
  }

  /** Whether a type is written as what the name stood for, and not as what it stands for. */
  private isLeftBehind({ old, now }: ChangedAlias, file: string, type: number): boolean {
    const summary = this.after.summary(file);
    return (
      sameWritten(summary, type, this.before.summary(old.file), old.row) &&
      !sameWritten(summary, type, this.after.summary(now.file), now.row)
    );
  }
}
