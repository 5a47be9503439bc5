/**
 * A model whose answers come from a file, or are written to one: runs that a test can repeat without an endpoint.
 *
 * One line a question: a digest of everything that was sent, and the answer. The same question asked again has its
 * own line, taken in order; the last one is repeated. A question that is on no line is answered with an error that
 * says which, since a guess would make a test of nothing.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, statSync } from 'node:fs';
import * as z from 'zod';
import { shownName } from '../../base/shown.js';
import { ServiceError } from '../../engine/service.js';
import { readGivenFile } from '../disk/given-file.js';
import { NO_SPENDING, type AskOptions, type Completion, type Model, type ModelRequest } from '../../model/model.js';

/** Less than nothing would give a budget back. */
const count = z.int().nonnegative();
const lineShape = z.strictObject({
  digest: z.string(),
  kind: z.string(),
  choices: z
    .array(
      z.strictObject({
        text: z.string(),
        toolCalls: z.array(z.strictObject({ id: z.string(), name: z.string(), arguments: z.string() })),
        finish: z.enum(['stop', 'length', 'refused']),
      }),
    )
    .min(1),
  usage: z.strictObject({ calls: count, promptTokens: count, completionTokens: count }),
});
type Line = z.infer<typeof lineShape>;

/** The prompts of some thousands of questions; a cassette is read whole. */
const CASSETTE_BYTES_MOST = 256 * 1024 * 1024;

/** `model`, with everything that it answers appended to the file. Throws ServiceError: settings, where it is none. */
export function recording(model: Model, file: string): Model {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
    throw new ServiceError('settings', `cannot record the cassette ${shownName(file)}: it is no regular file`);
  return {
    ...model,
    async complete(request, options): Promise<Completion> {
      const completion = await model.complete(request, options);
      if (completion.ok) {
        const { choices, usage } = completion;
        const line = { digest: digestOf(request, options), kind: request.kind, choices, usage };
        appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
      }
      return completion;
    },
  };
}

/** Throws ServiceError: settings, where the file cannot be read as a cassette. */
export function replaying(file: string): Model {
  const answers = new Map<string, Line[]>();
  for (const line of linesOf(file)) {
    const known = answers.get(line.digest);
    if (known === undefined) answers.set(line.digest, [line]);
    else known.push(line);
  }
  return {
    name: 'cassette',
    complete(request, options): Promise<Completion> {
      options.signal.throwIfAborted();
      const left = answers.get(digestOf(request, options));
      const line = left !== undefined && left.length > 1 ? left.shift() : left?.[0];
      if (line !== undefined) return Promise.resolve({ ok: true, choices: line.choices, usage: line.usage });
      const message =
        `the cassette ${shownName(file)} has no answer to this question (${request.kind}): ` + 'record it anew';
      return Promise.resolve({ ok: false, error: { kind: 'not-found', message }, usage: NO_SPENDING });
    },
  };
}

function digestOf(request: ModelRequest, options: AskOptions): string {
  const { n, temperature, seed, tokensMost, schema, tools, toolChoice } = options;
  const sent = [request.messages, n, temperature, seed, tokensMost, schema, tools, toolChoice];
  return createHash('sha256').update(JSON.stringify(sent)).digest('hex').slice(0, 32);
}

function linesOf(file: string): Line[] {
  return readGivenFile(file, 'the cassette', CASSETTE_BYTES_MOST)
    .split('\n')
    .flatMap((text, at) => (text.trim() === '' ? [] : [lineIn(text, `${shownName(file)}:${at + 1}`)]));
}

function lineIn(text: string, place: string): Line {
  try {
    return lineShape.parse(JSON.parse(text));
  } catch {
    throw new ServiceError('settings', `${place} is no line of a cassette: record it anew`);
  }
}
