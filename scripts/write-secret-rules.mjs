// Rewrites the table of token shapes from a gitleaks.toml, without network:
//     node scripts/write-secret-rules.mjs <gitleaks.toml> <version>
// Go's RE2 becomes JavaScript: what is said in the header of the table that it writes.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [source, version] = process.argv.slice(2);
if (source === undefined || version === undefined) {
  console.error('give the gitleaks.toml and its version: node scripts/write-secret-rules.mjs <file> <version>');
  process.exit(2);
}

/** Left out, with the reason. */
const LEFT_OUT = [
  [/^generic-api-key$|^hashicorp-tf-password$/, 'assignments are read by our own rules, which know code'],
  [/^private-key$/, 'needs the end of the key, which a fragment may not hold'],
  [/^curl-auth|^kubernetes-secret-yaml$/, 'shells and manifests; the expressions run over many lines'],
  [/-client-id$|-pub(?:lic)?-key$|^looker-client-id$/, 'identifiers and public keys are no secrets'],
];
/** What the list says in tables of exceptions: a method of 24 letters that is called on `s` is no token. */
const NARROWED = { 'vault-service-token': ['(?i:[a-z0-9]{24})', String.raw`(?=[a-z]{0,23}\d)(?i:[a-z0-9]{24})`] };
/** The frame that most rules stand in: `<service> … = "<value>"`. */
const FRAME_BEFORE = String.raw`(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}(`;
const FRAME_START = String.raw`(?i)[\w.-]{0,50}?(?:`;
const END = String.raw`(?:[\x60'"\s;]|\\[nr]|$)`;
const REPEATED_MOST = 1000;

function rulesOf(toml) {
  return toml
    .split(/^\[\[rules\]\]$/m)
    .slice(1)
    .map((part) => {
      // What follows belongs to the tables of exceptions.
      const own = part.split(/^\[\[rules\./m)[0];
      const of = (key, form) => new RegExp(`^${key} = ${form}`, 'm').exec(own)?.[1];
      return {
        id: of('id', '"(.*)"'),
        regex: of('regex', "'''(.*)'''"),
        entropy: of('entropy', '([\\d.]+)'),
        path: of('path', "'''(.*)'''"),
        keywords: [...(of('keywords', '\\[([^\\]]*)\\]') ?? '').matchAll(/"([^"]*)"/g)].map(([, word]) => word),
      };
    });
}

/** JavaScript's words for it: no inline flags, no POSIX classes, and no repetition without an end. */
function converted(regex) {
  return bounded(
    regex
      .replace(/^\[\\w\.-\]\{0,50\}\?/, '')
      .replaceAll(String.raw`[\w.-]{0,50}?`, '')
      .replaceAll(END, String.raw`(?![\w-])`)
      .replaceAll('(?i)', '')
      .replace(/\(\?-?i:/g, '(?:')
      .replaceAll('(?s:.)', String.raw`[\s\S]`)
      .replace(/\(\?P<\w+>/g, '(?:')
      .replaceAll('[:alnum:]', 'A-Za-z0-9')
      .replaceAll(String.raw`\z`, '$')
      .replaceAll(String.raw`\x60`, '`'),
  );
}

function bounded(regex) {
  let out = '';
  let inClass = false;
  for (let at = 0; at < regex.length; at++) {
    const sign = regex[at];
    const open = /^\{(\d+),\}/.exec(regex.slice(at));
    if (sign === '\\') out += sign + regex[++at];
    else if (inClass || (sign !== '+' && sign !== '*' && open === null)) {
      if (sign === '[') inClass = true;
      else if (sign === ']') inClass = false;
      out += sign;
    } else if (open !== null) {
      out += `{${open[1]},${REPEATED_MOST}}`;
      at += open[0].length - 1;
    } else out += sign === '+' ? `{1,${REPEATED_MOST}}` : `{0,${REPEATED_MOST}}`;
  }
  return out;
}

function rowOf({ id, regex: theirs, entropy, keywords }) {
  const regex = theirs.replace(...(NARROWED[id] ?? ['', '']));
  const words = JSON.stringify(keywords.join(' ')).replaceAll('"', "'");
  const least = entropy === undefined ? '' : `, ${Number(entropy)}`;
  const middle = regex.indexOf(FRAME_BEFORE);
  const isFramed = regex.startsWith(FRAME_START) && middle !== -1 && regex.endsWith(`)${END}`);
  const service = isFramed ? regex.slice(FRAME_START.length, middle - 1) : '';
  const value = isFramed ? regex.slice(middle + FRAME_BEFORE.length, -END.length - 1) : '';
  // Several alternatives with frames of their own stay as they are.
  if (isFramed && !value.includes(END)) {
    const parts = [service, value].map((part) => new RegExp(converted(part)).toString());
    return `  service('${id}', ${words}, ${parts.join(', ')}${least}),`;
  }
  const flags = /\(\?i[:)]/.test(regex) ? 'gi' : 'g';
  return `  token('${id}', ${words}, ${new RegExp(converted(regex), flags).toString()}${least}),`;
}

const taken = [];
let left = 0;
for (const rule of rulesOf(readFileSync(source, 'utf8'))) {
  if (rule.regex === undefined || rule.path !== undefined || LEFT_OUT.some(([id]) => id.test(rule.id))) left++;
  else taken.push(rowOf(rule));
}

const target = fileURLToPath(new URL('../src/context/secret-rules.ts', import.meta.url));
const BEGIN = '// <rules>';
const STOP = '// </rules>';
const text = readFileSync(target, 'utf8');
const head = text.slice(0, text.indexOf(BEGIN)).replace(/(gitleaks) \S+ \(/, `$1 ${version} (`);
writeFileSync(
  target,
  `${head}${BEGIN}\n// prettier-ignore\nexport const SECRET_RULES: readonly SecretRule[] = [\n${taken.join('\n')}\n];\n${text.slice(text.indexOf(STOP))}`,
);
console.log(`${taken.length} rules taken, ${left} left out`);
