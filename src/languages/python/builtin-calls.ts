/**
 * Calls of builtins that mean more than a call: `super()`, `type(x)`, `cast(T, x)`, functions
 * that pass elements on (`enumerate`, `zip`, `next`), `pytest.raises(E)`, and calls that hide
 * references from analysis (`getattr` with a computed name, `eval`). A name that the file binds
 * is no builtin.
 */
import { noteMadeName } from '../../syntax/made-names.js';
import { E, HELD, PERHAPS, R, type Role } from '../../syntax/summary.js';
import type { NewArgument } from '../../syntax/summary-builder.js';
import { argumentsOf } from './expressions.js';
import { ordered } from './implied.js';
import { writtenParts } from './made-names.js';
import { FIELD, K } from './kinds.js';
import type { Walk } from './walk.js';

/** What the value of a call is in terms of its arguments. */
type ValueOf = (w: Walk, at: Span, args: readonly NewArgument[]) => number;

interface Span {
  readonly start: number;
  readonly end: number;
  readonly scope: number;
}

const element = (w: Walk, at: Span, row: number): number =>
  w.build.expr(E.element, at.start, at.end, at.scope, '', row);
const list = (w: Walk, at: Span, name: string, rows: readonly number[]): number =>
  w.build.expr(E.list, at.start, at.end, at.scope, name, -1, w.build.list(rows));

/** Of nothing an empty one, which others put something into. */
const elementsOfFirst =
  (name: string): ValueOf =>
  (w, at, [first]) =>
    list(w, at, name, first === undefined ? [] : [element(w, at, first.expr)]);
/** Of all arguments by place from `from` on, one after the other. */
const elementsOfAll =
  (from = 0): ValueOf =>
  (w, at, args) =>
    list(
      w,
      at,
      'list',
      byPlace(args)
        .slice(from)
        .map(({ expr }) => element(w, at, expr)),
    );
/** Tuples of an element of each argument. */
const elementsTogether: ValueOf = (w, at, args) =>
  list(w, at, 'list', [
    list(
      w,
      at,
      'tuple',
      byPlace(args).map(({ expr }) => element(w, at, expr)),
    ),
  ]);
/** Sequences of elements of the first argument: pairs, combinations. */
const elementsGrouped: ValueOf = (w, at, [first]) =>
  first === undefined ? -1 : list(w, at, 'list', [list(w, at, 'list', [element(w, at, first.expr)])]);
const byPlace = (args: readonly NewArgument[]): NewArgument[] => args.filter(({ keyword }) => keyword === undefined);
const elementOfFirst: ValueOf = (w, at, [first, second]) => {
  if (first === undefined) return -1;
  const one = element(w, at, first.expr);
  return second === undefined || second.keyword !== undefined
    ? one
    : w.build.expr(E.union, at.start, at.end, at.scope, '', -1, w.build.list([one, second.expr]));
};
/** A call that nobody wrote: of what was passed, with rows that stand for what it gets. */
const impliedCall = (w: Walk, at: Span, callee: number, given: readonly number[]): number =>
  w.build.expr(
    E.call,
    at.start,
    at.end,
    at.scope,
    '',
    callee,
    w.build.argumentList(given.map((expr) => ({ expr, start: at.start }))),
  );
/** `key=f` calls f with each of what is ordered, and what that gives is compared; else the elements themselves. */
function orderedBy(w: Walk, at: Span, args: readonly NewArgument[], one: number): void {
  const key = args.find(({ keyword }) => keyword === 'key');
  ordered(w, at, key !== undefined && one !== -1 ? impliedCall(w, at, key.expr, [one]) : one);
}
const sorted: ValueOf = (w, at, args) => {
  const [first] = args;
  if (first === undefined) return -1;
  const one = element(w, at, first.expr);
  orderedBy(w, at, args, one);
  return list(w, at, 'list', [one]);
};
/** A mapping whose entries are made by what it is given, under any key. */
const defaulting: ValueOf = (w, at, [factory]) => {
  if (factory === undefined || factory.keyword !== undefined) return -1;
  const made = VALUES.get(builtinNamed(w, factory.expr, at.scope))?.(w, at, []) ?? impliedCall(w, at, factory.expr, []);
  return w.build.expr(E.dict, at.start, at.end, at.scope, 'dict', w.build.list([-1]), w.build.list([made]));
};
/** The builtin that a row names, or nothing: a name that the file binds is none. */
function builtinNamed(w: Walk, row: number, scope: number): string {
  const name = w.build.exprOp(row) === E.name ? w.build.exprName(row) : '';
  return w.state.isBound(scope, name) ? '' : name;
}
/** `field(default_factory=f)` calls f with nothing, for each object anew. */
const fieldMade: ValueOf = (w, at, args) => {
  const factory = args.find(({ keyword }) => keyword === 'default_factory');
  if (factory !== undefined) impliedCall(w, at, factory.expr, []);
  return -1;
};
/** `reduce(f, xs)` gives what f gives, or the only element. */
const folded: ValueOf = (w, at, [callback, over, initial]) => {
  if (callback === undefined || over === undefined) return -1;
  const one = element(w, at, over.expr);
  const first = initial?.expr ?? one;
  const made = impliedCall(w, at, callback.expr, [first, one]);
  return w.build.expr(E.union, at.start, at.end, at.scope, '', -1, w.build.list([made, first]));
};
/** `dict(a=1)` is the mapping that says so; of `dict(pairs)` the second parts are the values. */
const mapping: ValueOf = (w, at, args) => {
  const keys: number[] = [];
  const values: number[] = [];
  for (const { expr, keyword, start } of args) {
    if (keyword !== undefined) {
      keys.push(w.build.expr(E.other, start, start + keyword.length, at.scope, keyword));
      values.push(expr);
    } else if (w.build.exprOp(expr) === E.list) {
      keys.push(-1);
      values.push(w.build.expr(E.nth, at.start, at.end, at.scope, '', element(w, at, expr), 1));
    } else return -1;
  }
  return w.build.expr(E.dict, at.start, at.end, at.scope, 'dict', w.build.list(keys), w.build.list(values));
};

const flattened = (w: Walk, at: Span, row: number): number =>
  list(w, at, 'list', [element(w, at, element(w, at, row))]);
/** Elements of the second argument, each of which the first is called with. */
const tested: ValueOf = (w, at, [test, over]) => {
  if (test === undefined || over === undefined) return -1;
  const one = element(w, at, over.expr);
  impliedCall(w, at, test.expr, [one]);
  return list(w, at, 'list', [one]);
};
/** `starmap(f, xs)` calls f with the parts of each element. */
const starred: ValueOf = (w, at, [callback, over]) => {
  if (callback === undefined || over === undefined) return -1;
  const one = element(w, at, over.expr);
  const made = w.build.expr(
    E.call,
    at.start,
    at.end,
    at.scope,
    '',
    callback.expr,
    w.build.argumentList([{ expr: one, start: at.start, spread: 'list' }]),
  );
  return list(w, at, 'list', [made]);
};

/** `max(xs)` is an element, `max(a, b)` one of the arguments. */
const extreme: ValueOf = (w, at, args) => {
  const positional = args.filter((arg) => arg.keyword === undefined && arg.spread === undefined);
  const [first] = positional;
  if (first === undefined) return -1;
  const one =
    positional.length === 1
      ? element(w, at, first.expr)
      : w.build.expr(E.union, at.start, at.end, at.scope, '', -1, w.build.list(positional.map((arg) => arg.expr)));
  orderedBy(w, at, args, one);
  return one;
};

const VALUES: ReadonlyMap<string, ValueOf> = new Map<string, ValueOf>([
  ['list', elementsOfFirst('list')],
  ['tuple', elementsOfFirst('list')],
  ['sorted', sorted],
  ['dict', mapping],
  ['reversed', elementsOfFirst('list')],
  ['iter', elementsOfFirst('list')],
  ['aiter', elementsOfFirst('list')],
  ['set', elementsOfFirst('set')],
  ['frozenset', elementsOfFirst('set')],
  ['next', elementOfFirst],
  ['anext', elementOfFirst],
  ['max', extreme],
  ['min', extreme],
  [
    'enumerate',
    (w, at, [first]) =>
      first === undefined
        ? -1
        : list(w, at, 'list', [
            list(w, at, 'tuple', [
              w.build.expr(E.literal, at.start, at.end, at.scope, 'int'),
              element(w, at, first.expr),
            ]),
          ]),
  ],
  ['zip', elementsTogether],
  ['filter', tested],
  [
    'map',
    (w, at, [callback, ...over]) =>
      callback === undefined
        ? -1
        : list(w, at, 'list', [
            impliedCall(
              w,
              at,
              callback.expr,
              over.map(({ expr }) => element(w, at, expr)),
            ),
          ]),
  ],
]);

/** The same for what an import leads to. */
const IMPORTED_VALUES: ReadonlyMap<string, ValueOf> = new Map<string, ValueOf>([
  ['functools.reduce', folded],
  ['collections.defaultdict', defaulting],
  ['collections.deque', elementsOfFirst('deque')],
  ['itertools.chain', elementsOfAll()],
  ['itertools.chain.from_iterable', (w, at, [first]) => (first === undefined ? -1 : flattened(w, at, first.expr))],
  ['itertools.islice', elementsOfFirst('list')],
  ['itertools.cycle', elementsOfFirst('list')],
  ['itertools.takewhile', tested],
  ['itertools.dropwhile', tested],
  ['itertools.filterfalse', tested],
  ['itertools.repeat', (w, at, [first]) => (first === undefined ? -1 : list(w, at, 'list', [first.expr]))],
  ['itertools.product', elementsTogether],
  ['itertools.zip_longest', elementsTogether],
  ['itertools.pairwise', elementsGrouped],
  ['itertools.combinations', elementsGrouped],
  ['itertools.permutations', elementsGrouped],
  ['itertools.starmap', starred],
  ['dataclasses.field', fieldMade],
]);

/** Calls whose second argument is the name of a member. Undecidable unless it is written out. */
const BY_NAME = new Set(['getattr', 'setattr', 'delattr', 'hasattr']);
/** Methods of tests' fixtures that do so: `monkeypatch.setattr`, `mock.patch.object`, `mocker.spy`. */
const NAMING_METHODS = new Set(['setattr', 'delattr', 'object', 'spy']);
/** Calls that reach names in ways that no text shows. */
const HIDING = new Set(['eval', 'exec', 'globals', 'locals', 'vars', '__import__', 'execfile']);
const HIDING_IMPORTED = new Set(['importlib.import_module', 'importlib.__import__', 'builtins.eval', 'builtins.exec']);
/** Calls that import the module that a string names. */
const IMPORTING = new Set(['importlib.import_module', 'importlib.__import__']);
/** Calls that copy an object with other values of the fields that their keywords name. */
const COPYING = new Set(['dataclasses.replace', 'copy.replace', 'attr.evolve', 'attrs.evolve']);
const CASTS = new Set(['typing.cast', 'typing_extensions.cast']);
/** What holds the exception that it was given the class of, and gives it up as `.value` or `.exception`. */
const RAISES = new Set(['pytest.raises', 'pytest.warns']);
const RAISES_METHODS = new Set(['assertRaises', 'assertRaisesRegex', 'assertWarns']);
/** Methods of `ExitStack` that give what `with` gives of their argument; of which kind of `with`. */
const ENTERING: ReadonlyMap<string, string> = new Map([
  ['enter_context', ''],
  ['enter_async_context', 'async'],
]);
/** Of an object of a NamedTuple one with other fields, which the keywords name. */
const COPIES_NAMED_TUPLE = '_replace';
/** Names by which a special call may be written at its end. */
const LAST_NAMES = new Set([
  'super',
  'type',
  'cast',
  'import_module',
  'replace',
  'evolve',
  'raises',
  'warns',
  ...VALUES.keys(),
  ...[...IMPORTED_VALUES.keys()].map((name) => name.slice(name.lastIndexOf('.') + 1)),
  ...BY_NAME,
  ...HIDING,
]);

/** Whether a callee may be one of these; cheap, since every call asks. */
export function isSpecialCall(w: Walk, callee: number, scope: number): boolean {
  const kind = w.kind(callee);
  if (kind === K.identifier) {
    const name = w.textOf(callee);
    return (
      (LAST_NAMES.has(name) || w.state.imported.has(name)) &&
      (w.state.imported.has(name) || !w.state.isBound(scope, name))
    );
  }
  if (kind !== K.attribute) return false;
  const last = w.child(callee, FIELD.attribute);
  if (last === -1) return false;
  const name = w.textOf(last);
  return (
    RAISES_METHODS.has(name) ||
    NAMING_METHODS.has(name) ||
    name === 'sort' ||
    name === COPIES_NAMED_TUPLE ||
    ENTERING.has(name) ||
    (LAST_NAMES.has(name) && qualified(w, callee) !== undefined)
  );
}

/** `typing.cast` for a callee that imports lead to, however it is written. */
function qualified(w: Walk, callee: number): string | undefined {
  if (w.kind(callee) === K.identifier) return w.state.imported.get(w.textOf(callee));
  const object = w.child(callee, FIELD.object);
  const last = w.child(callee, FIELD.attribute);
  if (object === -1 || last === -1) return undefined;
  const module = w.kind(object) === K.identifier || w.kind(object) === K.attribute ? qualified(w, object) : undefined;
  return module === undefined ? undefined : `${module}.${w.textOf(last)}`;
}

/** Walks a special call and gives its value, or -1, nothing walked, if it is an ordinary call after all. */
export function builtinCall(
  w: Walk,
  node: number,
  callee: number,
  argumentList: number,
  scope: number,
  role: Role,
): number {
  const at: Span = { start: w.start(node), end: w.end(node), scope };
  const from = qualified(w, callee);
  const method = w.kind(callee) === K.attribute ? w.textOf(w.child(callee, FIELD.attribute)) : '';
  if (RAISES.has(from ?? '') || RAISES_METHODS.has(method)) return raises(w, at, callee, argumentList);
  if (namesOfAnother(w, callee, method)) return watched(w, at, callee, argumentList, role);
  if (ENTERING.has(method)) return enteredBy(w, at, callee, argumentList, ENTERING.get(method) ?? '');
  if (from !== undefined) return libraryFunction(w, at, from, callee, argumentList);
  const name = w.textOf(callee);
  if (name === 'super') return superCall(w, at, callee, argumentList);
  if (name === 'type') return classOf(w, at, callee, argumentList);
  const { row, args } = ordinary(w, at, callee, argumentList);
  if (method === 'sort') orderedBy(w, at, args, element(w, at, w.build.exprA(w.build.exprA(row))));
  if (method === COPIES_NAMED_TUPLE) return withFields(w, at, argumentList, w.build.exprA(w.build.exprA(row)));
  if (BY_NAME.has(name)) {
    const [, named] = args;
    return named !== undefined && w.build.exprOp(named.expr) === E.string
      ? memberNamed(w, { name, row, args, text: textOfSecond(w, argumentList), scope, role })
      : memberOfMadeName(w, at, { name, row, args, text: w.next(w.first(argumentList)) });
  }
  if (HIDING.has(name)) w.build.undecidable(row);
  const value = args.every((arg) => arg.spread === undefined) ? (VALUES.get(name)?.(w, at, args) ?? -1) : -1;
  return value === -1 ? row : value;
}

function enteredBy(w: Walk, at: Span, callee: number, argumentList: number, mode: string): number {
  const { row, args } = ordinary(w, at, callee, argumentList);
  const [first, ...others] = args;
  return first === undefined || others.length > 0 || (first.keyword ?? first.spread) !== undefined
    ? row
    : w.build.expr(E.enter, at.start, at.end, at.scope, mode, first.expr);
}

interface ByName {
  readonly name: string;
  /** The call's. */
  readonly row: number;
  readonly args: readonly NewArgument[];
  /** What names the member, without its quotes; -1 where it is no plain name. */
  readonly text: number;
}

interface Written extends ByName {
  readonly scope: number;
  readonly role: Role;
}

/**
 * `getattr(o, 'size')` is `o.size`, and `setattr(o, 'size', 1)` assigns to it. Where the member need not be there (a
 * default, `hasattr`) the object says so. Gives the call's value.
 */
function memberNamed(w: Walk, { name, row, args, text, scope, role }: Written): number {
  const [object, , third] = args;
  if (object === undefined || text === -1 || args.some(({ keyword, spread }) => (keyword ?? spread) !== undefined))
    return row;
  const start = w.start(text);
  const end = w.end(text);
  const isThere = name === 'setattr' || name === 'delattr' || (name === 'getattr' && third === undefined);
  const has = isThere
    ? object.expr
    : w.build.expr(E.union, start, start, scope, PERHAPS, -1, w.build.list([object.expr]));
  const use =
    name === 'setattr' ? R.write : name === 'getattr' && third === undefined && role === R.callee ? role : R.read;
  const member = w.build.expr(E.member, start, end, scope, w.textOf(text), has, -1, use);
  if (name === 'setattr' && third !== undefined) w.expr(E.store, text, scope, '', member, third.expr, R.read);
  if (name !== 'getattr') return row;
  return third === undefined
    ? member
    : w.build.expr(E.union, end, end, scope, '', -1, w.build.list([member, third.expr]));
}

/** `getattr(o, kind)`: nobody knows which member. Where the name leads to none, it gives what stands behind it. */
function memberOfMadeName(w: Walk, at: Span, { name, row, args, text }: ByName): number {
  const [object, made, instead] = args;
  w.build.undecidable(row);
  if (object !== undefined && made !== undefined) noteMadeName(w.build, at, object.expr, writtenParts(w, text));
  return name !== 'getattr' || instead === undefined || instead.keyword !== undefined
    ? row
    : w.build.expr(E.union, at.end, at.end, at.scope, '', -1, w.build.list([row, instead.expr]));
}

/** `patch.object`, whatever leads to `patch`, and the methods of fixtures whose second argument names a member. */
const namesOfAnother = (w: Walk, callee: number, method: string): boolean =>
  NAMING_METHODS.has(method) && (method !== 'object' || w.textOf(callee).endsWith('patch.object'));

/** A call that replaces a member of its first argument, or looks on: the member has a row, the call gives its own. */
function watched(w: Walk, at: Span, callee: number, argumentList: number, role: Role): number {
  const { row, args } = ordinary(w, at, callee, argumentList, role === R.decorator ? role : R.callee);
  const [object, named] = args;
  const isByPlace = [object, named].every((arg) => arg !== undefined && (arg.keyword ?? arg.spread) === undefined);
  const text = isByPlace ? textOfSecond(w, argumentList) : -1;
  if (object !== undefined && text !== -1)
    w.build.expr(E.member, w.start(text), w.end(text), at.scope, w.textOf(text), object.expr);
  return row;
}

const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

function textOfSecond(w: Walk, argumentList: number): number {
  const second = w.next(w.first(argumentList));
  const text = second !== -1 && w.kind(second) === K.string ? w.childOf(second, K.string_content) : -1;
  return text !== -1 && NAME.test(w.textOf(text)) ? text : -1;
}

/** A call of what an import leads to, by its qualified name. */
function libraryFunction(w: Walk, at: Span, from: string, callee: number, argumentList: number): number {
  if (CASTS.has(from)) return cast(w, at, callee, argumentList);
  if (COPYING.has(from)) return copied(w, at, callee, argumentList);
  const module = IMPORTING.has(from) ? onlyModule(w, argumentList) : -1;
  if (module !== -1) return importedModule(w, at, callee, module);
  const valueOf = IMPORTED_VALUES.get(from);
  if (valueOf === undefined && !HIDING_IMPORTED.has(from)) return -1;
  const { row, args } = ordinary(w, at, callee, argumentList);
  if (valueOf === undefined) w.build.undecidable(row);
  const value = valueOf === undefined || args.some((arg) => arg.spread !== undefined) ? -1 : valueOf(w, at, args);
  return value === -1 ? row : value;
}

/** `type(x)` of one thing: its class. With more it makes a class, which nobody here can know. */
function classOf(w: Walk, at: Span, callee: number, argumentList: number): number {
  const only = argumentList === -1 ? -1 : w.first(argumentList);
  if (only === -1 || w.next(only) !== -1 || w.kind(only) === K.list_splat) return -1;
  const { args } = ordinary(w, at, callee, argumentList);
  return w.build.expr(E.classOf, at.start, at.end, at.scope, '', args[0]?.expr ?? -1);
}

/** The value is one of the first argument's type, and the keywords name members of it. */
function copied(w: Walk, at: Span, callee: number, argumentList: number): number {
  const { row, args } = ordinary(w, at, callee, argumentList);
  const [first] = args;
  if (first === undefined || first.keyword !== undefined || first.spread !== undefined) return row;
  return withFields(w, at, argumentList, first.expr);
}

/** The object whose members the keywords name. */
function withFields(w: Walk, at: Span, argumentList: number, object: number): number {
  for (let c = w.first(argumentList); c !== -1; c = w.next(c)) {
    const name = w.kind(c) === K.keyword_argument ? w.child(c, FIELD.name) : -1;
    if (name !== -1) w.expr(E.initializer, name, at.scope, w.textOf(name), object);
  }
  return object;
}

const MODULE_PATH = /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*$/u;

/** The text in `import_module("a.b")` that names a module from the root, or -1. */
function onlyModule(w: Walk, argumentList: number): number {
  const only = argumentList === -1 ? -1 : w.first(argumentList);
  if (only === -1 || w.next(only) !== -1 || w.kind(only) !== K.string) return -1;
  const text = w.childOf(only, K.string_content);
  return text !== -1 && MODULE_PATH.test(w.textOf(text)) ? text : -1;
}

/** The value is the module: an import without a binding, whose statement is empty, since the text around is code. */
function importedModule(w: Walk, at: Span, callee: number, text: number): number {
  w.value(callee, at.scope, R.callee);
  const row = w.build.expr(E.name, at.start, at.start, at.scope, '', -1, -1, R.import);
  w.build.import({
    kind: 'module',
    module: w.textOf(text),
    name: '',
    decl: -1,
    expr: row,
    start: at.start,
    end: at.end,
    statementStart: at.start,
    statementEnd: at.start,
    moduleStart: w.start(text),
    typeOnly: false,
    global: false,
  });
  return row;
}

function ordinary(
  w: Walk,
  at: Span,
  callee: number,
  argumentList: number,
  role: Role = R.callee,
): { readonly row: number; readonly args: readonly NewArgument[] } {
  const calleeRow = w.value(callee, at.scope, role);
  const args = argumentsOf(w, argumentList, at.scope);
  return { row: w.build.expr(E.call, at.start, at.end, at.scope, '', calleeRow, w.build.argumentList(args)), args };
}

/** `super()`, `super(A, self)`: a is the class that is written. */
function superCall(w: Walk, at: Span, callee: number, argumentList: number): number {
  w.markNames(callee);
  const args = argumentsOf(w, argumentList, at.scope);
  return w.build.expr(E.super, at.start, at.end, at.scope, '', args[0]?.expr ?? -1);
}

/** `cast(T, x)`: T is a type, also when it is a string. */
function cast(w: Walk, at: Span, callee: number, argumentList: number): number {
  const type = argumentList === -1 ? -1 : w.first(argumentList);
  const value = type === -1 ? -1 : w.next(type);
  if (
    value === -1 ||
    w.next(value) !== -1 ||
    w.kind(type) === K.keyword_argument ||
    w.kind(value) === K.keyword_argument
  )
    return -1;
  w.value(callee, at.scope, R.callee);
  const b = w.type(type, at.scope);
  return w.build.expr(E.cast, at.start, at.end, at.scope, '', w.value(value, at.scope), b);
}

/**
 * `with pytest.raises(E) as info` binds a holder of an `E`: a list in a list, since `with` takes
 * the one and the holder's member the other.
 */
function raises(w: Walk, at: Span, callee: number, argumentList: number): number {
  const { row, args } = ordinary(w, at, callee, argumentList);
  const [first] = args;
  if (
    first === undefined ||
    first.keyword !== undefined ||
    first.spread !== undefined ||
    w.build.exprOp(first.expr) === E.list
  )
    return row;
  const made = w.build.expr(E.call, at.start, at.end, at.scope, HELD, first.expr, w.build.argumentList([]));
  return list(w, at, 'list', [list(w, at, 'list', [made])]);
}
