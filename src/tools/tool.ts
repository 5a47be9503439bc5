/**
 * A repository tool: a pure function over one tree, asked by name by an agent or by our own generation.
 *
 * Nothing is written, nothing is run, and no item comes from a text that the tree hides. The order of items is
 * determined by the tree and the arguments. A name that leads nowhere gives no item but the names that are like it.
 */
import type { z } from 'zod';
import { shownInLine } from '../base/shown.js';
import type { Snapshot } from '../graph/files/snapshot.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { SearchIndex } from '../retrieve/search-index.js';
import type { Grammars } from '../syntax/grammar.js';

/** What a tool is asked about. */
export interface Repository {
  readonly snapshot: Snapshot;
  readonly resolver: Resolver;
  readonly grammars: Grammars;
  text(file: string): string | undefined;
  /** Only for a tool that says that it searches. */
  readonly index: SearchIndex;
}

export interface Suggestion {
  readonly asked: string;
  readonly names: readonly string[];
}

export interface ToolAnswer {
  readonly items: readonly object[];
  /** What a model reads: the sum first, what was left out and how to get it last. */
  readonly text: string;
  /** Whether there is more than `items`. */
  readonly truncated: boolean;
  /** How many there are in all. */
  readonly total: number;
  /** For names that nothing has. */
  readonly suggestions?: readonly Suggestion[];
}

export interface Tool<Params = unknown> {
  readonly name: string;
  /** What it is for, for whoever chooses among tools. */
  readonly description: string;
  readonly params: z.ZodType<Params>;
  /** Whether it needs the search index, which is built for the first that does. */
  readonly searches: boolean;
  call(repository: Repository, params: Params): ToolAnswer;
}

/** A tool among others, whose parameters are checked before it is called. */
export interface AnyTool extends Omit<Tool, 'params' | 'call'> {
  readonly params: z.ZodType;
  /** Undefined answer: the arguments do not fit, and the text says why. */
  answer(
    repository: Repository,
    given: unknown,
  ): { readonly ok: true; readonly answer: ToolAnswer } | { readonly ok: false; readonly error: z.ZodError };
}

export function tool<Params>(definition: Tool<Params>): AnyTool {
  return {
    ...definition,
    answer: (repository, given) => {
      const parsed = definition.params.safeParse(given);
      return parsed.success
        ? { ok: true, answer: definition.call(repository, parsed.data) }
        : { ok: false, error: parsed.error };
    },
  };
}

/** No answer is longer, in characters. */
export const TEXT_MOST = 6000;

/** As many of the parts, each on lines of its own, as an answer takes; the last line says how many were left out. */
export function fitted(parts: readonly string[], how: string, most = TEXT_MOST): string {
  let text = '';
  for (const [i, part] of parts.entries()) {
    const room = most - text.length;
    if (i > 0 && part.length + 1 > room) return `${text}\n… ${parts.length - i} more left out: ${how}`;
    text += i === 0 ? part.slice(0, room) : `\n${part}`;
  }
  return text;
}

/** What stands above answers that share no word with what was asked. */
export const onlySpelt = (what: string): string =>
  `No block of the repository says a word of ${what}; these have one that is spelt nearly like it:`;

/** What was asked may be any text, and is quoted to be known again, not to be read. */
const QUOTED_MOST = 200;

export function quoted(asked: string): string {
  const line = shownInLine(asked);
  return line.length > QUOTED_MOST ? `${line.slice(0, QUOTED_MOST)}…` : line;
}

/** What is said of names that nothing has. */
export function unknownText(suggestions: readonly Suggestion[], what: string): string {
  return suggestions
    .map(({ asked, names }) =>
      names.length === 0
        ? `The repository has no ${what} called ${quoted(asked)}; it is probably external.`
        : `The repository has no ${what} called ${quoted(asked)}. Names like it: ${names.join(', ')}.`,
    )
    .join('\n');
}
