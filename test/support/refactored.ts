/**
 * Refactorings of a fixture, each of the same files: what each changes, line by line, what stays
 * open, or why it is refused.
 *
 *     > rename store.py:Store.put insert
 *     -- store.py --
 *     -    def put(self, key):
 *     +    def insert(self, key):
 */
import { diffLines } from 'diff';
import type { Refactoring } from '#protocol/refactor.js';
import { GivenValues } from '#src/edit/mechanical/calls/given-values.js';
import { runPlan } from '#src/engine/plan-run.js';
import { seedTrees, type SeedTrees } from '#src/engine/refactoring.js';
import { ServiceError } from '#src/engine/service.js';
import { sourceEdits } from '#src/engine/source-edits.js';
import type { WorkingTree } from '#src/engine/working-tree.js';
import { relatedNames } from '#src/refactor/related.js';
import { STEPS_MOST } from '#src/plan/plan-graph.js';
import type { Grammars } from '#src/syntax/grammar.js';

export async function refactoredLines(
  tree: WorkingTree,
  commands: readonly string[],
  grammars: Grammars,
): Promise<readonly string[]> {
  const out: string[] = [];
  for (const command of commands) out.push(`> ${command}`, ...(await linesOf(tree, command, grammars)));
  return out;
}

async function linesOf(tree: WorkingTree, command: string, grammars: Grammars): Promise<string[]> {
  const { asked, values, related } = parsed(command);
  let trees: SeedTrees;
  try {
    trees = seedTrees(tree, asked, grammars, []);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [`${error.kind}: ${error.message}`, ...error.candidates.map((candidate) => `  ${candidate}`)];
  }
  const result = await planAfter(trees, values, grammars);
  const open = [
    ...result.plan.steps.flatMap(({ open: left, file, block }) =>
      left === undefined ? [] : [`open ${file}::${block}: ${left.reason}`],
    ),
    ...result.unplanned.map(({ file, block, reason }) => `open ${file}::${block}: ${reason}`),
  ];
  const offers = related ? trees.seed.subjects.flatMap((subject) => relatedNames(tree.resolver, subject)) : [];
  return [
    ...sourceEdits(trees, result.tree).flatMap((edit) => [
      `-- ${edit.file}${edit.kind === 'rename' ? ` -> ${edit.to}` : edit.kind === 'change' ? '' : ` (${edit.kind}d)`} --`,
      ...(edit.kind === 'delete' ? [] : changedLines('before' in edit ? edit.before : '', edit.after)),
    ]),
    ...open.sort(),
    ...trees.problems.map(({ message }) => `problem ${message}`),
    ...offers.map(
      ({ file, block, name, to }) => `related ${file}${block === undefined ? '' : `:${block}`}: ${name} -> ${to}`,
    ),
  ];
}

/** The plan that follows from a seed, without a model. */
export function planAfter(
  trees: SeedTrees,
  values: Readonly<Record<string, string>>,
  grammars: Grammars,
): ReturnType<typeof runPlan> {
  return runPlan(trees.before, trees.after, {
    grammars,
    values: new GivenValues({ ...trees.seed.values, ...values }),
    certainOnly: false,
    stepsMost: STEPS_MOST,
    planning: trees.isClosed !== true,
    offers: false,
    askAll: false,
    renames: trees.renames,
    signal: new AbortController().signal,
    progress: () => undefined,
  });
}

function changedLines(before: string, after: string): string[] {
  return diffLines(before.replaceAll('\r\n', '\n'), after.replaceAll('\r\n', '\n')).flatMap(
    ({ value, added, removed }) =>
      added || removed
        ? value
            .replace(/\n$/, '')
            .split('\n')
            .map((line) => `${added ? '+' : '-'}${line}`)
        : [],
  );
}

interface Parsed {
  readonly asked: Refactoring;
  readonly values: Readonly<Record<string, string>>;
  readonly related: boolean;
}

/** The words of the command line. */
function parsed(command: string): Parsed {
  const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const [kind, ...rest] = words;
  const plain: string[] = [];
  const flags = new Map<string, string[]>();
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] as string;
    if (!word.startsWith('--')) plain.push(word);
    else if (['--async', '--sync', '--related', '--keep-exports'].includes(word)) flags.set(word, []);
    else flags.set(word, [...(flags.get(word) ?? []), rest[++i] ?? '']);
  }
  const one = (flag: string): string => flags.get(flag)?.[0] ?? '';
  const pair = (text: string): [string, string] => [
    text.slice(0, text.indexOf('=')),
    text.slice(text.indexOf('=') + 1),
  ];
  const values = Object.fromEntries((flags.get('--value') ?? []).map(pair));
  return { asked: askedBy(), values, related: flags.has('--related') };

  function askedBy(): Refactoring {
    const [first = '', second = ''] = plain;
    switch (kind) {
      case 'rename':
        return { kind, block: first, to: second, ...(flags.has('--keep-exports') ? { keepExports: true } : {}) };
      case 'rename-file':
        return { kind, from: first, to: second };
      case 'move':
        return flags.has('--all')
          ? { kind: 'move-all', from: one('--all'), to: one('--to') }
          : { kind, blocks: plain, to: one('--to') };
      case 'signature':
        return {
          kind,
          block: first,
          ...(flags.has('--add') ? { add: flags.get('--add') ?? [] } : {}),
          ...(flags.has('--remove') ? { remove: flags.get('--remove') ?? [] } : {}),
          ...(flags.has('--rename')
            ? { rename: (flags.get('--rename') ?? []).map(pair).map(([from, to]) => ({ from, to })) }
            : {}),
          ...(flags.has('--order') ? { order: one('--order').split(',') } : {}),
          ...(flags.has('--async') ? { async: true } : flags.has('--sync') ? { async: false } : {}),
        };
      default:
        throw new Error(`there is no refactoring ${kind}`);
    }
  }
}
