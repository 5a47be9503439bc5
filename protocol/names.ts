/**
 * The protocol's version and the names of the requests that a service answers, apart from their
 * schemas: `codeplan lsp` greets an editor before it loads those.
 */

/** Grows when a message changes its meaning; daemon and client must agree on it. */
export const PROTOCOL_VERSION = 1;

export const SERVICE_REQUESTS = [
  'codeplan/status',
  'codeplan/impact',
  'codeplan/plan',
  'codeplan/review',
  'codeplan/execute',
  'codeplan/edits',
  'codeplan/prompt',
  'codeplan/undo',
  'codeplan/log',
  'codeplan/api',
  'codeplan/graph',
  'codeplan/graph/refs',
  'codeplan/graph/calls',
  'codeplan/graph/hierarchy',
  'codeplan/graph/why',
  'codeplan/page',
  'codeplan/settle',
] as const;
export type ServiceRequest = (typeof SERVICE_REQUESTS)[number];
