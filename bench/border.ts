/**
 * `npm run bench:border -- --root <checkout> --library <folder> --user <folder> [--count <n>] [--seed <n>]`: edits of
 * every kind at definitions of one package of a repository which another one certainly uses, each carried through
 * that package by the rewrites, as a release would be. What is affected in the user's package is asked twice: with the
 * library's sources beside it, and of the user's package alone through the change file of the library's two versions.
 * Each block that only one of the two names, or names with another tier, is printed; those that are left out across
 * the border on purpose are counted by themselves: what a body does now, what could give a new parameter, what is
 * known by a name alone.
 *
 * Definitions are taken by the hash of their names, in turns of the kinds, so that one seed chooses the same ones in
 * the next version of the program.
 */
import { join, resolve } from 'node:path';
import { isOutside } from '#src/base/outside.js';
import { inTurns } from '#src/base/turns.js';
import { hashText } from '#src/base/hash.js';
import { apiDocument, changeDocument } from '#src/engine/api-document.js';
import { movesOf, sideOf, toldOf, withSide } from '#src/engine/api-tree.js';
import { editInTurns } from '#src/engine/edit-between.js';
import { ServiceError } from '#src/engine/service.js';
import { WorkingTree } from '#src/engine/working-tree.js';
import { Snapshot } from '#src/graph/files/snapshot.js';
import { impactOf } from '#src/impact/impact.js';
import { questionAbout } from '#src/impact/question.js';
import { grammarsOfThread } from '#src/io/index/grammar-bytes.js';
import { rootOf } from '#src/io/disk/root.js';
import { summarise } from '#src/languages/summarise.js';
import { lineAt } from '#src/syntax/line-at.js';
import { D, R, type Summary } from '#src/syntax/summary.js';
import { refactored } from './refactoring.js';
import { KINDS, type Kind, type Subject, type Typed } from './refactoring-kinds.js';
import { summaryOf } from './indexing.js';
import { option } from './option.js';
import { readSources, type Source } from './sources.js';

/** Kinds that say nothing to other packages, or are told to them by a move that users may not see. */
const OWN_KINDS = /^(?:import alias|type parameter)/u;

const usage = 'usage: npm run bench:border -- --root <checkout> --library <folder> --user <folder> [--count <n>]';
const [folder, library, user] = [option('--root'), option('--library'), option('--user')];
if (folder === undefined || library === undefined || user === undefined) throw new Error(usage);
const count = Number(option('--count') ?? 30);
const seed = option('--seed') ?? '1';
const { signal } = new AbortController();
const root = rootOf(resolve(folder));
const grammars = await grammarsOfThread();
const sources = await readSources(root);

const isBelow = (top: string, path: string): boolean => path.startsWith(`${top}/`);
const below = (top: string, path: string): string => path.slice(top.length + 1);

/** The sources and settings of some folders of the checkout, each under the path that `at` gives it. */
function treeOf(isTaken: (path: string) => boolean, at: (path: string) => string): WorkingTree {
  const taken = sources.files
    .filter(({ path }) => isTaken(path))
    .map((source) => ({ ...source, path: at(source.path) }));
  const texts = new Map(taken.map((source: Source) => [source.path, source.text]));
  const summaries = new Map(taken.map((source) => [source.path, summaryOf(source, grammars)]));
  const settings = [...sources.configs].flatMap(([path, text]): [string, string][] =>
    isTaken(path) ? [[at(path), text]] : [],
  );
  return new WorkingTree(Snapshot.empty().with(summaries, new Map(settings)), (file) => texts.get(file));
}

const isAbove = (path: string): boolean => !path.slice(0, path.lastIndexOf('/') + 1).includes(`${library}/`);
const both = treeOf(
  (path) => isBelow(library, path) || isBelow(user, path) || (sources.configs.has(path) && isAbove(path)),
  (path) => path,
);
const own = treeOf(
  (path) => isBelow(user, path),
  (path) => below(user, path),
);
const offered = treeOf(
  (path) => isBelow(library, path),
  (path) => below(library, path),
);
const described = (tree: WorkingTree): ReturnType<typeof apiDocument> =>
  apiDocument(tree, (file) => sources.configs.get(join(library, file)), [], grammars, signal);
const from = await described(offered);

interface Change {
  readonly kind: Kind;
  readonly subject: Subject;
  readonly typed: Typed;
}

const sums = { both: 0, inside: 0, leftOut: 0, across: 0, changes: 0, apart: 0 };
for (const change of changes()) await compare(change);
process.stdout.write(
  `${sums.changes} changes of ${library}, ${sums.apart} of them said otherwise: of the blocks of ${user} with their ` +
    `tiers ${sums.both} by both, ${sums.inside} only with the sources, ${sums.across} only through the change file; ` +
    `${sums.leftOut} are left out across the border on purpose\n`,
);

/** In turns of the kinds, until there are enough or no more. */
function changes(): Change[] {
  const used = usedDefinitions();
  const queues = KINDS.filter(({ name }) => !OWN_KINDS.test(name)).map((kind) => changesOf(kind, used));
  const out: Change[] = [];
  for (let open = queues; out.length < count && open.length > 0;) {
    const next = open.map((queue) => ({ queue, made: queue.next() }));
    for (const { made } of next) if (made.done !== true && out.length < count) out.push(made.value);
    open = next.flatMap(({ queue, made }) => (made.done === true ? [] : [queue]));
  }
  return out;
}

/** Rows of the library's files that a name in the user's package certainly leads to, with the classes around them. */
function usedDefinitions(): ReadonlyMap<string, ReadonlySet<number>> {
  const out = new Map<string, Set<number>>();
  for (const [file, { exprs }] of both.snapshot.files) {
    if (!isBelow(user as string, file)) continue;
    for (let expr = 0; expr < exprs.count; expr++) {
      if (exprs.roleOf(expr) === R.import || exprs.roleOf(expr) === R.doc) continue;
      const found = both.resolver.resolve(file, expr);
      if (found.confidence !== 'certain') continue;
      for (const target of found.targets) {
        if (!isBelow(library as string, target.file) || target.decl < 0) continue;
        out.set(target.file, (out.get(target.file) ?? new Set<number>()).add(target.decl));
      }
    }
  }
  return out;
}

function isUsed(summary: Summary, decl: number, rows: ReadonlySet<number>): boolean {
  const { decls } = summary;
  return rows.has(decls.kindOf(decl) === D.constructor ? decls.parentOf(decl) : decl) || rows.has(decl);
}

function* changesOf(kind: Kind, used: ReadonlyMap<string, ReadonlySet<number>>): Generator<Change, undefined> {
  const all = [...used].flatMap(([file, rows]) => {
    const summary = both.resolver.summary(file);
    return Array.from({ length: summary.decls.count }, (_, decl) => decl)
      .filter((decl) => isUsed(summary, decl, rows) && kind.fits(summary, decl))
      .map((decl) => ({ key: hashText(`${seed} ${kind.name} ${file} ${summary.decls.pathOf(decl)}`), file, decl }));
  });
  all.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.decl - b.decl));
  for (const { key, file, decl } of all) {
    const subject: Subject = {
      tree: both,
      file,
      decl,
      summary: both.resolver.summary(file),
      text: both.text(file) ?? '',
      pick: (most, purpose) => (most === 0 ? 0 : Number.parseInt(hashText(`${key} ${purpose}`).slice(0, 8), 16) % most),
    };
    const typed = kind.typed(subject);
    if (typed !== undefined) yield { kind, subject, typed };
  }
  return undefined;
}

async function compare({ kind, subject, typed }: Change): Promise<void> {
  const line = lineAt(subject.summary, subject.summary.decls.nameStartOf(subject.decl));
  const what = `${kind.name}: ${subject.summary.decls.nameOf(subject.decl)} (${subject.file}:${line})`;
  const { renames = new Map<string, string>() } = typed;
  const released = (await refactored(offered, belowLibrary(typed), grammars)).result.tree;
  const inside = await affected(both, withReleased(released), user as string, renames);
  const across = await acrossTheBorder(released);
  sums.changes++;
  const missing = [...inside].filter(([row]) => !across.has(row));
  const onlyInside = missing.filter(([, { isLeftOut }]) => !isLeftOut);
  const onlyAcross = [...across].filter(([row]) => !inside.has(row));
  sums.both += inside.size - missing.length;
  sums.leftOut += missing.length - onlyInside.length;
  sums.inside += onlyInside.length;
  sums.across += onlyAcross.length;
  if (onlyInside.length + onlyAcross.length === 0) return;
  sums.apart++;
  const rowsOf = (side: string, rows: readonly (readonly [string, Account])[]): string[] =>
    rows.map(([row, { why }]) => `  only ${side}: ${row}: ${why}\n`);
  process.stdout.write(`${what}\n${[...rowsOf('inside', onlyInside), ...rowsOf('across', onlyAcross)].join('')}`);
}

/** What is said of a block. */
interface Account {
  readonly why: string;
  readonly isLeftOut: boolean;
}

/** The edit with paths of the library's own root. */
function belowLibrary({ edits, renames = new Map<string, string>(), ...typed }: Typed): Typed {
  const at = (file: string): string => below(library as string, file);
  return {
    ...typed,
    edits: new Map([...edits].map(([file, list]) => [at(file), list])),
    renames: new Map([...renames].map(([old, now]) => [at(old), at(now)])),
  };
}

/** Both packages, with the library's files as they are in another tree of it. */
function withReleased(released: WorkingTree): WorkingTree {
  const files = new Map<string, Summary | undefined>();
  const texts = new Map<string, string | undefined>();
  for (const file of new Set([...offered.snapshot.files.keys(), ...released.snapshot.files.keys()])) {
    const text = released.snapshot.files.has(file) ? released.text(file) : undefined;
    if (offered.snapshot.files.has(file) && text === offered.text(file)) continue;
    const path = join(library as string, file);
    texts.set(path, text);
    files.set(path, text === undefined ? undefined : summarise(grammars, path, text));
  }
  return new WorkingTree(both.snapshot.with(files), (file) => (texts.has(file) ? texts.get(file) : both.text(file)));
}

async function acrossTheBorder(released: WorkingTree): Promise<ReadonlyMap<string, Account>> {
  const to = await described(released);
  const change = await changeDocument(from, to, grammars, signal).catch((error: unknown) => {
    if (error instanceof ServiceError) return undefined;
    throw error;
  });
  if (change === undefined) return new Map();
  const old = await inTurns(withSide(own, sideOf(change, 'before'), grammars), signal);
  const before = old.knowing(toldOf(movesOf(change), old));
  const after = await inTurns(withSide(own, sideOf(change, 'after'), grammars, before), signal);
  return affected(before, after, '', new Map());
}

/** Blocks below a folder, each with the worst that is said of it, and why. */
async function affected(
  before: WorkingTree,
  after: WorkingTree,
  top: string,
  renames: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Account>> {
  const edit = await inTurns(editInTurns(before, after, renames), signal);
  const question = questionAbout({ before: before.resolver, after: after.resolver }, edit);
  const { affected: found } = await inTurns(impactOf(question), signal);
  return new Map(
    found
      .filter(({ file }) => !isOutside(file) && (top === '' || isBelow(top, file)))
      .map(({ file, decl, sites }): [string, Account] => {
        const tier = sites.some((site) => site.tier === 'breaks') ? 'breaks' : 'may';
        const confidence = sites.some((site) => site.confidence === 'certain') ? 'certain' : 'possible';
        const block = decl < 0 ? '<module>' : after.resolver.summary(file).decls.pathOf(decl);
        const why = [...new Set(sites.map(({ rule, reason }) => `${rule} (${reason})`))].sort().join(', ');
        const isLeftOut = sites.every(
          (site) => site.confidence === 'possible' || site.offers !== undefined || site.cause.label === 'MMB',
        );
        return [`${top === '' ? file : below(top, file)} ${block} ${tier} ${confidence}`, { why, isLeftOut }];
      }),
  );
}
