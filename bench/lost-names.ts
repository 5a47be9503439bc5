/**
 * `npm run bench:lost -- <dir>`: names that lead nowhere although exactly one top-level function or type of the
 * repository bears them.
 *
 * Many are a library's names that the repository uses for something of its own as well, so the share means little by
 * itself. Where it is high, or a whole folder is listed, imports of a shape are not understood: read the examples.
 */
import { resolve } from 'node:path';
import { Resolver } from '#src/graph/resolve/resolver.js';
import { Snapshot } from '#src/graph/files/snapshot.js';
import { grammarsOfThread } from '#src/io/index/grammar-bytes.js';
import { rootOf } from '#src/io/disk/root.js';
import { lineAt } from '#src/syntax/line-at.js';
import { D, E, isClassLike, isFunctionLike, R, type Summary } from '#src/syntax/summary.js';
import { summaryOf } from './indexing.js';
import { readSources } from './sources.js';

/** Shorter names are those of too many things. */
const LETTERS_LEAST = 7;
const SHOWN = 12;
const EXAMPLES = 2;
const ROLES: ReadonlySet<number> = new Set([R.type, R.callee, R.newCallee, R.base, R.decorator, R.import, R.read]);

interface Lost {
  count: number;
  readonly examples: string[];
}

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: npm run bench:lost -- <dir>');
const root = rootOf(resolve(folder));
const sources = await readSources(root);
const grammars = await grammarsOfThread();
const snapshot = Snapshot.empty().with(
  new Map(sources.files.map((source) => [source.path, summaryOf(source, grammars)])),
  sources.configs,
);
const resolver = new Resolver(snapshot);
const homes = homesOfNames();
const lost = new Map<string, Lost>();
let rows = 0;
let count = 0;
for (const [file, summary] of snapshot.files) {
  const { exprs } = summary;
  for (let expr = 0; expr < exprs.count; expr++) {
    if (exprs.opOf(expr) !== E.name || !ROLES.has(exprs.roleOf(expr))) continue;
    const [home, ...others] = homes.get(`${summary.language} ${exprs.nameOf(expr)}`) ?? [];
    if (home === undefined || others.length > 0) continue;
    rows++;
    if (resolver.resolve(file, expr).targets.length > 0) continue;
    count++;
    note(
      `${folderOf(home)} from ${folderOf(file)}`,
      `${file}:${lineAt(summary, exprs.startOf(expr))} ${exprs.nameOf(expr)}`,
    );
  }
}
const share = rows === 0 ? 0 : (100 * count) / rows;
process.stdout.write(`${root}: ${count} of ${rows} names lead nowhere (${share.toFixed(2)} %)\n`);
for (const [where, { count: times, examples }] of [...lost].sort((a, b) => b[1].count - a[1].count).slice(0, SHOWN))
  process.stdout.write(
    `${String(times).padStart(6)}  ${where}\n${examples.map((line) => `          ${line}\n`).join('')}`,
  );

/** Files of the functions and types that stand in no other one, by language and name. */
function homesOfNames(): ReadonlyMap<string, readonly string[]> {
  const out = new Map<string, string[]>();
  for (const [file, summary] of snapshot.files) {
    for (let decl = 0; decl < summary.decls.count; decl++) {
      if (!isTopLevel(summary, decl) || summary.decls.nameOf(decl).length < LETTERS_LEAST) continue;
      const key = `${summary.language} ${summary.decls.nameOf(decl)}`;
      const known = out.get(key);
      if (known === undefined) out.set(key, [file]);
      else known.push(file);
    }
  }
  return out;
}

function isTopLevel({ decls }: Summary, decl: number): boolean {
  const kind = decls.kindOf(decl);
  const parent = decls.parentOf(decl);
  const isNamed = kind !== D.lambda && kind !== D.anonymousClass;
  return isNamed && (isClassLike(kind) || isFunctionLike(kind)) && (parent < 0 || decls.kindOf(parent) === D.namespace);
}

function note(where: string, example: string): void {
  const known = lost.get(where) ?? { count: 0, examples: [] };
  lost.set(where, known);
  known.count++;
  if (known.examples.length < EXAMPLES) known.examples.push(example);
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')));
}
