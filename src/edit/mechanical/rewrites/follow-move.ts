/**
 * Moved definition: `helper` moved from `a.py` to `b.py`, so `from .a import helper, other` becomes
 * `from .a import other` and `from .b import helper`; the file it moved to drops its own import.
 *
 * Names join an import that the file has of the new place. An import through a module that passes the name on (a
 * barrel, `__init__`) stays, but in the file that the name moved to: that module is rewritten itself. A name that was
 * moved and renamed gets both. Refused where no name of the new place resolves to the definition.
 */
import { shownName } from '../../../base/shown.js';
import type { TextEdit } from '../../../base/text-edit.js';
import type { AtomicChange } from '../../../change/atomic-change.js';
import { isDefaultName } from '../../../change/compare-exports.js';
import { R } from '../../../syntax/summary.js';
import { movedFiles } from '../../../impact/moved-files.js';
import { importNeeds } from '../../../impact/moved-types.js';
import { usesOfBinding } from '../../../impact/related.js';
import {
  alikeTo,
  importBelow,
  importInto,
  importStatements,
  withModule,
  withoutNames,
  type ImportStatement,
  type ListedName,
} from '../imports/import-statement.js';
import { fileOf, moduleNameOf } from '../imports/module-name.js';
import { otherMeaning } from '../names/name-collision.js';
import { mentionEdit } from '../names/shorthand.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';

export const followMove: Rewrite = {
  id: 'follow-move',
  does: 'imports a moved definition from where it is now',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { site, summary, text } = context;
    if (site.cause.detail.move === undefined || site.expr < 0 || summary.exprs.roleOf(site.expr) !== R.import)
      return undefined;
    if (site.confidence !== 'certain')
      return { cannot: 'whether this imports the moved definition is not certain', needs: 'person' };
    const statement = importStatements(summary, text).find((candidate) =>
      candidate.names.some((name) => name.expr === site.expr),
    );
    // Part of a longer name, which follows as a whole.
    if (statement === undefined) return isLongerName(context) ? { edits: [] } : undefined;
    const isHere = site.cause.after?.file === context.block.file;
    if (isHere || !isPassedOn(context, statement)) return followed(context, statement);
    return site.cause.detail.rename === undefined ? { edits: [] } : undefined;
  },
};

/** Whether an import names something in the moved type. */
const isLongerName = ({ graphs, changes, block: { file }, site, summary }: RewriteSite): boolean =>
  importNeeds(graphs, changes, file).renamed.some(
    ({ entry }) => entry.start <= summary.exprs.startOf(site.expr) && summary.exprs.endOf(site.expr) <= entry.end,
  );

/** Whether the statement names a module that only passes the definition on and is still there. */
function isPassedOn({ graphs, block, site }: RewriteSite, statement: ImportStatement): boolean {
  const home = site.cause.before?.file;
  const named = fileOf(graphs.before, statement.module, block.file);
  return (
    named !== undefined &&
    named !== home &&
    graphs.after.repo.hasFile(named) &&
    fileOf(graphs.after, statement.module, block.file) === named
  );
}

/** Where a name leads now: to a module, or into the file itself, or nowhere; and how it is written. */
interface Target {
  readonly module: string | undefined;
  readonly text: string;
  readonly isHere: boolean;
}

/** The moved names of the statement; of one that passes names on, those that stand in the file itself now. */
function targetsOf(context: RewriteSite, statement: ImportStatement): Map<ListedName, Target> {
  const { block, graphs } = context;
  const isPassed = isPassedOn(context, statement);
  const targets = new Map<ListedName, Target>();
  for (const name of statement.names) {
    const change = block.sites.find(
      (site) => site.expr === name.expr && name.expr >= 0 && site.cause.detail.move !== undefined,
    )?.cause;
    if (change?.after === undefined || (isPassed && change.after.file !== block.file)) continue;
    const module =
      change.after.file === block.file
        ? undefined
        : moduleNameOf(graphs, block.file, block.file, change.after, statement.module);
    // What stands in the file's own package needs no import.
    const isHere =
      change.after.file === block.file || (context.summary.package !== '' && module === context.summary.package);
    targets.set(name, { module: isHere ? undefined : module, text: renamedEntry(context, name, change), isHere });
  }
  return targets;
}

/** All moved names of the statement at once; the same answer for each of its sites. */
function followed(context: RewriteSite, statement: ImportStatement): RewriteResult | undefined {
  const { block, graphs, text } = context;
  const targets = targetsOf(context, statement);
  const modules = new Set([...targets.values()].flatMap((target) => target.module ?? []));
  const [only] = modules;
  if (modules.size === 1 && only !== undefined && goesInto(context, statement, only))
    for (const name of statement.names)
      if (!targets.has(name))
        targets.set(name, { module: only, text: text.slice(name.start, name.end), isHere: false });
  const otherDefault = [...targets.keys()].find((name) => isDefaultName(name.name) && !isDefaultNow(context, name));
  if (otherDefault !== undefined)
    return { cannot: 'it is not what its file exports as its default now', needs: 'person' };
  const lost = [...targets].find(([, target]) => target.module === undefined && !target.isHere);
  if (lost !== undefined)
    return {
      cannot: `no module name leads from ${shownName(block.file)} to where ${lost[0].name} is now`,
      needs: 'model',
    };
  const statements = alikeTo(text, importStatements(context.summary, text), statement);
  const namesOf = (module: string): string[] =>
    [...targets.values()].filter((target) => target.module === module).map((target) => target.text);
  const joined = new Map([...modules].map((module) => [module, importInto(text, statements, namesOf(module), module)]));
  // Of a file that moved, names go along of which nothing else is known, as those of namespaces.
  const isWholeFile = [...targets].every(([name]) => isOfMovedFile(context, name));
  if (
    (targets.size === statement.names.length || isWholeFile) &&
    modules.size === 1 &&
    only !== undefined &&
    joined.get(only) === undefined
  ) {
    const renamed = [...targets]
      .filter(([name, target]) => text.slice(name.start, name.end) !== target.text)
      .map(([name, target]) => ({ start: name.start, end: name.end, text: target.text }));
    if (only === statement.module) return { edits: renamed };
    const module = withModule(statement, only);
    return {
      edits: renamed.some((entry) => isWithin(module, entry))
        ? renamed.map((entry) => withPart(entry, module))
        : [module, ...renamed],
    };
  }
  const dropped = withoutNames(text, statement, [...targets.keys()]);
  const { writing } = graphs.after.language(block.file);
  const added = [...joined].map(
    ([module, edits]) => edits ?? importBelow(text, statement, namesOf(module), module, writing),
  );
  const complete = added.flatMap((edits) => (edits === undefined ? [] : [edits]));
  if (dropped === undefined || complete.length < added.length)
    return { cannot: 'the import shares its line or its braces with something else', needs: 'model' };
  const own: TextEdit[] = [];
  for (const [name, { isHere: stands }] of targets) {
    const said = stands ? saidByOwnName(context, name) : [];
    if (typeof said === 'string') return { cannot: said, needs: 'person' };
    own.push(...said);
  }
  return { edits: [...dropped, ...complete.flat(), ...own] };
}

/**
 * Uses of another name that the import gave to what stands in the file itself now: they say its own name. In words why
 * not, where that means something else at one of them.
 */
function saidByOwnName({ block, graphs, summary }: RewriteSite, { expr }: ListedName): readonly TextEdit[] | string {
  const now = block.sites.find((site) => site.expr === expr && site.cause.detail.move !== undefined)?.cause.after;
  const binding = summary.imports.find((entry) => entry.expr === expr)?.decl ?? -1;
  if (now === undefined || binding < 0) return [];
  const names = { from: summary.decls.nameOf(binding), to: graphs.after.summary(now.file).decls.nameOf(now.decl) };
  if (names.from === names.to) return [];
  const { exprs } = summary;
  const uses = usesOfBinding(graphs.after, block.file, names.from).filter((use) => exprs.roleOf(use.expr) !== R.import);
  for (const use of uses) {
    const { scope, role } = { scope: exprs.scopeOf(use.expr), role: exprs.roleOf(use.expr) };
    const hidden = otherMeaning(graphs.after, block.file, scope, names.to, role, now);
    if (hidden !== undefined) return hidden;
  }
  return uses.map((use) => mentionEdit(summary, use.expr, names));
}

/** `import shop.Near;`: the name is written with its module. */
const isWithin = (part: TextEdit, whole: TextEdit): boolean => whole.start <= part.start && part.end <= whole.end;

/** The whole as it is with its part edited too, which its own edit left as it was. */
function withPart(whole: TextEdit, part: TextEdit): TextEdit {
  const [from, to] = [part.start - whole.start, part.end - whole.start];
  return { ...whole, text: whole.text.slice(0, from) + part.text + whole.text.slice(to) };
}

/** Whether what the name meant is the default of the file that it is in now. */
function isDefaultNow({ graphs, block }: RewriteSite, { name, expr }: ListedName): boolean {
  const now = block.sites.find((site) => site.expr === expr && site.cause.detail.move !== undefined)?.cause.after;
  return (
    now === undefined ||
    graphs.after
      .exported(now.file, name)
      .some((entity) => entity.kind === 'decl' && entity.file === now.file && entity.decl === now.decl)
  );
}

/** Whether the statement's file went into the one of the module, with all that it only passed on. */
function goesInto({ graphs, block, changes }: RewriteSite, statement: ImportStatement, module: string): boolean {
  const old = fileOf(graphs.before, statement.module, block.file);
  const into = old === undefined ? undefined : movedFiles(graphs, changes).get(old);
  return into !== undefined && into !== block.file && fileOf(graphs.after, module, block.file) === into;
}

function isOfMovedFile({ graphs, changes, block }: RewriteSite, name: ListedName): boolean {
  const cause = block.sites.find((site) => site.expr === name.expr && site.cause.detail.move !== undefined)?.cause;
  return cause?.before !== undefined && movedFiles(graphs, changes).get(cause.before.file) === cause.after?.file;
}

/** The entry as written, with the new name where the definition was renamed too. */
function renamedEntry({ graphs, summary, text }: RewriteSite, name: ListedName, change: AtomicChange): string {
  const written = text.slice(name.start, name.end);
  const { after } = change;
  const now = after === undefined ? name.name : graphs.after.summary(after.file).decls.nameOf(after.decl);
  const start = summary.exprs.startOf(name.expr) - name.start;
  const end = summary.exprs.endOf(name.expr) - name.start;
  return change.detail.rename === undefined || written.slice(start, end) !== change.detail.rename.from
    ? written
    : written.slice(0, start) + now + written.slice(end);
}
