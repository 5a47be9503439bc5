/**
 * Imports that a header needs where it is copied to: of each name in it that means something where
 * it comes from, and nothing at the new place.
 *
 * A name of the repository is imported by where it is declared, one from outside as the header's
 * own file imports it. Where whole namespaces are imported and more than one is missing, which of
 * them brings the name is not known, and nothing is offered.
 */
import { shownName } from '../../../base/shown.js';
import type { TextEdit } from '../../../base/text-edit.js';
import { lookUp } from '../../../graph/resolve/names.js';
import type { Resolver } from '../../../graph/resolve/resolver.js';
import type { DeclRef } from '../../../languages/language.js';
import { D, E, R, type Summary } from '../../../syntax/summary.js';
import { importEdits } from '../../import-merge.js';
import { addImport } from '../imports/add-import.js';
import type { RewriteResult, RewriteSite } from '../rewrite.js';
import { sameDecl } from '../../../syntax/rows.js';

/**
 * Edits of the site's file after which the `words` in the header of `of` mean in `scope` what they mean in their own
 * file.
 */
export function knownNames(
  context: RewriteSite,
  of: DeclRef,
  words: ReadonlySet<string>,
  scope: number,
): readonly TextEdit[] | (RewriteResult & { cannot: string }) {
  const { graphs, block, summary, text, summarise } = context;
  const resolver = graphs.after;
  if (of.file === block.file) return [];
  const from = resolver.summary(of.file);
  const edits: TextEdit[] = [];
  const statements = new Set<string>();
  for (const [name, expr] of namesIn(from, of, words)) {
    const means = resolver.resolve(of.file, expr).targets;
    // A type parameter goes along, or has been filled in.
    if (
      means.some(
        (target) => target.file === of.file && target.decl >= 0 && from.decls.kindOf(target.decl) === D.typeParam,
      )
    )
      continue;
    const here = lookUp(resolver, block.file, summary, scope, name, R.type);
    const unknown = { cannot: `${name} is not known in ${shownName(block.file)}`, needs: 'model' as const };
    const [target] = means;
    if (target !== undefined) {
      if (means.some((one) => here.targets.some((other) => sameDecl(other, one)))) continue;
      const added = here.targets.length > 0 ? unknown : addImport(context, target);
      if ('cannot' in added) return unknown;
      edits.push(
        ...added.edits.filter((edit) => !edits.some((known) => known.start === edit.start && known.text === edit.text)),
      );
      continue;
    }
    if (here.targets.length > 0) return unknown;
    const statement = statementFor(resolver, of.file, block.file, name);
    if (statement === undefined) return unknown;
    if (statement !== '') statements.add(statement);
  }
  if (statements.size === 0) return edits;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const merged = importEdits(
    text,
    summary,
    [...statements].map((statement) => `${statement}\n`).join(''),
    eol,
    summarise,
  );
  return merged.ok ? [...edits, ...merged.edits] : { cannot: merged.reason, needs: 'model' };
}

/** Each of the words that the header names, with the first row that does. */
function namesIn({ decls, exprs }: Summary, { decl }: DeclRef, words: ReadonlySet<string>): Map<string, number> {
  const out = new Map<string, number>();
  for (let expr = 0; expr < exprs.count; expr++) {
    const at = exprs.startOf(expr);
    const name = exprs.nameOf(expr);
    if (
      exprs.opOf(expr) === E.name &&
      exprs.roleOf(expr) !== R.doc &&
      at >= decls.startOf(decl) &&
      at < decls.bodyStartOf(decl) &&
      words.has(name) &&
      !out.has(name)
    )
      out.set(name, expr);
  }
  return out;
}

/**
 * The import of a name from outside that `to` lacks, as `from` has it: '' if it needs none, undefined if that cannot be
 * told.
 */
function statementFor(resolver: Resolver, from: string, to: string, name: string): string | undefined {
  const [own, other] = [resolver.summary(from).imports, resolver.summary(to).imports];
  const { writing } = resolver.language(to);
  const named = own.find((entry) => entry.kind === 'name' && entry.name === name);
  if (named !== undefined) {
    const isThere = other.some(
      (entry) => entry.kind === 'name' && entry.name === name && entry.module === named.module,
    );
    return isThere || other.some((entry) => entry.kind === 'star' && entry.module === named.module)
      ? ''
      : writing.importStatement(named.module, name, undefined, undefined);
  }
  if (/^[a-z]/.test(name)) return '';
  const language = resolver.summary(from).language;
  const spacesOf = (imports: Summary['imports']): string[] =>
    [...new Set(imports.filter((entry) => entry.kind === 'star').map((entry) => entry.module))].filter(
      (space) => resolver.repo.filesInPackage(language, space).length === 0,
    );
  const [spaces, known] = [spacesOf(own), spacesOf(other)];
  const missing = spaces.filter((space) => !known.includes(space));
  const [space, ...more] = missing;
  return space === undefined
    ? ''
    : more.length > 0
      ? undefined
      : writing.importStatement(space, '*', undefined, undefined);
}
