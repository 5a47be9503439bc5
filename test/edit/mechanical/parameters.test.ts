/** Changed parameters: arguments, overrides and bodies follow; what cannot be told stays open with a reason. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testGrammars } from '../../support/grammars.js';
import { marked, propagated, type Files } from '../../support/propagated.js';

const grammars = await testGrammars();

async function after(
  files: Files,
  values: Readonly<Record<string, string>> = {},
): Promise<{ changed: Files; open: readonly string[] }> {
  const { before, edit } = marked(files);
  const { changed, open } = await propagated(grammars, before, edit, { values });
  return { changed, open };
}

/** One file: its text after the edit and the rewrites. */
async function one(
  file: string,
  text: string,
  values: Readonly<Record<string, string>> = {},
): Promise<{ text: string | undefined; open: readonly string[] }> {
  const { changed, open } = await after({ [file]: text }, values);
  return { text: changed[file], open };
}

test('Python: a removed parameter at positional, keyword, multi-line and nested calls', async () => {
  const { text, open } = await one(
    'a.py',
    `def put(key, {-ttl, -}mode=1):
    return key


put(1, 2)
put(1, ttl=2, mode=3)
put(
    1,  # the key
    2,  # the time
    mode=3,
)
put(
    1,  # the key
    2,
)
put(put(1, 5), 6, 3)
`,
  );
  assert.deepEqual(open, []);
  assert.equal(
    text,
    `def put(key, mode=1):
    return key


put(1)
put(1, mode=3)
put(
    1,  # the key
    mode=3,
)
put(
    1,  # the key
)
put(put(1), 3)
`,
  );
});

test('a removed parameter stays where its argument acts, is spread, or did not fit before', async () => {
  const { text, open } = await one(
    'a.py',
    'def put(key, {-ttl, -}mode=1):\n    return key\n\n\ndef a(g):\n    put(1, g())\n\n\ndef b(g):\n    put(*g)\n\n\ndef c():\n    put(1, 2, 3, 4)\n\n\ndef d(x):\n    x.put(1, 2, 3)\n',
  );
  assert.equal(text, undefined);
  assert.deepEqual(open, [
    'a.py::a: the argument for ttl may do something when it is evaluated',
    'a.py::c: the call takes at most 3 positional arguments, 4 given in the old signature already',
  ]);
});

test('Python: overrides lose the parameter too, unless their body uses it', async () => {
  const { text, open } = await one(
    'a.py',
    `class Base:
    def put(self, key{-, ttl-}):
        return key


class Sub(Base):
    def put(self, key, ttl):
        return super().put(key, ttl)


class Uses(Base):
    def put(self, key, ttl):
        return ttl


def f(base: Base, sub: Sub):
    base.put(1, 2)
    sub.put(1, 2)
`,
  );
  assert.deepEqual(open, ['a.py::Uses.put: its body uses the parameter ttl']);
  assert.match(text ?? '', /class Sub\(Base\):\n    def put\(self, key\):\n        return super\(\)\.put\(key\)\n/);
  assert.match(text ?? '', /def put\(self, key, ttl\):\n        return ttl/);
  assert.match(text ?? '', /base\.put\(1\)\n    sub\.put\(1\)\n/);
});

test('TypeScript: interface, implementation, calls with comments', async () => {
  const { text, open } = await one(
    'a.ts',
    `export interface Store { put(key: string{-, ttl: number-}): void }
export class Mem implements Store {
  put(key: string, ttl: number): void { console.log(key); }
}
export function use(s: Store, m: Mem) {
  s.put(
    'a', // key
    60, // ttl
  );
  m.put('b', /* ttl */ 60);
}
`,
  );
  assert.deepEqual(open, []);
  assert.equal(
    text,
    `export interface Store { put(key: string): void }
export class Mem implements Store {
  put(key: string): void { console.log(key); }
}
export function use(s: Store, m: Mem) {
  s.put(
    'a', // key
  );
  m.put('b');
}
`,
  );
});

test('Java: method, constructor and super call lose an argument', async () => {
  const { changed, open } = await after({
    'p/A.java':
      'package p;\n\npublic class A {\n  A(int size{-, String name-}) { }\n  void put(String key{-, int ttl-}) { }\n}\n',
    'p/B.java':
      'package p;\n\nclass B extends A {\n  B() { super(1, "b"); }\n  @Override void put(String key, int ttl) { super.put(key, ttl); }\n  static void m(A a) { a.put("x", 1); new A(2, "c").put("y",\n      2); }\n}\n',
  });
  assert.deepEqual(open, []);
  assert.deepEqual(changed, {
    'p/B.java':
      'package p;\n\nclass B extends A {\n  B() { super(1); }\n  @Override void put(String key) { super.put(key); }\n  static void m(A a) { a.put("x"); new A(2).put("y"); }\n}\n',
  });
});

test('C#: named arguments, and a renamed parameter', async () => {
  const { text, open } = await one(
    'A.cs',
    `class A {
    public virtual void Put(string {-key-}{+name+}{-, int ttl = 3-}, bool deep = false) { System.Console.WriteLine(key); }
}
class B : A {
    public override void Put(string key, int ttl = 3, bool deep = false) { base.Put(key, ttl, deep); }
    static void M(A a) { a.Put("x", 1); a.Put("x", ttl: 1, deep: true); a.Put(key: "k", ttl: 3); }
}
`,
  );
  assert.deepEqual(open, []);
  assert.equal(
    text,
    `class A {
    public virtual void Put(string name, bool deep = false) { System.Console.WriteLine(name); }
}
class B : A {
    public override void Put(string key, bool deep = false) { base.Put(key, deep); }
    static void M(A a) { a.Put("x"); a.Put("x", deep: true); a.Put(name: "k"); }
}
`,
  );
});

test('reordered parameters permute positional arguments and leave keywords', async () => {
  const python = await one(
    'a.py',
    'def put({-key, ttl-}{+ttl, key+}, mode=0):\n    return key, ttl\n\n\nput(1, 2)\nput(1, ttl=2)\nput(put(1, 2), 3)\nput(\n    1,\n    2,\n    mode=3,\n)\n',
  );
  assert.equal(
    python.text,
    'def put(ttl, key, mode=0):\n    return key, ttl\n\n\nput(2, 1)\nput(key=1, ttl=2)\nput(3, put(2, 1))\nput(\n    2,\n    1,\n    mode=3,\n)\n',
  );
  const script = await one(
    'a.ts',
    "export abstract class S { abstract put({-key: string, ttl: string-}{+ttl: string, key: string+}): void }\nexport class M extends S { put(key: string, ttl: string) { this.log(key); } log(x: string) {} }\nexport const f = (s: S, m: M) => { s.put('a', 'b'); m.put('c', 'd'); };\n",
  );
  assert.equal(
    script.text,
    "export abstract class S { abstract put(ttl: string, key: string): void }\nexport class M extends S { put(ttl: string, key: string) { this.log(key); } log(x: string) {} }\nexport const f = (s: S, m: M) => { s.put('b', 'a'); m.put('d', 'c'); };\n",
  );
  assert.deepEqual([...python.open, ...script.open], []);
});

test('a new parameter takes the value that is given, else a variable of its name and type, else stays open', async () => {
  const given = await one(
    'a.py',
    'def put(key{+, mode+}, *, deep=False):\n    return key\n\n\nput(1)\nput(1, deep=True)\nput(key=1)\n',
    { mode: '"fast"' },
  );
  assert.equal(
    given.text,
    'def put(key, mode, *, deep=False):\n    return key\n\n\nput(1, "fast")\nput(1, "fast", deep=True)\nput(key=1, mode="fast")\n',
  );
  const found = await one(
    'A.java',
    'class A {\n  static void put(String key{+, int ttl+}) { }\n  void f(int ttl) { put("a"); }\n  void g(String ttl) { put("a"); }\n  void h() { int ttl = 3; put("b"); }\n  void i() { put("b"); int ttl = 3; }\n}\n',
  );
  assert.equal(
    found.text,
    'class A {\n  static void put(String key, int ttl) { }\n  void f(int ttl) { put("a", ttl); }\n  void g(String ttl) { put("a"); }\n  void h() { int ttl = 3; put("b", ttl); }\n  void i() { put("b"); int ttl = 3; }\n}\n',
  );
  assert.deepEqual(found.open, ['A.java::A.g: it needs a value for ttl', 'A.java::A.i: it needs a value for ttl']);
});

test('a new keyword-only parameter stands among the keywords as in the signature', async () => {
  const { text } = await one(
    'a.py',
    'def put(key, *, {+cap, +}deep=0, mode=1):\n    return key\n\n\nput(1, mode=3)\nput(1)\n',
    { cap: '9' },
  );
  assert.equal(
    text,
    'def put(key, *, cap, deep=0, mode=1):\n    return key\n\n\nput(1, cap=9, mode=3)\nput(1, cap=9)\n',
  );
});

test('an interface method with a new parameter is carried to its implementations in other files', async () => {
  const { changed, open } = await after({
    'S.java':
      'import java.util.List;\n\ninterface S {\n  void put(String key{+, int ttl+});\n  void fill(String key{+, List<String> all+});\n}\n',
    'M.java': 'class M implements S {\n  public void put(String key) { }\n  public void fill(String key) { }\n}\n',
  });
  assert.deepEqual(changed, {
    'M.java':
      'class M implements S {\n  public void put(String key, int ttl) { }\n  public void fill(String key) { }\n}\n',
  });
  assert.deepEqual(open, ['M.java::M.fill: List is not known in M.java']);
});

test('TypeScript: an implementation need not take a new optional parameter', async () => {
  const { text, open } = await one(
    'a.ts',
    'export interface Store { put(key: string{+, ttl?: number+}): void }\nexport class Mem implements Store {\n  put(key: string): void { console.log(key); }\n}\n',
  );
  assert.equal(text, undefined);
  assert.deepEqual(open, []);
});

test('what becomes keyword-only, or gets an optional parameter in front, is passed by keyword', async () => {
  const only = await one(
    'a.py',
    'def put(key, {+*, +}ttl, deep=0):\n    return key\n\n\nput(1, 2)\nput(1, 2, 3)\nput(1, 2, deep=3)\n',
  );
  assert.equal(
    only.text,
    'def put(key, *, ttl, deep=0):\n    return key\n\n\nput(1, ttl=2)\nput(1, ttl=2, deep=3)\nput(1, ttl=2, deep=3)\n',
  );
  const front = await one(
    'a.py',
    'def put(key, {+mode=None, +}ttl=0):\n    return key\n\n\nput(1, 2)\nput(1)\nput(1, ttl=3)\n',
  );
  assert.equal(
    front.text,
    'def put(key, mode=None, ttl=0):\n    return key\n\n\nput(1, ttl=2)\nput(1)\nput(1, ttl=3)\n',
  );
});

test('a renamed parameter in body, nested functions, keyword arguments and overrides', async () => {
  const { text, open } = await one(
    'a.py',
    `class Base:
    def go(self, {-key-}{+name+}, *, deep=False):
        def inner():
            return key
        return [key for _ in range(3)], inner


class Low(Base):
    def go(self, key, *, deep=True):
        """Go.

        :param key: where to
        """
        return super().go(key=key, deep=deep)


class Odd(Base):
    def go(self, key, *, deep=True):
        name = 3
        return key, name


def f(b: Base, key):
    b.go(key=key)
    b.go(key, deep=1)
`,
  );
  assert.deepEqual(open, ['a.py::Odd.go: its body uses the name name for something else']);
  assert.equal(
    text,
    `class Base:
    def go(self, name, *, deep=False):
        def inner():
            return name
        return [name for _ in range(3)], inner


class Low(Base):
    def go(self, name, *, deep=True):
        """Go.

        :param name: where to
        """
        return super().go(name=name, deep=deep)


class Odd(Base):
    def go(self, key, *, deep=True):
        name = 3
        return key, name


def f(b: Base, key):
    b.go(name=key)
    b.go(key, deep=1)
`,
  );
});

test('a receiver that is not known keeps its call in the rounds that follow', async () => {
  const { text, open } = await one(
    'a.py',
    'class Base:\n    def put(self, key, {-ttl, -}mode=1):\n        return key\n\n\nclass Sub(Base):\n    def put(self, key, ttl, mode=1):\n        return key\n\n\ndef f(s: Sub, g):\n    s.put(1, 2, 3)\n    g.put(1, 2, 3)\n',
  );
  assert.match(text ?? '', /s\.put\(1, 3\)\n {4}g\.put\(1, 2, 3\)/);
  assert.deepEqual(open, ['a.py::f: whether this is a call of the changed function is not certain']);
});

test('a shorthand property keeps its key when the parameter is renamed', async () => {
  const { text } = await one(
    'a.ts',
    'export function put({-key-}{+name+}: string) {\n  return { key, other: key };\n}\n',
  );
  assert.equal(text, 'export function put(name: string) {\n  return { key: name, other: name };\n}\n');
});
