/**
 * Package, imports, and module declarations.
 *
 * `import a.b.C` is the module `a.b` and the name `C`, one `name` row. Where a type stands before
 * the last part (`import a.b.Outer.Inner`, static imports, `import a.b.Outer.*`) the whole path is
 * a chain of `member` rows, so that each of its types is a reference. A part counts as a type when
 * it begins with an upper-case letter, as Java's names do by convention.
 *
 * A package declaration and a module's own name are rows with role `declares`: they say where
 * packages are named and refer to nothing.
 */
import { D, R } from '../../syntax/summary.js';
import { qualifiedName } from './annotations.js';
import { annotationRows } from './modifiers.js';
import type { Handler, Walk } from './walk.js';

const packageDeclaration: Handler = (x, node, scope) => {
  const { build, kinds } = x;
  const stop = x.skip(node);
  for (let c = node + 1; c < stop; c = x.skip(c)) {
    if (x.kind(c) === kinds.identifier || x.kind(c) === kinds.scopedIdentifier) {
      build.package = dotted(x, c);
      qualifiedName(x, c, scope, R.declares, R.declares);
    } else if (x.proper(c)) x.walk(c, scope);
  }
  return -1;
};

/** Text of a dotted name without blanks and comments. */
function dotted(x: Walk, node: number): string {
  const text = x.text(node);
  return /^[\w.$]*$/.test(text)
    ? text
    : parts(x, node)
        .map((part) => x.text(part))
        .join('.');
}

/** The identifiers of a dotted name, in order. */
function parts(x: Walk, node: number): number[] {
  const out: number[] = [];
  for (let n = node; n < x.skip(node); n++) if (x.kind(n) === x.kinds.identifier) out.push(n);
  return out;
}

const importDeclaration: Handler = (x, node, scope) => {
  const { build, kinds } = x;
  const path = x.first(node);
  if (path === -1 || (x.kind(path) !== kinds.identifier && x.kind(path) !== kinds.scopedIdentifier))
    return x.parts(node, scope);
  const isStatic = x.childOf(node, kinds.static) !== -1;
  const star = x.childOf(node, kinds.asterisk);
  const last = star === -1 && x.kind(path) === kinds.scopedIdentifier ? x.last(path) : path;
  const qualifier = star !== -1 ? path : last === path ? -1 : x.first(path);
  if (star === -1 && !x.present(last)) return x.parts(node, scope);
  const module = qualifier === -1 ? '' : dotted(x, qualifier);
  if (module.startsWith('java.lang.reflect') || module === 'java.lang.invoke') x.reflective = true;
  const start = x.start(path);
  const end = star === -1 ? x.end(path) : x.end(star);
  const chain = namesType(module) ? qualifiedName(x, path, scope, R.import, R.import) : -1;
  let name = '*';
  let decl = -1;
  let expr = -1;
  if (star === -1) {
    name = x.text(last);
    decl = build.decl({ kind: D.importBinding, name, nameStart: x.start(last), start, end, scope, parent: -1 });
    expr = chain === -1 ? x.name(last, scope, R.import) : chain;
    if (isStatic) x.constants.add(name);
  }
  build.import({
    kind: isStatic ? 'static' : star === -1 ? 'name' : 'star',
    module,
    name,
    decl,
    expr,
    start,
    end,
    statementStart: x.start(node),
    statementEnd: x.end(node),
    moduleStart: start,
    typeOnly: false,
    global: false,
  });
  return -1;
};

/** Whether a part of a dotted name begins with an upper-case letter. */
function namesType(module: string): boolean {
  for (let at = 0; at < module.length; at = module.indexOf('.', at) + 1) {
    const c = module.charAt(at);
    if (c !== c.toLowerCase()) return true;
    if (!module.includes('.', at)) return false;
  }
  return false;
}

const moduleDeclaration: Handler = (x, node, scope) => {
  const { kinds } = x;
  annotationRows(x, node, scope);
  const name = x.child(node, kinds.nameField);
  if (name !== -1) qualifiedName(x, name, scope, R.declares, R.declares);
  const body = x.child(node, kinds.bodyField);
  return body === -1 ? -1 : x.parts(body, scope);
};

/** `requires`, `exports`, `opens` name modules and packages; `uses`, `provides` name types. */
const directive =
  (role: typeof R.import | typeof R.type): Handler =>
  (x, node, scope) => {
    const { kinds } = x;
    const stop = x.skip(node);
    for (let c = node + 1; c < stop; c = x.skip(c)) {
      if (x.kind(c) === kinds.identifier || x.kind(c) === kinds.scopedIdentifier)
        qualifiedName(x, c, scope, role, R.read);
      else if (x.proper(c)) x.walk(c, scope);
    }
    return -1;
  };

export const IMPORTS: readonly (readonly [string, Handler])[] = [
  ['package_declaration', packageDeclaration],
  ['import_declaration', importDeclaration],
  ['module_declaration', moduleDeclaration],
  ['requires_module_directive', directive(R.import)],
  ['exports_module_directive', directive(R.import)],
  ['opens_module_directive', directive(R.import)],
  ['uses_module_directive', directive(R.type)],
  ['provides_module_directive', directive(R.type)],
];
