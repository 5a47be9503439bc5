/**
 * The lexical scopes of one file as others see them: the chain that names are looked up in.
 */
import type { DeclRow, ScopeRow } from './rows.js';
import type { ScopeColumns } from './summary.js';

export class Scopes {
  readonly count: number;
  private readonly kind: Uint8Array;
  private readonly parent: Int32Array;
  private readonly owner: Int32Array;
  private readonly block: Int32Array;

  constructor({ count, kind, parent, owner, block }: ScopeColumns) {
    this.count = count;
    this.kind = kind;
    this.parent = parent;
    this.owner = owner;
    this.block = block;
  }

  /** One of {@link S}. */
  kindOf(scope: ScopeRow): number {
    return this.kind[scope] as number;
  }
  /** The scope around it; -1 for the module's, which is row 0. */
  parentOf(scope: ScopeRow): ScopeRow {
    return this.parent[scope] as number;
  }
  /**
   * The class, function, lambda or namespace whose scope it is, else that of the nearest one around it; -1 for the
   * module.
   */
  ownerOf(scope: ScopeRow): DeclRow {
    return this.owner[scope] as number;
  }
  /** The innermost block that text in it belongs to; -1: the module. */
  blockOf(scope: ScopeRow): DeclRow {
    return this.block[scope] as number;
  }
}
