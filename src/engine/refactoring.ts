/**
 * A refactoring as a run of propagate: the seed is made in memory, and what follows from it is
 * planned as if a person had typed it. Nothing of it is there before the run is applied.
 */
import { isPathInside } from '../base/paths.js';
import { shownName } from '../base/shown.js';
import type { PropagateParams, PropagateReport } from '#protocol/propagate.js';
import type { Refactoring, RefactorParams } from '#protocol/refactor.js';
import { moveAllSeed, moveSeed } from '../refactor/move.js';
import type { Movable } from '../refactor/pieces.js';
import { relatedNames } from '../refactor/related.js';
import { renameFileSeed } from '../refactor/rename-file.js';
import { localsNamed, renameLocalSeed, type LocalName } from '../refactor/rename-local.js';
import { renameSeed } from '../refactor/rename.js';
import { Refused, type Seed, type Sources } from '../refactor/seed.js';
import { wishOfList } from '../refactor/parameter-list.js';
import { signatureSeed, type SignatureWish } from '../refactor/signature.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { summarise } from '../languages/summarise.js';
import type { Grammars } from '../syntax/grammar.js';
import { lineAt } from '../syntax/line-at.js';
import type { Summary } from '../syntax/summary.js';
import { findBlock, MODULE, type FoundBlock } from './block-names.js';
import type { Run } from './propagation.js';
import { namedAt, placeAsked } from './refactor-here.js';
import { ServiceError } from './service.js';
import { diffOf } from './step-diff.js';
import type { TreePair } from './trees.js';
import { WorkingTree } from './working-tree.js';

export interface SeedTrees extends TreePair {
  readonly seed: Seed;
}

/** The tree as it is, and with the seed. Throws ServiceError: unknownBlock, ambiguousBlock, refused. */
export function seedTrees(
  current: WorkingTree,
  asked: Refactoring,
  grammars: Grammars,
  problems: TreePair['problems'],
): SeedTrees {
  const seed = seedOf(current, asked, grammars);
  const summaries = new Map<string, Summary | undefined>([...seed.renames.keys()].map((file) => [file, undefined]));
  for (const [file, text] of seed.texts)
    summaries.set(file, text === undefined ? undefined : summarise(grammars, file, text));
  const after = new WorkingTree(current.snapshot.with(summaries), (file) => seed.texts.get(file) ?? current.text(file));
  const before = seed.told === undefined ? current : current.knowing(seed.told);
  const told = [...problems, ...(seed.notes ?? []).map((message) => ({ message }))];
  return {
    before,
    after,
    present: 'before',
    isClosed: seed.isClosed === true,
    name: 'now',
    renames: seed.renames,
    problems: told,
    seed,
  };
}

function seedOf(tree: WorkingTree, asked: Refactoring, grammars: Grammars): Seed {
  const sources: Sources = {
    resolver: tree.resolver,
    text: (file) => tree.text(file),
    summarise: (file, text) => summarise(grammars, file, text),
  };
  try {
    return seedFor(sources, asked);
  } catch (error) {
    if (error instanceof Refused) throw new ServiceError('refused', error.message, error.files, error.candidates);
    throw error;
  }
}

function seedFor(sources: Sources, asked: Refactoring): Seed {
  const { resolver } = sources;
  switch (asked.kind) {
    case 'rename': {
      const named = renamed(resolver, asked.block);
      if ('local' in named && asked.keepExports === true)
        throw new Refused('a parameter or variable of a function is exported by nothing');
      return 'local' in named
        ? renameLocalSeed(sources, named.local.owner, named.local, asked.to)
        : renameSeed(sources, named.block, asked.to, { keepExports: asked.keepExports === true });
    }
    case 'rename-file':
      return renameFileSeed(sources, pathInside(asked.from), pathInside(asked.to));
    case 'move':
      return moveSeed(
        sources,
        asked.blocks.flatMap((block) => movable(resolver, block)),
        pathInside(asked.to),
      );
    case 'move-all':
      return moveAllSeed(sources, pathInside(asked.from), pathInside(asked.to));
    case 'signature': {
      const found = findBlock(resolver, asked.block);
      return signatureSeed(sources, found, wishFor(resolver, found, asked));
    }
  }
}

function wishFor(
  resolver: Resolver,
  [{ file, decl }]: FoundBlock,
  { parameters, add = [], remove = [], rename = [], order, async }: Extract<Refactoring, { kind: 'signature' }>,
): SignatureWish {
  if (parameters === undefined) return { add, remove, rename, order, async };
  if (add.length + remove.length + rename.length > 0 || order !== undefined)
    throw new Refused('give either all parameters, or what to add, remove, rename and order');
  return { ...wishOfList(resolver.summary(file), decl, parameters), async };
}

/** A place names exactly what stands there; any other form a block, or with `(name)` a local of it. */
function renamed(
  resolver: Resolver,
  asked: string,
): { readonly local: { readonly owner: DeclRef } & LocalName } | { readonly block: FoundBlock } {
  const place = placeAsked(resolver, asked);
  if (place !== undefined) {
    const named = namedAt(resolver, place.file, place.offset);
    if (named === undefined)
      throw new Refused(`nothing at ${asked} is known to be named so; rename it where it is declared`);
    return named;
  }
  const local = localAsked(resolver, asked);
  return local === undefined ? { block: findBlock(resolver, asked) } : { local };
}

/**
 * `load(key)`: what stands in the brackets, where the block has such a parameter or variable; else they name an
 * overload.
 */
function localAsked(
  resolver: Resolver,
  asked: string,
): { readonly owner: FoundBlock[0]; readonly name: string; readonly number: number | undefined } | undefined {
  const [, block, name, number] = /^(.+)\((\w[\w$]*)(?:#(\d+))?\)$/u.exec(asked) ?? [];
  if (block === undefined || name === undefined) return undefined;
  const isType = number === undefined && !block.endsWith(')') && isOverload(resolver, asked);
  if (isType) return undefined;
  const found = findBlock(resolver, block);
  const owners = found.filter(
    ({ file, decl }) => decl >= 0 && localsNamed(resolver.summary(file), decl, name).length > 0,
  );
  const owner = owners[0] ?? found[0];
  if (owners.length > 1 && resolver.language(owner.file).overloads)
    throw new ServiceError(
      'ambiguousBlock',
      `${block} is declared ${owners.length} times; name one by its types first`,
    );
  return owner.decl < 0 ? undefined : { owner, name, number: number === undefined ? undefined : Number(number) };
}

function isOverload(resolver: Resolver, asked: string): boolean {
  try {
    findBlock(resolver, asked);
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

/** All declarations of the block, or the statement on its line. */
function movable(resolver: Resolver, asked: string): readonly Movable[] {
  const found = findBlock(resolver, asked);
  const line = /^(.+):(\d+)$/u.exec(asked);
  return found[0].decl < 0 && line?.[1] !== undefined && resolver.repo.hasFile(line[1])
    ? [{ file: line[1], line: Number(line[2]) }]
    : found;
}

/** A path of the repository as it can be written. Throws ServiceError: refused. */
function pathInside(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path) || !isPathInside(parts.join('/')))
    throw new ServiceError('refused', `${shownName(path)} is no place for a source; give a path relative to the root`, [
      path,
    ]);
  return parts.join('/');
}

// ---- the run

/** Parameters of the plan that follows. */
export function planParams(
  { refactoring: _refactoring, related: _related, ...plan }: RefactorParams,
  { seed }: SeedTrees,
): PropagateParams {
  return { ...plan, values: { ...seed.values, ...plan.values } };
}

/**
 * The run with the seed among its steps and edits: step 0, and one more for each further file. What hangs on it goes
 * with it.
 */
export function withSeed(run: Run, trees: SeedTrees, params: Pick<RefactorParams, 'related'>): Run {
  const { seed } = trees;
  const last = Math.max(0, ...run.report.steps.map(({ id }) => id));
  const steps = seedSteps(trees, last);
  const ids = steps.map(({ id }) => id);
  const { resolver } = trees.before;
  return {
    ...run,
    title: seed.title,
    report: {
      ...run.report,
      steps: [...steps, ...run.report.steps],
      ...(params.related === true
        ? {
            related: seed.subjects.flatMap((subject) =>
              relatedNames(resolver, subject).map(({ block, ...offer }) => ({
                ...offer,
                ...(block === undefined ? {} : { block }),
              })),
            ),
          }
        : {}),
    },
    partOf: (chosen, without) => {
      if (!ids.every((id) => chosen.has(id))) return { steps: new Set(), edits: [] };
      const part = run.partOf(chosen, without);
      return { ...part, steps: new Set([...part.steps, ...ids]) };
    },
  };
}

function seedSteps({ before, after, renames, seed }: SeedTrees, last: number): PropagateReport['steps'] {
  const oldOf = new Map([...renames].map(([from, to]) => [to, from]));
  const files = [...seed.texts].filter(([file, text]) => text !== undefined || !renames.has(file));
  return files.map(([file, text], i) => {
    const old = oldOf.get(file) ?? file;
    const was = before.snapshot.hasFile(old) ? (before.text(old) ?? '') : '';
    const head = old === file ? '' : `rename from ${old}\nrename to ${file}\n`;
    const block = seed.subjects.find((subject) => subject.before.file === old);
    const name = block === undefined ? MODULE : before.resolver.summary(old).decls.pathOf(block.before.decl);
    const line = block === undefined ? undefined : lineOfBlock(before, block.before);
    return {
      id: i === 0 ? 0 : last + i,
      file: after.snapshot.hasFile(file) ? file : old,
      block: name,
      how: 'seed',
      rule: 'refactor',
      status: 'proposed',
      causes: [],
      tier: 'breaks',
      diff: head + diffOf(file, was, text ?? ''),
      reason: `This was asked for: ${seed.title}.`,
      ...(line === undefined ? {} : { startLine: line }),
    };
  });
}

function lineOfBlock(
  { resolver }: WorkingTree,
  { file, decl }: { readonly file: string; readonly decl: number },
): number {
  return lineAt(resolver.summary(file), resolver.summary(file).decls.startOf(decl));
}
