/**
 * What a language is to the rest of the program: how its text becomes a summary, and the facts
 * with which the one resolver in `graph/` follows names. Shared code reads these declared
 * properties and never asks which language it has.
 */
import type { GrammarName, SecondReading } from '../syntax/grammar.js';
import type { FlatTree } from '../syntax/flat-tree.js';
import type { DeclRef } from '../syntax/rows.js';
import type { LanguageId, Summary } from '../syntax/summary.js';
import type { LibraryCalls } from './library-calls.js';
import type { SourceWriting } from './writing.js';

export type { DeclRef };

/** What a name or a module specifier can mean. */
export type Entity =
  | { readonly kind: 'decl'; readonly file: string; readonly decl: number }
  /** A file taken as a module object (Python, TypeScript). */
  | { readonly kind: 'module'; readonly file: string }
  /** A Java package, a C# namespace, a Python directory without `__init__.py`. */
  | { readonly kind: 'namespace'; readonly name: string }
  /** Known to come from outside the repository. */
  | { readonly kind: 'external'; readonly name: string };

/** The files of one snapshot, as far as resolution needs them. All paths are relative to the root, with `/`. */
export interface RepoView {
  summary(file: string): Summary | undefined;
  hasFile(file: string): boolean;
  /** Files (of any language) with this base name: `store.py`, `__init__.py`. */
  filesNamed(base: string): readonly string[];
  /** Files of the language that declare something of this name at any level. Sorted. */
  filesDeclaring(language: LanguageId, name: string): readonly string[];
  /**
   * Files of the language whose `package` is this (Java), or that declare this namespace or one below it (C#). Sorted.
   */
  filesInPackage(language: LanguageId, name: string): readonly string[];
  /** Files of the language. Sorted. */
  filesOf(language: LanguageId): readonly string[];
  /** Whether a directory holds files of any language, at any depth. */
  hasDirectory(dir: string): boolean;
  /** Text of a configuration file that the language asked for by `configFiles`, or undefined. */
  config(file: string): string | undefined;
  /** All configuration files of that base name, or with that ending (`*.csproj`). Sorted. */
  configsNamed(base: string): readonly string[];
  /** Remembers the value of `make` for this snapshot. */
  memo<T>(key: string, make: () => T): T;
  /**
   * As `memo`, for what follows from paths, packages, configuration files and the `global` imports
   * alone: it outlives edits that leave these as they are. `make` may use nothing else of a file.
   */
  memoOfPlaces<T>(key: string, make: () => T): T;
}

/**
 * The resolver as the language hooks see it.
 *
 * `exportsOf` follows re-exports. `member` looks a static or nested member up in a class.
 */
export interface NameLookup {
  readonly repo: RepoView;
  /**
   * What `name` means when imported from the module: through re-exports, barrels and star imports. Empty if nothing.
   */
  exported(file: string, name: string): readonly Entity[];
  /** Top-level declarations and import bindings of a name in a file. */
  topLevel(file: string, name: string): readonly Entity[];
  /** A member (or nested type) of a class, own or inherited. */
  member(type: DeclRef, name: string): readonly Entity[];
}

/** What a base from outside asks for. */
export interface Hooks {
  readonly required: ReadonlySet<string>;
  readonly own: ReadonlySet<string>;
}

/** How element types flow through containers and wrappers that the language's library defines. */
export interface LibraryTypes {
  /** Type names whose first argument is what iteration, indexing and the members in `elementMembers` give. */
  readonly sequences: ReadonlySet<string>;
  /** Type names with key and value arguments: indexing gives the value, iteration the key unless `iteratesPairs`. */
  readonly mappings: ReadonlySet<string>;
  /** Mappings whose values are reached as members, whatever the name: TypeScript's `Record`. */
  readonly records: ReadonlySet<string>;
  /** Type names that say nothing about the value: Python `Any`, C# `dynamic`. */
  readonly anyTypes: ReadonlySet<string>;
  /** Members that every object has. On a receiver of unknown type they are taken for those. */
  readonly objectMembers: ReadonlySet<string>;
  /** How many arguments functions among these take, where several of one name stand beside each other (Java, C#). */
  readonly objectCalls?: ReadonlyMap<string, readonly number[]>;
  /**
   * Members of strings, lists, mappings and the like. On a receiver of unknown type they are taken for those, unless
   * the file mentions a class that has one.
   */
  readonly commonMembers: ReadonlySet<string>;
  /** Iterating a mapping gives pairs (JavaScript, C#), not keys (Python). */
  readonly iteratesPairs: boolean;
  /**
   * Type names that hold one value and give it up to `await`, `with` or a member: `Optional`, `Promise`, `Task`,
   * `Awaitable`.
   */
  readonly wrappers: ReadonlySet<string>;
  /**
   * Interfaces of one function whose result is their last argument, with how many values it takes: `Function`,
   * `Supplier`; absent where a function type says its result.
   */
  readonly functions?: ReadonlyMap<string, number>;
  /** Types of functions that are told by their names alone, and have no type parameters: C# `Action`. */
  readonly delegates?: ReadonlySet<string>;
  /** Type names that mean any one of their arguments: Python `Union`, `Optional`; Kotlin-like helpers. */
  readonly unions: ReadonlySet<string>;
  /** The generic type that stands for what awaiting its argument gives: `Awaited`. */
  readonly awaitedType?: string;
  /** Generic types whose arguments are the members of a union that may have a name: Python `Union`, `Literal`. */
  readonly namedUnions: ReadonlySet<string>;
  /**
   * Generic types whose objects have some of the members of their first argument: `any` of them (`Partial`), those that
   * the second one names (`Pick`), or all `others` (`Omit`).
   */
  readonly parts: ReadonlyMap<string, 'any' | 'named' | 'others'>;
  /** Generic types that stand for some of what their first argument stands for, by a condition: `Extract`. */
  readonly selections: ReadonlySet<string>;
  /** Generic types that stand for what a call of their argument gives: `ReturnType`. */
  readonly results: ReadonlySet<string>;
  /** Generic types that stand for the list of their argument's parameters: `Parameters`. */
  readonly parameterLists: ReadonlySet<string>;
  /** The same of what a construction of their argument takes: `ConstructorParameters`. */
  readonly constructorParameterLists: ReadonlySet<string>;
  /** Type names whose arguments are the parts of a tuple: `Tuple`, `ValueTuple`. */
  readonly tuples: ReadonlySet<string>;
  /** Type names whose objects come apart into their arguments: `KeyValuePair`, `Map.Entry`. */
  readonly pairs: ReadonlySet<string>;
  /**
   * Exceptions from outside that callers must catch or declare (Java). Those of the repository are told by their bases.
   */
  readonly checkedExceptions: ReadonlySet<string>;
  /** Interfaces from outside whose one method may throw a checked exception, with the name of that (Java). */
  readonly throwingInterfaces: ReadonlyMap<string, string>;
  /** Members of interfaces and exceptions from outside that many classes derive from, by the name of these. */
  readonly interfaceMembers: ReadonlyMap<string, ReadonlySet<string>>;
  /**
   * Members that classes and interfaces from outside ask of what is below them, by the name of these, where no word
   * says that a member stands for one: those that have to be written, and those of which the base has its own.
   */
  readonly hooks: ReadonlyMap<string, Hooks>;
  /** Names of such members that need not be written: they have a body in the interface. */
  readonly defaultMembers: ReadonlySet<string>;
  /** Types of the library to which nothing adds members, with the names of all that they have. */
  readonly closedTypes: ReadonlyMap<string, ReadonlySet<string>>;
  /** Members that give the first part of a pair: `Key`, `getKey`. */
  readonly pairKeys: ReadonlySet<string>;
  /** Members that give the second part of a pair: `Value`, `getValue`. */
  readonly pairValues: ReadonlySet<string>;
  /** Base classes that make class attributes members of an enumeration: Python `Enum`. */
  readonly enumBases: ReadonlySet<string>;
  /** Bases from outside that bring no fields into a data class: Python `NamedTuple`, `Generic`. */
  readonly fieldlessBases: ReadonlySet<string>;
  /** What classes are called whose objects can be thrown; undefined where anything can. */
  readonly exceptions: RegExp | undefined;
  /** Bases from outside whose objects come apart into their fields: Python `NamedTuple`. */
  readonly tupleBases: ReadonlySet<string>;
  /** Functions that give their first argument, with the others given to it already (Python `partial`). */
  readonly binders: ReadonlySet<string>;
  /** Functions of the language that take what they are given by its name alone: C# `nameof`. */
  readonly namingFunctions: ReadonlySet<string>;
  /** Functions of the language, with a word for what their calls give: that for a literal of it. */
  readonly conversions: ReadonlyMap<string, string>;
  /** The base of all classes: to write it adds nothing. */
  readonly rootBases: ReadonlySet<string>;
  /** Classes whose objects are mappings with their fields as keys: bases that make them so, members that take a key. */
  readonly keyed: { readonly bases: ReadonlySet<string>; readonly members: ReadonlySet<string> };
  /** Type names whose argument is a class object: Python `Type`/`type`, Java `Class`. */
  readonly classObjects: ReadonlySet<string>;
  /** Members of sequences and wrappers whose result is an element: `pop`, `get`, `First`. */
  readonly elementMembers: ReadonlySet<string>;
  /** Members whose result has the same type as the receiver: `filter`, `Where`, `stream`, `copy`. */
  readonly sameMembers: ReadonlySet<string>;
  /** Of these two those that give what passes a test, which may say the type of what passes: `filter`, `find`. */
  readonly testingMembers: ReadonlySet<string>;
  /** Members of mappings whose result is a sequence of the values, of the keys, of pairs. */
  readonly valueViews: ReadonlySet<string>;
  readonly keyViews: ReadonlySet<string>;
  readonly pairViews: ReadonlySet<string>;
  /** Members whose result holds elements of the type argument that the call writes: C# `OfType<T>`. */
  readonly typedSequences: ReadonlySet<string>;
  /** Types of components, whose first type argument is what their attributes make up: React's `FC`, `Component`. */
  readonly components: ReadonlySet<string>;
  /** What generic functions give, by their signatures. */
  readonly calls: LibraryCalls;
  /** Members that give an object of the type argument that the call writes: C# `GetRequiredService<T>`. */
  readonly typedMakers: ReadonlySet<string>;
  /**
   * Members of containers whose last argument becomes an entry, and those whose argument's entries do: `append`,
   * `update`.
   */
  readonly addingMembers: ReadonlySet<string>;
  readonly mergingMembers: ReadonlySet<string>;
  /** What members of lists and mappings do to their places and keys; asked where a language follows values. */
  readonly containerChanges: ReadonlyMap<string, ContainerChange>;
  /** Members that call their function argument with an element as its parameter: `map`, `forEach`, `Select`. */
  readonly callbackMembers: ReadonlySet<string>;
  /** Members whose result holds what their function argument returns: `map`, `Select`. */
  readonly mappingMembers: ReadonlySet<string>;
  /**
   * Members that call their function argument with an element as its second parameter: `reduce`, `sort`, `Aggregate`.
   */
  readonly foldMembers: ReadonlySet<string>;
}

/**
 * What a member of a list or mapping does to its contents: puts its last argument at the end, at the beginning, or at
 * the place that its first one says; puts all that its argument holds in; takes an entry out, at a place or key (of a
 * list without one the last) or the first one; gives the entry of a key, and puts its second argument there if there is
 * none; turns the order around; takes all out; or leaves all as it is.
 */
export type ContainerChange =
  'last' | 'first' | 'at' | 'all' | 'take' | 'take first' | 'default' | 'reverse' | 'clear' | 'none';

export interface Injection {
  /** Name of the decorator of the functions that give a value. */
  readonly decorator: string;
  /** Names of the functions that are given values, besides those themselves. */
  readonly into: RegExp;
  /** Names of functions that ask for a value by a string. */
  readonly askedBy: ReadonlySet<string>;
  /** Files whose functions can be meant in a file, the nearest first. */
  sources(file: string): readonly string[];
}

/** Types that a language has of its own, by their names in code: numbers, characters, truth values, texts. */
export interface BasicTypes {
  /** Other names of them: of what a literal is called, and of the library's class. */
  readonly aliases: ReadonlyMap<string, string>;
  /** What a value of each is converted to without a word, the nearest first. */
  readonly conversions: ReadonlyMap<string, readonly string[]>;
  /** Types that a number that is written out may be given for, though a variable of its type may not. */
  readonly constants: { readonly from: string; readonly to: ReadonlySet<string> };
  /** The types in which numbers are reckoned, the narrowest first. */
  readonly ranks: readonly string[];
  /** Types of numbers that are reckoned in the first of these. */
  readonly small: ReadonlySet<string>;
  /** Classes that hold one number each, with the type of it. */
  readonly boxes: ReadonlyMap<string, string>;
  readonly truth: string;
  readonly text: string;
}

/** From where a declaration can be used, the nearest first. `class`: within the outermost class around it. */
export type Reach = 'class' | 'subclasses' | 'package' | 'package and subclasses' | 'everywhere';

export interface Language {
  readonly id: LanguageId;
  /** With the dot, lower case. */
  readonly extensions: readonly string[];
  grammarFor(file: string): GrammarName;
  /**
   * The text as the parser should read it, where the grammar falls short of the language (C#): of
   * the same length, so that offsets agree. The tree still holds the text itself.
   */
  readonly parserText?: (text: string) => string;
  /** For a text in which the parser found errors; it counts if it has fewer. */
  readonly secondReading?: SecondReading;
  /**
   * Pure function of the tree and the file's grammar, which is not the tree's where a second reading is by another.
   * Broken text is data: extract what can be.
   */
  extract(tree: FlatTree, grammar: GrammarName): Summary;

  /** Base names (or `*.ext`) of configuration files that resolution reads: `tsconfig.json`. */
  readonly configFiles: readonly string[];
  /** What of such a file says where modules are, without the rest; absent where none does. Undefined for nothing. */
  readonly placingSettings?: (text: string) => string | undefined;

  /** Whether documentation is the string that a body begins with (Python); elsewhere it is the comment above. */
  readonly docstrings: boolean;
  /** Whether a bare name inside a class means its member, own or inherited (Java, C#). */
  readonly bareMembers: boolean;
  /**
   * Whether an object of a class has what its interfaces give, by itself; elsewhere it is seen through the interface
   * alone (C#).
   */
  readonly interfacesLend: boolean;
  /** Whether a type that inherits two bodies for one signature, or two results, has to say which it means (Java). */
  readonly basesClash: boolean;
  /** Whether a static method can be called on an object (Python, Java). */
  readonly staticsOnObjects: boolean;
  /** Whether code right in a class body sees the class's own names bare (Python); bodies of its methods do not. */
  readonly classBodyNames: boolean;
  /**
   * Roles in which a name is always a type's, never that of a variable or member that is called the same (Java and C#:
   * `Store Store`).
   */
  readonly typesOnlyRoles: ReadonlySet<number>;
  /** Whether a name that is called is never a variable, and one that is read never a method (Java). */
  readonly methodsApart: boolean;
  /**
   * Whether a local variable is seen only behind its declaration (Java); elsewhere its name means it in the whole
   * block.
   */
  readonly localsFromDeclaration: boolean;
  /** Roles in which type arguments stand behind the name of a generic type. */
  readonly typeArgumentRoles: ReadonlySet<number>;
  /** Whether a generic type may be named without its arguments all the same (Java: such a type is raw). */
  readonly rawTypes: boolean;
  /**
   * Types that a literal may have, boxed and more general ones included; absent where other types take one as well, by
   * conversion or structure.
   */
  readonly literalTypes?: ReadonlySet<string>;
  /** The types of its own that tell overloads apart (Java, C#). */
  readonly basicTypes?: BasicTypes;
  /** Whether `+` beside a text takes any value, by what it is written as. Not in Python. */
  readonly joinsTexts: boolean;
  /** Whether blocks are told by indentation (Python). */
  readonly offside: boolean;
  /** Whether functions of one name with different parameters are different functions (Java, C#). */
  readonly overloads: boolean;
  /**
   * Whether what a parameter gathers may be given as a whole, as one array and by the parameter's name (Java, C#): in
   * JLS 15.12.2 by phases, in C#'s specification (12.6.4.2) the normal form beside the expanded one.
   */
  readonly gathersWhole: boolean;
  /** Whether types of one name with different numbers of type parameters are different types (C#). */
  readonly arityInNames: boolean;
  /** Whether the type arguments of a call follow from its arguments alone, never from where its result goes. */
  readonly infersFromArguments: boolean;
  /**
   * Whether a call that leaves an argument out gives what the declaration that it names has by default, and not what
   * the override that runs has (C#).
   */
  readonly defaultsOfCalled: boolean;
  /** Whether an attribute is an object that its arguments construct (C#). */
  readonly attributesConstruct: boolean;
  /**
   * Whether a pattern that takes an object apart by place must take all its parts; else the first ones will do
   * (Python).
   */
  readonly patternsTakeAll: boolean;
  /** Whether an assignment that takes a value apart must take all its parts (Python, C#). */
  readonly unpacksWhole: boolean;
  /**
   * Whether a static member may be meant on a value of unknown type: one that is an object, or, where classes are
   * values, a class. Not in C#.
   */
  readonly staticsOnValues: boolean;
  /** The name of a signature by which what is given for a type makes objects (TypeScript's `new ()`). */
  readonly constructSignature?: string;
  /** Whether calling a class makes an instance (Python; in JavaScript functions that are classes). */
  readonly callableClasses: boolean;
  /** Whether imports name files as modules (Python, TypeScript), not packages, namespaces and types. */
  readonly importsFiles: boolean;
  /** Whether what a file imports can be imported from it, without a word about that. */
  readonly importsAreOffered: boolean;
  /** Name, without its ending, of the file that an import of its folder means: `__init__`, `index`. */
  readonly folderFile?: string;
  /** The file beside one that declares the same things, without bodies or with them: `a.pyi` of `a.py`, and back. */
  readonly stubTwin?: (file: string) => string;
  /** Whether a file declares what another one defines. */
  readonly isStub?: (file: string) => boolean;
  /**
   * Files that an import of a file runs before it, the outermost first (Python: the packages that it is in); what comes
   * round to one of them finds names that are not there yet. Undefined where an import runs nothing.
   */
  readonly runBefore: ((file: string, repo: RepoView) => readonly string[]) | undefined;
  /** Whether what a decorator gives takes the place of the function (Python). */
  readonly decoratorsReplace: boolean;
  /**
   * How many arguments a decorator without a call may be given, the fewest first, by the kind of what it decorates;
   * undefined where decorators are no functions.
   */
  readonly decoratorGives?: (kind: number) => readonly number[];
  /** Names of decorators that leave how a function is called as it is, or whose effect is known otherwise. */
  readonly plainDecorators: ReadonlySet<string>;
  /** Functions that make a class and give it, by their names: Python `namedtuple`. */
  readonly classMakers?: ReadonlySet<string>;
  /** Whether decorators and defaults run where the function is defined, not when it is called (Python). */
  readonly headersRunOutside: boolean;
  /** Whether a class that is `static` is one that nobody makes objects of or derives from. */
  readonly staticClasses: boolean;
  /**
   * Whether what is private may be used in the whole of the outermost class around it (Java); elsewhere in its own
   * class alone, with those inside of that.
   */
  readonly privateToOutermost: boolean;
  /**
   * Whether the value that a field is declared with may be reckoned from the object that is made (Java, TypeScript).
   */
  readonly initializersSeeObject: boolean;
  /** Whether a nested class that is not static is made on an object of the class around it (Java). */
  readonly innerClasses: boolean;
  /** Whether a final field with a value may be asked for as a constant (Java). */
  readonly finalConstants: boolean;
  /**
   * Whether classes and interfaces are derived from by different words: always; for a class that becomes an interface
   * alone, since both may be implemented; never.
   */
  readonly basesApart: 'always' | 'from classes' | 'never';
  /** Whether values are followed where no type is declared (Python); elsewhere nearly all parameters have one. */
  readonly followsValues: boolean;
  /** Whether code that does not fit its types is never run: not in Python, where types are notes. */
  readonly checksTypes: boolean;
  /** Whether any object with the members satisfies an interface (TypeScript, Python protocols). */
  readonly structural: boolean;
  /** Whether a component of a record is read by a call of its name (Java). */
  readonly componentsAreCalled: boolean;
  /** Whether a member without an instance is reached through one as well, and an override of it with it (Python). */
  readonly instancesHaveStatics: boolean;
  /** Whether a class may use members of its objects that only classes below it have: mixins (Python). */
  readonly leavesMembersBelow: boolean;
  /** Whether summaries say the ways through statements, so that the order of assignments counts. */
  readonly ordersAssignments: boolean;
  /** Name of the constructor's declaration: `__init__`, `constructor`, `<init>`. */
  readonly constructorName: string;
  /** Whether a constructor is declared by the name of its class (Java, C#). */
  readonly constructorsSpellClass: boolean;
  /** Names of other members of a class that are declared by its name: a static constructor, a finaliser (C#). */
  readonly namedAsClass?: (name: string) => readonly string[];
  /** Further members that take what a call of the class gives: Python `__new__`. */
  readonly implicitConstructors: readonly string[];
  /** Members that run behind a constructor that was made, and take nothing of the call: Python `__post_init__`. */
  readonly runBehindConstructor: readonly string[];
  /** Member that calls the function which a value of a function type is (C# `Invoke`). */
  readonly runsDelegate: string | undefined;
  /**
   * Member that making an object of a value means: TypeScript's construct signature; undefined where only classes make
   * objects.
   */
  readonly constructMember?: string;
  /** Member that a call of an instance means: Python `__call__`. */
  readonly callMember: string | undefined;
  /** Whether a function may be given where an interface with one method is expected (Java). */
  readonly functionsForInterfaces: boolean;
  /**
   * How a class loses the hash of its objects: the member that gives the hash, the one that says what is equal and
   * takes the hash away where it stands alone, the decorator of data classes, which are compared, and members of
   * mappings and sets that take a key.
   */
  readonly hashing?: {
    readonly hash: string;
    readonly equal: string;
    readonly data: string;
    readonly members: ReadonlySet<string>;
  };
  /** An abstract class can be made as long as none of its members is abstract (Python). */
  readonly abstractByMembers?: true;
  /** Types of the names of a type's members (TypeScript `keyof`): a string may stand for such a name. */
  readonly keyTypes?: true;
  /** The member of a class that gives a new object of the class that it is given (Python `__new__`). */
  readonly allocator?: string;
  /** The function of a module that is asked for names which the module does not bind (Python `__getattr__`). */
  readonly nameMaker?: string;
  /** The operator that makes a type of two classes, objects of which are those of either (Python `|`). */
  readonly unitingOperator?: string;
  /**
   * Members that syntax calls, by operator as in `operator` rows or by construct: `+` to `__add__`, `with` to
   * `__enter__` and `__exit__`, `for`, `index`, `async for`.
   */
  readonly operatorMembers: Readonly<Record<string, readonly string[]>>;
  /** The member whose value says which attributes the places of a class pattern stand for: Python `__match_args__`. */
  readonly patternMember?: string;
  /** The member whose value says all fields that objects have a place for: Python `__slots__`. */
  readonly slotsMember?: string;
  /** Members that code runs where no row says so, conversions that nobody writes among them. Nothing leads there. */
  readonly unseenMembers?: ReadonlySet<string>;
  /** Members that functions of the language itself call on what they are given first: Python `len` to `__len__`. */
  readonly functionMembers: ReadonlyMap<string, readonly string[]>;
  /** Members of an object in the body of a class that reading, or setting, its name on an object calls. */
  readonly descriptorMembers?: { readonly read: string; readonly write: string };
  /** Of the members that iteration runs, those that an iterator gives its elements by: Python `__next__`. */
  readonly iteratorSteps: readonly string[];
  readonly library: LibraryTypes;

  /**
   * The module that a specifier as written in `from` means: one entity; empty when it could be in the repository but is
   * not found.
   */
  resolveModule(specifier: string, from: string, lookup: NameLookup): readonly Entity[];
  /**
   * Files that packages of the repository hand to those who name them; absent where every file is for everybody.
   * Sorted.
   */
  readonly entryFiles?: (repo: RepoView) => readonly string[];
  /** Whether the build lets one file's code name what another holds (C#); undefined where all can be named. */
  readonly canName?: (from: string, target: string, repo: RepoView) => boolean;
  /** What the default is of a file that says none: the module as a whole (CommonJS). Absent where none has one. */
  readonly ownDefault?: (file: string, lookup: NameLookup) => readonly Entity[];
  /** A submodule reached as a member of a package's module (Python); undefined where modules have none. */
  readonly submodule?: (module: string, name: string, lookup: NameLookup) => readonly Entity[];
  /** The file that declares what a module makes only when it runs: Python's stub beside it. */
  readonly stubOf?: (module: string, repo: RepoView) => string | undefined;
  /** How generators name the accessors that they make of a field, and back: both name all that are customary (Java). */
  readonly madeAccessors?: {
    fieldsOf(accessor: string): readonly string[];
    accessorsOf(field: string): readonly string[];
  };
  /** How a framework fills in parameters by their name, from functions with a certain decorator (pytest's fixtures). */
  readonly injection?: Injection;
  /** Other spellings under which an attribute or annotation may be declared: C# `FooAttribute` for `[Foo]`. */
  readonly decoratorNames?: (name: string) => readonly string[];
  /**
   * The other way: how a declaration's name may be spelled where it is a decorator, besides in full; undefined for no
   * other way.
   */
  readonly decoratorSpelling?: (declared: string) => string | undefined;
  /**
   * What a bare name means that no enclosing scope of `from` declares: star imports, the same
   * package, enclosing namespaces and usings, ambient globals. `scope` is the scope of the use.
   * `external` for a builtin of the language or its prelude (`len`, `String`, `console`);
   * empty if nothing is known.
   */
  ambient(name: string, from: string, scope: number, lookup: NameLookup): readonly Entity[];
  /** Whether the language or its platform gives the name to every file, without an import. */
  isBuiltin(name: string): boolean;
  /**
   * Linear order in which a class's bases are searched, nearest first, without the class itself; bases are given
   * resolved, in order.
   */
  baseOrder(type: DeclRef, basesOf: (type: DeclRef) => readonly DeclRef[]): readonly DeclRef[];
  /**
   * Whether the name is private by the language's rules or convention, so that only the class (or module) itself uses
   * it.
   */
  isPrivate(name: string, flags: number): boolean;
  /**
   * From where the language lets a declaration with these flags be used. `owner`: kind of the class that declares it,
   * or undefined.
   */
  reach(flags: number, owner: number | undefined): Reach;
  /**
   * Bits of which a declaration has one if code of other packages can name it, but for members of interfaces and of
   * enumerations; absent where that is said otherwise, or not at all.
   */
  readonly publishedBy?: number;
  /** Whether the header of what is public may say only types that are public too. */
  readonly publishesWhole?: boolean;
  /**
   * Names that by convention are those of interfaces, where overriding a member of any other type takes a keyword (C#);
   * undefined where either cannot be told.
   */
  readonly interfaceName?: RegExp;
  /** Whether an override may take fewer parameters than what it overrides (TypeScript). */
  readonly overridesTakeFewer: boolean;
  /** Whether a method may be overridden where it says so alone (C# `virtual`). */
  readonly overridesAreSaid: boolean;
  /** How rewrites spell what they put in. */
  readonly writing: SourceWriting;
}
