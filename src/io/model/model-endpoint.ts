/**
 * The `openai` edit model: chat completions of any OpenAI-compatible endpoint, one answer at temperature 0, no tools.
 */
import type { EditModel } from '../../edit/model/edit-model.js';
import { askChat } from './chat-endpoint.js';
import { CONVERSING, endpointModel, type Exchange } from './endpoint-call.js';
import type { EndpointSettings } from './model-settings.js';

export function chatModel(settings: EndpointSettings): EditModel {
  const exchange: Exchange = async (prompt, signal) => {
    const tried = await askChat(settings, prompt.messages, { temperature: 0, top_p: 1, n: 1 }, signal);
    if (!tried.ok) return tried;
    const { choices, usage } = tried.reply;
    const [choice] = choices;
    return choice === undefined
      ? { ok: false, error: { kind: 'bad-answer', message: `model ${settings.model} gave no choice` } }
      : { ok: true, reply: { ...choice, usage } };
  };
  return endpointModel('openai', settings, exchange, CONVERSING);
}
