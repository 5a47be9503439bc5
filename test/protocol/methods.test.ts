/** The tables of protocol/ and what is generated from them agree. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { generatedFiles } from '#protocol/generated.js';
import { METHODS, type Method } from '#protocol/methods.js';

/** From dist/test/protocol back to the sources. */
const PROTOCOL = fileURLToPath(new URL('../../../protocol/', import.meta.url));
const methods: [string, Method][] = Object.entries(METHODS);

test('generated files are up to date: run "npm run schema"', () => {
  const files = generatedFiles();
  for (const [path, content] of files) assert.equal(readFileSync(join(PROTOCOL, path), 'utf8'), content, path);
  const present = readdirSync(join(PROTOCOL, 'schema')).map((name) => `schema/${name}`);
  assert.deepEqual(
    present.filter((path) => !files.has(path)),
    [],
    'nothing lies there that is not generated',
  );
});

test('every example fits its method, for us and for a reader of the JSON Schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const schemas = JSON.parse(generatedFiles().get('schema/methods.json') ?? '') as Record<
    string,
    { params: object; result?: object }
  >;
  for (const [name, method] of methods) {
    assert.deepEqual(method.params.parse(method.example.params), method.example.params, name);
    assert.ok(ajv.validate(schemas[name]?.params ?? false, method.example.params), `${name}: ${ajv.errorsText()}`);
    assert.equal(method.kind === 'notification', method.result === undefined);
    if (method.result === undefined) continue;
    assert.deepEqual(method.result.parse(method.example.result), method.example.result, name);
    assert.ok(ajv.validate(schemas[name]?.result ?? false, method.example.result), `${name}: ${ajv.errorsText()}`);
  }
});

test('unknown and contradicting parameters are refused', () => {
  for (const [name, method] of methods)
    assert.equal(method.params.safeParse({ ...(method.example.params as object), unheardOf: 1 }).success, false, name);
  const { params } = METHODS['codeplan/impact'];
  assert.ok(!params.safeParse({ base: 'HEAD', baseDir: '/x' }).success);
  assert.ok(!params.safeParse({ depth: 2, all: true }).success);
  assert.ok(!params.safeParse({ depth: 0 }).success);
  assert.ok(!METHODS['codeplan/plan'].params.safeParse({ model: 'replay:' }).success);
});
