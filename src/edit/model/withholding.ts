/**
 * An edit model that is never shown what the settings withhold (`noSend`): put around every model
 * that sends what it is asked to another place.
 */
import { sendable, type Withheld } from '../../context/no-send.js';
import { NO_USAGE, type EditModel } from './edit-model.js';

export function withholding(model: EditModel, withheld: Withheld): EditModel {
  return {
    id: model.id,
    async edit(request, signal) {
      const sent = sendable(request, withheld);
      if (sent.ok) return model.edit(sent.request, signal);
      return { kind: 'cannot', model: model.id, usage: NO_USAGE, raw: '', reason: sent.reason, error: { kind: 'withheld', message: sent.reason } };
    },
  };
}
