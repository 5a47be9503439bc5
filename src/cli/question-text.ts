/** A question to a model as a person is shown it before it is sent. */
import type { ShownPrompt } from '#protocol/words.js';

export function questionLines({ to, model, tokens, parts, messages }: ShownPrompt): string[] {
  const whom = to === null ? 'nobody: no model is configured' : `${model ?? ''} at ${to}`;
  return [
    `To ${whom}, about ${tokens} tokens: ${parts.map((each) => `${each.part} ${each.tokens}`).join(', ')}.`,
    ...messages.flatMap(({ role, content }) => ['', `--- ${role} ---`, ...content.split('\n')]),
  ];
}
