/**
 * Python: text to summary, and the resolution hooks.
 *
 * Samples are small texts. The laws (coverage, cuts, hashes) run on `EVERYTHING`, which holds
 * every construct of the grammar once.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { python } from '#src/languages/python/index.js';
import type { DeclRef, Entity, NameLookup, RepoView } from '#src/languages/language.js';
import { kindOf, textOf } from '#src/syntax/flat-tree.js';
import { D, E, F, R, type Summary } from '#src/syntax/summary.js';
import { testGrammars } from '../support/grammars.js';
import { nameStarts } from '../support/rows.js';

const EVERYTHING = `"""Module.

:class:\`~shop.stock.Store\`
"""
from __future__ import annotations
import os, a.b.c, d.e as f
from . import near as n, far
from ..up.side import *
from typing import TYPE_CHECKING, Any, Callable, Generic, TypeVar, cast
if TYPE_CHECKING:
    from types import FrameType
try:
    import fast
except ImportError as error:
    fast = None
__all__ = ["Store", "make"]
__all__ += ["Other"]
__all__.extend(("late",))
T = TypeVar("T", bound="Store")
LIMIT: int = 3
first = second = third, *rest = range(9)
Alias = Callable[[int, "Store"], None] | None
type Pair[K: int, *Ks, **Ps] = tuple[K, "Store"]

@f.deco(1, key=two)
class Store(Base["Store"], Generic[T], metaclass=Meta):
    """A store.

    :ivar size: how many
    """
    __slots__ = ("size", "slot")
    size: int = 0
    names = [x for x in source if x in names_of(source)]
    def __init__(self, size: int = LIMIT, /, *args: str, flag: "bool | None" = None, **kw: Any) -> None:
        """Makes it.

        Args:
            size (int): how many
            flag: whether
        """
        self.size, self.other = size, args
        self.typed: dict[str, "Store"] = {"k": flag, **kw}
        super().__init__(size, *args, **kw)
        super(Store, self).late()
    @property
    def p(self) -> Store | None:
        return self.typed["p"] if self.size > 1 >= 0 and not self.other else None
    @p.setter
    def p(self, value): self.size += value.size; del self.typed[value.name], value.x
    @classmethod
    def make(cls: type[T]) -> T:
        cls.count = 1
        return cls()
    @staticmethod
    async def wait(x, y):
        async with x as (l, m), y: pass
        with open(x) as self.h: await l.go()
        async for i in y: yield i, f"{i!r:>{m}} {x.y=}" "tail"
        return [j async for j in x if isinstance(j, Store) for k in j.items]

def outer(x, y, z=lambda q, *r: (yield q)):
    global counter, LIMIT
    counter = x
    kept = 0
    def inner():
        nonlocal kept
        kept = y.kept = -x
        return lambda: kept
    if isinstance(x, (Store, str)) and x.size: x.p
    elif (found := x.find()): return found
    else: raise ValueError("no") from x
    if not isinstance(y, Store): return
    y.size
    assert isinstance(z, Store), y
    while z: z = z.next; break
    else: print(type(z), z.__class__, cast("Store", z).p, getattr(x, y), {a: b for a, b in z}, {*x}, x[1:2, ...])
    match x, y:
        case (1 | -2.5) as num, [Store.EMPTY, *tail] if num: pass
    match x:
        case Store(size=0, other=Other(deep=d)) as s: s.p
        case {"k": Store() | Other(), "v": v, **others}: v
        case [Store(), (t)] | "lit" | None: pass
        case str(): x.upper
        case _: ...
    for o, (u, v) in zip(x, y): continue
    try: x @ y
    except (A, B.C) as e: e.args
    except* D: pass
    finally: return inner
if __name__ == "__main__":
    outer(*[1], **{"x": 2})
`;

const grammars = await testGrammars();

const summaryOf = (text: string): Summary => python.extract(grammars.parse('python', text), 'python');

/** The declaration with this dotted path; the `nth` of that path. */
function declOf(s: Summary, path: string, nth = 0): number {
  const found = [...Array(s.decls.count).keys()].filter(
    (d) => s.decls.pathOf(d) === path && !s.decls.has(d, F.narrowing),
  );
  assert.ok(found[nth] !== undefined, `no ${path} (${nth})`);
  return found[nth];
}
const hasFlag = (s: Summary, decl: number, flag: number): boolean => s.decls.has(decl, flag);

/** A row as text: `member(name self).put`, with roles that are not `read`. */
function shape(s: Summary, row: number): string {
  if (row < 0) return '-';
  const { exprs } = s;
  const name = exprs.nameOf(row);
  const a = exprs.operandOf(row);
  const b = exprs.secondOf(row);
  const list = (): string => [...s.exprs.partsOf(row)].map((each) => shape(s, each)).join(', ');
  switch (exprs.opOf(row)) {
    case E.name:
      return name;
    case E.member:
      return `${shape(s, a)}.${name}`;
    case E.call:
      return `${shape(s, a)}(${s.exprs
        .argumentsOf(row)
        .map(
          (arg) =>
            (arg.spread === 'list' ? '*' : arg.spread === 'keywords' ? '**' : '') +
            (arg.keyword === '' ? '' : `${arg.keyword}=`) +
            shape(s, arg.expr),
        )
        .join(', ')})`;
    case E.index:
      return `${shape(s, a)}[${list()}]`;
    case E.literal:
      return name;
    case E.string:
      return `'${name}'`;
    case E.list:
      return `${name}{${list()}}`;
    case E.dict:
      return `dict{${list()}}`;
    case E.union:
      return `(${list().replaceAll(', ', ' | ')})`;
    case E.element:
      return `element(${shape(s, a)})`;
    case E.nth:
      return `nth${b}(${shape(s, a)})`;
    case E.enter:
      return `enter(${shape(s, a)})`;
    case E.await:
      return `await ${shape(s, a)}`;
    case E.cast:
      return `cast(${shape(s, a)} to ${shape(s, b)})`;
    case E.super:
      return 'super';
    case E.this:
      return 'this';
    case E.classOf:
      return `classOf(${shape(s, a)})`;
    case E.closure:
      return 'closure';
    case E.functionType:
      return `(${list()}) -> ${shape(s, a)}`;
    case E.operator:
      return b < 0 ? `${name} ${shape(s, a)}` : `${shape(s, a)} ${name} ${shape(s, b)}`;
    case E.initializer:
      return `${shape(s, a)}::${name}`;
    default:
      return 'other';
  }
}
const typeOf = (s: Summary, path: string, nth = 0): string => shape(s, s.decls.typeOf(declOf(s, path, nth)));
const valueOf = (s: Summary, path: string, nth = 0): string => shape(s, s.decls.valueOf(declOf(s, path, nth)));
const partsOf = (s: Summary, path: string): string[] =>
  [...s.decls.resultsOf(declOf(s, path))].map((row) => shape(s, row));

/** Rows of a name with their roles. */
function rolesOf(s: Summary, name: string): string[] {
  const roles = Object.entries(R);
  const out: string[] = [];
  for (let row = 0; row < s.exprs.count; row++) {
    const op = s.exprs.opOf(row);
    if ((op === E.name || op === E.member || op === E.initializer) && s.exprs.nameOf(row) === name)
      out.push(roles.find(([, role]) => role === s.exprs.roleOf(row))?.[0] ?? '?');
  }
  return out;
}

describe('laws', () => {
  /** Identifiers that have no row by design: see README.md of the language. */
  const isExempt = (text: string): boolean => text === 'super' || text === '__class__' || text === 'metaclass';

  function uncovered(text: string): string[] {
    const tree = grammars.parse('python', text);
    const s = python.extract(tree, 'python');
    const starts = new Set<number>(nameStarts(s));
    for (let row = 0; row < s.exprs.count; row++) {
      const op = s.exprs.opOf(row);
      if (op === E.name || op === E.member || op === E.initializer || op === E.string) starts.add(s.exprs.startOf(row));
      if (op === E.call) for (const arg of s.exprs.argumentsOf(row)) if (arg.keyword !== '') starts.add(arg.start);
    }
    const out: string[] = [];
    for (let node = 0; node < tree.length; node++) {
      const start = tree.start[node] as number;
      if (
        kindOf(tree, node) !== 'identifier' ||
        start === tree.end[node] ||
        starts.has(start) ||
        isExempt(textOf(tree, node))
      )
        continue;
      if (!s.imports.some((entry) => start >= entry.statementStart && start < entry.statementEnd))
        out.push(`${textOf(tree, node)}@${start}`);
    }
    return out;
  }

  it('accounts for every identifier', () => {
    assert.deepEqual(uncovered(EVERYTHING), []);
    assert.deepEqual([...summaryOf(EVERYTHING).errors], []);
  });

  it('survives text cut anywhere, with every name where it says', () => {
    for (const [text, step] of [
      [EVERYTHING, 3],
      [`\ufeff${EVERYTHING.replaceAll('\n', '\r\n')}`, 29],
      [EVERYTHING.replaceAll('x', 'x𝒳é'), 31],
    ] as const) {
      for (let end = 0; end <= text.length; end += step) {
        const cut = text.slice(0, end);
        const s = summaryOf(cut);
        for (let decl = 0; decl < s.decls.count; decl++) {
          const at = s.decls.nameStartOf(decl);
          if (at >= 0) assert.equal(cut.slice(at, at + s.decls.nameOf(decl).length), s.decls.nameOf(decl));
          assert.ok(
            s.decls.startOf(decl) <= s.decls.bodyStartOf(decl) && s.decls.bodyStartOf(decl) <= s.decls.endOf(decl),
          );
        }
        for (let row = 0; row < s.exprs.count; row++) {
          const op = s.exprs.opOf(row);
          // What a class statement calls stands nowhere: it has no width.
          if (s.exprs.nameOf(row) === '__init_subclass__' && s.exprs.startOf(row) === s.exprs.endOf(row)) continue;
          if (op === E.name || op === E.member || op === E.initializer || op === E.string)
            assert.equal(cut.slice(s.exprs.startOf(row), s.exprs.endOf(row)), s.exprs.nameOf(row));
        }
      }
    }
  });

  it('accounts for every identifier of broken text too', () => {
    for (let end = 0; end <= EVERYTHING.length; end += 11)
      assert.deepEqual(uncovered(EVERYTHING.slice(0, end)), [], `cut at ${end}`);
  });

  it('does not run out of stack, and says what it did not read', () => {
    const nested = (levels: number): Summary => summaryOf(`x = ${'('.repeat(levels)}deep${')'.repeat(levels)}\n`);
    assert.ok(nested(400).names.includes('deep'));
    assert.equal(nested(400).unread, null);
    assert.notEqual(nested(3000).unread, null);
    const s = summaryOf(
      `y = a${'.b()'.repeat(2000)}\nz: "${'L['.repeat(2000)}"\nw = ${Array.from({ length: 3000 }, (_, i) => `n${i}`).join(' + ')}\n`,
    );
    assert.ok(s.names.includes('n2999'));
  });
});

describe('hashes', () => {
  const BASE = `import os
LIMIT = 3
class A(B):
    size: int = 1
    def f(self, x, y=2):
        if x:
            g(x)
            h(y)
        return [x, y]
    def k(self): return self.size + 1
def g(a): return a
run(g)
`;
  function hashes(text: string): Map<string, string> {
    const s = summaryOf(text);
    const out = new Map([['<module>', String(s.moduleHash)]]);
    for (let d = 0; d < s.decls.count; d++)
      if (s.decls.kindOf(d) <= D.namespace)
        out.set(s.decls.pathOf(d), `${s.decls.headerHashOf(d)} ${s.decls.bodyHashOf(d)}`);
    return out;
  }
  function changed(from: string, to: string): string[] {
    assert.ok(BASE.includes(from), from);
    const before = hashes(BASE);
    const after = hashes(BASE.replace(from, to));
    return [...after.keys()].filter((path) => before.get(path) !== after.get(path));
  }

  const same: readonly (readonly [string, string, string])[] = [
    ['comments', '    size: int = 1\n', '    # why\n    size: int = 1  # so\n'],
    ['docstrings', 'class A(B):\n', 'class A(B):\n    """Doc."""\n'],
    ['docstrings of functions', 'def g(a): return a', 'def g(a):\n    """Doc."""\n    return a'],
    ['blanks and line breaks', 'def f(self, x, y=2):', 'def f( self,\n      x, y = 2 ):'],
    ['trailing commas', 'return [x, y]', 'return [x, y,]'],
    ['trailing commas of parameters', 'y=2)', 'y=2,)'],
    ['imports', 'import os\n', 'import os, sys\n'],
    ['the place on the line', 'def k(self): return self.size + 1', 'def k(self):\n        return self.size + 1'],
    ['the order of members', '    size: int = 1\n    def f', '    def f'],
  ];
  for (const [what, from, to] of same) {
    it(`do not see ${what}`, () => {
      if (what === 'the order of members') {
        const moved = BASE.replace('    size: int = 1\n', '').replace(
          'self.size + 1\n',
          'self.size + 1\n    size: int = 1\n',
        );
        const before = hashes(BASE);
        for (const [path, hash] of hashes(moved)) assert.equal(hash, before.get(path), path);
      } else assert.deepEqual(changed(from, to), []);
    });
  }

  const different: readonly (readonly [string, string, string, readonly string[]])[] = [
    ['a literal', 'y=2', 'y=3', ['A.f']],
    ['an operator', 'self.size + 1', 'self.size - 1', ['A.k']],
    ['a parameter', '(self, x, y=2)', '(self, y=2)', ['A.f']],
    ['a modifier', 'def g(a)', 'async def g(a)', ['g']],
    ['a decorator', 'def g(a)', '@cache\ndef g(a)', ['g']],
    ['a base', 'class A(B)', 'class A(C)', ['A']],
    ["a field's value", 'size: int = 1', 'size: int = 2', ['A.size']],
    ['indentation', '            h(y)\n', '        h(y)\n', ['A.f']],
    ['a statement of the module', 'run(g)', 'run(g, 1)', ['<module>']],
    ['a variable', 'LIMIT = 3', 'LIMIT = 4', ['LIMIT']],
  ];
  for (const [what, from, to, where] of different)
    it(`see ${what}, in its block alone`, () => assert.deepEqual(changed(from, to), where));

  it('tell headers from bodies', () => {
    const s = summaryOf(BASE);
    const t = summaryOf(BASE.replace('size: int = 1', 'size: str = 1').replace('[x, y]', '[y, x]'));
    assert.notEqual(s.decls.headerHashOf(declOf(s, 'A.size')), t.decls.headerHashOf(declOf(t, 'A.size')));
    assert.equal(s.decls.bodyHashOf(declOf(s, 'A.size')), t.decls.bodyHashOf(declOf(t, 'A.size')));
    assert.equal(s.decls.headerHashOf(declOf(s, 'A.f')), t.decls.headerHashOf(declOf(t, 'A.f')));
    assert.notEqual(s.decls.bodyHashOf(declOf(s, 'A.f')), t.decls.bodyHashOf(declOf(t, 'A.f')));
  });
});

describe('declarations', () => {
  it('have kinds, paths and flags', () => {
    const s = summaryOf(EVERYTHING);
    const kinds: readonly (readonly [string, number])[] = [
      ['Store', D.class],
      ['Store.__init__', D.constructor],
      ['Store.p', D.method],
      ['Store.size', D.field],
      ['Store.other', D.field],
      ['Store.typed', D.field],
      ['Store.count', D.field],
      ['Store.slot', D.field],
      ['outer', D.function],
      ['outer.inner', D.function],
      ['LIMIT', D.variable],
      ['second', D.variable],
      ['rest', D.variable],
      ['Pair', D.typeAlias],
      ['fast', D.importBinding],
      ['counter', D.variable],
    ];
    for (const [path, kind] of kinds) assert.equal(s.decls.kindOf(declOf(s, path)), kind, path);
    assert.ok(hasFlag(s, declOf(s, 'Store.p'), F.getter) && hasFlag(s, declOf(s, 'Store.p', 1), F.setter));
    assert.ok(
      hasFlag(s, declOf(s, 'Store.make'), F.classMethod) &&
        hasFlag(s, declOf(s, 'Store.wait'), F.static | F.async) &&
        hasFlag(s, declOf(s, 'Store.wait'), F.generator),
    );
  });

  it('list parameters with their kinds', () => {
    const s = summaryOf('class A:\n    def f(self, a, /, b: int = 1, *c, d, e=2, **g): ...\n');
    // `explicit` is said of members alone, and shares its bit.
    const flags = [...s.decls.paramsOf(declOf(s, 'A.f'))].map((p) => [
      s.decls.nameOf(p),
      Object.entries(F)
        .filter(([name, bit]) => name !== 'explicit' && hasFlag(s, p, bit))
        .map(([name]) => name)
        .sort()
        .join(' '),
    ]);
    assert.deepEqual(flags, [
      ['self', 'positionalOnly receiver'],
      ['a', 'positionalOnly'],
      ['b', 'optional'],
      ['c', 'optional rest'],
      ['d', 'keywordOnly'],
      ['e', 'keywordOnly optional'],
      ['g', 'keywordRest optional'],
    ]);
  });

  it('find fields in the constructor first, wherever it stands', () => {
    const text = 'class A:\n    def late(self): self.x = make()\n    def __init__(self):\n        self.x = None\n';
    const s = summaryOf(text);
    assert.equal(s.decls.startOf(declOf(s, 'A.x')), text.indexOf('self.x = None'));
    assert.ok(hasFlag(s, declOf(s, 'A.x', 1), F.reassigned));
    assert.equal(valueOf(s, 'A.x', 1), 'make()');
    assert.deepEqual(rolesOf(s, 'x'), ['declares', 'write']);
  });

  it('give several names of a statement spans that do not overlap', () => {
    const text = 'a, b = c = f()\n';
    const s = summaryOf(text);
    const spans = ['a', 'b', 'c'].map((name) =>
      text.slice(s.decls.startOf(declOf(s, name)), s.decls.endOf(declOf(s, name))),
    );
    assert.deepEqual(spans, ['a, ', 'b = ', 'c = f()']);
    assert.deepEqual(
      ['a', 'b', 'c'].map((name) => valueOf(s, name)),
      ['nth0(f())', 'nth1(f())', 'f()'],
    );
  });

  it('make annotated fields of dataclass-like classes constructor parameters', () => {
    const s = summaryOf(`@dataclass
class A:
    x: int
    y: str = field(init=False)
    z: ClassVar[int] = 1
    _: KW_ONLY
    w: list = field(default_factory=list)
class M(BaseModel):
    a: int
    b: int = Field(...)
class N(M):
    c: int = 1
`);
    const params = (path: string): string[] =>
      [...s.decls.paramsOf(declOf(s, path))].map(
        (p) => `${s.decls.nameOf(p)}${hasFlag(s, p, F.optional) ? '?' : ''}${hasFlag(s, p, F.keywordOnly) ? '*' : ''}`,
      );
    assert.deepEqual([params('A'), params('M'), params('N')], [['x', 'w?*'], ['a*', 'b*'], ['c?*']]);
    assert.ok(hasFlag(s, declOf(s, 'A'), F.dataclass) && hasFlag(s, declOf(s, 'N'), F.dataclass));
  });

  it('know enumerations, protocols, stubs and abstract methods', () => {
    const s = summaryOf(
      'class E(enum.Enum):\n    A = 1\n    _b = 2\nclass P(Protocol[T]):\n    def m(self): ...\nclass Q(ABC):\n    @abstractmethod\n    def m(self): pass\n    @overload\n    def n(self): "doc"\n',
    );
    assert.deepEqual(
      ['E', 'E.A', 'E._b', 'P'].map((path) => s.decls.kindOf(declOf(s, path))),
      [D.enum, D.enumMember, D.field, D.interface],
    );
    assert.ok(hasFlag(s, declOf(s, 'P.m'), F.bodiless) && hasFlag(s, declOf(s, 'Q.n'), F.bodiless));
    assert.ok(
      hasFlag(s, declOf(s, 'Q.m'), F.abstract) &&
        !hasFlag(s, declOf(s, 'Q.m'), F.bodiless) &&
        hasFlag(s, declOf(s, 'Q'), F.abstract),
    );
  });

  it('bind global and nonlocal names where they live', () => {
    const s = summaryOf(
      'def f():\n    global g\n    g = 1\n    n = 2\n    def h():\n        nonlocal n\n        n = 3\n',
    );
    assert.equal(s.decls.kindOf(declOf(s, 'g')), D.variable);
    assert.equal(s.decls.scopeOf(declOf(s, 'f.n')), s.decls.scopeOf(declOf(s, 'f.n', 1)));
    assert.ok(hasFlag(s, declOf(s, 'f.n', 1), F.reassigned));
  });
});

describe('scopes', () => {
  /** Scope kinds from the row of a name outwards would hold the class scope or not. */
  function sees(s: Summary, name: string, nth: number, className: string): boolean {
    const rows = [...Array(s.exprs.count).keys()].filter(
      (row) => s.exprs.opOf(row) === E.name && s.exprs.nameOf(row) === name,
    );
    const inner = s.decls.innerOf(declOf(s, className));
    for (let scope = s.exprs.scopeOf(rows[nth] as number); scope >= 0; scope = s.scopes.parentOf(scope))
      if (scope === inner) return true;
    return false;
  }

  it('hide class names from methods, lambdas and comprehensions, but for the first iterable', () => {
    const s = summaryOf(
      'class A:\n    n = 1\n    m = n\n    l = lambda: n\n    c = [n for _ in n]\n    def f(self, d=n): return n\n',
    );
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5].map((nth) => sees(s, 'n', nth, 'A')),
      [true, false, true, false, true, false],
    );
  });

  it('belong to the block whose text they hold', () => {
    const s = summaryOf(
      'X = f1()\n@f2\nclass A(f3()):\n    y: f4 = f5()\n    def m(self, p: f6 = f7()) -> f8: return f9()\nX = f10()\n',
    );
    const owner = (name: string): string => {
      const row = [...Array(s.exprs.count).keys()].find((r) => s.exprs.nameOf(r) === name) as number;
      return s.decls.pathOf(s.scopes.blockOf(s.exprs.scopeOf(row)));
    };
    assert.deepEqual(
      Array.from({ length: 10 }, (_, i) => owner(`f${i + 1}`)),
      ['X', 'A', 'A', 'A.y', 'A.y', 'A.m', 'A.m', 'A.m', 'A.m', '<module>'],
    );
  });
});

describe('expressions', () => {
  const returned = (code: string, head = 'def f(x, y):\n'): string =>
    partsOf(summaryOf(`${head}    return ${code}\n`), 'f')[0] ?? '';
  const cases: readonly (readonly [string, string])[] = [
    ['x.a(1, *y, k="s t", **x)', 'x.a(int, *y, k=str, **x)'],
    ['x[1:2]', '(x)'],
    ['x[y, 1]', 'x[y, int]'],
    ['x or y.z', '(x | y.z)'],
    ['x and y.z', 'y.z'],
    ['a if x else b', '(a | b)'],
    ['-x', '-@ x'],
    ['x not in y', 'x not in y'],
    ['not x', 'not x'],
    ['x, *y', 'tuple{x, element(y)}'],
    ['[a for a in x]', 'list{a}'],
    ['{1: a for a in x}', 'dict{a}'],
    ['{"k": x, **y}', 'dict{x, y[]}'],
    ['"a.b.Name"', "'Name'"],
    ['"two words"', 'str'],
    ['b"x"', 'bytes'],
    ['f"{x}"', 'str'],
    ['type(x)', 'classOf(x)'],
    ['x.__class__', 'classOf(x)'],
    ['type(x, y, {})', 'type(x, y, dict{})'],
    ['super().m()', 'super.m()'],
    ['super(A, x).m', 'super.m'],
    ['(x := y)', 'y'],
    ['await x.go()', 'await x.go()'],
    ['lambda: x', 'closure'],
    ['list(x)', 'list{element(x)}'],
    ['next(x, None)', '(element(x) | null)'],
    ['max(x, y)', '(x | y)'],
    ['dict(x)', 'dict(x)'],
  ];
  for (const [code, wanted] of cases) it(code, () => assert.equal(returned(code), wanted));

  it('takes builtins for what the file makes of them', () => {
    assert.equal(returned('type(x)', 'def f(x, type):\n'), 'type(x)');
    assert.equal(
      partsOf(summaryOf('from typing import cast as c\ndef f(x): return c("A", x)\n'), 'f')[0],
      'cast(x to A)',
    );
    assert.equal(partsOf(summaryOf('import typing as t\ndef f(x): return t.cast(A, x)\n'), 'f')[0], 'cast(x to A)');
    assert.equal(partsOf(summaryOf('def cast(a, b): ...\ndef f(x): return cast(A, x)\n'), 'f')[0], 'cast(A, x)');
  });

  it('follow what loops, contexts and destructuring bind', () => {
    const s = summaryOf(
      'def f(xs):\n    for i, (a, b) in enumerate(xs): pass\n    for c, *d in zip(xs, i): pass\n    with xs.open() as e: pass\n    try: pass\n    except (A, m.B) as g: pass\n',
    );
    const number = 'list{tuple{int, element(xs)}}';
    assert.deepEqual(
      ['i', 'a', 'b'].map((name) => valueOf(s, `f.${name}`)),
      [`nth0(element(${number}))`, `nth0(nth1(element(${number})))`, `nth1(nth1(element(${number})))`],
    );
    assert.equal(valueOf(s, 'f.e'), 'enter(xs.open())');
    assert.equal(typeOf(s, 'f.g'), '(A | m.B)');
  });

  it('give roles', () => {
    const s = summaryOf(
      '@deco.rate(1)\nclass A(m.Base[Arg]):\n    f: Type = call()\nx.attr = 1\nx.count += 1\nBox[int]()\n',
    );
    const expected: readonly (readonly [string, string])[] = [
      ['rate', 'decorator'],
      ['deco', 'read'],
      ['Base', 'base'],
      ['Arg', 'type'],
      ['Type', 'type'],
      ['call', 'callee'],
      ['attr', 'write'],
      ['count', 'update'],
      ['Box', 'callee'],
    ];
    for (const [name, role] of expected) assert.deepEqual(rolesOf(s, name), [role], name);
  });

  it('mark what hides references', () => {
    const s = summaryOf('getattr(x, n)\ngetattr(x, "name")\neval(s)\nimport importlib as il\nil.import_module(n)\n');
    assert.equal(s.dynamic.length, 3);
  });
});

describe('types', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['List["Foo"]', 'List[Foo]'],
    ['"a.b.Foo[int] | None"', '(a.b.Foo[int] | null)'],
    ['Union[A, "B"]', '(A | B)'],
    ['A | None', '(A | null)'],
    ['Callable[[A, "B"], C]', '(A, B) -> C'],
    ['"Callable[[A, B], C]"', '(A, B) -> C'],
    ['Annotated[A, Meta("x")]', 'A'],
    ['Literal["A"]', "Literal['A']"],
    ['"Literal[\'A\']"', 'Literal[str]'],
    ['tuple[A, ...]', 'tuple[A, other]'],
    ['t.Dict[str, t.Optional[A]]', 't.Dict[str, t.Optional[A]]'],
    ['type[A]', 'type[A]'],
    ['A[int].B', 'A[int].B'],
  ];
  for (const [code, wanted] of cases)
    it(code, () => assert.equal(typeOf(summaryOf(`def f(x: ${code}): ...\n`), 'f.x'), wanted));

  it("mean the class around by Self and by the receiver's type variable", () => {
    const s = summaryOf(
      'import typing_extensions as te\nfrom typing import Self\nU = TypeVar("U", bound="A")\nclass A:\n    def a(self) -> Self: ...\n    def b(self: U) -> U: ...\n    def c(self) -> "te.Self | None": ...\n    def d(cls: type[U]) -> U: ...\n',
    );
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((name) => typeOf(s, `A.${name}`)),
      ['this', 'this', '(this | null)', 'this'],
    );
    assert.equal(valueOf(s, 'U'), '(A)');
  });

  it('are read in aliases', () => {
    const s = summaryOf('X = Union["A", str]\nY: TypeAlias = "B"\ntype Z[T: C] = list[T]\n');
    assert.equal(valueOf(s, 'X'), '(A | str)');
    assert.deepEqual([typeOf(s, 'Y'), typeOf(s, 'Z'), typeOf(s, 'Z.T')], ['B', 'list[T]', 'C']);
  });
});

describe('narrowing', () => {
  /** Type of the narrowing that the row of `x.<member>` sees, or ''. */
  function narrowed(text: string, member: string): string {
    const s = summaryOf(text);
    const row = [...Array(s.exprs.count).keys()].find(
      (r) => s.exprs.opOf(r) === E.member && s.exprs.nameOf(r) === member,
    ) as number;
    for (let scope = s.exprs.scopeOf(s.exprs.operandOf(row)); scope >= 0; scope = s.scopes.parentOf(scope)) {
      for (let d = 0; d < s.decls.count; d++)
        if (s.decls.scopeOf(d) === scope && s.decls.nameOf(d) === 'x' && hasFlag(s, d, F.narrowing))
          return shape(s, s.decls.typeOf(d));
    }
    return '';
  }
  const cases: readonly (readonly [string, string, string])[] = [
    ['a branch', '    if isinstance(x, A): x.here\n', 'A'],
    ['a tuple', '    if isinstance(x, (A, B)): x.here\n', '(A | B)'],
    ['an and chain', '    return y and isinstance(x, A) and x.here\n', 'A'],
    ['a failed or', '    return not isinstance(x, A) or x.here\n', 'A'],
    ['an early return', '    if not isinstance(x, A): return\n    x.here\n', 'A'],
    ['an assertion', '    assert isinstance(x, A)\n    x.here\n', 'A'],
    ['the other branch', '    if not isinstance(x, A): pass\n    else: x.here\n', 'A'],
    ['a comprehension', '    return [x.here for x in y if isinstance(x, A)]\n', 'A'],
    ['a case', '    match x:\n        case A(): x.here\n', 'A'],
    ['nothing after the branch', '    if isinstance(x, A): pass\n    x.here\n', ''],
    ['nothing after another branch', '    if not isinstance(x, A): pass\n    x.here\n', ''],
    ['nothing once it is assigned', '    if isinstance(x, A):\n        x = B()\n        x.here\n', ''],
  ];
  for (const [what, body, wanted] of cases)
    it(what, () => assert.equal(narrowed(`def f(x, y):\n${body}`, 'here'), wanted));

  it('binds in patterns what the pattern says', () => {
    const s = summaryOf(
      'def f(x):\n    match x:\n        case A(size=n, part=B() as b): pass\n        case {"k": v}: pass\n        case [p, C.D]: pass\n',
    );
    assert.deepEqual(
      ['n', 'v', 'p'].map((name) => valueOf(s, `f.${name}`)),
      ['A::size', "x['k']", 'nth0(x)'],
    );
    assert.equal(typeOf(s, 'f.b'), 'B');
  });
});

describe('docstrings', () => {
  it('name parameters, classes and members', () => {
    const s = summaryOf(`class A:
    """See :class:\`~pkg.mod.Other\` and :meth:\`go\`."""
    def go(self, here, there):
        """Goes.

        :param here: a
        :param nowhere: b
        :raises Oops: c

        Args:
            there (str): d
                more: text
            prose that is none:
        """
`);
    const doc = [...Array(s.exprs.count).keys()]
      .filter((row) => s.exprs.roleOf(row) === R.doc && s.exprs.opOf(row) !== E.this)
      .map((row) => shape(s, row));
    // A parameter that is none, or no more, is kept as text: it may be renamed.
    assert.deepEqual(doc, ['pkg', 'pkg.mod', 'pkg.mod.Other', 'this.go', 'here', "'nowhere'", 'Oops', 'there']);
  });
});

describe('imports', () => {
  it('are entries with bindings', () => {
    const s = summaryOf(EVERYTHING);
    const entries = s.imports.map(
      (entry) => `${entry.kind} ${entry.module} ${entry.name} ${entry.decl < 0 ? '-' : s.decls.nameOf(entry.decl)}`,
    );
    assert.deepEqual(entries.slice(0, 7), [
      'name __future__ annotations annotations',
      'module os  os',
      'module a.b.c  a',
      'module d.e  f',
      'name . near n',
      'name . far far',
      'star ..up.side  -',
    ]);
    const dotted = s.imports[2];
    assert.ok(dotted !== undefined && dotted.end - dotted.start === 'a.b.c'.length);
  });

  it('export what __all__ lists, and nothing if it cannot be read', () => {
    const s = summaryOf(EVERYTHING);
    assert.deepEqual(
      s.exports.map((entry) => entry.name),
      ['Store', 'make', 'Other', 'late'],
    );
    assert.ok(s.exports.every((entry) => s.exprs.opOf(entry.expr) === E.string));
    assert.deepEqual(summaryOf('__all__ = ["a"] + other.__all__\n').exports, []);
  });
});

describe('resolution', () => {
  function lookup(texts: Readonly<Record<string, string>>): NameLookup {
    const summaries = new Map(Object.entries(texts).map(([file, text]) => [file, summaryOf(text)]));
    const files = [...summaries.keys()].sort();
    const memos = new Map<string, unknown>();
    const repo: RepoView = {
      summary: (file) => summaries.get(file),
      hasFile: (file) => summaries.has(file),
      filesNamed: (base) => files.filter((file) => file === base || file.endsWith(`/${base}`)),
      filesDeclaring: () => [],
      filesInPackage: () => [],
      filesOf: () => files,
      hasDirectory: (dir) => files.some((file) => file.startsWith(`${dir}/`)),
      config: () => undefined,
      configsNamed: () => [],
      memoOfPlaces: <T>(_key: string, make: () => T): T => make(),
      memo<T>(key: string, make: () => T): T {
        if (!memos.has(key)) memos.set(key, make());
        return memos.get(key) as T;
      },
    };
    const topLevel = (file: string, name: string): readonly Entity[] => {
      const s = summaries.get(file);
      if (s === undefined) return [];
      return [...Array(s.decls.count).keys()]
        .filter((d) => s.decls.scopeOf(d) === 0 && s.decls.nameOf(d) === name)
        .map((decl) => ({ kind: 'decl', file, decl }));
    };
    return { repo, topLevel, exported: topLevel, member: () => [] };
  }
  const show = (entities: readonly Entity[]): string =>
    entities
      .map((e) => (e.kind === 'module' ? e.file : e.kind === 'decl' ? `${e.file}#${e.decl}` : `${e.kind} ${e.name}`))
      .join(', ');

  const REPO = lookup({
    'src/pkg/__init__.py': '',
    'src/pkg/a.py': '',
    'src/pkg/sub/__init__.py': '',
    'src/pkg/sub/b.py': '',
    'src/pkg/logging.py': '',
    'src/space/c.py': '',
    'tests/test_a.py': '',
    'tests/helper.py': '',
    'tests/data/numpy/__init__.py': '',
    'other/lib/tool/__init__.py': '',
    'other/lib/tool/x.pyi': '',
    'script.py': '',
  });
  const cases: readonly (readonly [string, string, string])[] = [
    ['pkg.a', 'tests/test_a.py', 'src/pkg/a.py'],
    ['pkg', 'src/pkg/a.py', 'src/pkg/__init__.py'],
    ['pkg.sub', 'script.py', 'src/pkg/sub/__init__.py'],
    ['.', 'src/pkg/a.py', 'src/pkg/__init__.py'],
    ['.sub.b', 'src/pkg/a.py', 'src/pkg/sub/b.py'],
    ['..a', 'src/pkg/sub/b.py', 'src/pkg/a.py'],
    ['....x', 'script.py', ''],
    ['space', 'script.py', 'namespace space'],
    ['space.c', 'script.py', 'src/space/c.py'],
    ['logging', 'src/pkg/a.py', 'external logging'],
    ['os.path', 'script.py', 'external os.path'],
    ['requests', 'script.py', 'external requests'],
    ['helper', 'tests/test_a.py', 'tests/helper.py'],
    ['tests.helper', 'tests/test_a.py', 'tests/helper.py'],
    ['numpy', 'src/pkg/a.py', 'external numpy'],
    ['numpy', 'tests/data/x.py', 'tests/data/numpy/__init__.py'],
    ['tool.x', 'src/pkg/a.py', 'other/lib/tool/x.pyi'],
    ['pkg.missing', 'script.py', ''],
  ];
  for (const [specifier, from, wanted] of cases)
    it(`${specifier} from ${from}`, () => assert.equal(show(python.resolveModule(specifier, from, REPO)), wanted));

  it('reaches submodules through their package', () => {
    assert.equal(show(python.submodule?.('src/pkg/__init__.py', 'sub', REPO) ?? []), 'src/pkg/sub/__init__.py');
    assert.deepEqual(python.submodule?.('src/pkg/a.py', 'sub', REPO), []);
  });

  it('takes star imports by __all__ and by underscore, and ends in cycles', () => {
    const repo = lookup({
      'm.py': 'from a import *\nfrom b import *\n',
      'a.py': '_shown = hidden = 1\n__all__ = ["_shown"]\n',
      'b.py': 'from c import *\nfrom m import *\nopen = _private = 2\n',
      'c.py': 'def far(): ...\n',
    });
    const ambient = (name: string): string => show(python.ambient(name, 'm.py', 0, repo));
    assert.deepEqual(['_shown', 'hidden', '_private', 'open', 'far', 'len', 'nothing'].map(ambient), [
      'a.py#0',
      '',
      '',
      'b.py#0',
      'c.py#0',
      'external len',
      '',
    ]);
  });

  it('orders bases by C3, and somehow when there is no such order', () => {
    const order = (bases: Readonly<Record<number, readonly number[]>>, of: number): number[] =>
      python
        .baseOrder({ file: 'x', decl: of }, (t: DeclRef) => (bases[t.decl] ?? []).map((decl) => ({ file: 'x', decl })))
        .map((t) => t.decl);
    assert.deepEqual(order({ 1: [2, 3], 2: [4], 3: [4] }, 1), [2, 3, 4]);
    assert.deepEqual(order({ 1: [2, 3], 2: [3], 3: [2] }, 1), [2, 3]);
  });

  it('orders bases to which 2 to the power of 40 ways lead', () => {
    const rows = Array.from({ length: 82 }, (_, row) => row);
    const ladder = (row: number): readonly number[] => (row < 80 ? [row - (row % 2) + 2, row - (row % 2) + 3] : []);
    const order = python.baseOrder({ file: 'x', decl: 0 }, ({ decl }: DeclRef) =>
      ladder(decl).map((each) => ({ file: 'x', decl: each })),
    );
    assert.deepEqual(
      order.map(({ decl }) => decl),
      rows.slice(2),
    );
  });

  it('calls mangled names private', () => {
    assert.deepEqual(
      ['__x', '__x__', '_x', 'x'].map((name) => python.isPrivate(name, 0)),
      [true, false, false, false],
    );
  });
});
