/**
 * Whether a row that says one name can mean a declaration of another.
 *
 * Every way to a declaration under another name says its own name somewhere (an alias in an import
 * or export, `other = name`), but for default exports, which each importer names as it likes, and
 * names that a language makes of others (`[Foo]` for `FooAttribute`). So while a new name is being
 * typed, and nothing says it yet, no row has to be resolved to know that it does not lead there.
 */
import type { DeclRef } from '../../languages/language.js';
import { R } from '../../syntax/summary.js';
import { isDefaultExport } from './noted-rows.js';
import type { Resolver } from '../resolve/resolver.js';

/** Errs towards true. */
export function canMean(resolver: Resolver, said: string, target: DeclRef): boolean {
  if (target.decl < 0) return true;
  const name = resolver.summary(target.file).decls.nameOf(target.decl);
  return (
    said === name ||
    resolver.language(target.file).decoratorNames?.(said).includes(name) === true ||
    mayHaveOtherNames(resolver, target, name)
  );
}

function mayHaveOtherNames(resolver: Resolver, target: DeclRef, name: string): boolean {
  return resolver.answer<boolean>(
    'other names',
    target.file,
    target.decl,
    true,
    () => isDefaultExport(resolver.summary(target.file), target.decl) || isSaid(resolver, name),
  );
}

/** Whether anything beside declarations says the name. */
function isSaid(resolver: Resolver, name: string): boolean {
  return resolver.repo.filesMentioning(name).some((file) => {
    const summary = resolver.summary(file);
    const row = summary.idOf(name);
    return (
      row >= 0 &&
      summary.exprs
        .named(row)
        .some((expr) => summary.exprs.roleOf(expr) !== R.declares && summary.exprs.roleOf(expr) !== R.doc)
    );
  });
}
