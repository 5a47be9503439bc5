/**
 * The blocks of a summary as a list, for comparing a file before and after an answer was merged.
 *
 * Fields that a method declares by assigning to them (`self.x = 1`), or a constructor by its
 * parameters, stand inside a function, and come and go with its statements. They count only when
 * such a field is itself the block that is edited.
 */
import {
  blockPath,
  F,
  isBlockKind,
  isClassLike,
  isFieldLike,
  isFunctionLike,
  D,
  listAt,
  type Summary,
} from '../syntax/summary.js';

export interface OutlineBlock {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly headerHash: number;
  readonly bodyHash: number;
  readonly isClass: boolean;
  readonly isFunction: boolean;
  /** Of a function: how many type parameters it has, and the types of its parameters as written. */
  readonly parameterTypes: string;
  readonly isBodiless: boolean;
  readonly isDecorated: boolean;
}

/** Blocks by position, without the fields that functions declare, but for `target`'s own name. */
export function outlineOf(text: string, summary: Summary, target: string): OutlineBlock[] {
  const { decls } = summary;
  const rows: number[] = [];
  for (let row = 0; row < decls.count; row++) {
    const kind = decls.kind[row] as number;
    if (isBlockKind(kind) && kind !== D.namespace && ((decls.flags[row] as number) & F.reassigned) === 0)
      rows.push(row);
  }
  rows.sort(
    (x, y) =>
      (decls.start[x] as number) - (decls.start[y] as number) ||
      (decls.end[y] as number) - (decls.end[x] as number) ||
      x - y,
  );
  const around: number[] = [];
  const outline: OutlineBlock[] = [];
  for (const row of rows) {
    while (around.length > 0 && (decls.end[around[around.length - 1] as number] as number) < (decls.end[row] as number))
      around.pop();
    const holder = around[around.length - 1];
    const declaredByUse =
      holder !== undefined &&
      holder !== decls.parent[row] &&
      isFieldLike(decls.kind[row] as number) &&
      isFunctionLike(decls.kind[holder] as number);
    if (declaredByUse && blockPath(summary, row) !== target) continue;
    around.push(row);
    const flags = decls.flags[row] as number;
    outline.push({
      path: blockPath(summary, row),
      start: decls.start[row] as number,
      end: decls.end[row] as number,
      headerHash: decls.headerHash[row] as number,
      bodyHash: decls.bodyHash[row] as number,
      isClass: isClassLike(decls.kind[row] as number),
      isFunction: isFunctionLike(decls.kind[row] as number),
      parameterTypes: isFunctionLike(decls.kind[row] as number) ? parameterTypes(text, summary, row) : '',
      isBodiless: (flags & F.bodiless) !== 0,
      isDecorated: (decls.decorators[row] as number) >= 0,
    });
  }
  return outline;
}

function parameterTypes(text: string, summary: Summary, row: number): string {
  const { decls, exprs } = summary;
  const types = [...listAt(summary, decls.params[row] as number)].map((param) => {
    const type = decls.type[param] as number;
    // A type that is no name (`int`) has no row: it stands in front of the parameter's.
    const written =
      type < 0
        ? text.slice(decls.start[param], decls.nameStart[param])
        : text.slice(exprs.start[type], exprs.end[type]);
    return ((decls.flags[param] as number) & F.rest) === 0 ? written : `${written}...`;
  });
  return `${listAt(summary, decls.typeParams[row] as number).length}(${types.join(',').replace(/\s+/g, '')})`;
}
