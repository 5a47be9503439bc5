/**
 * What callers pass for new parameters, asked of the person through the editor: once for a plan, as
 * a choice among what would do at every place, or at one place alone.
 *
 * LSP has no way to ask for a text, so what is none of the choices is left to the person, or to a
 * client that gives `values` itself.
 */
import { MessageType, ShowMessageRequest, type ProtocolConnection } from 'vscode-languageserver/node';
import type { Open } from '#protocol/propagate.js';

/** Behind a choice that does not do elsewhere. */
const HERE = ' (only here)';
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
    for (const { value, key = value, choices = [], choicesHere = [], block, file } of open) {
      if (value === undefined || key === undefined || choices.length + choicesHere.length === 0) continue;
      if (value in this.given || key in this.given || this.asked.has(value) || this.asked.has(key)) continue;
      this.asked.add(key);
      const actions = [...choices, ...choicesHere.map((choice) => choice + HERE), LEAVE].map((title) => ({ title }));
      const answer = await this.connection.sendRequest(ShowMessageRequest.type, { type: MessageType.Info, message: `codeplan: what do callers pass for ${value}? (${block} in ${file})`, actions });
      if (answer === null || answer.title === LEAVE) {
        this.asked.add(value);
        continue;
      }
      const isHere = !choices.includes(answer.title);
      this.given[isHere ? key : value] = isHere ? answer.title.slice(0, -HERE.length) : answer.title;
      isNew = true;
    }
    return isNew;
  }
}
