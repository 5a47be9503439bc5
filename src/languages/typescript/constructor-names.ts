/** Which functions of plain JavaScript are classes, as the text tells. */
const MAKES_CLASS = /([\w$]+)\s*\.\s*prototype\b|\binherits\(\s*([\w$]+)/g;

/** Names of which the text says `.prototype`, or that they inherit. */
export function constructorNames(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  if (!text.includes('prototype') && !text.includes('inherits(')) return names;
  for (const [, named, inheriting] of text.matchAll(MAKES_CLASS)) names.add(named ?? inheriting ?? '');
  return names;
}
