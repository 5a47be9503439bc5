/**
 * What a block's text begins with, as one line: decorators, modifiers, name, parameters, result, bases.
 */
import { D, type Summary } from '../syntax/summary.js';

const HEAD_MOST = 400;

/** The head without its body; of a variable or field the whole declaration. Blanks are one space each. */
export function headOf(text: string, { decls }: Summary, decl: number): string {
  const kind = decls.kindOf(decl);
  const isWhole = kind >= D.field && kind <= D.variable && kind !== D.property;
  const end = isWhole ? decls.endOf(decl) : decls.bodyStartOf(decl);
  const head = text.slice(decls.startOf(decl), end).replace(/\s+/g, ' ').trim();
  const plain = head.replace(/\s*(?:\{|=>)$/, '');
  return plain.length > HEAD_MOST ? `${plain.slice(0, HEAD_MOST)}…` : plain;
}
