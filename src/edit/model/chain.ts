/**
 * Edit models asked one after the other, until one has an answer.
 *
 * A model that cannot leaves it to the next, and so does one that reads no words and finds nothing
 * to change: it was not told why it was asked. What was not sent because it must not be sent is not
 * offered to the next one either. Each step is asked on its own, since the models may differ in what they can.
 */
import type { PickRequest } from '../../context/pick.js';
import type { EditAnswer, EditModel, PickAnswer } from './edit-model.js';
import { addUsage, NO_USAGE } from '../../model/usage.js';

/** At least one model. */
export function chainOf(models: readonly [EditModel, ...EditModel[]]): EditModel {
  const [first] = models;
  const picker = models.find((model) => model.pick !== undefined);
  const sender = models.find((model) => model.preview !== undefined);
  return {
    id: models.map((model) => model.id).join(','),
    async edit(request, signal): Promise<EditAnswer> {
      let usage = NO_USAGE;
      let answer: EditAnswer | undefined;
      for (const model of models) {
        const last = await model.edit(request, signal);
        usage = addUsage(usage, last.usage);
        answer = { ...last, usage };
        const isOpen =
          last.kind === 'cannot'
            ? last.error?.kind !== 'secret' && last.error?.kind !== 'withheld'
            : last.kind === 'noChange' && model.readsWords === false;
        if (!isOpen) return answer;
      }
      return answer ?? { kind: 'cannot', model: first.id, usage, raw: '', reason: 'no model was asked' };
    },
    ...(picker === undefined
      ? {}
      : {
          pick: (request: PickRequest, signal: AbortSignal): Promise<PickAnswer> =>
            (picker.pick as NonNullable<EditModel['pick']>)(request, signal),
        }),
    ...(sender === undefined
      ? {}
      : {
          preview: (request, company): ReturnType<NonNullable<EditModel['preview']>> =>
            (sender.preview as NonNullable<EditModel['preview']>)(request, company),
        }),
  };
}
