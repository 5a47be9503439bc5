/** Edges that the exported graph has beside those of the relations: what runs that no call written there names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportGraph } from '#src/engine/graph-export.js';
import { treeOf } from '../support/fixture-trees.js';
import { testGrammars } from '../support/grammars.js';

const grammars = await testGrammars();

/** The calls of a program, less those of the module itself. */
async function callsOf(text: string): Promise<string[]> {
  const { resolver } = treeOf(new Map([['main.py', text]]), grammars);
  const { edges } = await exportGraph({ resolver, problems: [] }, 'all', {
    signal: new AbortController().signal,
    progress: () => undefined,
  });
  return edges
    .filter(({ kind, from }) => kind === 'call' && from.block !== '<module>')
    .map(({ from, to, confidence }) => `${from.block} ${to.block} ${confidence}`)
    .sort();
}

test('a base runs what a class below overrides, if objects of that are made', async () => {
  const text = `class Base:
    def go(self):
        self.step()
    def step(self): pass
class Made(Base):
    def step(self): pass
class NeverMade(Base):
    def step(self): pass
class GoesItself(Base):
    def go(self): pass
    def step(self): pass
Made().go()
GoesItself().go()
`;
  assert.deepEqual(await callsOf(text), ['Base.go Base.step certain', 'Base.go Made.step possible']);
});

test('super() runs what stands behind the class in the search order of one below', async () => {
  const text = `class Top:
    def run(self): pass
class Left(Top):
    def run(self):
        super().run()
class Right(Top):
    def run(self): pass
class Both(Left, Right): pass
Both().run()
`;
  assert.deepEqual(await callsOf(text), ['Left.run Right.run possible', 'Left.run Top.run certain']);
});

test('a call that gives what is left of the arguments runs the function that was given the others', async () => {
  const text = `from functools import partial
def run(act, key):
    act()
def save(): pass
def go():
    later = partial(run, save)
    later(1)
`;
  assert.deepEqual(await callsOf(text), ['go run certain', 'run save certain']);
});
