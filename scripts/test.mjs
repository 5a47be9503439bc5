// Runs the built tests, those alone whose path holds one of the arguments, if any is given, and none whose
// path holds an argument behind a minus sign (`-editors/`). The last
// lines say which tests did not run, for want of which tool, and how to get it.
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const TESTS = fileURLToPath(new URL('../dist/test/', import.meta.url));
/** Tests in their files of which so many run at a time: each starts processes of its own. */
const FILES_AT_A_TIME = 2;
/**
 * Tests drive editors, browsers, servers and compilers of other people, which a busy machine can make miss a key or
 * a message. Up to so many files that failed are tried again, each alone, and named as unsteady when they pass then.
 */
const FILES_TRIED_AGAIN = 3;
/** A file that takes longer hangs: the slowest needs two to three minutes on a busy machine. */
const MS_A_FILE = 10 * 60_000;

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

/** Why tests did not run, and which. */
const left = new Map();

/** Runs test files, so many at a time; prints what they say; gives the files in which a test failed, each with which. */
async function failuresOf(paths, concurrency) {
  const failures = new Map();
  async function* noted(events) {
    for await (const event of events) {
      const { skip, file, name } = event.data ?? {};
      if (event.type === 'test:fail') failures.set(file ?? '', [...(failures.get(file ?? '') ?? []), name]);
      if ((event.type === 'test:pass' || event.type === 'test:fail') && skip !== undefined)
        left.set(String(skip), (left.get(String(skip)) ?? new Set()).add(`${file}: ${name}`));
      yield event;
    }
  }
  const report = Readable.from(noted(run({ files: paths, concurrency, timeout: MS_A_FILE }))).pipe(new spec());
  report.pipe(process.stdout, { end: false });
  await finished(report);
  return failures;
}

const first = await failuresOf(files, FILES_AT_A_TIME);
const again = [...first.keys()].filter((file) => file !== '');
/** The files of which a test failed twice, or once when too many failed for it to be the machine's doing. */
let failed = first;
if (again.length > 0 && again.length === first.size && again.length <= FILES_TRIED_AGAIN) {
  console.log(`\nTrying again, alone: ${again.map((file) => relative(TESTS, file)).join(', ')}\n`);
  failed = await failuresOf(again, 1);
  for (const [file, names] of first)
    if (!failed.has(file))
      console.log(`UNSTEADY: passed only when tried again, alone: ${relative(TESTS, file)}: ${names.join('; ')}`);
}
if (failed.size > 0) process.exitCode = 1;
for (const [reason, { size }] of [...left].sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`${size} ${size === 1 ? 'test' : 'tests'} did not run: ${reason}`);
