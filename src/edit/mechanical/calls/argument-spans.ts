/**
 * Where each item of a comma-separated list stands in the text: the arguments of a call, the
 * parameters of a function. Comments and blanks around an item are not part of it.
 */
import { skipQuoted } from '../../../languages/quoted.js';
import { type Argument, type Summary } from '../../../syntax/summary.js';

export interface ArgumentSpan {
  readonly argument: Argument;
  readonly start: number;
  /** Behind the last character of the argument, blanks and comments after it left out. */
  readonly end: number;
}

/**
 * Spans of the arguments of a `call` or `new` row, in order. Undefined if the text does not look like an argument list.
 */
export function argumentSpans(summary: Summary, text: string, call: number): ArgumentSpan[] | undefined {
  const args = summary.exprs.argumentsOf(call);
  const callEnd = summary.exprs.endOf(call);
  const spans: ArgumentSpan[] = [];
  for (const [i, argument] of args.entries()) {
    const next = args[i + 1];
    const stop = next === undefined ? callEnd : next.start;
    const end = endOfItem(
      text,
      argument.start,
      stop,
      argument.expr < 0 ? argument.start : summary.exprs.endOf(argument.expr),
    );
    if (end === undefined) return undefined;
    spans.push({ argument, start: argument.start, end });
  }
  return spans;
}

export interface ItemSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Spans of the parameters that are written in a header, with their rows; receivers included. Undefined if they cannot
 * be told apart.
 */
export function parameterSpans(
  summary: Summary,
  text: string,
  decl: number,
): (ItemSpan & { readonly row: number })[] | undefined {
  const { decls } = summary;
  const rows = [...decls.paramsOf(decl)].filter((row) => decls.startOf(row) >= 0);
  const spans: (ItemSpan & { row: number })[] = [];
  for (const [i, row] of rows.entries()) {
    const start = decls.startOf(row);
    const next = rows[i + 1];
    const end = endOfItem(
      text,
      start,
      next === undefined ? decls.bodyStartOf(decl) : decls.startOf(next),
      endOfWritten(summary, row),
    );
    if (end === undefined) return undefined;
    spans.push({ row, start, end });
  }
  return spans;
}

/** A place in a parameter behind every comma of its type. */
function endOfWritten({ decls, exprs }: Summary, row: number): number {
  const [type, value] = [decls.typeOf(row), decls.valueOf(row)];
  return Math.max(decls.startOf(row), type < 0 ? -1 : exprs.endOf(type), value < 0 ? -1 : exprs.endOf(value));
}

/** Parameters as written, by row; undefined if they cannot be told apart. */
export function writtenParameters(
  summary: Summary,
  text: string | undefined,
  decl: number,
): ReadonlyMap<number, string> | undefined {
  const spans = text === undefined ? undefined : parameterSpans(summary, text, decl);
  return text === undefined || spans === undefined
    ? undefined
    : new Map(spans.map((span) => [span.row, text.slice(span.start, span.end)]));
}

/** Behind the bracket of an empty parameter list. */
export function behindBracket(summary: Summary, text: string, decl: number): number {
  const nameEnd = summary.decls.nameStartOf(decl) + summary.decls.nameOf(decl).length;
  return text.indexOf('(', nameEnd) + 1;
}

/**
 * End of the item of a comma-separated list that begins at `start`: before its comma, or the bracket that closes the
 * list. Commas before `within` are part of it: those of type arguments, `Map<string, number>`, stand in no bracket that
 * can be told from an operator.
 */
export function endOfItem(text: string, start: number, stop: number, within: number): number | undefined {
  let depth = 0;
  let end = start;
  for (let at = start; at < stop;) {
    const skipped = skipQuoted(text, at);
    if (skipped !== undefined) {
      if (!skipped.comment) end = skipped.to;
      at = skipped.to;
      continue;
    }
    const c = text[at] as string;
    if (depth === 0 && ((c === ',' && at >= within) || c === ')' || c === ']' || c === '}')) return end;
    if (c === '(' || c === '[' || c === '{') depth++;
    else if (c === ')' || c === ']' || c === '}') depth--;
    if (!/\s/.test(c)) end = at + 1;
    at++;
  }
  return depth === 0 ? end : undefined;
}
