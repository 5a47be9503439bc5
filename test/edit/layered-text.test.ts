/** Steps in layers: all of them are the edits one after the other, none is the text before, and one can be left out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyEdits, type TextEdit } from '#src/base/text-edit.js';
import {
  layered,
  separableHunks,
  LayeredTexts,
  standing,
  textWith,
  withLayer,
  type LayeredText,
  type LayerEdit,
} from '#src/edit/layered-text.js';

const edit = (start: number, end: number, text: string): TextEdit => ({ start, end, text });
const by = (step: number, ...edits: readonly TextEdit[]): LayerEdit[] =>
  edits.map((one, n) => ({ ...one, by: [{ step, hunk: n + 1 }] }));
const only = (layers: LayeredText, ...steps: number[]): string => textWith(layers, new Set(steps));
const stand = (layers: LayeredText, ...steps: number[]): number[] => [...standing([layers], new Set(steps))];

test('steps in different places are free of each other', () => {
  const both = withLayer(
    withLayer(layered('put(a)\nput(b)\n'), by(1, edit(0, 3, 'insert'))),
    by(2, edit(10, 13, 'insert'), edit(15, 15, ', 1')),
  );
  assert.equal(only(both, 1, 2), 'insert(a)\ninsert(b, 1)\n');
  assert.equal(only(both, 1), 'insert(a)\nput(b)\n');
  assert.equal(only(both, 2), 'put(a)\ninsert(b, 1)\n');
  assert.deepEqual(stand(both, 2), [2]);
});

test('a step that edits what another one wrote goes with it; one at its edge stays', () => {
  const inside = withLayer(withLayer(layered('f(a)'), by(1, edit(3, 3, ', none'))), by(2, edit(5, 9, 'some')));
  assert.equal(only(inside, 1, 2), 'f(a, some)');
  assert.deepEqual([stand(inside, 2), stand(inside, 1)], [[], [1]]);
  const beside = withLayer(withLayer(layered('f(a)'), by(1, edit(3, 3, ', b'))), by(2, edit(6, 6, ', c')));
  assert.equal(only(beside, ...stand(beside, 2)), 'f(a, c)');
});

test('a step that replaces across what another one wrote takes both away', () => {
  const across = withLayer(withLayer(layered('abcd'), by(1, edit(2, 2, 'XY'))), by(2, edit(1, 5, '-')));
  assert.equal(only(across, 1, 2), 'a-d');
  assert.equal(only(across, 1), 'abXYcd');
  assert.deepEqual(stand(across, 2), []);
});

test('an edit that two steps share stays while one of them does', () => {
  const shared = withLayer(layered('f()'), [
    { ...edit(0, 0, 'import f\n'), by: [1, 2].map((step) => ({ step, hunk: 1 })) },
    ...by(1, edit(2, 2, '1')),
  ]);
  assert.equal(only(shared, 2), 'import f\nf()');
  assert.equal(only(shared), 'f()');
});

test('a hunk can be left out, unless another one of its step stands in it', () => {
  const apart = withLayer(layered('a b'), by(1, edit(0, 1, 'A'), edit(2, 3, 'B')));
  assert.deepEqual([...(separableHunks([apart]).get(1) ?? [])], [1, 2]);
  assert.equal(textWith(apart, new Set([1]), new Map([[1, new Set([1])]])), 'a B');
  const inside = withLayer(withLayer(layered('f()'), by(1, edit(2, 2, 'one'))), [
    { ...edit(2, 5, 'two'), by: [{ step: 1, hunk: 2 }] },
  ]);
  assert.equal(separableHunks([inside]).size, 0);
  const after = withLayer(apart, by(2, edit(0, 1, 'Z')));
  assert.deepEqual([...standing([after], new Set([1, 2]), new Map([[1, new Set([1])]]))], [1], 'needs the hunk');
});

/** Edits of a text of this length, apart from each other. */
const editsFor = (length: number): fc.Arbitrary<TextEdit[]> =>
  fc.uniqueArray(fc.nat(length), { minLength: 0, maxLength: 6 }).chain((cuts) => {
    const at = [...cuts].sort((a, b) => a - b);
    const spans: [number, number][] = [];
    for (let i = 0; i + 1 < at.length; i += 2) spans.push([at[i] as number, at[i + 1] as number]);
    return fc
      .tuple(
        ...spans.map(([start, end]) =>
          fc
            .tuple(fc.boolean(), fc.string({ maxLength: 4 }))
            .map(([inserts, text]) => edit(start, inserts ? start : end, text)),
        ),
      )
      .map((edits) => [...edits]);
  });

test('law: all layers are the edits in sequence, no layer is the text before', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), fc.infiniteStream(fc.nat()), fc.nat(4), (base, seeds, steps) => {
      let layers = layered(base);
      let text = base;
      const texts = new LayeredTexts();
      for (let step = 1; step <= steps; step++) {
        const [edits] = fc.sample(editsFor(text.length), { numRuns: 1, seed: seeds.next().value as number });
        layers = withLayer(layers, by(step, ...(edits as TextEdit[])));
        text = applyEdits(text, edits as TextEdit[]);
        assert.equal(only(layers, ...Array.from({ length: step }, (_, i) => i + 1)), text);
        assert.equal(only(layers), base);
        for (const chosen of [[step], [step], [1], [1, step], [], [step]])
          assert.equal(texts.with(layers, new Set(chosen)), only(layers, ...chosen), 'a text that is kept is the same');
      }
    }),
  );
});
