/**
 * What README.md, ARCHITECTURE.md and the pages of docs/ point to is there: files and headings that they link to, paths
 * of the repository, commands of the program, scripts of npm.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { COMMAND_NAMES } from '#src/cli/program.js';
import { ROOT } from './support/source-files.js';

/** Made by a command that the page names beside it. */
const MADE: ReadonlySet<string> = new Set(['editors/vscode/codeplan.vsix']);

const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const outsideOfBlocks = (text: string): string => text.replace(/^```[^]*?^```/gmu, '');
/** Code in a line is no link, even where it reads like one: `Box[int](…)`. */
const outsideOfCode = (text: string): string => outsideOfBlocks(text).replace(/`[^`\n]*`/gu, '``');

/** As GitHub makes a fragment of a heading. */
const headings = (page: string): ReadonlySet<string> =>
  new Set(
    [...outsideOfBlocks(textOf(page)).matchAll(/^#+ (.*)$/gmu)].map(([, words = '']) =>
      words
        .trim()
        .toLowerCase()
        .replace(/[^\w\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

const missing = (found: readonly string[]): void => assert.deepEqual(found, []);

test('links lead to files and headings that are there', () => {
  missing(
    PAGES.flatMap((page) =>
      [...outsideOfCode(textOf(page)).matchAll(/\]\(([^)\s]+)\)/gu)].flatMap(([, link = '']) => {
        if (/^\w+:/u.test(link)) return [];
        const [path = '', heading] = link.split('#');
        const target = path === '' ? page : normalize(join(dirname(page), path));
        const isThere =
          existsSync(join(ROOT, target)) &&
          (heading === undefined || !target.endsWith('.md') || headings(target).has(heading));
        return isThere ? [] : [`${page}: ${link}`];
      }),
    ),
  );
});

test('paths of the repository are there', () => {
  const path = /`((?:src|docs|test|fixtures|bench|scripts|protocol|editors)\/[\w./-]+)`/gu;
  missing(
    PAGES.flatMap((page) =>
      [...textOf(page).matchAll(path)].flatMap(([, named = '']) =>
        MADE.has(named) || existsSync(join(ROOT, named)) || existsSync(join(ROOT, `${named}.txt`))
          ? []
          : [`${page}: ${named}`],
      ),
    ),
  );
});

test('commands and scripts that are named can be run', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  missing(
    PAGES.flatMap((page) => [
      ...[...textOf(page).matchAll(/(?:`|^(?:\$ )?)codeplan ([a-z]+)\b/gmu)].flatMap(([, name = '']) =>
        COMMAND_NAMES.has(name) ? [] : [`${page}: codeplan ${name}`],
      ),
      ...[...textOf(page).matchAll(/npm run ([\w:-]+)/gu)].flatMap(([, name = '']) =>
        name in scripts ? [] : [`${page}: npm run ${name}`],
      ),
    ]),
  );
});
