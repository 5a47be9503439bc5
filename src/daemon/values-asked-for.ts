/**
 * What a plan cannot know, asked of the person through the editor: what callers pass for new parameters,
 * once for a plan, as a choice among what would do at every place, or at one place alone; and whether
 * to do what a plan does only where somebody agrees.
 *
 * LSP has no way to ask for a text, so what is none of the choices is left to the person, or to a
 * client that gives `values` itself.
 */
import { MessageType, ShowMessageRequest, type ProtocolConnection } from 'vscode-languageserver/node';
import type { Open, PropagateParams } from '#protocol/propagate.js';
import { shownInLine, shownName, shownText } from '../base/shown.js';

/** Behind a choice that does not do elsewhere. */
const HERE = ' (only here)';
const LEAVE = 'Leave these places to me';
const AGREE = 'Do it';

type Accepted = NonNullable<PropagateParams['accept']>;

/** What is picked is what was read: an expression that would be shown as another one is not offered. */
const isShownWhole = (title: string): boolean => shownText(title) === title;

export class ValuesAskedFor {
  private readonly asked = new Set<string>();
  readonly given: Record<string, string>;
  readonly accepted: Accepted;

  constructor(
    private readonly connection: ProtocolConnection,
    given: Readonly<Record<string, string>>,
    accepted: Readonly<Accepted>,
  ) {
    this.given = { ...given };
    this.accepted = [...accepted];
  }

  /** Asks for all that was not asked for before; true if there is something new to plan with. */
  async ask(open: readonly Open[]): Promise<boolean> {
    const hasValues = await this.askValues(open);
    return (await this.askConsent(open)) || hasValues;
  }

  private async askConsent(open: readonly Open[]): Promise<boolean> {
    let isNew = false;
    for (const { accept, reason, block, file } of open) {
      if (accept === undefined || this.asked.has(`accept ${accept}`)) continue;
      this.asked.add(`accept ${accept}`);
      const more = open.filter((other) => other.accept === accept).length - 1;
      const message =
        `codeplan: ${block} in ${shownName(file)}: ${reason}${more === 0 ? '' : `, and ${more} more like it`}. ` +
        'Drop it, with what callers pass?';
      const answer = await this.connection.sendRequest(ShowMessageRequest.type, {
        type: MessageType.Info,
        message: shownInLine(message),
        actions: [{ title: AGREE }, { title: LEAVE }],
      });
      if (answer?.title !== AGREE) continue;
      this.accepted.push(accept);
      isNew = true;
    }
    return isNew;
  }

  private async askValues(open: readonly Open[]): Promise<boolean> {
    let isNew = false;
    for (const { value, key = value, choices = [], choicesHere = [], block, file } of open) {
      if (value === undefined || key === undefined || choices.length + choicesHere.length === 0) continue;
      if (value in this.given || key in this.given || this.asked.has(value) || this.asked.has(key)) continue;
      this.asked.add(key);
      const actions = [...choices, ...choicesHere.map((choice) => choice + HERE), LEAVE]
        .filter(isShownWhole)
        .map((title) => ({ title }));
      const answer = await this.connection.sendRequest(ShowMessageRequest.type, {
        type: MessageType.Info,
        message: shownInLine(`codeplan: what do callers pass for ${value}? (${block} in ${shownName(file)})`),
        actions,
      });
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
