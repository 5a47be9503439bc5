/**
 * Which imports of a file came, went, or bind another name now.
 */
import { type ImportEntry, type Summary } from '../syntax/summary.js';
import type { AtomicChange, Detail, Label } from './atomic-change.js';
import type { FileVersion } from './version.js';

export function compareImports(before: FileVersion, after: FileVersion): AtomicChange[] {
  const oldKeys = new Set(before.summary.imports.map((entry) => keyOf(before.summary, entry)));
  const newKeys = new Set(after.summary.imports.map((entry) => keyOf(after.summary, entry)));
  const gone = before.summary.imports.filter((entry) => !newKeys.has(keyOf(before.summary, entry)));
  const come = after.summary.imports.filter((entry) => !oldKeys.has(keyOf(after.summary, entry)));
  const changes: AtomicChange[] = [];
  const make = (label: Label, detail: NonNullable<Detail['import']>): AtomicChange => ({
    label,
    before: { file: before.file, decl: -1 },
    after: { file: after.file, decl: -1 },
    file: after.file,
    block: '<module>',
    kind: 'import',
    detail: { import: detail },
  });
  for (const entry of gone) {
    const again = come.find(
      (other) => other.module === entry.module && other.name === entry.name && other.kind === entry.kind,
    );
    const detail = { module: entry.module, name: entry.name, binding: bindingOf(before.summary, entry) };
    if (again === undefined) changes.push(make('DI', detail));
    else {
      changes.push(make('MI', { ...detail, newBinding: bindingOf(after.summary, again) }));
      come.splice(come.indexOf(again), 1);
    }
  }
  for (const entry of come)
    changes.push(make('AI', { module: entry.module, name: entry.name, binding: bindingOf(after.summary, entry) }));
  return changes;
}

/** The name that an import gives to the file; '' for none. */
const bindingOf = (summary: Summary, entry: ImportEntry): string =>
  entry.decl < 0 ? '' : summary.decls.nameOf(entry.decl);

const keyOf = (summary: Summary, entry: ImportEntry): string =>
  `${entry.kind}\0${entry.module}\0${entry.name}\0${bindingOf(summary, entry)}`;
