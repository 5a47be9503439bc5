/**
 * Moved file: `src/a.ts` became `src/util/a.ts`, so `import * as a from './a.js'` becomes
 * `import * as a from './util/a.js'`, and the moved file's own relative imports are written anew.
 *
 * Statements whose module leads where it led before are left alone. Refused where no name of the
 * new place resolves to it.
 */
import type { TextEdit } from '../../base/text-edit.js';
import { movedFiles } from '../../impact/moved-files.js';
import { moduleMembers } from '../../graph/imports.js';
import { E, nameId, nameOf, R, type Summary } from '../../syntax/summary.js';
import { importStatements, withModule, type ImportStatement } from './import-statement.js';
import { fileOf, moduleNameOfFile } from './module-name.js';
import type { Rewrite, RewriteResult, RewriteSite } from './rewrite.js';

export const followFile: Rewrite = {
  id: 'follow-file',
  does: 'names a moved file by its new path',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { graphs, block, site, summary, text, changes } = context;
    if (site.rule !== 'moved-file/ImportedBy') return isReachedThroughModule(context) ? { edits: [] } : undefined;
    const moved = movedFiles(graphs, changes);
    const oldFile = [...moved].find(([, to]) => to === block.file)?.[0] ?? block.file;
    const edits: TextEdit[] = [];
    for (const statement of importStatements(summary, text)) {
      const old = fileOf(graphs.before, statement.module, oldFile);
      const target = old === undefined ? undefined : (moved.get(old) ?? old);
      const now = fileOf(graphs.after, statement.module, block.file);
      if (target === undefined || !graphs.after.repo.hasFile(target) || now === target || wentAlong(context, statement, old, now)) continue;
      const module = moduleNameOfFile(graphs, block.file, oldFile, target, statement.module);
      if (module === undefined) return { cannot: `no module name leads from ${block.file} to ${target}`, needs: 'model' };
      edits.push(...fullNameUses(summary, text, statement, module));
      edits.push(withModule(statement, module));
    }
    return { edits: [...edits, ...submoduleEdits(context, moved, oldFile)] };
  },
};

/** Whether all that the statement lists moved from the file that it meant to the one that it means now. */
function wentAlong({ changes }: RewriteSite, statement: ImportStatement, old: string | undefined, now: string | undefined): boolean {
  return now !== undefined && statement.names.every((name) => changes.some(({ before, after, block, detail }) => before?.file === old && after?.file === now && (detail.rename?.from ?? block) === name.name));
}

/** `a.helper`, where `a` is the moved file: right again as soon as the import is. */
function isReachedThroughModule({ graphs, site, summary, changes }: RewriteSite): boolean {
  const { before, detail } = site.cause;
  return before !== undefined && detail.rename === undefined && site.expr >= 0 && summary.exprs.op[site.expr] === E.member && summary.exprs.role[site.expr] !== R.import && detail.move !== undefined && movedFiles(graphs, changes).has(before.file);
}

/** `from . import a`: the moved file is a name in its package. */
function submoduleEdits({ graphs, block, summary, text }: RewriteSite, moved: ReadonlyMap<string, string>, oldFile: string): TextEdit[] {
  if (graphs.after.language(block.file).submodule === undefined) return [];
  return importStatements(summary, text).flatMap((statement): readonly TextEdit[] => {
    const [only] = statement.names;
    if (only === undefined || only.expr < 0 || statement.names.length > 1 || !graphs.before.repo.hasFile(oldFile)) return [];
    const meant = moduleMembers(graphs.before, oldFile, statement.module, only.name).find((entity) => entity.kind === 'module');
    const target = meant?.kind === 'module' ? moved.get(meant.file) : undefined;
    const like = statement.module.endsWith('.') ? statement.module + only.name : `${statement.module}.${only.name}`;
    const full = target === undefined ? undefined : moduleNameOfFile(graphs, block.file, oldFile, target, like);
    const parts = full === undefined ? null : /^(.*?\.?)([^.]+)$/.exec(full);
    if (parts === null) return [];
    const [, path = '', name = ''] = parts;
    const module = /^\.+$/.test(path) ? path : path.replace(/\.$/, '');
    if (module === '') return [];
    const written = text.slice(only.start, only.end);
    const entry = name === only.name ? written : written === only.name ? `${name} as ${only.name}` : written.replace(only.name, name);
    return [withModule(statement, module), ...(entry === written ? [] : [{ start: only.start, end: only.end, text: entry }])];
  });
}

/** Uses of a module that was imported by its full dotted name, as `import a.b` in Python binds it. */
function fullNameUses(summary: Summary, text: string, statement: ImportStatement, module: string): TextEdit[] {
  const entry = summary.imports.find((candidate) => candidate.moduleStart === statement.moduleStart);
  const head = statement.module.slice(0, Math.max(0, statement.module.indexOf('.')));
  if (entry?.kind !== 'module' || entry.decl < 0 || head === '' || nameOf(summary, entry.decl) !== head) return [];
  const { exprs } = summary;
  const edits: TextEdit[] = [];
  const row = nameId(summary, statement.module.slice(statement.module.lastIndexOf('.') + 1));
  for (let i = row < 0 ? 0 : (summary.refStart[row] as number); row >= 0 && i < (summary.refStart[row + 1] as number); i++) {
    const expr = summary.refs[i] as number;
    let first = expr;
    while (first >= 0 && exprs.op[first] === E.member) first = exprs.a[first] as number;
    if (first < 0 || first === expr || exprs.op[first] !== E.name) continue;
    const start = exprs.start[first] as number;
    const end = exprs.end[expr] as number;
    if (text.slice(start, end) === statement.module) edits.push({ start, end, text: module });
  }
  return edits;
}
