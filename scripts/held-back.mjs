// What would be held back from a model because it looks like a secret, file by file, after a build:
//     node scripts/held-back.mjs [--show] <repository>...
// With --show also each line of it, for reading by eye: what it prints may be secret.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { secretsOf } from '../dist/context/secrets.js';

const SOURCES = /\.(?:py|tsx?|jsx?|mts|cts|mjs|cjs|java|cs)$/;
const given = process.argv.slice(2);
const isShown = given.includes('--show');
for (const repository of given.filter((one) => one !== '--show')) {
  const listed = execFileSync('git', ['-C', repository, 'ls-files', '-z'], { maxBuffer: 2 ** 28, encoding: 'utf8' });
  const files = listed.split('\0').filter((file) => SOURCES.test(file));
  const rules = new Map();
  let held = 0;
  for (const file of files) {
    const text = readFileSync(join(repository, file), 'utf8');
    const finds = secretsOf(text);
    if (finds.length > 0) held++;
    for (const { rule, line } of finds) {
      rules.set(rule, (rules.get(rule) ?? 0) + 1);
      if (isShown) console.log(`${file}:${line} ${rule}: ${text.split('\n')[line - 1].trim().slice(0, 160)}`);
    }
  }
  const counts = [...rules].sort((a, b) => b[1] - a[1]).map(([rule, count]) => `${rule} ${count}`);
  const share = ((100 * held) / Math.max(1, files.length)).toFixed(1);
  console.log(`${basename(repository)}: ${held} of ${files.length} files (${share} %): ${counts.join(', ')}`);
}
