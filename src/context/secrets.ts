/**
 * Finds what looks like a secret in text that is about to leave the machine.
 *
 * A row of the table is a shape that is hardly ever anything else (key headers, token prefixes) or
 * an assignment of a literal to a telling name. Errs towards refusing: an answer not given costs a
 * step, a key sent away cannot be called back. Placeholders and look-ups from the environment are
 * let through, since examples and tests are full of them. A find never carries the secret itself.
 */
import type { EditRequest } from './edit-request.js';
import type { PickRequest } from './pick.js';
import { entropyOf, isPlaceholder, joinedLiterals, secretLiterals } from './secret-literals.js';
import { SECRET_RULES } from './secret-rules.js';

export interface SecretFind {
  /** Name of the row: `github-pat`, `assigned-literal`. */
  readonly rule: string;
  /** What it looks like: `a private key`. */
  readonly what: string;
  /** 1-based, in the text that was searched. */
  readonly line: number;
}

/** Where it is, by offsets; a value made of literals side by side has no one place, only its first line. */
interface Found {
  readonly rule: string;
  readonly what: string;
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** A find in one part of a request. */
export interface RequestSecret extends SecretFind {
  readonly file: string;
  readonly block: string;
  /** Which part of the request it stands in: `the fragment`, whose line is that in the file; `an earlier edit`. */
  readonly part: string;
  /** Stands for this value in this file, without telling it. */
  readonly fingerprint: string;
}

/** What stands for a value; nothing else than it is given the value. */
export type Fingerprinter = (file: string, rule: string, value: string) => string;

interface SecretShape {
  readonly rule: string;
  readonly what: string;
  /** The secret is the first group, or the whole match. */
  readonly pattern: RegExp;
  /** Whether the value is only an example, by itself or in the whole match. */
  readonly isNone?: (value: string, match: string) => boolean;
}

/** What the list of services has not, or not as loosely: refusing is cheaper than sending. */
const SHAPES: readonly SecretShape[] = [
  {
    rule: 'private-key',
    what: 'a private key',
    // With something of the key behind it: code that reads keys names the first line alone.
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,20} ){0,5}PRIVATE KEY(?: BLOCK)?-----(?:\\[nr]|[\s"'`+,;\\]){0,200}[0-9A-Za-z+/=-]{8}/g,
  },
  {
    rule: 'github-token',
    what: 'a GitHub token',
    pattern: /\b(?:gh[pousr]_[0-9A-Za-z]{36,300}|github_pat_\w{50,300})/g,
  },
  { rule: 'slack-token', what: 'a Slack token', pattern: /\bxox[abeoprs]-[0-9A-Za-z-]{10,300}/g },
  { rule: 'model-key', what: 'a model provider key', pattern: /\bsk-(?:ant-|proj-|svcacct-|or-)?[\w-]{24,300}/g },
  { rule: 'pypi-token', what: 'a package registry token', pattern: /\bpypi-[0-9A-Za-z_-]{40,1000}/g },
  {
    rule: 'url-password',
    what: 'a password in a URL',
    // Hosts that are reserved for examples (RFC 2606) have no passwords.
    pattern:
      /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@'"]{0,200}:(?![${<%*[])([^\s/@'"]{3,200})@(?![\w.-]{0,200}\b(?:example(?:\.(?:com|org|net))?|test|invalid)(?![\w.-]))[0-9A-Za-z]/gi,
    // The name once more is what servers come with (`guest:guest`, `postgres:postgres`).
    isNone: (value, match) => isPlaceholder(decoded(value)) || match.includes(`//${value}:${value}@`),
  },
  {
    rule: 'connection-string',
    what: 'a password or key in a connection string',
    pattern:
      /[;"'?&](?:password|pwd|accountkey|sharedaccesskey|access_token|api_?key|client_secret)=(?![${<%*[])([^\s;&"']{6,200})/gi,
    isNone: isPlaceholder,
  },
  { rule: 'signed-url', what: 'a signed address', pattern: /[?&]sig=([0-9A-Za-z+/_-]{40,90}(?:%3D|=){0,2})/g },
  {
    rule: 'webhook',
    what: 'the address of a web hook, which is its key',
    pattern: /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{10,20}\/([\w-]{60,80})/g,
  },
  {
    rule: 'telegram-bot-api-token',
    what: 'a key of a Telegram bot',
    pattern: /\b\d{8,10}:A[0-9A-Za-z_-]{34}(?![\w-])/g,
  },
  { rule: 'firebase-key', what: 'a Firebase key', pattern: /\bAAAA[\w-]{7}:APA91b[\w-]{100,200}/g },
  { rule: 'supabase-token', what: 'a Supabase token', pattern: /\bsbp_[0-9a-f]{40}\b/g },
  { rule: 'sonar-token', what: 'a SonarQube token', pattern: /\bsq[apu]_[0-9a-f]{40}\b/g },
  { rule: 'newrelic-key', what: 'a New Relic key', pattern: /\bNRAK-[0-9A-Z]{27}\b/g },
  { rule: 'mail-key', what: 'a key of a mail service', pattern: /\b(?:key-[0-9a-f]{32}|[0-9a-f]{32}-us\d{1,2})\b/g },
  {
    rule: 'registry-login',
    what: 'the login of a package registry',
    pattern: /:_(?:authToken|auth|password)\s{0,4}=\s{0,4}(?![${])([0-9A-Za-z+/=_.-]{16,300})/g,
    isNone: isPlaceholder,
  },
  { rule: 'private-key', what: 'a private key', pattern: /\bPuTTY-User-Key-File-\d:[^]{1,2000}?Private-Lines: \d/g },
  {
    rule: 'property-default',
    what: 'a password or key as the default of a property',
    pattern: /\$\{[\w.-]{0,60}(?:password|passwd|pwd|secret|token|key):(?=[^}]{0,200}\d)([^\s}:{$]{8,200})\}/gi,
    isNone: isPlaceholder,
  },
  {
    rule: 'login',
    what: 'a password beside the name of a user',
    pattern:
      /(?:\s(?:-u|--user)[ =][\w.@-]{1,80}:|\bsshpass -p ?|\b(?:docker|podman) login [^\n"']{0,80}-p ?|\bmysql\w{0,10} [^\n"']{0,80}-p|\bauth\s{0,4}=\s{0,4}\(\s{0,4}["'][^"'\n]{1,80}["'],\s{0,4}["'])(?=[^\s"']{0,200}\d)(?=[^\s"']{0,200}[A-Za-z])([^\s"'${<]{8,200})/g,
    isNone: isPlaceholder,
  },
  {
    rule: 'element',
    what: 'a password as the content of an element',
    pattern: /<\w{0,20}(?:password|passwd|pwd)>(?=[^<]{0,200}\d)([^\s<${}]{6,200})<\//gi,
    isNone: isPlaceholder,
  },
  {
    rule: 'authorization-header',
    what: 'the credentials of an Authorization header',
    pattern:
      /\bauthorization["'\]]{0,2}\s{0,4}[:=,]\s{0,4}["'`](?:token|apikey|key|api-key) (?=[A-Za-z+/_=-]{0,200}\d)([0-9A-Za-z+/_.=-]{16,300})/gi,
    isNone: isPlaceholder,
  },
  {
    rule: 'authorization-header',
    what: 'the credentials of an Authorization header',
    pattern: /\bBearer (?=[A-Za-z+/_.=-]{0,200}\d)([0-9A-Za-z+/_.=-]{20,1000})/g,
    isNone: isPlaceholder,
  },
  {
    rule: 'authorization-header',
    what: 'the credentials of an Authorization header',
    pattern: /\bBasic (?=[A-Za-z+/_=-]{0,200}\d)([0-9A-Za-z+/_-]{12,1000}={0,2})/g,
    // `user:password` in base64.
    isNone: (value) =>
      isPlaceholder(
        Buffer.from(value, 'base64')
          .toString()
          .replace(/^[^:]*:/, ''),
      ),
  },
];

/** All that looks like a secret, by position. */
export function secretsOf(text: string): SecretFind[] {
  return foundIn(text).map(({ rule, what, start }) => ({ rule, what, line: lineAt(text, start) }));
}

/** The first find in the text, by position. */
export function findSecret(text: string): SecretFind | undefined {
  return secretsOf(text)[0];
}

/** All that looks like a secret in what a prompt of this request would hold, each once. */
export function secretsIn(request: EditRequest, fingerprintOf: Fingerprinter): RequestSecret[] {
  const own = { file: request.file, block: request.block };
  const parts: { file: string; block: string; part: string; text: string; line?: number }[] = [
    { ...own, part: 'the fragment', text: request.fragment, line: request.line },
    { ...own, part: 'the draft', text: request.draft ?? '' },
    { ...own, part: 'the class around', text: request.around ?? '' },
    { ...own, part: "the file's imports", text: request.imports ?? '' },
    { ...own, part: 'the comment above the fragment', text: request.comment ?? '' },
    { ...own, part: 'the instruction', text: request.instruction },
    { ...own, part: 'the causes', text: request.causes.join('\n') },
    { ...own, part: 'the diagnostics', text: (request.diagnostics ?? []).join('\n') },
    { ...own, part: 'what was looked up', text: (request.observations ?? []).join('\n') },
    { ...own, part: 'the refusal of the last answer', text: request.refusal ?? '' },
    ...request.temporal.flatMap((edit) => [
      { file: edit.file, block: edit.block, part: 'an earlier edit, before', text: edit.before },
      { file: edit.file, block: edit.block, part: 'an earlier edit, after', text: edit.after },
    ]),
    ...request.spatial.map((related) => ({
      file: related.file,
      block: related.block,
      part: 'related code',
      text: related.code ?? related.signature,
    })),
  ];
  const finds = new Map<string, RequestSecret>();
  for (const { file, block, part, text, line = 1 } of parts)
    for (const { rule, what, start, value } of foundIn(text)) {
      const fingerprint = fingerprintOf(file, rule, value);
      if (finds.has(fingerprint)) continue;
      finds.set(fingerprint, { rule, what, line: line + lineAt(text, start) - 1, file, block, part, fingerprint });
    }
  return [...finds.values()];
}

/** The first find in what a question where to begin would hold; `file` undefined: in the task's words. */
export function secretInPick(request: PickRequest): (SecretFind & { readonly file: string | undefined }) | undefined {
  const inTask = findSecret(request.instruction);
  if (inTask !== undefined) return { ...inTask, file: undefined };
  for (const { file, signature, line } of request.candidates) {
    const find = findSecret(signature);
    if (find !== undefined) return { ...find, file, line: line + find.line - 1 };
  }
  return undefined;
}

/**
 * The text with everything that looks like a token or key replaced, for messages that quote what another side wrote.
 */
export function withoutSecrets(text: string): string {
  let clean = '';
  let from = 0;
  for (const { start, end } of foundIn(text)) {
    if (end <= from) continue;
    clean += `${text.slice(from, Math.max(from, start))}***`;
    from = end;
  }
  return clean + text.slice(from);
}

/** By position; where several rules say the same value, the one that says most of it. */
function foundIn(text: string): Found[] {
  const found = foundAsWritten(text);
  const joined = joinedLiterals(text);
  if (joined !== undefined) {
    const known = new Set(found.map(({ value }) => value));
    for (const one of foundAsWritten(joined.text)) {
      if (known.has(one.value)) continue;
      found.push({ ...one, start: joined.at(one.start), end: joined.at(one.end) });
    }
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = -1;
  return found.filter((one) => {
    if (one.end <= end) return false;
    end = one.end;
    return true;
  });
}

function foundAsWritten(text: string): Found[] {
  const found: Found[] = [];
  const add = (rule: string, what: string, start: number, value: string): void => {
    found.push({ rule, what, start, end: start + value.length, value });
  };
  for (const { rule, what, pattern, isNone } of SHAPES)
    for (const match of text.matchAll(pattern)) {
      const value = match[1] ?? match[0];
      if (isNone?.(value, match[0]) !== true) add(rule, what, match.index + match[0].lastIndexOf(value), value);
    }
  const small = text.toLowerCase();
  for (const { id, keywords, pattern, entropyMin } of SECRET_RULES) {
    if (!keywords.some((word) => small.includes(word))) continue;
    for (const match of text.matchAll(pattern)) {
      const value = match.groups?.['value'] ?? match.slice(1).find(Boolean) ?? match[0];
      if (entropyOf(value) >= entropyMin && !EXAMPLE.test(value))
        add(id, wordsOf(id), match.index + match[0].lastIndexOf(value), value);
    }
  }
  for (const { rule, what, start, end } of secretLiterals(text)) add(rule, what, start, text.slice(start, end));
  return found;
}

/** `github-pat` as `a secret of the kind github-pat`: the list gives names, and they are what one looks up. */
function wordsOf(id: string): string {
  return `a secret of the kind ${id}`;
}

/** Without the escapes of URLs, where they are well formed. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Tokens of documentation: `AKIA…EXAMPLE`, `xxxx`, the alphabet. */
const EXAMPLE = /example|x{6}|abcdefghijklm|1234567890123/i;

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
