/** What `api diff` says of two versions of a library: ways in which something public is lost, and what is only new. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testGrammars } from '../support/grammars.js';
import { changeBetween, type Files } from '../support/library.js';

const ENTRY = { 'package.json': '{"name": "shop", "main": "dist/index.js"}' };

const PRIVATE_BESIDE = { ...ENTRY, 'app/package.json': '{"name": "app", "private": true, "main": "dist/index.js"}' };

/** Each with what is said, in the order of the documents. */
const CASES: Readonly<Record<string, readonly [from: Files, to: Files, said: readonly string[]]>> = {
  'a folder hands a name on no more': [
    {
      'shop/__init__.py': 'from ._store import Store, Shelf\n',
      'shop/_store.py': 'class Store: ...\nclass Shelf: ...\n',
    },
    { 'shop/__init__.py': 'from ._store import Store\n', 'shop/_store.py': 'class Store: ...\nclass Shelf: ...\n' },
    ['breaks: class shop.Shelf is not public any more.'],
  ],
  'a type is in another file, and inherits a member from one that nobody reaches': [
    {
      ...ENTRY,
      'src/index.ts': "export * from './spy.js';\n",
      'src/spy.ts': 'export interface Spy {\n  calls: number;\n  reset(): void;\n}\n',
    },
    {
      ...ENTRY,
      'src/index.ts': "export type { Spy } from './inner.js';\n",
      'src/inner.ts':
        'interface State {\n  calls: number;\n  reset(): void;\n}\nexport interface Spy extends State {}\n',
    },
    ['may: interface Spy derives from State now.'],
  ],
  'a second path of a name is gone': [
    {
      'shop/__init__.py': 'from .a import f\n',
      'shop/sub/__init__.py': 'from ..a import f\n',
      'shop/a.py': 'def f(): ...\n',
    },
    { 'shop/__init__.py': 'from .a import f\n', 'shop/sub/__init__.py': '', 'shop/a.py': 'def f(): ...\n' },
    ['breaks: function shop.sub.f cannot be reached under this name any more; it is shop.f.'],
  ],
  'a shorter path is new': [
    { 'shop/sub/__init__.py': 'from .a import f\n', 'shop/sub/a.py': 'def f(): ...\n' },
    {
      'shop/__init__.py': 'from .sub import f\n',
      'shop/sub/__init__.py': 'from .a import f\n',
      'shop/sub/a.py': 'def f(): ...\n',
    },
    [],
  ],
  'a default export is gone': [
    { ...ENTRY, 'src/index.ts': 'export class Store {}\nexport default Store;\n' },
    { ...ENTRY, 'src/index.ts': 'export class Store {}\n' },
    ['breaks: class default cannot be reached under this name any more; it is Store.'],
  ],
  'what was the export is a name of it': [
    {
      ...ENTRY,
      'src/index.d.ts':
        'declare namespace run {\n  interface Options {}\n}\ndeclare const run: () => void;\nexport = run;\n',
    },
    { ...ENTRY, 'src/index.d.ts': 'export interface Options {}\nexport function run(): void;\n' },
    [
      'may: variable run is a function now.',
      'breaks: variable that the module is as a whole (export =) is not public any more.',
      'breaks: variable default is not public any more.',
    ],
  ],
  'types told apart by their type parameters, one of them new': [
    { 'a.cs': 'namespace Shop;\npublic class Box<T> { public void Open(T x) { } }\n' },
    {
      'a.cs':
        'namespace Shop;\npublic class Box<T> { public void Open(T x) { } }\npublic class Box { public void Open(int x) { } }\n',
    },
    [],
  ],
  'tests of a .NET project say what they are for': [
    { 'Shop/a.cs': 'public class Store { }\n', 'Shop.Tests.Web/b.cs': 'public class Model { }\n' },
    { 'Shop/a.cs': 'public class Store { }\n' },
    [],
  ],
  'an entry hands a name on no more': [
    {
      ...ENTRY,
      'src/index.ts': "export { a, b } from './a.js';\n",
      'src/a.ts': 'export const a = 1;\nexport const b = 2;\n',
    },
    {
      ...ENTRY,
      'src/index.ts': "export { a } from './a.js';\n",
      'src/a.ts': 'export const a = 1;\nexport const b = 2;\n',
    },
    ['breaks: variable b is not public any more.'],
  ],
  'a name is handed on from another file': [
    {
      ...ENTRY,
      'src/index.ts': "export { putOld as put, Store } from './a.js';\nexport * as old from './a.js';\n",
      'src/a.ts': 'export function putOld(x: number): void {}\nexport class Store { open(): void {} }\n',
      'src/b.ts': 'export function put(x: number, y: number): void {}\nexport class Store {}\n',
    },
    {
      ...ENTRY,
      'src/index.ts': "export { put, Store } from './b.js';\nexport * as old from './a.js';\n",
      'src/a.ts': 'export function putOld(x: number): void {}\nexport class Store { open(): void {} }\n',
      'src/b.ts': 'export function put(x: number, y: number): void {}\nexport class Store {}\n',
    },
    [
      'breaks: function put leads to src/b.ts now and needs y.',
      'breaks: method Store.open is gone: Store leads to another definition now.',
    ],
  ],
  'the repository as a whole is private, says what it hands out, and has a package for itself': [
    {
      'package.json': '{"name": "shop", "private": true, "main": "index"}',
      'rules/package.json': '{"name": "our-rules", "main": "index.js"}',
      'rules/index.js': 'export const rule = 1;\n',
      'src/index.ts': 'export function put(x: number): void {}\n',
    },
    {
      'package.json': '{"name": "shop", "private": true, "main": "index"}',
      'rules/package.json': '{"name": "our-rules", "main": "index.js"}',
      'rules/index.js': 'export const rule = 1;\n',
      'src/index.ts': 'export function put(x: number, y: number): void {}\n',
    },
    ['breaks: function put needs y.'],
  ],
  'a class is reached by its own file alone, and its members are what they were': [
    {
      'shop/__init__.py': "from .a import A\n\n__all__ = ['A']\n",
      'shop/a.py': 'class A:\n    def f(self, x): ...\n    def g(self): ...\n',
      'shop/b.py': 'from .a import A\n',
    },
    {
      'shop/__init__.py': '',
      'shop/a.py': 'class A:\n    def f(self, x, y=1): ...\n    def g(self): ...\n',
      'shop/b.py': 'from .a import A\n',
    },
    [
      'may: method shop.A.f can take y.',
      'breaks: class shop.A cannot be reached under this name any more; it is shop.a.A.',
    ],
  ],
  'a definition moved, and its old file imports it': [
    { 'shop/old.py': 'class A:\n    def f(self): ...\n', 'shop/new.py': '' },
    { 'shop/old.py': 'from shop.new import A\n', 'shop/new.py': 'class A:\n    def f(self): ...\n' },
    [],
  ],
  'what another file imports for itself is no name of that file': [
    { 'shop/a.py': 'class A: ...\n', 'shop/factory.py': 'from shop.a import A\n\ndef make(): ...\n' },
    { 'shop/a.py': 'class A: ...\n', 'shop/factory.py': 'def make(): ...\n' },
    [],
  ],
  'a property that is called now, and a method that is read': [
    { 'shop.py': 'class A:\n    @property\n    def size(self): ...\n    def name(self): ...\n' },
    { 'shop.py': 'class A:\n    def size(self): ...\n    @property\n    def name(self): ...\n' },
    ['breaks: method shop.A.size has to be called now.', 'breaks: method shop.A.name is read now, and not called.'],
  ],
  'a member that a class inherits instead, as it was and in another form': [
    {
      'shop.py':
        'class Base:\n    def next(self): ...\n    def last(self, n): ...\n\n' +
        'class A(Base):\n    @property\n    def next(self): ...\n' +
        '    def last(self, n): ...\n',
    },
    { 'shop.py': 'class Base:\n    def next(self): ...\n    def last(self, n): ...\n\nclass A(Base): ...\n' },
    ['breaks: method shop.A.next is inherited now, and in another form.'],
  ],
  'a member that a class of the language has as well': [
    { ...ENTRY, 'src/index.ts': 'export class Wrong extends Error { message: string; code: number; }\n' },
    { ...ENTRY, 'src/index.ts': 'export class Wrong extends Error {}\n' },
    ['breaks: field Wrong.code is gone.'],
  ],
  'a private package beside one that is published': [
    { ...PRIVATE_BESIDE, 'src/index.ts': 'export const a = 1;\n', 'app/src/index.ts': 'export const b = 1;\n' },
    { ...PRIVATE_BESIDE, 'src/index.ts': 'export const a = 1;\n', 'app/src/index.ts': 'export const c = 1;\n' },
    [],
  ],
  'a private package alone, which a build publishes': [
    { 'package.json': '{"name": "shop", "private": true}', 'src/index.ts': 'export const b = 1;\n' },
    { 'package.json': '{"name": "shop", "private": true}', 'src/index.ts': 'export const c = 1;\n' },
    ['breaks: variable b is c now.'],
  ],
  'a class is another name for one that was below it': [
    {
      'shop/__init__.py': 'from shop.store import Legacy, Store\n',
      'shop/store.py':
        'class Store:\n    def __init__(self, url): ...\n    def get(self, name): ...\n' +
        '    def put(self, name, value): ...\n    def drop(self, name): ...\n\n' +
        'class Legacy(Store):\n    def put(self, value, name): ...\n',
    },
    {
      'shop/__init__.py': 'from shop.store import Legacy, Store\n',
      'shop/store.py':
        'class Legacy(object):\n    def __init__(self, url): ...\n    def get(self, name): ...\n' +
        '    def put(self, name, value): ...\n    def drop(self, name, force): ...\n\nStore = Legacy\n',
    },
    [
      'may: class shop.Store is another name for shop.Legacy now.',
      'breaks: method shop.Legacy.put takes name, value at another place.',
      'breaks: method shop.Store.drop needs force.',
    ],
  ],
  'a base that another base brings': [
    { 'shop.py': 'class A: ...\n\nclass B(A): ...\n\nclass C(A): ...\n' },
    { 'shop.py': 'class A(object): ...\n\nclass B(A): ...\n\nclass C(B): ...\n' },
    ['may: class shop.C derives from B now.'],
  ],
  'a class is a function now': [
    { ...ENTRY, 'src/index.ts': 'export class a {}\n' },
    { ...ENTRY, 'src/index.ts': 'export function a(): void {}\n' },
    ['breaks: class a is a function now.'],
  ],
  'members that others have to write': [
    { 'A.java': 'package shop;\npublic interface A {\n    void a();\n}\n' },
    { 'A.java': 'package shop;\npublic interface A {\n    void a();\n    void b();\n    default void c() {}\n}\n' },
    ['breaks: method shop.A.b is new and has to be implemented.'],
  ],
  'another form of a member that others have to write': [
    { 'A.cs': 'namespace Shop;\npublic interface A { void B(int a); }\n' },
    { 'A.cs': 'namespace Shop;\npublic interface A { void B(int a); void B(string a); }\n' },
    ['breaks: method Shop.A.B is new in another form and has to be implemented.'],
  ],
  'a member that a class inherits now': [
    { 'shop.py': 'class A:\n    x = 1\n    y = 1\nclass B(A):\n    x = 2\n    z = 1\n' },
    { 'shop.py': 'class A:\n    x = 1\n    y = 1\nclass B(A):\n    pass\n' },
    ['breaks: field shop.B.z is gone.'],
  ],
  'a type parameter by another name': [
    { 'A.cs': 'namespace Shop;\npublic class A { public T B<T>(T a) { return a; } }\n' },
    { 'A.cs': 'namespace Shop;\npublic class A { public U B<U>(U a) { return a; } }\n' },
    [],
  ],
  'a new constant of an enumeration': [
    { 'A.cs': 'namespace Shop;\npublic enum A { One }\n' },
    { 'A.cs': 'namespace Shop;\npublic enum A { One, Two }\n' },
    ['may: enumMember Shop.A.Two is new.'],
  ],
  'a class that nobody may derive from': [
    { 'A.cs': 'namespace Shop;\npublic class A { public void B() {} }\n' },
    { 'A.cs': 'namespace Shop;\npublic sealed class A { public void B() {} }\n' },
    ['breaks: class Shop.A is final now.'],
  ],
  'a parameter with another name, where calls can say it': [
    { 'shop.py': 'def f(key): ...\n' },
    { 'shop.py': 'def f(name): ...\n' },
    ['breaks: function shop.f calls its parameter key name now.'],
  ],
  'a parameter with another name, where calls cannot': [
    { 'A.java': 'package shop;\npublic class A {\n    public void a(int key) {}\n}\n' },
    { 'A.java': 'package shop;\npublic class A {\n    public void a(int name) {}\n}\n' },
    [],
  ],
  'wider and narrower visibility': [
    { 'A.java': 'package shop;\npublic class A {\n    protected void a() {}\n    public void b() {}\n}\n' },
    { 'A.java': 'package shop;\npublic class A {\n    public void a() {}\n    protected void b() {}\n}\n' },
    ['may: method shop.A.a is public now.', 'breaks: method shop.A.b is protected now.'],
  ],
  'another file, another text, and the same path': [
    { ...ENTRY, 'src/index.ts': "export * from './a.js';\n", 'src/a.ts': 'export function a(x: number): number;\n' },
    {
      ...ENTRY,
      'src/index.ts': "export * from './b.js';\n",
      'src/b.ts': 'export function a(x: number, options?: { deep: boolean; wide: boolean }): Promise<number>;\n',
    },
    ['breaks: function a has to be awaited; can take options; gives Promise<number> instead of number.'],
  ],
  'a static method stands in another type under its name': [
    {
      'A.java':
        'package shop;\npublic class A {\n    public static String join(String one, String other) { return one; }\n' +
        '    public static int count() { return 1; }\n}\n',
      'B.java': 'package shop;\npublic class B {\n    public static int most() { return 2; }\n}\n',
    },
    {
      'A.java': 'package shop;\npublic class A {\n    public static int count() { return 1; }\n}\n',
      'B.java':
        'package shop;\npublic class B {\n    public static String join(String one, String other) { return one; }\n' +
        '    public static int most() { return 2; }\n}\n',
    },
    ['breaks: method shop.A.join is shop.B.join now.'],
  ],
  'a package, a module of one and a folder of a project that are called like folders beside a library': [
    {
      'src/main/java/org/shop/docs/Page.java': 'package org.shop.docs;\npublic class Page { public void show() {} }\n',
      'src/test/java/org/shop/Use.java': 'package org.shop;\npublic class Use { public void run() {} }\n',
      'shop/__init__.py': '',
      'shop/test/__init__.py': '',
      'shop/test/cases.py': 'def case(name): ...\n',
      'shop/tests/__init__.py': 'def run(name): ...\n',
      'tests/__init__.py': 'def run(name): ...\n',
      'Shop/Shop.csproj': '<Project />',
      'Shop/Testing/Host.cs': 'namespace Shop.Testing;\npublic class Host { public void Start() {} }\n',
      'tests/Shop.Checks/Shop.Checks.csproj': '<Project />',
      'tests/Shop.Checks/Check.cs': 'namespace Shop;\npublic class Check { public void Run() {} }\n',
    },
    {
      'src/main/java/org/shop/docs/Page.java': 'package org.shop.docs;\npublic class Page { }\n',
      'src/test/java/org/shop/Use.java': 'package org.shop;\npublic class Use { }\n',
      'shop/__init__.py': '',
      'shop/test/__init__.py': '',
      'shop/test/cases.py': 'def case(): ...\n',
      'shop/tests/__init__.py': 'def run(): ...\n',
      'tests/__init__.py': 'def run(): ...\n',
      'Shop/Shop.csproj': '<Project />',
      'Shop/Testing/Host.cs': 'namespace Shop.Testing;\npublic class Host { }\n',
      'tests/Shop.Checks/Shop.Checks.csproj': '<Project />',
      'tests/Shop.Checks/Check.cs': 'namespace Shop;\npublic class Check { }\n',
    },
    [
      'breaks: method Shop.Testing.Host.Start is gone.',
      'breaks: function shop.test.cases.case takes no name any more.',
      'breaks: method org.shop.docs.Page.show is gone.',
    ],
  ],
  'an entry in a folder that is called like one beside a library': [
    {
      'package.json': '{"name": "shop", "exports": {".": "./src/index.ts", "./testing": "./testing/index.ts"}}',
      'src/index.ts': 'export class Store {}\n',
      'testing/index.ts': 'export function fakeStore(name: string): void {}\n',
      'examples/one/package.json': '{"name": "one", "main": "index.ts"}',
      'examples/one/index.ts': 'export function one(): void {}\n',
    },
    {
      'package.json': '{"name": "shop", "exports": {".": "./src/index.ts", "./testing": "./testing/index.ts"}}',
      'src/index.ts': 'export class Store {}\n',
      'testing/index.ts': 'export function fakeStore(): void {}\n',
      'examples/one/package.json': '{"name": "one", "main": "index.ts"}',
      'examples/one/index.ts': '\n',
    },
    ['breaks: function testing.fakeStore takes no name any more.'],
  ],
  'additions alone': [
    { 'shop.py': 'class A:\n    def a(self): ...\n' },
    { 'shop.py': 'class A:\n    def a(self): ...\n    def b(self): ...\n\ndef c(): ...\n' },
    [],
  ],
};

for (const [name, [from, to, said]] of Object.entries(CASES))
  test(`api diff: ${name}`, async () => {
    const grammars = await testGrammars();
    const change = await changeBetween(from, to, grammars);
    assert.deepEqual(
      change.changes.map(({ tier, reason }) => `${tier}: ${reason}`),
      said,
    );
    assert.equal(change.breaks, said.filter((line) => line.startsWith('breaks')).length);
  });
