/** What a library's change asks of those who use it, and what it does not: they need not look at what fits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurns } from '#src/base/turns.js';
import { movesOf, sideOf, toldOf, withSide } from '#src/engine/api-tree.js';
import { editInTurns } from '#src/engine/edit-between.js';
import { impactOf } from '#src/impact/impact.js';
import { questionAbout } from '#src/impact/question.js';
import { testGrammars } from '../support/grammars.js';
import { changeBetween, treeFrom, type Files } from '../support/library.js';

const NPM = { 'package.json': '{"name": "shop", "version": "1.0.0", "types": "index.d.ts"}' };

/** Each with the blocks that have to follow, and how many places could not be decided. */
const CASES: Readonly<
  Record<string, readonly [from: Files, to: Files, user: Files, said: readonly string[], undecided?: number]>
> = {
  'an extension method is reached without its class, which is gone too': [
    {
      'A.cs':
        'namespace Shop;\npublic static class A { public static int Sum(this Bag bag) => 1; }\npublic class Bag {}\n',
    },
    {
      'A.cs': 'namespace Shop;\npublic static class B { public static int SumAll(this Bag bag) => 1; }\nclass Bag {}\n',
    },
    { 'Use.cs': 'using Shop;\nclass Use { int Go(Bag bag) => bag.Sum(); }\n' },
    ['Use.Go breaks certain'],
  ],
  'what overrides a member of a class that is gone': [
    { 'A.cs': 'namespace Shop;\npublic abstract class A { public virtual void B() {} }\n' },
    { 'A.cs': 'namespace Shop;\npublic class C {}\n' },
    { 'Use.cs': 'using Shop;\nclass Use : A { public override void B() {} public void Other() {} }\n' },
    ['Use breaks certain', 'Use.B breaks certain'],
  ],
  'what is held is of a class that is gone: its members are gone for who says none of its name too': [
    { 'shop.py': 'class Store:\n    def put(self, item): ...\n' },
    { 'shop.py': 'def nothing(): ...\n' },
    {
      'use.py':
        'import shop\n\nclass Till:\n    def __init__(self):\n        self.store = shop.Store()\n\n' +
        '    def pay(self):\n        self.store.put(1)\n',
    },
    ['Till.__init__ breaks certain', 'Till.pay may certain'],
  ],
  'one part of a class is gone, and the class is not': [
    {
      'A.cs': 'namespace Shop;\npublic readonly partial struct Color { public static Color Red() => default; }\n',
      'B.cs': 'namespace Shop;\npublic readonly partial struct Color { public static Color Of(int x) => default; }\n',
    },
    { 'A.cs': 'namespace Shop;\npublic readonly partial struct Color { public static Color Red() => default; }\n' },
    { 'Use.cs': 'using Shop;\nclass Use { Color Go() => Color.Red(); void Other() { Color.Of(1); } }\n' },
    ['Use.Other breaks certain'],
  ],
  'a constructor and an extension method that users cannot reach': [
    {
      'A.cs':
        'namespace Shop;\npublic class A { public A(int x) {} }\n' +
        'internal static class Copying { public static void CopyAll(this Span<char> all, char[] to) {} }\n',
    },
    { 'A.cs': 'namespace Shop;\npublic class A { public A(int x) {} internal A(int x, string y) {} }\n' },
    {
      'Use.cs':
        'using System;\nusing Shop;\nclass Use { A a = new(1); void Go(Span<char> a, char[] b) { a.CopyAll(b); } }\n',
    },
    [],
    1,
  ],
  'a parameter has another name, and another form would take as many arguments': [
    { 'Pool.java': 'package shop;\npublic class Pool { public Pool(int time, int other, String password) {} }\n' },
    {
      'Pool.java':
        'package shop;\npublic class Pool {\n  public Pool(int time, String user, String password) {}\n' +
        '  public Pool(int connectionTime, int other, String password) {}\n}\n',
    },
    {
      'Use.java':
        'import shop.Pool;\nclass Use { int t; int o; String p; Object go() { return new Pool(t, o, p); } }\n',
    },
    [],
  ],
  'a call that never fitted the form that is gone, on what nobody knows': [
    {
      'Store.java':
        'package shop;\npublic class Store { public void set(byte[] a, byte[] b) {} ' +
        'public void set(byte[] a, byte[] b, byte[] c) {} }\n',
    },
    { 'Store.java': 'package shop;\npublic class Store { public void set(byte[] a, byte[] b) {} }\n' },
    {
      'Use.java':
        'import shop.Store;\nimport static org.mockito.Mockito.*;\n' +
        'class Use { Store store; void go() { verify(store).set(any(), any()); } }\n',
    },
    [],
  ],
  'another form of a member has to be written, where one is there': [
    { 'A.cs': 'namespace Shop;\npublic interface A { void B(int a); }\n' },
    { 'A.cs': 'namespace Shop;\npublic interface A { void B(int a); void B(string a); }\n' },
    {
      'Use.cs':
        'using Shop;\nclass One : A { public void B(int a) {} }\n' +
        'class Both : A { public void B(int a) {} public void B(string a) {} }\n',
    },
    ['One breaks certain'],
  ],
  'a parameter that need not be given, to who calls and to who overrides': [
    { 'shop.py': 'class A:\n    def a(self, x):\n        return x\n' },
    { 'shop.py': 'class A:\n    def a(self, x, deep=False):\n        return x\n' },
    {
      'use.py':
        'from shop import A\n\ndef go(a: A):\n    a.a(1)\n\nclass B(A):\n    def a(self, x):\n        return x\n',
    },
    ['B.a breaks certain'],
  ],
  'what a library has taken over from others is not what users mean by that name': [
    { 'shop/__init__.py': 'def own(): ...\n', 'shop/_vendor/toml/__init__.py': 'def parse(): ...\n' },
    { 'shop/__init__.py': 'def own(): ...\n', 'shop/_vendor/toml/__init__.py': 'def read(): ...\n' },
    { 'use.py': 'import shop\nfrom toml import parse\n\ndef go():\n    return parse()\n' },
    [],
  ],
  'what a library has in a namespace that its user has packages in as well': [
    { 'src/acme/store/__init__.py': 'class Store:\n    def put(self, item): ...\n' },
    { 'src/acme/store/__init__.py': 'class Store:\n    def insert(self, item): ...\n' },
    {
      'pyproject.toml': '[project]\nname = "acme-till"\n',
      'src/acme/till/__init__.py': 'from acme.store import Store\n\ndef pay():\n    Store().put(1)\n',
    },
    ['pay breaks certain'],
  ],
  'a default that is another one now: the call fits, and only a person knows whether it is meant': [
    { 'shop.py': 'def get(url, follow=True): ...\n' },
    { 'shop.py': 'def get(url, follow=False): ...\n' },
    { 'use.py': 'from shop import get\n\ndef go():\n    return get("a")\n\ndef given():\n    get("a", follow=True)\n' },
    [],
    1,
  ],
  'a body that says what it gives in one version and not in the other': [
    { 'shop.py': 'class Url:\n    def a(self): ...\n\ndef parse(text):\n    return Url()\n' },
    { 'shop.py': 'class Url:\n    def a(self): ...\n\ndef parse(text) -> Url:\n    return Url()\n' },
    { 'use.py': 'from shop import parse\n\ndef go():\n    return parse("a")\n' },
    [],
  ],
  'a member that comes from a new base, written as it was': [
    { 'shop.py': 'class A:\n    def parse(self, text): ...\n' },
    { 'shop.py': 'class Base:\n    def parse(self, text): ...\n\nclass A(Base): ...\n' },
    { 'use.py': 'from shop import A\n\ndef go(a: A):\n    return a.parse("a")\n' },
    [],
  ],
  'a result that is one of what it was, and a parameter that takes more': [
    { 'shop.py': 'class A:\n    n: str | None\n    def a(self, x: int) -> Optional[int]:\n        return x\n' },
    { 'shop.py': 'class A:\n    n: str\n    def a(self, x: int | str) -> int:\n        return x\n' },
    { 'use.py': 'from shop import A\n\ndef go(a: A):\n    return a.a(1), a.n\n' },
    [],
  ],
  'a result that can be something else as well': [
    { 'shop.py': 'class A:\n    def a(self) -> int:\n        return 1\n' },
    { 'shop.py': 'class A:\n    def a(self) -> int | None:\n        return 1\n' },
    { 'use.py': 'from shop import A\n\ndef go(a: A):\n    return a.a()\n' },
    ['go may certain'],
  ],
  'a property that says its type now': [
    { 'shop.py': 'class A:\n    @property\n    def index(self):\n        return 1\n' },
    { 'shop.py': 'class A:\n    @property\n    def index(self) -> int:\n        return 1\n' },
    {
      'use.py':
        'import shop\n\ndef go(names):\n    return names.index("a")\n\n' + 'def read(a: shop.A):\n    return a.index\n',
    },
    [],
  ],
  'a member that a class inherits now': [
    { 'shop.py': 'class A:\n    x = 1\nclass B(A):\n    x = 2\n    z = 1\n' },
    { 'shop.py': 'class A:\n    x = 1\nclass B(A):\n    pass\n' },
    { 'use.py': 'from shop import B\n\ndef one(b: B):\n    return b.x\n\ndef two(b: B):\n    return b.z\n' },
    ['two breaks certain'],
  ],
  'bases that take no member along': [
    { 'A.cs': 'namespace Shop;\npublic interface A : Mark {}\npublic interface Mark {}\n' },
    { 'A.cs': 'namespace Shop;\npublic interface A {}\npublic interface Mark {}\n' },
    { 'Use.cs': 'using Shop;\nclass Use : A {}\n' },
    [],
  ],
  'types that are computed otherwise, and one that may be missing': [
    {
      ...NPM,
      'index.d.ts':
        'export type Out<T> = T extends { out: any } ? Required<T>["out"] : unknown;\n' +
        'type Merge<A, B> = Omit<A, keyof B> & B;\n' +
        'type Join<A, B> = { [K in keyof A as Exclude<K, keyof B>]: A[K] } & B;\n' +
        'export interface Box<T> { extend<U>(other: U): Box<Merge<T, U>>; first(): T; }\n',
    },
    {
      ...NPM,
      'index.d.ts':
        'export type Out<T> = T extends { out: any } ? T["out"] : unknown;\n' +
        'type Merge<A, B> = Omit<A, keyof B> & B;\n' +
        'type Join<A, B> = { [K in keyof A as Exclude<K, keyof B>]: A[K] } & B;\n' +
        'export interface Box<T> { extend<U>(other: U): Box<Join<T, U>>; first(): T | undefined; }\n',
    },
    {
      'use.ts':
        "import type { Box, Out } from 'shop';\nexport interface Made { out: string }\n" +
        'export type Held = Out<Made>;\nexport const more = (box: Box<Made>) => box.extend({ a: 1 });\n' +
        'export const one = (box: Box<Made>) => box.first();\n',
    },
    ['one may certain'],
    2,
  ],
  'a type parameter that takes fewer types, where what is given has the bound already': [
    {
      ...NPM,
      'index.d.ts':
        'export interface Atom<Args> { run(args: Args): void }\nexport function use<Args>(atom: Atom<Args>): void;\n' +
        'export function tell<Args>(args: Args): void;\n',
    },
    {
      ...NPM,
      'index.d.ts':
        'export interface Atom<Args extends unknown[]> { run(args: Args): void }\n' +
        'export function use<Args extends unknown[]>(atom: Atom<Args>): void;\n' +
        'export function tell<Args extends unknown[]>(args: Args): void;\n',
    },
    {
      'use.ts':
        "import { tell, use } from 'shop';\n" +
        'export const one = (atom: any) => use(atom);\nexport const two = (words: any) => tell(words);\n',
    },
    ['two may certain'],
  ],
  'a type that stands for another one where nothing is written for its parameter': [
    { ...NPM, 'index.d.ts': 'export interface Kind<Out = any, In = Out> { out: Out; in: In }\n' },
    { ...NPM, 'index.d.ts': 'export interface Kind<Out = unknown, In = Out> { out: Out; in: In }\n' },
    {
      'use.ts':
        "import type { Kind } from 'shop';\nexport const one = (kind: Kind) => kind;\n" +
        'export const two = (kind: Kind<string>) => kind;\n',
    },
    [],
    1,
  ],
  'what was all of a module has a name of its own now: calls that the import alone has to follow': [
    {
      ...NPM,
      'index.d.ts':
        'declare namespace run { function now(file: string): string }\n' +
        'declare const run: { (file: string): string; now(file: string): string };\nexport = run;\n',
    },
    {
      ...NPM,
      'index.d.ts': 'export function run(file: string): string;\nexport function runNow(file: string): string;\n',
    },
    {
      'use.ts': "import run from 'shop';\nexport const one = () => run('a');\nexport const two = () => run.now('a');\n",
    },
    ['<module> breaks certain', 'two breaks certain'],
  ],
  'a base that is none any more, where a function of the user asks for it': [
    { 'A.cs': 'namespace Shop;\npublic interface IAsk<T> {}\npublic interface IAsk : IAsk<int> {}\n' },
    { 'A.cs': 'namespace Shop;\npublic interface IAsk<T> {}\npublic interface IAsk {}\n' },
    {
      'Use.cs':
        'using Shop;\nclass Mine : IAsk {}\n' +
        'class Use { void Send<T>(IAsk<T> ask) {} void Go(Mine mine) { Send(mine); } }\n',
    },
    ['Use.Send may certain', 'Use.Go breaks certain'],
  ],
  'what stands in a header means another type now, to who overrides it': [
    {
      '_types.py':
        'from typing import Dict, Optional, Tuple\nURL = Tuple[bytes, int]\nTimes = Dict[str, Optional[float]]\n',
      'shop.py':
        'from _types import Times, URL\n\nclass Transport:\n' +
        '    def request(self, url: URL, times: Times = None) -> int:\n        raise NotImplementedError()\n',
    },
    {
      '_types.py':
        'from typing import Mapping, Optional, Tuple\nURL = Tuple[bytes, Optional[int]]\n' +
        'Times = Mapping[str, Optional[float]]\n',
      'shop.py':
        'from _types import Times, URL\n\nclass Transport:\n' +
        '    def request(self, url: URL, times: Times = None) -> int:\n        raise NotImplementedError()\n',
    },
    {
      'use.py':
        'from typing import Dict, Optional, Tuple\nimport shop\n\nclass Old(shop.Transport):\n' +
        '    def request(self, url: Tuple[bytes, int], times: Dict[str, Optional[float]] = None) -> int:\n' +
        '        return 1\n\nclass New(shop.Transport):\n' +
        '    def request(self, url: Tuple[bytes, Optional[int]], times=None) -> int:\n        return 1\n',
    },
    ['Old.request breaks certain'],
  ],
  'a name on something unknown, whose change may ask nothing': [
    { 'shop.py': 'class A:\n    total: int\n' },
    { 'shop.py': 'class A:\n    total: str\n' },
    { 'use.py': 'import shop\n\ndef go(thing):\n    return thing.total\n' },
    [],
    1,
  ],
  'a call on something unknown that the old member could not have taken': [
    { 'shop.py': 'class A:\n    def total(self):\n        return 1\n' },
    { 'shop.py': 'class A:\n    def total(self, more):\n        return 1\n' },
    { 'use.py': 'import shop\n\ndef go(thing):\n    return thing.total(1, 2, 3)\n' },
    [],
  ],
};

for (const [name, [from, to, user, said, undecided = 0]] of Object.entries(CASES))
  test(`across the border: ${name}`, async () => {
    const grammars = await testGrammars();
    const { signal } = new AbortController();
    const change = await changeBetween(from, to, grammars);
    const root = treeFrom(user, grammars);
    const old = await inTurns(withSide(root, sideOf(change, 'before'), grammars), signal);
    const before = old.knowing(toldOf(movesOf(change), old));
    const after = await inTurns(withSide(root, sideOf(change, 'after'), grammars, before), signal);
    const edit = await inTurns(editInTurns(before, after), signal);
    const question = questionAbout({ before: before.resolver, after: after.resolver }, edit);
    const impact = await inTurns(impactOf(question), signal);
    assert.deepEqual(
      impact.affected.map(
        ({ file, decl, tier, confidence }) =>
          `${decl < 0 ? '<module>' : after.resolver.summary(file).decls.pathOf(decl)} ${tier} ${confidence}`,
      ),
      said,
    );
    assert.equal(impact.undecided.length, undecided);
  });
