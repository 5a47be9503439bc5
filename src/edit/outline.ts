/**
 * The blocks of a summary as a list, for comparing a file before and after an answer was merged.
 *
 * Fields that a method declares by assigning to them (`self.x = 1`), or a constructor by its
 * parameters, stand inside a function, and come and go with its statements. They count only when
 * such a field is itself the block that is edited.
 */
import { F, isBlockKind, isClassLike, isFieldLike, isFunctionLike, D, type Summary } from '../syntax/summary.js';

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
  /** Of a function with a body whose parameters tell it from others of its name: what no other may have; else ''. */
  readonly signature: string;
  readonly isBodiless: boolean;
  readonly isDecorated: boolean;
}

/** Blocks by position, without the fields that functions declare, but for `target`'s own name. */
export function outlineOf(text: string, summary: Summary, target: string): OutlineBlock[] {
  const { decls } = summary;
  const rows: number[] = [];
  for (let row = 0; row < decls.count; row++) {
    const kind = decls.kindOf(row);
    if (isBlockKind(kind) && kind !== D.namespace && !decls.has(row, F.reassigned)) rows.push(row);
  }
  rows.sort((x, y) => decls.startOf(x) - decls.startOf(y) || decls.endOf(y) - decls.endOf(x) || x - y);
  const around: number[] = [];
  const outline: OutlineBlock[] = [];
  for (const row of rows) {
    while (around.length > 0 && decls.endOf(around[around.length - 1] as number) < decls.endOf(row)) around.pop();
    const holder = around[around.length - 1];
    const declaredByUse =
      holder !== undefined &&
      holder !== decls.parentOf(row) &&
      isFieldLike(decls.kindOf(row)) &&
      isFunctionLike(decls.kindOf(holder));
    if (declaredByUse && summary.decls.pathOf(row) !== target) continue;
    around.push(row);
    const flags = decls.flagsOf(row);
    const path = decls.pathOf(row);
    const types = isFunctionLike(decls.kindOf(row)) ? parameterTypes(text, summary, row) : '';
    // Members of several interfaces, and conversions, may take the same.
    const isTold = types !== '' && (flags & (F.bodiless | F.explicit)) === 0 && !decls.nameOf(row).includes('(');
    outline.push({
      path,
      start: decls.startOf(row),
      end: decls.endOf(row),
      headerHash: decls.headerHashOf(row),
      bodyHash: decls.bodyHashOf(row),
      isClass: isClassLike(decls.kindOf(row)),
      isFunction: isFunctionLike(decls.kindOf(row)),
      parameterTypes: types,
      signature: isTold ? `${flags & F.static} ${path} ${types}` : '',
      isBodiless: (flags & F.bodiless) !== 0,
      isDecorated: decls.decoratorsOf(row).length > 0,
    });
  }
  return outline;
}

function parameterTypes(text: string, summary: Summary, row: number): string {
  const { decls, exprs } = summary;
  const types = [...decls.paramsOf(row)].map((param) => {
    const type = decls.typeOf(param);
    // A type that is no name (`int`) has no row: it stands in front of the parameter's.
    const written =
      type < 0
        ? text.slice(decls.startOf(param), decls.nameStartOf(param))
        : text.slice(exprs.startOf(type), exprs.endOf(type));
    return !decls.has(param, F.rest) ? written : `${written}...`;
  });
  return `${decls.typeParamsOf(row).length}(${types.join(',').replace(/\s+/g, '')})`;
}
