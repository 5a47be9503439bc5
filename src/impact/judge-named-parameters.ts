/**
 * Judges functions that are given where an object is expected that can be called, and a parameter of which has another
 * name: who calls that object may say the name.
 *
 *     class Format(Protocol):                       def plain(error): …
 *         def __call__(self, error): …              show: Format = plain
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { expectedWhere } from '../graph/resolve/expected.js';
import { findMember } from '../graph/resolve/hierarchy.js';
import { signatureOf } from '../graph/resolve/signature.js';
import type { Graphs } from './graphs.js';
import { breaks, type JudgedSite, type Verdict } from './verdict.js';

export function givenByName({ detail }: AtomicChange, { file, expr }: JudgedSite, { after }: Graphs): Verdict {
  const { callMember } = after.language(file);
  const renamed = detail.signature?.renamed ?? [];
  if (callMember === undefined || expr < 0 || after.summary(file).exprs.callOf(expr) >= 0) return 'fine';
  for (const value of expectedWhere(after, file, expr)?.values ?? []) {
    if (value.kind !== 'instance') continue;
    for (const member of findMember(after, value, callMember).found) {
      const { params } = signatureOf(after.summary(member.file), member.decl);
      const names = new Set(params.filter((param) => !param.positionalOnly).map(({ name }) => name));
      const named = renamed.find(({ from }) => names.has(from));
      const type = after.summary(value.file).decls.nameOf(value.decl);
      if (named !== undefined) return breaks(`${type} names the parameter ${named.from}`);
    }
  }
  return 'fine';
}
