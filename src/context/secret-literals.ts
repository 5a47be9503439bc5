/**
 * Secrets that no service's token shape tells: literals given to a telling name, defaults of look-ups in the
 * environment, and literals that look random wherever they stand.
 *
 * Code of any language is read as text: what is asked for is quotes, names before them, and signs between.
 * Literals side by side (`"ab" "cd"`, `"ab" + "cd"`) are read as one as well, in {@link joinedLiterals}.
 */

/** A value found in a text, by offsets into it. */
export interface LiteralFind {
  readonly rule: string;
  readonly what: string;
  readonly start: number;
  readonly end: number;
}

const WORDS =
  '(password|passwd|passphrase|pwd|pw|secret|token|(?:api|access|account|private|secret|signing|encryption|auth|subscription|master)[_-]?key|credentials?)';
const LITERAL = `(?:[rbuf]{0,2}|@|\\$)?(?:""|'')?(["'\`])((?:(?!\\2)[^\\\\\\r\\n]|\\\\.){1,400})\\2`;
const NAME = `(?:^|[^0-9A-Za-z])[0-9A-Za-z_.-]{0,40}${WORDS}`;

/**
 * `name = "literal"` and its relatives: `name: "…"`, `"name": "…"`, `name => '…'`, `name := "…"`, `NAME: str = "…"`.
 * The bound on the name keeps the search linear in long runs of signs.
 */
const ASSIGNED = new RegExp(
  `${NAME}["'\\]]{0,2}\\s{0,8}(?::\\s{0,8}[\\w.]{1,40}\\s{0,8})?(?:=>|:=|=|:)\\s{0,8}${LITERAL}`,
  'gi',
);
/** `??`, `||`, `or`, `.orElse(`, and what compares: a value stands in what it is compared with, too. */
const OTHERWISE = '(?:\\?\\?|\\|\\||\\?:|\\bor\\b|[!=]={1,2}|\\.(?:orElse|getOrElse|equals)\\()';
/**
 * `get("NAME", "literal")`, `env.NAME ?? "…"`, `getenv('NAME') or '…'`, `("X-Api-Key", "…")`, `setPassword("…")`,
 * `password == "…"`.
 */
const DEFAULTED = new RegExp(
  `${NAME}(?:["'\`]\\s{0,8},|["'\`]?\\s{0,8}[)\\]]{0,3}!?\\s{0,8}${OTHERWISE}|\\()\\s{0,40}${LITERAL}`,
  'gi',
);
/** Calls that are handed who somebody is, or what is signed with: `HTTPBasicAuth("me", "…")`, `jwt.sign(all, "…")`. */
const HANDED =
  /\b(?:\w{0,40}credentials?|\w{0,40}basicauth\w{0,10}|jwt\.(?:sign|encode|verify|decode)|createHmac|SecretKeySpec|getConnection)\s?\(([^()\n]{1,400})/gi;
const LITERALS = new RegExp(LITERAL.replaceAll('\\2', '\\1'), 'gi');
/** What stands beside secrets in such calls. */
const BESIDE = /:\/\/|^jdbc:|^(?:sha|md|hs|rs|es|ps|aes|rsa|hmac|blake|ripemd)-?\d/i;
/** A literal of nothing but the signs that tokens are written in. */
const BARE = /(?<![0-9A-Za-z_])(["'`])([0-9A-Za-z][0-9A-Za-z+/_=.~-]{19,199})\1/g;

const HANDED_AS = 'a password or key handed to what checks or signs with it';

/** Names whose literals are secrets whatever they look like; `token` and `key` are also words of parsers and tables. */
const ALWAYS_SECRET = /^(?:password|passwd|passphrase|pwd|pw)$/i;
/** Names for which an identifier of the form of a UUID would be the secret itself. */
const NEVER_AN_ID = /^(?:password|passwd|passphrase|pwd|pw|secret|api[_-]?key)$/i;
/**
 * Shortest literals that are worth hiding, in characters: the more the name beside it says, the shorter. Six is the
 * least that forms for passwords take; keys of services begin at some 16, and words joined by signs end before 20.
 */
const PASSWORD_CHARACTERS_MIN = 6;
const DEFAULT_PASSWORD_CHARACTERS_MIN = 8;
const KEY_CHARACTERS_MIN = 12;
const BARE_CHARACTERS_MIN = 20;
/**
 * Bits a character: words and names of things have less at these lengths. Random hexadecimal digits have up to 4,
 * random letters and digits near 6, of which a text as short as these shows less.
 */
const KEY_ENTROPY_MIN = 3;
const PASSWORD_ENTROPY_MIN = 2.5;
const BARE_ENTROPY_MIN = 3.7;
/**
 * Letters and digits in a row that are alike, a capital before small ones included: about 2 in random signs, 4 in
 * names.
 */
const PIECE_CHARACTERS_MAX = 2.8;
/** Without both small and capital letters it takes more to be random. */
const ONE_CASE_CHARACTERS_MIN = 28;
/** Said of what stands in examples and tests. */
const PLACEHOLDERS: readonly RegExp[] = [
  /example|placeholder|change.?(?:me|it)|dummy|your|redacted|todo|fixme|sample|x{4}|\*{3}|\.{3}|012345|12345|abcdefg/i,
  /(?:^|[^a-z])(?:test|fake|mock|foo|bar)(?:[^a-z]|$)/i,
  // The word for it itself, among other words: `bobspassword`, `manager-password`, `Secret123`.
  /^[a-z_. -]{0,60}(?:password|passwd|passphrase|secret|token|(?:^|[a-z_. -])(?:pwd|pass|pw|key))[a-z_. -]{0,60}\d{0,4}!?$/i,
  /^(?:pass|pwd|key|test(?:ing)?|foo|bar|baz|none|null|undefined|string|text|hidden)s?\d{0,3}$/i,
  /^(.)\1*$/,
];
/** Taken from elsewhere when the program runs: `${VAR}`, `{{ var }}`, `%VAR%`, `<fill in>`. */
const LOOKED_UP = /[$#]?\{|%\w+%|^<.*>$|^\$\w+$/;
/** Digests, identifiers and versions: what is left of a literal without them may still be random. */
const NUMBERED = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{12,}|\d+(?:\.\d+)+/gi;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Words, with a number behind: `refresh-token-v2`, `oauth2.client`. */
const WORDY = /^(?=.*[a-z]{4})[a-z]{1,40}\d{0,2}(?:[-_./:][a-z]{0,40}\d{0,4}){0,20}$/i;
/** What stands before digests, revisions and identifiers of content. */
const CONTENT_ID =
  /sha-?\d|md5|checksum|digest|hash|integrity|revision|commit|etag|base64|nonce|uuid|guid|fingerprint|signature|xmlns|boundary/i;
/** Literals that are digests or images themselves. */
const CONTENT = /^(?:sha\d{1,3}[-=]|iVBORw0KGgo|R0lGOD|\/9j\/|UklGR|PHN2Zy)/;
/** What is public, from its first line to its last. */
const PUBLIC_PART = /-----BEGIN (?:CERTIFICATE|(?:RSA )?PUBLIC KEY)-----[^-]{1,20000}/g;
/** How far before a literal on its line is looked for what it is. */
const BEFORE_CHARACTERS = 80;

export function secretLiterals(text: string): LiteralFind[] {
  const finds: LiteralFind[] = [];
  const add = (rule: string, what: string, match: RegExpMatchArray, literal: string): void => {
    const start = (match.index ?? 0) + match[0].lastIndexOf(literal);
    finds.push({ rule, what, start, end: start + literal.length });
  };
  for (const [pattern, rule, isAssigned] of [
    [ASSIGNED, 'assigned-literal', true],
    [DEFAULTED, 'default-literal', false],
  ] as const)
    for (const match of text.matchAll(pattern)) {
      const [, name = '', , literal = ''] = match;
      if (isTelling(name, literal, isAssigned)) add(rule, 'a password or key written as a literal', match, literal);
    }
  for (const match of text.matchAll(HANDED)) {
    const given = match[1] ?? '';
    const begin = match.index + match[0].length - given.length;
    for (const { 0: whole, 2: literal = '', index } of given.matchAll(LITERALS)) {
      if (BESIDE.test(literal) || !isTelling('password', literal, false)) continue;
      const start = begin + index + whole.lastIndexOf(literal);
      finds.push({ rule: 'handed-literal', what: HANDED_AS, start, end: start + literal.length });
    }
  }
  const inPublic = rangesOf(text, PUBLIC_PART);
  for (const match of text.matchAll(BARE)) {
    const literal = match[2] ?? '';
    const before = text.slice(Math.max(0, match.index - BEFORE_CHARACTERS), match.index);
    const onLine = before.slice(before.lastIndexOf('\n') + 1);
    if (inPublic.some(([start, end]) => match.index > start && match.index < end)) continue;
    if (looksRandom(literal) && !CONTENT.test(literal) && !CONTENT_ID.test(onLine))
      add('random-literal', 'a key: a literal of random signs', match, literal);
  }
  return finds;
}

/** Shannon entropy in bits a character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

const JOINT =
  /(["'])(?:[ \t]{1,80}|[ \t]{0,80}\+[ \t]{0,80}(?:\r?\n[ \t]{0,200})?|[ \t]{0,80}\\?\r?\n[ \t]{0,200}(?:\+[ \t]{0,80})?)(?:[rbuf]{0,2}|@|\$)\1/gi;

/** The text with literals side by side made one, and where an offset of it was; undefined where there are none. */
export function joinedLiterals(
  text: string,
): { readonly text: string; readonly at: (offset: number) => number } | undefined {
  const parts: { readonly start: number; readonly from: number }[] = [{ start: 0, from: 0 }];
  let joined = '';
  let from = 0;
  for (const match of text.matchAll(JOINT)) {
    joined += text.slice(from, match.index);
    from = match.index + match[0].length;
    parts.push({ start: joined.length, from });
  }
  if (parts.length === 1) return undefined;
  return {
    text: joined + text.slice(from),
    at: (offset) => {
      const part = parts.findLast(({ start }) => start <= offset);
      return part === undefined ? offset : part.from + offset - part.start;
    },
  };
}

/** What examples and tests are full of: `changeme`, `your-key-here`, `bobspassword`, `${VAR}`. */
export function isPlaceholder(literal: string): boolean {
  return PLACEHOLDERS.some((pattern) => pattern.test(literal)) || LOOKED_UP.test(literal);
}

/** A literal that is neither a placeholder nor prose nor taken from elsewhere. */
function isTelling(name: string, literal: string, isAssigned: boolean): boolean {
  if (/\s/.test(literal) || isPlaceholder(literal)) return false;
  if (UUID.test(literal)) return NEVER_AN_ID.test(name);
  const isPassword = ALWAYS_SECRET.test(name);
  if (isPassword && isAssigned) return literal.length >= PASSWORD_CHARACTERS_MIN;
  const charactersMin = isPassword ? DEFAULT_PASSWORD_CHARACTERS_MIN : KEY_CHARACTERS_MIN;
  if (literal.length < charactersMin || !/\d/.test(literal) || !/[A-Za-z]/.test(literal)) return false;
  return !WORDY.test(literal) && entropyOf(literal) >= (isPassword ? PASSWORD_ENTROPY_MIN : KEY_ENTROPY_MIN);
}

/** Signs in a row that nobody would make up: many kinds in turn. Digests in hexadecimal are not meant. */
function looksRandom(literal: string): boolean {
  if (isPlaceholder(literal)) return false;
  const own = literal.replace(NUMBERED, '');
  const letters = own.replace(/[^0-9A-Za-z]/g, '');
  if (!/[0-9A-Za-z+/]{12}/.test(own)) return false;
  if (letters.length < BARE_CHARACTERS_MIN - 4 || entropyOf(own) < BARE_ENTROPY_MIN) return false;
  if ((own.match(/\d/g)?.length ?? 0) < 2 || !/[A-Za-z]/.test(own)) return false;
  if (!(/[a-z]/.test(own) && /[A-Z]/.test(own)) && letters.length < ONE_CASE_CHARACTERS_MIN) return false;
  const pieces = own.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g)?.length ?? 1;
  return letters.length / pieces <= PIECE_CHARACTERS_MAX;
}

function rangesOf(text: string, pattern: RegExp): (readonly [start: number, end: number])[] {
  return [...text.matchAll(pattern)].map((match) => [match.index, match.index + match[0].length]);
}
