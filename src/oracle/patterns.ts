/**
 * What tools print, to diagnostics: one table row for each format.
 *
 * A row is a list of line rules, tried in order on each line, or a reader for output that is one
 * document. A rule's groups are named after the fields of a diagnostic. Some tools split a message
 * over lines: a rule that `carries` keeps its groups for the rules below it, until the next line
 * that carries (ESLint names the file once), or for one line only (`once`; cargo names the message
 * first and the place after).
 *
 * Lines that no rule knows are skipped: whether a run that failed said anything readable is for
 * the caller to judge (`io/tools/run-oracle.ts`).
 */
import type { Diagnostic, Severity } from './diagnostic.js';
import { readJunit } from './junit-output.js';
import { relativePath } from './paths.js';
import { readPytest } from './pytest-output.js';
import { readPyright } from './pyright-output.js';

export type PatternName =
  | 'pyright'
  | 'pyright-json'
  | 'mypy'
  | 'tsc'
  | 'eslint-unix'
  | 'eslint-stylish'
  | 'javac'
  | 'maven'
  | 'maven-test'
  | 'gradle'
  | 'msbuild'
  | 'mcs'
  | 'pytest'
  | 'junit'
  | 'go'
  | 'cargo';

export interface LineRule {
  readonly pattern: RegExp;
  readonly carries?: 'until-next' | 'once';
}

export type ProblemPattern =
  | { readonly kind: 'lines'; readonly rules: readonly LineRule[]; readonly severity: Severity }
  | {
      readonly kind: 'document';
      /** `fileOf`: the file of the tree whose path ends so. */
      readonly read: (output: string, fileOf: (ending: string) => string | undefined) => readonly Diagnostic[];
    };

const lines = (severity: Severity, ...rules: (RegExp | LineRule)[]): ProblemPattern => ({
  kind: 'lines',
  severity,
  rules: rules.map((rule) => (rule instanceof RegExp ? { pattern: rule } : rule)),
});

/** A file's name in front of a place: not blank at its ends; a Windows drive letter is part of it. */
const FILE = String.raw`(?<file>(?:[A-Za-z]:)?[^\s:(][^:(]*?)`;
const JAVAC = new RegExp(
  String.raw`^${FILE}:(?<line>\d+): (?:(?<severity>error|warning): )?(?:\[(?<code>[\w-]+)\] )?(?<message>\S.*)$`,
);

const MAVEN =
  /^\[(?<severity>ERROR|WARNING)\] (?<file>(?:[A-Za-z]:)?[^\s:[][^:[]*):\[(?<line>\d+),(?<column>\d+)\] (?<message>.*)$/;

export const PATTERNS: Readonly<Record<PatternName, ProblemPattern>> = {
  pyright: lines(
    'error',
    new RegExp(
      String.raw`^\s*${FILE}:(?<line>\d+):(?<column>\d+) - (?<severity>error|warning|information): (?<message>.*?)(?: \((?<code>report\w+)\))?$`,
    ),
  ),
  'pyright-json': { kind: 'document', read: readPyright },
  mypy: lines(
    'error',
    new RegExp(
      String.raw`^${FILE}:(?<line>\d+):(?:(?<column>\d+):(?:(?<endLine>\d+):(?<endColumn>\d+):)?)? (?<severity>error|warning|note): (?<message>.*?)(?:  \[(?<code>[\w-]+)\])?$`,
    ),
  ),
  tsc: lines(
    'error',
    new RegExp(
      String.raw`^(?<file>\S.*?)\((?<line>\d+),(?<column>\d+)\): (?<severity>error|warning) (?<code>TS\d+): (?<message>.*)$`,
    ),
    new RegExp(
      String.raw`^(?<file>\S.*?):(?<line>\d+):(?<column>\d+) - (?<severity>error|warning) (?<code>TS\d+): (?<message>.*)$`,
    ),
  ),
  'eslint-unix': lines(
    'error',
    new RegExp(
      String.raw`^${FILE}:(?<line>\d+):(?<column>\d+): (?<message>.*) \[(?<severity>Error|Warning)(?:/(?<code>[^\]]+))?\]$`,
    ),
  ),
  'eslint-stylish': lines(
    'error',
    /^\s+(?<line>\d+):(?<column>\d+)\s+(?<severity>error|warning)\s+(?<message>.*?)(?:\s{2,}(?<code>\S+))?$/,
    { pattern: /^(?<file>(?:[A-Za-z]:)?[^\s:✖].*\.\w+)$/, carries: 'until-next' },
  ),
  javac: lines('error', JAVAC),
  maven: lines('error', MAVEN),
  // A failing test is known by its class, as surefire's sum at the end names it.
  'maven-test': lines(
    'error',
    MAVEN,
    /^\[(?<severity>ERROR)\] {2,}(?<file>[\w.$]+)\.(?<code>[\w$]+):(?<line>\d+)(?:->\S+)? (?<message>.*)$/,
    /^\[(?<severity>ERROR)\] {2,}(?<file>[\w.$]+)\.(?<code>[\w$]+) » (?<message>.*)$/,
  ),
  gradle: lines(
    'error',
    JAVAC,
    new RegExp(
      String.raw`^(?<severity>e|w): (?:file://)?(?<file>/[^:]+):(?<line>\d+):(?<column>\d+):? (?<message>.*)$`,
    ),
  ),
  msbuild: lines(
    'error',
    /^\s*(?:\d+>)?(?<file>\S[^(]*?)\((?<line>\d+),(?<column>\d+)(?:,(?<endLine>\d+),(?<endColumn>\d+))?\): (?<severity>error|warning|info) (?<code>\w+): (?<message>.*?)(?: \[[^\]]+\])?$/,
  ),
  mcs: lines(
    'error',
    /^(?<file>\S[^(]*?)\((?<line>\d+),(?<column>\d+)(?:\+)?\): (?<severity>error|warning) (?<code>CS\d+): (?<message>.*)$/,
  ),
  pytest: { kind: 'document', read: readPytest },
  junit: { kind: 'document', read: readJunit },
  go: lines(
    'error',
    /^(?:vet: )?(?<file>(?:\.\/|\.\.\/|\/)?[^\s:]+\.go):(?<line>\d+):(?:(?<column>\d+):)? (?<message>.*)$/,
  ),
  cargo: lines(
    'error',
    { pattern: /^(?<severity>error|warning)(?:\[(?<code>\w+)\])?: (?<message>.*)$/, carries: 'once' },
    /^\s*--> (?<file>.+?):(?<line>\d+):(?<column>\d+)$/,
  ),
};

/**
 * A person's own pattern, from a regular expression with the named groups of a diagnostic; `message`, `file` and
 * `line` must be there.
 */
export function ownPattern(
  source: string,
): { readonly ok: true; readonly pattern: ProblemPattern } | { readonly ok: false; readonly message: string } {
  let pattern: RegExp;
  try {
    pattern = new RegExp(source);
  } catch (error) {
    // A regular expression of a person's configuration is input, and this is the only way to check it.
    return {
      ok: false,
      message:
        'the problem pattern is not a regular expression: ' + (error instanceof Error ? error.message : String(error)),
    };
  }
  const lacking = ['file', 'line', 'message'].filter((group) => !source.includes(`(?<${group}>`));
  if (lacking.length > 0)
    return {
      ok: false,
      message: `the problem pattern has no group ${lacking.map((group) => `(?<${group}>…)`).join(' and no ')}`,
    };
  return { ok: true, pattern: { kind: 'lines', rules: [{ pattern }], severity: 'error' } };
}

/**
 * The diagnostics in a tool's output, in its order, each once.
 *
 * `roots`: directories that paths are made relative to, the innermost first. `files`: those of the tree.
 */
export function parseOutput(
  output: string,
  pattern: ProblemPattern,
  roots: readonly string[],
  files: readonly string[] = [],
): Diagnostic[] {
  const plain = withoutEscapes(output);
  const fileOf = (ending: string): string | undefined =>
    files.find((file) => file === ending || file.endsWith(`/${ending}`));
  const found =
    pattern.kind === 'document' ? pattern.read(plain, fileOf) : readLines(plain, pattern.rules, pattern.severity);
  const seen = new Set<string>();
  const out: Diagnostic[] = [];
  for (const diagnostic of found) {
    const relative = { ...diagnostic, file: relativePath(diagnostic.file, roots) };
    const key = JSON.stringify(relative);
    if (!seen.has(key)) out.push(relative);
    seen.add(key);
  }
  return out;
}

/** Colours, cursor movements and hyperlinks of terminals. */
export function withoutEscapes(output: string): string {
  return output.replace(/\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[@-Z\\-_]/g, '');
}

/** Longest line that is looked at: what is longer is data, and patterns would crawl over it. */
const LINE_CHARACTERS_MAX = 4000;

function readLines(output: string, rules: readonly LineRule[], severity: Severity): Diagnostic[] {
  const found: Diagnostic[] = [];
  let carried: Fields = {};
  for (const line of output.split(/\r\n|\n|\r/)) {
    if (line.length > LINE_CHARACTERS_MAX) continue;
    for (const rule of rules) {
      const groups = rule.pattern.exec(line)?.groups;
      if (groups === undefined) continue;
      if (rule.carries !== undefined) {
        carried = groups;
        break;
      }
      const diagnostic = diagnosticOf({ ...carried, ...given(groups) }, severity);
      if (rules.some((other) => other.carries === 'once')) carried = {};
      if (diagnostic !== undefined) found.push(diagnostic);
      break;
    }
  }
  return found;
}

type Fields = Readonly<Record<string, string | undefined>>;

function given(groups: Fields): Fields {
  return Object.fromEntries(Object.entries(groups).filter(([, value]) => value !== undefined));
}

function diagnosticOf(fields: Fields, severity: Severity): Diagnostic | undefined {
  const { file, message, code } = fields;
  if (file === undefined || message === undefined) return undefined;
  const endLine = numberOf(fields['endLine']);
  const endColumn = numberOf(fields['endColumn']);
  return {
    file,
    line: numberOf(fields['line']) ?? 1,
    column: numberOf(fields['column']) ?? 1,
    ...(endLine === undefined ? {} : { endLine }),
    ...(endColumn === undefined ? {} : { endColumn }),
    severity: fields['severity'] === undefined ? severity : severityOf(fields['severity']),
    ...(code === undefined ? {} : { code }),
    message: message.trim(),
  };
}

function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined || !/^\d+$/.test(digits) ? undefined : Number(digits);
}

function severityOf(word: string): Severity {
  const lower = word.toLowerCase();
  if (lower === 'e' || lower.startsWith('err') || lower === 'fatal') return 'error';
  return lower.startsWith('w') ? 'warning' : 'info';
}
