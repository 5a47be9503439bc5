/** Steps in layers: all of them are the edits one after the other, none is the text before, and one can be left out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyEdits, type TextEdit } from '#src/base/text-edit.js';
import { layered, textWith, withLayer, type LayeredText } from '#src/edit/layered-text.js';

const edit = (start: number, end: number, text: string): TextEdit => ({ start, end, text });
const only = (layers: LayeredText, ...steps: number[]): string => textWith(layers, new Set(steps));

test('steps in different places are free of each other', () => {
  const both = withLayer(withLayer(layered('put(a)\nput(b)\n'), 1, [edit(0, 3, 'insert')]), 2, [edit(10, 13, 'insert'), edit(15, 15, ', 1')]);
  assert.equal(only(both, 1, 2), 'insert(a)\ninsert(b, 1)\n');
  assert.equal(only(both, 1), 'insert(a)\nput(b)\n');
  assert.equal(only(both, 2), 'put(a)\ninsert(b, 1)\n');
  assert.deepEqual([...both.needs], []);
});

test('a step that edits what another one wrote needs it; one at its edge does not', () => {
  const inside = withLayer(withLayer(layered('f(a)'), 1, [edit(3, 3, ', none')]), 2, [edit(5, 9, 'some')]);
  assert.equal(only(inside, 1, 2), 'f(a, some)');
  assert.deepEqual([...(inside.needs.get(2) ?? [])], [1]);
  const beside = withLayer(withLayer(layered('f(a)'), 1, [edit(3, 3, ', b')]), 2, [edit(6, 6, ', c')]);
  assert.equal(only(beside, 2), 'f(a, c)');
  assert.deepEqual([...beside.needs], []);
});

test('a step that replaces across what another one wrote takes both away', () => {
  const across = withLayer(withLayer(layered('abcd'), 1, [edit(2, 2, 'XY')]), 2, [edit(1, 5, '-')]);
  assert.equal(only(across, 1, 2), 'a-d');
  assert.deepEqual([...(across.needs.get(2) ?? [])], [1]);
  assert.equal(only(across, 1), 'abXYcd');
});

/** Edits of a text of this length, apart from each other. */
const editsFor = (length: number): fc.Arbitrary<TextEdit[]> =>
  fc.uniqueArray(fc.nat(length), { minLength: 0, maxLength: 6 }).chain((cuts) => {
    const at = [...cuts].sort((a, b) => a - b);
    const spans: [number, number][] = [];
    for (let i = 0; i + 1 < at.length; i += 2) spans.push([at[i] as number, at[i + 1] as number]);
    return fc.tuple(...spans.map(([start, end]) => fc.tuple(fc.boolean(), fc.string({ maxLength: 4 })).map(([inserts, text]) => edit(start, inserts ? start : end, text)))).map((edits) => [...edits]);
  });

test('law: all layers are the edits in sequence, no layer is the text before', () => {
  fc.assert(fc.property(fc.string({ maxLength: 30 }), fc.infiniteStream(fc.nat()), fc.nat(4), (base, seeds, steps) => {
    let layers = layered(base);
    let text = base;
    for (let step = 1; step <= steps; step++) {
      const [edits] = fc.sample(editsFor(text.length), { numRuns: 1, seed: seeds.next().value as number });
      layers = withLayer(layers, step, edits as TextEdit[]);
      text = applyEdits(text, edits as TextEdit[]);
      assert.equal(only(layers, ...Array.from({ length: step }, (_, i) => i + 1)), text);
      assert.equal(only(layers), base);
    }
  }));
});
