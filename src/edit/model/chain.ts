/**
 * Several edit models as one: the first that answers decides.
 *
 * "Cannot" passes the request on; "no change" is an answer. What the failed ones used is counted
 * in, since somebody pays for it. When nobody answers, the reasons of all are given, and the error
 * of the last that had one, as it was the most capable one in a chain from cheap to dear.
 */
import type { EditRequest } from '../../context/edit-request.js';
import { addUsage, NO_USAGE, type EditAnswer, type EditModel } from './edit-model.js';
import type { ModelError } from './model-error.js';

export function chainOf(models: readonly EditModel[]): EditModel {
  const id = models.map((model) => model.id).join(',');
  return {
    id,
    async edit(request: EditRequest, signal: AbortSignal): Promise<EditAnswer> {
      let usage = NO_USAGE;
      let raw = '';
      let error: ModelError | undefined;
      const reasons: string[] = [];
      for (const model of models) {
        signal.throwIfAborted();
        const answer = await model.edit(request, signal);
        usage = addUsage(usage, answer.usage);
        if (answer.kind !== 'cannot') return { ...answer, usage };
        reasons.push(`${model.id}: ${answer.reason}`);
        raw = answer.raw;
        error = answer.error ?? error;
      }
      const reason = reasons.length === 0 ? 'no edit model is configured' : reasons.join('; ');
      return { kind: 'cannot', model: id, reason, usage, raw, ...(error === undefined ? {} : { error }) };
    },
  };
}
