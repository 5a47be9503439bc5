/**
 * HTML that cannot be broken out of: a template whose texts are escaped, unless they are HTML that
 * such a template made. Everything that comes from a repository, a tool or a model is such a text.
 */

import { shownText } from '../base/shown.js';

/** Made by `html` alone. */
export class Html {
  constructor(readonly source: string) {}
}

export type Part = Html | string | number | undefined | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Lists are joined, undefined is nothing. An attribute's value has to stand in quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, i) => (i === 0 ? text : sourceOf(parts[i - 1]) + text)).join(''));
}

/** A list of them, nothing where there is none. */
export const listOf = (items: readonly Part[], name = ''): Html | undefined =>
  items.length === 0 ? undefined : html`<ul class="${name}">${items.map((item) => html`<li>${item}</li>`)}</ul>`;

function sourceOf(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.source;
  if (typeof part === 'object') return part.map(sourceOf).join('');
  return shownText(String(part)).replace(/[&<>"']/gu, (character) => ENTITIES[character] as string);
}
