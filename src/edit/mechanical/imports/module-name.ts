/**
 * How a file can name the place where a declaration is now, in the style of the import that it had.
 *
 * A name that the file has for that place already goes first; then the language proposes names. The first that leads
 * to the declaration in the edited tree is taken, so that an import which a rewrite makes always resolves.
 */
import { moduleMembers } from '../../../graph/resolve/imports.js';
import { qualifiedName } from '../../../graph/resolve/hierarchy.js';
import type { Resolver } from '../../../graph/resolve/resolver.js';
import type { DeclRef } from '../../../languages/language.js';
import type { Graphs } from '../../../impact/graphs.js';
import { sameDecl } from '../../../syntax/rows.js';

/** The module by whose name `from` can import `target`, or undefined. `like`: the module that it named before. */
export function moduleNameOf(
  graphs: Graphs,
  from: string,
  oldFrom: string,
  target: DeclRef,
  like: string | undefined,
): string | undefined {
  const { after } = graphs;
  const summary = after.summary(target.file);
  const name = summary.decls.nameOf(target.decl);
  const full = qualifiedName(summary, target.decl);
  const space = full.slice(0, Math.max(0, full.length - name.length - 1));
  const request = {
    from,
    target: target.file,
    space,
    like,
    likeTarget: like === undefined ? undefined : fileOf(graphs.before, like, oldFrom),
    repo: after.repo,
  };
  return [...namesInUse(after, from, target.file, like), ...after.language(from).writing.specifiers(request)].find(
    (candidate) => leadsTo(after, from, candidate, name, target),
  );
}

/** Names by which other imports of the file than the one in question list names of the target. */
function namesInUse(resolver: Resolver, from: string, target: string, like: string | undefined): readonly string[] {
  const named = resolver.summary(from).imports.filter(({ kind, module }) => kind === 'name' && module !== like);
  return [...new Set(named.map(({ module }) => module))].filter((module) => fileOf(resolver, module, from) === target);
}

/** The module by whose name `from` can import the file itself. */
export function moduleNameOfFile(
  graphs: Graphs,
  from: string,
  oldFrom: string,
  target: string,
  like: string,
): string | undefined {
  const { after } = graphs;
  const request = {
    from,
    target,
    space: after.summary(target).package,
    like,
    likeTarget: fileOf(graphs.before, like, oldFrom),
    repo: after.repo,
  };
  return [...namesInUse(after, from, target, like), ...after.language(from).writing.specifiers(request)].find(
    (candidate) => fileOf(after, candidate, from) === target,
  );
}

/** The file that a module's name means in `from`, if it means one. */
export function fileOf(resolver: Resolver, module: string, from: string): string | undefined {
  if (!resolver.repo.hasFile(from)) return undefined;
  for (const entity of resolver.language(from).resolveModule(module, from, resolver))
    if (entity.kind === 'module') return entity.file;
  return undefined;
}

function leadsTo(resolver: Resolver, from: string, module: string, name: string, target: DeclRef): boolean {
  return moduleMembers(resolver, from, module, name).some(
    (entity) => entity.kind === 'decl' && sameDecl(entity, target),
  );
}
