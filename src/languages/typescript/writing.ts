/**
 * How TypeScript and JavaScript spell imports and stubs.
 *
 * A specifier keeps the style of the one that it replaces: relative or by an alias, with or without
 * an ending, the directory or its index file. Quotes and semicolons follow the file's own imports.
 */
import type { ImportRequest, SourceWriting } from '../writing.js';
import { parentOf } from './paths.js';

export const writing: SourceWriting = {
  keywordArgument: undefined,
  specifiers,
  importStatement: (specifier, name, alias, like) => {
    const quote = like?.includes('"') === true ? '"' : "'";
    const isSpaced = like === undefined || !/\{\S/.test(like);
    const isTerminated = like === undefined || like.trimEnd().endsWith(';');
    const names = `${name}${alias === undefined ? '' : ` as ${alias}`}`;
    return `import ${like !== undefined && /^import\s+type\b/.test(like) ? 'type ' : ''}{${isSpaced ? ` ${names} ` : names}} from ${quote}${specifier}${quote}${isTerminated ? ';' : ''}`;
  },
  listsNames: true,
  stub: (header, name) => [`${header.replace(/[;,]\s*$/, '').replace(/\babstract\s+/, '').trim()} {`, `\tthrow new Error('${name} is not implemented');`, '}'],
};

const ENDING = /(?:\.d)?\.([cm]?)([jt]s)(x?)$/;
const stemOf = (path: string): string => path.replace(ENDING, '');
const withoutIndex = (stem: string): string => stem.replace(/(^|\/)index$/, '');

function specifiers(request: ImportRequest): readonly string[] {
  const { like } = request;
  const relative = relativeSpecifiers(request);
  if (like === undefined || like.startsWith('.')) return relative;
  const aliased = aliasedSpecifier(request);
  return aliased === undefined ? relative : [aliased, ...relative];
}

function relativeSpecifiers({ from, target, like }: ImportRequest): string[] {
  const written = ENDING.exec(like ?? '')?.[0];
  const stem = stemOf(target);
  const path = relativePath(parentOf(from), stem);
  const ending = ENDING.exec(target);
  const built = ending === null ? '' : `.${ending[1] ?? ''}js`;
  const bare = /(^|\/)index$/.test(stem) ? [relativePath(parentOf(from), withoutIndex(stem)), path] : [path];
  const withEnding = ending === null ? [] : [path + built, path + ending[0]];
  if (written === undefined) return like !== undefined && like.endsWith('/index') ? [path, ...bare, ...withEnding] : [...bare, ...withEnding];
  return /ts/.test(written) ? [...withEnding.reverse(), ...bare] : [...withEnding, ...bare];
}

/** `@/a/b` for `src/a/b.ts`: what stands before the shared end of both is kept. */
function aliasedSpecifier({ target, like, likeTarget }: ImportRequest): string | undefined {
  if (like === undefined || likeTarget === undefined) return undefined;
  const ending = ENDING.exec(like)?.[0] ?? '';
  const said = like.slice(0, like.length - ending.length).split('/');
  const meant = withoutIndex(stemOf(likeTarget)).split('/');
  let shared = 0;
  while (shared < said.length - 1 && shared < meant.length && said[said.length - 1 - shared] === meant[meant.length - 1 - shared]) shared++;
  const prefix = meant.slice(0, meant.length - shared).join('/');
  const stem = withoutIndex(stemOf(target));
  if (prefix !== '' && !stem.startsWith(`${prefix}/`)) return undefined;
  return `${said.slice(0, said.length - shared).join('/')}/${prefix === '' ? stem : stem.slice(prefix.length + 1)}${ending}`;
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
