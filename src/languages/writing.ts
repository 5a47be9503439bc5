/**
 * How a language spells what rewrites put into a text: keyword arguments, imports, stubs.
 *
 * Everything here is text in, text out; what a spelling means is checked afterwards by resolving
 * it, so a wrong candidate costs nothing but a refusal.
 */
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
  /** Where the keyword goes in a header; offsets are those in the header, -1 for no name or no written type. Undefined where it cannot be told. */
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
  /** Places where an async function may not await: told by the text in front of a block's brace, or by that of a statement up to the place. */
  readonly barred: readonly { readonly reason: string; readonly block?: RegExp; readonly within: RegExp }[];
}

export interface SourceWriting {
  /** Undefined in a language without such functions. */
  readonly async: AsyncWriting | undefined;
  /** `name=value`; undefined where arguments have no keywords. */
  readonly keywordArgument: ((name: string, value: string) => string) | undefined;
  /** All values of the types that have few, as they are written, by the type's name in a summary. */
  readonly fewValues: ReadonlyMap<string, readonly string[]>;
  /** A parameter with a default as a signature without a body has it, `type` '' where none is written; undefined where it cannot be told. Absent where a default can stand there. */
  readonly bodilessDefault?: (name: string, type: string, value: string) => string | undefined;
  /** Type of the parameter that by convention stands behind all others; undefined where there is no such convention. */
  readonly lastParameter?: string;
  /** Names by which `from` can import the module, package or namespace of `target`, best first. */
  specifiers(request: ImportRequest): readonly string[];
  /** A statement that imports a name, in the style of one that the file has. */
  importStatement(specifier: string, name: string, alias: string | undefined, like: string | undefined): string;
  /** Whether one import statement can list several names of a module. */
  readonly listsNames: boolean;
  /**
   * A member that fails when it is called, from the header of the abstract one: its lines, a tab for
   * each level of indentation.
   */
  stub(header: string, name: string, inInterface: boolean): readonly string[];
}
