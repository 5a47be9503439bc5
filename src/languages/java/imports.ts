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
import { FIELD, K } from './kinds.js';
import { annotationRows } from './modifiers.js';
import type { Handler, Table, Walk } from './walk.js';

const packageDeclaration: Handler = (w, node, scope) => {
  const { build } = w;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (w.kind(c) === K.identifier || w.kind(c) === K.scoped_identifier) {
      build.package = dotted(w, c);
      qualifiedName(w, c, scope, R.declares, R.declares);
    } else if (w.isPart(c)) w.visit(c, scope);
  }
  return -1;
};

/** Text of a dotted name without blanks and comments. */
function dotted(w: Walk, node: number): string {
  const text = w.textOf(node);
  return /^[\w.$]*$/.test(text)
    ? text
    : parts(w, node)
        .map((part) => w.textOf(part))
        .join('.');
}

/** The identifiers of a dotted name, in order. */
function parts(w: Walk, node: number): number[] {
  const out: number[] = [];
  for (let n = node; n < w.after(node); n++) if (w.kind(n) === K.identifier) out.push(n);
  return out;
}

const importDeclaration: Handler = (w, node, scope) => {
  const { build } = w;
  const path = w.first(node);
  if (path === -1 || (w.kind(path) !== K.identifier && w.kind(path) !== K.scoped_identifier))
    return w.children(node, scope);
  const isStatic = w.has(node, K.static);
  const star = w.childOf(node, K.asterisk);
  const last = star === -1 && w.kind(path) === K.scoped_identifier ? w.last(path) : path;
  const qualifier = star !== -1 ? path : last === path ? -1 : w.first(path);
  if (star === -1 && !w.isPresent(last)) return w.children(node, scope);
  const module = qualifier === -1 ? '' : dotted(w, qualifier);
  if (module.startsWith('java.lang.reflect') || module === 'java.lang.invoke') w.state.reflective = true;
  const start = w.start(path);
  const end = star === -1 ? w.end(path) : w.end(star);
  const chain = namesType(module) ? qualifiedName(w, path, scope, R.import, R.import) : -1;
  let name = '*';
  let decl = -1;
  let expr = -1;
  if (star === -1) {
    name = w.textOf(last);
    decl = w.declare(D.importBinding, last, path, scope);
    expr = chain === -1 ? w.nameRow(last, scope, R.import) : chain;
    if (isStatic) w.state.constants.add(name);
  }
  build.import({
    kind: isStatic ? 'static' : star === -1 ? 'name' : 'star',
    module,
    name,
    decl,
    expr,
    start,
    end,
    statementStart: w.start(node),
    statementEnd: w.end(node),
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

const moduleDeclaration: Handler = (w, node, scope) => {
  annotationRows(w, node, scope);
  const name = w.child(node, FIELD.name);
  if (name !== -1) qualifiedName(w, name, scope, R.declares, R.declares);
  const body = w.child(node, FIELD.body);
  return body === -1 ? -1 : w.children(body, scope);
};

/** `requires`, `exports`, `opens` name modules and packages; `uses`, `provides` name types. */
const directive =
  (role: typeof R.import | typeof R.type): Handler =>
  (w, node, scope) => {
    for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
      if (w.kind(c) === K.identifier || w.kind(c) === K.scoped_identifier) qualifiedName(w, c, scope, role, R.read);
      else if (w.isPart(c)) w.visit(c, scope);
    }
    return -1;
  };

export const IMPORTS: Table = {
  package_declaration: packageDeclaration,
  import_declaration: importDeclaration,
  module_declaration: moduleDeclaration,
  requires_module_directive: directive(R.import),
  exports_module_directive: directive(R.import),
  opens_module_directive: directive(R.import),
  uses_module_directive: directive(R.type),
  provides_module_directive: directive(R.type),
};
