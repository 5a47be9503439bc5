/**
 * What must not leave the machine, and what code is full of and may. The samples are put together here so that
 * no scanner takes them for real.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSecret, secretIn, withoutSecrets } from '#src/context/secrets.js';
import { editRequest } from '../support/edit-request.js';

const LETTERS = 'Ab3dEf6hIj9k';

test('keys, tokens and passwords are found with their line', () => {
  const secrets: [string, RegExp][] = [
    [`-----BEGIN RSA PRIVATE KEY-----`, /private key/],
    [`-----BEGIN PRIVATE KEY-----`, /private key/],
    [`x = "AKIA${'ABCDEFGH'.repeat(2)}"`, /AWS/],
    [`t: ghp_${LETTERS.repeat(3)}`, /GitHub/],
    [`"xoxb-1234567890-abc"`, /Slack/],
    [`k = 'sk-proj-${LETTERS.repeat(3)}'`, /model provider/],
    ['url = "postgres://me:hunter22@db.local/x"', /URL/],
    ['password = "hunter2!"', /literal/],
    ['pw = "tr0ub4dor"', /literal/],
    ['"Server=db;User Id=sa;Password=tr0ub4dor;"', /connection string/],
    [`"AccountName=a;AccountKey=${LETTERS.repeat(4)}=="`, /connection string/],
    [`headers = {"Authorization": "Bearer ${LETTERS.repeat(3)}"}`, /Authorization/],
    [`-H "Authorization: Basic ${LETTERS.repeat(2)}=="`, /Authorization/],
    ["DB_PASSWORD: str = 'tr0ub4dor'", /literal/],
    ['"passwd": "tr0ub4dor"', /literal/],
    ['config["password"] = "tr0ub4dor"', /literal/],
    [`apiKey: '${LETTERS}'`, /literal/],
    [`private String clientSecret = "${LETTERS}";`, /literal/],
    [`secret := \`${LETTERS}\``, /literal/],
  ];
  for (const [text, what] of secrets) {
    const find = findSecret(`first line\n${text}\nlast`);
    assert.ok(find, text);
    assert.match(find.what, what, text);
    assert.equal(find.line, 2, text);
  }
});

test('placeholders, look-ups and the vocabulary of parsers pass', () => {
  for (const text of [
    'password = os.environ["DB_PASSWORD"]',
    'password = getpass("Password: ")',
    'password = ""',
    'url = "http://user:pass@host/"',
    'url = "http://user:changeme@host/"',
    '"Server=db;Password=${DB_PASSWORD};"',
    'raise TypeError("Bearer authentication is not supported")',
    'password = "changeme"',
    'password="${DB_PASSWORD}"',
    'password: "<your password>"',
    'password = "password"',
    'password = "********"',
    'token = "STRING_LITERAL"',
    'TOKEN_KEY = "identifier"',
    'raise ValueError("password must not be empty")',
    'def login(user, password=None): ...',
    'const key = "primary-color-dark";',
    'url = "https://example.org:8080/a@b"',
    'public key: "-----BEGIN PUBLIC KEY-----"',
  ])
    assert.equal(findSecret(text), undefined, text);
});

test('every part of a request is looked at', () => {
  const secret = 'password = "hunter2!"';
  const edit = { file: 'b.py', block: 'g', before: '', after: '', cause: '' };
  const parts = [
    editRequest({ fragment: secret }),
    editRequest({ draft: secret }),
    editRequest({ instruction: secret }),
    editRequest({ causes: [secret] }),
    editRequest({ diagnostics: [secret] }),
    editRequest({ refusal: secret }),
    editRequest({ temporal: [{ ...edit, before: secret }] }),
    editRequest({ temporal: [{ ...edit, after: secret }] }),
    editRequest({ temporal: [{ ...edit, cause: secret }] }),
    editRequest({ spatial: [{ file: 'b.py', block: 'g', signature: secret }] }),
    editRequest({ spatial: [{ file: 'b.py', block: 'g', signature: 'def g()', code: secret }] }),
  ];
  for (const request of parts) assert.ok(secretIn(request), JSON.stringify(request));
  assert.equal(secretIn(editRequest()), undefined);
});

test('messages are cleaned of tokens', () => {
  assert.equal(withoutSecrets(`bad key sk-proj-${LETTERS.repeat(3)} given`), 'bad key *** given');
});

test('long runs of signs take no time', () => {
  const start = performance.now();
  for (const text of [
    '-'.repeat(200_000),
    'a.'.repeat(100_000),
    'password'.repeat(20_000),
    `password = "${'a'.repeat(200_000)}`,
  ])
    findSecret(text);
  assert.ok(performance.now() - start < 2000);
});
