/**
 * Texts of manifests as trees of unknown values. What a parser throws at a text that is not of its kind is no error
 * of ours: such a text says nothing.
 */
import { XMLParser } from 'fast-xml-parser';
import { parse as parseToml } from 'smol-toml';

export type Tree = { readonly [key: string]: unknown };

export const treeIn = (value: unknown): Tree => (typeof value === 'object' && value !== null ? (value as Tree) : {});
export const stringIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** One value, several, or none, as a list. */
export const listIn = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : value === undefined ? [] : [value];

function parsed(parse: () => unknown): Tree {
  try {
    return treeIn(parse());
  } catch (error) {
    if (error instanceof Error) return {};
    throw error;
  }
}

export const json = (text: string): Tree => parsed(() => JSON.parse(text.replace(/^\uFEFF/u, '')) as unknown);
export const toml = (text: string): Tree => parsed(() => parseToml(text));

const xmlParser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  captureMetaData: true,
});
const META = XMLParser.getMetaDataSymbol();

/** Attributes stand under `@name`. */
export const xml = (text: string): Tree => parsed(() => xmlParser.parse(text) as unknown);

/** Where an element's tag begins, undefined for one that is nothing but text. */
export function startOf(element: unknown): number | undefined {
  const meta: unknown = Reflect.get(treeIn(element), META as unknown as symbol);
  const start = treeIn(meta)['startIndex'];
  return typeof start === 'number' ? start : undefined;
}
