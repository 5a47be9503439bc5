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

export interface SourceWriting {
  /** `name=value`; undefined where arguments have no keywords. */
  readonly keywordArgument: ((name: string, value: string) => string) | undefined;
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
