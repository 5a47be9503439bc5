/**
 * Members of the object types that a named union is made of: they are no blocks, since several of its alternatives may
 * have one of the same name, and who takes one need not say the union.
 *
 *     type Result = { ok: true; value: number } | { ok: false; error: string }
 *     const result = parse(text); if (result.ok) use(result.value)
 */
import { piece, pieces, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { blockOf } from '../graph/refer/site.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { sameWrittenMember } from '../graph/resolve/written-form.js';
import type { DeclRef } from '../languages/language.js';
import { D, E } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Graphs } from './graphs.js';
import type { Question } from './question.js';

export function* takersOfVariants({ graphs, edit }: Question): Turns<readonly AffectedBlock[]> {
  const out = new AffectedBlocks();
  for (const change of edit.changes) {
    const { before: was, after: is } = change;
    if (change.kind !== 'typeAlias' || was === undefined || is === undefined) continue;
    const old = yield* piece(() => membersByName(graphs.before, was));
    const now = yield* piece(() => membersByName(graphs.after, is));
    for (const [name, members] of old) {
      const kept = now.get(name) ?? [];
      if (yield* piece(() => areSame(graphs, was, members, is, kept))) continue;
      for (const file of graphs.after.repo.filesMentioning(name)) {
        // Only where the file was left alone are its rows the same.
        if (graphs.before.repo.summary(file)?.hash !== graphs.after.repo.summary(file)?.hash) continue;
        const summary = graphs.after.summary(file);
        const meant = (row: number): readonly number[] =>
          isTaken(graphs.before, file, row, was.file, members) ? [row] : [];
        for (const rows of yield* pieces([...summary.exprs.named(summary.idOf(name))], meant))
          for (const row of rows) add(graphs, change, { file, row, name }, out);
      }
    }
  }
  return out.sorted();
}

/** Rows of the members of a union's object types; none where it is one object type, whose members are blocks. */
function membersByName(resolver: Resolver, { file, decl: alias }: DeclRef): ReadonlyMap<string, readonly number[]> {
  const { decls, scopes } = resolver.summary(file);
  const out = new Map<string, number[]>();
  for (let decl = alias + 1; decl < decls.count && decls.startOf(decl) < decls.endOf(alias); decl++) {
    const owner = scopes.ownerOf(decls.scopeOf(decl));
    if (owner <= alias || decls.kindOf(owner) !== D.anonymousClass) continue;
    const name = decls.nameOf(decl);
    if (name === '') continue;
    out.set(name, [...(out.get(name) ?? []), decl]);
  }
  return out;
}

/** Whether each alternative that had the member has it as it was. */
function areSame(
  { before, after }: Graphs,
  was: DeclRef,
  members: readonly number[],
  is: DeclRef,
  kept: readonly number[],
): boolean {
  const [old, now] = [before.summary(was.file), after.summary(is.file)];
  return members.every((member) => kept.some((each) => sameWrittenMember(old, member, now, each)));
}

/** Whether a row takes, or writes out, one of the members. */
function isTaken(before: Resolver, file: string, row: number, home: string, members: readonly number[]): boolean {
  const op = before.summary(file).exprs.opOf(row);
  if (op !== E.member && op !== E.initializer) return false;
  return before.resolve(file, row).targets.some((target) => target.file === home && members.includes(target.decl));
}

interface Taken {
  readonly file: string;
  readonly row: number;
  readonly name: string;
}

function add({ after }: Graphs, cause: AtomicChange, { file, row, name }: Taken, out: AffectedBlocks): void {
  const summary = after.summary(file);
  const block = blockOf(summary, row);
  const isGone = after.resolve(file, row).targets.length === 0;
  const fact = isGone ? `there is no ${name} now` : `${name} is of another type now`;
  out.addOnce(file, block, {
    expr: row,
    tier: isGone ? 'breaks' : 'may',
    confidence: 'certain',
    reason: `${block < 0 ? '<module>' : summary.decls.pathOf(block)} takes ${name} of a ${cause.block}: ${fact}.`,
    fact,
    rule: 'variant-member',
    relation: 'UsedBy',
    cause,
  });
}
