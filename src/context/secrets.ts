/**
 * Finds what looks like a secret in text that is about to leave the machine.
 *
 * A row of the table is a shape that is hardly ever anything else (key headers, token prefixes) or
 * an assignment of a literal to a telling name. Errs towards refusing: an answer not given costs a
 * step, a key sent away cannot be called back. Placeholders and look-ups from the environment are
 * let through, since examples and tests are full of them. A find never carries the secret itself.
 */
import type { EditRequest } from './edit-request.js';

export interface SecretFind {
  /** What it looks like: `a private key`. */
  readonly what: string;
  /** 1-based, in the text that was searched. */
  readonly line: number;
}

/** A find in one part of a request. */
export interface RequestSecret extends SecretFind {
  readonly file: string;
  readonly block: string;
  /** Which part of the request the line counts in: `the fragment`, `an earlier edit`. */
  readonly part: string;
}

interface SecretShape {
  readonly what: string;
  readonly pattern: RegExp;
}

const SHAPES: readonly SecretShape[] = [
  { what: 'a private key', pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/g },
  { what: 'an AWS access key', pattern: /\b(?:AKIA|ASIA|AIDA|AROA)[0-9A-Z]{16}\b/g },
  { what: 'a GitHub token', pattern: /\b(?:gh[pousr]_[0-9A-Za-z]{36,}|github_pat_[0-9A-Za-z_]{50,})/g },
  { what: 'a GitLab token', pattern: /\bglpat-[0-9A-Za-z_-]{20,}/g },
  { what: 'a Slack token', pattern: /\bxox[abeoprs]-[0-9A-Za-z-]{10,}/g },
  { what: 'a Slack webhook', pattern: /hooks\.slack\.com\/services\/T[0-9A-Z]+\/B[0-9A-Z]+\/[0-9A-Za-z]+/g },
  { what: 'a Google API key', pattern: /\bAIza[0-9A-Za-z_-]{35}\b/g },
  { what: 'a Stripe key', pattern: /\b[rs]k_live_[0-9A-Za-z]{16,}/g },
  { what: 'a model provider key', pattern: /\bsk-(?:ant-|proj-|svcacct-)?[0-9A-Za-z_-]{24,}/g },
  { what: 'a package registry token', pattern: /\b(?:npm_[0-9A-Za-z]{36}|pypi-[0-9A-Za-z_-]{40,})/g },
  { what: 'a JSON web token', pattern: /\beyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}/g },
  {
    what: 'a password in a URL',
    pattern:
      /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@'"]{1,200}:(?![${<%*])(?!(?:pass(?:wd|word)?|pwd|pw|secret|changeme|example|x+)@)[^\s/@'"]{3,200}@[0-9A-Za-z]/gi,
  },
  {
    what: 'a password or key in a connection string',
    pattern:
      /[;"'](?:password|pwd|accountkey|sharedaccesskey)=(?![${<%*])(?!(?:password|changeme|example|x+)[;"'])[^\s;"']{6,200}/gi,
  },
  {
    what: 'the credentials of an Authorization header',
    pattern: /\b(?:Bearer|Basic) (?=[A-Za-z+/_.=-]{0,200}\d)[0-9A-Za-z+/_.=-]{20,}/g,
  },
];

/**
 * `name = "literal"` and its relatives: `name: "…"`, `"name": "…"`, `name => '…'`, `name := "…"`, `NAME: str = "…"`.
 * The bound on the name keeps the search linear in long runs of signs.
 */
const ASSIGNED =
  /(?:^|[^0-9A-Za-z])[0-9A-Za-z_.-]{0,40}(password|passwd|pwd|pw|secret|token|api_?key|access_?key|private_?key|credentials?)["'\]]{0,2}\s{0,8}(?::\s{0,8}[\w.]{1,40}\s{0,8})?(?:=>|:=|=|:)\s{0,8}(?:[rbuf]{0,2}|@|\$)?(["'`])((?:(?!\2)[^\\\r\n]|\\.){1,400})\2/gi;

/** Names whose literals are secrets whatever they look like; `token` and `key` are also words of parsers and tables. */
const ALWAYS_SECRET = /^(?:password|passwd|pwd|pw)$/i;
/** Shortest literal that is worth hiding. */
const PASSWORD_CHARACTERS_MIN = 6;
const KEY_CHARACTERS_MIN = 12;
const PLACEHOLDER =
  /^(?:.*(?:example|placeholder|change.?me|dummy|your|redacted|todo|fixme).*|(?:(?:pass|my|the|a|bad|wrong|old|new|invalid)[ _-]?){0,3}(?:password|passwd|pass|secret|token|key|test(?:ing)?|foo|bar|baz|none|null|undefined|string|text|hidden)s?\d{0,3}|(.)\1*)$/i;
/** Taken from elsewhere when the program runs: `${VAR}`, `{{ var }}`, `%VAR%`, `<fill in>`. */
const LOOKED_UP = /[$#]?\{|%\w+%|^<.*>$|^\$\w+$/;

/** The first find in the text, by position. */
export function findSecret(text: string): SecretFind | undefined {
  let first: { at: number; what: string } | undefined;
  const consider = (at: number, what: string): void => {
    if (first === undefined || at < first.at) first = { at, what };
  };
  for (const { what, pattern } of SHAPES) for (const match of text.matchAll(pattern)) consider(match.index, what);
  for (const match of text.matchAll(ASSIGNED)) {
    const [, name, , literal] = match as unknown as [string, string, string, string];
    if (isTelling(name, literal))
      consider(match.index + match[0].lastIndexOf(literal), 'a password or key written as a literal');
  }
  return first === undefined ? undefined : { what: first.what, line: lineAt(text, first.at) };
}

/** The first find in what a prompt of this request would hold. */
export function secretIn(request: EditRequest): RequestSecret | undefined {
  const own = { file: request.file, block: request.block };
  const parts: { file: string; block: string; part: string; text: string }[] = [
    { ...own, part: 'the fragment', text: request.fragment },
    { ...own, part: 'the draft', text: request.draft ?? '' },
    { ...own, part: 'the class around', text: request.around ?? '' },
    { ...own, part: 'the instruction', text: request.instruction },
    { ...own, part: 'the causes', text: request.causes.join('\n') },
    { ...own, part: 'the diagnostics', text: (request.diagnostics ?? []).join('\n') },
    { ...own, part: 'the refusal of the last answer', text: request.refusal ?? '' },
    ...request.temporal.flatMap((edit) => [
      { file: edit.file, block: edit.block, part: 'an earlier edit, before', text: edit.before },
      { file: edit.file, block: edit.block, part: 'an earlier edit, after', text: edit.after },
      { file: edit.file, block: edit.block, part: 'the effect of an earlier edit', text: edit.cause },
    ]),
    ...request.spatial.map((related) => ({
      file: related.file,
      block: related.block,
      part: 'related code',
      text: related.code ?? related.signature,
    })),
  ];
  for (const { file, block, part, text } of parts) {
    const find = findSecret(text);
    if (find !== undefined) return { ...find, file, block, part };
  }
  return undefined;
}

/** The text with everything that looks like a token or key replaced, for messages that quote what another side wrote. */
export function withoutSecrets(text: string): string {
  return SHAPES.reduce((clean, { pattern }) => clean.replace(pattern, '***'), text);
}

/** A literal that is neither a placeholder nor prose nor taken from elsewhere. */
function isTelling(name: string, literal: string): boolean {
  if (/\s/.test(literal) || PLACEHOLDER.test(literal) || LOOKED_UP.test(literal)) return false;
  if (ALWAYS_SECRET.test(name)) return literal.length >= PASSWORD_CHARACTERS_MIN;
  return literal.length >= KEY_CHARACTERS_MIN && /\d/.test(literal) && /[A-Za-z]/.test(literal);
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
