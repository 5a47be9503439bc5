/**
 * Moved file: `src/a.ts` became `src/util/a.ts`, so `import * as a from '../a.js'` becomes
 * `import * as a from '../util/a.js'`, and the moved file's own relative imports are written anew.
 *
 * Statements whose module leads where it led before, and is read in the same way, are left alone.
 * Refused where no name of the new place resolves to it. A file that has to move because of its type is the person's to
 * move: a plan's edits stay in the files that are there, and a model, which sees one block, could only take the type's
 * name back.
 */
import { shownName } from '../../../base/shown.js';
import type { TextEdit } from '../../../base/text-edit.js';
import { earlierFile, isAdapted, movedFiles, submoduleUses } from '../../../impact/moved-files.js';
import type { Graphs } from '../../../impact/graphs.js';
import { fileFor } from '../../../impact/misplaced-types.js';
import { usesOfBinding } from '../../../impact/related.js';
import { moduleMembers } from '../../../graph/resolve/imports.js';
import type { Entity } from '../../../languages/language.js';
import { D, E, R, type Summary } from '../../../syntax/summary.js';
import {
  importBelow,
  importStatements,
  withModule,
  withoutNames,
  type ImportStatement,
  type ListedName,
} from '../imports/import-statement.js';
import { fileOf, moduleNameOfFile } from '../imports/module-name.js';
import { mentionEdit } from '../names/shorthand.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';

export const followFile: Rewrite = {
  id: 'follow-file',
  does: 'names a moved file by its new path',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { graphs, block, site, summary, text, changes } = context;
    if (site.rule === 'misplaced-type') {
      const name = fileFor(block.file, summary.decls.nameOf(block.decl));
      return { cannot: `rename ${shownName(block.file)} to ${name}`, needs: 'person' };
    }
    if (site.rule !== 'moved-file/ImportedBy')
      return isReachedThroughModule(context) ? reachedThroughModule(context) : undefined;
    const moved = movedFiles(graphs, changes);
    const oldFile = earlierFile(graphs, moved, block.file);
    const edits: TextEdit[] = [];
    for (const statement of importStatements(summary, text)) {
      const old = fileOf(graphs.before, statement.module, oldFile);
      const target = old === undefined ? undefined : (moved.get(old) ?? old);
      const now = fileOf(graphs.after, statement.module, block.file);
      if (
        target === undefined ||
        !graphs.after.repo.hasFile(target) ||
        (now === target ? !changesForm(context, statement) : wentAlong(context, statement, old, now)) ||
        isAdaptedImport(context, statement, oldFile) ||
        isFollowedByName(context, statement, target)
      )
        continue;
      const module = moduleNameOfFile(graphs, block.file, oldFile, target, statement.module);
      if (module === undefined)
        return { cannot: `no module name leads from ${shownName(block.file)} to ${target}`, needs: 'model' };
      const whole = wholeModule(context, statement, module);
      edits.push(...whole.filter((edit) => !edits.some((known) => known.start === edit.start)));
      edits.push(...fullNameUses(summary, text, statement, module));
      if (whole.length === 0) edits.push(withModule(statement, module));
    }
    const listed = submoduleEdits(context, moved, oldFile);
    if (listed === undefined)
      return { cannot: 'the moved module is imported among others that cannot be told apart', needs: 'model' };
    const through = throughPackage(context, moved);
    const all = [...edits, ...listed, ...through.edits];
    if (through.cannot === undefined) return { edits: all };
    const open = { reason: through.cannot, needs: 'model' } as const;
    return all.length === 0 ? { cannot: open.reason, needs: open.needs } : { edits: all, open };
  },
};

/**
 * Whether the same text leads to the moved file only by another reading: with the ending that it was written without.
 */
const changesForm = ({ block }: RewriteSite, { moduleStart }: ImportStatement): boolean =>
  block.sites.some((site) => site.rule === 'moved-file/ImportedBy' && site.place?.start === moduleStart);

/** Whether an import of a moved file was written for the new place already. */
const isAdaptedImport = (
  { graphs, block }: RewriteSite,
  { module, names }: ImportStatement,
  oldFile: string,
): boolean =>
  (names.length === 0 ? [''] : names.map(({ name }) => name)).every((name) =>
    isAdapted(graphs, { oldFile, file: block.file }, { module, name }),
  );

/**
 * Whether the file was taken in by one that was there: then each listed name follows its definition, and may join what
 * is imported from there.
 */
const isFollowedByName = ({ graphs, block }: RewriteSite, { names }: ImportStatement, target: string): boolean =>
  graphs.before.repo.hasFile(target) &&
  names.some(({ expr }) => expr >= 0 && block.sites.some((site) => site.expr === expr && site.cause.detail.move));

/** Whether all that the statement lists moved from the file that it meant to the one that it means now. */
function wentAlong(
  { changes }: RewriteSite,
  statement: ImportStatement,
  old: string | undefined,
  now: string | undefined,
): boolean {
  return (
    now !== undefined &&
    statement.names.every((name) =>
      changes.some(
        ({ before, after, block, detail }) =>
          before?.file === old && after?.file === now && (detail.rename?.from ?? block) === name.name,
      ),
    )
  );
}

/** `a.helper`, where `a` is the moved file: right again as soon as the import is. */
function isReachedThroughModule({ graphs, site, summary, changes }: RewriteSite): boolean {
  const { before, detail } = site.cause;
  return (
    before !== undefined &&
    detail.rename === undefined &&
    site.expr >= 0 &&
    summary.exprs.opOf(site.expr) === E.member &&
    summary.exprs.roleOf(site.expr) !== R.import &&
    detail.move !== undefined &&
    movedFiles(graphs, changes).has(before.file)
  );
}

/** The use needs an edit of its own only where the name of the module changes with the import. */
function reachedThroughModule(context: RewriteSite): RewriteResult {
  const { block, site, summary, changes, graphs } = context;
  const base = summary.exprs.operandOf(site.expr);
  if (base < 0 || summary.exprs.opOf(base) !== E.name) return { edits: [] };
  const renamed = listedModules(context, movedFiles(graphs, changes), block.file).find(
    ({ listed, isRenamed }) => isRenamed && usesOf(summary, listed.name).includes(base),
  );
  return {
    edits: renamed === undefined ? [] : [mentionEdit(summary, base, { from: renamed.listed.name, to: renamed.name })],
  };
}

/** A name that an import lists and that means a moved file, such as `a` in `from . import a`. */
interface ListedModule {
  readonly statement: ImportStatement;
  readonly listed: ListedName;
  /** Module and name under which the file is found now. */
  readonly module: string;
  readonly name: string;
  /** Whether the uses of the name in the file can be written with the new one. */
  readonly isRenamed: boolean;
}

function listedModules(
  { graphs, block, summary, text }: RewriteSite,
  moved: ReadonlyMap<string, string>,
  oldFile: string,
): ListedModule[] {
  if (graphs.after.language(block.file).submodule === undefined || !graphs.before.repo.hasFile(oldFile)) return [];
  return importStatements(summary, text).flatMap((statement) =>
    statement.names.flatMap((listed): ListedModule[] => {
      if (listed.expr < 0) return [];
      const meant = moduleMembers(graphs.before, oldFile, statement.module, listed.name).find(
        (entity) => entity.kind === 'module',
      );
      const target = meant?.kind === 'module' ? moved.get(meant.file) : undefined;
      const like = statement.module.endsWith('.')
        ? statement.module + listed.name
        : `${statement.module}.${listed.name}`;
      const full = target === undefined ? undefined : moduleNameOfFile(graphs, block.file, oldFile, target, like);
      const [, path = '', name = ''] = (full === undefined ? null : /^(.*?\.?)([^.]+)$/.exec(full)) ?? [];
      const module = /^\.+$/.test(path) ? path : path.replace(/\.$/, '');
      if (module === '') return [];
      // A name that the file says nowhere can stand for another without meaning something else somewhere.
      const isRenamed =
        name !== listed.name &&
        text.slice(listed.start, listed.end) === listed.name &&
        summary.idOf(name) < 0 &&
        meansOnly(graphs, oldFile, summary, listed.name, meant);
      return [{ statement, listed, module, name, isRenamed }];
    }),
  );
}

/**
 * The imports with the moved files' new names, and the uses of those that are named anew. Undefined where one stands
 * among others that cannot be told apart.
 */
function submoduleEdits(
  context: RewriteSite,
  moved: ReadonlyMap<string, string>,
  oldFile: string,
): TextEdit[] | undefined {
  const { graphs, block, summary, text } = context;
  const edits: TextEdit[] = [];
  const renamed = new Map<string, string>();
  for (const found of listedModules(context, moved, oldFile)) {
    const { statement, listed, module, name, isRenamed } = found;
    const written = text.slice(listed.start, listed.end);
    const entry =
      isRenamed || name === listed.name
        ? written.replace(listed.name, name)
        : written === listed.name
          ? `${name} as ${listed.name}`
          : written.replace(listed.name, name);
    if (statement.names.length === 1 || module === statement.module) {
      edits.push(
        ...(module === statement.module ? [] : [withModule(statement, module)]),
        ...(entry === written ? [] : [{ start: listed.start, end: listed.end, text: entry }]),
      );
    } else {
      const dropped = withoutNames(text, statement, [listed]);
      const added = importBelow(text, statement, [entry], module, graphs.after.language(block.file).writing);
      if (dropped === undefined || added === undefined) return undefined;
      edits.push(...dropped, ...[added].flat());
    }
    if (isRenamed) renamed.set(listed.name, name);
  }
  for (const [from, to] of renamed)
    for (const expr of [...usesOf(summary, from), ...exportedAs(summary, from)])
      edits.push(mentionEdit(summary, expr, { from, to }));
  return edits;
}

/** `pkg.mod`, which no import names, with the module's name as the package has it now. */
function throughPackage(
  context: RewriteSite,
  moved: ReadonlyMap<string, string>,
): { readonly edits: readonly TextEdit[]; readonly cannot?: string } {
  const { graphs, block, summary } = context;
  const edits: TextEdit[] = [];
  let cannot: string | undefined;
  for (const { expr, from, package: owner } of submoduleUses(graphs, block.file, moved)) {
    const target = moved.get(from) ?? from;
    const name = summary.exprs.nameOf(expr);
    if (keepsName(context, owner, name, moved)) continue;
    const inside = /^\.([^.].*)$/.exec(moduleNameOfFile(graphs, owner, owner, target, `.${name}`) ?? '')?.[1];
    if (inside === undefined) cannot = `${target} cannot be reached through ${shownName(owner)}`;
    else if (inside !== name) {
      const end = summary.exprs.endOf(expr);
      edits.push({ start: end - name.length, end, text: inside });
    }
  }
  return cannot === undefined ? { edits } : { edits, cannot };
}

/** Whether a package that imports the module goes on calling it by its old name: `plot as plat`. */
function keepsName(context: RewriteSite, owner: string, name: string, moved: ReadonlyMap<string, string>): boolean {
  const text = context.texts.after(owner);
  if (text === undefined) return false;
  const summary = context.graphs.after.summary(owner);
  const inOwner = { ...context, block: { ...context.block, file: owner }, summary, text };
  return listedModules(inOwner, moved, owner).some(({ listed, isRenamed }) => listed.name === name && !isRenamed);
}

/**
 * Whether nothing but imports of the module, at the head or inside of functions, binds the name anywhere in the file.
 */
function meansOnly(
  { before }: Graphs,
  oldFile: string,
  summary: Summary,
  name: string,
  module: Entity | undefined,
): boolean {
  return [...summary.decls.named(summary.idOf(name))].every((decl) =>
    summary.imports.some(
      (entry) =>
        entry.decl === decl &&
        module?.kind === 'module' &&
        moduleMembers(before, oldFile, entry.module, entry.name).some(
          (other) => other.kind === 'module' && other.file === module.file,
        ),
    ),
  );
}

/** Rows of the file's list of exports that say the name. */
const exportedAs = ({ exports, exprs }: Summary, name: string): number[] =>
  exports.flatMap(({ expr }) =>
    expr >= 0 && exprs.opOf(expr) === E.string && exprs.nameOf(expr) === name ? [expr] : [],
  );

/** Rows at which a name is used that only imports bind. */
function usesOf(summary: Summary, name: string): number[] {
  const { exprs } = summary;
  return [...exprs.named(summary.idOf(name))].filter(
    (expr) => exprs.opOf(expr) === E.name && exprs.roleOf(expr) !== R.import,
  );
}

/**
 * `import plat`, which binds the name of the file itself, and what the file says by it: `plat.LIMIT` becomes
 * `plot.LIMIT`. Where the new name means something in the file, or something else may be bound to the old one, the
 * module keeps the name: `import plot as plat`. Nothing for other imports.
 */
function wholeModule(
  { graphs, block, summary, text }: RewriteSite,
  statement: ImportStatement,
  module: string,
): TextEdit[] {
  const { decls, exprs } = summary;
  const name = statement.module;
  const entry = summary.imports.find((candidate) => candidate.moduleStart === statement.moduleStart);
  const isBound = entry?.kind === 'module' && entry.decl >= 0 && decls.nameOf(entry.decl) === name;
  if (!isBound || text.slice(entry.start, entry.end) !== name || name === module) return [];
  const uses = usesOfBinding(graphs.after, block.file, name);
  const [head = ''] = module.split('.');
  const isFree = decls.named(summary.idOf(head)).length === 0;
  const isOnly = decls.inScope(0, summary.idOf(name)).every((decl) => decls.kindOf(decl) === D.importBinding);
  if (uses.length > 0 && !(isFree && isOnly))
    return [{ start: statement.moduleStart, end: statement.moduleStart + name.length, text: `${module} as ${name}` }];
  return [
    withModule(statement, module),
    ...uses.map(({ expr }) => ({ start: exprs.startOf(expr), end: exprs.endOf(expr), text: module })),
  ];
}

/** Uses of a module that was imported by its full dotted name, as `import a.b` in Python binds it. */
function fullNameUses(summary: Summary, text: string, statement: ImportStatement, module: string): TextEdit[] {
  const entry = summary.imports.find((candidate) => candidate.moduleStart === statement.moduleStart);
  const head = statement.module.slice(0, Math.max(0, statement.module.indexOf('.')));
  if (entry?.kind !== 'module' || entry.decl < 0 || head === '' || summary.decls.nameOf(entry.decl) !== head) return [];
  const { exprs } = summary;
  const edits: TextEdit[] = [];
  const row = summary.idOf(statement.module.slice(statement.module.lastIndexOf('.') + 1));
  for (const expr of exprs.named(row)) {
    let first = expr;
    while (first >= 0 && exprs.opOf(first) === E.member) first = exprs.operandOf(first);
    if (first < 0 || first === expr || exprs.opOf(first) !== E.name) continue;
    const start = exprs.startOf(first);
    const end = exprs.endOf(expr);
    if (text.slice(start, end) === statement.module) edits.push({ start, end, text: module });
  }
  return edits;
}
