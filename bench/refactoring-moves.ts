/**
 * What a person does who moves a definition to another file, or a file to another folder: the text
 * goes as it is, and everything that named it there is left behind.
 */
import { dirname } from 'node:path';
import { isOwnBlock } from '#src/change/match-blocks.js';
import { F } from '#src/syntax/summary.js';
import type { Subject, Typed } from './refactoring-kinds.js';

const ENTRY = /(?:^|\/)(?:__init__|__main__|index|conftest|setup)\.\w+$|\.d\.[mc]?ts$/;
const isTest = (file: string): boolean =>
  /(?:^|\/)(?:tests?|spec|__tests__)\/|[._](?:test|spec)\.\w+$|(?:^|\/)test_/.test(file);

/** Cut out, and put at the end of another file in the folder. */
export function movedAway({ tree, file, decl, summary, text, pick }: Subject): Typed | undefined {
  if (summary.language === 'java' || summary.decls.has(decl, F.defaultExport) || isTest(file)) return undefined;
  const others = [...tree.snapshot.files.keys()].filter(
    (other) =>
      other !== file &&
      dirname(other) === dirname(file) &&
      !ENTRY.test(other) &&
      !isTest(other) &&
      tree.snapshot.summary(other)?.language === summary.language,
  );
  const to = others.sort()[pick(others.length, 'file')];
  const target = to === undefined ? undefined : tree.text(to);
  const [start, end] = [summary.decls.startOf(decl), summary.decls.endOf(decl)];
  if (to === undefined || target === undefined || text.slice(text.lastIndexOf('\n', start) + 1, start) !== '')
    return undefined;
  const behind = end + (/^[ \t]*;?(?:\r?\n)*/.exec(text.slice(end))?.[0].length ?? 0);
  const gap = summary.language === 'python' ? '\n\n' : '\n';
  return {
    edits: new Map([
      [file, [{ start, end: behind, text: '' }]],
      [
        to,
        [
          {
            start: target.length,
            end: target.length,
            text: `${target.endsWith('\n') ? '' : '\n'}${gap}${text.slice(start, end)}\n`,
          },
        ],
      ],
    ]),
    names: [summary.decls.nameOf(decl)],
    isInvertible: false,
  };
}

/** To another folder that has sources of the language, else under another name. */
export function movedFile({ tree, file, summary, text, pick }: Subject): Typed | undefined {
  if (ENTRY.test(file) || isTest(file)) return undefined;
  const folderOf = dirname(file);
  const isPackage = summary.package !== '' && `/${folderOf}`.endsWith(`/${summary.package.replaceAll('.', '/')}`);
  if (summary.language === 'java' && !isPackage) return undefined;
  const root = folderOf.slice(0, folderOf.length - summary.package.length);
  const siblings = [...tree.snapshot.files].filter(
    ([other, { language }]) =>
      language === summary.language &&
      !isTest(other) &&
      other.startsWith(root) &&
      other.split('/')[0] === file.split('/')[0],
  );
  const folders = [...new Set(siblings.map(([other]) => dirname(other)))]
    .filter((folder) => folder !== folderOf)
    .sort();
  const base = file.slice(file.lastIndexOf('/') + 1);
  const folder = folders[pick(folders.length, 'folder')];
  const to = folder === undefined ? `${file.slice(0, file.length - base.length)}anew_${base}` : `${folder}/${base}`;
  if (tree.snapshot.hasFile(to) || (summary.language === 'java' && folder === undefined)) return undefined;
  const names = [
    base.replace(/\..*$/, ''),
    ...Array.from({ length: summary.decls.count }, (_, row) => row)
      .filter((row) => summary.decls.parentOf(row) < 0 && isOwnBlock(summary, row))
      .map((row) => summary.decls.nameOf(row)),
  ];
  if (summary.language !== 'java')
    return { edits: new Map(), renames: new Map([[file, to]]), names, isInvertible: true };
  const target = siblings.find(([other]) => folder !== undefined && dirname(other) === folder)?.[1].package ?? '';
  const at = /^package\s+([\w.]+)/m.exec(text);
  if (at === null || target === '') return undefined;
  const start = at.index + at[0].length - summary.package.length;
  return {
    edits: new Map([[file, [{ start, end: start + summary.package.length, text: target }]]]),
    renames: new Map([[file, to]]),
    names,
    isInvertible: true,
  };
}
