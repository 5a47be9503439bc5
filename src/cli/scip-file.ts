/**
 * The bytes of a SCIP index, the part of its schema that is written.
 * Numbers of fields, kinds and encodings: https://github.com/sourcegraph/scip/blob/main/scip.proto.
 */
import { createFileRegistry, fromJson, toBinary, type DescMessage, type JsonValue } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import type { ScipReport } from '#protocol/scip.js';
import type { BlockKind } from '#protocol/words.js';

type FieldType = 'TYPE_STRING' | 'TYPE_INT32' | 'TYPE_BOOL' | `.scip.${string}`;
interface FieldShape {
  readonly number: number;
  readonly type: FieldType;
  readonly repeated?: true;
}

/** Enumerations are written as the plain numbers that they are on the wire. */
const MESSAGES: Readonly<Record<string, Readonly<Record<string, FieldShape>>>> = {
  Index: {
    metadata: { number: 1, type: '.scip.Metadata' },
    documents: { number: 2, type: '.scip.Document', repeated: true },
  },
  Metadata: {
    version: { number: 1, type: 'TYPE_INT32' },
    tool_info: { number: 2, type: '.scip.ToolInfo' },
    project_root: { number: 3, type: 'TYPE_STRING' },
    text_document_encoding: { number: 4, type: 'TYPE_INT32' },
  },
  ToolInfo: { name: { number: 1, type: 'TYPE_STRING' }, version: { number: 2, type: 'TYPE_STRING' } },
  Document: {
    relative_path: { number: 1, type: 'TYPE_STRING' },
    occurrences: { number: 2, type: '.scip.Occurrence', repeated: true },
    symbols: { number: 3, type: '.scip.SymbolInformation', repeated: true },
    language: { number: 4, type: 'TYPE_STRING' },
    position_encoding: { number: 6, type: 'TYPE_INT32' },
  },
  Occurrence: {
    range: { number: 1, type: 'TYPE_INT32', repeated: true },
    symbol: { number: 2, type: 'TYPE_STRING' },
    symbol_roles: { number: 3, type: 'TYPE_INT32' },
  },
  SymbolInformation: {
    symbol: { number: 1, type: 'TYPE_STRING' },
    relationships: { number: 4, type: '.scip.Relationship', repeated: true },
    kind: { number: 5, type: 'TYPE_INT32' },
    display_name: { number: 6, type: 'TYPE_STRING' },
  },
  Relationship: {
    symbol: { number: 1, type: 'TYPE_STRING' },
    is_reference: { number: 2, type: 'TYPE_BOOL' },
    is_implementation: { number: 3, type: 'TYPE_BOOL' },
  },
};

/** Numbers of SCIP's `TextEncoding` and `PositionEncoding`, as its scip.proto gives them. */
const UTF8 = 1;
const UTF16_COLUMNS = 2;
const LANGUAGES: Readonly<Record<ScipReport['documents'][number]['language'], string>> = {
  python: 'Python',
  typescript: 'TypeScript',
  java: 'Java',
  csharp: 'CSharp',
};
const KINDS: Readonly<Record<BlockKind, number>> = {
  module: 29,
  import: 0,
  class: 7,
  interface: 21,
  enum: 11,
  record: 7,
  struct: 49,
  typeAlias: 55,
  annotation: 21,
  delegate: 73,
  namespace: 30,
  function: 17,
  method: 26,
  constructor: 9,
  field: 15,
  property: 41,
  enumMember: 12,
  variable: 61,
  statement: 0,
};

/** A SCIP index of the repository at `projectRoot`, a `file:` address, made by the program of that version. */
export function scipBytes(report: ScipReport, projectRoot: string, version: string): Uint8Array {
  const json = {
    metadata: { version: 0, toolInfo: { name: 'codeplan', version }, projectRoot, textDocumentEncoding: UTF8 },
    documents: report.documents.map(documentJson),
  };
  const schema = indexSchema();
  return toBinary(schema, fromJson(schema, json));
}

function documentJson({ file, language, symbols, occurrences }: ScipReport['documents'][number]): JsonValue {
  return {
    relativePath: file,
    language: LANGUAGES[language],
    positionEncoding: UTF16_COLUMNS,
    occurrences: occurrences.map(([number = 0, symbolRoles = 0, ...range]) => ({
      range,
      symbol: symbols[number]?.symbol ?? '',
      symbolRoles,
    })),
    symbols: symbols.flatMap(({ symbol, kind, name, implements: bases = [] }) =>
      kind === undefined
        ? []
        : [
            {
              symbol,
              kind: KINDS[kind],
              displayName: name ?? '',
              relationships: bases.map((base) => ({ symbol: base, isReference: true, isImplementation: true })),
            },
          ],
    ),
  };
}

function indexSchema(): DescMessage {
  const file = fromJson(FileDescriptorProtoSchema, {
    name: 'scip.proto',
    package: 'scip',
    syntax: 'proto3',
    messageType: Object.entries(MESSAGES).map(([name, fields]) => ({
      name,
      field: Object.entries(fields).map(([field, { number, type, repeated }]) => ({
        name: field,
        jsonName: field.replace(/_(\w)/gu, (_, letter: string) => letter.toUpperCase()),
        number,
        label: repeated === true ? 'LABEL_REPEATED' : 'LABEL_OPTIONAL',
        ...(type.startsWith('.') ? { type: 'TYPE_MESSAGE', typeName: type } : { type }),
      })),
    })),
  });
  const schema = createFileRegistry(file, () => undefined).getMessage('scip.Index');
  if (schema === undefined) throw new Error('the schema of SCIP has no index');
  return schema;
}
