/**
 * An edit model that is never shown what the settings withhold (`noSend`): put around every model
 * that sends what it is asked to another place.
 */
import { sendable, type Withheld } from '../../context/no-send.js';
import type { EditModel, PickAnswer, Preview } from './edit-model.js';
import { NO_USAGE } from '../../model/usage.js';

export function withholding(model: EditModel, withheld: Withheld): EditModel {
  return {
    id: model.id,
    ...(model.readsWords === undefined ? {} : { readsWords: model.readsWords }),
    ...(model.preview === undefined
      ? {}
      : {
          preview: (request): Preview => {
            const sent = sendable(request, withheld);
            const shown = model.preview?.(sent.ok ? sent.request : request) as Preview;
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
    async edit(request, signal) {
      const sent = sendable(request, withheld);
      if (sent.ok) return model.edit(sent.request, signal);
      return {
        kind: 'cannot',
        model: model.id,
        usage: NO_USAGE,
        raw: '',
        reason: sent.reason,
        error: { kind: 'withheld', message: sent.reason },
      };
    },
  };
}
