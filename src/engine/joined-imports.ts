/**
 * Imports that several steps put at one place, as one statement a module.
 *
 *     import { LIMIT } from './key.js';      ->   import { LIMIT, helper } from './key.js';
 *     import { helper } from './key.js';
 */
import type { LayerEdit } from '../edit/layered-text.js';
import { languageById } from '../languages/registry.js';
import type { Summary } from '../syntax/summary.js';

/** One inserted statement that lists names of one module. */
interface Inserted {
  readonly edit: LayerEdit;
  readonly key: string;
  readonly names: readonly string[];
  /** Behind the last name, in the text of the edit. */
  readonly end: number;
}

/**
 * The edits of a file, with insertions joined that differ in the names they list alone. `summarise`: of a text
 * in its language.
 */
export function withJoinedImports(
  edits: readonly LayerEdit[],
  summarise: (text: string) => Summary | undefined,
): LayerEdit[] {
  const joined = new Map<string, Inserted>();
  const out: (LayerEdit | Inserted)[] = [];
  for (const edit of edits) {
    const inserted = insertedBy(edit, summarise);
    const known = inserted === undefined ? undefined : joined.get(inserted.key);
    if (inserted === undefined) out.push(edit);
    else if (known === undefined) {
      joined.set(inserted.key, inserted);
      out.push(inserted);
    } else joined.set(inserted.key, withNames(known, inserted));
  }
  return out.map((one) => ('key' in one ? (joined.get(one.key) ?? one).edit : one));
}

function insertedBy(edit: LayerEdit, summarise: (text: string) => Summary | undefined): Inserted | undefined {
  if (edit.start !== edit.end || edit.text.trim() === '' || edit.text.trim().includes('\n')) return undefined;
  const summary = summarise(edit.text);
  if (summary === undefined || !languageById(summary.language).writing.listsNames) return undefined;
  const [first, ...others] = summary.imports;
  if (first?.kind !== 'name' || summary.errors.length > 0 || first.name === 'default') return undefined;
  const entries = [first, ...others];
  const isOne = entries.every(
    (entry) => entry.statementStart === first.statementStart && entry.kind === 'name' && entry.name !== 'default',
  );
  const rest = edit.text.slice(0, first.statementStart) + edit.text.slice(first.statementEnd);
  if (!isOne || /[^\s;]/.test(rest)) return undefined;
  const end = Math.max(...entries.map((entry) => entry.end));
  const frame = `${edit.text.slice(0, first.start)}\0${edit.text.slice(end)}`;
  return {
    edit,
    key: `${edit.start}\0${frame}`,
    names: entries.map((entry) => edit.text.slice(entry.start, entry.end)),
    end,
  };
}

function withNames(known: Inserted, more: Inserted): Inserted {
  const added = more.names.filter((name) => !known.names.includes(name));
  const put = added.map((name) => `, ${name}`).join('');
  const { edit, end } = known;
  return {
    ...known,
    names: [...known.names, ...added],
    end: end + put.length,
    edit: { ...edit, text: edit.text.slice(0, end) + put + edit.text.slice(end), by: [...edit.by, ...more.edit.by] },
  };
}
