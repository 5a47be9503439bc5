/**
 * What one file says, as everybody outside `syntax/` sees it: the door out.
 *
 *     text ─► tree ─► columns of numbers (syntax/ alone) ─► Source ─► all others
 *
 *     source.exprs    what an expression is, says, is made of and is part of (expressions.ts, parts.ts)
 *     source.decls    blocks, parameters, locals (declarations.ts)
 *     source.scopes   the chain of lexical scopes (scopes.ts)
 *
 * Rows are numbers, told apart by the compiler (rows.ts); no object a row is kept alive. Nobody but
 * `syntax/` and the codec of summaries looks at `columns`; the tidy test sees to it.
 */
import { Declarations } from './declarations.js';
import { Expressions } from './expressions.js';
import type { DeclRow, ExprRow, NameRow } from './rows.js';
import { openBodies, regionsOf, type Region } from './paths.js';
import { Scopes } from './scopes.js';
import {
  D,
  E,
  type ExportEntry,
  type ImportEntry,
  type LanguageId,
  type SummaryColumns,
  type Unread,
} from './summary.js';

export class Source {
  readonly language: LanguageId;
  /** Content hash of the text, hexadecimal. */
  readonly hash: string;
  readonly textLength: number;
  /** Offset of each line's first character. */
  readonly lineStarts: Uint32Array;
  /** Every identifier once, by its row. */
  readonly names: readonly string[];
  readonly scopes: Scopes;
  readonly decls: Declarations;
  readonly exprs: Expressions;
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
  private regions: Region | undefined;
  private open: ReadonlySet<number> | undefined;

  constructor(private readonly columns: SummaryColumns) {
    this.language = columns.language;
    this.hash = columns.hash;
    this.textLength = columns.textLength;
    this.lineStarts = columns.lineStarts;
    this.names = columns.names;
    this.scopes = new Scopes(columns.scopes);
    this.decls = new Declarations(columns);
    this.exprs = new Expressions(columns);
    this.imports = columns.imports;
    this.exports = columns.exports;
    this.package = columns.package;
    this.isModule = columns.isModule;
    this.moduleHash = columns.moduleHash;
    this.errors = columns.errors;
    this.unread = columns.unread;
    this.dynamic = columns.dynamic;
  }

  /** The numbers themselves, for the codec that writes them as bytes. */
  static columnsOf(source: Source): SummaryColumns {
    return source.columns;
  }

  /** The ways through its statements. */
  get paths(): Region {
    return (this.regions ??= regionsOf(this.columns.paths));
  }

  /** Whether a function returns a value on some ways through its body, and comes to its end on others. */
  isOpenAtEnd(decl: DeclRow): boolean {
    return (this.open ??= openBodies(this.columns.paths)).has(this.decls.bodyStartOf(decl));
  }

  /**
   * Row of an identifier, or -1 if the file never says it. Logarithmic: names are sorted but for the empty one at 0.
   */
  idOf(name: string): NameRow {
    const { names } = this;
    let low = 1;
    let high = names.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const at = names[middle] as string;
      if (at === name) return middle;
      if (at < name) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /**
   * The function without a block of its own that is named at a row: under a key of an object literal, in a class
   * without a name; undefined for none.
   */
  functionOfKey(row: ExprRow): DeclRow | undefined {
    if (this.exprs.opOf(row) !== E.initializer) return undefined;
    const start = this.exprs.startOf(row);
    const { decls } = this;
    for (let decl = 0; decl < decls.count; decl++)
      if (decls.nameStartOf(decl) === start && decls.kindOf(decl) === D.lambda) return decl;
    return undefined;
  }

  /** The same file as if it held no blocks: what one that is gone, or new, is compared with. */
  emptied(): Source {
    const { columns } = this;
    return new Source({ ...columns, decls: { ...columns.decls, count: 0 }, imports: [], hash: '' });
  }

  /** What its columns hold, names not counted. */
  get columnBytes(): number {
    const { scopes, decls, exprs } = this.columns;
    return [this.columns, scopes, decls, exprs].reduce((sum, table) => sum + bytesIn(table), 0);
  }
}

const bytesIn = (table: object): number =>
  Object.values(table).reduce<number>((sum, column) => sum + (ArrayBuffer.isView(column) ? column.byteLength : 0), 0);
