/**
 * A default import of what has a name of its own now, where members of it may have become names beside it:
 *
 *     import run from 'run'            ->   import { run, runSync } from 'run'
 *     run('a'); run.sync('b')               run('a'); runSync('b')
 *
 * All uses in the file are looked at together, so that the import lists what they say once they have followed. A member
 * `sync` of `run` is taken for the name `sync` or `runSync` where the module offers one of the two, and has that take
 * the call.
 */
import type { TextEdit } from '../../../base/text-edit.js';
import type { Entity } from '../../../languages/language.js';
import { callOf } from '../../../graph/resolve/names.js';
import { fit, signatureOf } from '../../../graph/resolve/signature.js';
import { usesOfBinding } from '../../../impact/related.js';
import { E, isClassLike, isFunctionLike, R, type ImportEntry } from '../../../syntax/summary.js';
import { otherMeaning } from '../names/name-collision.js';
import type { RewriteSite } from '../rewrite.js';
import { fileOf } from './module-name.js';

export interface NamedParts {
  /** Entries of the import's list. */
  readonly listed: readonly string[];
  /** By the row that says the binding: how the use goes on, undefined where it reads as before. */
  readonly uses: ReadonlyMap<number, TextEdit | undefined>;
}

/** `name`: what was the module's default has it now. */
export function namedParts(context: RewriteSite, entry: ImportEntry, name: string): NamedParts {
  const { graphs, block, summary } = context;
  const { exprs, decls } = summary;
  const binding = decls.nameOf(entry.decl);
  const own = binding === name ? name : `${name} as ${binding}`;
  const listed = new Set<string>();
  const uses = new Map<number, TextEdit | undefined>();
  for (const { expr } of usesOfBinding(graphs.after, block.file, binding)) {
    if (exprs.roleOf(expr) === R.import || exprs.roleOf(expr) === R.doc) continue;
    const member = exprs.wholeBy(expr, E.member);
    const part = member < 0 ? undefined : partNamed(context, entry, name, { expr, member });
    uses.set(
      expr,
      part === undefined ? undefined : { start: exprs.startOf(expr), end: exprs.endOf(member), text: part },
    );
    if (part === undefined) listed.add(own);
    else if (!isListed(context, entry, part)) listed.add(part);
  }
  return {
    listed: listed.size === 0 ? [own] : [...listed].sort((a, b) => Number(b === own) - Number(a === own)),
    uses,
  };
}

/** Whether what the module offers under the name can be called as it is at the row; not asked where nothing is. */
export function takesCall(
  { graphs: { after }, summary }: RewriteSite,
  offered: readonly Entity[],
  row: number,
): boolean {
  const call = callOf(summary, row);
  const targets = offered.flatMap((entity) => (entity.kind === 'decl' ? [entity] : []));
  if (call < 0) return targets.length > 0;
  return targets.some(({ file, decl }) => {
    const there = after.summary(file);
    return (
      !isFunctionLike(there.decls.kindOf(decl)) ||
      fit(signatureOf(there, decl), summary.exprs.argumentsOf(call), false).fits
    );
  });
}

/** The one name of the module that a member of its former default is now. */
function partNamed(
  context: RewriteSite,
  entry: ImportEntry,
  name: string,
  { expr, member }: { readonly expr: number; readonly member: number },
): string | undefined {
  const { graphs, block, summary, text } = context;
  const { exprs } = summary;
  const { after } = graphs;
  const module = fileOf(after, entry.module, block.file);
  const written = text.slice(exprs.startOf(expr), exprs.endOf(member));
  if (module === undefined || !/^[\p{L}\p{N}_$]+\s*\.\s*[\p{L}\p{N}_$]+$/u.test(written)) return undefined;
  const said = exprs.nameOf(member);
  if (after.exported(module, name).some((entity) => isClassWith(context, entity, said))) return undefined;
  const found = [said, name + said.slice(0, 1).toUpperCase() + said.slice(1)].filter((candidate) =>
    takesCall(context, after.exported(module, candidate), member),
  );
  const [part, ...others] = found;
  if (part === undefined || others.length > 0) return undefined;
  const other = otherMeaning(after, block.file, exprs.scopeOf(member), part, exprs.roleOf(member), undefined);
  return other === undefined || isListed(context, entry, part) ? part : undefined;
}

const isClassWith = ({ graphs: { after } }: RewriteSite, entity: Entity, member: string): boolean =>
  entity.kind === 'decl' &&
  isClassLike(after.summary(entity.file).decls.kindOf(entity.decl)) &&
  after.member(entity, member).length > 0;

/** Whether the file imports the name of the module under itself already. */
const isListed = ({ summary: { imports, decls } }: RewriteSite, { module }: ImportEntry, name: string): boolean =>
  imports.some(
    (other) => other.module === module && other.name === name && other.decl >= 0 && decls.nameOf(other.decl) === name,
  );
