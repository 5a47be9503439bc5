/**
 * Every method of our own, beside those of LSP: what it is for, what goes in, what comes out, how
 * it can be refused, and one example.
 *
 * Requests come from the client; each notification says who sends it. Parameters are checked
 * against these schemas before anything is done: unknown fields are refused. Besides the errors
 * that a method names, any may be answered with JSON-RPC's own, and with -32800 when it was
 * cancelled. METHODS.md and schema/ are written from this table by `npm run schema`.
 */
import * as z from 'zod';
import { apiDescriptor, apiParams } from './api.js';
import { doParams, doReport } from './do.js';
import { editsReport } from './edits.js';
import type { ErrorKind } from './errors.js';
import {
  callsParams,
  callsReport,
  graphExport,
  graphParams,
  hierarchyParams,
  hierarchyReport,
  refsParams,
  refsReport,
  namesParams,
  namesReport,
  whyParams,
  whyReport,
} from './graph.js';
import { impactParams, impactReport } from './impact.js';
import {
  executeParams,
  executeReport,
  propagateParams,
  propagateReport,
  reviewParams,
  reviewReport,
} from './propagate.js';
import {
  decideParams,
  decideReport,
  leftParams,
  leftReport,
  nextParams,
  nextReport,
  takeParams,
  takeReport,
} from './left.js';
import {
  planCodeParams,
  planCodeReport,
  planDocument,
  planPromptParams,
  planPromptReport,
  planReadParams,
  planRowsParams,
  planRowsReport,
  planSearchParams,
  planSearchReport,
  planStopParams,
  planStopReport,
} from './plan-search.js';
import { rowsParams, rowsReport } from './plan-rows.js';
import { promptParams, promptReport } from './prompt.js';
import { generateParams, generateReport } from './generate.js';
import { hereParams, hereReport, refactorParams } from './refactor.js';
import { scipReport } from './scip.js';
import {
  changed,
  handshakeParams,
  handshakeResult,
  pageResult,
  settleParams,
  stopResult,
  textParams,
} from './session.js';
import { status } from './status.js';
import { groundParams, groundReport, toolParams, toolReport } from './tools.js';
import { logReport, undoParams, undoReport } from './undo.js';

export interface Method {
  readonly kind: 'request' | 'notification';
  /** One or two sentences. */
  readonly summary: string;
  readonly params: z.ZodType;
  /** Undefined for a notification. */
  readonly result: z.ZodType | undefined;
  readonly errors: readonly ErrorKind[];
  readonly example: { readonly params: unknown; readonly result?: unknown };
}

const nothing = z.strictObject({}).describe('No parameters.');

const LOG_PLAN = '# Plan\n\n> log it\n\n1. write a log entry\n   - `log.py:write` def write(log: Log):\n';

/** A step of the examples of plans, on the repository of the examples. */
const LOG_STEP = {
  intent: 'write a log entry',
  symbols: [
    {
      file: 'log.py',
      block: 'write',
      name: 'write',
      kind: 'function',
      qualifiedName: 'log.write',
      line: 6,
      signature: 'def write(log: Log):',
      score: 6.025,
    },
  ],
};
const PLAN_PROMPT = [
  'Write code that carries out the request with the library whose symbols are named below. The plan was ' +
    'found by looking its steps up in the library: under each step stand the symbols that may serve for it, ' +
    'best first; not all will be needed.',
  '# Request',
  'log it',
  '# Plan',
  '1. write a log entry\n   symbols: log.write',
  "Use the library's own symbols where they fit, import them by the paths that are given, and invent none. " +
    'Answer with exactly one code block.',
].join('\n\n');
const NOTHING_USED = {
  calls: 0,
  promptTokens: 0,
  completionTokens: 0,
  samples: 0,
  expansions: 0,
  duplicates: 0,
  unusable: 0,
};

const API_EXAMPLE = {
  schema: 1,
  kind: 'api',
  packages: [],
  names: [
    {
      name: 'admin.run',
      kind: 'function',
      signature: 'def run(store, action):',
      file: 'admin.py',
      block: 'run',
      line: 4,
    },
    {
      name: 'disk.DiskStore',
      kind: 'class',
      signature: 'class DiskStore(Store):',
      file: 'disk.py',
      block: 'DiskStore',
      line: 4,
    },
    {
      name: 'job.save',
      kind: 'function',
      signature: 'def save(store: Store, k):',
      file: 'job.py',
      block: 'save',
      line: 4,
    },
    { name: 'log.Log', kind: 'class', signature: 'class Log:', file: 'log.py', block: 'Log', line: 1 },
    {
      name: 'log.Log.put',
      kind: 'method',
      signature: 'def put(self, key):',
      file: 'log.py',
      block: 'Log.put',
      line: 2,
    },
    { name: 'log.write', kind: 'function', signature: 'def write(log: Log):', file: 'log.py', block: 'write', line: 6 },
    { name: 'store.Store', kind: 'class', signature: 'class Store:', file: 'store.py', block: 'Store', line: 1 },
    {
      name: 'store.Store.put',
      kind: 'method',
      signature: 'def put(self, key, ttl):',
      file: 'store.py',
      block: 'Store.put',
      line: 2,
    },
  ],
  files: [
    { file: 'admin.py', text: 'import store\n\n\ndef run(store, action):\n    return ...\n' },
    { file: 'disk.py', text: 'from store import Store\n\n\nclass DiskStore(Store):\n    pass\n' },
    { file: 'job.py', text: 'from store import Store\n\n\ndef save(store: Store, k):\n    return ...\n' },
    {
      file: 'log.py',
      text: 'class Log:\n    def put(self, key):\n        return ...\n\n\ndef write(log: Log):\n    return ...\n',
    },
    { file: 'store.py', text: 'class Store:\n    def put(self, key, ttl):\n        return ...\n' },
  ],
  settings: [],
  problems: [],
};

const STATUS_EXAMPLE = {
  schema: 1,
  root: '/home/ann/shop',
  version: '0.1.0',
  pid: 4711,
  mode: 'daemon',
  uptimeSeconds: 61.5,
  state: 'ready',
  files: 5,
  blocks: 8,
  names: 20,
  languages: [{ language: 'python', files: 5, blocks: 8, lines: 30 }],
  snapshot: 1,
  pending: { files: 0, events: 0 },
  broken: [],
  memory: { residentBytes: 121000000, heapBytes: 48000000, summaryBytes: 9000000 },
  cache: { directory: '/home/ann/.cache/codeplan/shop-1f2e3d4c5b6a7980', entries: 5, hits: 4, misses: 1, bytes: 9100 },
  watch: { mode: 'native' },
  clients: [{ id: 'c2', name: 'codeplan impact', openFiles: 0, overlays: 0 }],
  trusted: null,
  ignoredSettings: [],
  problems: [],
} as const;

const IMPACT_EXAMPLE = {
  schema: 1,
  root: '/home/ann/shop',
  base: 'HEAD',
  languages: ['python'],
  changes: [
    {
      file: 'store.py',
      block: 'Store.insert',
      kind: 'method',
      label: 'MMS',
      detail: {
        rename: { from: 'put', to: 'insert' },
        signature: {
          added: [],
          removed: [],
          renamed: [],
          moved: [],
          retyped: [],
          madeRequired: [],
          madeOptional: [],
          defaultChanged: [],
          passing: [],
        },
      },
      startLine: 2,
    },
  ],
  affected: [
    {
      file: 'job.py',
      block: 'save',
      kind: 'function',
      startLine: 4,
      endLine: 5,
      tier: 'breaks',
      confidence: 'certain',
      relation: 'CalledBy',
      depth: 1,
      cause: { file: 'store.py', block: 'Store.insert', label: 'MMS' },
      rule: 'MMS/renamed-CalledBy',
      reason: 'save calls method put by its old name: it is named insert now.',
      fact: 'renamed: put → insert',
      sites: [
        {
          startLine: 5,
          startColumn: 10,
          endLine: 5,
          endColumn: 13,
          tier: 'breaks',
          confidence: 'certain',
          fact: 'renamed: put → insert',
        },
      ],
    },
  ],
  undecided: [{ file: 'admin.py', line: 5, reason: 'a string spells put, which is named insert now' }],
  complete: true,
  problems: [],
} as const;

const LEFT_EXAMPLE = {
  schema: 1,
  root: '/home/ann/shop',
  base: 'baseline',
  changes: IMPACT_EXAMPLE.changes,
  entries: [{ ...IMPACT_EXAMPLE.affected[0], id: '2f1d7c3a9b0e4d56', line: 5, column: 10, state: 'open', beside: '' }],
  files: [{ file: 'job.py', ids: ['2f1d7c3a9b0e4d56'] }],
  counts: { left: 1, breaks: 1, waiting: 0, rejected: 0, dismissed: 0, undecided: 1 },
  says: ['1 block left (1 breaks, 1 place undecided) after Store.insert'],
  undecided: IMPACT_EXAMPLE.undecided,
  complete: true,
  problems: [],
} as const;

const PLAN_EXAMPLE = {
  schema: 1,
  run: '5f0c2a1b',
  applied: false,
  iterations: 1,
  edited: ['put -> insert'],
  steps: [
    {
      id: 1,
      file: 'job.py',
      block: 'save',
      how: 'mechanical',
      rule: 'rename',
      status: 'proposed',
      causes: [{ step: 0, relation: 'CalledBy', label: 'MMS' }],
      tier: 'breaks',
      diff: [
        '--- a/job.py',
        '+++ b/job.py',
        '@@ -2,4 +2,4 @@',
        ' ',
        ' ',
        ' def save(store: Store, k):',
        '-    store.put(k, 1)',
        '+    store.insert(k, 1)',
        '',
      ].join('\n'),
      reason: 'save calls method put by its old name: it is named insert now.',
      fact: 'renamed: put → insert',
      startLine: 5,
    },
  ],
  open: [],
  undecided: [{ file: 'admin.py', line: 5, reason: 'a string spells put, which is named insert now' }],
  oracle: null,
  usage: { calls: 0, promptTokens: 0, completionTokens: 0 },
  complete: true,
  problems: [],
} as const;

const GENERATE_EXAMPLE = {
  schema: 1,
  file: 'store.py',
  block: 'Cache',
  mode: 'rrr',
  outcome: 'preview',
  oracle: null,
  oracleCalls: 0,
  attempts: [],
  best: null,
  code: null,
  usage: { calls: 0, promptTokens: 0, completionTokens: 0 },
  plan: null,
  prompt: {
    to: '127.0.0.1:11434',
    model: 'coder',
    messages: [
      { role: 'system', content: 'You write code for a repository. …' },
      { role: 'user', content: '# Task\nWrite Cache in store.py (python): …' },
    ],
    tokens: 260,
    parts: [
      { part: 'instructions', tokens: 60 },
      { part: 'task', tokens: 20 },
      { part: 'the file', tokens: 40 },
      { part: 'related code', tokens: 80 },
      { part: 'the answer wanted', tokens: 50 },
    ],
  },
};

const REFACTOR_EXAMPLE = {
  ...PLAN_EXAMPLE,
  run: '6a1d3b2c',
  steps: [
    {
      id: 0,
      file: 'store.py',
      block: 'Store.put',
      how: 'seed',
      rule: 'refactor',
      status: 'proposed',
      causes: [],
      tier: 'breaks',
      diff: [
        '--- a/store.py',
        '+++ b/store.py',
        '@@ -1,3 +1,3 @@',
        ' class Store:',
        '-    def put(self, key, ttl):',
        '+    def insert(self, key, ttl):',
        '         return key',
        '',
      ].join('\n'),
      reason: 'This was asked for: rename Store.put to insert.',
      startLine: 2,
    },
    ...PLAN_EXAMPLE.steps,
  ],
} as const;

const PUT = { file: 'store.py', block: 'Store.put', kind: 'method', startLine: 2, endLine: 3 } as const;
const SAVE_CALLS_PUT = {
  file: 'job.py',
  block: 'save',
  relation: 'CalledBy',
  confidence: 'certain',
  via: 'member',
  startLine: 5,
  startColumn: 10,
  endLine: 5,
  endColumn: 13,
  path: [
    { file: 'job.py', line: 4, words: 'store is a parameter of type Store' },
    { file: 'job.py', line: 1, words: 'Store is imported from store' },
    { file: 'store.py', line: 2, words: 'Store declares put' },
  ],
} as const;
const SPELLED = { file: 'admin.py', line: 5, reason: 'a string spells put' } as const;

/** An edge of the exported graph, certain as all of the example are. */
const edge = (from: readonly [string, string], kind: string, to: readonly [string, string]) => ({
  from: { file: from[0], block: from[1] },
  to: { file: to[0], block: to[1] },
  kind,
  confidence: 'certain',
});

/** A line of the difference in the example of `codeplan/rows`. */
const row = <K extends 'hunk' | 'context' | 'removed' | 'added'>(kind: K, n: number, text: string, line: number) =>
  ({ key: `line 1 ${n}`, kind, level: 2, text, steps: [1], place: { file: 'job.py', line }, isFolded: false }) as const;

export const METHODS = {
  'codeplan/handshake': {
    kind: 'request',
    summary: 'Opens a session. It comes first on a socket; over stdio, `codeplan lsp` sends it.',
    params: handshakeParams,
    result: handshakeResult,
    errors: ['version'],
    example: {
      params: {
        protocol: 1,
        version: '0.1.0',
        build: '0123456789abcdef',
        client: {
          name: 'codeplan impact',
          pid: 4712,
          workingDirectory: '/home/ann/shop',
          environment: { PATH: '/usr/bin', CODEPLAN_BASE_URL: 'http://127.0.0.1:11434/v1', CODEPLAN_MODEL: 'coder' },
        },
        notify: true,
      },
      result: {
        protocol: 1,
        version: '0.1.0',
        build: '0123456789abcdef',
        pid: 4711,
        root: '/home/ann/shop',
        log: '/home/ann/.local/state/codeplan/log/shop.log',
      },
    },
  },
  'codeplan/status': {
    kind: 'request',
    summary: 'What the index holds and how it is kept warm. Answered at once, also while the first index is built.',
    params: nothing,
    result: status,
    errors: [],
    example: { params: {}, result: STATUS_EXAMPLE },
  },
  'codeplan/impact': {
    kind: 'request',
    summary: 'What the changes since a baseline affect, and why.',
    params: impactParams,
    result: impactReport,
    errors: ['root', 'noGit', 'revision', 'baseDirectory'],
    example: { params: { base: 'HEAD', depth: 1 }, result: IMPACT_EXAMPLE },
  },
  'codeplan/plan': {
    kind: 'request',
    summary:
      'Plans the edits that follow from the changes since a baseline. Writes only when `apply` is set; ' +
      'otherwise `codeplan/execute` or `codeplan/edits` can name the run.',
    params: propagateParams,
    result: propagateReport,
    errors: [
      'root',
      'noGit',
      'revision',
      'baseDirectory',
      'settings',
      'model',
      'oracle',
      'unknownBlock',
      'ambiguousBlock',
      'unknownRun',
      'textMovedOn',
      'write',
      'busy',
    ],
    example: { params: { base: 'HEAD', model: 'none' }, result: PLAN_EXAMPLE },
  },
  'codeplan/refactor': {
    kind: 'request',
    summary:
      'Makes an edit that is asked for by name (rename, move, change a signature) and plans all that follows ' +
      'from it. Writes only when `apply` is set; the run can be named as that of `codeplan/plan`.',
    params: refactorParams,
    result: propagateReport,
    errors: [
      'root',
      'settings',
      'model',
      'oracle',
      'unknownBlock',
      'ambiguousBlock',
      'refused',
      'textMovedOn',
      'write',
      'busy',
    ],
    example: {
      params: { refactoring: { kind: 'rename', block: 'store.py:Store.put', to: 'insert' }, model: 'none' },
      result: REFACTOR_EXAMPLE,
    },
  },
  'codeplan/generate': {
    kind: 'request',
    summary:
      "Has a model write a block or a file for a description, with the repository's tools and an oracle in " +
      'the loop, and plans what follows from it. Writes only when `apply` is set and the oracle passes it; ' +
      'the run can be named as that of `codeplan/plan`.',
    params: generateParams,
    result: generateReport,
    errors: ['root', 'settings', 'model', 'oracle', 'refused', 'textMovedOn', 'write', 'busy'],
    example: {
      params: { file: 'store.py', name: 'Cache', description: 'A store that forgets old entries.', prompt: true },
      result: GENERATE_EXAMPLE,
    },
  },
  'codeplan/refactor/here': {
    kind: 'request',
    summary:
      'What could be refactored at a place, by the name to give to `codeplan/refactor` and as an editor asks ' +
      'for the rest of it.',
    params: hereParams,
    result: hereReport,
    errors: ['root', 'unknownBlock'],
    example: {
      params: { file: 'store.py', line: 2, column: 8 },
      result: {
        schema: 1,
        rename: { block: 'store.py:2:8', name: 'put', isExported: false },
        signature: { block: 'store.py:2:8', name: 'put', parameters: 'key, ttl', isAsync: false, isHeader: true },
        move: { block: 'store.py:Store', name: 'Store', to: null, isHeader: false },
      },
    },
  },
  'codeplan/review': {
    kind: 'request',
    summary:
      'Takes steps of a run or hunks of them, or leaves them out, and says what that makes of the others. ' +
      'Writes nothing; `codeplan/execute`, `codeplan/edits` and the command `codeplan.propagate` go by it.',
    params: reviewParams,
    result: reviewReport,
    errors: ['unknownRun', 'refused'],
    example: {
      params: { run: '5f0c2a1b', accept: [1] },
      result: { schema: 1, run: '5f0c2a1b', steps: [{ id: 1, status: 'accepted' }] },
    },
  },
  'codeplan/rows': {
    kind: 'request',
    summary:
      'A plan as rows of text, for an editor that shows it: by file, edits that are alike together, each ' +
      'with its difference, and the sums.',
    params: rowsParams,
    result: rowsReport,
    errors: ['unknownRun'],
    example: {
      params: { run: '5f0c2a1b' },
      result: {
        schema: 1,
        run: '5f0c2a1b',
        head: ['1 edit in 1 file, 1 accepted, 1 place undecided'],
        rows: [
          {
            key: 'file job.py',
            kind: 'file',
            level: 0,
            text: 'job.py  1',
            steps: [1],
            place: { file: 'job.py', line: 5 },
            isFolded: false,
          },
          {
            key: 'step 1',
            kind: 'step',
            level: 1,
            text: '+   1  line 5     save  renamed: put → insert',
            steps: [1],
            place: { file: 'job.py', line: 5 },
            isFolded: true,
          },
          row('hunk', 0, '@@ -2,4 +2,4 @@', 2),
          row('context', 1, ' ', 2),
          row('context', 2, ' ', 3),
          row('context', 3, ' def save(store: Store, k):', 4),
          row('removed', 4, '-    store.put(k, 1)', 5),
          row('added', 5, '+    store.insert(k, 1)', 5),
        ],
      },
    },
  },
  'codeplan/execute': {
    kind: 'request',
    summary: 'Writes steps of a run to the disk, all or nothing.',
    params: executeParams,
    result: executeReport,
    errors: ['unknownRun', 'textMovedOn', 'write', 'busy'],
    example: {
      params: { run: '5f0c2a1b', steps: [1] },
      result: {
        schema: 1,
        run: '5f0c2a1b',
        steps: [{ id: 1, status: 'applied' }],
        files: ['job.py'],
        undo: 'codeplan undo 5f0c2a1b',
      },
    },
  },
  'codeplan/edits': {
    kind: 'request',
    summary: "The edits of a run's steps as texts, for a client that applies them to its own buffers. Writes nothing.",
    params: executeParams,
    result: editsReport,
    errors: ['unknownRun', 'textMovedOn'],
    example: {
      params: { run: '5f0c2a1b' },
      result: {
        schema: 1,
        edits: [
          {
            kind: 'change',
            file: 'job.py',
            before: 'from store import Store\n\n\ndef save(store: Store, k):\n    store.put(k, 1)\n',
            after: 'from store import Store\n\n\ndef save(store: Store, k):\n    store.insert(k, 1)\n',
          },
        ],
      },
    },
  },
  'codeplan/left': {
    kind: 'request',
    summary:
      'What is left of the edits since the last commit: what breaks or may have to follow, with what became ' +
      'of it. It lasts until all is mended, dismissed or committed.',
    params: leftParams,
    result: leftReport,
    errors: ['root'],
    example: { params: {}, result: LEFT_EXAMPLE },
  },
  'codeplan/next': {
    kind: 'request',
    summary:
      'The place to look at next: what breaks first, in this file first, definitions before uses, from the ' +
      'cursor on; with its edit where a rule has one.',
    params: nextParams,
    result: nextReport,
    errors: ['root'],
    example: {
      params: { file: 'store.py', line: 2 },
      result: {
        schema: 1,
        counts: LEFT_EXAMPLE.counts,
        place: LEFT_EXAMPLE.entries[0],
        number: 1,
        standing: '1 of 1 left',
        edit: {
          run: '5f0c2a1b',
          step: 1,
          files: ['job.py'],
          lines: [{ line: 5, removed: ['    store.put(k, 1)'], added: ['    store.insert(k, 1)'] }],
        },
        asks: null,
        planned: true,
        says: ['renamed: put → insert'],
      },
    },
  },
  'codeplan/take': {
    kind: 'request',
    summary:
      'The edit of one entry of `codeplan/left`, for a client that makes it in its own buffers. Writes ' +
      'nothing; the command `codeplan.take` has the editor make it.',
    params: takeParams,
    result: takeReport,
    errors: ['root', 'textMovedOn'],
    example: {
      params: { id: LEFT_EXAMPLE.entries[0].id },
      result: {
        schema: 1,
        run: '5f0c2a1b',
        step: 1,
        edits: [
          {
            kind: 'change',
            file: 'job.py',
            before: 'from store import Store\n\n\ndef save(store: Store, k):\n    store.put(k, 1)\n',
            after: 'from store import Store\n\n\ndef save(store: Store, k):\n    store.insert(k, 1)\n',
          },
        ],
      },
    },
  },
  'codeplan/decide': {
    kind: 'request',
    summary:
      'What a person says of entries of `codeplan/left`: that they need not follow, or do after all, or come ' +
      'after all others; and values to plan with. It outlives the session, but for what is skipped.',
    params: decideParams,
    result: decideReport,
    errors: ['root', 'write'],
    example: {
      params: { ids: [LEFT_EXAMPLE.entries[0].id], as: 'dismissed' },
      result: { schema: 1, counts: { left: 0, breaks: 0, waiting: 0, rejected: 0, dismissed: 1, undecided: 1 } },
    },
  },
  'codeplan/prompt': {
    kind: 'request',
    summary: 'What a model would be sent for one step of the plan, to whom, and about how many tokens. Sends nothing.',
    params: promptParams,
    result: promptReport,
    errors: ['root', 'noGit', 'revision', 'baseDirectory', 'settings', 'model'],
    example: {
      params: { base: 'HEAD', step: 'job.py::save' },
      result: {
        schema: 1,
        file: 'job.py',
        block: 'save',
        to: '127.0.0.1:11434',
        model: 'coder',
        messages: [
          { role: 'system', content: 'You change one fragment of a program …' },
          { role: 'user', content: '# Why the fragment is affected …' },
        ],
        tokens: 412,
        parts: [
          { part: 'instructions', tokens: 200 },
          { part: 'earlier edits', tokens: 60 },
          { part: 'imports', tokens: 20 },
          { part: 'reasons', tokens: 40 },
          { part: 'the fragment', tokens: 70 },
          { part: 'the answer wanted', tokens: 22 },
        ],
      },
    },
  },
  'codeplan/undo': {
    kind: 'request',
    summary: 'Restores the bytes from before a run, or refuses as a whole.',
    params: undoParams,
    result: undoReport,
    errors: ['unknownRun', 'textMovedOn', 'write', 'busy'],
    example: { params: { run: '5f0c2a1b' }, result: { schema: 1, run: '5f0c2a1b', files: ['job.py'] } },
  },
  'codeplan/log': {
    kind: 'request',
    summary: 'Runs that wrote to the disk, newest first.',
    params: nothing,
    result: logReport,
    errors: [],
    example: {
      params: {},
      result: {
        schema: 1,
        entries: [
          {
            run: '5f0c2a1b',
            time: '2026-01-02T03:04:05.678Z',
            title: 'put -> insert',
            state: 'applied',
            files: ['job.py'],
          },
        ],
        damaged: [],
      },
    },
  },
  'codeplan/api': {
    kind: 'request',
    summary: 'What the root offers as a library: public names, and skeletons of its files.',
    params: apiParams,
    result: apiDescriptor,
    errors: ['root', 'noGit', 'revision'],
    example: { params: {}, result: API_EXAMPLE },
  },
  'codeplan/graph': {
    kind: 'request',
    summary: 'The dependency graph of the whole repository.',
    params: graphParams,
    result: graphExport,
    errors: ['root'],
    example: {
      params: { confidence: 'certain' },
      result: {
        schema: 1,
        edges: [
          edge(['disk.py', '<module>'], 'import', ['store.py', 'Store']),
          edge(['disk.py', 'DiskStore'], 'inherit', ['store.py', 'Store']),
          edge(['job.py', '<module>'], 'import', ['store.py', 'Store']),
          edge(['job.py', 'save'], 'use', ['store.py', 'Store']),
          edge(['job.py', 'save'], 'call', ['store.py', 'Store.put']),
          edge(['log.py', 'write'], 'use', ['log.py', 'Log']),
          edge(['log.py', 'write'], 'call', ['log.py', 'Log.put']),
        ],
        complete: true,
        problems: [],
      },
    },
  },
  'codeplan/graph/scip': {
    kind: 'request',
    summary: "Definitions, and the names that certainly mean them, in the terms of SCIP, code search engines' format.",
    params: nothing,
    result: scipReport,
    errors: ['root'],
    example: {
      params: {},
      result: {
        schema: 1,
        documents: [
          {
            file: 'admin.py',
            language: 'python',
            symbols: [
              { symbol: 'codeplan . . . `admin.py`/' },
              { symbol: 'codeplan . . . `admin.py`/run().', kind: 'function', name: 'run' },
            ],
            occurrences: [
              [0, 1, 0, 0, 0],
              [1, 1, 3, 4, 7],
            ],
          },
          {
            file: 'disk.py',
            language: 'python',
            symbols: [
              { symbol: 'codeplan . . . `disk.py`/' },
              {
                symbol: 'codeplan . . . `disk.py`/DiskStore#',
                kind: 'class',
                name: 'DiskStore',
                implements: ['codeplan . . . `store.py`/Store#'],
              },
              { symbol: 'codeplan . . . `store.py`/Store#' },
            ],
            occurrences: [
              [0, 1, 0, 0, 0],
              [1, 1, 3, 6, 15],
              [2, 2, 0, 18, 23],
              [2, 8, 3, 16, 21],
            ],
          },
          {
            file: 'job.py',
            language: 'python',
            symbols: [
              { symbol: 'codeplan . . . `job.py`/' },
              { symbol: 'codeplan . . . `job.py`/save().', kind: 'function', name: 'save' },
              { symbol: 'codeplan . . . `store.py`/Store#' },
              { symbol: 'codeplan . . . `store.py`/Store#put().' },
            ],
            occurrences: [
              [0, 1, 0, 0, 0],
              [1, 1, 3, 4, 8],
              [2, 2, 0, 18, 23],
              [2, 8, 3, 16, 21],
              [3, 8, 4, 10, 13],
            ],
          },
          {
            file: 'log.py',
            language: 'python',
            symbols: [
              { symbol: 'codeplan . . . `log.py`/' },
              { symbol: 'codeplan . . . `log.py`/Log#', kind: 'class', name: 'Log' },
              { symbol: 'codeplan . . . `log.py`/Log#put().', kind: 'method', name: 'put' },
              { symbol: 'codeplan . . . `log.py`/write().', kind: 'function', name: 'write' },
            ],
            occurrences: [
              [0, 1, 0, 0, 0],
              [1, 1, 0, 6, 9],
              [2, 1, 1, 8, 11],
              [3, 1, 5, 4, 9],
              [1, 8, 5, 15, 18],
              [2, 8, 6, 8, 11],
            ],
          },
          {
            file: 'store.py',
            language: 'python',
            symbols: [
              { symbol: 'codeplan . . . `store.py`/' },
              { symbol: 'codeplan . . . `store.py`/Store#', kind: 'class', name: 'Store' },
              { symbol: 'codeplan . . . `store.py`/Store#put().', kind: 'method', name: 'put' },
            ],
            occurrences: [
              [0, 1, 0, 0, 0],
              [1, 1, 0, 6, 11],
              [2, 1, 1, 8, 11],
            ],
          },
        ],
        complete: true,
        problems: [],
      },
    },
  },
  'codeplan/graph/refs': {
    kind: 'request',
    summary: 'Who refers to a block, how sure that is, and by which path of resolution.',
    params: refsParams,
    result: refsReport,
    errors: ['root', 'unknownBlock', 'ambiguousBlock', 'languageServer'],
    example: {
      params: { block: 'store.py:Store.put' },
      result: {
        schema: 1,
        blocks: [PUT],
        references: [SAVE_CALLS_PUT],
        denied: [],
        undecided: [SPELLED],
        complete: true,
        problems: [],
      },
    },
  },
  'codeplan/graph/calls': {
    kind: 'request',
    summary: 'Who calls a block, or what it calls, some calls deep.',
    params: callsParams,
    result: callsReport,
    errors: ['root', 'unknownBlock', 'ambiguousBlock', 'languageServer'],
    example: {
      params: { block: 'Store.put', direction: 'callers', depth: 2 },
      result: {
        schema: 1,
        blocks: [PUT],
        direction: 'callers',
        calls: [
          {
            depth: 1,
            file: 'job.py',
            block: 'save',
            relation: 'CalledBy',
            confidence: 'certain',
            via: 'member',
            of: { file: 'store.py', block: 'Store.put' },
            sites: [{ startLine: 5, startColumn: 10, endLine: 5, endColumn: 13 }],
            path: SAVE_CALLS_PUT.path,
          },
        ],
        throughBases: [],
        undecided: [SPELLED],
        complete: true,
        problems: [],
      },
    },
  },
  'codeplan/graph/hierarchy': {
    kind: 'request',
    summary: 'Bases and derived classes of a class, or the members that a member overrides and that override it.',
    params: hierarchyParams,
    result: hierarchyReport,
    errors: ['root', 'unknownBlock', 'ambiguousBlock'],
    example: {
      params: { block: 'Store' },
      result: {
        schema: 1,
        blocks: [{ file: 'store.py', block: 'Store', kind: 'class', startLine: 1, endLine: 3 }],
        bases: [],
        derived: [
          {
            depth: 1,
            file: 'disk.py',
            block: 'DiskStore',
            line: 4,
            name: 'DiskStore',
            of: { file: 'store.py', block: 'Store' },
          },
        ],
        searchOrder: [{ file: 'store.py', block: 'Store' }],
        overrides: [],
        overriddenBy: [],
        unknownBase: false,
        complete: true,
        problems: [],
      },
    },
  },
  'codeplan/ground': {
    kind: 'request',
    summary:
      'The blocks that could implement what a sentence says, found by their words; no model is asked, unless ' +
      '`describe` or `vectors` wants it.',
    params: groundParams,
    result: groundReport,
    errors: ['root', 'settings'],
    example: {
      params: { intents: ['write a log entry'], k: 1 },
      result: {
        schema: 1,
        results: [
          {
            intent: 'write a log entry',
            symbols: [
              {
                file: 'log.py',
                block: 'write',
                name: 'write',
                kind: 'function',
                qualifiedName: 'log.write',
                line: 6,
                signature: 'def write(log: Log):',
                score: 6.025,
                via: 'name',
              },
            ],
          },
        ],
      },
    },
  },
  'codeplan/planSearch': {
    kind: 'request',
    summary:
      'Plans for a request in words, each step with the symbols that could carry it out; `search` and ' +
      '`react` ask the model of the role `plan`. Progress tells of the best so far.',
    params: planSearchParams,
    result: planSearchReport,
    errors: ['root', 'settings', 'busy'],
    example: {
      params: { request: 'write a log entry', mode: 'topk', symbols: 1 },
      result: {
        schema: 1,
        request: 'write a log entry',
        mode: 'topk',
        stop: 'done',
        plans: [{ score: 1, diversity: 1, steps: [LOG_STEP], text: LOG_PLAN.replace('log it', 'write a log entry') }],
        usage: { ...NOTHING_USED, grounded: 1 },
        notes: [],
      },
    },
  },
  'codeplan/planStop': {
    kind: 'request',
    summary: 'Ends a search of this session, which then answers with what is best so far.',
    params: planStopParams,
    result: planStopReport,
    errors: [],
    example: { params: { search: 'mine' }, result: { stopped: false } },
  },
  'codeplan/planRead': {
    kind: 'request',
    summary:
      'A plan as somebody wrote it or edited it, with its symbols as they are now; steps without symbols are ' +
      'looked up.',
    params: planReadParams,
    result: planDocument,
    errors: ['root', 'settings'],
    example: {
      params: { request: 'log it', steps: [{ intent: 'write a log entry', symbols: ['log.py:write'] }] },
      result: {
        schema: 1,
        request: 'log it',
        steps: [{ ...LOG_STEP, symbols: LOG_STEP.symbols.map((symbol) => ({ ...symbol, score: 0 })) }],
        text: LOG_PLAN,
        notes: [],
      },
    },
  },
  'codeplan/planRows': {
    kind: 'request',
    summary:
      'Plans of a request as rows of text, for an editor that shows them, after what its person did to a step: ' +
      'strike it out, reword it, have it looked up anew.',
    params: planRowsParams,
    result: planRowsReport,
    errors: ['root', 'settings'],
    example: {
      params: { plans: [LOG_PLAN], edit: { plan: 0, step: 1, as: 'mark', to: 'use' } },
      result: {
        schema: 1,
        head: ['log it'],
        plans: [LOG_PLAN.replace('1. ', '1. [use] ')],
        rows: [
          { key: 'plan 0', kind: 'plan', level: 0, text: 'Plan 1: 1 step, 1 symbol', plan: 0, isFolded: false },
          {
            key: 'step 0 1',
            kind: 'step',
            level: 1,
            text: '1. [use] write a log entry',
            plan: 0,
            step: 1,
            intent: 'write a log entry',
            isFolded: false,
          },
          {
            key: 'symbol 0 1 log.py:write',
            kind: 'symbol',
            level: 2,
            text: 'log.py:6  write  def write(log: Log):',
            plan: 0,
            step: 1,
            symbol: 'log.py:write',
            place: { file: 'log.py', line: 6 },
            isFolded: false,
          },
        ],
        notes: [],
      },
    },
  },
  'codeplan/planPrompt': {
    kind: 'request',
    summary: 'The text that stands for the repository in front of a request: the plan and what its symbols are.',
    params: planPromptParams,
    result: planPromptReport,
    errors: ['root', 'settings'],
    example: {
      params: {
        request: 'log it',
        steps: [{ intent: 'write a log entry', symbols: ['log.py:write'] }],
        style: 'names',
      },
      result: { schema: 1, text: PLAN_PROMPT, tokens: 140, notes: [] },
    },
  },
  'codeplan/planCode': {
    kind: 'request',
    summary: 'Has the model of the role `plan` write code from a plan; nothing of it is run or written.',
    params: planCodeParams,
    result: planCodeReport,
    errors: ['root', 'settings', 'model'],
    example: {
      params: { request: 'log it', steps: [{ intent: 'write a log entry', symbols: ['log.py:write'] }], n: 2 },
      result: {
        schema: 1,
        samples: [{ code: 'write(Log())' }, { code: 'import log' }],
        usage: { calls: 1, promptTokens: 210, completionTokens: 40 },
      },
    },
  },
  'codeplan/do': {
    kind: 'request',
    summary:
      'Carries a request in words out: a plan, what each of its steps asks for, and the edits with all that ' +
      'follows; stops after any of these, and goes on from a plan as a text.',
    params: doParams,
    result: doReport,
    errors: ['root', 'settings', 'model', 'oracle', 'write', 'textMovedOn', 'busy', 'refused'],
    example: {
      params: { request: 'let the log take a level', mode: 'topk', symbols: 1, model: 'none', stopAfter: 'work' },
      result: {
        schema: 1,
        request: 'let the log take a level',
        stage: 'work',
        steps: [
          {
            intent: 'let the log take a level',
            symbols: [
              {
                file: 'log.py',
                block: 'Log',
                name: 'Log',
                kind: 'class',
                qualifiedName: 'log.Log',
                line: 1,
                signature: 'class Log:',
                score: 2.228,
              },
            ],
          },
        ],
        text:
          '# Plan\n\n> let the log take a level\n\n1. [edit] let the log take a level\n   - `log.py:Log` class ' +
          'Log:\n',
        search: { stop: 'done', mode: 'topk', usage: { ...NOTHING_USED, grounded: 1 } },
        work: [{ step: 1, kind: 'edit', by: 'words', blocks: [{ file: 'log.py', block: 'Log' }], state: 'planned' }],
        edits: null,
        usage: { calls: 0, promptTokens: 0, completionTokens: 0 },
        notes: [],
      },
    },
  },
  'codeplan/tool': {
    kind: 'request',
    summary:
      'Calls one of the repository tools (`docs/agents.md`): what a class has, signatures, bodies, imports, ' +
      'code that a sentence is about.',
    params: toolParams,
    result: toolReport,
    errors: ['root'],
    example: {
      params: { tool: 'get_signature', arguments: { class: 'Log', method: 'put' } },
      result: {
        schema: 1,
        text: 'log.py:2 Log.put: def put(self, key):',
        refused: false,
        structured: {
          items: [
            {
              owner: 'Log',
              name: 'put',
              file: 'log.py',
              line: 2,
              signature: 'def put(self, key):',
              parameters: [{ name: 'key', optional: false }],
            },
          ],
          truncated: false,
          total: 1,
        },
      },
    },
  },
  'codeplan/graph/why': {
    kind: 'request',
    summary:
      'Why a place refers to a block, or why it does not: which facts the resolver followed, and where they ended.',
    params: whyParams,
    result: whyReport,
    errors: ['root', 'unknownBlock', 'ambiguousBlock'],
    example: {
      params: { block: 'Store.put', from: 'log.py:write' },
      result: {
        schema: 1,
        blocks: [PUT],
        from: { file: 'log.py', block: 'write', startLine: 6, endLine: 7 },
        references: [],
        others: [
          {
            file: 'log.py',
            block: 'write',
            startLine: 7,
            startColumn: 8,
            endLine: 7,
            endColumn: 11,
            outcome: 'other',
            means: [{ file: 'log.py', block: 'Log.put' }],
            path: [
              { file: 'log.py', line: 6, words: 'log is a parameter of type Log' },
              { file: 'log.py', line: 2, words: 'Log declares put' },
            ],
          },
        ],
        summary: 'log.py:write says put, where the name means something else: so it does not refer to it.',
        complete: true,
        problems: [],
      },
    },
  },
  'codeplan/graph/names': {
    kind: 'request',
    summary: 'Names of blocks, and paths, that begin with what was typed: for completion.',
    params: namesParams,
    result: namesReport,
    errors: ['root'],
    example: { params: { begun: 'Store.p' }, result: { schema: 1, names: ['Store.put'] } },
  },
  'codeplan/page': {
    kind: 'request',
    summary:
      'The address of a page that shows the plan that this session made last, and follows what becomes of ' +
      'it. On loopback, until the session ends. The address opens the page once; ask again for another ' +
      'window.',
    params: nothing,
    result: pageResult,
    errors: ['daemon'],
    example: { params: {}, result: { url: 'http://127.0.0.1:41234/3q2-7w/' } },
  },
  'codeplan/settle': {
    kind: 'request',
    summary:
      "What is there becomes what this client's latest edit is measured against, or with `back` what it was before.",
    params: settleParams,
    result: z.null(),
    errors: [],
    example: { params: {}, result: null },
  },
  'codeplan/text': {
    kind: 'notification',
    summary:
      "From a client that is no editor: an unsaved text, which hides the disk's for this client; without " +
      '`text` there is none any more.',
    params: textParams,
    result: undefined,
    errors: [],
    example: { params: { file: 'store.py', text: 'class Store:\n    pass\n', version: 1 } },
  },
  'codeplan/stop': {
    kind: 'request',
    summary: 'Ends the daemon once running writes are done.',
    params: nothing,
    result: stopResult,
    errors: [],
    example: { params: {}, result: { pid: 4711 } },
  },
  'codeplan/reviewed': {
    kind: 'notification',
    summary:
      "From the daemon: the session's plan was reviewed on its page. Only to editors that asked for it by " +
      '`capabilities.experimental.codeplan`.',
    params: reviewReport,
    result: undefined,
    errors: [],
    example: {
      params: {
        schema: 1,
        run: '5f0c2a1b',
        steps: [
          { id: 1, status: 'proposed' },
          { id: 2, status: 'rejected' },
        ],
      },
      result: undefined,
    },
  },
  'codeplan/changed': {
    kind: 'notification',
    summary:
      "From the daemon: what the client's latest edit affects was computed anew. Only to editors that asked " +
      'for it by `capabilities.experimental.codeplan`.',
    params: changed,
    result: undefined,
    errors: [],
    example: {
      params: {
        changes: 1,
        affected: 2,
        breaks: 2,
        waiting: 0,
        rejected: 0,
        dismissed: 0,
        undecided: 0,
        complete: true,
      },
    },
  },
  'codeplan/viewChanged': {
    kind: 'notification',
    summary:
      'From the daemon: what the client asked about may have other answers now. Only to clients that asked ' +
      'for it by `notify` in the handshake.',
    params: nothing,
    result: undefined,
    errors: [],
    example: { params: {} },
  },
} as const satisfies Readonly<Record<string, Method>>;

export type MethodName = keyof typeof METHODS;
export type RequestName = { [M in MethodName]: (typeof METHODS)[M]['kind'] extends 'request' ? M : never }[MethodName];
export type ParamsOf<M extends MethodName> = z.infer<(typeof METHODS)[M]['params']>;
export type ResultOf<M extends RequestName> = z.infer<NonNullable<(typeof METHODS)[M]['result']>>;
