/**
 * How a file goes on to import what was renamed, where the new name cannot simply take the old one's place.
 *
 *     from text import clean   ->   from text import strip            every use says strip
 *                                   from text import strip as clean   strip means something else at all of them
 *                                   from text import strip, strip as clean   …at some of them
 *
 * So what is left open still means what it did. Where a module that passes the name on has to keep
 * the old one in this way, whoever imports it from there is left alone.
 */
import type { TextEdit } from '../../../base/text-edit.js';
import type { DeclRef } from '../../../languages/language.js';
import { usesOfBinding } from '../../../impact/related.js';
import type { Graphs } from '../../../impact/graphs.js';
import { E, R, type ExportEntry, type ImportEntry, type Summary } from '../../../syntax/summary.js';
import { fileOf } from './module-name.js';
import { inWords, isFamily, otherMeaning } from '../names/name-collision.js';

/** A renamed definition, as all that follow it see it. */
export interface Renamed {
  readonly graphs: Graphs;
  readonly names: { readonly from: string; readonly to: string };
  readonly before: DeclRef | undefined;
  readonly after: DeclRef | undefined;
}

/** A name that a statement lists: what it is named in its module, and here. */
interface Listed {
  readonly module: string;
  /** In its module. */
  readonly name: string;
  readonly binding: string;
  readonly scope: number;
  readonly isExport: boolean;
}

/** Names under which a file imports or passes on the renamed definition; `kept`: nothing changes for it. */
export type ImportedAs = { readonly names: 'new' | 'old' | 'both' | 'kept' } | { readonly cannot: string };

/** What becomes of the entry of the file that has the row, if one has. */
export function importedAs(renamed: Renamed, file: string, row: number): ImportedAs | undefined {
  const summary = renamed.graphs.after.summary(file);
  const listed = listedBy(summary, (entry) => entry.expr === row);
  return listed === undefined ? undefined : namesOf(renamed, file, summary, listed, new Set());
}

/**
 * What of the definition's name the module offers through which the row, which is no import, means it; undefined where
 * it is none but its own.
 */
export function meantThrough(renamed: Renamed, file: string, row: number): ImportedAs | undefined {
  const { after } = renamed.graphs;
  const summary = after.summary(file);
  const { exprs } = summary;
  const base = exprs.opOf(row) === E.member ? exprs.baseOf(row) : -1;
  if (base >= 0)
    return offeredBy(renamed, after.resolve(file, base).targets.find((target) => target.decl < 0)?.file, new Set());
  const listed = exprs.opOf(row) === E.name ? listedBy(summary, ({ name }) => name === renamed.names.from) : undefined;
  return listed === undefined ? undefined : offeredBy(renamed, fileOf(after, listed.module, file), new Set());
}

/** The edit of the row's entry. */
export function entryEdit(
  summary: Summary,
  text: string,
  row: number,
  { from, to }: Renamed['names'],
  as: 'new' | 'old' | 'both',
): TextEdit {
  const entry = [...summary.imports, ...summary.exports].find(({ expr }) => expr === row);
  const at = summary.exprs.startOf(row);
  const { start, end } = entry ?? { start: at, end: at + from.length };
  const [head, tail] = [text.slice(start, at), text.slice(at + from.length, end)];
  const renamed = isOwnAlias(text.slice(start, end), from) ? `${head}${to} as ${to}` : head + to + tail;
  const aliased = `${head}${to} as ${from}`;
  return { start, end, text: as === 'new' ? renamed : as === 'old' ? aliased : `${renamed}, ${aliased}` };
}

/** `x as x`: says that the module offers the name. */
export const isOwnAlias = (written: string, name: string): boolean =>
  written.replace(/\s+/g, ' ') === `${name} as ${name}`;

function listedBy(summary: Summary, isMeant: (entry: ImportEntry | ExportEntry) => boolean): Listed | undefined {
  const imported = summary.imports.find(
    (entry) => (entry.kind === 'name' || entry.kind === 'static') && entry.decl >= 0 && isMeant(entry),
  );
  if (imported !== undefined)
    return {
      module: imported.module,
      name: imported.name,
      binding: summary.decls.nameOf(imported.decl),
      scope: summary.decls.scopeOf(imported.decl),
      isExport: false,
    };
  const passedOn = summary.exports.find((entry) => entry.module !== undefined && entry.name !== '*' && isMeant(entry));
  return passedOn?.module === undefined
    ? undefined
    : { module: passedOn.module, name: passedOn.local, binding: passedOn.name, scope: 0, isExport: true };
}

function namesOf(renamed: Renamed, file: string, summary: Summary, listed: Listed, seen: Set<string>): ImportedAs {
  const {
    graphs: { after },
    names: { from, to },
  } = renamed;
  const offered = offeredBy(renamed, fileOf(after, listed.module, file), seen);
  if ('cannot' in offered || offered.names === 'kept') return offered;
  if (listed.binding !== from) return { names: 'new' };
  const collision = listed.isExport
    ? otherOffer(renamed, file)
    : otherMeaning(after, file, listed.scope, to, R.import, renamed.after);
  const uses = listed.isExport
    ? []
    : usesOfBinding(after, file, from).filter(
        ({ expr }) => summary.exprs.roleOf(expr) !== R.import && summary.exprs.roleOf(expr) !== R.doc,
      );
  const open = uses.filter(
    ({ expr }) =>
      otherMeaning(after, file, summary.exprs.scopeOf(expr), to, summary.exprs.roleOf(expr), renamed.after) !==
      undefined,
  );
  if (collision === undefined && open.length === 0) return { names: 'new' };
  const isAll = collision !== undefined || open.length === uses.length;
  if (after.language(file).writing.listsNames) return { names: isAll ? 'old' : 'both' };
  return !isAll
    ? { names: 'new' }
    : { cannot: collision ?? `${to} means something else wherever this file uses ${from}` };
}

/** What a module offers of the definition once it has followed; `kept`: the old name alone. */
function offeredBy(renamed: Renamed, file: string | undefined, seen: Set<string>): ImportedAs {
  const {
    graphs: { after },
    names,
  } = renamed;
  if (file === undefined || file === renamed.after?.file || file === renamed.before?.file || seen.has(file))
    return { names: 'new' };
  seen.add(file);
  const summary = after.summary(file);
  const listed = listedBy(summary, (entry) => entry.name === names.from);
  if (listed === undefined) {
    const other = otherOffer(renamed, file);
    return other === undefined ? { names: 'new' } : { cannot: other };
  }
  // `export { default as put }`: the module's own name for what has another one, or none, where it comes from.
  if (listed.isExport && listed.name !== names.from) return { names: 'kept' };
  const there = namesOf(renamed, file, summary, listed, seen);
  return 'cannot' in there ? there : { names: there.names === 'old' || there.names === 'kept' ? 'kept' : 'new' };
}

/** What else a file offers under the new name. */
function otherOffer({ graphs: { after }, names, after: definition }: Renamed, file: string): string | undefined {
  const targets = after.exported(file, names.to).flatMap((entity) => (entity.kind === 'decl' ? [entity] : []));
  return targets.some((target) => isFamily(after, target, definition)) ? undefined : inWords(after, names.to, targets);
}
