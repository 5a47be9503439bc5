/**
 * Vectors of texts from an OpenAI-compatible endpoint (`/v1/embeddings`).
 */
import * as z from 'zod';
import { withoutSecrets } from '../../context/secrets.js';
import { addSpending, NO_SPENDING, type Embedded, type Embedder } from '../../model/model.js';
import { askEndpoint } from './endpoint-client.js';
import type { EndpointSettings } from './model-settings.js';

/** Texts of one request. */
const TEXTS_MOST = 64;
/** Of a longer text only the beginning counts, in characters: models take a few thousand tokens. */
const TEXT_MOST = 8000;

const embeddingsShape = z.object({
  data: z.array(z.object({ index: z.number().int().min(0), embedding: z.array(z.number()).min(1) })),
  usage: z.object({ prompt_tokens: z.number().min(0) }).nullish(),
});

export function endpointEmbedder(settings: EndpointSettings): Embedder {
  return {
    name: settings.model,
    async embed(texts, signal): Promise<Embedded> {
      const vectors: Float32Array[] = [];
      let usage = NO_SPENDING;
      for (let from = 0; from < texts.length; from += TEXTS_MOST) {
        const input = texts
          .slice(from, from + TEXTS_MOST)
          .map((text) => withoutSecrets(text.slice(0, TEXT_MOST)) || ' ');
        const tried = await askEndpoint(
          settings,
          async (client, either) => {
            const response: unknown = await client.embeddings.create(
              { model: settings.model, input, encoding_format: 'float' },
              { signal: either },
            );
            const parsed = embeddingsShape.safeParse(response);
            if (!parsed.success) return { ok: false, what: 'the response is no list of embeddings' };
            const found = vectorsOf(parsed.data, input.length, vectors[0]?.length);
            return found === undefined
              ? { ok: false, what: 'the response has not one vector of one length for each text' }
              : { ok: true, reply: { vectors: found, tokens: parsed.data.usage?.prompt_tokens ?? 0 } };
          },
          signal,
        );
        usage = addSpending(usage, { calls: 1, promptTokens: tried.ok ? tried.reply.tokens : 0, completionTokens: 0 });
        if (!tried.ok) return { ok: false, error: tried.error, usage };
        vectors.push(...tried.reply.vectors);
      }
      return { ok: true, vectors, usage };
    },
  };
}

/** `known`: the length of those that came before. */
function vectorsOf(
  { data }: z.infer<typeof embeddingsShape>,
  count: number,
  known: number | undefined,
): Float32Array[] | undefined {
  const inOrder = [...data].sort((a, b) => a.index - b.index);
  const length = known ?? inOrder[0]?.embedding.length;
  const fits =
    inOrder.length === count &&
    inOrder.every(({ index, embedding }, at) => index === at && embedding.length === length);
  return fits ? inOrder.map(({ embedding }) => normalised(Float32Array.from(embedding))) : undefined;
}

/** The vector at length 1; one without a direction stays as it is. */
function normalised(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return sum === 0 ? vector : vector.map((value) => value / Math.sqrt(sum));
}
