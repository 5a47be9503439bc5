/**
 * What the handlers of C# pass on to each other: the function around, and what a type that was
 * just read says beyond its row.
 */
import type * as walk from '../../syntax/tree-walk.js';
import type { CSharpKind } from './kinds.js';

export type Walk = walk.TreeWalk<CSharpState>;
export type Handler = walk.Handler<CSharpState>;
export type Table = walk.Table<CSharpState, CSharpKind>;

/** The function whose body is being walked. */
interface Body {
  /** Its declaration, or that of the property; -1 for module code. */
  readonly decl: number;
  /** Rows that it returns or yields. */
  readonly returns: number[];
  /** Type that a target-typed `new()` in a return has; -1 if it must not be guessed. */
  readonly target: number;
}

export class CSharpState {
  body: Body = { decl: -1, returns: [], target: -1 };
  /** First type argument of the generic type that was read last; see `functionTarget`. */
  lastTypeArgument = -1;
  /** The function type that was read last: its return type's row and the list of its parameters' types. */
  lastFunction = { returns: -1, params: -1 };
  /** Types that the context gives to target-typed `new()` nodes. */
  readonly targets = new Map<number, number>();
}
