/**
 * Functions that somebody calls without naming them, who knows their signature: the language, a test
 * runner, a decorator, a base class from outside.
 */
import type { Resolver } from '../../../graph/resolve/resolver.js';
import type { DeclRef } from '../../../languages/language.js';
import { D } from '../../../syntax/summary.js';
import { mayServeOutside } from './outside-member.js';
import { isTestName } from '../../../languages/test-name.js';

/** In words, who that may be; undefined for nobody. A constructor is called by whoever names its class. */
export function unseenCallerOf(after: Resolver, { file, decl }: DeclRef): string | undefined {
  const summary = after.summary(file);
  const { decls, exprs } = summary;
  const language = after.language(file);
  const name = summary.decls.nameOf(decl);
  const isConstructor = decls.kindOf(decl) === D.constructor;
  if (!isConstructor && (/^__\w+__$/.test(name) || language.library.objectMembers.has(name)))
    return `the language calls ${name}`;
  if (isTestName(name)) return `a test runner calls ${name}`;
  const wraps =
    language.writing.async?.decoratorsWrap === true
      ? decls.decoratorsOf(decl).find((row) => language.writing.async?.plainDecorators.has(exprs.nameOf(row)) !== true)
      : undefined;
  if (wraps !== undefined) return `${name} has a decorator that may call it`;
  return mayServeOutside(after, { file, decl }) ? `${name} may be what a base class from outside calls` : undefined;
}
