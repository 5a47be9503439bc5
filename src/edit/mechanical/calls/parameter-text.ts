/**
 * A parameter as it is written at another function than its own.
 *
 *     private readonly ttl: number     ->   ttl: number        the constructor makes a field of it
 *     string? country = null           ->   string? country    what follows must be given
 *     deep = true                      ->   deep?: boolean     a signature without a body has no default
 */
import type { Parameter } from '../../../graph/resolve/signature.js';
import type { SourceWriting } from '../../../languages/writing.js';
import { F, type Summary } from '../../../syntax/summary.js';

/** Without what makes a field of it as well. */
export function asPlainParameter({ decls, exprs }: Summary, { decl }: Parameter, written: string): string {
  const type = decls.typeOf(decl);
  const isNameFirst = type < 0 || exprs.startOf(type) > decls.nameStartOf(decl);
  return isNameFirst && decls.has(decl, F.parameterField)
    ? written.slice(decls.nameStartOf(decl) - decls.startOf(decl))
    : written;
}

/** `written`: from the start of the declaration. */
export function withoutDefault({ decls, exprs }: Summary, { decl }: Parameter, written: string): string {
  const value = decls.valueOf(decl);
  return value < 0
    ? written
    : written.slice(0, written.lastIndexOf('=', exprs.startOf(value) - decls.startOf(decl))).trimEnd();
}

/** For a signature without a body; undefined where the language cannot say there that it need not be given. */
export function inSignature(
  summary: Summary,
  param: Parameter,
  written: string,
  { bodilessDefault }: SourceWriting,
): string | undefined {
  if (bodilessDefault === undefined || summary.decls.valueOf(param.decl) < 0) return written;
  const head = withoutDefault(summary, param, written);
  return bodilessDefault(
    param.name,
    head.slice(param.name.length).replace(/^\s*:\s*/, ''),
    written.slice(head.length).replace(/^\s*=\s*/, ''),
  );
}
