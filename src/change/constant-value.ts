/**
 * What a compiler knows the value of: what a case of a `switch`, an annotation or an attribute may say.
 */
import { languageById } from '../languages/registry.js';
import { E, F, type Summary } from '../syntax/summary.js';

/** Whether a variable or field is a constant: by a word, or as a final one with a value that is reckoned beforehand. */
export function isConstant(summary: Summary, decl: number): boolean {
  const { decls, language } = summary;
  return languageById(language).finalConstants
    ? decls.has(decl, F.final) && isReckoned(summary, decls.valueOf(decl))
    : decls.has(decl, F.const);
}

/** Literals, and what is reckoned of them; of a name it is taken for granted that it is a constant's. */
function isReckoned(summary: Summary, row: number): boolean {
  const { exprs } = summary;
  if (row < 0) return false;
  switch (exprs.opOf(row)) {
    case E.literal:
      return exprs.nameOf(row) !== 'null';
    case E.string:
    case E.name:
    case E.member:
      return true;
    case E.cast:
      return isReckoned(summary, exprs.operandOf(row));
    case E.operator: {
      const second = exprs.secondOf(row);
      return isReckoned(summary, exprs.operandOf(row)) && (second < 0 || isReckoned(summary, second));
    }
    case E.union:
      return [...exprs.partsOf(row)].every((part) => isReckoned(summary, part));
    default:
      return false;
  }
}
