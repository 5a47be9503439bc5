/**
 * What stands outside types: namespaces, usings, attributes of the assembly.
 *
 * A namespace is a declaration with its name as written (`A.B`) and a scope, and no level of
 * block names. A file-scoped one holds everything after it. Each using becomes an import entry
 * (an alias of a tuple or array a type alias), and all parts of its name are rows.
 */
import { D, E, R, S } from '../../syntax/summary.js';
import { attributesOf } from './attributes.js';
import { FIELD, K } from './kinds.js';
import type { Handler, Table, Walk } from './walk.js';

/** The walk of a namespace's own part; its name is one text, blanks and comments left out. */
function namespaceDeclaration(w: Walk, node: number, scope: number, end: number, bodyStart: number): number {
  const { build } = w;
  const name = w.child(node, FIELD.name);
  const decl = w.declare(D.namespace, -1, node, scope, {
    name: name === -1 ? '' : dottedName(w, name),
    nameStart: name === -1 ? -1 : w.start(name),
    end,
    bodyStart,
  });
  const inner = build.scope(S.namespace, scope, decl, build.scopeBlock(scope));
  build.set(decl, 'inner', inner);
  return inner;
}

function dottedName(w: Walk, node: number): string {
  const parts: string[] = [];
  for (let i = node; i < w.after(node); i++) if (w.kind(i) === K.identifier) parts.push(w.nameOf(i));
  return parts.join('.');
}

const namespaceBlock: Handler = (w, node, scope) => {
  const body = w.child(node, FIELD.body);
  const inner = namespaceDeclaration(w, node, scope, w.end(node), body === -1 ? w.end(node) : w.start(body));
  return body === -1 ? -1 : w.lastOf(body, inner);
};

/** The file, or a part of it: what stands after a file-scoped namespace is in its scope. */
const compilationUnit: Handler = (w, node, scope) => {
  unitPart(w, node, scope, w.end(node));
  return -1;
};

/**
 * What stands in the file, or in a condition around parts of it (`#if`): whole files stand in one, their namespace
 * with them. Gives the scope of what comes after; where branches have namespaces of their own, that of the first.
 */
function unitPart(w: Walk, node: number, scope: number, end: number): number {
  let inner = scope;
  for (let c = w.firstCode(node); c !== -1; c = w.nextCode(c)) {
    if (w.field(c) === FIELD.condition) continue;
    switch (w.kind(c)) {
      case K.file_scoped_namespace_declaration:
        inner = namespaceDeclaration(w, c, scope, end, w.end(c));
        break;
      case K.preproc_if:
        inner = conditionalPart(w, c, inner, end);
        break;
      case K.preproc_elif:
      case K.preproc_else: {
        const other = conditionalPart(w, c, scope, end);
        if (inner === scope) inner = other;
        break;
      }
      default:
        w.visit(c, inner);
    }
  }
  return inner;
}

function conditionalPart(w: Walk, node: number, scope: number, end: number): number {
  let inner = scope;
  w.nested(node, scope, () => {
    inner = unitPart(w, node, scope, end);
    return -1;
  });
  return inner;
}

/**
 * A file that could not be parsed at all is an ERROR at the root, with namespaces and types as far as they are whole.
 */
const error: Handler = (w, node, scope, role) =>
  node === 0 ? compilationUnit(w, node, scope, role) : w.lastOf(node, scope);

/**
 * Using directives. Those of a whole namespace or of a type's static members import no one name, so their entries have
 * no row.
 */
const using: Handler = (w, node, scope) => {
  const { build } = w;
  const alias = w.child(node, FIELD.name);
  const target = w.last(node);
  if (target === -1 || target === alias) return -1;
  const path = dottedPath(w, target);
  if (alias !== -1 && path === '') return typeAlias(w, node, alias, target, scope);
  const row = w.type(target, scope, R.import);
  const entry = {
    start: w.start(target),
    end: w.end(target),
    statementStart: w.start(node),
    statementEnd: w.end(node),
    moduleStart: w.start(target),
    typeOnly: false,
    global: w.has(node, K.global),
  };
  if (alias === -1) {
    const isStatic = w.has(node, K.static);
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
  const decl = w.declare(D.importBinding, alias, node, scope, { type: row });
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
  const decl = w.declare(D.typeAlias, alias, node, scope, { body: target });
  build.set(decl, 'type', w.type(target, w.headerScope(scope, decl)));
  return -1;
}

/** `A.B.C` of a name without aliases (`global::`) and type arguments; '' for any other type. */
function dottedPath(w: Walk, node: number): string {
  if (node === -1) return '';
  switch (w.kind(node)) {
    case K.identifier:
      return w.nameOf(node);
    case K.generic_name:
      return dottedPath(w, w.childOf(node, K.identifier));
    case K.qualified_name: {
      const qualifier = dottedPath(w, w.child(node, FIELD.qualifier));
      return `${qualifier}.${dottedPath(w, w.child(node, FIELD.name))}`;
    }
    case K.alias_qualified_name: {
      const alias = w.child(node, FIELD.alias);
      const name = dottedPath(w, w.child(node, FIELD.name));
      return alias === -1 || w.nameOf(alias) === 'global' ? name : `${w.nameOf(alias)}.${name}`;
    }
    default:
      return '';
  }
}

/** `extern alias X;`: a root namespace of another assembly. */
const externAlias: Handler = (w, node, scope) => {
  const { build } = w;
  const name = w.child(node, FIELD.name);
  if (name === -1) return -1;
  const span = { start: w.start(node), end: w.end(node) };
  const decl = w.declare(D.importBinding, name, node, scope);
  build.import({
    kind: 'module',
    module: w.nameOf(name),
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

export const NAMESPACES: Table = {
  ERROR: error,
  compilation_unit: compilationUnit,
  namespace_declaration: namespaceBlock,
  using_directive: using,
  extern_alias_directive: externAlias,
  global_attribute: globalAttribute,
  attribute_list: globalAttribute,
};
