/**
 * The API of a library, and what changes between two versions of it.
 *
 * Made by `codeplan api` and `codeplan api diff`. Both travel to those who use the library in place of its sources:
 * they hold names and skeletons (declarations without bodies, comments and private functions).
 */
import * as z from 'zod';
import { block, blockKind, changeLabel, file, language, line, problem, schemaVersion, tier } from './words.js';

export const ecosystem = z.enum(['npm', 'pypi', 'maven', 'nuget']);

export const apiPackage = z
  .strictObject({
    ecosystem,
    name: z.string().min(1).describe('As its registry knows it; Maven: group and artifact with a colon between.'),
    version: z.string().min(1).optional().describe('Absent where no manifest says it.'),
  })
  .describe('A package that the library is published as.');

export const apiName = z
  .strictObject({
    name: z.string().min(1).describe('Public path: package, module or namespace, then the block.'),
    kind: blockKind,
    signature: z.string().describe('Its header as written, on one line.'),
    file,
    block,
    line,
  })
  .describe('Something that users of the library can name. Lines are those of its skeleton.');

const text = z.string();

export const apiDescriptor = z
  .strictObject({
    schema: schemaVersion,
    kind: z.literal('api'),
    packages: z.array(apiPackage),
    names: z.array(apiName),
    files: z.array(z.strictObject({ file, text })).describe('Skeletons of the files that make the public face.'),
    settings: z.array(z.strictObject({ file, text })).describe('What of configuration files says where modules are.'),
    problems: z.array(problem),
  })
  .describe('The API of a library at one moment.');

export const apiChange = z
  .strictObject({
    name: z.string().min(1).describe('Public path, as it was where it was there before.'),
    newName: z.string().min(1).optional().describe('Where it is found now, if that is another path.'),
    kind: blockKind,
    label: changeLabel,
    tier: tier.describe('`breaks`: code that used it does not fit any more; `may`: it can still fit.'),
    reason: z.string().min(1).describe('One sentence.'),
    detail: z.record(z.string(), z.json()),
    file,
    block,
  })
  .describe('One change of something public.');

/** A file at both versions; a missing text: the file did not, or does not, exist. */
const twoTexts = z.union([
  z.strictObject({ file, both: text }),
  z.strictObject({ file, before: text.optional(), after: text.optional() }),
]);

export const changeFile = z
  .strictObject({
    schema: schemaVersion,
    kind: z.literal('change'),
    packages: z
      .array(
        z.strictObject({ ecosystem, name: z.string().min(1), from: z.string().optional(), to: z.string().optional() }),
      )
      .describe('With the versions that the change lies between, as far as the manifests say them.'),
    breaks: z.int().min(0),
    may: z.int().min(0),
    changes: z.array(apiChange),
    moves: z
      .array(z.strictObject({ file, block: z.string().min(1), to: file }))
      .optional()
      .describe('Top-level blocks that stand in another file now, and are reached as before.'),
    places: z
      .array(z.strictObject({ language, name: z.string().min(1) }))
      .optional()
      .describe(
        'Packages, modules and namespaces that the names are in, at either version: a text that says none of them ' +
          'means nothing of the library. None: a text can mean it and say no place. Absent: to be found in `files`.',
      ),
    files: z.array(twoTexts).describe('Skeletons, at both versions.'),
    settings: z.array(twoTexts),
    problems: z.array(problem),
  })
  .describe('What changed in a library between two versions, for those who use it.');

export const dependency = z
  .strictObject({
    ecosystem,
    package: z.string().min(1).describe('A package of the library whose change is followed.'),
    file,
    kind: z.enum(['declared', 'locked']).describe('By a manifest, or in a lock file.'),
    range: z.string().optional().describe('As written; absent where the file does not say it.'),
    standing: z
      .enum(['behind', 'ahead', 'pinned', 'unknown'])
      .describe(
        '`behind`: the change lies ahead; `ahead`: its new version is in use; `pinned`: held at an older ' +
          'version than the change begins with; `unknown`: in a version that nobody says.',
      ),
    reason: z.string().min(1),
    now: z.string().optional().describe('The range that follows the change; absent where it stays, or cannot be said.'),
    left: z.string().optional().describe('What is left to a person or to a package manager.'),
  })
  .describe('A place where a manifest or a lock file names the library.');

export const apiParams = z.strictObject({
  revision: z.string().min(1).optional().describe('A git revision; what lies on the disk when not given.'),
});

export type ApiPackage = z.infer<typeof apiPackage>;
export type ApiName = z.infer<typeof apiName>;
export type ApiDescriptor = z.infer<typeof apiDescriptor>;
export type ApiChange = z.infer<typeof apiChange>;
export type ChangeFile = z.infer<typeof changeFile>;
export type ApiParams = z.infer<typeof apiParams>;
export type DependencyEntry = z.infer<typeof dependency>;
export type Ecosystem = z.infer<typeof ecosystem>;
