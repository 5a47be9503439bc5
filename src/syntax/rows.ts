/**
 * Numbers of rows, told apart by the compiler: a row of an expression, of a declaration and of a
 * scope are all numbers, and none of them goes where another is meant.
 *
 * A plain number (a counter of a loop, -1) is taken for any of them, so no cast makes one. In all
 * of them -1 stands for "none"; of a declaration it may also mean the module itself.
 */
declare const sort: unique symbol;

/** Row of an expression in its file. */
export type ExprRow = number & { readonly [sort]?: 'expression' };
/** Row of a declaration in its file. */
export type DeclRow = number & { readonly [sort]?: 'declaration' };
/** Row of a scope in its file; 0 is the module's. */
export type ScopeRow = number & { readonly [sort]?: 'scope' };
/** Row of an identifier in its file's table of names: equal within a file where the names are. */
export type NameRow = number & { readonly [sort]?: 'name' };

/** No row. */
export const NONE = -1;

/** Rows in order: a view on the file's own numbers, not a copy. */
export interface RowList<Row extends number> {
  readonly length: number;
  readonly [index: number]: Row;
  [Symbol.iterator](): IterableIterator<Row>;
  entries(): IterableIterator<[number, Row]>;
  some(test: (row: Row, index: number) => boolean): boolean;
  every(test: (row: Row, index: number) => boolean): boolean;
  find(test: (row: Row, index: number) => boolean): Row | undefined;
  findIndex(test: (row: Row, index: number) => boolean): number;
  filter(test: (row: Row, index: number) => boolean): RowList<Row>;
  forEach(visit: (row: Row, index: number) => void): void;
  indexOf(row: Row): number;
  includes(row: Row): boolean;
  at(index: number): Row | undefined;
}

/** A declaration in some file; decl -1 is the module itself. */
export interface DeclRef {
  readonly file: string;
  readonly decl: DeclRow;
}

/** An expression in some file. */
export interface RowRef {
  readonly file: string;
  readonly expr: ExprRow;
}

export const sameDecl = (a: DeclRef, b: DeclRef): boolean => a.decl === b.decl && a.file === b.file;

/** The declaration as a key of a map or a set: equal exactly where `sameDecl` holds. */
export const declKey = ({ file, decl }: DeclRef): string => `${file}\0${decl}`;
