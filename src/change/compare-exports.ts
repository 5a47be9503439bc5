/**
 * What changed in the lists of exports and re-exports of a file. Keywords at declarations are
 * changes of the declarations.
 */
import { F, WHOLE_MODULE, type ExportEntry, type Summary } from '../syntax/summary.js';
import type { AtomicChange, Detail, Label } from './atomic-change.js';
import type { FileVersion, Version } from './version.js';

const sourceOf = ({ local, module }: ExportEntry): string => `${local}\0${module ?? ''}`;
const keyOf = (entry: ExportEntry): string => `${entry.name}\0${sourceOf(entry)}`;

/** Entries of lists that pass on what is declared elsewhere, or here without the keyword or under another name. */
function listed({ summary }: Version): readonly ExportEntry[] {
  return summary.exports.filter(
    ({ name, local, module }) =>
      module !== undefined ||
      name !== local ||
      ownDecls(summary, local).some((decl) => !summary.decls.has(decl, F.exported)),
  );
}

/** Whether the entry, or its list, passes the name on as that of a type and of no value. */
function isTypeAlone({ text }: Version, { start }: ExportEntry): boolean {
  const list = text.lastIndexOf('{', start);
  const isInList = list >= 0 && !text.slice(list, start).includes('}');
  return (
    isInList &&
    (/\btype\s*$/u.test(text.slice(Math.max(0, list - 40), list)) || /^type\s+[\w$]/u.test(text.slice(start)))
  );
}

/** What a file declares or imports at its top under a name. */
export function ownDecls(summary: Summary, name: string): number[] {
  const row = summary.idOf(name);
  return row < 0 ? [] : [...summary.decls.inScope(0, row)];
}

/** What a language calls the export that has no name of its own: the default, and the module as a whole. */
export const isDefaultName = (name: string): boolean => name === 'default' || name === WHOLE_MODULE;

/** The name by which a declaration that had none outside is exported at its keyword now. */
function keywordName({ summary }: Version, { name, local, module }: ExportEntry): string | undefined {
  if (!isDefaultName(name) || module !== undefined) return undefined;
  return ownDecls(summary, local).some((decl) => summary.decls.has(decl, F.exported)) ? local : undefined;
}

/**
 * One change for each entry that came, went, or has another name outside; `after` is undefined for a file that is gone.
 */
export function compareExports(before: FileVersion, after: FileVersion | undefined): AtomicChange[] {
  const make = (label: Label, detail: Detail['export']): AtomicChange => ({
    label,
    before: { file: before.file, decl: -1 },
    ...(after === undefined ? {} : { after: { file: after.file, decl: -1 } }),
    file: after?.file ?? before.file,
    block: '<module>',
    kind: 'import',
    detail: detail === undefined ? {} : { export: detail },
  });
  const now = after === undefined ? [] : listed(after);
  // What is gone itself is a change of its own.
  const old = listed(before).filter(
    ({ local, module }) => module !== undefined || (after !== undefined && ownDecls(after.summary, local).length > 0),
  );
  const [oldKeys, newKeys] = [new Set(old.map(keyOf)), new Set(now.map(keyOf))];
  const come = now.filter(
    (entry) =>
      !oldKeys.has(keyOf(entry)) && !before.summary.exports.some(({ name }) => name === entry.name && name !== '*'),
  );
  const changes = old
    .filter((entry) => !newKeys.has(keyOf(entry)))
    .map((entry) => {
      const again = come.find((other) => sourceOf(other) === sourceOf(entry));
      if (again === undefined) {
        const newName = after === undefined ? undefined : keywordName(after, entry);
        return newName === undefined ? make('DI', { name: entry.name }) : make('MI', { name: entry.name, newName });
      }
      come.splice(come.indexOf(again), 1);
      return make('MI', { name: entry.name, newName: again.name });
    });
  const stays = old.filter((entry) => newKeys.has(keyOf(entry)) && !isTypeAlone(before, entry));
  const types = after === undefined ? [] : now.filter((entry) => isTypeAlone(after, entry)).map(keyOf);
  return [
    ...changes,
    ...come.map((entry) => make('AI', { name: entry.name })),
    ...stays
      .filter((entry) => types.includes(keyOf(entry)))
      .map((entry) => make('MI', { name: entry.name, isTypeAlone: true })),
  ];
}
