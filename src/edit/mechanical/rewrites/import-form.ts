/**
 * The form of an import changed: `import store` became `from store import Store`, so
 * `store.Store()` in the file becomes `Store()`; and back.
 *
 * Refused where the shorter name already means something at the use, and where the import does not
 * list what is used.
 */
import { lookUp } from '../../../graph/resolve/names.js';
import { E, type ImportEntry, type Summary } from '../../../syntax/summary.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';
import { mentionEdit } from '../names/shorthand.js';

export const importForm: Rewrite = {
  id: 'import-form',
  does: 'names what a file imports as the new form of the import has it: by its module, or alone',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { site, summary } = context;
    const old = site.cause.detail.import;
    if (
      site.cause.label !== 'DI' ||
      old === undefined ||
      old.binding === '' ||
      site.expr < 0 ||
      summary.exprs.opOf(site.expr) !== E.name
    )
      return undefined;
    const entries = summary.imports.filter((entry) => entry.module === old.module && entry.decl >= 0);
    const whole = entries.find((entry) => entry.kind === 'module' && entry.name === '');
    if (old.name !== '' && whole !== undefined) return byModule(context, old, whole);
    const listed = entries.filter((entry) => entry.kind === 'name');
    return old.name === '' && listed.length > 0 ? alone(context, listed) : undefined;
  },
};

/** `Store` to `store.Store`. */
function byModule(
  { summary, text, site }: RewriteSite,
  old: { readonly name: string; readonly binding: string },
  entry: ImportEntry,
): RewriteResult | undefined {
  if (text.slice(summary.exprs.startOf(site.expr), summary.exprs.endOf(site.expr)) !== old.binding) return undefined;
  return {
    edits: [mentionEdit(summary, site.expr, { from: old.binding, to: `${throughModule(summary, entry)}.${old.name}` })],
  };
}

/**
 * How a module that is imported as a whole is named: `import a.b` binds `a`, and what is in the module is reached by
 * its whole name.
 */
export function throughModule(summary: Summary, entry: ImportEntry): string {
  const binding = summary.decls.nameOf(entry.decl);
  return entry.module.startsWith(`${binding}.`) ? entry.module : binding;
}

/** `store.Store` to `Store`. */
function alone(
  { graphs, block, summary, site }: RewriteSite,
  listed: readonly ImportEntry[],
): RewriteResult | undefined {
  const { exprs } = summary;
  const used = memberOf(summary, site.expr, listed[0]?.module ?? '');
  if (used === undefined)
    return { cannot: 'the module itself is used here, and nothing imports it any more', needs: 'model' };
  const name = exprs.nameOf(used);
  const entry = listed.find((candidate) => candidate.name === name);
  if (entry === undefined) return { cannot: `the import does not list ${name}`, needs: 'person' };
  const binding = summary.decls.nameOf(entry.decl);
  const found = lookUp(graphs.after, block.file, summary, exprs.scopeOf(site.expr), binding, exprs.roleOf(used));
  const means = graphs.after
    .topLevel(block.file, binding)
    .flatMap((entity) => (entity.kind === 'decl' ? [`${entity.file} ${entity.decl}`] : []));
  if (found.targets.some((target) => !means.includes(`${target.file} ${target.decl}`)))
    return { cannot: `${binding} means something else here`, needs: 'person' };
  return { edits: [{ start: exprs.startOf(site.expr), end: exprs.endOf(used), text: binding }] };
}

/** The row of what is taken from the module at this mention of it; the module may be named by a dotted path. */
function memberOf({ exprs }: Summary, first: number, module: string): number | undefined {
  const path = module.split('.').filter((part) => part !== '');
  let row = first;
  const next = (): number => exprs.wholeBy(row, E.member);
  const parts = exprs.nameOf(first) === path[0] ? path.slice(1) : [];
  for (const part of parts) {
    const member = next();
    if (member < 0 || exprs.nameOf(member) !== part) break;
    row = member;
  }
  const used = next();
  return used < 0 ? undefined : used;
}
