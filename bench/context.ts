/**
 * `npm run bench:context -- <cases.json> <mirrors> [--limit <n>] [--missed]`: how many of the blocks that had to follow
 * an edit are named within a budget of tokens, by the tool `context` and by windows of 21 lines around what grep finds.
 * `--missed` lists the blocks that `context` names within none.
 *
 * The cases are commits of public repositories: the blocks that a person edited first (`seeds`), and those one step
 * away that had to follow (`derived`, `hop` 1). Each is asked on the tree before the commit, which is read out of
 * `<mirrors>/<owner>+<name>/repo`; no repository is written to. A block counts as found when the answer names it in
 * its file, or shows one of its lines.
 */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { estimateTokens } from '#src/context/tokens.js';
import { context } from '#src/engine/context-tool.js';
import { WorkingTree } from '#src/engine/working-tree.js';
import { Snapshot } from '#src/graph/files/snapshot.js';
import { grammarsOfThread } from '#src/io/index/grammar-bytes.js';
import { SearchIndex } from '#src/retrieve/search-index.js';
import { RepositoryFiles } from './repository-files.js';
import { option } from './option.js';

const BUDGETS = [500, 1000, 2000, 4000];
const WINDOW_REACH = 10;

const block = z.object({ file: z.string(), qualifiedName: z.string(), linesBefore: z.tuple([z.number(), z.number()]) });
const Cases = z.object({
  cases: z.array(
    z.object({
      id: z.string(),
      repo: z.string(),
      language: z.string(),
      before: z.string(),
      seeds: z.array(block.extend({ name: z.string() }).partial({ linesBefore: true })),
      derived: z.array(block.extend({ hop: z.number() })),
    }),
  ),
});
type Case = z.infer<typeof Cases>['cases'][number];

const [casesFile, mirrors] = process.argv.slice(2);
if (casesFile === undefined || mirrors === undefined)
  throw new Error('usage: npm run bench:context -- <cases.json> <mirrors> [--limit <n>]');
const limit = Number(option('--limit') ?? Infinity);
const { cases } = Cases.parse(JSON.parse(readFileSync(casesFile, 'utf8')));
const every = Math.max(1, Math.floor(cases.length / limit));
const grammars = await grammarsOfThread();
const listsMissed = process.argv.includes('--missed');
const blank = { wanted: 0, cases: 0, skipped: 0, context: [] as readonly number[], windows: [] as readonly number[] };
type Totals = typeof blank;
const byLanguage = new Map<string, Totals>();
const plus = (sums: readonly number[], more: readonly number[]): number[] => more.map((n, i) => n + (sums[i] ?? 0));

let read: RepositoryFiles | undefined;
for (const one of cases.filter((_, i) => i % every === 0)) {
  const wanted = one.derived.filter(({ hop }) => hop === 1);
  if (read?.repo !== one.repo) read = new RepositoryFiles(mirrors, one.repo, grammars);
  const { texts, summaries, configs } = read.at(one.before, one.language);
  const tree = new WorkingTree(Snapshot.empty().with(summaries, configs), (file) => texts.get(file));
  const seeds = one.seeds.map(({ file, qualifiedName }) => `${file}:${qualifiedName}`);
  const asked = seeds.filter((seed) => answers(tree, [seed], 200) !== undefined);
  const totals = byLanguage.get(one.language) ?? blank;
  if (wanted.length === 0 || asked.length === 0) {
    byLanguage.set(one.language, { ...totals, skipped: totals.skipped + 1 });
    continue;
  }
  const said = BUDGETS.map((tokens) => answers(tree, asked.slice(0, 20), tokens) ?? '');
  const shown = BUDGETS.map((tokens) => windows(one, texts, tokens));
  byLanguage.set(one.language, {
    ...totals,
    cases: totals.cases + 1,
    wanted: totals.wanted + wanted.length,
    context: plus(
      totals.context,
      said.map((text) => wanted.filter((block) => isNamed(text, block)).length),
    ),
    windows: plus(
      totals.windows,
      shown.map((lines) => wanted.filter((block) => isShown(lines, block)).length),
    ),
  });
  if (listsMissed)
    for (const block of wanted.filter((block) => !said.some((text) => isNamed(text, block))))
      console.log(`${one.id} ${asked.join(' ')} -> ${block.file}:${block.qualifiedName}`);
}

const all = [...byLanguage.values()].reduce((sums, more) => ({
  wanted: sums.wanted + more.wanted,
  cases: sums.cases + more.cases,
  skipped: sums.skipped + more.skipped,
  context: plus(sums.context, more.context),
  windows: plus(sums.windows, more.windows),
}));
for (const [language, { cases: commits, wanted, skipped, context: named, windows: seen }] of [
  ...byLanguage,
  ['all', all] as const,
]) {
  console.log(`${language}: ${commits} commits, ${wanted} blocks one step away (${skipped} commits without)`);
  BUDGETS.forEach((tokens, i) => {
    const share = (found: number | undefined): string => ((100 * (found ?? 0)) / Math.max(1, wanted)).toFixed(1);
    console.log(`  within ${tokens} tokens: context ${share(named[i])} %, windows around grep ${share(seen[i])} %`);
  });
}

/** Undefined for a block that the tree does not have. */
function answers(tree: WorkingTree, blocks: readonly string[], tokens: number): string | undefined {
  const { snapshot, resolver } = tree;
  const repository = {
    snapshot,
    resolver,
    grammars,
    text: (file: string) => tree.text(file),
    index: SearchIndex.empty(),
  };
  try {
    const said = context.answer(repository, { blocks, tokens });
    return said.ok ? said.answer.text : undefined;
  } catch {
    return undefined;
  }
}

/** Lines around the old names' mentions, in the order of grep, as many as fit. */
function windows({ seeds }: Case, texts: ReadonlyMap<string, string>, tokens: number): Map<string, Set<number>> {
  const shown = new Map<string, Set<number>>();
  let left = tokens;
  for (const name of new Set(seeds.map((seed) => seed.name))) {
    const said = new RegExp(`(?<![\\w$])${name.replace(/[^\w]/g, '\\$&')}(?![\\w$])`);
    for (const [path, text] of texts) {
      if (!text.includes(name)) continue;
      const lines = text.split('\n');
      for (const [i, line] of lines.entries()) {
        if (!said.test(line)) continue;
        let known = shown.get(path);
        if (known === undefined) shown.set(path, (known = new Set<number>()));
        for (let near = Math.max(0, i - WINDOW_REACH); near <= Math.min(lines.length - 1, i + WINDOW_REACH); near++) {
          if (known.has(near + 1)) continue;
          left -= estimateTokens(lines[near] ?? '') + 1;
          if (left < 0) return shown;
          known.add(near + 1);
        }
      }
    }
  }
  return shown;
}

function isShown(
  shown: ReadonlyMap<string, ReadonlySet<number>>,
  { file, linesBefore: [first, last] }: Case['derived'][number],
): boolean {
  for (const line of shown.get(file) ?? []) if (line >= first && line <= last) return true;
  return false;
}

/** Whether a section of the file names the block, or a line in it. */
function isNamed(said: string, { file, qualifiedName, linesBefore: [first, last] }: Case['derived'][number]): boolean {
  const name = qualifiedName.replace(/#\d+$/, '');
  let current = '';
  for (const line of said.split('\n')) {
    const head = /^(\S[^:]*\.\w+)(?::\d+ (\S+))?$/.exec(line);
    if (head?.[1] !== undefined) current = head[1];
    if (current !== file) continue;
    if (head?.[2] === name) return true;
    const use = /^ {2}([\d,]+)(?: and \d+ more)? (\S+)$/.exec(line);
    if (use?.[1] === undefined) continue;
    const lines = use[1].split(',').map(Number);
    if (use[2] === name || lines.some((at) => at >= first && at <= last)) return true;
  }
  return false;
}
