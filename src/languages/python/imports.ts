/**
 * Import statements.
 *
 * A binding that an import makes is an `importBinding` declaration in the scope of the
 * statement. `import a.b.c` binds `a`; its entry's span is the dotted name alone.
 */
import { D, R } from '../../syntax/summary.js';
import { FIELD, K } from './kinds.js';
import type { Walk } from './walk.js';

/**
 * Modules whose names mean something to extraction: casts, `Self`, dynamic imports, expected exceptions, copies, what
 * makes entries and results by a function.
 */
const KNOWN_MODULES =
  /^(?:typing|typing_extensions|importlib|builtins|pytest|dataclasses|copy|attrs?|collections|functools|itertools)(?:\.|$)/;

interface Statement {
  readonly start: number;
  readonly end: number;
  readonly scope: number;
}

export function importStatement(w: Walk, node: number, scope: number): void {
  const statement: Statement = { start: w.start(node), end: w.end(node), scope };
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    const isAliased = w.kind(c) === K.aliased_import;
    const name = isAliased ? w.child(c, FIELD.name) : c;
    const alias = isAliased ? w.child(c, FIELD.alias) : -1;
    if (name === -1 || w.kind(name) !== K.dotted_name || !w.isPresent(name)) continue;
    const module = dottedText(w, name);
    const bound = alias !== -1 ? alias : w.first(name);
    if (bound === -1) continue;
    w.markNames(name);
    const decl = bind(w, bound, c, module);
    if (alias !== -1 || !module.includes('.')) note(w, w.textOf(bound), module);
    w.build.import({
      kind: 'module',
      module,
      name: '',
      decl,
      expr: -1,
      start: w.start(c),
      end: w.end(c),
      statementStart: statement.start,
      statementEnd: statement.end,
      moduleStart: w.start(name),
      typeOnly: false,
      global: false,
    });
  }
}

/** `from m import a, b as c`, `from __future__ import x`. */
export function importFromStatement(w: Walk, node: number, scope: number): void {
  const statement: Statement = { start: w.start(node), end: w.end(node), scope };
  const isFuture = w.kind(node) === K.future_import_statement;
  const moduleNode = isFuture ? -1 : w.child(node, FIELD.module_name);
  if (moduleNode !== -1) w.markNames(moduleNode);
  const module = isFuture ? '__future__' : moduleNode === -1 ? '' : dottedText(w, moduleNode);
  const moduleStart =
    moduleNode === -1 ? Math.max(statement.start, w.text.indexOf('__future__', statement.start)) : w.start(moduleNode);
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (c === moduleNode) continue;
    const kind = w.kind(c);
    if (kind === K.wildcard_import) {
      w.build.import({
        kind: 'star',
        module,
        name: '',
        decl: -1,
        expr: -1,
        start: w.start(c),
        end: w.end(c),
        statementStart: statement.start,
        statementEnd: statement.end,
        moduleStart,
        typeOnly: false,
        global: false,
      });
      continue;
    }
    const name = kind === K.aliased_import ? w.child(c, FIELD.name) : c;
    const alias = kind === K.aliased_import ? w.child(c, FIELD.alias) : -1;
    const imported = name === -1 || w.kind(name) !== K.dotted_name ? -1 : w.first(name);
    if (imported === -1 || !w.isPresent(imported)) continue;
    const expr = w.nameRow(imported, scope, R.import);
    const decl = bind(w, alias !== -1 ? alias : imported, c, `${module}.${w.textOf(imported)}`);
    w.build.import({
      kind: 'name',
      module,
      name: w.textOf(imported),
      decl,
      expr,
      start: w.start(c),
      end: w.end(c),
      statementStart: statement.start,
      statementEnd: statement.end,
      moduleStart,
      typeOnly: false,
      global: false,
    });
  }
}

function bind(w: Walk, nameNode: number, entry: number, imports: string): number {
  const name = w.textOf(nameNode);
  const into = w.state.frame.elsewhere?.get(name) ?? w.state.frame.scope;
  const decl = w.declare(D.importBinding, nameNode, entry, into);
  w.state.remember(into, name, decl);
  note(w, name, imports);
  return decl;
}

function note(w: Walk, name: string, imports: string): void {
  if (KNOWN_MODULES.test(imports)) w.state.imported.set(name, imports);
}

/** A dotted or relative name without blanks and line continuations. */
function dottedText(w: Walk, node: number): string {
  return w.textOf(node).replace(/[^\p{L}\p{N}_.]+/gu, '');
}
