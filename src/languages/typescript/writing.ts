/**
 * How TypeScript and JavaScript spell imports and stubs.
 *
 * A specifier keeps the style of the one that it replaces: relative or by an alias, with or without
 * an ending, the directory or its index file. Quotes and semicolons follow the file's own imports.
 * Another package is named by its name: no path is offered that leads out of a package which the
 * file did not leave by a path before.
 */
import type { AsyncWriting, ImportRequest, PropertyWriting, SourceWriting } from '../writing.js';
import { importsTypesAlone, packageAround, type PackageManifest } from './configuration.js';
import { folderOf } from '../../base/paths.js';

const asyncWriting: AsyncWriting = {
  awaitables: new Set(['Promise', 'PromiseLike']),
  keywordAt(header, name) {
    const word = header.slice(0, Math.max(name, 0) || header.length).search(/\bfunction\b/);
    if (word >= 0) return word;
    const arrow = /^[\w$]+\s*=\s*(?=[(\w$<])/.exec(header.slice(Math.max(name, 0)));
    if (arrow !== null) return name + arrow[0].length;
    return name < 0 || /^[\w$]+\s*[:=]/.test(header.slice(name)) ? undefined : name;
  },
  returnType: (written) => `Promise<${written}>`,
  space: undefined,
  decoratorsWrap: true,
  // A script may not, and whether a file is a module is a setting.
  awaitsAtTop: false,
  joinsLines: true,
  resultMembers: new Set(['then', 'catch', 'finally']),
  takers: new Set(['all', 'allSettled', 'any', 'race', 'resolve']),
  runners: new Set([
    'it',
    'test',
    'specify',
    'before',
    'after',
    'beforeEach',
    'afterEach',
    'beforeAll',
    'afterAll',
    'only',
    'skip',
    'each',
    'concurrent',
  ]),
  plainDecorators: new Set([]),
  barred: [],
};

const propertyWriting: PropertyWriting = {
  fromMethod: ({ text, start, name, nameEnd }) =>
    /^\s*\(\s*\)/.test(text.slice(nameEnd)) && !/\basync\b|[*?]\s*$/.test(text.slice(start, name))
      ? [{ start: name, end: name, text: 'get ' }]
      : undefined,
  toMethod: ({ text, start, name }) => {
    const word = /\bget\s+$/.exec(text.slice(start, name));
    return word === null ? undefined : [{ start: start + word.index, end: name, text: '' }];
  },
};

/** What a parameter is whose default is such a literal. */
const LITERAL_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^(?:true|false)$/, 'boolean'],
  [/^-?\d[\w.]*$/, 'number'],
  [/^(["'`])[^]*\1$/, 'string'],
];

const KEYWORDS =
  'break case catch class const continue debugger default delete do else enum export extends false ' +
  'finally for function if implements import in instanceof interface let new null package private ' +
  'protected public return static super switch this throw true try typeof var void while with yield ' +
  'await';

export const writing: SourceWriting = {
  isLiteral: (declaration) => /\bas\s+const\s*;?\s*$/.test(declaration),
  givesMembers: { behind: /^[\w$]+\s*\.\s*(?:prototype\b|[\w$]+\s*=(?![=>]))/, before: /\binherits\(\s*$/ },
  keywords: new Set(KEYWORDS.split(' ')),
  emptied: ({ text, fields, results }) => {
    if (!text.startsWith('{')) return undefined;
    const statements = [...fields.map(({ head, value = 'undefined' }) => head + value), ...results];
    const lines = statements.map((line) => (line.endsWith(';') ? line : `${line};`));
    return lines.length === 0 ? '{}' : `{ ${lines.join(' ')} }`;
  },
  async: asyncWriting,
  throws: undefined,
  typeNames: undefined,
  orNone: '',
  constraintsIn: undefined,
  property: propertyWriting,
  keywordArgument: undefined,
  bodilessDefault: (name, type, value) => {
    const known = type !== '' ? type : LITERAL_TYPES.find(([literal]) => literal.test(value))?.[1];
    return known === undefined ? undefined : `${name}?: ${known}`;
  },
  fewValues: new Map([['bool', ['true', 'false']]]),
  specifiers,
  importStatement: (specifier, name, alias, like) => {
    const quote = like?.includes('"') === true ? '"' : "'";
    const isSpaced = like === undefined || !/\{\S/.test(like);
    const isTerminated = like === undefined || like.trimEnd().endsWith(';');
    const names = `${name}${alias === undefined ? '' : ` as ${alias}`}`;
    return (
      'import ' +
      `${like !== undefined && /^import\s+type\b/.test(like) ? 'type ' : ''}{${isSpaced ? ` ${names} ` : names}} ` +
      `from ${quote}${specifier}${quote}${isTerminated ? ';' : ''}`
    );
  },
  importsTypesAlone: (file, repo) => importsTypesAlone(repo, folderOf(file)),
  listsNames: true,
  repeatedMember: (header) => `abstract ${header.trim().replace(/[;,]?$/, ';')}`,
  stub: (header, name) => [
    `${header
      .replace(/[;,]\s*$/, '')
      .replace(/\babstract\s+/, '')
      .trim()} {`,
    `\tthrow new Error('${name} is not implemented');`,
    '}',
  ],
};

const ENDING = /(?:\.d)?\.([cm]?)([jt]s)(x?)$/;
const stemOf = (path: string): string => path.replace(ENDING, '');
const withoutIndex = (stem: string): string => stem.replace(/(^|\/)index$/, '');

function specifiers(request: ImportRequest): readonly string[] {
  const { like } = request;
  const other = otherPackage(request);
  if (other !== undefined)
    return [
      other.name,
      ...[...(other.exports?.keys() ?? [])]
        .filter((path) => path.startsWith('./'))
        .map((path) => other.name + path.slice(1)),
    ];
  const relative = relativeSpecifiers(request);
  if (like === undefined || like.startsWith('.')) return relative;
  const aliased = aliasedSpecifier(request);
  return aliased === undefined ? relative : [aliased, ...relative];
}

/** The package of the target, where the file stands in another one and does not reach into it by paths. */
function otherPackage({ from, target, like, likeTarget, repo }: ImportRequest): PackageManifest | undefined {
  const packageOf = (file: string): PackageManifest | undefined => packageAround(repo, folderOf(file));
  const there = packageOf(target);
  if (there === undefined || there.name === '' || there.dir === packageOf(from)?.dir) return undefined;
  const wasLeft =
    like?.startsWith('.') === true && likeTarget !== undefined && packageOf(likeTarget)?.dir !== packageOf(from)?.dir;
  return wasLeft ? undefined : there;
}

function relativeSpecifiers({ from, target, like, likeTarget }: ImportRequest): string[] {
  const written = writtenEnding(like ?? '', likeTarget ?? '');
  const stem = stemOf(target);
  const path = relativePath(folderOf(from), stem);
  const ending = ENDING.exec(target);
  const built = ending === null ? '' : `.${ending[1] ?? ''}js`;
  const folder = relativePath(folderOf(from), withoutIndex(stem));
  // `./` is written otherwise than `.`, and means the same.
  const named = like?.endsWith('/') === true ? `${folder}/` : folder;
  const bare = /(^|\/)index$/.test(stem) ? [named, path] : [path];
  const withEnding = ending === null ? [] : [path + built, path + ending[0]];
  if (written === undefined)
    return like !== undefined && like.endsWith('/index') ? [path, ...bare, ...withEnding] : [...bare, ...withEnding];
  return /ts/.test(written) ? [...withEnding.reverse(), ...bare] : [...withEnding, ...bare];
}

/** The ending with which an import names its file: `./a.ts` has none where it means `a.ts.ts`. */
const writtenEnding = (like: string, likeTarget: string): string | undefined =>
  lastOf(stemOf(likeTarget)) === lastOf(like) ? undefined : ENDING.exec(like)?.[0];
const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** `@/a/b` for `src/a/b.ts`: what stands before the shared end of both is kept. */
function aliasedSpecifier({ target, like, likeTarget }: ImportRequest): string | undefined {
  if (like === undefined || likeTarget === undefined) return undefined;
  const ending = writtenEnding(like, likeTarget) ?? '';
  const said = like.slice(0, like.length - ending.length).split('/');
  const place = stemOf(likeTarget);
  const meant = (said.at(-1) === 'index' ? place : withoutIndex(place)).split('/');
  let shared = 0;
  while (
    shared < said.length - 1 &&
    shared < meant.length &&
    said[said.length - 1 - shared] === meant[meant.length - 1 - shared]
  )
    shared++;
  const prefix = meant.slice(0, meant.length - shared).join('/');
  const stem = withoutIndex(stemOf(target));
  if (prefix !== '' && !stem.startsWith(`${prefix}/`)) return undefined;
  const below = prefix === '' ? stem : stem.slice(prefix.length + 1);
  return `${said.slice(0, said.length - shared).join('/')}/${below}${ending}`;
}

function relativePath(dir: string, path: string): string {
  const here = dir === '' ? [] : dir.split('/');
  const there = path === '' ? [] : path.split('/');
  let shared = 0;
  while (shared < here.length && shared < there.length && here[shared] === there[shared]) shared++;
  const up = here.length - shared;
  const rest = there.slice(shared).join('/');
  if (up === 0) return rest === '' ? '.' : `./${rest}`;
  const ups = Array.from({ length: up }, () => '..').join('/');
  return rest === '' ? ups : `${ups}/${rest}`;
}
