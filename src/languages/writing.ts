/**
 * How a language spells what rewrites put into a text: keyword arguments, imports, stubs.
 *
 * Everything here is text in, text out; what a spelling means is checked afterwards by resolving
 * it, so a wrong candidate costs nothing but a refusal.
 */
import type { TextEdit } from '../base/text-edit.js';
import type { RepoView } from './language.js';

/** A file that imports, and the one that holds what it imports. */
export interface ImportRequest {
  readonly from: string;
  readonly target: string;
  /** Package or namespace of what is imported; '' where the language has none. */
  readonly space: string;
  /** Specifier as the file wrote it for the old place; its style is kept. Undefined where there was none. */
  readonly like: string | undefined;
  /** File that `like` meant. */
  readonly likeTarget: string | undefined;
  readonly repo: RepoView;
}

/** How a language with `async` functions writes them. */
export interface AsyncWriting {
  /** Types whose values `await` takes: a function that returns one counts as async without the keyword. */
  readonly awaitables: ReadonlySet<string>;
  /**
   * Where the keyword goes in a header; offsets are those in the header, -1 for no name or no written type. Undefined
   * where it cannot be told.
   */
  keywordAt(header: string, name: number, type: number): number | undefined;
  /** The written return type of a function that becomes async; undefined where the type is that of what is awaited. */
  readonly returnType: ((written: string) => string) | undefined;
  /** What a file must import for the new return type. */
  readonly space: string | undefined;
  /** Whether a decorator gets the function and may call it in its own way. */
  readonly decoratorsWrap: boolean;
  /** Whether statements outside of any function may await. */
  readonly awaitsAtTop: boolean;
  /** Whether a line that begins with a bracket goes on with the one before it. */
  readonly joinsLines: boolean;
  /** Members that callers of an async function ask its result for instead of awaiting it. */
  readonly resultMembers: ReadonlySet<string>;
  /** Functions that take an awaitable as it is. */
  readonly takers: ReadonlySet<string>;
  /** Functions of test runners that await what they are given. */
  readonly runners: ReadonlySet<string>;
  /** Decorators that hand the function on as it is. */
  readonly plainDecorators: ReadonlySet<string>;
  /**
   * Places where an async function may not await: told by the text in front of a block's brace, or by that of a
   * statement up to the place.
   */
  readonly barred: readonly { readonly reason: string; readonly block?: RegExp; readonly within: RegExp }[];
}

/** How a language whose headers say what is thrown writes that. */
export interface ThrowsWriting {
  /** Exceptions that a header declares, as written. */
  declared(header: string): readonly string[];
  /** What goes behind a header that declares `declared` of them, to declare others too. */
  addition(names: readonly string[], declared: number): string;
  /** What is above all that can be thrown. */
  readonly topmost: readonly string[];
  /** Whether an exception of the library need not be declared, as its name tells. */
  isUnchecked(name: string): boolean;
  /** Whether a type is an exception, as its name tells. */
  namesException(name: string): boolean;
  /** Whether a header says that the member overrides one. */
  isOverride(header: string): boolean;
  /** Simple names of what is caught around a place, in the body that begins at `from`. */
  caughtAround(text: string, from: number, at: number): readonly string[];
}

/** A member as it is written; offsets are those in the text. */
export interface MemberText {
  readonly text: string;
  readonly start: number;
  readonly name: number;
  readonly nameEnd: number;
  readonly end: number;
  /** Whether it is declared without a body. */
  readonly isBodiless: boolean;
}

/**
 * How a method without parameters is written as a property that is read, and back; undefined for a member that cannot
 * be.
 */
export interface PropertyWriting {
  fromMethod(member: MemberText): readonly TextEdit[] | undefined;
  toMethod(member: MemberText): readonly TextEdit[] | undefined;
}

/** A function's body, and what of it is seen from outside. */
export interface BodyText {
  /** As written, from where the header ends. */
  readonly text: string;
  /** Statements that declare fields of the class around it; the value is undefined where it goes over lines. */
  readonly fields: readonly { readonly head: string; readonly value: string | undefined }[];
  /** `return` statements that say what type the result has, where the header does not. */
  readonly results: readonly string[];
  /** What stands in front of it on its line, where that is blank. */
  readonly indent: string | undefined;
}

export type SetFrom = 'class' | 'subclasses' | 'construction';

export interface TypeNames {
  /** In front of a name, modules that say nothing: with them and without them it means the same type. */
  readonly modules: RegExp;
  /** Other names of the types there, each with the one that it is; one with its module counts before one without. */
  readonly synonyms: ReadonlyMap<string, string>;
}

export interface SourceWriting {
  /** Words that are no names. */
  readonly keywords: ReadonlySet<string>;
  /** The body of a function without what only runs; undefined where it has to stay as it is. */
  emptied(body: BodyText): string | undefined;
  /** Undefined in a language without such functions. */
  readonly async: AsyncWriting | undefined;
  /** Undefined in a language whose headers do not say what is thrown. */
  readonly throws: ThrowsWriting | undefined;
  /** What stands behind a type whose values may be none (`?`), where the type's own row leaves it out; else ''. */
  readonly orNone: '?' | '';
  /** Types that are written in several ways; undefined where each has one. */
  readonly typeNames: TypeNames | undefined;
  /** What a header says of a type parameter behind its parameters; undefined where a language says nothing there. */
  readonly constraintsIn: ((header: string, name: string) => string) | undefined;
  /** Whether the value of a variable or field is taken for exactly what is written: TypeScript's `as const`. */
  readonly isLiteral?: (declaration: string) => boolean;
  /**
   * From where a field or property may be set, by its text, where that is not from where it can be read;
   * `construction`: only where an object is made. Absent in a language whose fields say nothing of it.
   */
  readonly setFrom?: (member: string) => SetFrom | undefined;
  /** From where a property may be read, by its text, where that is fewer places than it says itself. */
  readonly readFrom?: (member: string) => Exclude<SetFrom, 'construction'> | undefined;
  /** Whether who makes an object has to give the field or property a value, by its text. */
  readonly mustBeGiven?: (member: string) => boolean;
  /** Decorators of constructors that give all such members a value. */
  readonly givesAll?: ReadonlySet<string>;
  /** Undefined in a language without properties. */
  readonly property: PropertyWriting | undefined;
  /** `name=value`; undefined where arguments have no keywords. */
  readonly keywordArgument: ((name: string, value: string) => string) | undefined;
  /** All values of the types that have few, as they are written, by the type's name in a summary. */
  readonly fewValues: ReadonlyMap<string, readonly string[]>;
  /**
   * A parameter with a default as a signature without a body has it, `type` '' where none is written; undefined where
   * it cannot be told. Absent where a default can stand there.
   */
  readonly bodilessDefault?: (name: string, type: string, value: string) => string | undefined;
  /** Type of the parameter that by convention stands behind all others; undefined where there is no such convention. */
  readonly lastParameter?: string;
  /** Names by which `from` can import the module, package or namespace of `target`, best first. */
  specifiers(request: ImportRequest): readonly string[];
  /** A statement that imports a name, in the style of one that the file has. */
  importStatement(specifier: string, name: string, alias: string | undefined, like: string | undefined): string;
  /** Whether the file has to import what is a type and nothing else as a type. Absent where no import says so. */
  readonly importsTypesAlone?: (file: string, repo: RepoView) => boolean;
  /** Whether a type stands in front of the name that it is for (Java, C#). */
  readonly typesFirst?: boolean;
  /** False where a parameter cannot have a default (Java). */
  readonly parameterDefaults?: boolean;
  /**
   * Begins behind the name of what is defined, and ends where its value says the name once more in a string: `T =
   * TypeVar("T")` (Python). Undefined for no such custom.
   */
  readonly namedInValue?: RegExp;
  /**
   * How a statement gives members or a base to what it names (JavaScript): `behind` matches from the name on, `before`
   * up to it. Undefined where members stand in the text of their class alone.
   */
  readonly givesMembers?: { readonly behind: RegExp; readonly before: RegExp };
  /** Whether a file is called like the public class at its top (Java). */
  readonly filesSpellClass?: boolean;
  /**
   * Beginning of the names of what the library has, which may be imported in front of all else; undefined for no such
   * custom.
   */
  readonly libraryFirst?: string;
  /**
   * The line above imports that only checkers run, with its condition as the first group; absent where there is no such
   * custom.
   */
  readonly checkersGuard?: RegExp;
  /** The import by which a file says that nobody evaluates its annotations. */
  readonly unevaluated?: { readonly module: string; readonly name: string };
  /** Whether one import statement can list several names of a module. */
  readonly listsNames: boolean;
  /**
   * A member that fails when it is called, from the header of the abstract one: its lines, a tab for
   * each level of indentation.
   */
  stub(header: string, name: string, inInterface: boolean): readonly string[];
  /** The header of an interface's member as an abstract class has to repeat it; undefined where it need not. */
  readonly repeatedMember?: (header: string) => string;
}
