/**
 * What a declaration is called from far away: module, package or namespace, then its path of blocks.
 */
import { qualifiedName } from './hierarchy.js';
import type { Resolver } from './resolver.js';
import type { DeclRef } from '../../languages/language.js';

/** `shop.store.Store.put`, also where a module is its file. */
export function publicName(resolver: Resolver, { file, decl }: DeclRef): string {
  const summary = resolver.summary(file);
  const path = qualifiedName(summary, decl);
  const language = resolver.language(file);
  if (!language.importsFiles) return path;
  const request = { from: file, target: file, space: '', like: undefined, likeTarget: undefined, repo: resolver.repo };
  const module = language.writing.specifiers(request).find((candidate) => !candidate.startsWith('.'));
  return `${module ?? file.replace(/\.\w+$/, '')}.${path}`;
}
