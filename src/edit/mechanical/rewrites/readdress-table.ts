/**
 * Moved definition that a mapping has beside the name of its module: `{"Store": ".store"}` becomes
 * `{"Store": ".depot"}`.
 *
 * Refused where the module stands beside other names, which stay there.
 */
import { shownName } from '../../../base/shown.js';
import { inTable } from '../../../graph/resolve/import-table.js';
import { earlierFile, movedFiles } from '../../../impact/moved-files.js';
import { moduleNameOfFile } from '../imports/module-name.js';
import { mentionEdit } from '../names/shorthand.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';

export const readdressTable: Rewrite = {
  id: 'readdress-table',
  does: 'writes the new module beside a name in a mapping of imports',
  rewrite({ graphs, block, site, summary, changes }: RewriteSite): RewriteResult | undefined {
    const { before, after, detail } = site.cause;
    if (detail.move === undefined || before === undefined || after === undefined || site.expr < 0) return undefined;
    if (!graphs.before.repo.hasFile(block.file)) return undefined;
    const place = inTable(graphs.before, block.file, summary, site.expr);
    if (place === undefined) return undefined;
    const moved = movedFiles(graphs, changes);
    const { module, beside } = place;
    const written = moduleNameOfFile(
      graphs,
      block.file,
      earlierFile(graphs, moved, block.file),
      after.file,
      module.module,
    );
    if (written === undefined)
      return { cannot: `no module name leads from ${shownName(block.file)} to ${after.file}`, needs: 'model' };
    const goesAlong = (name: string): boolean =>
      changes.some(
        (change) =>
          change.block === name &&
          change.detail.move !== undefined &&
          change.before?.file === before.file &&
          change.after?.file === after.file,
      );
    if (!beside.every((row) => goesAlong(summary.exprs.nameOf(row))))
      return { cannot: `${module.module} stands beside other names, which did not move`, needs: 'person' };
    return {
      edits: [
        { start: module.start, end: module.end, text: written },
        ...(detail.rename === undefined ? [] : [mentionEdit(summary, site.expr, detail.rename)]),
      ],
    };
  },
};
