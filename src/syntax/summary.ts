/**
 * What one file says, as columns of numbers: a pure function of its text and language.
 *
 * A summary holds no fact from another file, so it is cached by content hash, computed in any
 * thread, and never invalid because of an edit elsewhere. Columns rather than objects, because
 * 300,000 lines hold millions of expressions: a row costs some 25 bytes, moves between threads
 * without a copy, and goes to the disk as it is.
 *
 *     names    0:"" 1:"Store" 2:"put" 3:"self" ...                      every identifier once
 *     decls    row = one declaration (block or local), `parent` links make the block names
 *     scopes   row = one lexical scope, `parent` links make the chain that names are looked up in
 *     exprs    row = one expression; `a.b(c)` is call(member(name a, b), [name c])
 *     items    lists that rows point into: arguments, parameters, bases, returns
 *
 * Types are expressions too: `List[Foo]` is index(name List, [name Foo]).
 * All offsets are UTF-16 code units into the text that the summary was made from.
 * The words: architecture.md section 3.
 */

import type { DeclRow, ExprRow, NameRow, RowList, ScopeRow } from './rows.js';
import type { Source } from './source.js';

/** What one file says: its columns behind questions. */
export type Summary = Source;

export type LanguageId = 'python' | 'typescript' | 'java' | 'csharp';

/**
 * Declarations. Those up to `namespace` are blocks when they stand at module or class level, or
 * (function, class) anywhere; the others are never blocks.
 */
export const D = {
  class: 1,
  interface: 2,
  enum: 3,
  record: 4,
  struct: 5,
  typeAlias: 6,
  annotation: 7,
  delegate: 8,
  function: 9,
  method: 10,
  constructor: 11,
  field: 12,
  property: 13,
  enumMember: 14,
  variable: 15,
  namespace: 16,
  param: 17,
  local: 18,
  typeParam: 19,
  importBinding: 20,
  /** A function without a name: lambda, arrow, anonymous class's or object's method holder. Not a block. */
  lambda: 21,
  /**
   * A class without a name: Java anonymous class, object literal, class expression. Not a block; members' parent is the
   * block outside.
   */
  anonymousClass: 22,
} as const;
export type DeclKind = (typeof D)[keyof typeof D];

export const isClassLike = (kind: number): boolean =>
  (kind >= D.class && kind <= D.delegate) || kind === D.anonymousClass;
export const isFunctionLike = (kind: number): boolean =>
  kind === D.function || kind === D.method || kind === D.constructor || kind === D.lambda;
export const isFieldLike = (kind: number): boolean => kind >= D.field && kind <= D.variable;
export const isBlockKind = (kind: number): boolean => kind <= D.namespace;

/** Bits of a declaration's `flags`. */
export const F = {
  static: 1,
  async: 2,
  abstract: 4,
  override: 8,
  generator: 16,
  /** Parameter that takes a variable, which it may change, or sets (C# `ref`, `out`). */
  updated: 8,
  written: 16,
  private: 32,
  protected: 64,
  public: 128,
  exported: 256,
  defaultExport: 512,
  /** Parameter or field that need not be given: default value, `?`, `*args`. */
  optional: 1024,
  rest: 2048,
  keywordRest: 4096,
  keywordOnly: 8192,
  positionalOnly: 16384,
  /** A member that stands for one of an interface, and is reached through that alone (C#). */
  explicit: 8192,
  /** Parameter that the call does not write: `self`, `cls`, `this`. */
  receiver: 32768,
  getter: 1 << 16,
  setter: 1 << 17,
  const: 1 << 18,
  /** Python classmethod. */
  classMethod: 1 << 19,
  /** TypeScript or C# parameter that is also a field; Java and C# record component. */
  parameterField: 1 << 20,
  /** C# extension method, `partial` type, `virtual`, `sealed`/`final`, `readonly`. */
  extension: 1 << 21,
  partial: 1 << 22,
  /** Field declared by an assignment that does not always run. */
  conditional: 1 << 22,
  virtual: 1 << 23,
  final: 1 << 24,
  readonly: 1 << 25,
  /** A signature without a body: interface member, overload signature, abstract method. */
  bodiless: 1 << 26,
  /** A further assignment of a name that is already declared in the scope. */
  reassigned: 1 << 27,
  /** Local whose declaration stands for a narrowing (isinstance, pattern). */
  narrowing: 1 << 28,
  /** Type parameter whose arguments have to be makeable with nothing: C# `where T : new()`. */
  makeable: 1 << 26,
  /** C# `new` modifier on a member; Python dataclass-like class. */
  hiding: 1 << 29,
  dataclass: 1 << 30,
  /** A function whose `this` is that of the code around it: arrow function. */
  lexicalThis: 1 << 31,
  /**
   * An assignment that runs whenever what follows it in the same body runs: it ends the earlier ones. Of no function.
   */
  replaces: 1 << 31,
} as const;

/** Expressions. `a`, `b` and `name` are columns of the row; -1 or 0 where not said. */
export const E = {
  /** Something that is not modelled (its parts are rows of their own). name: of a key that is written as a keyword. */
  other: 0,
  /** An identifier. name. */
  name: 1,
  /**
   * `a.name`, also `a?.name`, `A::name`, a destructured `{name} = a`, and a qualified type. a: base; b: {@link LABEL},
   * {@link REFERENCE}, else -1; start..end is the member's name.
   */
  member: 2,
  /** A call. a: callee; b: arguments (item triples). */
  call: 3,
  /** `new a(b)`. Python writes `call`. */
  new: 4,
  /** `a[b]`. a: base; b: list of the indices. In a type: type arguments, all languages. */
  index: 5,
  await: 6,
  /** `self` as the language writes it without a declaration: `this`. */
  this: 7,
  /** `super`, `base`. In Python `super()` is this, not a call. */
  super: 8,
  /**
   * A literal. name: `str` `int` `float` `bool` `null` `bytes` `regex`. b: an index's worth of `int`, where the
   * extractor says it; else -1.
   */
  literal: 9,
  /** `[x, y]`, sets, tuples, `{}` initialisers. b: list of elements; name: `list` `set` `tuple`. */
  list: 10,
  /**
   * A mapping literal. b: list of the values; a: list of their keys, -1 among them for what is spread in; -1 where the
   * extractor does not say them. name: `dict`.
   */
  dict: 11,
  /** A lambda or anonymous class or object literal. a: its declaration. */
  closure: 12,
  /**
   * One of several: conditional, `or`, `??`, union type. b: list. name: `slice` where it is a part cut out of the only
   * one (a: list of its ends, -1 for the end of the whole, where they are plain numbers); TOTAL: one for each case of a
   * value, none for the rest; of types that are read as such and are none: `&` all of several, `?` by a condition, `in`
   * mapped, `readonly` a word in front, `typeof` what a value is; UNPACKED.
   */
  union: 13,
  /** Array of a (type). */
  array: 14,
  /** The elements when a is iterated. */
  element: 15,
  /** The `b`-th part when a is taken apart; b is the number. */
  nth: 16,
  /** What `with a as` or `using` gives. */
  enter: 17,
  /**
   * a with the type b: `(B) a`, `a as B`, `cast(B, a)`. Named NARROWED where a test says so, and what is known of a may
   * say more; SATISFIES: a has to fit b, and stays what it is.
   */
  cast: 18,
  /**
   * Function type. a: return type, b: list of parameter types. name: where not every parameter has to be given, a sign
   * of `TAKES` for each; C#: that of a library's delegate, with its arity.
   */
  functionType: 19,
  /** An operator. name: the operator as written; a, b: operands (b -1 for a prefix). */
  operator: 20,
  /**
   * A string whose text is an identifier or a dotted path. name: its last part; start..end that part; a: what stands in
   * front of it, named by its text, or -1.
   */
  string: 21,
  /**
   * A keyword argument's or initialiser's name that refers to a member of what is made: `new A { name = 1 }`, `case
   * A(name=…)`. a: the type or instance expression.
   */
  initializer: 22,
  /** Python `type(x)`/`x.__class__`, C# `typeof`: the class of a. */
  classOf: 23,
  /** The result of calling a where no call is written: Python's `raise A`. */
  applied: 24,
  /**
   * `a = b` where a is a member or an indexed place, which no declaration stands for; in Java and C#, any. a: the
   * place, b: the value.
   * Role `write` where it runs whenever what follows it in the same body runs: it ends what was in the place before.
   */
  store: 25,
  /** The name of a parameter that a framework fills in by it: it refers to what gives the value. a: the parameter. */
  injected: 26,
} as const;
export type ExprOp = (typeof E)[keyof typeof E];

/** Of a union: it has to have a case for each value that may come. */
export const TOTAL = 'total';
/** Name of a `union` row that stands for the type of a value. */
export const TYPE_OF = 'typeof';

/** Name of a `union` row of a type whose keys, or parts, are what is given one by one: Python `**kw: Unpack[Row]`. */
export const UNPACKED = 'unpacked';
/** Name of a `union` row whose member is asked for and need not be there: `getattr(o, 'size', None)`. */
export const PERHAPS = 'perhaps';
/** Name of a `call` row that stands for an object of a class, which others make: what `pytest.raises(E)` holds. */
export const HELD = 'held';
/** Name of a `union` row that is a part cut out of its only side, from a place to another one. */
export const SLICE = 'slice';
/** Name of an `operator` row of a type whose member another type names: `T[K]`. */
export const LOOKED_UP = '[]';
/** Name of an `operator` row of a type of the names of a type's members: TypeScript `keyof T`. */
export const KEY_OF = 'keyof';

/** How often a parameter of a function type is given: once, or perhaps not, or any number of times. */
export const TAKES = { once: '.', perhaps: '?', any: '*' } as const;

/** What an expression is there for: `role` column. */
/** Of a member row: the label of a `switch` on the base, which may be a bare name as well. */
export const LABEL = -2;
/** Of a member row: a function that is named and not called, `A::name`, where fields have names of their own (Java). */
export const REFERENCE = -3;

export const R = {
  read: 0,
  write: 1,
  callee: 2,
  newCallee: 3,
  base: 4,
  type: 5,
  decorator: 6,
  /** Inside an import or re-export. */
  import: 7,
  /** Read and written (`x += 1`). */
  update: 8,
  /** The declaring occurrence itself (`self.x = 1` that declares the field): not a reference. */
  declares: 9,
  /** In a documentation comment. */
  doc: 10,
  /** A call, or the wait for one, that is a statement: nobody takes what it gives. */
  dropped: 11,
} as const;
export type Role = (typeof R)[keyof typeof R];

export const S = {
  module: 1,
  class: 2,
  function: 3,
  block: 4,
  namespace: 5,
  /** Parameters' defaults, annotations, decorators: belongs to the block, but sees the outer scope. */
  header: 6,
} as const;

export interface ScopeColumns {
  readonly count: number;
  readonly kind: Uint8Array;
  /** -1 for the module scope, which is row 0. */
  readonly parent: Int32Array;
  /** The class, function, lambda or namespace whose scope it is; -1 for module, else of the nearest one. */
  readonly owner: Int32Array;
  /** The innermost block that text in this scope belongs to; -1: the module. */
  readonly block: Int32Array;
}

export interface DeclColumns {
  readonly count: number;
  readonly kind: Uint8Array;
  readonly flags: Int32Array;
  readonly name: Int32Array;
  /** Offset of the name; -1 for what has no name. */
  readonly nameStart: Int32Array;
  /** Whole block: modifiers, decorators, `export` included, comments above not. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Where the body begins: the header is `start..bodyStart`. Equal to `end` for no body. */
  readonly bodyStart: Int32Array;
  /** Scope in which the name is declared. */
  readonly scope: Int32Array;
  /** Scope that it opens, -1 for none. */
  readonly inner: Int32Array;
  /** Enclosing block, -1 at module level. Namespaces are no parents. */
  readonly parent: Int32Array;
  /** Declared type, return type, or aliased type: expr, -1. */
  readonly type: Int32Array;
  /** Initial value or default: expr, -1. */
  readonly value: Int32Array;
  /**
   * List of parameter declarations (items), -1. Receivers included. For a record or primary constructor: its
   * components.
   */
  readonly params: Int32Array;
  /** Classes: list of base expressions. Functions: list of returned expressions (yielded ones for a generator). */
  readonly parts: Int32Array;
  /** List of decorator or annotation expressions, -1. */
  readonly decorators: Int32Array;
  /** List of type parameter declarations, -1. */
  readonly typeParams: Int32Array;
  /**
   * Hash of the header's tokens, and of the body's tokens outside nested blocks; comments, blanks, docstrings and
   * trailing commas do not count.
   */
  readonly headerHash: Float64Array;
  readonly bodyHash: Float64Array;
}

export interface ExprColumns {
  readonly count: number;
  readonly op: Uint8Array;
  readonly role: Uint8Array;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly name: Int32Array;
  /** name, member, initializer, string: the identifier alone; others: the whole expression. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly scope: Int32Array;
}

/** One imported thing. */
export interface ImportEntry {
  /**
   * `module`: the binding is the module or package itself (`import a.b as c`, `import * as ns`, C# alias of a
   * namespace).
   * `name`: the binding is `name` of the module. `star`: every public name. `static`: static members of the type
   * `module` (Java `import static a.B.c` has name `c`; `import static a.B.*` and C# `using static` have name `*`).
   */
  readonly kind: 'module' | 'name' | 'star' | 'static';
  /**
   * As written: `..pkg.mod`, `./x`, `java.util`, `System.Linq`. For Java `import a.b.C` the module is `a.b`, the name
   * `C`.
   */
  readonly module: string;
  /** Imported name; `default` for a default import; `` where there is none. */
  readonly name: string;
  /** The binding declared in this file (an importBinding decl), or -1. `import a.b` in Python binds `a`. */
  readonly decl: number;
  /** Expression row (op name or member, role import) of the imported name, or -1. */
  readonly expr: number;
  /** The entry: `x as y`. */
  readonly start: number;
  readonly end: number;
  /** The whole statement. */
  readonly statementStart: number;
  readonly statementEnd: number;
  /** Where the module's name stands, without quotes. */
  readonly moduleStart: number;
  readonly typeOnly: boolean;
  /** C# `global using`. */
  readonly global: boolean;
}

/** Name of the export entry that is all of a module: `export = x`, `module.exports = x`. */
export const WHOLE_MODULE = '=';

/** One exported name of a TypeScript or JavaScript file, or one entry of Python's `__all__`. */
export interface ExportEntry {
  /** Name outside; `*` for `export * from`. */
  readonly name: string;
  /**
   * Name in this file, or in `module` for a re-export; `*` with a `module` and a proper `name`: `export * as name
   * from`.
   */
  readonly local: string;
  /** Re-exported from; undefined for this file. */
  readonly module?: string;
  /** Expression row of the local name, or -1. */
  readonly expr: number;
  readonly start: number;
  readonly end: number;
}

/** What of a text was not read. */
export interface Unread {
  /** Where it begins. */
  readonly at: number;
  /** Completes "the file …". */
  readonly reason: string;
}

/** The columns themselves: for `syntax/` and the codec alone. All others have a {@link Summary}. */
export interface SummaryColumns {
  readonly language: LanguageId;
  /** Content hash of the text, hexadecimal. */
  readonly hash: string;
  readonly textLength: number;
  /** Offset of each line's first character. */
  readonly lineStarts: Uint32Array;
  readonly names: readonly string[];
  readonly scopes: ScopeColumns;
  readonly decls: DeclColumns;
  readonly exprs: ExprColumns;
  /**
   * Lists: at the index the count, then the entries. Argument lists hold triples: expression, name (0: positional, -1:
   * `*`/spread, -2: `**`, -3: a type argument, after all others), offset of the argument.
   */
  readonly items: Int32Array;
  readonly imports: readonly ImportEntry[];
  readonly exports: readonly ExportEntry[];
  /** Java package; '' elsewhere. */
  readonly package: string;
  /** Whether the file is a module (TypeScript without import or export is a script whose names are global). */
  readonly isModule: boolean;
  /** Hash of the tokens of module level outside all blocks and imports. */
  readonly moduleHash: number;
  /** Spans that could not be parsed, pairs of offsets. */
  readonly errors: Int32Array;
  /** Why some of the text was not read; null where all was. */
  readonly unread: Unread | null;
  /** Dynamic constructs that hide references (`getattr`, `eval`, reflection): expression rows. */
  readonly dynamic: Int32Array;
  /** Ways through the statements (`paths.ts`): triples of kind, start, end. None in languages that do not say them. */
  readonly paths: Int32Array;

  /**
   * Index: expressions of ops name, member, initializer, string by name; `refs[refStart[n] .. refStart[n+1])` are those
   * of name `n`.
   */
  readonly refStart: Uint32Array;
  readonly refs: Uint32Array;
  /** Index: declarations sorted by (scope, name, row). */
  readonly declsByScope: Uint32Array;
  /** Index: declarations by name, as refStart and refs. */
  readonly declStart: Uint32Array;
  readonly declsByName: Uint32Array;
}

/** One argument of a call. */
export interface Argument {
  readonly expr: number;
  /** Keyword, or '' for a positional argument. */
  readonly keyword: string;
  readonly spread: 'none' | 'list' | 'keywords';
  /** Where the argument begins (its keyword, if any). */
  readonly start: number;
}

/** Marks a type argument among the arguments of a call. */
export const TYPE_ARGUMENT = -3;

/** Name of a cast row that only says what its value has to be. */
export const SATISFIES = 'satisfies';

/** `b` of a documentation row that writes an empty list of parameters. */
export const NO_PARAMETERS = -3;

/** Name of a cast that stands for a test. */
export const NARROWED = 'narrowed';

// For code that was written before there was a door; new code asks the door itself.

export const nameId = (summary: Summary, name: string): NameRow => summary.idOf(name);
export const nameOf = (summary: Summary, decl: DeclRow): string => summary.decls.nameOf(decl);
export const blockPath = (summary: Summary, decl: DeclRow): string => summary.decls.pathOf(decl);
export const argumentsOf = (summary: Summary, expr: ExprRow): Argument[] => summary.exprs.argumentsOf(expr);
export const declsInScope = (summary: Summary, scope: ScopeRow, name: NameRow): RowList<DeclRow> =>
  summary.decls.inScope(scope, name);
