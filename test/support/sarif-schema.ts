/**
 * The part of SARIF 2.1.0 that we write, as its specification has it (sections 3.13 to 3.52 of
 * sarif-v2.1.0.html): nothing else may stand there. The published JSON Schema accepts all that this accepts.
 */
import * as z from 'zod';

const message = z.strictObject({ text: z.string().min(1) });
const level = z.enum(['none', 'note', 'warning', 'error']);
/** A URI reference: nothing that would have to be escaped, and no way out of the root. */
const uri = z
  .string()
  .regex(/^(?!\/)(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-F]{2})+$/u)
  .refine((text) => !text.split('/').includes('..'));

const region = z
  .strictObject({
    startLine: z.int().min(1),
    startColumn: z.int().min(1).optional(),
    endLine: z.int().min(1).optional(),
    endColumn: z.int().min(1).optional(),
  })
  .refine(({ startLine, endLine = startLine }) => endLine >= startLine);

const physicalLocation = z.strictObject({
  artifactLocation: z.strictObject({ uri, uriBaseId: z.literal('%SRCROOT%') }),
  region: region.optional(),
});

const result = z
  .strictObject({
    ruleId: z.string().min(1),
    ruleIndex: z.int().min(0),
    kind: z.literal('open').optional(),
    level,
    message,
    locations: z
      .array(
        z.strictObject({
          physicalLocation,
          logicalLocations: z
            .array(z.strictObject({ fullyQualifiedName: z.string().min(1), kind: z.string().min(1) }))
            .optional(),
        }),
      )
      .min(1),
    relatedLocations: z.array(z.strictObject({ id: z.int().min(0), physicalLocation, message })).optional(),
    partialFingerprints: z.record(z.string().regex(/^codeplan\/v1$/u), z.string().min(1)).optional(),
    properties: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  })
  // 3.27.10: a result of another kind than `fail` has no level.
  .refine(({ kind, level: of }) => (kind === undefined) !== (of === 'none'));

export const sarifLog = z
  .strictObject({
    $schema: z.url(),
    version: z.literal('2.1.0'),
    runs: z
      .array(
        z.strictObject({
          tool: z.strictObject({
            driver: z.strictObject({
              name: z.string().min(1),
              version: z.string().min(1),
              rules: z.array(z.strictObject({ id: z.string().min(1), shortDescription: message })),
            }),
          }),
          columnKind: z.literal('utf16CodeUnits'),
          originalUriBaseIds: z.strictObject({ '%SRCROOT%': z.strictObject({ description: message }) }),
          invocations: z.array(
            z.strictObject({
              executionSuccessful: z.boolean(),
              toolExecutionNotifications: z.array(
                z.strictObject({ level, message, locations: z.array(z.strictObject({ physicalLocation })).optional() }),
              ),
            }),
          ),
          results: z.array(result),
        }),
      )
      .length(1),
  })
  // 3.27.6: the index leads to the rule of that name.
  .refine(({ runs }) =>
    runs.every(({ tool, results }) => results.every((one) => tool.driver.rules[one.ruleIndex]?.id === one.ruleId)),
  );
