/**
 * The answer of a repository tool as its document. Wrong arguments are answered, not thrown: whoever calls is
 * a model, which mends them by what it reads.
 */
import * as z from 'zod';
import type { ToolParams, ToolReport } from '#protocol/tools.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { shownName } from '../base/shown.js';
import type { Turns } from '../base/turns.js';
import type { Withheld } from '../context/no-send.js';
import { SearchIndex } from '../retrieve/search-index.js';
import type { Grammars } from '../syntax/grammar.js';
import { REPOSITORY_TOOLS } from '../tools/tools.js';
import { context } from './context-tool.js';
import type { SearchMemory } from './search-memory.js';
import type { WorkingTree } from './working-tree.js';

const TOOLS = [...REPOSITORY_TOOLS, context];

/** `withheld`: files whose text no answer shows. */
export function* toolDocument(
  tree: WorkingTree,
  memory: SearchMemory,
  grammars: Grammars,
  withheld: Withheld,
  { tool: name, arguments: given }: ToolParams,
): Turns<ToolReport> {
  const tool = TOOLS.find((known) => known.name === name);
  if (tool === undefined) {
    const names = TOOLS.map((known) => known.name).join(', ');
    return refusal(`there is no tool ${shownName(name)}; there are ${names}`);
  }
  const index = tool.searches ? yield* memory.of(tree) : SearchIndex.empty();
  yield;
  const { snapshot, resolver } = tree;
  // A text that is not open in an editor is read from the disk each time it is asked for.
  const texts = new Map<string, string | undefined>();
  const text = (file: string): string | undefined => {
    if (!texts.has(file)) texts.set(file, withheld(file) === undefined ? tree.text(file) : undefined);
    return texts.get(file);
  };
  const said = tool.answer({ snapshot, resolver, grammars, text, index }, given);
  if (!said.ok) return refusal(`${name} cannot be called so:\n${z.prettifyError(said.error)}`);
  const { text: answer, ...structured } = said.answer;
  return { schema: SCHEMA_VERSION, text: answer, refused: false, structured: { ...structured } };
}

const refusal = (text: string): ToolReport => ({
  schema: SCHEMA_VERSION,
  text,
  refused: true,
  structured: { items: [], truncated: false, total: 0 },
});
