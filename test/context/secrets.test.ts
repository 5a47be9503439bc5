/**
 * What must not leave the machine, and what code is full of and may. The samples are put together here so that
 * no scanner takes them for real.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SECRET_RULES } from '#src/context/secret-rules.js';
import { findSecret, secretsIn, secretsOf, withoutSecrets } from '#src/context/secrets.js';
import { editRequest } from '../support/edit-request.js';

const LETTERS = 'Ab3dEf6hIj9k';

test('keys, tokens and passwords are found with their line', () => {
  const secrets: [string, RegExp][] = [
    [`-----BEGIN RSA PRIVATE KEY-----\\nMIIEow${LETTERS}`, /private key/],
    [`-----BEGIN PRIVATE KEY-----" + "MIIEow${LETTERS}`, /private key/],
    [`x = "AKIA${'ABCDEFGH'.repeat(2)}"`, /aws/],
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
    [`SECRET_KEY = b"${LETTERS}x7"`, /literal/],
    [`SECRET_KEY = """${LETTERS}x7"""`, /literal/],
    ['Optional.ofNullable(System.getenv("DB_PASSWORD")).orElse("tr0ub4dor")', /literal/],
    ['user.setPassword("tr0ub4dor");', /literal/],
    ['if password == "tr0ub4dor":', /literal/],
    ['if (password.equals("tr0ub4dor")) {', /literal/],
    ['@Value("${db.password:tr0ub4dor}") String password;', /default of a property/],
    ['url = "redis://:tr0ub4dor@cache.local:6379/0"', /URL/],
    ['"jdbc:mysql://h/db?user=root&password=tr0ub4dor"', /connection string/],
    [`"https://a.blob.core.windows.net/c?sv=1&sig=${LETTERS.repeat(4).slice(0, 43)}%3D"`, /signed address/],
    [`"https://discord.com/api/webhooks/1234567890/${LETTERS.repeat(6).slice(0, 68)}"`, /web hook/],
    [`bot = "987654321:A${LETTERS.repeat(3).slice(0, 34)}"`, /Telegram|telegram/],
    [`//registry.npmjs.org/:_authToken=${LETTERS.repeat(3)}`, /registry/],
    [`headers = {"Authorization": "token ${LETTERS.repeat(3)}"}`, /Authorization/],
    ['requests.get(url, auth=("admin", "tr0ub4dor"))', /beside the name/],
    ['"curl -u admin:tr0ub4dor https://x.io"', /beside the name/],
    [`"key-${'0a1b2c3d'.repeat(4)}"`, /mail service/],
    ['session.auth = HTTPBasicAuth("admin", "tr0ub4dor")', /handed/],
    ['new UsernamePasswordCredentials("admin", "tr0ub4dor")', /handed/],
    ["DriverManager.getConnection('jdbc:mysql://host1/db2', 'root', 'tr0ub4dor')", /handed/],
    [`jwt.encode(claims, "${LETTERS}", algorithm="HS256")`, /handed/],
    [`crypto.createHmac('sha3-512', '${LETTERS}')`, /handed/],
    [`new SecretKeySpec("${LETTERS}".getBytes(), "AES")`, /handed/],
    ['os.system("sshpass -p tr0ub4dor ssh host")', /beside the name/],
    ['run("docker login -u me -p tr0ub4dor")', /beside the name/],
    ['"mysql -u root -ptr0ub4dor"', /beside the name/],
    ['"<password>tr0ub4dor</password>"', /element/],
    [`"sqp_${'0a1b2c3d4e'.repeat(4)}"`, /SonarQube/],
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
    'broker = "amqp://guest:guest@localhost:5672//"',
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
    'new NetworkCredential("service-account-12", "password1")',
    "createHmac('sha3-512', key)",
    'getConnection("jdbc:mysql://host1:3306/db8", user, password)',
    'jwt.sign({ id: "user_profile_12" }, key)',
    '<password>${db.password1}</password>',
    'run("docker login -u me -p $TOKEN1234")',
  ])
    assert.equal(findSecret(text), undefined, text);
});

test('every part of a request is looked at', () => {
  const secret = 'password = "hunter2!"';
  const edit = { file: 'b.py', block: 'g', before: '', after: '', isDirect: true };
  const parts = [
    editRequest({ fragment: secret }),
    editRequest({ draft: secret }),
    editRequest({ instruction: secret }),
    editRequest({ causes: [secret] }),
    editRequest({ diagnostics: [secret] }),
    editRequest({ refusal: secret }),
    editRequest({ temporal: [{ ...edit, before: secret }] }),
    editRequest({ temporal: [{ ...edit, after: secret }] }),
    editRequest({ imports: secret }),
    editRequest({ comment: secret }),
    editRequest({ around: secret }),
    editRequest({ spatial: [{ file: 'b.py', block: 'g', signature: secret }] }),
    editRequest({ spatial: [{ file: 'b.py', block: 'g', signature: 'def g()', code: secret }] }),
  ];
  for (const request of parts)
    assert.equal(secretsIn(request, (...parts) => parts.join(' ')).length, 1, JSON.stringify(request));
  assert.deepEqual(
    secretsIn(editRequest(), () => ''),
    [],
  );
});

test('messages are cleaned of tokens', () => {
  assert.equal(withoutSecrets(`bad key sk-proj-${LETTERS.repeat(3)} given`), 'bad key *** given');
});

/** Letters, digits and signs in an order that nobody reads, the same each time. */
function signs(alphabet: string, count: number, seed: number): string {
  let state = seed;
  let text = '';
  while (text.length < count) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += alphabet.charAt((state >>> 16) % alphabet.length);
  }
  return text;
}

const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
const SMALL = 'abcdefghijklmnopqrstuvwxyz';
const CAPITALS = SMALL.toUpperCase();
const MIXED = SMALL + CAPITALS + DIGITS;
const BASE32 = `${CAPITALS}234567`;

test('the shapes that the trials got through are stopped', () => {
  const key = signs(MIXED, 40, 7);
  const [first, second] = [key.slice(0, 17), key.slice(17)];
  const shapes: Readonly<Record<string, string>> = {
    'positional argument': `client = Client("${key}")`,
    'second positional argument': `new Client(endpoint, '${key}');`,
    'positional argument with a prefix': `Client("sk-${signs(MIXED, 20, 8)}")`,
    'connection string': `var c = new SqlConnection("Server=db;Database=x;Password=tr0ub4dor;");`,
    'account key': `"DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${signs(MIXED, 86, 9)}==;"`,
    Bearer: `headers = {"Authorization": "Bearer ${key}"}`,
    Basic: `-H "Authorization: Basic ${Buffer.from('me:tr0ub4dor').toString('base64')}"`,
    'short name': 'pw = "tr0ub4dor"',
    'literals side by side': `api_key = "${first}" "${second}"`,
    'literals side by side in lines': `API_KEY = (\n    "${first}"\n    "${second}"\n)`,
    'a sum of literals': `const client = new Client("${first}" +\n    "${second}");`,
    'a sum of short literals': `String password = "tr0" + "ub4" + "dor";`,
    'default of os.environ.get': 'key = os.environ.get("API_KEY", "k3y9f2m7q1x8")',
    'default of os.getenv, or': 'password = os.getenv("DB_PASSWORD") or "tr0ub4dor"',
    'default of process.env': "const key = process.env.API_KEY ?? 'k3y9f2m7q1x8';",
    'default of getOrDefault': 'System.getenv().getOrDefault("API_KEY", "k3y9f2m7q1x8")',
    'default of C#': 'Environment.GetEnvironmentVariable("API_KEY") ?? "k3y9f2m7q1x8"',
    'header of a dictionary': `headers = {"X-Api-Key": "k3y9f2m7q1x8"}`,
    'header of a call': `request.setHeader("X-Auth-Key", "k3y9f2m7q1x8");`,
    'token of a service': `t = "dapi${signs(HEX, 32, 3)}"`,
  };
  for (const [name, text] of Object.entries(shapes)) assert.ok(findSecret(text), name);
  assert.equal(findSecret(shapes['literals side by side in lines'] ?? '')?.line, 2);
});

test('tokens of well-known services are known by their rule', () => {
  const uuid = [8, 4, 4, 4, 12].map((count, at) => signs(HEX, count, at + 1)).join('-');
  const tokens: Readonly<Record<string, string>> = {
    'aws-access-token': `AKIA${signs(BASE32, 16, 1)}`,
    'github-pat': `ghp_${signs(MIXED, 36, 2)}`,
    'github-oauth': `gho_${signs(MIXED, 36, 3)}`,
    'github-app-token': `ghs_${signs(MIXED, 36, 4)}`,
    'github-fine-grained-pat': `github_pat_${signs(MIXED, 82, 5)}`,
    'gitlab-pat': `glpat-${signs(MIXED, 20, 6)}`,
    'gitlab-deploy-token': `gldt-${signs(MIXED, 20, 7)}`,
    'gitlab-runner-authentication-token': `glrt-${signs(MIXED, 20, 8)}`,
    'gcp-api-key': `AIza${signs(MIXED, 35, 9)}`,
    'stripe-access-token': `sk_live_${signs(MIXED, 24, 10)}`,
    'npm-access-token': `npm_${signs(MIXED, 36, 11)}`,
    'pypi-upload-token': `pypi-AgEIcHlwaS5vcmc${signs(MIXED, 70, 12)}`,
    'rubygems-api-token': `rubygems_${signs(HEX, 48, 13)}`,
    'sendgrid-api-token': `SG.${signs(MIXED, 22, 14)}.${signs(MIXED, 43, 15)}`,
    'digitalocean-pat': `dop_v1_${signs(HEX, 64, 16)}`,
    'databricks-api-token': `dapi${signs(HEX, 32, 17)}`,
    'huggingface-access-token': `hf_${signs(SMALL + CAPITALS, 34, 18)}`,
    'twilio-api-key': `SK${signs(HEX, 32, 19)}`,
    'shopify-access-token': `shpat_${signs(HEX, 32, 20)}`,
    'slack-bot-token': `xoxb-${signs(DIGITS, 12, 21)}-${signs(DIGITS, 12, 22)}-${signs(MIXED, 24, 23)}`,
    'slack-webhook-url':
      `https://hooks.slack.com/services/T${signs(BASE32, 10, 24)}/B${signs(BASE32, 10, 25)}/` + signs(MIXED, 24, 26),
    'postman-api-token': `PMAK-${signs(HEX, 24, 27)}-${signs(HEX, 34, 28)}`,
    'doppler-api-token': `dp.pt.${signs(MIXED, 43, 29)}`,
    'linear-api-key': `lin_api_${signs(MIXED, 40, 30)}`,
    'grafana-service-account-token': `glsa_${signs(MIXED, 32, 31)}_${signs(HEX, 8, 32)}`,
    'pulumi-api-token': `pul-${signs(HEX, 40, 33)}`,
    'vault-service-token': `hvs.${signs(MIXED, 95, 34)}`,
    'age-secret-key': `AGE-SECRET-KEY-1${signs('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58, 35)}`,
    'notion-api-token': `ntn_${signs(DIGITS, 11, 36)}${signs(MIXED, 35, 37)}`,
    'perplexity-api-key': `pplx-${signs(MIXED, 48, 38)}`,
    'sentry-user-token': `sntryu_${signs(HEX, 64, 39)}`,
    'planetscale-api-token': `pscale_tkn_${signs(MIXED, 43, 40)}`,
    'alibaba-access-key-id': `LTAI${signs(MIXED, 20, 41)}`,
    'anthropic-api-key': `sk-ant-api03-${signs(MIXED, 93, 42)}AA`,
    'openai-api-key': `sk-${signs(MIXED, 20, 43)}T3BlbkFJ${signs(MIXED, 20, 44)}`,
    jwt: `ey${signs(MIXED, 30, 45)}.ey${signs(MIXED, 60, 46)}.${signs(MIXED, 43, 47)}`,
    'heroku-api-key': `heroku_key = "${uuid}"`,
    'datadog-access-token': `datadog_key = "${signs(HEX, 40, 48)}"`,
    'telegram-bot-api-token': `telegram = "${signs(DIGITS, 9, 49)}:A${signs(MIXED, 34, 50)}"`,
  };
  for (const [rule, token] of Object.entries(tokens)) {
    const text = token.includes('"') ? token : `use("${token}")`;
    const found = secretsOf(text);
    assert.ok(found.length > 0, `${rule}: ${text}`);
    assert.ok(
      found.some((find) => find.rule === rule) || /^(?:github|slack|model|pypi|url)-/.test(found[0]?.rule ?? ''),
      `${rule}: ${found.map((find) => find.rule).join(' ')}`,
    );
    assert.ok(!withoutSecrets(text).includes(token), rule);
  }
});

test('identifiers, digests, versions, images and public keys pass', () => {
  const digest = signs(HEX, 64, 1);
  for (const text of [
    `use("${digest}")`,
    `"integrity": "sha512-${signs(MIXED, 86, 2)}=="`,
    `const sha256 = "${signs(MIXED, 43, 3)}=";`,
    `revision = "${signs(HEX, 40, 4)}"`,
    'token = "123e4567-e89b-42d3-a456-426614174000"',
    `image = "iVBORw0KGgo${signs(MIXED, 120, 5)}"`,
    `url = "data:image/png;base64,${signs(MIXED, 120, 6)}"`,
    `pem = "-----BEGIN CERTIFICATE-----\n" +\n  "${signs(MIXED, 64, 7)}" +\n  "-----END CERTIFICATE-----";`,
    'if (text.startsWith("-----BEGIN RSA PRIVATE KEY-----")) read(text);',
    'jar = "build/libs/signing-1.0.0.RELEASE.jar"',
    'algorithm("PBKDF2WithHmacSHA256", "AEAD_AES_256_CBC_HMAC_SHA_512-Random")',
    'name: "20260113233000_AddForeignKeyToOwnerId"',
    `constraint("PK_${signs(HEX, 26, 8)}")`,
    `headers = {"Authorization": "Basic ${Buffer.from('username:password1').toString('base64')}"}`,
    'url = "https://me:tr0ub4dor@host.example/"',
    'url = "https://me:tr0ub4dor@www.example.com/x"',
    'api_key = "your-api-key-goes-here-1"',
    'api_key = "xxxxxxxxxxxxxxxx1"',
    'api_key = "{{ vault.api_key_1 }}"',
    'api_key = "<token-of-yours-1>"',
    'token = "dummy-token-1234"',
    "password='bobspassword'",
    'key = os.environ.get("API_KEY", "test-api-key-1")',
    'key = os.environ.get("API_KEY", "")',
    'fields = ["password", "username"]',
    `aws = "AKIA${signs(BASE32, 9, 9)}EXAMPLE"`,
  ])
    assert.deepEqual(secretsOf(text), [], text);
});

test('a search takes time in proportion to the text, whatever stands in it', () => {
  const words = SECRET_RULES.flatMap(({ keywords }) => keywords);
  const most = 10;
  for (const part of [
    ...['-', 'a.', 'a', 'A', '/', '"a', '" ', '"\n', '"+', 'password', 'password="', 'password",  ', 'a://b:', 'sk-'],
    ...['Bearer ', '-----BEGIN ', 'xapp-1-A', `ey${'A'.repeat(20)}.`, words.join(' '), words.join('=')],
  ]) {
    const timeOf = (length: number): number =>
      cpuTime(() => secretsOf(part.repeat(Math.ceil(length / part.length)).slice(0, length)));
    const [small, large] = [timeOf(16_384), timeOf(4 * 16_384)] as const;
    assert.ok(
      large < most * Math.max(small, 5),
      `${part.slice(0, 20)}: ${small} ms, then ${large} ms for four times as much`,
    );
  }
});

/** The least of three, in milliseconds of the processor: others on the machine do not count. */
function cpuTime(work: () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
