// Runs the built tests, those alone whose path holds one of the arguments, if any is given, and none whose
// path holds an argument behind a minus sign (`-editors/`). The last
// lines say which tests did not run, for want of which tool, and how to get it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const TESTS = fileURLToPath(new URL('../dist/test/', import.meta.url));
/** Tests in their files of which so many run at a time: each starts processes of its own. */
const FILES_AT_A_TIME = 2;

const parts = process.argv.slice(2);
const wanted = parts.filter((part) => !part.startsWith('-'));
const unwanted = parts.filter((part) => part.startsWith('-')).map((part) => part.slice(1));
const files = readdirSync(TESTS, { recursive: true })
  .filter((path) => path.endsWith('.test.js') && (wanted.length === 0 || wanted.some((part) => path.includes(part))))
  .filter((path) => !unwanted.some((part) => path.includes(part)))
  .map((path) => join(TESTS, path))
  .sort();
if (files.length === 0) {
  console.error(`no built test has a path that fits ${parts.join(' ')}`);
  process.exit(2);
}

/** Why tests did not run, and how many for this reason. */
const left = new Map();
async function* noted(events) {
  for await (const event of events) {
    if (event.type === 'test:fail') process.exitCode = 1;
    const { skip } = event.data ?? {};
    if ((event.type === 'test:pass' || event.type === 'test:fail') && skip !== undefined)
      left.set(String(skip), (left.get(String(skip)) ?? 0) + 1);
    yield event;
  }
}

const report = Readable.from(noted(run({ files, concurrency: FILES_AT_A_TIME }))).pipe(new spec());
report.pipe(process.stdout, { end: false });
await finished(report);
for (const [reason, count] of [...left].sort())
  console.log(`${count} ${count === 1 ? 'test' : 'tests'} did not run: ${reason}`);
