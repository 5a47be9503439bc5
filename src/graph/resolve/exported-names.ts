/**
 * The names that a file offers to those who import it, as far as it or the files that it passes on whole say them.
 */
import { languageById } from '../../languages/registry.js';
import type { Resolver } from './resolver.js';

/**
 * Names that it may have but does not offer are among them: what they mean is the resolver's to say. Empty for no file.
 */
export function exportedNames(resolver: Resolver, file: string): ReadonlySet<string> {
  const out = new Set<string>();
  const seen = new Set<string>();
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const summary = resolver.repo.summary(next);
    if (seen.has(next) || summary === undefined) continue;
    seen.add(next);
    for (const { name } of summary.exports) if (name !== '*') out.add(name);
    for (let decl = 0; decl < summary.decls.count; decl++)
      if (summary.decls.scopeOf(decl) === 0) out.add(summary.decls.nameOf(decl));
    const whole = [
      ...summary.exports.flatMap(({ name, module }) => (name === '*' && module !== undefined ? [module] : [])),
      ...summary.imports.flatMap(({ kind, module }) => (kind === 'star' ? [module] : [])),
    ];
    for (const module of whole)
      for (const entity of languageById(summary.language).resolveModule(module, next, resolver))
        if (entity.kind === 'module') open.push(entity.file);
  }
  return out;
}
