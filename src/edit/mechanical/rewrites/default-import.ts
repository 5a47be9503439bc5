/**
 * What a file exported as its default, or as the whole of it, has a name outside now: `import Store from './store'`
 * becomes `import { Store } from './store'`. The name that the import binds stays, and with it all uses.
 *
 * Refused where the statement imports the module as a whole besides.
 */
import type { AtomicChange } from '../../../change/atomic-change.js';
import { isDefaultName } from '../../../change/compare-exports.js';
import type { ImportEntry } from '../../../syntax/summary.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';

export const defaultImport: Rewrite = {
  id: 'default-import',
  does: 'imports by its name what a file exported as its default',
  rewrite({ site, summary, text, graphs }: RewriteSite): RewriteResult | undefined {
    const name = nameNow(site.cause, graphs.after);
    const entry = summary.imports.find((each) => each.expr >= 0 && each.expr === site.expr);
    if (name === undefined || entry === undefined || entry.decl < 0 || !isDefaultName(entry.name)) return undefined;
    const binding = summary.decls.nameOf(entry.decl);
    const listed = binding === name ? name : `${name} as ${binding}`;
    const edit = editOf(text, entry, listed);
    return edit === undefined
      ? { cannot: `${name} has to be imported by its name, beside the module as a whole`, needs: 'person' }
      : { edits: [edit] };
  },
};

/** The name outside of what was the default; undefined where the change is another one. */
function nameNow(cause: AtomicChange, after: RewriteSite['graphs']['after']): string | undefined {
  const { export: list, modifiers } = cause.detail;
  if (list !== undefined) return isDefaultName(list.name) ? list.newName : undefined;
  if (modifiers?.removed.includes('default') !== true || cause.after === undefined) return undefined;
  const { file, decl } = cause.after;
  const name = after.summary(file).decls.nameOf(decl);
  const isReached = after
    .exported(file, name)
    .some((entity) => entity.kind === 'decl' && entity.file === file && entity.decl === decl);
  return isReached ? name : undefined;
}

function editOf(
  text: string,
  entry: ImportEntry,
  listed: string,
): { start: number; end: number; text: string } | undefined {
  const { start, end, statementStart, statementEnd } = entry;
  const before = text.slice(statementStart, start);
  if (before.includes('{')) return { start, end, text: listed };
  const rest = text.slice(end, statementEnd);
  const list = /^\s*,\s*\{\s*/u.exec(rest);
  if (list !== null) return { start, end: end + list[0].length, text: `{ ${listed}, ` };
  // `import Store = require('./store')`
  const required = /^\s*=\s*require\s*\(\s*((['"])[^'"\n]*\2)\s*\)/u.exec(rest);
  if (required !== null)
    return { start, end: end + required[0].length, text: `{ ${listed} } from ${required[1] ?? ''}` };
  return /^\s*from\b/u.test(rest) ? { start, end, text: `{ ${listed} }` } : undefined;
}
