/**
 * What tests say of values where no declaration can: `if (request.error instanceof Denied)`,
 * `if isinstance(self.job, Timed)`, and in TypeScript names behind `if (!(x instanceof A)) return`.
 *
 * A member is no declaration of the file, and the rest of a block is no scope of its own: so where
 * the path is read again as a receiver, extraction puts a cast around it. An assignment to the path
 * ends it, and a declaration of its first name hides it.
 */

/** Deepest path that is followed: `a.b.c.d`. */
const PATH = /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.#?[\p{L}_$][\p{L}\p{N}_$]*){1,3}$/u;

/** Whether a text is a path of members: `a.b`. */
export const isPath = (text: string): boolean => PATH.test(text);

export interface NarrowedScopes {
  parentOf(scope: number): number;
  /** Whether the first name of a path means something else in the scope than around it. */
  hides(scope: number, name: string): boolean;
}

export class NarrowedPaths {
  private readonly types = new Map<string, Map<number, number>>();

  constructor(private readonly scopes: NarrowedScopes) {}

  get isEmpty(): boolean {
    return this.types.size === 0;
  }

  /** From here on, in the scope and those in it. `type`: the row that names the class. */
  narrow(path: string, scope: number, type: number): void {
    const known = this.types.get(path);
    if (known === undefined) this.types.set(path, new Map([[scope, type]]));
    else known.set(scope, type);
  }

  /** The row of the class that the path has in the scope, or -1. */
  typeOf(path: string, scope: number): number {
    const known = this.types.get(path);
    if (known === undefined || known.size === 0) return -1;
    const dot = path.indexOf('.');
    const first = dot < 0 ? path : path.slice(0, dot);
    for (let s = scope; s >= 0; s = this.scopes.parentOf(s)) {
      const type = known.get(s);
      if (type !== undefined) return type;
      if (this.scopes.hides(s, first)) return -1;
    }
    return -1;
  }

  end(path: string, scope: number): void {
    const known = this.types.get(path);
    if (known !== undefined) for (let s = scope; s >= 0; s = this.scopes.parentOf(s)) known.delete(s);
  }
}
