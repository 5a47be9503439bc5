/**
 * Types as they are written, as sets of alternatives: `str | None`, `Optional[str]`, `Union[str, None]`, `string?`.
 */
import type { TypeNames } from '../languages/writing.js';
import type { Summary } from '../syntax/summary.js';

/** A type in one spelling, the same for `List[Optional[int]]` and `list[int | None]` where `List` is the library's. */
export const spelled = (type: string, summary: Summary, names: TypeNames): string =>
  [...new Set(alternativesOf(type).map((each) => spelledPart(each, summary, names)))].sort().join('|');

function spelledPart(type: string, summary: Summary, names: TypeNames): string {
  const { head = type, inside } = /^(?<head>[\w.]*)\[(?<inside>[^]+)\]$/u.exec(type)?.groups ?? {};
  const name = inLibrary(head, summary, names);
  return inside === undefined
    ? name
    : `${name}[${splitAt(inside, ',')
        .map((part) => spelled(part, summary, names))
        .join()}]`;
}

/** A name of the library by its one spelling; any other as it is, which may be a class of one's own. */
function inLibrary(head: string, { imports, decls }: Summary, { modules, synonyms }: TypeNames): string {
  const entry = head.includes('.')
    ? undefined
    : imports.find(({ kind, decl }) => kind === 'name' && decl >= 0 && decls.nameOf(decl) === head);
  const full = entry === undefined ? head : `${entry.module}.${entry.name}`;
  const bare = full.replace(modules, '');
  if (bare === full) return head;
  return synonyms.get(full) ?? synonyms.get(bare) ?? `typing.${bare}`;
}

/**
 * Whether each value of the one type is one of the other as well, as far as their texts tell, and what is known of two
 * types that read differently. A type that is not written says nothing: it is part of each, and each is part of it.
 */
export function isPartOf(
  part: string,
  whole: string,
  isBelow: (type: string, base: string) => boolean = () => false,
): boolean {
  if (part === '' || whole === '') return true;
  const alternatives = alternativesOf(whole);
  return (
    EVERYTHING.test(whole) ||
    alternativesOf(part).every((each) => alternatives.some((other) => other === each || isBelow(each, other)))
  );
}

const EVERYTHING = /^(?:(?:typing\.|t\.)?Any|any|unknown|object|dynamic)$/u;

/** Around a type that may be missing, and around several. */
const WRAPPED = /^(?:[\w.]*\.)?(?<kind>Optional|Union)\[(?<inside>[^]*)\]$/u;

function alternativesOf(text: string): string[] {
  const type = text.trim().replace(/^(["'])([^]*)\1$/u, '$2');
  const parts = splitAt(type, '|');
  if (parts.length > 1) return parts.flatMap(alternativesOf);
  const { kind, inside = '' } = WRAPPED.exec(type)?.groups ?? {};
  if (kind === 'Optional') return [...alternativesOf(inside), 'None'];
  if (kind === 'Union') return splitAt(inside, ',').flatMap(alternativesOf);
  return type.endsWith('?') ? [...alternativesOf(type.slice(0, -1)), 'null'] : [type.replace(/\s+/gu, '')];
}

/** The parts between the separators, one character each, where they stand in no bracket or string. */
export function splitAt(text: string, separators: string): string[] {
  const out: string[] = [];
  let [depth, from] = [0, 0];
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const at = text[i] as string;
    if (quote !== '') quote = at === quote ? '' : quote;
    else if (at === '"' || at === "'") quote = at;
    else if ('([{<'.includes(at)) depth++;
    else if (')]}'.includes(at) || (at === '>' && text[i - 1] !== '=')) depth--;
    else if (separators.includes(at) && depth === 0) {
      out.push(text.slice(from, i));
      from = i + 1;
    }
  }
  return [...out, text.slice(from)].map((part) => part.trim()).filter((part) => part !== '');
}
