/**
 * What a block's text begins with, as one line: decorators, modifiers, name, parameters, result, bases.
 */
import { oneLine } from '../base/one-line.js';
import { D, type Summary } from '../syntax/summary.js';

/** Some five lines: parameters of nearly all functions fit. */
const HEAD_MOST = 400;

/** The head without its body; of a variable or field the whole declaration. Blanks are one space each. */
export function headOf(text: string, { decls }: Summary, decl: number): string {
  const kind = decls.kindOf(decl);
  const isWhole = kind >= D.field && kind <= D.variable && kind !== D.property;
  const end = isWhole ? decls.endOf(decl) : decls.bodyStartOf(decl);
  const head = oneLine(text.slice(decls.startOf(decl), end));
  const plain = head.replace(/\s*(?:\{|=>)$/, '');
  return plain.length > HEAD_MOST ? `${plain.slice(0, HEAD_MOST)}…` : plain;
}

/** In characters: a name with a handful of typed parameters. In a list of a hundred it makes some 6,000 tokens. */
const IN_LIST_MOST = 240;

/** A signature as a line of a list, cut where it is long. */
export const signatureInLine = (signature: string): string => oneLine(signature).slice(0, IN_LIST_MOST);
