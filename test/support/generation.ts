/**
 * A model endpoint of the test's own that answers each phase of generation by a script, and hears all that is asked.
 */
import { modelServer, json, piece, says, streams, type ModelServer, type Turn } from './model-server.js';

export type Phase = 'code' | 'tools' | 'reflect';

/** What is answered in each phase, in order; the last one is repeated. */
export interface Script {
  readonly code: readonly string[];
  readonly tools?: readonly (string | Turn)[];
  readonly reflect?: readonly string[];
}

export interface GenerationServer extends ModelServer {
  /** The phases that were asked, in order. */
  readonly phases: readonly Phase[];
  /** Everything that was said in the questions of a phase. */
  prompts(phase: Phase): readonly string[];
}

export const fenced = (code: string): string => `\`\`\`\n${code}\n\`\`\``;

export async function generationServer(script: Script): Promise<GenerationServer> {
  const seen: { phase: Phase; prompt: string }[] = [];
  const server = await modelServer((response, asked) => {
    const messages = asked.body['messages'] as readonly { content: string }[];
    const prompt = messages.map(({ content }) => content).join('\n');
    const phase = prompt.includes('# What do you have to know?')
      ? 'tools'
      : prompt.includes('# Why is the code wrong?')
        ? 'reflect'
        : 'code';
    const answers: readonly (string | Turn)[] = script[phase] ?? (phase === 'tools' ? ['None.'] : ['It is wrong.']);
    const nth = seen.filter((other) => other.phase === phase).length;
    seen.push({ phase, prompt });
    const answer = answers[Math.min(nth, answers.length - 1)] ?? '';
    (typeof answer === 'string' ? said(answer, asked.body['stream'] === true) : answer)(response, asked);
  });
  return {
    ...server,
    asked: server.asked,
    get phases() {
      return seen.map(({ phase }) => phase);
    },
    prompts: (phase) => seen.filter((other) => other.phase === phase).map(({ prompt }) => prompt),
  };
}

const said = (answer: string, isStreamed: boolean): Turn =>
  isStreamed ? streams([piece(answer), piece('', 'stop')], 'end') : says(answer);

/** A turn in which the model calls tools natively. */
export function callsTools(...calls: readonly { readonly name: string; readonly arguments: string }[]): Turn {
  return json(200, {
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: 'I look it up.',
          tool_calls: calls.map(({ name, arguments: given }, i) => ({
            id: `call${i}`,
            type: 'function',
            function: { name, arguments: given },
          })),
        },
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 5 },
  });
}
