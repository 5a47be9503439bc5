/**
 * C# summaries: that every name is accounted for, what the rows say, that broken text does no
 * harm, and what the hashes take for a change.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csharp } from '#src/languages/csharp/index.js';
import { parserText } from '#src/languages/csharp/parser-text.js';
import { kindOf, type FlatTree } from '#src/syntax/flat-tree.js';
import { D, E, F, isBlockKind, R, type Summary } from '#src/syntax/summary.js';
import { testGrammars } from '../support/grammars.js';
import { BODIES, CONDITIONS, DECLARATIONS, SAMPLES, TOP_LEVEL } from './csharp-samples.js';
import { nameStarts } from '../support/rows.js';

const grammars = await testGrammars();
const parse = (text: string): FlatTree => grammars.parse('csharp', text, parserText(text));
const summarise = (text: string): Summary => csharp.extract(parse(text), 'csharp');

// ---- reading a summary

const declNamed = (s: Summary, path: string, kind?: number): number => {
  for (let d = 0; d < s.decls.count; d++)
    if (s.decls.pathOf(d) === path && (kind === undefined || s.decls.kindOf(d) === kind)) return d;
  throw new Error(`no declaration ${path}`);
};
const flags = (s: Summary, path: string): number => s.decls.flagsOf(declNamed(s, path));
const text = (source: string, s: Summary, expr: number): string =>
  source.slice(s.exprs.startOf(expr), s.exprs.endOf(expr));
const name = (s: Summary, expr: number): string => s.exprs.nameOf(expr);

/** An expression in a few words: `new(Store<Item>)`, `x.Y`, `call(F, 1)`. */
function show(s: Summary, expr: number): string {
  if (expr < 0) return '-';
  const a = s.exprs.operandOf(expr);
  const b = s.exprs.secondOf(expr);
  const list = (): string => [...s.exprs.partsOf(expr)].map((row) => show(s, row)).join(', ');
  switch (s.exprs.opOf(expr)) {
    case E.name:
      return name(s, expr);
    case E.member:
      return `${show(s, a)}.${name(s, expr)}`;
    case E.initializer:
      return `${show(s, a)}{${name(s, expr)}}`;
    case E.string:
      return `"${name(s, expr)}"`;
    case E.literal:
      return name(s, expr);
    case E.index:
      return `${show(s, a)}[${list()}]`;
    case E.call:
      return `${show(s, a)}(${s.exprs
        .argumentsOf(expr)
        .map((arg) => (arg.keyword === '' ? '' : `${arg.keyword}: `) + show(s, arg.expr))
        .join(', ')})`;
    case E.new:
      return `new ${show(s, a)}(${s.exprs
        .argumentsOf(expr)
        .map((arg) => show(s, arg.expr))
        .join(', ')})`;
    case E.array:
      return `${show(s, a)}[]`;
    case E.element:
      return `element(${show(s, a)})`;
    case E.nth:
      return `${show(s, a)}#${b}`;
    case E.await:
      return `await ${show(s, a)}`;
    case E.enter:
      return `enter(${show(s, a)})`;
    case E.cast:
      return `${show(s, a)} as ${show(s, b)}`;
    case E.union:
      return `(${list().replaceAll(', ', ' | ')})`;
    case E.list:
      return `${name(s, expr)}[${list()}]`;
    case E.functionType:
      return `(${list()}) => ${show(s, a)}`;
    case E.classOf:
      return `classOf(${show(s, a)})`;
    case E.this:
      return 'this';
    case E.super:
      return 'base';
    case E.closure:
      return 'closure';
    case E.operator:
      return b < 0 ? `${name(s, expr)}${show(s, a)}` : `${show(s, a)} ${name(s, expr)} ${show(s, b)}`;
    default:
      return '?';
  }
}

const typeOf = (s: Summary, path: string): string => show(s, s.decls.typeOf(declNamed(s, path)));
const valueOf = (s: Summary, path: string): string => show(s, s.decls.valueOf(declNamed(s, path)));
const partsOf = (s: Summary, path: string): string[] =>
  [...s.decls.resultsOf(declNamed(s, path))].map((row) => show(s, row));
const paramsOf = (s: Summary, path: string): string[] =>
  [...s.decls.paramsOf(declNamed(s, path))].map((row) => s.decls.nameOf(row));

/** The named row that stands at a mark in the source. */
function rowAt(source: string, s: Summary, mark: string): { role: number; block: string; shown: string } {
  const at = source.indexOf(mark);
  assert.ok(at >= 0, `no ${mark}`);
  for (let e = 0; e < s.exprs.count; e++) {
    const op = s.exprs.opOf(e);
    if (s.exprs.startOf(e) !== at || (op !== E.name && op !== E.member && op !== E.initializer && op !== E.string))
      continue;
    return { role: s.exprs.roleOf(e), block: s.decls.pathOf(s.scopes.blockOf(s.exprs.scopeOf(e))), shown: show(s, e) };
  }
  throw new Error(`no row at ${mark}`);
}

// ---- the coverage law

/** Identifiers that name no declaration: labels, tuple parts, `global`, symbols of the preprocessor. */
function isExempt(tree: FlatTree, node: number): boolean {
  for (let at = node, depth = 0; at !== 0 && depth < 6; at = tree.parent[at] as number, depth++) {
    const kind = kindOf(tree, at);
    if (
      kind === 'preproc_define' ||
      kind === 'preproc_pragma' ||
      (tree.fieldNames[tree.field[at] as number] === 'condition' &&
        kindOf(tree, tree.parent[at] as number).startsWith('preproc'))
    )
      return true;
    if (kind === 'namespace_declaration' || kind === 'file_scoped_namespace_declaration')
      return depth < 5 && inNameOf(tree, node, at);
  }
  const parent = kindOf(tree, tree.parent[node] as number);
  const field = tree.fieldNames[tree.field[node] as number];
  if (parent === 'goto_statement' || parent === 'labeled_statement') return true;
  if (parent === 'tuple_element') return field === 'name';
  if (parent === 'alias_qualified_name') return field === 'alias' && tree.text.startsWith('global', tree.start[node]);
  return (
    parent === 'argument' &&
    field === 'name' &&
    kindOf(tree, tree.parent[tree.parent[node] as number] as number) === 'tuple_expression'
  );
}

function inNameOf(tree: FlatTree, node: number, namespace: number): boolean {
  for (let at = node; at !== namespace; at = tree.parent[at] as number)
    if (tree.parent[at] === namespace) return tree.fieldNames[tree.field[at] as number] === 'name';
  return false;
}

function uncovered(source: string): string[] {
  const s = summarise(source);
  const covered = new Set<number>(nameStarts(s));
  for (let e = 0; e < s.exprs.count; e++) {
    const op = s.exprs.opOf(e);
    if (op === E.name || op === E.member || op === E.initializer || op === E.string) covered.add(s.exprs.startOf(e));
    if (op === E.call || op === E.new)
      for (const arg of s.exprs.argumentsOf(e)) if (arg.keyword !== '') covered.add(arg.start);
  }
  const tree = parse(source);
  const out: string[] = [];
  for (let i = 0; i < tree.length; i++) {
    const kind = kindOf(tree, i);
    const start = tree.start[i] as number;
    if ((kind !== 'identifier' && kind !== 'implicit_parameter') || start === tree.end[i]) continue;
    if (!covered.has(source[start] === '@' ? start + 1 : start) && !isExempt(tree, i))
      out.push(`${source.slice(start, tree.end[i])} in ${kindOf(tree, tree.parent[i] as number)}`);
  }
  return out;
}

test('every identifier is a declaration, a row, a keyword argument or exempt', () => {
  for (const sample of SAMPLES) assert.deepEqual(uncovered(sample), []);
});

test('the samples parse without errors as the parser sees them', () => {
  for (const sample of SAMPLES) assert.deepEqual([...summarise(sample).errors], [], sample.slice(0, 40));
});

// ---- declarations

test('namespaces are declarations and no level; types and members carry their block names', () => {
  const s = summarise(DECLARATIONS);
  const namespace = declNamed(s, 'Shop.Core', D.namespace);
  assert.equal(s.decls.parentOf(declNamed(s, 'Store', D.class)), -1);
  assert.equal(s.decls.scopeOf(declNamed(s, 'Store', D.class)), s.decls.innerOf(namespace));
  const paths: [string, number][] = [
    ['Store._a', D.field],
    ['Store._b', D.field],
    ['Store.Name', D.field],
    ['Store.Sold', D.field],
    ['Store.Bought', D.field],
    ['Store.Opened', D.property],
    ['Store.Title', D.property],
    ['Store.this[]', D.property],
    ['Store.Count', D.property],
    ['Store.<clinit>', D.constructor],
    ['Store.<init>', D.constructor],
    ['Store.~Store', D.method],
    ['Store.operator+', D.method],
    ['Store.operator(implicit)', D.method],
    ['Store.Dispose', D.method],
    ['Store.Sum', D.method],
    ['Store.Sum.Local', D.function],
    ['Store.Nested', D.class],
    ['Size', D.enum],
    ['Size.Large', D.enumMember],
    ['Pick', D.delegate],
    ['IStore.Twice', D.method],
    ['Item', D.record],
    ['Item.Price', D.property],
    ['Item.Tax', D.property],
    ['Point.Y', D.property],
    ['class', D.struct],
    ['class.int', D.field],
    ['Pair', D.typeAlias],
  ];
  for (const [path, kind] of paths) declNamed(s, path, kind);
});

test('a name with @ is the name alone, and stands behind the sign', () => {
  const source = 'struct @class { int @int = @this.@base; }';
  const s = summarise(source);
  const decl = declNamed(s, 'class.int');
  assert.equal(source.slice(s.decls.nameStartOf(decl)).startsWith('int ='), true);
  assert.equal(valueOf(s, 'class.int'), 'this.base');
});

test('flags say modifiers and accessibility', () => {
  const s = summarise(DECLARATIONS);
  assert.equal(flags(s, 'Store'), F.public | F.abstract | F.partial);
  assert.equal(flags(s, 'Store._b'), F.private | F.readonly);
  assert.equal(flags(s, 'Store.Name'), F.const | F.static | F.private);
  assert.equal(flags(s, 'Store.Twice') & (F.extension | F.static | F.public), F.extension | F.static | F.public);
  assert.equal(flags(s, 'Store.Sum') & (F.async | F.virtual), F.async | F.virtual);
  assert.equal(flags(s, 'Store.Dispose') & (F.private | F.public), 0, 'an explicit implementation is neither');
  assert.equal(flags(s, 'Store.Hook') & F.bodiless, F.bodiless);
  assert.equal(flags(s, 'IStore.Run') & (F.bodiless | F.abstract | F.public), F.bodiless | F.abstract | F.public);
  assert.equal(flags(s, 'IStore.Twice') & (F.bodiless | F.abstract), 0);
  assert.equal(s.decls.flagsOf(declNamed(s, 'Item.Price', D.property)), F.parameterField | F.public | F.getter);
  assert.equal(flags(s, 'Store.Nested') & F.private, F.private);
  assert.equal(csharp.isPrivate('_b', flags(s, 'Store._b')), true);
  assert.equal(csharp.isPrivate('M', flags(summarise('class A { private protected void M() { } }'), 'A.M')), false);
});

test('parameters, types, bounds and bases', () => {
  const s = summarise(DECLARATIONS);
  assert.deepEqual(paramsOf(s, 'Store'), ['seed', 'first']);
  assert.deepEqual(partsOf(s, 'Store'), ['Base[T]', 'IStore', 'IDisposable']);
  assert.equal(typeOf(s, 'Store.T'), '(Item | IStore)');
  assert.deepEqual(paramsOf(s, 'Store.Sum'), ['start', 'times', 'items']);
  assert.equal(typeOf(s, 'Store.Sum'), 'Task[TOut]');
  assert.equal(typeOf(s, 'Store.Sum.items'), 'Item', 'a params argument is one element');
  assert.equal(flags(s, 'Store.Sum.items') & F.rest, F.rest);
  assert.equal(valueOf(s, 'Store.Sum.times'), 'Limits.Most');
  assert.deepEqual(paramsOf(s, 'Store.this[]'), ['index', 'key']);
  assert.deepEqual(paramsOf(s, 'Pick'), ['value']);
  assert.deepEqual(partsOf(s, 'Size'), [], 'the underlying type is no base');
  assert.deepEqual(partsOf(s, 'Item'), ['Thing', 'IStore']);
  assert.deepEqual(partsOf(s, 'Store.Sum'), ['await Task.Run(closure)']);
  assert.equal(typeOf(s, 'Pair'), 'tuple[int, string]');
});

test('type parameters and primary parameters are no members', () => {
  const s = summarise(DECLARATIONS);
  const inner = s.decls.innerOf(declNamed(s, 'Store', D.class));
  for (const hidden of ['T', 'seed']) assert.equal(s.decls.inScope(inner, s.idOf(hidden)).length, 0);
  assert.equal(s.decls.inScope(inner, s.idOf('Title')).length, 1);
});

test('several fields of one declaration do not overlap', () => {
  const source = 'class A { [M] int a = 1, b = 2, c; }';
  const s = summarise(source);
  const span = (path: string): string =>
    source.slice(s.decls.startOf(declNamed(s, path)), s.decls.endOf(declNamed(s, path)));
  assert.deepEqual(['A.a', 'A.b', 'A.c'].map(span), ['[M] int a = 1, ', 'b = 2', 'c']);
  assert.deepEqual(
    ['A.a', 'A.b', 'A.c'].map((path) => typeOf(s, path)),
    ['int', 'int', 'int'],
  );
});

test('usings become import entries', () => {
  const s = summarise(DECLARATIONS);
  const entries = s.imports.map((entry) => [
    entry.kind,
    entry.module,
    entry.name,
    entry.decl < 0 ? '' : s.decls.nameOf(entry.decl),
    entry.global,
  ]);
  assert.deepEqual(entries, [
    ['star', 'System.Linq', '', '', true],
    ['module', 'Old', '', 'Old', false],
    ['static', 'System.Math', '*', '', false],
    ['name', 'System.Collections.Generic', 'Dictionary', 'Map', false],
    ['star', 'Shop.Events', '', '', false],
  ]);
  assert.equal(rowAt(DECLARATIONS, s, 'Events;').role, R.import);
});

// ---- rows

test('roles and blocks of rows', () => {
  const s = summarise(DECLARATIONS);
  const row = (mark: string): [number, string] => {
    const { role, block } = rowAt(DECLARATIONS, s, mark);
    return [role, block];
  };
  assert.deepEqual(row('Marker, Tags'), [R.decorator, 'Store']);
  assert.deepEqual(row('Extra("x")'), [R.decorator, 'Store']);
  assert.deepEqual(row('Base<T>(seed)'), [R.base, 'Store']);
  assert.deepEqual(row('IDisposable.Dispose'), [R.type, 'Store.Dispose']);
  assert.deepEqual(row('Limits.Most, params'), [R.read, 'Store.Sum']);
  assert.deepEqual(row('Find(index)'), [R.callee, 'Store.this[]']);
  assert.deepEqual(row('_b = value;'), [R.write, 'Store.Total']);
  assert.deepEqual(row('Run(int, Item)'), [R.doc, 'Store']);
  assert.deepEqual(row('items">all'), [R.doc, 'Store.Sum']);
  assert.deepEqual(row('Name = nameof'), [R.write, '<module>']);
});

test('calls, creation and initialisers', () => {
  const s = summarise(BODIES);
  assert.equal(valueOf(s, 'C._store'), 'new Store[Item](int, null)');
  assert.deepEqual(
    partsOf(s, 'C.Make'),
    ['(new Item() | new Item(int))'],
    'new() has the type that the method declares',
  );
  assert.equal(rowAt(BODIES, s, 'Title = "t"').shown, 'new Store[Item](int, null){Title}');
  assert.equal(rowAt(BODIES, s, 'Name = "o"').shown, 'new Item(int){Owner}{Name}');
  assert.equal(rowAt(BODIES, s, 'Label = owner').shown, 'item{Label}');
  assert.equal(rowAt(BODIES, s, 'Bar<int>(text)').shown, 'Foo[Item].Bar');
  assert.equal(rowAt(BODIES, s, 'Bar<int>(text)').role, R.callee);
  assert.equal(rowAt(BODIES, s, 'Item(2)').role, R.newCallee);
  assert.equal(valueOf(s, 'C.M.el'), 'map["x"].Owner.Name.Length');
  assert.equal(valueOf(s, 'C.M.arr'), 'list[new Item()] as Item[]');
  assert.equal(valueOf(s, 'C.M.coll'), 'Take(list[item, element(arr)])');
});

test('locals know what they hold', () => {
  const s = summarise(BODIES);
  const expected: Record<string, string> = {
    a: 'Parts(item)#0',
    b: 'Parts(item)#1#0',
    found: 'map["key"]',
    owner: 'Item',
    x: 'element(_store)',
    k: 'element(map)#0',
    file: 'Open("b")',
    picked: '(i.Price | d.Value | l.Price | int)',
    s: 'element(Stream())',
    head: 'element(o)',
    q1: 'o#0',
    d1: 'null as Item',
    ct: 'o as Item',
    at: 'o as Item',
    t: 'classOf(Store[])',
    sum: 'group1.Count()',
    w2: 'item',
  };
  for (const [local, shown] of Object.entries(expected)) {
    if (local === 'owner') assert.match(valueOf(s, 'C.M.owner'), /\{Owner\}\.Name$/);
    else assert.equal(valueOf(s, `C.M.${local}`), shown, local);
  }
  for (const [local, shown] of Object.entries({
    other: 'Item',
    typed: 'Item',
    e: 'Oops',
    i: 'Item',
    p: 'Point',
    w: 'Item',
    z1: 'Item',
    f: '(Item) => int',
    g: '(int) => -',
  })) {
    assert.equal(typeOf(s, `C.M.${local}`), shown, local);
  }
  assert.equal(valueOf(s, 'C.M.match'), 'found');
  assert.equal(valueOf(s, 'C.M.group1'), 'list[element(arr)]');
  assert.equal(valueOf(s, 'C.M.g1'), 'element(list[list[z1]])');
});

test('parameters of lambdas, accessors and parts of anonymous objects are declared', () => {
  const s = summarise(BODIES);
  for (const param of ['x', 'n', 'x1', 'n2']) declNamed(s, `C.M.${param}`, D.param);
  for (const member of ['Label', 'Twice', 'Key']) declNamed(s, `C.M.${member}`, D.local);
  assert.equal(typeOf(summarise('class A { B P { set { F(value); } } }'), 'A.P.value'), 'B');
});

test('reflection and dynamic are undecidable', () => {
  const s = summarise(BODIES);
  assert.deepEqual(
    [...s.dynamic].map((row) => text(BODIES, s, row)),
    ['dynamic', 'typeof(C).GetMethod("M")', 'Activator.CreateInstance(t)'],
  );
});

test('top-level statements are module code', () => {
  const s = summarise(TOP_LEVEL);
  assert.equal(s.decls.scopeOf(declNamed(s, 'c', D.local)), 0);
  assert.equal(s.decls.kindOf(declNamed(s, 'Run')), D.function);
  assert.deepEqual(rowAt(TOP_LEVEL, s, 'Run(c)').block, '<module>');
});

test('what is misread as a deconstruction is a call again', () => {
  const source = 'class A { void M() { var x = 1; F(select); } }';
  const s = summarise(source);
  assert.equal(rowAt(source, s, 'F(select)').role, R.callee);
});

// ---- the text that the parser sees

test('the parser sees a text of the same length and lines', () => {
  for (const sample of [...SAMPLES, 'F(async, x => y);', '#if\n}', "'#if'", '@"\n#if X\n"']) {
    const seen = parserText(sample);
    assert.equal(seen.length, sample.length);
    assert.deepEqual(
      [...seen.matchAll(/\n/g)].map((m) => m.index),
      [...sample.matchAll(/\n/g)].map((m) => m.index),
    );
  }
});

test('an edited file gives the same summary as one that is read anew', () => {
  const edits = [
    CONDITIONS,
    CONDITIONS.replace('Take(text)', 'Take(async)'),
    CONDITIONS.replace('#if FEATURE', '#if OTHER\n'),
    CONDITIONS.replace('#endif', ''),
  ];
  for (const source of edits) {
    const edited = csharp.extract(grammars.parseEdited('key', 'csharp', source, parserText(source)), 'csharp');
    assert.deepEqual(edited, summarise(source));
  }
});

test('async as a name is no lambda, and keeps its name', () => {
  const source =
    'class A { Task M(bool async) => Run(async, x => x.Y); bool P() { return async; } async Task N() { } }';
  const s = summarise(source);
  assert.deepEqual(partsOf(s, 'A.M'), ['Run(async, closure)']);
  assert.equal(flags(s, 'A.N') & F.async, F.async);
});

test('of a torn condition the first branch counts, whole ones all do', () => {
  const s = summarise(CONDITIONS);
  assert.equal(rowAt(CONDITIONS, s, 'Take(text)').block, 'ILog.Write');
  assert.equal(flags(s, 'ILog.Write') & F.bodiless, 0);
  assert.deepEqual(paramsOf(s, 'ILog.Last'), ['a', 'b']);
  for (const path of ['ILog.Check', 'ILog.Trace']) declNamed(s, path, D.method);
  assert.deepEqual(
    s.imports.map((entry) => entry.module),
    ['System.Net', 'Legacy'],
  );
  assert.equal(rowAt(CONDITIONS, s, 'Obsolete').role, R.decorator);
});

// ---- robustness

/** Not every offset, so that the test is quick; the step meets tokens of all sorts on both sides. */
const STRIDE = 7;

test('text cut anywhere gives a summary', () => {
  for (const sample of SAMPLES)
    for (let cut = 0; cut < sample.length; cut += STRIDE) assert.equal(summarise(sample.slice(0, cut)).textLength, cut);
});

test('text that begins anywhere gives a summary', () => {
  for (const sample of SAMPLES)
    for (let cut = 1; cut < sample.length; cut += 2 * STRIDE)
      assert.equal(summarise(sample.slice(cut)).textLength, sample.length - cut);
});

test('deep nesting and long chains do not exhaust the stack', () => {
  const nested = (levels: number): Summary =>
    summarise(`class A { int M() => ${'('.repeat(levels)}x${')'.repeat(levels)}; }`);
  assert.ok(nested(400).idOf('x') > 0);
  assert.equal(nested(400).unread, null);
  assert.notEqual(nested(5000).unread, null);
  const deep = summarise(`class A { int N() => ${Array.from({ length: 5000 }, (_, i) => `y${i}`).join(' + ')}; }`);
  assert.ok(deep.idOf('y4999') > 0);
});

test('offsets hold with CRLF, a byte order mark and astral characters', () => {
  for (const source of [
    DECLARATIONS.replaceAll('\n', '\r\n'),
    `\uFEFF${BODIES}`,
    `// 😀 𝒳\n${BODIES.replaceAll('"key"', '"😀"')}`,
  ]) {
    const s = summarise(source);
    for (let d = 0; d < s.decls.count; d++) {
      const at = s.decls.nameStartOf(d);
      const own = s.decls.nameOf(d).replace(/^~/, '');
      const kind = s.decls.kindOf(d);
      if (at >= 0 && /^\w+$/.test(own) && kind !== D.constructor) assert.equal(source.slice(at, at + own.length), own);
    }
    for (let e = 0; e < s.exprs.count; e++) {
      if (s.exprs.opOf(e) === E.name || s.exprs.opOf(e) === E.member) assert.equal(text(source, s, e), name(s, e));
    }
  }
});

// ---- hashes

/** Block name to its two hashes; overloads are numbered. */
function hashes(source: string): Map<string, string> {
  const s = summarise(source);
  const out = new Map<string, string>();
  for (let d = 0; d < s.decls.count; d++) {
    const kind = s.decls.kindOf(d);
    if (!isBlockKind(kind) || kind === D.namespace || s.decls.has(d, F.parameterField)) continue;
    let path = s.decls.pathOf(d);
    while (out.has(path)) path += "'";
    out.set(path, `${s.decls.headerHashOf(d)} ${s.decls.bodyHashOf(d)}`);
  }
  return out.set('<module>', String(s.moduleHash));
}

function changed(before: string, after: string): string[] {
  const a = hashes(before);
  const b = hashes(after);
  return [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path)).sort();
}

const HASHED = `namespace N {
  /// <summary>doc</summary>
  class A : B {
    int f = 1;
    public int P { get; set; }
    int M(int a, string b) { return a + f; } // note
    enum E { X = 1, Y }
  }
}
`;

test('layout, comments, trailing commas and the order of members are no change', () => {
  assert.deepEqual(changed(HASHED, HASHED.replaceAll('\n', '\r\n').replaceAll('  ', '\t')), []);
  assert.deepEqual(changed(HASHED, HASHED.replace('// note', '/* other */').replace('doc<', 'words<')), []);
  assert.deepEqual(changed(HASHED, HASHED.replace('Y }', 'Y, }')), []);
  assert.deepEqual(
    changed(HASHED, HASHED.replace('    int f = 1;\n', '').replace('    enum E', '    int f = 1;\n    enum E')),
    [],
  );
  assert.deepEqual(
    changed(
      HASHED,
      HASHED.replace('    int f', '#region r\n#pragma warning disable X1\n    int f').replace(
        '    enum',
        '#endregion\n    enum',
      ),
    ),
    [],
  );
});

test('a change of code shows in its block only', () => {
  assert.deepEqual(changed(HASHED, HASHED.replace('f = 1', 'f = 2')), ['A.f']);
  assert.deepEqual(changed(HASHED, HASHED.replace('a + f', 'a - f')), ['A.M']);
  assert.deepEqual(changed(HASHED, HASHED.replace('string b', 'object b')), ['A.M']);
  assert.deepEqual(changed(HASHED, HASHED.replace('public int P', 'int P')), ['A.P']);
  assert.deepEqual(changed(HASHED, HASHED.replace('{ get; set; }', '{ get; }')), ['A.P']);
  assert.deepEqual(changed(HASHED, HASHED.replace('X = 1', 'X = 2')), ['A.E.X']);
  assert.deepEqual(changed(HASHED, HASHED.replace('class A : B', 'class A : C')), ['A']);
});

test('the header ends where the body begins', () => {
  const s = (source: string): { header: number; body: number } => {
    const summary = summarise(source);
    const decl = declNamed(summary, 'A.M', D.method);
    return { header: summary.decls.headerHashOf(decl), body: summary.decls.bodyHashOf(decl) };
  };
  const base = s('class A { int M(int a) { return a; } }');
  assert.equal(s('class A { int M(int a) { return 1; } }').header, base.header);
  assert.notEqual(s('class A { int M(int b) { return a; } }').header, base.header);
  assert.equal(s('class A { int M(int b) { return a; } }').body, base.body);
});
