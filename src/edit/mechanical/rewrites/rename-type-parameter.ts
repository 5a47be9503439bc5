/**
 * Renamed type parameter: `class Box<T> { first(): T }` whose header says `Box<Item>` now gets
 * `first(): Item`.
 *
 * Refused where the new name already means something else at the use.
 */
import { lookUp } from '../../../graph/resolve/names.js';
import { typeParametersRenamedBy } from '../../../impact/predicates.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';

export const renameTypeParameter: Rewrite = {
  id: 'rename-type-parameter',
  does: 'writes the new name of a renamed type parameter in its declaration',
  rewrite({ graphs, block, site, summary }: RewriteSite): RewriteResult | undefined {
    const { exprs } = summary;
    if (site.relation !== 'Uses' || site.expr < 0) return undefined;
    const name = exprs.nameOf(site.expr);
    const renamed = typeParametersRenamedBy(graphs, site.cause).find((pair) => pair.from === name);
    if (renamed === undefined) return undefined;
    const [meant] = lookUp(
      graphs.after,
      block.file,
      summary,
      exprs.scopeOf(site.expr),
      renamed.to,
      exprs.roleOf(site.expr),
    ).targets;
    if (meant?.decl !== renamed.decl || meant.file !== site.cause.after?.file)
      return { cannot: `${renamed.to} already means something else here`, needs: 'person' };
    return { edits: [{ start: exprs.startOf(site.expr), end: exprs.endOf(site.expr), text: renamed.to }] };
  },
};
