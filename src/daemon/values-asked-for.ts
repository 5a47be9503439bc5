/**
 * What callers pass for new parameters, asked of the person through the editor: once for a plan, as
 * a choice among what would do at every place.
 *
 * LSP has no way to ask for a text, so what is none of the choices is left to the person, or to a
 * client that gives `values` itself.
 */
import { MessageType, ShowMessageRequest, type ProtocolConnection } from 'vscode-languageserver/node';
import type { Open } from '#protocol/propagate.js';

const LEAVE = 'Leave these places to me';

export class ValuesAskedFor {
  private readonly asked = new Set<string>();
  readonly given: Record<string, string>;

  constructor(private readonly connection: ProtocolConnection, given: Readonly<Record<string, string>>) {
    this.given = { ...given };
  }

  /** Asks for each value that was not asked for before; true if there is one to plan with. */
  async ask(open: readonly Open[]): Promise<boolean> {
    let isNew = false;
    for (const { value, choices = [], block, file } of open) {
      if (value === undefined || choices.length === 0 || value in this.given || this.asked.has(value)) continue;
      this.asked.add(value);
      const actions = [...choices, LEAVE].map((title) => ({ title }));
      const answer = await this.connection.sendRequest(ShowMessageRequest.type, { type: MessageType.Info, message: `codeplan: what do callers pass for ${value}? (${block} in ${file})`, actions });
      if (answer === null || answer.title === LEAVE) continue;
      this.given[value] = answer.title;
      isNew = true;
    }
    return isNew;
  }
}
