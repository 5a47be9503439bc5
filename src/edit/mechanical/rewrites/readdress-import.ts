/**
 * An import that goes along with a moved definition, in its body or below a condition, and is written relative to
 * the file that it left: `from .sizes import WIDTH` in a function that moved from `pkg/` to `tools/` becomes
 * `from pkg.sizes import WIDTH`.
 *
 * Refused where no name of the new place leads to what was imported.
 */
import { shownName } from '../../../base/shown.js';
import { movedFiles } from '../../../impact/moved-files.js';
import { importsWith } from '../../../impact/moved-uses.js';
import { moduleNameOfFile } from '../imports/module-name.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';

export const readdressImport: Rewrite = {
  id: 'readdress-import',
  does: 'names what an import leads to that went along with a moved definition',
  rewrite({ graphs, block, site, changes }: RewriteSite): RewriteResult | undefined {
    if (site.rule !== 'moved-definition/Imports') return undefined;
    const { cause, place } = site;
    const along = importsWith(graphs, cause, movedFiles(graphs, changes)).find(({ start }) => start === place?.start);
    if (along === undefined || cause.before === undefined) return { edits: [] };
    const { start, module, target } = along;
    const written = moduleNameOfFile(graphs, block.file, cause.before.file, target, module);
    return written === undefined
      ? { cannot: `no module name leads from ${shownName(block.file)} to ${target}`, needs: 'model' }
      : { edits: [{ start, end: start + module.length, text: written }] };
  },
};
