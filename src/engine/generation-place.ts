/**
 * Where new code goes, and the repository as whoever writes it sees it: without the block that is written anew, and
 * without what is never sent.
 */
import type { GenerateParams } from '#protocol/generate.js';
import { isPathInside } from '../base/paths.js';
import { shownName } from '../base/shown.js';
import { inTurns } from '../base/turns.js';
import { blockNamed } from '../change/block-name.js';
import type { Withheld } from '../context/no-send.js';
import { withoutBlock } from '../edit/merge.js';
import type { Task } from '../generate/task.js';
import { isImportsTool, type WishedCall } from '../generate/tool-calls.js';
import { languageOf } from '../languages/registry.js';
import { summarise } from '../languages/summarise.js';
import { SearchIndex } from '../retrieve/search-index.js';
import type { Grammars } from '../syntax/grammar.js';
import type { Summary } from '../syntax/summary.js';
import { relatedSnippets } from '../tools/relevant-code.js';
import type { Repository } from '../tools/tool.js';
import type { Effects } from './effects.js';
import type { SearchMemory } from './search-memory.js';
import { ServiceError, type Call } from './service.js';
import type { TreePair } from './trees.js';
import type { WorkingTree } from './working-tree.js';

export interface GenerateParts {
  readonly tree: WorkingTree;
  readonly problems: TreePair['problems'];
  readonly effects: Effects;
  readonly grammars: Grammars;
  readonly search: SearchMemory;
}

export interface Place {
  readonly task: Task;
  /** The file's text now; undefined where there is none. */
  readonly text: string | undefined;
  /** The same without the block. */
  readonly around: string | undefined;
  /** The tree that tools see. */
  readonly hidden: WorkingTree;
  readonly withheld: Withheld;
  /** Whether the tree was right but for the block: what was wrong elsewhere is not its business. */
  readonly isStub?: boolean;
}

/** Throws ServiceError: refused, for what cannot be written or sent. */
export function placeOf({ tree, effects, grammars }: GenerateParts, params: GenerateParams): Place {
  const { file } = params;
  const refuse = (message: string): never => {
    throw new ServiceError('refused', message, [file]);
  };
  if (!isPathInside(file)) refuse(`${shownName(file)} is no place for a source; give a path below the root`);
  if (params.description.trim() === '') refuse('the description is empty; say what it is to be');
  const language = languageOf(file);
  if (language === undefined) return refuse(`${shownName(file)} is of no language that can be written here`);
  const { withheld } = effects;
  const pattern = withheld(file);
  if (pattern !== undefined) refuse(`${shownName(file)} is never sent to a model (noSend: ${pattern})`);
  const summary = tree.snapshot.summary(file);
  const text = summary === undefined ? effects.diskText(file) : tree.text(file);
  const row = params.name === undefined || summary === undefined ? undefined : blockNamed(summary, params.name);
  const around =
    text === undefined || params.name === undefined
      ? undefined
      : row === undefined || summary === undefined
        ? text
        : withoutBlock(text, summary, row);
  return {
    task: { language: language.id, file, name: params.name, description: params.description },
    text,
    around,
    hidden: tree.with(new Map([[file, around ?? '']]), grammars),
    withheld,
  };
}

/** Throws ServiceError: refused. */
export const summaryOf = ({ grammars }: GenerateParts, { file }: Task, text: string): Summary => {
  const summary = summarise(grammars, file, text);
  if (summary === undefined) throw new ServiceError('refused', `${file} is of no language that is read here`, [file]);
  return summary;
};

/** What tools look at: `searches` says whether they search by words. */
export async function repositoryOf(
  { grammars, search }: GenerateParts,
  { hidden, withheld }: Place,
  searches: boolean,
  call: Call,
): Promise<Repository> {
  const index = searches ? await inTurns(search.of(hidden), call.signal) : SearchIndex.empty();
  const { snapshot, resolver } = hidden;
  const text = (file: string): string | undefined => (withheld(file) === undefined ? hidden.text(file) : undefined);
  return { snapshot, resolver, grammars, text, index };
}

export async function snippetsFor(
  parts: GenerateParts,
  place: Place,
  query: string,
  call: Call,
): Promise<string | undefined> {
  const repository = await repositoryOf(parts, place, true, call);
  const said = relatedSnippets.answer(repository, { query });
  return said.ok && said.answer.total > 0 ? said.answer.text : undefined;
}

/** What a tool says, as a text for the model. */
export async function lookedUp(
  parts: GenerateParts,
  place: Place,
  { tool, arguments: given }: WishedCall,
  code: string,
  thought: string,
  call: Call,
): Promise<string> {
  const repository = await repositoryOf(parts, place, tool.searches, call);
  const { file } = place.task;
  const more = isImportsTool(tool)
    ? { file, code: codeIn(place, code) }
    : tool.name === 'get_class_info'
      ? { file, ...(given['query'] === undefined && thought !== '' ? { query: thought } : {}) }
      : {};
  const said = tool.answer(repository, { ...given, ...more });
  return said.ok
    ? said.answer.text
    : `it cannot be called so: ${said.error.issues.map(({ message }) => message).join('; ')}`;
}

/** The candidate with the file's own imports, so that what these bind is not looked for. */
const codeIn = ({ around, task }: Place, code: string): string =>
  around === undefined || task.name === undefined ? code : `${around}\n\n${code}\n`;
