/**
 * The parameters of a tool as a host is told of them: names, types, what is required. Every session pays for these,
 * so the dialect and the bounds of values are not said; the tool itself checks them and says in words what is wrong.
 */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import * as z from 'zod';

const UNSAID = ['propertyNames', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const;

/** For the protocol's kit, which is to check nothing. */
export function toolSchema(params: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> {
  const said = (): Record<string, unknown> => saidOf(params);
  return {
    '~standard': {
      version: 1,
      vendor: 'codeplan',
      validate: (value) => ({ value }),
      jsonSchema: { input: said, output: said },
    },
  };
}

function saidOf(params: z.ZodObject): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(params, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const word of UNSAID) Reflect.deleteProperty(jsonSchema, word);
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return schema;
}
