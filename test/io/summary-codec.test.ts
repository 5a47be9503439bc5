/** The codec gives back exactly what it got, for any summary that the type allows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ALIGNMENT, decodeSummary, encodedBytes, encodeSummary } from '#src/io/index/summary-codec.js';
import { Source } from '#src/syntax/source.js';
import type { ExportEntry, ImportEntry, SummaryColumns } from '#src/syntax/summary.js';

const int = fc.integer({ min: -1, max: 0x7fffffff });
const text = fc.string({ unit: 'binary', maxLength: 12 });
const ints = (length: number): fc.Arbitrary<Int32Array> =>
  fc.array(int, { minLength: length, maxLength: length }).map((values) => Int32Array.from(values));
const words = (length: number): fc.Arbitrary<Uint32Array> =>
  fc.array(fc.nat(), { minLength: length, maxLength: length }).map((values) => Uint32Array.from(values));
const bytes = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.array(fc.nat(255), { minLength: length, maxLength: length }).map((values) => Uint8Array.from(values));
const hashes = (length: number): fc.Arbitrary<Float64Array> =>
  fc.array(fc.maxSafeNat(), { minLength: length, maxLength: length }).map((values) => Float64Array.from(values));

const importEntry: fc.Arbitrary<ImportEntry> = fc.record({
  kind: fc.constantFrom('module', 'name', 'star', 'static'),
  module: text,
  name: text,
  decl: int,
  expr: int,
  start: int,
  end: int,
  statementStart: int,
  statementEnd: int,
  moduleStart: int,
  typeOnly: fc.boolean(),
  global: fc.boolean(),
});
const exportEntry: fc.Arbitrary<ExportEntry> = fc
  .record({ name: text, local: text, expr: int, start: int, end: int }, { noNullPrototype: true })
  .chain((entry) =>
    fc.oneof(
      fc.constant(entry),
      text.map((module) => ({ ...entry, module })),
    ),
  );

const size = fc.nat(7);
const summary: fc.Arbitrary<Source> = fc
  .record({ scopes: size, decls: size, exprs: size, names: size, items: size, lines: size })
  .chain((n) =>
    fc.record(
      {
        language: fc.constantFrom('python', 'typescript', 'java', 'csharp'),
        hash: text,
        textLength: fc.nat(),
        unread: fc.option(fc.record({ at: fc.nat(), reason: text })),
        lineStarts: words(n.lines),
        names: fc.array(text, { minLength: n.names, maxLength: n.names }),
        scopes: fc.record({
          count: fc.constant(n.scopes),
          kind: bytes(n.scopes),
          parent: ints(n.scopes),
          owner: ints(n.scopes),
          block: ints(n.scopes),
        }),
        decls: fc.record({
          count: fc.constant(n.decls),
          kind: bytes(n.decls),
          flags: ints(n.decls),
          name: ints(n.decls),
          nameStart: ints(n.decls),
          start: ints(n.decls),
          end: ints(n.decls),
          bodyStart: ints(n.decls),
          scope: ints(n.decls),
          inner: ints(n.decls),
          parent: ints(n.decls),
          type: ints(n.decls),
          value: ints(n.decls),
          params: ints(n.decls),
          parts: ints(n.decls),
          decorators: ints(n.decls),
          typeParams: ints(n.decls),
          headerHash: hashes(n.decls),
          bodyHash: hashes(n.decls),
        }),
        exprs: fc.record({
          count: fc.constant(n.exprs),
          op: bytes(n.exprs),
          role: bytes(n.exprs),
          a: ints(n.exprs),
          b: ints(n.exprs),
          name: ints(n.exprs),
          start: ints(n.exprs),
          end: ints(n.exprs),
          scope: ints(n.exprs),
        }),
        items: ints(n.items),
        imports: fc.array(importEntry, { maxLength: 3 }),
        exports: fc.array(exportEntry, { maxLength: 3 }),
        package: text,
        isModule: fc.boolean(),
        moduleHash: fc.maxSafeNat(),
        errors: ints(n.lines),
        dynamic: ints(n.items),
        paths: ints(n.items),
        refStart: words(n.names + 1),
        refs: words(n.exprs),
        declsByScope: words(n.decls),
        declStart: words(n.names + 1),
        declsByName: words(n.decls),
      },
      { noNullPrototype: true },
    ),
  )
  .map((columns) => new Source(columns));

test('encode, then decode, gives the same summary wherever the bytes lie', () => {
  fc.assert(
    fc.property(summary, fc.nat(3), (before, place) => {
      const encoded = encodeSummary(before);
      assert.equal(encoded.length % ALIGNMENT, 0);
      const buffer = new ArrayBuffer(place * ALIGNMENT + encoded.length + 8);
      new Uint8Array(buffer).set(encoded, place * ALIGNMENT);
      const lies = { buffer, offset: place * ALIGNMENT };
      assert.deepEqual(encodedBytes(lies), encoded);
      const after = decodeSummary(lies);
      assert.deepEqual(plain(Source.columnsOf(after)), plain(Source.columnsOf(before)));
      assert.deepEqual(encodeSummary(after), encoded, 'and the same bytes again');
    }),
    { numRuns: 200 },
  );
});

test('bytes that are cut off are refused', () => {
  fc.assert(
    fc.property(summary, fc.nat(), (before, at) => {
      const encoded = encodeSummary(before);
      const cut = encoded.slice(0, Math.floor((at % (encoded.length - 64)) / ALIGNMENT) * ALIGNMENT);
      assert.throws(() => decodeSummary({ buffer: cut.buffer, offset: 0 }));
    }),
    { numRuns: 100 },
  );
});

/** Records that fast-check made have no prototype, which is no part of the value. */
function plain(value: SummaryColumns): unknown {
  return structuredClone(value);
}
