/**
 * Places that make an object and leave out a member that must be given a value there now (C# `required`).
 */
import { piece, type Turns } from '../base/turns.js';
import { sitesInTurns } from '../graph/refer/references.js';
import type { Site } from '../graph/refer/site.js';
import { derivedFrom } from '../graph/refer/sites-by-name.js';
import { classOfMember } from '../graph/resolve/hierarchy.js';
import { constructorsOf } from '../graph/resolve/overloads.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { E } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Question } from './question.js';

export function* membersNotGiven({ graphs: { after }, edit }: Question): Turns<readonly AffectedBlock[]> {
  const out = new AffectedBlocks();
  for (const cause of edit.changes) {
    const member = cause.detail.mustBeGiven === true ? cause.after : undefined;
    const owner = member === undefined ? undefined : classOfMember(after.summary(member.file), member.decl);
    if (member === undefined || owner === undefined) continue;
    const name = after.summary(member.file).decls.nameOf(member.decl);
    const type = { file: member.file, decl: owner };
    for (const made of [type, ...derivedFrom(after, type)]) {
      if (yield* piece(() => givesAll(after, made))) continue;
      for (const site of yield* sitesInTurns(after, made)) {
        if (!leavesOut(after, site, name)) continue;
        const path = after.summary(site.file).decls.pathOf(site.block);
        out.addOnce(site.file, site.block, {
          expr: site.expr,
          tier: 'breaks',
          confidence: site.confidence,
          reason: `${path} makes an object without a value for ${cause.block}, which must be given one now.`,
          fact: `missing value: ${name}`,
          rule: 'member-not-given',
          relation: 'InstantiatedBy',
          cause,
        });
      }
    }
  }
  return out.sorted();
}

/** Whether a constructor says that it gives all members their values. Which one a place calls is not asked. */
const givesAll = (after: Resolver, type: DeclRef): boolean =>
  constructorsOf(after, type).some(({ file, decl }) => {
    const { decls, exprs } = after.summary(file);
    const words = after.language(file).writing.givesAll;
    return [...decls.decoratorsOf(decl)].some((row) => words?.has(exprs.nameOf(row)) === true);
  });

function leavesOut(after: Resolver, { file, expr, kind }: Site, name: string): boolean {
  const summary = after.summary(file);
  const { exprs } = summary;
  const made = kind === 'instantiate' && expr >= 0 ? exprs.callOf(expr) : -1;
  const row = summary.idOf(name);
  const isGiven = (given: number): boolean => exprs.opOf(given) === E.initializer && exprs.operandOf(given) === made;
  return made >= 0 && !(row >= 0 && [...exprs.named(row)].some(isGiven));
}
