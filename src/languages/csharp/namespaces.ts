/**
 * What stands outside types: namespaces, usings, attributes of the assembly.
 *
 * A namespace is a declaration with its name as written (`A.B`) and a scope, and no level of
 * block names. A file-scoped one holds everything after it. Each using becomes an import entry
 * (an alias of a tuple or array a type alias), and all parts of its name are rows.
 */
import { D, E, R, S } from '../../syntax/summary.js';
import { attributesOf } from './attributes.js';
import { T } from './kinds.js';
import { typeRow } from './types.js';
import type { Handler, Walk } from './walk.js';

/** The walk of a namespace's own part; its name is one text, blanks and comments left out. */
function namespaceDeclaration(w: Walk, node: number, scope: number, end: number, bodyStart: number): number {
  const { build } = w;
  const name = w.inField(node, w.kinds.fields.name);
  const decl = build.decl({
    kind: D.namespace,
    name: name === -1 ? '' : dottedName(w, name),
    nameStart: name === -1 ? -1 : w.start(name),
    start: w.start(node),
    end,
    bodyStart,
    scope,
    parent: build.scopeBlock(scope),
  });
  const inner = build.scope(S.namespace, scope, decl, build.scopeBlock(scope));
  build.set(decl, 'inner', inner);
  return inner;
}

function dottedName(w: Walk, node: number): string {
  const parts: string[] = [];
  for (let i = node; i < (w.tree.skip[node] as number); i++) if (w.tag(i) === T.identifier) parts.push(w.name(i));
  return parts.join('.');
}

const namespaceBlock: Handler = (w, node, scope) => {
  const body = w.inField(node, w.kinds.fields.body);
  const inner = namespaceDeclaration(w, node, scope, w.end(node), body === -1 ? w.end(node) : w.start(body));
  return body === -1 ? -1 : w.visitChildren(body, inner);
};

/** The file, or a part of it: children after a file-scoped namespace are in its scope. */
export const compilationUnit: Handler = (w, node, scope) => {
  let inner = scope;
  let from = -1;
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    const tag = w.tag(c);
    if (w.counts(c)) {
      if (tag === T.file_scoped_namespace_declaration) inner = namespaceDeclaration(w, c, scope, w.end(node), w.end(c));
      else {
        w.pendingDoc = from;
        w.visit(c, inner);
      }
      from = -1;
    } else if (tag === T.comment) {
      if (from === -1 && w.isDocComment(c)) from = c;
    } else if (tag === T.ERROR) w.visit(c, inner);
  }
  w.pendingDoc = -1;
  return -1;
};

/** Using directives. Those of a whole namespace or of a type's static members import no one name, so their entries have no row. */
const using: Handler = (w, node, scope) => {
  const { build } = w;
  const alias = w.inField(node, w.kinds.fields.name);
  const target = w.lastNamed(node);
  if (target === -1 || target === alias) return -1;
  const path = dottedPath(w, target);
  if (alias !== -1 && path === '') return typeAlias(w, node, alias, target, scope);
  const row = typeRow(w, target, scope, R.import);
  const entry = {
    start: w.start(target),
    end: w.end(target),
    statementStart: w.start(node),
    statementEnd: w.end(node),
    moduleStart: w.start(target),
    typeOnly: false,
    global: w.ofTag(node, T.global) !== -1,
  };
  if (alias === -1) {
    const isStatic = w.ofTag(node, T.static) !== -1;
    build.import({
      ...entry,
      kind: isStatic ? 'static' : 'star',
      module: path,
      name: isStatic ? '*' : '',
      decl: -1,
      expr: -1,
    });
    return -1;
  }
  const last = path.lastIndexOf('.');
  const decl = build.decl({
    kind: D.importBinding,
    name: w.name(alias),
    nameStart: w.nameStart(alias),
    start: entry.statementStart,
    end: entry.statementEnd,
    scope,
    parent: build.scopeBlock(scope),
    type: row,
  });
  // Type arguments are around the row of the name.
  const expr = row >= 0 && build.exprOp(row) === E.index ? build.exprA(row) : row;
  build.import({
    ...entry,
    kind: 'name',
    module: path.slice(0, Math.max(0, last)),
    name: path.slice(last + 1),
    decl,
    expr,
  });
  return -1;
};

/** `using X = (A, B);`: an alias of a type without a name of its own. */
function typeAlias(w: Walk, node: number, alias: number, target: number, scope: number): number {
  const { build } = w;
  const decl = build.decl({
    kind: D.typeAlias,
    name: w.name(alias),
    nameStart: w.nameStart(alias),
    start: w.start(node),
    end: w.end(node),
    bodyStart: w.start(target),
    scope,
    parent: build.scopeBlock(scope),
  });
  build.set(decl, 'type', typeRow(w, target, build.scope(S.header, scope, build.scopeOwner(scope), decl)));
  return -1;
}

/** `A.B.C` of a name without aliases (`global::`) and type arguments; '' for any other type. */
function dottedPath(w: Walk, node: number): string {
  const { fields } = w.kinds;
  if (node === -1) return '';
  switch (w.tag(node)) {
    case T.identifier:
      return w.name(node);
    case T.generic_name:
      return dottedPath(w, w.ofTag(node, T.identifier));
    case T.qualified_name: {
      const qualifier = dottedPath(w, w.inField(node, fields.qualifier));
      return `${qualifier}.${dottedPath(w, w.inField(node, fields.name))}`;
    }
    case T.alias_qualified_name: {
      const alias = w.inField(node, fields.alias);
      const name = dottedPath(w, w.inField(node, fields.name));
      return alias === -1 || w.name(alias) === 'global' ? name : `${w.name(alias)}.${name}`;
    }
    default:
      return '';
  }
}

/** `extern alias X;`: a root namespace of another assembly. */
const externAlias: Handler = (w, node, scope) => {
  const { build } = w;
  const name = w.inField(node, w.kinds.fields.name);
  if (name === -1) return -1;
  const span = { start: w.start(node), end: w.end(node) };
  const decl = build.decl({
    kind: D.importBinding,
    name: w.name(name),
    nameStart: w.nameStart(name),
    ...span,
    scope,
    parent: build.scopeBlock(scope),
  });
  build.import({
    kind: 'module',
    module: w.name(name),
    name: '',
    decl,
    expr: -1,
    start: w.start(name),
    end: w.end(name),
    statementStart: span.start,
    statementEnd: span.end,
    moduleStart: w.nameStart(name),
    typeOnly: false,
    global: false,
  });
  return -1;
};

const globalAttribute: Handler = (w, node, scope) => {
  attributesOf(w, node, scope);
  return -1;
};

export const NAMESPACE_HANDLERS: Readonly<Record<number, Handler>> = {
  [T.compilation_unit]: compilationUnit,
  [T.namespace_declaration]: namespaceBlock,
  [T.using_directive]: using,
  [T.extern_alias_directive]: externAlias,
  [T.global_attribute]: globalAttribute,
  [T.attribute_list]: globalAttribute,
};
