/**
 * One round of repository tools for a model whose answer failed its check: it is told what was wrong,
 * wishes for at most three calls, and what they say stands in the next question about the block.
 *
 * An answer is checked by the parser, as every answer is, and here by its names too: one that the
 * repository defines and the file does not import is wrong. Only in a run with `toolsOnFailure`.
 *
 * Source: RRR (arXiv 2405.01573), its tool phase.
 */
import { inTurns } from '../base/turns.js';
import type { EditRequest } from '../context/edit-request.js';
import { sendable, type Withheld } from '../context/no-send.js';
import { promptOf } from '../context/prompt.js';
import { isImportsTool, toolOffers, toolsInWords, wishedCalls } from '../generate/tool-calls.js';
import { TOOL_CALLS_MOST } from '../generate/task.js';
import { NO_SPENDING, type Model, type Spending } from '../model/model.js';
import { SearchIndex } from '../retrieve/search-index.js';
import type { Grammars } from '../syntax/grammar.js';
import { imports } from '../tools/imports.js';
import { SearchMemory } from './search-memory.js';
import { toolDocument } from './tool-document.js';
import type { WorkingTree } from './working-tree.js';

export interface LookedUp {
  /** What the tools said, and which wishes were left out. */
  readonly observations: readonly string[];
  readonly usage: Spending;
}

export class ToolRound {
  private readonly memory = new SearchMemory();

  constructor(
    private readonly model: Model,
    private readonly withheld: Withheld,
    private readonly grammars: Grammars,
    private readonly signal: AbortSignal,
  ) {}

  /** Why the file's new text cannot stand, by names that its old one did not have; undefined where it may. */
  misnamed(file: string, before: string, after: string, tree: WorkingTree): string | undefined {
    const known = new Set(this.notImported(file, before, tree));
    const fresh = this.notImported(file, after, tree).filter((name) => !known.has(name));
    return fresh.length === 0 ? undefined : `it uses ${fresh.join(', ')}, which the file does not import`;
  }

  private notImported(file: string, code: string, tree: WorkingTree): readonly string[] {
    const { snapshot, resolver } = tree;
    const text = (other: string): string | undefined => tree.text(other);
    const repository = { snapshot, resolver, grammars: this.grammars, text, index: SearchIndex.empty() };
    const said = imports.answer(repository, { file, code });
    return said.ok
      ? (said.answer.items as readonly { name: string; external?: boolean }[])
          .filter(({ external }) => external !== true)
          .map(({ name }) => name)
      : [];
  }

  /**
   * `answer` is the code that failed, for `reason`. Nothing is looked up where the file is never sent, or the model
   * fails.
   */
  async lookUp(request: EditRequest, answer: string, reason: string, tree: WorkingTree): Promise<LookedUp> {
    const sent = sendable(request, this.withheld);
    if (!sent.ok) return { observations: [], usage: NO_SPENDING };
    const completion = await this.model.complete(
      {
        kind: 'edit/tools',
        messages: [
          ...promptOf(sent.request).messages,
          { role: 'assistant', content: answer },
          { role: 'user', content: question(reason) },
        ],
      },
      { signal: this.signal, temperature: 0, tools: toolOffers() },
    );
    const choice = completion.ok ? completion.choices[0] : undefined;
    if (choice === undefined) return { observations: [], usage: completion.usage };
    const { calls, notes } = wishedCalls(choice.toolCalls, choice.text, undefined);
    const observations: string[] = [];
    for (const { tool, arguments: given } of calls) {
      const more = isImportsTool(tool)
        ? { file: request.file, code: `${request.source}\n\n${answer}\n` }
        : tool.name === 'get_class_info'
          ? { file: request.file, ...(given['query'] === undefined ? { query: reason } : {}) }
          : {};
      const params = { tool: tool.name, arguments: { ...given, ...more } };
      const said = await inTurns(toolDocument(tree, this.memory, this.grammars, this.withheld, params), this.signal);
      observations.push(`${tool.name}(${JSON.stringify(given)}):\n${said.text}`);
    }
    return { observations: [...observations, ...notes], usage: completion.usage };
  }
}

const question = (reason: string): string => `Your answer could not be used: ${reason}.
What do you have to know? Call tools that look it up in the repository, at most ${TOOL_CALLS_MOST} calls. If nothing
has to be looked up, answer: None. Write no code yet.

The tools:
${toolsInWords()}

Write each call on a line of its own: name("argument", other="argument")`;
