/**
 * A block of any fixture that gets another name and then its old one again leaves every byte as it
 * was, wherever the first renaming leaves nothing open.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOwnBlock } from '#src/change/match-blocks.js';
import { seedTrees, type SeedTrees } from '#src/engine/refactoring.js';
import { askedFor } from '#src/engine/block-names.js';
import { ServiceError } from '#src/engine/service.js';
import { sourceEdits } from '#src/engine/source-edits.js';
import { F } from '#src/syntax/summary.js';
import { fixturePaths, readFixture } from '../support/fixture-files.js';
import { fixtureTrees, treeOf, type Texts } from '../support/fixture-trees.js';
import { testGrammars } from '../support/grammars.js';
import { randomNumbers } from '../support/random-numbers.js';
import { planAfter } from '../support/refactored.js';

const grammars = await testGrammars();
const BLOCKS = Number(process.env.RUNS ?? 150);
const random = randomNumbers(Number(process.env.SEED ?? 7));
const pick = (count: number): number => Math.floor(random() * count);

/** The texts after a renaming; undefined where it is refused or leaves something open. */
async function renamed(texts: Texts, block: string, to: string): Promise<{ texts: Texts; file: string } | undefined> {
  const tree = treeOf(texts, grammars);
  let trees: SeedTrees;
  try {
    trees = seedTrees(tree, { kind: 'rename', block, to }, grammars, []);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
  const { tree: result, plan, unplanned } = await planAfter(trees, {}, grammars);
  if (unplanned.length > 0 || plan.steps.some((step) => step.open !== undefined)) return undefined;
  const after = new Map(texts);
  for (const edit of sourceEdits(trees, result)) {
    after.delete(edit.file);
    if (edit.kind !== 'delete') after.set(edit.kind === 'rename' ? edit.to : edit.file, edit.after);
  }
  const [file = ''] = block.split(':');
  return { texts: after, file: trees.renames.get(file) ?? file };
}

test('a name that is given back leaves every byte as it was', async (t) => {
  const paths = fixturePaths();
  let compared = 0;
  for (let i = 0; i < BLOCKS; i++) {
    const path = paths[pick(paths.length)] as string;
    const { beforeTexts: texts, before } = fixtureTrees(readFixture(path), grammars);
    const blocks = [...before.snapshot.files].flatMap(([file, summary]) =>
      Array.from({ length: summary.decls.count }, (_, decl) => ({ file, decl })).filter(
        ({ decl }) => isOwnBlock(summary, decl) && !summary.decls.has(decl, F.override) && summary.errors.length === 0,
      ),
    );
    if (blocks.length === 0) continue;
    const ref = blocks[pick(blocks.length)] as (typeof blocks)[number];
    const old = before.resolver.summary(ref.file).decls.nameOf(ref.decl);
    const asked = askedFor(before.resolver, ref);
    const now = `${old}Anew`;
    const there = await renamed(texts, asked, now);
    if (there === undefined) continue;
    const path2 = asked.slice(asked.indexOf(':') + 1);
    const back = await renamed(there.texts, `${there.file}:${path2.slice(0, path2.length - old.length)}${now}`, old);
    if (back === undefined) continue;
    compared++;
    t.diagnostic(`${path} ${asked}`);
    assert.deepEqual(new Map([...back.texts].sort()), new Map([...texts].sort()), `${path}: ${asked}`);
  }
  assert.ok(compared > BLOCKS / 4, `only ${compared} were compared`);
});
