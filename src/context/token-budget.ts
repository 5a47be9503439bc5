/**
 * A request made to fit a number of tokens. What is left out goes in this order, until it fits:
 *
 *     1  whole texts of related code: the signature stays; the farthest first
 *     2  edits that led here only through others, the oldest first
 *     3  related code, the farthest first
 *     4  the class around the fragment, then the file's imports
 *     5  edits that led here directly, the oldest first: their effect is among the reasons
 *
 * The task, the reasons, messages and the fragment itself always stay: what is too long with
 * these alone is not asked at all.
 */
import type { EditRequest } from './edit-request.js';
import { promptOf } from './prompt.js';

export type Fitted =
  /** `leftOut`: what the request does not hold any more, in words; empty where all fits. */
  | { readonly ok: true; readonly request: EditRequest; readonly leftOut: readonly string[] }
  /** Tokens of the shortest form. */
  | { readonly ok: false; readonly tokens: number };

export function fitted(request: EditRequest, tokensMost: number): Fitted {
  if (tokensMost === Infinity) return { ok: true, request, leftOut: [] };
  let at = request;
  const counts = { texts: 0, edits: 0, related: 0, around: 0, imports: 0 };
  for (;;) {
    const { tokens } = promptOf(at);
    if (tokens <= tokensMost) return { ok: true, request: at, leftOut: inWords(counts) };
    const next = shorter(at, counts);
    if (next === undefined) return { ok: false, tokens };
    at = next;
  }
}

interface Counts {
  texts: number;
  edits: number;
  related: number;
  around: number;
  imports: number;
}

function shorter(request: EditRequest, counts: Counts): EditRequest | undefined {
  const { spatial, temporal } = request;
  const whole = spatial.findLastIndex((related) => related.code !== undefined);
  if (whole >= 0) {
    counts.texts++;
    return {
      ...request,
      spatial: spatial.map((related, i) =>
        i === whole ? { file: related.file, block: related.block, signature: related.signature } : related,
      ),
    };
  }
  const indirect = temporal.findIndex((edit) => !edit.isDirect);
  if (indirect >= 0) {
    counts.edits++;
    return { ...request, temporal: temporal.filter((_, i) => i !== indirect) };
  }
  if (spatial.length > 0) {
    counts.related++;
    return { ...request, spatial: spatial.slice(0, -1) };
  }
  if (request.around !== undefined) {
    counts.around++;
    const { around: _around, ...rest } = request;
    return rest;
  }
  if (request.imports !== undefined) {
    counts.imports++;
    const { imports: _imports, ...rest } = request;
    return rest;
  }
  if (temporal.length === 0) return undefined;
  counts.edits++;
  return { ...request, temporal: temporal.slice(1) };
}

function inWords({ texts, edits, related, around, imports }: Counts): string[] {
  const said = (count: number, what: string): string[] => (count === 0 ? [] : [`${count} ${what}`]);
  return [
    ...said(texts, 'texts of related code'),
    ...said(edits, 'earlier edits'),
    ...said(related, 'signatures of related code'),
    ...(around === 0 ? [] : ['the class around']),
    ...(imports === 0 ? [] : ["the file's imports"]),
  ];
}
