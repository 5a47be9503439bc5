/**
 * The protocol's version and the names of the requests that a service answers, apart from their
 * schemas: `codeplan lsp` greets an editor before it loads those.
 */

/** Grows when a message changes its meaning; daemon and client must agree on it. */
export const PROTOCOL_VERSION = 1;

/** What a client asks of the repository or has done there: each has an answer of the service. */
export const QUESTIONS = [
  'codeplan/status',
  'codeplan/impact',
  'codeplan/plan',
  'codeplan/refactor',
  'codeplan/refactor/here',
  'codeplan/review',
  'codeplan/rows',
  'codeplan/execute',
  'codeplan/edits',
  'codeplan/left',
  'codeplan/next',
  'codeplan/take',
  'codeplan/decide',
  'codeplan/prompt',
  'codeplan/generate',
  'codeplan/undo',
  'codeplan/log',
  'codeplan/api',
  'codeplan/graph',
  'codeplan/graph/scip',
  'codeplan/graph/refs',
  'codeplan/graph/calls',
  'codeplan/graph/hierarchy',
  'codeplan/graph/why',
  'codeplan/graph/names',
  'codeplan/ground',
  'codeplan/planSearch',
  'codeplan/planStop',
  'codeplan/planRead',
  'codeplan/planRows',
  'codeplan/planPrompt',
  'codeplan/planCode',
  'codeplan/do',
  'codeplan/tool',
] as const;
export type QuestionName = (typeof QUESTIONS)[number];

/** Requests about the session itself. */
export const SESSION_REQUESTS = ['codeplan/page', 'codeplan/settle'] as const;
export type SessionRequest = (typeof SESSION_REQUESTS)[number];

export const SERVICE_REQUESTS = [...QUESTIONS, ...SESSION_REQUESTS] as const;
