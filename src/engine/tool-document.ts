/**
 * The answer of a repository tool as its document. Wrong arguments are answered, not thrown: whoever calls is
 * a model, which mends them by what it reads.
 */
import { z } from 'zod';
import type { ToolParams, ToolReport } from '#protocol/tools.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { shownName } from '../base/shown.js';
import type { Turns } from '../base/turns.js';
import { SearchIndex } from '../retrieve/search-index.js';
import type { Grammars } from '../syntax/grammar.js';
import { REPOSITORY_TOOLS, toolNamed } from '../tools/tools.js';
import type { SearchMemory } from './search-memory.js';
import type { WorkingTree } from './working-tree.js';

export function* toolDocument(
  tree: WorkingTree,
  memory: SearchMemory,
  grammars: Grammars,
  { tool: name, arguments: given }: ToolParams,
): Turns<ToolReport> {
  const tool = toolNamed(name);
  if (tool === undefined) {
    const names = REPOSITORY_TOOLS.map((known) => known.name).join(', ');
    return refusal(`there is no tool ${shownName(name)}; there are ${names}`);
  }
  const index = tool.searches ? yield* memory.of(tree) : SearchIndex.empty();
  yield;
  const { snapshot, resolver } = tree;
  const said = tool.answer({ snapshot, resolver, grammars, text: (file) => tree.text(file), index }, given);
  if (!said.ok) return refusal(`${name} cannot be called so:\n${z.prettifyError(said.error)}`);
  const { text, ...structured } = said.answer;
  return { schema: SCHEMA_VERSION, text, refused: false, structured: { ...structured } };
}

const refusal = (text: string): ToolReport => ({
  schema: SCHEMA_VERSION,
  text,
  refused: true,
  structured: { items: [], truncated: false, total: 0 },
});
