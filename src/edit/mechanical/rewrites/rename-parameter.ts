/**
 * Renamed parameter: `def put(self, key)` became `def put(self, name)`, so `s.put(key=k)` becomes
 * `s.put(name=k)`, and a body that still says `key` says `name`.
 *
 * Overrides follow in override-signature.ts.
 */
import type { TextEdit } from '../../../base/text-edit.js';
import { D, type Summary } from '../../../syntax/summary.js';
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
      changedParameters(context, 'call', (delta) => delta.renamed.length > 0, rearrangeCall)
    );
  },
};

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
