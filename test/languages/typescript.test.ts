/**
 * Summaries of TypeScript and JavaScript: names, spans, scopes, references, hashes, broken text.
 *
 * SAMPLES hold every construct that extraction knows; laws run over all of them.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { typescript } from '#src/languages/typescript/index.js';
import { isNamed, kindOf, textOf, type FlatTree } from '#src/syntax/flat-tree.js';
import type { GrammarName, Grammars } from '#src/syntax/grammar.js';
import { D, E, F, isBlockKind, R, type Summary } from '#src/syntax/summary.js';
import { testGrammars } from '../support/grammars.js';

const TYPES = `
import def, { type A, B as C, default as Other } from './a.js';
import * as ns from './ns';
import type { T } from './t';
import './side';
import req = require('./req');
import Short = ns.Deep.Short;
export { C as Renamed, def };
export { x as y, default as z } from './x';
export * from './star';
export * as grouped from './grouped';
/** Keeps things. See {@link Base#keep} and {@link C}. */
@decorate({ deep: ns.option })
export abstract class Store<K extends A = B2, in out V = K> extends ns.Base<K>(1) implements I1, ns.I2<V> {
  static count = 0;
  private readonly items: Map<K, V> = new Map<K, V>();
  @input() name?: string;
  #secret = ns.make();
  declare later: C;
  static { Store.count = 1; }
  constructor(private readonly db: Db, public size = 1, @inject('Tok') plain: number, { a, b: [c, ...d], ...rest }: Opts = {}) { super(db); this.#secret = a ?? c ?? d ?? rest; }
  /** @param key which one */
  put(key: K): void;
  put(key: K, value?: V): void { this.items.set(key, value!); }
  @log @ns.trace('x') get total(): number { return this.items.size; }
  set total(v: number) { this.size = v; }
  handle = async (e: Event): Promise<void> => { await this.later.run(e); };
  nested = class extends C { inner() {} };
  async *[Symbol.iterator](): AsyncGenerator<V> { yield this.first; yield* this.items.values(); }
  abstract missing(x: C): asserts x is C;
  isStore(): this is Store<K, V> { return true; }
  'quoted name'() { return arguments; }
}
export interface Shape<T> extends A, ns.Q<T> {
  readonly area: number; scale(by: number): Shape<T>; (call: string): T; new (arg: T): Shape<T>; [index: string]: unknown; handler?: (e: Event, ...more: T[]) => e is Custom;
}
type Point = { x: number; y?: number; move(dx: number): Point };
type Both = Point & { z: number } & C;
type Fancy<T> = T extends Promise<infer U extends string> ? U[] : T extends (arg: infer P) => void ? P : never;
type Mapped = { readonly [P in keyof Point as \`get\${P}\`]-?: Point[P]['x'] };
type Many = [first: A, second?: C, ...rest: T[]] | readonly string[] | typeof def.value | import('./dyn').Thing | Record<'k', T> | unique symbol;
enum Color { Red, Green = Red + 1, 'Dark Blue' = 4 }
declare const enum Flags { None = 0 }
declare module 'ambient-lib' { export function helper(a: number): string; }
declare global { interface Window { extra: C } }
namespace Outer.Inner { export const value = 1; export function use() { return value; } }
export const arrow = <T,>(x: T, y = x): T => y, second = 2;
export const { left, right: { deep = def } } = ns.config;
const object = { plain: 1, m() { return arrow; }, get g() { return 1; }, async *gen() {}, f: () => def, ['dyn' + 1]: 2, 'lit-key': 3, def, ...ns.spread };
let lateBound;
lateBound = new Store<A, B>(1);
function overloaded(a: string): void;
function overloaded(a: unknown) { if (a instanceof Store && a.total) { a.put(1); } else if (!(a instanceof C)) { } else { a.run(); } }
var hoisted = function named(n: number): number { return n ? named(n - 1) : 0; };
export default function (q: Q) { return q; }
label: for (const [k, v] of Object.entries(object)) { if (k) continue label; else break label; }
for (let i = 0, n = 2; i < n; i++) { } for (const key in object) { } for await (lateBound of ns.all()) { }
try { throw new ns.Failure('bad'); } catch ({ message }) { message; } finally { }
try { } catch (error: unknown) { error; }
switch (def.kind) { case Color.Red: { break; } default: ns.other(); }
const cast = <C>(<unknown>def), as = def as unknown as C, sat = { x: 1 } satisfies Point, non = def!.a?.b?.['c']?.[0]!;
const tagged = ns.tag\`text \${def} more\`, text = \`plain\`, word = 'some.dotted.path', re = /x/g;
[object.plain, lateBound = 2] = [1, 2]; ({ plain: object.plain, def: lateBound } = object);
def.count += 1; delete def.count; void 0; typeof def; def.count++; lateBound ??= def; (lateBound, def);
const loaded = async () => { const { inside } = await import('./lazy'); return inside; };
eval('x'); new Function('a'); const instance = ns.generic<A>; do { } while (def); with_(def);
`;

const JSX = `
import React, { useState } from 'react';
import { Button } from './button';
export const App = ({ title, items = [] }: Props) => {
  const [state, setState] = useState<number>(0);
  return <><Button kind="primary" onClick={() => setState(state + 1)} {...items} disabled>{title}</Button><div className="x" data-a={state}>{items.map((item) => <React.Fragment key={item.id}>{item.name}</React.Fragment>)}</div></>;
};
`;

const SCRIPT = `
const { readFile, join: glue } = require('./io');
const whole = require('./whole');
const picked = require('./picked').inner;
use(require('./late'));
class Job extends whole.Base {
  static defaults = { retries: 1 };
  run() { this.state = 'running'; this.helper = this.helper.bind(this); }
  constructor(options, { a, b = 1 }, ...more) { super(); this.options = options; this.state = null; const self = () => { this.more = more; }; }
  helper() { return this.options; }
}
function sloppy(a, b = glue(a)) { if (a) { var late = 1; function inner() { return late; } } return inner; }
exports.sloppy = sloppy;
exports.extra = function (x) { return x; };
module.exports.limit = 3;
module.exports = { Job, renamed: sloppy, m() { return picked; } };
`;

const PLAIN_SCRIPT = 'var globalThing = 1;\nif (globalThing) { function declaredInBlock() {} }\ndeclaredInBlock();\n';

const SAMPLES: readonly (readonly [GrammarName, string])[] = [
  ['typescript', TYPES],
  ['tsx', JSX],
  ['javascript', SCRIPT],
  ['javascript', PLAIN_SCRIPT],
];

let grammars: Grammars;
before(async () => {
  grammars = await testGrammars();
});

const summaryOf = (text: string, grammar: GrammarName = 'typescript'): Summary =>
  typescript.extract(grammars.parse(grammar, text), grammar);

/** Rows of declarations by their path, for blocks. */
function blocks(summary: Summary): Map<string, number[]> {
  const out = new Map<string, number[]>();
  for (let d = 0; d < summary.decls.count; d++) {
    if (!isBlockKind(summary.decls.kindOf(d))) continue;
    const path = summary.decls.pathOf(d);
    out.set(path, [...(out.get(path) ?? []), d]);
  }
  return out;
}

function block(summary: Summary, path: string): number {
  const found = blocks(summary).get(path)?.[0];
  assert.notEqual(found, undefined, `no block ${path} among ${[...blocks(summary).keys()].join(', ')}`);
  return found as number;
}

function declNamed(summary: Summary, name: string, kind: number): number {
  for (let d = 0; d < summary.decls.count; d++)
    if (summary.decls.nameOf(d) === name && summary.decls.kindOf(d) === kind) return d;
  assert.fail(`no declaration ${name}`);
}

/** Rows named so, as `op role block` with the operation of the base. */
function rowsOf(summary: Summary, name: string): { row: number; op: number; role: number; block: string }[] {
  const out = [];
  for (let e = 0; e < summary.exprs.count; e++) {
    if (summary.exprs.nameOf(e) !== name) continue;
    const op = summary.exprs.opOf(e);
    if (op !== E.name && op !== E.member && op !== E.string) continue;
    out.push({
      row: e,
      op,
      role: summary.exprs.roleOf(e),
      block: summary.decls.pathOf(summary.scopes.blockOf(summary.exprs.scopeOf(e))),
    });
  }
  return out;
}

const exprName = (summary: Summary, expr: number): string => summary.exprs.nameOf(expr);

describe('blocks', () => {
  it('are named by nested names, with constructors, accessors, members of types and namespaces', () => {
    const found = blocks(summaryOf(TYPES));
    for (const path of [
      'Store',
      'Store.count',
      'Store.items',
      'Store.name',
      'Store.#secret',
      'Store.later',
      'Store.constructor',
      'Store.db',
      'Store.size',
      'Store.put',
      'Store.total',
      'Store.handle',
      'Store.nested',
      'Store.nested.inner',
      'Store.[Symbol.iterator]',
      'Store.missing',
      'Store.quoted name',
      'Shape.area',
      'Shape.scale',
      'Shape.handler',
      'Point.x',
      'Point.move',
      'Both',
      'Both.z',
      'Fancy',
      'Mapped',
      'Color.Red',
      'Color.Dark Blue',
      'Flags.None',
      'ambient-lib.helper',
      'global.Window.extra',
      'Outer.Inner.use',
      'arrow',
      'second',
      'left',
      'deep',
      'object',
      'overloaded',
      'hoisted',
      'default',
      'loaded',
    ])
      assert.ok(found.has(path), path);
    assert.equal(found.get('Store.put')?.length, 2);
    assert.equal(found.get('Store.total')?.length, 2);
    for (const path of ['Store.plain', 'overloaded.a', 'rest']) assert.ok(!found.has(path), path);
  });

  it('span modifiers, decorators and export, and know where the body begins', () => {
    const text = '@d export class A {\n  @x() @y async m(a) { return a; }\n}\nexport const f = (a) => a + 1, g = 2;\n';
    const summary = summaryOf(text);
    const span = (path: string): string =>
      text.slice(summary.decls.startOf(block(summary, path)), summary.decls.endOf(block(summary, path)));
    const head = (path: string): string =>
      text.slice(summary.decls.startOf(block(summary, path)), summary.decls.bodyStartOf(block(summary, path)));
    assert.equal(span('A').slice(0, 17), '@d export class A');
    assert.equal(head('A.m'), '@x() @y async m(a) ');
    assert.equal(span('f'), 'export const f = (a) => a + 1, ');
    assert.equal(head('f'), 'export const f = (a) => ');
    assert.equal(span('g'), 'g = 2');
  });

  it('carry their modifiers as flags', () => {
    const summary = summaryOf(TYPES);
    const has = (path: string, flag: number): boolean => summary.decls.has(block(summary, path), flag);
    assert.ok(has('Store', F.abstract) && has('Store', F.exported));
    assert.ok(
      has('Store.count', F.static) &&
        has('Store.items', F.private) &&
        has('Store.items', F.readonly) &&
        has('Store.name', F.optional),
    );
    assert.ok(has('Store.#secret', F.private) && has('Store.total', F.getter) && has('Store.handle', F.async));
    assert.ok(has('Store.put', F.bodiless) && has('Store.missing', F.bodiless) && has('overloaded', F.bodiless));
    assert.ok(
      has('Store.[Symbol.iterator]', F.generator) &&
        has('Store.db', F.parameterField) &&
        has('default', F.defaultExport),
    );
  });

  it('take their fields from assignments to this in plain JavaScript, the constructor first', () => {
    const summary = summaryOf(SCRIPT, 'javascript');
    const found = blocks(summary);
    assert.deepEqual([...found.keys()].filter((path) => /^Job\.\w+$/.test(path)).sort(), [
      'Job.constructor',
      'Job.defaults',
      'Job.helper',
      'Job.more',
      'Job.options',
      'Job.run',
      'Job.state',
    ]);
    const state = found.get('Job.state') ?? [];
    assert.equal(state.length, 2);
    assert.equal(
      SCRIPT.slice(summary.decls.startOf(state[0] as number), summary.decls.endOf(state[0] as number)),
      'this.state = null;',
    );
    assert.deepEqual(
      rowsOf(summary, 'state')
        .map((row) => row.role)
        .sort(),
      [R.write, R.declares],
    );
    assert.equal(summary.decls.kindOf(found.get('Job.helper')?.[0] as number), D.method);
  });
});

describe('scopes', () => {
  it('let members see type parameters, but no members bare', () => {
    const summary = summaryOf('class A<T> { x = 1; m(): T { return x; } }');
    const inner = summary.decls.innerOf(block(summary, 'A'));
    const chain: number[] = [];
    for (let s = summary.decls.innerOf(block(summary, 'A.m')); s >= 0; s = summary.scopes.parentOf(s)) chain.push(s);
    assert.ok(!chain.includes(inner));
    assert.ok(chain.includes(summary.decls.scopeOf(declNamed(summary, 'T', D.typeParam))));
    assert.equal(summary.decls.scopeOf(block(summary, 'A.x')), inner);
  });

  it('hoist var to the function and keep let in the block', () => {
    const summary = summaryOf('function f() { if (1) { var a = 1; let b = 2; function g() {} } }');
    const inner = summary.decls.innerOf(block(summary, 'f'));
    assert.equal(summary.decls.scopeOf(declNamed(summary, 'a', D.local)), inner);
    assert.notEqual(summary.decls.scopeOf(declNamed(summary, 'b', D.local)), inner);
    assert.equal(summary.scopes.parentOf(summary.decls.scopeOf(block(summary, 'f.g'))), inner);
    const script = summaryOf(PLAIN_SCRIPT, 'javascript');
    assert.equal(script.decls.scopeOf(block(script, 'declaredInBlock')), 0);
    assert.equal(script.isModule, false);
    assert.equal(summaryOf(SCRIPT, 'javascript').isModule, true);
  });

  it('narrow by instanceof where the test holds', () => {
    const summary = summaryOf(
      'function f(x) { if (!(x instanceof A) || x.p) { x.q; } else { x.r; } return x instanceof B && x.s; }',
    );
    const scopeOf = (name: string): number => summary.exprs.scopeOf(rowsOf(summary, name)[0]?.row as number);
    const narrowedIn = (scope: number): string[] => {
      const out: string[] = [];
      for (let s = scope; s >= 0; s = summary.scopes.parentOf(s)) {
        for (let d = 0; d < summary.decls.count; d++) {
          if (summary.decls.scopeOf(d) === s && summary.decls.has(d, F.narrowing))
            out.push(exprName(summary, summary.decls.typeOf(d)));
        }
      }
      return out;
    };
    assert.deepEqual(
      ['p', 'q', 'r', 's'].map((name) => narrowedIn(scopeOf(name))),
      [['A'], [], ['A'], ['B']],
    );
  });

  it('give text to the block it belongs to', () => {
    const summary = summaryOf(
      'class A { f = one(); m(x = two()) { three(() => four()); } }\nconst v = five(() => six());\nconst o = { k() { seven(); } };\nif (eight()) { const l = nine(); }\n',
    );
    const at = (name: string): string | undefined => rowsOf(summary, name)[0]?.block;
    assert.deepEqual(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'].map(at), [
      'A.f',
      'A.m',
      'A.m',
      'A.m',
      'v',
      'v',
      'o.k',
      '<module>',
      '<module>',
    ]);
  });
});

describe('types of values', () => {
  it('follow patterns: members, places, defaults', () => {
    const summary = summaryOf(
      'const { a, b: { c = d } } = v; const [, e] = w; for (const x of xs) {} function f({ g }: G) {}',
    );
    const valueOf = (name: string): number =>
      summary.decls.valueOf(
        declNamed(
          summary,
          name,
          summary.decls.kindOf([...(blocks(summary).get(name) ?? [])][0] ?? declNamed(summary, name, D.local)),
        ),
      );
    assert.equal(summary.exprs.opOf(valueOf('a')), E.member);
    assert.equal(exprName(summary, summary.exprs.operandOf(valueOf('a'))), 'v');
    assert.equal(summary.exprs.opOf(valueOf('c')), E.union);
    const taken = summary.exprs.partsOf(valueOf('c'))[0] as number;
    assert.equal(exprName(summary, taken), 'c');
    assert.equal(exprName(summary, summary.exprs.operandOf(taken)), 'b');
    assert.equal(summary.exprs.opOf(valueOf('e')), E.nth);
    assert.equal(summary.exprs.secondOf(valueOf('e')), 1);
    assert.equal(summary.exprs.opOf(valueOf('x')), E.element);
    const whole = summary.exprs.operandOf(valueOf('g'));
    assert.equal(exprName(summary, whole), '{0}');
    assert.equal(exprName(summary, summary.decls.typeOf(declNamed(summary, '{0}', D.param))), 'G');
  });

  it('know parameters, results and bases', () => {
    const summary = summaryOf(TYPES);
    const put = blocks(summary).get('Store.put')?.[1] as number;
    assert.deepEqual(
      [...summary.decls.paramsOf(put)].map((d) => summary.decls.nameOf(d)),
      ['key', 'value'],
    );
    const bases = [...summary.decls.basesOf(block(summary, 'Store'))];
    assert.deepEqual(
      bases.map((row) => summary.exprs.opOf(row)),
      [E.call, E.name, E.index],
    );
    assert.deepEqual(
      [...summary.decls.typeParamsOf(block(summary, 'Store'))].map((d) => summary.decls.nameOf(d)),
      ['K', 'V'],
    );
    const results = [...summary.decls.basesOf(block(summary, 'Store.[Symbol.iterator]'))];
    assert.deepEqual(
      results.map((row) => summary.exprs.opOf(row)),
      [E.member, E.element],
    );
    const both = [...summary.decls.basesOf(block(summary, 'Both'))];
    assert.deepEqual(
      both.map((row) => exprName(summary, row)),
      ['Point', 'C'],
    );
    assert.equal(summary.decls.kindOf(block(summary, 'Both.z')), D.field);
  });

  it('take a prototype for an object of its class', () => {
    const summary = summaryOf('A.prototype.m();');
    const base = summary.exprs.operandOf(rowsOf(summary, 'm')[0]?.row as number);
    assert.equal(summary.exprs.opOf(base), E.cast);
    assert.equal(exprName(summary, summary.exprs.secondOf(base)), 'A');
  });

  it('come from the first assignment of a variable declared without a value', () => {
    const summary = summaryOf('let x; function f() { x = new A(); } let y = 1; y = new B();');
    const again = [...Array(summary.decls.count).keys()].filter((d) => summary.decls.has(d, F.reassigned));
    assert.deepEqual(
      again.map((d) => summary.decls.nameOf(d)),
      ['x'],
    );
    assert.equal(summary.decls.scopeOf(again[0] as number), 0);
  });

  it('find the members of object literals through their closure, which are blocks where a variable of the module holds it', () => {
    const summary = summaryOf('const o = { a: 1, m() {}, f: () => 1, s };');
    const closure = summary.decls.valueOf(block(summary, 'o'));
    assert.equal(summary.exprs.opOf(closure), E.closure);
    const inner = summary.decls.innerOf(summary.exprs.closureOf(closure));
    const members = [...Array(summary.decls.count).keys()].filter((d) => summary.decls.scopeOf(d) === inner);
    assert.deepEqual(
      members.map((d) => [summary.decls.nameOf(d), summary.decls.kindOf(d)]),
      [
        ['a', D.field],
        ['m', D.method],
        ['f', D.method],
        ['s', D.field],
      ],
    );
  });
});

describe('references', () => {
  it('have the role of their use', () => {
    const summary = summaryOf(
      '@dec class A extends Base<Arg> implements I {}\nnew ns.Made<Q>(1); ns.called?.(a); (b as T).c = d; e.f += 1; g++; x instanceof K; tag`${h}`; @deco.call(1) class Z {}',
    );
    const role = (name: string): number | undefined => rowsOf(summary, name)[0]?.role;
    assert.deepEqual(
      ['dec', 'Base', 'Arg', 'I', 'Made', 'called', 'T', 'c', 'f', 'g', 'K', 'tag', 'call', 'a'].map(role),
      [
        R.decorator,
        R.base,
        R.type,
        R.base,
        R.newCallee,
        R.callee,
        R.type,
        R.write,
        R.update,
        R.update,
        R.type,
        R.callee,
        R.decorator,
        R.read,
      ],
    );
  });

  it('see a literal index as a member, and a string with a path as its last part', () => {
    const summary = summaryOf("a['b']; a['~c']; a['0']; f('x.y.zed'); f('no path'); type T = A['d'];");
    assert.deepEqual(
      ['b', '~c', 'd'].map((name) => rowsOf(summary, name)[0]?.op),
      [E.member, E.member, E.member],
    );
    assert.deepEqual(rowsOf(summary, '0'), []);
    assert.equal(rowsOf(summary, 'zed')[0]?.op, E.string);
  });

  it('read JSX as calls with an object literal, the closing tag as a further mention', () => {
    const summary = summaryOf(JSX, 'tsx');
    const calls = [...Array(summary.exprs.count).keys()].filter(
      (e) => summary.exprs.opOf(e) === E.call && exprName(summary, summary.exprs.operandOf(e)) === 'Button',
    );
    assert.equal(calls.length, 1);
    const [props, more] = summary.exprs.argumentsOf(calls[0] as number).map((argument) => argument.expr);
    assert.equal(more, undefined);
    const literal = summary.exprs.closureOf(props as number);
    assert.deepEqual(
      [...summary.decls.allInScope(summary.decls.innerOf(literal))].map((decl) => summary.decls.nameOf(decl)),
      ['children', 'disabled', 'kind', 'onClick'],
    );
    assert.equal(summary.decls.basesOf(literal).length, 1);
    assert.deepEqual(rowsOf(summary, 'Button').filter((row) => row.role === R.callee).length, 2);
    assert.deepEqual(rowsOf(summary, 'div'), []);
    assert.deepEqual(
      rowsOf(summary, 'Fragment').map((row) => row.role),
      [R.callee, R.callee],
    );
  });

  it('include names in documentation comments', () => {
    const summary = summaryOf(
      '/** Uses {@link Store#put}.\n * @param key the key\n * @see Other */\nfunction f(key) {}\nclass A { /** @param {Foo.Bar} x */ m(x) {} }',
    );
    assert.deepEqual(
      ['Store', 'put', 'key', 'Other', 'Foo', 'Bar', 'x'].map((name) => rowsOf(summary, name)[0]?.role),
      Array(7).fill(R.doc),
    );
    const key = rowsOf(summary, 'key')[0]?.row as number;
    assert.equal(summary.exprs.scopeOf(key), summary.decls.innerOf(block(summary, 'f')));
  });

  it('mark what hides references', () => {
    const summary = summaryOf("eval('x'); new Function('y'); f(1);");
    assert.equal(summary.dynamic.length, 2);
  });
});

describe('modules', () => {
  it('list imports of every form', () => {
    const summary = summaryOf(TYPES);
    assert.deepEqual(
      summary.imports
        .slice(0, 7)
        .map((i) => [i.kind, i.module, i.name, i.decl < 0 ? '' : summary.decls.nameOf(i.decl), i.typeOnly]),
      [
        ['name', './a.js', 'default', 'def', false],
        ['name', './a.js', 'A', 'A', true],
        ['name', './a.js', 'B', 'C', false],
        ['name', './a.js', 'default', 'Other', false],
        ['module', './ns', '', 'ns', false],
        ['name', './t', 'T', 'T', true],
        ['module', './side', '', '', false],
      ],
    );
    assert.deepEqual(
      summary.imports.slice(7).map((i) => [i.kind, i.module, i.statementStart < i.statementEnd]),
      [
        ['module', './req', true],
        ['module', './dyn', false],
        ['module', './lazy', false],
      ],
    );
    for (const entry of summary.imports)
      assert.equal(TYPES.slice(entry.moduleStart, entry.moduleStart + entry.module.length), entry.module);
  });

  it('list exports of every form', () => {
    const summary = summaryOf(TYPES);
    const listed = summary.exports.map((e) => `${e.name}=${e.module ?? ''}#${e.local}`);
    for (const entry of [
      'Renamed=#C',
      'def=#def',
      'y=./x#x',
      'z=./x#default',
      '*=./star#*',
      'grouped=./grouped#*',
      'Store=#Store',
      'Shape=#Shape',
      'arrow=#arrow',
      'second=#second',
      'left=#left',
      'deep=#deep',
      'default=#default',
    ]) {
      assert.ok(listed.includes(entry), `${entry} in ${listed.join(' ')}`);
    }
    assert.ok(!listed.some((entry) => entry.startsWith('value=')));
    const whole = summaryOf('class A {} export = A;');
    assert.deepEqual(
      whole.exports.map((e) => [e.name, e.local]),
      [
        ['=', 'A'],
        ['default', 'A'],
      ],
    );
  });

  it('read CommonJS', () => {
    const summary = summaryOf(SCRIPT, 'javascript');
    assert.deepEqual(
      summary.imports.map((i) => [i.kind, i.module, i.name, i.decl < 0 ? '' : summary.decls.nameOf(i.decl)]),
      [
        ['name', './io', 'readFile', 'readFile'],
        ['name', './io', 'join', 'glue'],
        ['module', './whole', '', 'whole'],
        ['name', './picked', 'inner', 'picked'],
        ['module', './late', '', ''],
      ],
    );
    assert.deepEqual(
      summary.exports.map((e) => [e.name, e.local]),
      [
        ['sloppy', 'sloppy'],
        ['extra', 'extra'],
        ['limit', 'limit'],
        ['Job', 'Job'],
        ['renamed', 'sloppy'],
        ['=', 'default'],
        ['default', 'default'],
      ],
    );
    assert.equal(summary.decls.kindOf(block(summary, 'extra')), D.function);
  });
});

describe('laws', () => {
  it('every identifier is a declaration, a row, a keyword argument or part of an entry', () => {
    for (const [grammar, text] of SAMPLES)
      assert.deepEqual(uncovered(grammars.parse(grammar, text), grammar), [], grammar);
  });

  it('text cut anywhere does not throw', () => {
    for (const [grammar, text] of SAMPLES)
      for (let end = 0; end <= text.length; end += 11)
        typescript.extract(grammars.parse(grammar, text.slice(0, end)), grammar);
  });

  it('nesting without end does not throw, and long chains keep their structure', () => {
    const nested = (levels: number): Summary => summaryOf(`${'f('.repeat(levels)}x${')'.repeat(levels)};`);
    assert.ok(rowsOf(nested(200), 'x').length > 0);
    assert.equal(nested(200).unread, null);
    assert.notEqual(nested(4000).unread, null);
    const sum = summaryOf(`const total = ${'a + '.repeat(6000)}b;`);
    assert.equal(sum.exprs.opOf(sum.decls.valueOf(block(sum, 'total'))), E.operator);
    assert.equal(rowsOf(sum, 'a').length, 6000);
    const branches = summaryOf(`${'if (a) {} else '.repeat(3000)}{ b; }`);
    assert.equal(rowsOf(branches, 'b').length, 1);
  });

  it('offsets hold with CRLF, a byte order mark and astral characters', () => {
    for (const [grammar, text] of SAMPLES) {
      const changed = `\ufeff/* 𝒳𝒴 */${text.replaceAll('\n', '\r\n')}`;
      const summary = summaryOf(changed, grammar);
      assert.deepEqual([...blocks(summary).keys()], [...blocks(summaryOf(text, grammar)).keys()]);
      for (let d = 0; d < summary.decls.count; d++) {
        const at = summary.decls.nameStartOf(d);
        const name = summary.decls.nameOf(d);
        if (at >= 0 && name !== 'default' && !name.startsWith('['))
          assert.equal(changed.slice(at, at + name.length), name);
      }
      for (let e = 0; e < summary.exprs.count; e++) {
        const op = summary.exprs.opOf(e);
        const [start, end] = [summary.exprs.startOf(e), summary.exprs.endOf(e)];
        if ((op === E.name || op === E.member || op === E.string) && start < end)
          // The key of what stands between tags has no text.
          if (start < end) assert.equal(changed.slice(start, end), exprName(summary, e));
      }
    }
  });

  it('broken code keeps the declarations and uses around the error', () => {
    const found = blocks(
      summaryOf('class A { m() { a.b( } n() {} }\nclass B { k() { x. } l() { used(); } }\nfunction f() { g( }\n'),
    );
    for (const path of ['A', 'A.m', 'A.n', 'B', 'B.k', 'B.l', 'f']) assert.ok(found.has(path), path);
  });
});

describe('hashes', () => {
  const hashes = (text: string): Map<string, string> => {
    const summary = summaryOf(text);
    return new Map(
      [...blocks(summary)].map(([path, rows]) => [
        path,
        rows
          .map((d) => `${summary.decls.headerHashOf(d)}/${summary.decls.bodyHashOf(d)}`)
          .sort()
          .join(' '),
      ]),
    );
  };
  const BASE =
    'export class A {\n  x = 1;\n  m(a: string, b = 2) { return a + this.x; }\n  n() { if (a) b(); }\n}\ninterface I { p: string; q(): void }\nenum E { One, Two = 2 }\nfunction f(a: number) { return { k: 1 }; }\n';
  const changed = (text: string): string[] => {
    const [from, to] = [hashes(BASE), hashes(text)];
    return [...new Set([...from.keys(), ...to.keys()])].filter((path) => from.get(path) !== to.get(path)).sort();
  };

  it('ignore layout, comments, trailing commas, semicolons and the order of members', () => {
    assert.deepEqual(changed(BASE.replaceAll('\n', '\n\n').replaceAll('  ', '\t')), []);
    assert.deepEqual(
      changed(
        BASE.replace('x = 1;', '/** why */ x = 1 // one')
          .replace('b = 2)', 'b = 2,)')
          .replace('Two = 2 }', 'Two = 2, }'),
      ),
      [],
    );
    assert.deepEqual(changed(BASE.replace('p: string; q(): void', 'q(): void, p: string,')), []);
    assert.deepEqual(changed(BASE.replace('  x = 1;\n', '').replace('  n()', '  x = 1\n  n()')), []);
  });

  it('see literals, operators, parameters and modifiers, in the right block', () => {
    assert.deepEqual(changed(BASE.replace('x = 1', 'x = 3')), ['A.x']);
    assert.deepEqual(changed(BASE.replace('a + this', 'a - this')), ['A.m']);
    assert.deepEqual(changed(BASE.replace('b = 2', 'c = 2')), ['A.m']);
    assert.deepEqual(changed(BASE.replace('x = 1', 'static x = 1')), ['A.x']);
    assert.deepEqual(changed(BASE.replace('export class A', 'class A')), ['A']);
    assert.deepEqual(changed(BASE.replace('p: string', 'p: number')), ['I.p']);
    assert.deepEqual(changed(BASE.replace('Two = 2', 'Two = 3')), ['E.Two']);
    assert.deepEqual(changed(BASE.replace('k: 1', 'k: 2')), ['f']);
    assert.deepEqual(changed(BASE.replace('q(): void', 'q(): void; r: 1')), ['I.r']);
    assert.deepEqual(changed(BASE.replace('Two = 2', 'Two = 2, Three')), ['E.Three']);
  });

  it('tell header from body', () => {
    const summary = summaryOf(BASE);
    const other = summaryOf(BASE.replace('a + this', 'a - this').replace('(a: number)', '(a: string)'));
    const same = (path: string, column: 'headerHash' | 'bodyHash'): boolean =>
      summary.decls[column][block(summary, path)] === other.decls[column][block(other, path)];
    assert.deepEqual(
      [same('A.m', 'headerHash'), same('A.m', 'bodyHash'), same('f', 'headerHash'), same('f', 'bodyHash')],
      [true, false, false, true],
    );
  });
});

const IDENTIFIERS = new Set([
  'identifier',
  'type_identifier',
  'property_identifier',
  'private_property_identifier',
  'shorthand_property_identifier',
  'shorthand_property_identifier_pattern',
]);

/** Identifiers of the tree that the summary does not account for; README.md lists what may be left out. */
function uncovered(tree: FlatTree, grammar: GrammarName): string[] {
  const summary = typescript.extract(tree, grammar);
  const places = new Set<number>();
  for (let d = 0; d < summary.decls.count; d++) places.add(summary.decls.nameStartOf(d));
  for (let e = 0; e < summary.exprs.count; e++) {
    const op = summary.exprs.opOf(e);
    if (op === E.name || op === E.member || op === E.string) places.add(summary.exprs.startOf(e));
    if (op === E.call || op === E.new)
      for (const argument of summary.exprs.argumentsOf(e)) if (argument.keyword !== '') places.add(argument.start);
  }
  const out: string[] = [];
  for (let n = 0; n < tree.length; n++) {
    if (
      !isNamed(tree, n) ||
      !IDENTIFIERS.has(kindOf(tree, n)) ||
      places.has(tree.start[n] as number) ||
      mayBeLeftOut(tree, n)
    )
      continue;
    out.push(`${textOf(tree, n)} in ${kindOf(tree, tree.parent[n] as number)}`);
  }
  return out;
}

function mayBeLeftOut(tree: FlatTree, node: number): boolean {
  const parent = tree.parent[node] as number;
  const text = textOf(tree, node);
  switch (kindOf(tree, parent)) {
    case 'export_specifier':
    case 'namespace_export':
      return true;
    case 'jsx_opening_element':
    case 'jsx_closing_element':
    case 'jsx_attribute':
      return /^[a-z]/.test(text);
    case 'call_expression':
      return text === 'require';
    case 'required_parameter':
    case 'optional_parameter':
      return kindOf(tree, tree.parent[parent] as number) === 'tuple_type';
    case 'rest_pattern':
      return kindOf(tree, tree.parent[tree.parent[parent] as number] as number) === 'tuple_type';
    case 'type_parameter':
    case 'ERROR':
      return text === 'in' || text === 'out';
    default:
      return false;
  }
}
