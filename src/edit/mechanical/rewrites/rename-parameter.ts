/**
 * Renamed parameter: `def put(self, key)` became `def put(self, name)`, so `s.put(key=k)` becomes
 * `s.put(name=k)`, and a body that still says `key` says `name`.
 *
 * Overrides follow in override-signature.ts.
 */
import type { TextEdit } from '../../../base/text-edit.js';
import { isOnlyRenamed } from '../../../change/signature-delta.js';
import { callOf } from '../../../graph/resolve/names.js';
import type { Resolver } from '../../../graph/resolve/resolver.js';
import { signatureOf } from '../../../graph/resolve/signature.js';
import { familyOf } from '../../../impact/family.js';
import type { DeclRef } from '../../../languages/language.js';
import { declKey } from '../../../syntax/rows.js';
import { D, isFunctionLike, type Summary } from '../../../syntax/summary.js';
import { bodyRenames, mentionsIn } from '../names/body-renames.js';
import { rearrangeCall } from '../calls/call-arguments.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';
import { changedParameters } from '../calls/signature-sites.js';

export const renameParameter: Rewrite = {
  id: 'rename-parameter',
  does: 'writes the new name of a renamed parameter at keyword arguments and in the body',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    return (
      changedParameters(context, 'body', (delta) => delta.renamed.length > 0, inOwnBody) ??
      byKeyword(context) ??
      changedParameters(context, 'call', (delta) => delta.renamed.length > 0, rearrangeCall)
    );
  },
};

/**
 * A call on a receiver of unknown type that gives the parameter by its old name, which of all functions here that are
 * called so only those have that are renamed with it.
 */
function byKeyword({ graphs, site, summary, text }: RewriteSite): RewriteResult | undefined {
  const { before, detail } = site.cause;
  const delta = detail.signature;
  if (site.confidence === 'certain' || site.tier !== 'breaks' || site.relation === 'Uses' || site.expr < 0)
    return undefined;
  if (before === undefined || delta === undefined || !isOnlyRenamed(delta)) return undefined;
  const call = callOf(summary, site.expr);
  const given = call < 0 ? [] : summary.exprs.argumentsOf(call);
  const said = given.flatMap(({ keyword, start }) => {
    const names = delta.renamed.find(({ from }) => from === keyword);
    return names === undefined ? [] : [{ ...names, start, end: start + keyword.length }];
  });
  const isMeant =
    said.length > 0 &&
    said.every(({ from, start, end }) => text.slice(start, end) === from) &&
    said.every(({ from }) => isTakenByFamilyAlone(graphs.before, before, from));
  return isMeant ? { edits: said.map(({ to, start, end }) => ({ start, end, text: to })) } : undefined;
}

/** Whether no function of the name has such a parameter but those that override one another with this one. */
function isTakenByFamilyAlone(before: Resolver, renamed: DeclRef, parameter: string): boolean {
  const { decls, language } = before.summary(renamed.file);
  const name = decls.nameOf(renamed.decl);
  const family = new Set([renamed, ...familyOf(before, renamed)].map(declKey));
  return before.repo.filesDeclaring(language, name).every((file) => {
    const summary = before.summary(file);
    return [...summary.decls.named(summary.idOf(name))].every(
      (decl) =>
        !isFunctionLike(summary.decls.kindOf(decl)) ||
        family.has(declKey({ file, decl })) ||
        signatureOf(summary, decl).params.every((param) => param.name !== parameter),
    );
  });
}

function inOwnBody({ graphs, site, summary }: RewriteSite): RewriteResult | undefined {
  const { before } = site.cause;
  const names = site.cause.detail.signature?.renamed.find((pair) => pair.from === summary.exprs.nameOf(site.expr));
  if (names === undefined || before === undefined) return undefined;
  const body = bodyRenames(
    summary,
    names,
    [site.expr],
    mentionsIn(graphs.before.summary(before.file), before.decl, names.to).length > 0,
  );
  return 'edits' in body
    ? { edits: [...body.edits, ...assignments(summary, site.cause.after?.decl ?? -1, names)] }
    : body;
}

/** Assignments to the parameter under its old name, which declare a variable now. */
function assignments(
  summary: Summary,
  decl: number,
  names: { readonly from: string; readonly to: string },
): TextEdit[] {
  const { decls } = summary;
  const inner = decl < 0 ? -1 : decls.innerOf(decl);
  if (inner < 0) return [];
  return [...summary.decls.inScope(inner, summary.idOf(names.from))]
    .filter((row) => decls.kindOf(row) === D.local)
    .map((row) => {
      const start = decls.nameStartOf(row);
      return { start, end: start + names.from.length, text: names.to };
    });
}
