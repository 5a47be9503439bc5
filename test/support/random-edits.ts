/**
 * Random edits of a small repository that is made of a language's own fixtures, for laws that hold after any of them.
 */
import fc from 'fast-check';
import type { LanguageId } from '#src/syntax/summary.js';
import { fixturePaths, readFixture } from './fixture-files.js';
import type { Texts } from './fixture-trees.js';

/** Edits of one sequence. */
const EDITS_MOST = 6;
/** Fixtures that make up a repository. */
const PARTS = [
  'import-alias',
  're-export',
  'inherited-method',
  'override-both-ways',
  'typed-field',
  'constructor-call',
  'static-import',
  'namespaces',
];

/** Files of a few fixtures side by side; those of equal path: the first. */
export function repositoryOf(language: LanguageId): Texts {
  const texts = new Map<string, string>();
  for (const path of fixturePaths()) {
    if (!PARTS.some((part) => path === `languages/${language}/${part}.txt`)) continue;
    for (const { after } of readFixture(path).files)
      if (after !== undefined && !texts.has(after.path)) texts.set(after.path, after.text);
  }
  return texts;
}

/** One edit, as numbers that are taken modulo what there is to choose from. */
export type Edit = readonly [
  kind: 'insertLine' | 'deleteLine' | 'renameName' | 'deleteFile' | 'renameFile' | 'copyFile' | 'undo',
  file: number,
  place: number,
  other: number,
];

export const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.tuple(
    fc.constantFrom(
      'insertLine',
      'deleteLine',
      'deleteLine',
      'renameName',
      'renameName',
      'deleteFile',
      'renameFile',
      'copyFile',
      'undo',
    ),
    fc.nat(1000),
    fc.nat(1000),
    fc.nat(1000),
  ),
  { minLength: 1, maxLength: EDITS_MOST },
);

/** The texts after an edit of the last of `states`. */
export function edited(states: readonly Texts[], [kind, fileNumber, place, other]: Edit): Texts {
  const now = states[states.length - 1] as Texts;
  if (kind === 'undo' || now.size === 0) return states[place % states.length] as Texts;
  const paths = [...now.keys()];
  const path = paths[fileNumber % paths.length] as string;
  const text = now.get(path) as string;
  const out = new Map(now);
  const lines = text.split('\n');
  const names = [...new Set([...now.values()].join(' ').match(/[A-Za-z_]\w+/g))];
  switch (kind) {
    case 'insertLine': {
      const source = (now.get(paths[other % paths.length] as string) as string).split('\n');
      lines.splice(place % lines.length, 0, source[other % source.length] as string);
      return out.set(path, lines.join('\n'));
    }
    case 'deleteLine':
      lines.splice(place % lines.length, 1);
      return out.set(path, lines.join('\n'));
    case 'renameName': {
      const name = names[place % names.length] as string;
      return out.set(path, text.replace(new RegExp(`\\b${name}\\b`), names[other % names.length] as string));
    }
    case 'deleteFile':
      out.delete(path);
      return out;
    case 'renameFile':
      out.delete(path);
      return out.set(elsewhere(path, other), text);
    case 'copyFile':
      return out.set(elsewhere(path, other), text);
  }
}

/** Another path of the same extension: beside the file, or in a folder. */
function elsewhere(path: string, number: number): string {
  const dot = path.lastIndexOf('.');
  return [`${path.slice(0, dot)}2${path.slice(dot)}`, `moved/${path.slice(path.lastIndexOf('/') + 1)}`][
    number % 2
  ] as string;
}
