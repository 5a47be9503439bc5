/**
 * Java: what extraction keeps of a file, the laws that hold for any text, and what names mean
 * beyond the file. The sample holds every construct of the language once.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { java } from '#src/languages/java/index.js';
import type { DeclRef, Entity, NameLookup, RepoView } from '#src/languages/language.js';
import { fieldOf, kindOf, textOf } from '#src/syntax/flat-tree.js';
import type { Grammars } from '#src/syntax/grammar.js';
import { D, E, F, isBlockKind, isClassLike, R, type Summary } from '#src/syntax/summary.js';
import { testGrammars } from '../support/grammars.js';
import { nameStarts, ofKind, rowsOf } from '../support/rows.js';

let grammars: Grammars;
before(async () => {
  grammars = await testGrammars();
});
const extract = (text: string): Summary => java.extract(grammars.parse('java', text), 'java');

const SAMPLE = `@Marker package a.b; // 𝒳 é
import java.util.List;
import java.util.*;
import a.c.Outer.Inner;
import static a.c.Tool.run;
import static a.c.Tool.*;
/** See {@link Shape#area(double, Box[]) text}, {@linkplain a.c.Outer.Inner}.
 * @param <T> any
 * @see #Main(int) */
@Deprecated @Info(value = "x.Y", level = Level.LOW, tags = {"a", "b c"})
public abstract class Main<T extends Shape & Comparable<T>, U> extends Base<T>.Part implements Runnable, a.c.Walker<? super U> {
  static { int early = 1; boot(early); }
  { started = true; }
  private static final int LIMIT = 10, OTHER[] = {1, LIMIT};
  volatile boolean started;
  protected Main(int size) throws Failure { super(size); this.<T>fill(size); }
  Main() { this(LIMIT); }
  /** @param shape it
   * @throws Failure never
   * @return {@code none} */
  @Override public <V extends T> List<V> make(final V shape, @Marker int[] sizes, String... rest) throws Failure, a.c.Stop {
    var items = new ArrayList<V>();
    for (final V item : items) { items.add(item); }
    for (int i = 0, n = sizes.length; i < n; i++, n--) { if (i == 2) continue; sizes[i] += n; }
    Runnable task = () -> System.out.println(shape), quick = this::go;
    Function<V, String> f = v -> v.name(), g = Shape::name, h = (V v) -> { return v.toString(); };
    BiFunction<V, V, V> both = (left, right) -> left;
    Supplier<Main> maker = Inner::new;
    int[][] grid = new int[3][], flat = {{1}, {2}};
    Object o = rest.length > 0 ? (T & Runnable) shape : new Object() { int seen; @Override public String toString() { return "anon" + seen; } };
    if (!(o instanceof Shape s)) return null;
    else if (o instanceof Box(var w, Box(int d, _)) && w > d) go();
    while (o instanceof Integer k && k > 0) o = k - 1;
    do { s.area(1.5f); } while (!started);
    try (Reader in = open(); this.other) { in.read(); } catch (final Failure | Stop e) { throw new IllegalStateException(e); } finally { close(); }
    outer: for (;;) { break outer; }
    synchronized (this) { assert LIMIT > 0 : "limit"; }
    switch (s.level()) { case LOW: case HIGH: int local = 1; break; case LIMIT: default: go(); }
    int area = switch (o) { case Box b when b.width() > 1 -> b.width(); case Shape z -> { yield z.sides(); } case null, default -> 0; };
    Class<?> c = Main.class, p = int[].class;
    Map.Entry<String, ? extends Box> entry = Main.this.entries.get('c');
    char[] text = """
      block \\t "text" """.toCharArray();
    Main.super.run(); super.started = true; outer().new Part<T>(1) { };
    class Local { int x; } record Pair(int a, int b) { Pair { a = 1; } }
    Class.forName("a.b.Main").getDeclaredMethod("make");
    ++area; area = -area >>> 2;
    return items;
  }
  abstract int sides();
  native void go();
  sealed interface Shape permits Box, Main.Round { int SIDES = 4; double area(double scale); default String name() { return "shape"; } static void reset() {} private void hidden() {} enum Nested { A } }
  record Box(@Marker int width, List<String>... names) implements Shape { static int made; Box { made++; } public double area(double scale) { return width * scale; } }
  enum Level { LOW, @Marker HIGH(2) { @Override int weight() { return 2; } }; private int weight; Level() {} Level(int weight) { this.weight = weight; } int weight() { return weight; } }
  @interface Info { String value(); Level level() default Level.LOW; String[] tags() default {}; int X = 1; Marker mark() default @Marker; }
}
`;

const decl = (s: Summary, path: string): number => {
  for (let d = 0; d < s.decls.count; d++) if (isBlockKind(s.decls.kindOf(d)) && s.decls.pathOf(d) === path) return d;
  throw new Error(`no block ${path}`);
};
const named = (s: Summary, name: string, kind: number): number => {
  for (let d = 0; d < s.decls.count; d++) if (s.decls.kindOf(d) === kind && s.decls.nameOf(d) === name) return d;
  throw new Error(`no declaration ${name}`);
};
const OPS = Object.entries(E);
/** An expression as text: `call(member(name a, b), [name c])`. */
const show = (s: Summary, expr: number): string => {
  if (expr < 0) return '-';
  const op = s.exprs.opOf(expr);
  const a = s.exprs.operandOf(expr);
  const b = s.exprs.secondOf(expr);
  const label = (OPS.find(([, value]) => value === op) as [string, number])[0];
  const own = s.exprs.nameOf(expr);
  const args = (): string =>
    s.exprs
      .argumentsOf(expr)
      .map(
        (arg) =>
          (arg.spread === 'list' ? '...' : '') + (arg.keyword === '' ? '' : `${arg.keyword}=`) + show(s, arg.expr),
      )
      .join(', ');
  switch (op) {
    case E.name:
      return own;
    case E.member:
      return `${show(s, a)}.${own}`;
    case E.call:
      return `${show(s, a)}(${args()})`;
    case E.new:
      return `new ${show(s, a)}(${args()})`;
    case E.index:
      return `${show(s, a)}[${[...s.exprs.partsOf(expr)].map((row) => show(s, row)).join(', ')}]`;
    case E.list:
    case E.union:
      return `${label}{${[...s.exprs.partsOf(expr)].map((row) => show(s, row)).join(', ')}}`;
    case E.cast:
      return `(${show(s, b)}) ${show(s, a)}`;
    case E.operator:
      return `(${show(s, a)} ${own} ${show(s, b)})`;
    case E.nth:
      return `${show(s, a)}#${b}`;
    case E.literal:
      return own;
    case E.string:
      return `"${own}"`;
    case E.closure:
      return 'closure';
    default:
      return a < 0 ? label : `${label}(${show(s, a)})`;
  }
};
const column = (s: Summary, d: number, name: 'type' | 'value'): string =>
  show(s, name === 'type' ? s.decls.typeOf(d) : s.decls.valueOf(d));
const list = (s: Summary, d: number, name: 'parts' | 'decorators'): string[] =>
  [...(name === 'parts' ? s.decls.resultsOf(d) : s.decls.decoratorsOf(d))].map((row) => show(s, row));
const isNamedRow = (op: number): boolean => op === E.name || op === E.member || op === E.initializer || op === E.string;
/** Named rows of a name with their role and enclosing block. */
const rows = (s: Summary, name: string): { expr: number; role: number; block: string; text: string }[] => {
  const out = [];
  for (const expr of s.exprs.named(s.idOf(name))) {
    out.push({
      expr,
      role: s.exprs.roleOf(expr),
      block: s.decls.pathOf(s.scopes.blockOf(s.exprs.scopeOf(expr))),
      text: show(s, expr),
    });
  }
  return out;
};
/** What a bare name means in a scope, by the scope chain alone. */
const inScope = (s: Summary, expr: number): number => {
  for (let scope = s.exprs.scopeOf(expr); scope >= 0; scope = s.scopes.parentOf(scope)) {
    const found = s.decls.inScope(scope, s.exprs.nameIdOf(expr));
    if (found.length > 0) return found[found.length - 1] as number;
  }
  return -1;
};

describe('laws of any text', () => {
  /** Identifiers that no row accounts for, as `parent kind: text`. */
  const uncovered = (text: string): string[] => {
    const tree = grammars.parse('java', text);
    const s = java.extract(tree, 'java');
    const covered = new Set<number>(nameStarts(s));
    for (let e = 0; e < s.exprs.count; e++) if (isNamedRow(s.exprs.opOf(e))) covered.add(s.exprs.startOf(e));
    const out: string[] = [];
    for (let n = 0; n < tree.length; n++) {
      if (
        !/^(type_)?identifier$/.test(kindOf(tree, n)) ||
        tree.start[n] === tree.end[n] ||
        covered.has(tree.start[n] as number)
      )
        continue;
      const at = tree.start[n] as number;
      if (s.imports.some((entry) => at >= entry.start && at < entry.end)) continue;
      out.push(`${kindOf(tree, tree.parent[n] as number)} ${fieldOf(tree, n) ?? ''}: ${textOf(tree, n)}`);
    }
    return out;
  };

  test('the sample parses, and every identifier is a row but for labels, `var` and `default`', () => {
    assert.equal(extract(SAMPLE).errors.length, 0);
    assert.deepEqual(uncovered(SAMPLE), [
      'local_variable_declaration type: var',
      'record_pattern_component : var',
      'labeled_statement : outer',
      'break_statement : outer',
      'switch_label : default',
    ]);
  });

  test('text cut anywhere is no exception, loses no identifier, and its rows spell what stands there', () => {
    const check = (text: string, covered: boolean): void => {
      const s = extract(text);
      for (let e = 0; e < s.exprs.count; e++) {
        if (isNamedRow(s.exprs.opOf(e)))
          assert.equal(text.slice(s.exprs.startOf(e), s.exprs.endOf(e)), s.exprs.nameOf(e), text);
      }
      if (covered)
        assert.deepEqual(
          uncovered(text).filter((entry) => !/: (var|default)$|^(labeled|break|continue)_/.test(entry)),
          [],
          text,
        );
    };
    // Every offset of a window of a few lines, and now and then the whole text before it.
    for (let cut = 0; cut < SAMPLE.length; cut++) {
      check(SAMPLE.slice(SAMPLE.lastIndexOf('\n', Math.max(0, cut - 150)) + 1, cut), cut % 5 === 0);
      if (cut % 23 === 0) check(SAMPLE.slice(0, cut), true);
    }
  });

  test('no identifier has two rows, nor two declarations', () => {
    const s = extract(SAMPLE);
    const seen = new Set<number>();
    for (let e = 0; e < s.exprs.count; e++) {
      if (!isNamedRow(s.exprs.opOf(e))) continue;
      assert.ok(!seen.has(s.exprs.startOf(e)), show(s, e));
      seen.add(s.exprs.startOf(e));
    }
    const starts = nameStarts(s).filter((start) => start >= 0);
    assert.equal(new Set(starts).size, starts.length);
  });

  test('CRLF, a byte order mark and astral characters keep offsets right', () => {
    for (const text of [SAMPLE.replaceAll('\n', '\r\n'), `\uFEFF${SAMPLE}`, `/* 𝒳𝒳 */ ${SAMPLE}`]) {
      const s = extract(text);
      assert.equal(s.errors.length, 0);
      for (let d = 0; d < s.decls.count; d++) {
        const start = s.decls.nameStartOf(d);
        const name = s.decls.nameOf(d);
        if (start >= 0 && name !== '<init>') assert.equal(text.slice(start, start + name.length), name);
      }
      assert.equal(s.decls.pathOf(decl(s, 'Main.Box.area')), 'Main.Box.area');
    }
  });

  test('nesting of any depth is borne', () => {
    const deep = 3000;
    const texts = [
      `class A { String s = ${'x + '.repeat(deep)}y; }`,
      `class A { Object o = ${'('.repeat(deep)}x${')'.repeat(deep)}; }`,
      `class A { void f() { ${'if (a) b(); else '.repeat(deep)} c(); } }`,
      `class A { ${'A<'.repeat(deep)}B${'>'.repeat(deep)} x; }`,
      `class A { ${'a.'.repeat(deep)}B x; }`,
      `class A { F f = ${'x -> '.repeat(deep)}y; }`,
      `class A {${'class B {'.repeat(deep)}`,
    ];
    for (const text of texts) assert.ok(extract(text).exprs.count >= 0);
  });

  test('a name inside an ERROR keeps its row and its block', () => {
    const s = extract(
      'class A { void ok() { first(); } void broken( { second(]; } int third = kept(; void last() { fourth(); } }',
    );
    assert.ok(s.errors.length > 0);
    for (const name of ['first', 'second', 'kept', 'fourth']) assert.equal(rows(s, name).length, 1, name);
    assert.equal(rows(s, 'first')[0]?.block, 'A.ok');
  });
});

describe('hashes', () => {
  const hashes = (text: string): Map<string, string> => {
    const s = extract(text);
    const out = new Map<string, string>();
    for (let d = 0; d < s.decls.count; d++) {
      if (isBlockKind(s.decls.kindOf(d)) && !s.decls.has(d, F.parameterField)) {
        const params = s.decls.paramsOf(d).length;
        out.set(`${s.decls.pathOf(d)}/${params}`, `${s.decls.headerHashOf(d)} ${s.decls.bodyHashOf(d)}`);
      }
    }
    return out;
  };
  const changed = (before: string, after: string): string[] => {
    const [a, b] = [hashes(before), hashes(after)];
    const out: string[] = [];
    for (const [block, hash] of a) {
      const other = b.get(block);
      if (other === undefined) out.push(`-${block}`);
      else {
        const [header, body] = hash.split(' ');
        const [otherHeader, otherBody] = other.split(' ');
        if (header !== otherHeader) out.push(`${block} header`);
        if (body !== otherBody) out.push(`${block} body`);
      }
    }
    for (const block of b.keys()) if (!a.has(block)) out.push(`+${block}`);
    return out;
  };
  const TEXT =
    'package p; import x.Y;\nclass A<T> {\n  /** doc */ int a = 1, b = 2;\n  int[] c = {1, 2};\n  @N int f(int x) { if (x > 1) { a(); b(); } return x; }\n  enum E { P, Q(1) { void m() { n(); } } }\n}\n';
  const edit = (from: string, to: string): string[] => {
    assert.ok(TEXT.includes(from), from);
    return changed(TEXT, TEXT.replace(from, to));
  };

  test('layout, comments, imports, trailing commas, empty statements and the order of members say nothing', () => {
    assert.deepEqual(changed(TEXT, TEXT.replace(/[ \n]+/g, '\n  ')), []);
    assert.deepEqual(edit('/** doc */', '// other\n  /** more {@link Y} */'), []);
    assert.deepEqual(edit('import x.Y;', 'import x.Y; import z.*;'), []);
    assert.deepEqual(edit('{1, 2}', '{1, 2,}'), []);
    assert.deepEqual(edit('return x;', 'return x;;'), []);
    assert.deepEqual(
      edit(
        '  int[] c = {1, 2};\n  @N int f(int x) { if (x > 1) { a(); b(); } return x; }\n',
        '  @N int f(int x) { if (x > 1) { a(); b(); } return x; }\n  int[] c = {1, 2};\n',
      ),
      [],
    );
  });

  test('what a token says changes its own block, and the right part of it', () => {
    assert.deepEqual(edit('x > 1', 'x > 2'), ['A.f/1 body']);
    assert.deepEqual(edit('x > 1', 'x < 1'), ['A.f/1 body']);
    assert.deepEqual(edit('a(); b(); }', 'a(); } b();'), ['A.f/1 body']);
    assert.deepEqual(edit('f(int x)', 'f(long x)'), ['A.f/1 header']);
    assert.deepEqual(edit('@N int', 'int'), ['A.f/1 header']);
    assert.deepEqual(edit('@N int', '@N public int'), ['A.f/1 header']);
    assert.deepEqual(edit('a = 1', 'a = 3'), ['A.a/0 body']);
    assert.deepEqual(edit('b = 2', 'b = 3'), ['A.b/0 body']);
    assert.deepEqual(edit('int[] c', 'long[] c'), ['A.c/0 header']);
    assert.deepEqual(edit('A<T>', 'A<T, U>'), ['A/0 header']);
    assert.deepEqual(edit('Q(1)', 'Q(2)'), ['A.E.Q/0 body']);
    assert.deepEqual(edit('n();', 'o();'), ['A.E.Q/0 body']);
  });
});

describe('declarations', () => {
  test('blocks and their names', () => {
    const s = extract(SAMPLE);
    const paths: string[] = [];
    for (let d = 0; d < s.decls.count; d++) if (isBlockKind(s.decls.kindOf(d))) paths.push(s.decls.pathOf(d));
    assert.deepEqual(paths, [
      'Main',
      'Main.LIMIT',
      'Main.OTHER',
      'Main.started',
      'Main.<init>',
      'Main.<init>',
      'Main.make',
      'Main.make.Local',
      'Main.make.Local.x',
      'Main.make.Pair',
      'Main.make.Pair.a',
      'Main.make.Pair.b',
      'Main.make.Pair.<init>',
      'Main.sides',
      'Main.go',
      'Main.Shape',
      'Main.Shape.SIDES',
      'Main.Shape.area',
      'Main.Shape.name',
      'Main.Shape.reset',
      'Main.Shape.hidden',
      'Main.Shape.Nested',
      'Main.Shape.Nested.A',
      'Main.Box',
      'Main.Box.width',
      'Main.Box.names',
      'Main.Box.made',
      'Main.Box.<init>',
      'Main.Box.area',
      'Main.Level',
      'Main.Level.LOW',
      'Main.Level.HIGH',
      'Main.Level.weight',
      'Main.Level.<init>',
      'Main.Level.<init>',
      'Main.Level.weight',
      'Main.Info',
      'Main.Info.value',
      'Main.Info.level',
      'Main.Info.tags',
      'Main.Info.X',
      'Main.Info.mark',
    ]);
    assert.equal(s.package, 'a.b');
  });

  test('flags, written and unsaid', () => {
    const s = extract(SAMPLE);
    const has = (path: string, flags: number): boolean => (s.decls.flagsOf(decl(s, path)) & flags) === flags;
    assert.ok(has('Main', F.public | F.abstract));
    assert.ok(has('Main.make', F.public | F.override));
    assert.equal(extract('class A { @NoOverride void f() {} }').decls.flagsOf(1) & F.override, 0);
    assert.ok(
      has('Main.LIMIT', F.private | F.static | F.final | F.const) && has('Main.OTHER', F.private | F.static | F.final),
    );
    assert.ok(has('Main.sides', F.abstract | F.bodiless));
    assert.ok(has('Main.go', F.bodiless) && !has('Main.go', F.abstract));
    assert.ok(has('Main.Shape.area', F.public | F.abstract | F.bodiless));
    assert.ok(has('Main.Shape.name', F.public) && !has('Main.Shape.name', F.bodiless));
    assert.ok(has('Main.Shape.hidden', F.private) && !has('Main.Shape.hidden', F.public));
    assert.ok(has('Main.Shape.SIDES', F.public | F.static | F.final | F.const));
    assert.ok(has('Main.Shape.Nested', F.public | F.static) && has('Main.Level', F.static));
    assert.ok(has('Main.Level.<init>', F.private));
    assert.ok(has('Main.Info.level', F.bodiless | F.optional) && !has('Main.Info.value', F.optional));
    assert.ok(java.isPrivate('LIMIT', s.decls.flagsOf(decl(s, 'Main.LIMIT'))) && !java.isPrivate('make', F.public));
  });

  test('bases in order, types of all sorts, annotations', () => {
    const s = extract(SAMPLE);
    const main = decl(s, 'Main');
    assert.deepEqual(list(s, main, 'parts'), ['Base[T].Part', 'Runnable', 'a.c.Walker[U]']);
    assert.deepEqual(list(s, main, 'decorators'), [
      'Deprecated',
      'Info(value="Y", level=Level.LOW, tags=list{"a", str})',
    ]);
    assert.deepEqual(
      [...s.decls.typeParamsOf(main)].map((d) => `${s.decls.nameOf(d)}: ${column(s, d, 'type')}`),
      ['T: union{Shape, Comparable[T]}', 'U: -'],
    );
    const make = decl(s, 'Main.make');
    assert.equal(column(s, make, 'type'), 'List[V]');
    const params = [...s.decls.paramsOf(make)];
    assert.deepEqual(
      params.map((d) => `${column(s, d, 'type')} ${s.decls.nameOf(d)} ${s.decls.has(d, F.rest)}`),
      ['V shape false', 'array(int) sizes false', 'String rest true'],
    );
    assert.deepEqual(list(s, params[1] as number, 'decorators'), ['Marker']);
    assert.deepEqual(list(s, make, 'parts'), ['null', 'items']);
    assert.equal(column(s, decl(s, 'Main.OTHER'), 'type'), 'array(int)');
    assert.equal(column(s, decl(s, 'Main.Info.level'), 'value'), 'Level.LOW');
    assert.equal(rows(s, 'Base')[0]?.role, R.type);
    assert.equal(rows(s, 'Part').find(({ text }) => text === 'Base[T].Part')?.role, R.base);
    assert.equal(rows(s, 'value').find(({ expr }) => s.exprs.opOf(expr) === E.initializer)?.text, 'initializer(Info)');
  });

  test('type parameters are seen by bases, headers and bodies; throws stand in the header after the parameters', () => {
    const s = extract('class A<T> extends B<T> { <E extends X> T f(E e) throws E { T t; } }');
    for (const { expr } of rows(s, 'T')) assert.equal(s.decls.kindOf(inScope(s, expr)), D.typeParam);
    const f = decl(s, 'A.f');
    const thrown = rows(s, 'E').filter(({ expr }) => s.exprs.startOf(expr) > s.decls.endOf(named(s, 'e', D.param)));
    assert.deepEqual(
      thrown.map(({ role, block }) => [role, block]),
      [[R.type, 'A.f']],
    );
    assert.equal(s.exprs.scopeOf((thrown[0] as { expr: number }).expr), s.scopes.parentOf(s.decls.innerOf(f)));
  });

  test('a record component is a parameter and a field in one; a compact constructor has the same parameters', () => {
    const s = extract('record P<T>(int a, T... b) { P { a = 1; } int c() { return a; } }');
    const record = decl(s, 'P');
    const params = [...s.decls.paramsOf(record)];
    assert.deepEqual(
      params.map((d) => [s.decls.nameOf(d), s.decls.kindOf(d), s.decls.scopeOf(d)]),
      [
        ['a', D.field, s.decls.innerOf(record)],
        ['b', D.field, s.decls.innerOf(record)],
      ],
    );
    assert.ok(s.decls.has(params[0] as number, F.parameterField));
    assert.deepEqual([...s.decls.paramsOf(decl(s, 'P.<init>'))], params);
    assert.deepEqual(
      rows(s, 'a').map(({ expr, role }) => [inScope(s, expr), role]),
      [
        [params[0], R.write],
        [params[0], R.read],
      ],
    );
  });

  test('an enum constant runs a constructor of its enum; its body is an anonymous class in the constant', () => {
    const s = extract('enum E { A, B(1) { int m() { return n(); } }; E(int... x) {} int m() { return 0; } }');
    assert.equal(column(s, decl(s, 'E.A'), 'value'), 'new this()');
    assert.equal(column(s, decl(s, 'E.B'), 'value'), 'closure');
    const made = s.exprs.ofOp(E.new).map((e) => show(s, e));
    assert.deepEqual(made, ['new this()', 'new this(int)']);
    assert.equal(rows(s, 'n')[0]?.block, 'E.B');
    const body = ofKind(s, D.anonymousClass);
    assert.deepEqual(list(s, body, 'parts'), ['this']);
    const member = s.decls.inScope(s.decls.innerOf(body), s.idOf('m'))[0] as number;
    assert.equal(s.decls.kindOf(member), D.lambda);
  });

  test('several variables of one statement never overlap', () => {
    const text = 'class A { @N int a = 1, b[] = {2}; }';
    const s = extract(text);
    const [a, b] = [decl(s, 'A.a'), decl(s, 'A.b')];
    assert.equal(text.slice(s.decls.startOf(a), s.decls.endOf(a)), '@N int a = 1');
    assert.equal(text.slice(s.decls.startOf(b), s.decls.endOf(b)), 'b[] = {2}');
    assert.deepEqual(list(s, b, 'decorators'), ['N']);
    assert.equal(column(s, b, 'type'), 'array(int)');
  });

  test('a source file without a class has its methods and variables at the top', () => {
    const s = extract('int count = 1;\nvoid main() { count++; }\n');
    assert.equal(s.decls.kindOf(decl(s, 'count')), D.variable);
    assert.equal(rows(s, 'count')[0]?.block, 'main');
  });
});

describe('expressions and statements', () => {
  /** Text of the last expression of a method body `return …;` in a class A. */
  const value = (text: string): string => {
    const s = extract(`class A { Object f() { return ${text}; } }`);
    assert.equal(s.errors.length, 0, text);
    return list(s, decl(s, 'A.f'), 'parts')[0] as string;
  };

  test('shapes', () => {
    const shapes: Record<string, string> = {
      'a.b(c, "x y")': 'a.b(c, str)',
      'f()': 'f()',
      'this.f': 'this.f',
      'super.f()': 'super.f()',
      'Outer.this.f': '(Outer) this.f',
      'I.super.f()': '(I) super.f()',
      'new A<B>(1)': 'new A[B](int)',
      'o.new I<T>(1)': 'new o.I[T](int)',
      'new A()': 'new A()',
      'new A[] {x}': '(array(A)) list{x}',
      'new A[n][]': '(array(array(A))) list{}',
      'A::b': 'A.b',
      'this::b': 'this.b',
      'A::new': 'new A(...other)',
      'a.b.C[]::new': 'new array(a.b.C)(...other)',
      'A.class': 'classOf(A)',
      'int[].class': 'classOf(array(int))',
      '(A<B>) x': '(A[B]) x',
      '(A & B) x': '(A) x',
      'a ? b : c': 'union{b, c}',
      '(a)': 'a',
      'a[b]': 'a[b]',
      'a + b * 1': '(a + (b * int))',
      '!a': '(a ! -)',
      'i++': '(i ++ -)',
      '--i': '(i -- -)',
      'a = b': 'b',
      'x instanceof A': '(x instanceof A)',
      '"a.b"': '"b"',
      '"a b"': 'str',
      "'c'": 'char',
      '1.5': 'double',
      '1.5f': 'float',
      '7L': 'long',
      '0xFL': 'long',
      true: 'bool',
      null: 'null',
      'x -> y': 'closure',
      'switch (x) { case 1 -> a; default -> { yield b; } }': 'union{a, b}',
      'Map.Entry.<A>f()': 'Map.Entry.f()',
    };
    for (const [text, shape] of Object.entries(shapes)) assert.equal(value(text), shape, text);
  });

  test('roles', () => {
    const s = extract(
      'class A { int x; void f(int p) { x = p; this.x += 1; x++; y.z.x(); new B.C(); D::new; a[0] = 1; } }',
    );
    assert.deepEqual(
      rows(s, 'x').map(({ role }) => role),
      [R.write, R.update, R.update, R.callee],
    );
    assert.deepEqual(
      rows(s, 'C').map(({ role }) => role),
      [R.newCallee],
    );
    assert.deepEqual(
      rows(s, 'B').map(({ role }) => role),
      [R.type],
    );
    assert.deepEqual(
      rows(s, 'D').map(({ role }) => role),
      [R.newCallee],
    );
    assert.deepEqual(
      rows(s, 'a').map(({ role }) => role),
      [R.read],
    );
  });

  test('constructors call constructors', () => {
    const s = extract('class A { A() { this(1); } A(int i) { super(i); } }');
    const calls = s.exprs.ofOp(E.call);
    assert.deepEqual(
      calls.map((e) => show(s, e)),
      ['this(int)', 'super(i)'],
    );
    for (const e of calls) assert.equal(s.exprs.roleOf(s.exprs.operandOf(e)), R.callee);
  });

  test('an anonymous class makes an instance of its base and has lambdas for methods', () => {
    const s = extract('class A { void f() { g(new B(1) { int k = h(); void m() { n(); } }); } }');
    const anonymous = ofKind(s, D.anonymousClass);
    assert.deepEqual(list(s, anonymous, 'parts'), ['B']);
    assert.deepEqual(
      s.exprs.ofOp(E.new).map((e) => show(s, e)),
      ['new B(int)'],
    );
    assert.deepEqual([rows(s, 'n')[0]?.block, rows(s, 'h')[0]?.block], ['A.f', 'A.f']);
    assert.equal(s.decls.kindOf(named(s, 'm', D.lambda)), D.lambda);
    assert.equal(column(s, named(s, 'k', D.local), 'value'), 'h()');
  });

  test('where locals get their type from', () => {
    const s = extract(
      'class A { void f(Map<K, V> m) throws E { var a = g(); for (var b : m.keySet()) {} try (R c = r()) {} catch (X | Y d) {} h((p, q) -> p); B l = z -> z; } }',
    );
    assert.equal(column(s, named(s, 'a', D.local), 'type'), '-');
    assert.equal(column(s, named(s, 'a', D.local), 'value'), 'g()');
    assert.equal(column(s, named(s, 'b', D.local), 'value'), 'element(m.keySet())');
    assert.equal(column(s, named(s, 'c', D.local), 'type'), 'R');
    assert.equal(column(s, named(s, 'c', D.local), 'value'), 'enter(r())');
    assert.equal(column(s, named(s, 'd', D.local), 'type'), 'union{X, Y}');
    const lambda = ofKind(s, D.lambda);
    assert.deepEqual(
      [...s.decls.paramsOf(lambda)].map((d) => s.decls.nameOf(d)),
      ['p', 'q'],
    );
    assert.deepEqual(list(s, lambda, 'parts'), ['p']);
  });

  test('pattern variables are seen where the pattern has matched', () => {
    const s = extract(`class A { Object f(Object o) {
      if (o instanceof B v) return v.one(); else if (o instanceof C v) return v.two();
      if (!(o instanceof D w) || w.three()) return null;
      w.four();
      boolean t = o instanceof E v && v.five();
      return switch (o) { case F v -> v.six(); case G(H v, var u) when u.seven() -> v.eight(); default -> null; };
    } }`);
    const typeOfReceiver = (member: string): string =>
      column(s, inScope(s, s.exprs.baseOf((rows(s, member)[0] as { expr: number }).expr)), 'type');
    assert.deepEqual(['one', 'two', 'three', 'four', 'five', 'six', 'eight'].map(typeOfReceiver), [
      'B',
      'C',
      'D',
      'D',
      'E',
      'F',
      'H',
    ]);
    assert.equal(column(s, named(s, 'u', D.local), 'value'), '(G) o#1');
  });

  test('a case label is a constant of the selector, unless the file has one of that name', () => {
    const s = extract(
      'import static x.Y.TOP; class A { static final int LOW = 1; void f() { switch (g()) { case RED: case LOW: case TOP: case K.BLUE: case 3: } } }',
    );
    assert.deepEqual(
      ['RED', 'LOW', 'TOP', 'BLUE'].map(
        (name) => (rows(s, name).find(({ block }) => block === 'A.f') as { text: string }).text,
      ),
      ['g().RED', 'LOW', 'TOP', 'K.BLUE'],
    );
  });

  test('reflection is undecidable, a namesake is not', () => {
    const s = extract(
      'class A { void f(Class<?> k, Store store) { Class.forName(n); A.class.getMethod("m"); x.getClass().getDeclaredField(n); store.getField("m"); } }',
    );
    assert.deepEqual(
      [...s.dynamic].map((row) => show(s, row)),
      ['Class.forName(n)', 'classOf(A).getMethod("m")', 'x.getClass().getDeclaredField(n)'],
    );
    assert.equal(extract('import java.lang.reflect.Method; class A { Object o = k.getField(n); }').dynamic.length, 1);
  });
});

describe('imports and documentation', () => {
  test('imports of every sort', () => {
    const text =
      'import a.b.C;\nimport a.b.*;\nimport a.b.Outer.Inner;\nimport static a.b.C.run;\nimport static a.b.C.*;\n';
    const s = extract(text);
    assert.deepEqual(
      s.imports.map(({ kind, module, name, decl: binding, expr }) => [
        kind,
        module,
        name,
        binding < 0 ? '' : s.decls.nameOf(binding),
        expr < 0 ? '' : show(s, expr),
      ]),
      [
        ['name', 'a.b', 'C', 'C', 'C'],
        ['star', 'a.b', '*', '', ''],
        ['name', 'a.b.Outer', 'Inner', 'Inner', 'a.b.Outer.Inner'],
        ['static', 'a.b.C', 'run', 'run', 'a.b.C.run'],
        ['static', 'a.b.C', '*', '', ''],
      ],
    );
    assert.deepEqual(
      s.imports.map((entry) => text.slice(entry.start, entry.end)),
      ['a.b.C', 'a.b.*', 'a.b.Outer.Inner', 'a.b.C.run', 'a.b.C.*'],
    );
    assert.deepEqual(
      rows(s, 'C').map(({ role, text: shown }) => [role, shown]),
      [
        [R.import, 'C'],
        [R.import, 'a.b.C'],
        [R.import, 'a.b.C'],
      ],
    );
    assert.deepEqual(
      rows(s, 'Outer').map(({ role }) => role),
      [R.import],
    );
  });

  test('documentation names types, members and parameters of what follows it', () => {
    const s = extract(`/** {@link B#c(D, e.F[]) label} {@code @see X} mail@example.org
 * @see #f
 * @see #A(int)
 * @see <a href="Q">q</a> */
class A {
  /** @param p the {@linkplain G.H one}
   *  @throws I at times */
  int f(int p) { return p; }
  A(int i) {}
}`);
    const docs = rowsOf(s.exprs).flatMap((e) => (s.exprs.roleOf(e) === R.doc ? [show(s, e)] : []));
    assert.deepEqual(docs, ['B', 'B.c', 'D', 'e', 'e.F', 'f', 'A', 'int', 'p', 'G', 'G.H', 'I']);
    assert.equal(s.decls.kindOf(inScope(s, (rows(s, 'p')[0] as { expr: number }).expr)), D.param);
    assert.equal(inScope(s, (rows(s, 'f')[0] as { expr: number }).expr), decl(s, 'A.f'));
  });

  test('module-info and package-info', () => {
    const s = extract(
      '@Deprecated open module a.b { requires transitive java.base; exports a.b to c.d, e; opens a.c; uses a.b.S; provides a.b.S with a.b.T, a.b.U; }',
    );
    assert.equal(s.errors.length, 0);
    assert.deepEqual(
      ['S', 'T', 'U'].map((name) => rows(s, name).map(({ role }) => role)),
      [[R.type, R.type], [R.type], [R.type]],
    );
    const info = extract('/** {@link C} */ @NonNull package a.b;');
    assert.equal(info.package, 'a.b');
    assert.deepEqual(
      rows(info, 'NonNull').map(({ role }) => role),
      [R.decorator],
    );
    assert.deepEqual(
      rows(info, 'b').map(({ role }) => role),
      [R.declares],
    );
  });
});

describe('names beyond the file', () => {
  /** A repository of a few files; members are looked up in the type itself only. */
  const repository = (texts: Record<string, string>): NameLookup => {
    const files = new Map(Object.entries(texts).map(([path, text]) => [path, extract(text)] as const));
    const paths = [...files.keys()].sort();
    const memos = new Map<string, unknown>();
    const repo: RepoView = {
      summary: (file) => files.get(file),
      hasFile: (file) => files.has(file),
      filesNamed: (base) => paths.filter((path) => path.endsWith(`/${base}`)),
      filesDeclaring: (_, name) =>
        paths.filter((path) => {
          const s = files.get(path) as Summary;
          const n = s.idOf(name);
          return s.decls.declares(n);
        }),
      filesInPackage: (_, name) => paths.filter((path) => files.get(path)?.package === name),
      filesOf: () => paths,
      hasDirectory: () => false,
      config: () => undefined,
      configsNamed: () => [],
      memoOfPlaces: <T>(_key: string, make: () => T): T => make(),
      memo: <T>(key: string, make: () => T): T => {
        if (!memos.has(key)) memos.set(key, make());
        return memos.get(key) as T;
      },
    };
    const inside = (file: string, scope: number, name: string): Entity[] => {
      const s = files.get(file) as Summary;
      return [...s.decls.inScope(scope, s.idOf(name))].map((row) => ({ kind: 'decl', file, decl: row }));
    };
    return {
      repo,
      exported: () => [],
      topLevel: (file, name) => inside(file, 0, name),
      member: (type, name) => inside(type.file, (files.get(type.file) as Summary).decls.innerOf(type.decl), name),
    };
  };
  const FILES = {
    'core/main/a/b/Use.java':
      'package a.b; import a.c.*; import static a.c.Tool.*; import a.c.Outer.*; class Use { enum Kind { X } }',
    'core/main/a/b/Same.java': 'package a.b; class Same {} class Side {}',
    'core/main/a/c/Tool.java':
      'package a.c; public class Tool { public static void run() {} void instance() {} public static final int TOP = 1; static class Nested {} }',
    'core/main/a/c/Outer.java':
      'package a.c; public class Outer { public static class Inner { static class Deep {} } int field; }',
    'core/test/a/b/Same2.java': 'package a.b; class Same2 {}',
    'other/main/a/b/Same.java': 'package a.b; class Same {}',
    'core/main/d/Lib.java':
      'package d; import java.util.*; import static org.junit.Assert.*; class Lib { enum Kind { X } }',
    'core/main/e/Types.java': 'package e; import java.util.*; class Types {}',
  };
  const at = (lookup: NameLookup, entities: readonly Entity[]): string[] =>
    entities.map((entity) =>
      entity.kind === 'decl'
        ? `${entity.file.slice(0, entity.file.indexOf('/'))}:${(lookup.repo.summary(entity.file) as Summary).decls.pathOf(entity.decl)}`
        : entity.kind === 'module'
          ? entity.file
          : `${entity.kind} ${entity.name}`,
    );

  test('modules', () => {
    const lookup = repository(FILES);
    const module = (name: string): string[] => at(lookup, java.resolveModule(name, 'core/main/a/b/Use.java', lookup));
    assert.deepEqual(module('a.c'), ['namespace a.c']);
    assert.deepEqual(module('a'), ['namespace a']);
    assert.deepEqual(module('a.c.Outer.Inner'), ['core:Outer.Inner']);
    assert.deepEqual(module('a.c.Outer.Inner.Deep'), ['core:Outer.Inner.Deep']);
    assert.deepEqual(module('a.b.Same'), ['core:Same']);
    assert.deepEqual(module('a.c.Generated'), []);
    assert.deepEqual(module('a.c.sub.Thing'), ['external a.c.sub.Thing']);
    assert.deepEqual(module('java.util'), ['external java.util']);
  });

  test('ambient names', () => {
    const lookup = repository(FILES);
    const ambient = (name: string, from = 'core/main/a/b/Use.java', scope = 0): string[] =>
      at(lookup, java.ambient(name, from, scope, lookup));
    assert.deepEqual(ambient('Same'), ['core:Same']);
    assert.deepEqual(ambient('Same', 'other/main/a/b/Same.java'), ['other:Same']);
    assert.deepEqual(ambient('Same2'), ['core:Same2']);
    assert.deepEqual(ambient('Tool'), ['core:Tool']);
    assert.deepEqual(ambient('run'), ['core:Tool.run']);
    assert.deepEqual(ambient('TOP'), ['core:Tool.TOP']);
    assert.deepEqual(ambient('Nested'), ['core:Tool.Nested']);
    assert.deepEqual(ambient('instance'), []);
    assert.deepEqual(ambient('Inner'), ['core:Outer.Inner']);
    assert.deepEqual(ambient('field'), []);
    assert.deepEqual(ambient('String'), ['external String']);
    assert.deepEqual(ambient('int'), ['external int']);
    assert.deepEqual(ambient('a'), ['namespace a']);
    assert.deepEqual(ambient('Unheard'), []);
  });

  test('what imports from outside can explain, and what every class has', () => {
    const lookup = repository(FILES);
    const ambient = (name: string, from: string, scope = 0): string[] =>
      at(lookup, java.ambient(name, from, scope, lookup));
    assert.deepEqual(ambient('ArrayList', 'core/main/e/Types.java'), ['external ArrayList']);
    assert.deepEqual(ambient('helper', 'core/main/e/Types.java'), []);
    assert.deepEqual(ambient('assertTrue', 'core/main/d/Lib.java'), ['external assertTrue']);
    assert.deepEqual(ambient('getClass', 'core/main/e/Types.java'), ['external getClass']);
    const use = lookup.repo.summary('core/main/a/b/Use.java') as Summary;
    assert.deepEqual(ambient('values', 'core/main/a/b/Use.java', use.decls.innerOf(decl(use, 'Use.Kind'))), [
      'external values',
    ]);
    assert.deepEqual(ambient('values', 'core/main/a/b/Use.java', use.decls.innerOf(decl(use, 'Use'))), []);
  });

  test('superclasses are searched before interfaces, and cycles end', () => {
    const s = extract(
      'class A extends B implements I, J {} class B extends C implements J {} class C implements K {} interface I extends K {} interface J {} interface K extends K {}',
    );
    const byName = (name: string): DeclRef => ({ file: 'x', decl: decl(s, name) });
    const basesOf = (type: DeclRef): DeclRef[] => list(s, type.decl, 'parts').map(byName);
    assert.deepEqual(
      java.baseOrder(byName('A'), basesOf).map((type) => s.decls.nameOf(type.decl)),
      ['B', 'C', 'K', 'J', 'I'],
    );
    assert.deepEqual(java.baseOrder(byName('K'), basesOf), []);
    assert.ok(isClassLike(s.decls.kindOf(decl(s, 'I'))));
  });
});
