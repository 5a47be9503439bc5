/**
 * An edit model that is never shown what the settings withhold (`noSend`): put around every model
 * that sends what it is asked to another place.
 */
import { sendable, type Withheld } from '../../context/no-send.js';
import type { EditAnswer, EditModel, PickAnswer, Preview } from './edit-model.js';
import { NO_USAGE } from '../../model/usage.js';

const notSent = (model: string, reason: string): EditAnswer => ({
  kind: 'cannot',
  model,
  usage: NO_USAGE,
  raw: '',
  reason,
  error: { kind: 'withheld', message: reason },
});

export function withholding(model: EditModel, withheld: Withheld): EditModel {
  return {
    id: model.id,
    ...(model.readsWords === undefined ? {} : { readsWords: model.readsWords }),
    ...(model.preview === undefined
      ? {}
      : {
          preview: (request, company = []): Preview => {
            const sent = sendable(request, withheld);
            const others = company
              .map((other) => sendable(other, withheld))
              .flatMap((each) => (each.ok ? [each.request] : []));
            const shown = model.preview?.(sent.ok ? sent.request : request, others) as Preview;
            return sent.ok ? shown : { ...shown, prompt: { messages: [], tokens: 0, parts: [] }, refused: sent.reason };
          },
        }),
    ...(model.pick === undefined
      ? {}
      : {
          pick: async (request, signal): Promise<PickAnswer> => {
            const shown = request.candidates.flatMap((candidate, at) =>
              withheld(candidate.file) === undefined ? [{ candidate, at }] : [],
            );
            const answer = await (model.pick as NonNullable<EditModel['pick']>)(
              { ...request, candidates: shown.map(({ candidate }) => candidate) },
              signal,
            );
            return answer.kind === 'picked'
              ? { ...answer, picked: answer.picked.flatMap((at) => shown[at]?.at ?? []) }
              : answer;
          },
        }),
    ...(model.editTogether === undefined
      ? {}
      : {
          editTogether: async (requests, signal): Promise<readonly EditAnswer[]> => {
            const sent = requests.map((request) => sendable(request, withheld));
            const shown = sent.flatMap((each) => (each.ok ? [each.request] : []));
            const answers = shown.length === 0 ? [] : ((await model.editTogether?.(shown, signal)) ?? []);
            let at = 0;
            return sent.map((each) =>
              each.ok
                ? (answers[at++] ?? notSent(model.id, 'the model gave no answer'))
                : notSent(model.id, each.reason),
            );
          },
        }),
    async edit(request, signal) {
      const sent = sendable(request, withheld);
      return sent.ok ? model.edit(sent.request, signal) : notSent(model.id, sent.reason);
    },
  };
}
