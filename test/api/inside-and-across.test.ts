/**
 * Law: what certainly breaks in a file that uses a library is the same with the library's sources at hand and through
 * a change file. Every fixture whose edit leaves some files alone is such a library with such users. In TypeScript, whose
 * fixtures name files and no packages, the library is a package whose files are all entries, and its users name them as
 * such; more cases are in `at-the-border.test.ts`. No such user is taken for one that can mean nothing of the library.
 */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { isOutside } from '#src/base/outside.js';
import { inTurns } from '#src/base/turns.js';
import type { ChangeFile } from '#protocol/api.js';
import { apartFrom } from '#src/engine/apart.js';
import { movesOf, sideOf, toldOf, withSide } from '#src/engine/api-tree.js';
import { editInTurns } from '#src/engine/edit-between.js';
import { ServiceError } from '#src/engine/service.js';
import type { WorkingTree } from '#src/engine/working-tree.js';
import { impactOf } from '#src/impact/impact.js';
import { questionAbout } from '#src/impact/question.js';
import { fixturePaths, readFixture } from '../support/fixture-files.js';
import type { FixtureFile } from '../support/fixture.js';
import { testGrammars } from '../support/grammars.js';
import { changeBetween, treeFrom, type Files } from '../support/library.js';

/** Fixtures of which the two say different things, and why they may. */
const APART: Readonly<Record<string, string>> = {
  'rules/MMS.part-ConstructedBy.partial.csharp.txt': 'no part of a class stands in another package',
  'rules/classes.java.txt': 'a type without its new type arguments compiles, and users need not follow that',
  'rules/constructors.class-of-a-call.typescript.txt': 'a change file has no function that gives the class and stays',
  'rules/handed-arguments.python.txt': 'a change file says nothing of what a body hands on',
  'rules/returned-class.typescript.txt': 'a change file says nothing of a class that a body declares and gives',
  'rules/shifted-type.python.txt': 'a change file says nothing of what a body gives, where no type is declared',
  'rules/shifted-type.typescript.txt': 'a change file says nothing of what a body gives, where no type is declared',
  'rules/value-shapes.filled.typescript.txt': 'a change file says nothing of what a body gives',
  'rules/value-shapes.python.txt': 'a change file says nothing of what a body gives',
  'rules/value-shapes.typescript.txt': 'a change file says nothing of what a body gives',
};

interface Border {
  readonly from: Files;
  readonly to: Files;
  readonly user: Files;
  /** Where the library lies in the repository that has both. */
  readonly folder: string;
}

const isAlike = ({ before, after }: FixtureFile): boolean =>
  before?.text === after?.text && before?.path === after?.path;

/** The folders and files at the top that an edit is in are a library; the others use it. */
function borderIn(files: readonly FixtureFile[]): Border {
  const top = (path: string): string => path.split('/')[0] ?? path;
  const sides = (file: FixtureFile): string[] => [file.before, file.after].flatMap((side) => side?.path ?? []);
  const edited = new Set(files.filter((file) => !isAlike(file)).flatMap((file) => sides(file).map(top)));
  const from: Record<string, string> = {};
  const to: Record<string, string> = {};
  const user: Record<string, string> = {};
  for (const file of files) {
    const isLibrarys = sides(file).some((path) => edited.has(top(path)));
    if (file.before !== undefined) (isLibrarys ? from : user)[file.before.path] = file.before.text;
    if (file.after !== undefined && isLibrarys) to[file.after.path] = file.after.text;
  }
  return { from, to, user, folder: '' };
}

const SCRIPT = /\.(?:[cm]?[jt]s|[jt]sx)$/u;
const MANIFEST = '{"name": "library", "version": "1.0.0", "exports": {"./*": "./*"}}';
const SPECIFIER = /(\bfrom\s*|\bimport\s*\(?\s*|\brequire\(\s*)(['"])(\.{1,2}\/[^'"]*)\2/gu;

/** The library as a package; undefined where it imports of its users, or where the fixture has packages of its own. */
function asPackage({ from, to, user }: Border): Border | undefined {
  const all = { ...from, ...to, ...user };
  if (Object.keys(all).some((file) => file.endsWith('.json'))) return undefined;
  const isOfUsers = (file: string, text: string): boolean =>
    [...text.matchAll(SPECIFIER)].some(([, , , path = '']) => {
      const led = fileAt(file, path, all);
      return led !== undefined && Object.hasOwn(user, led);
    });
  if ([from, to].some((side) => Object.entries(side).some(([file, text]) => isOfUsers(file, text)))) return undefined;
  const named = (file: string, text: string): string =>
    text.replace(SPECIFIER, (whole: string, before: string, quote: string, path: string) => {
      const led = fileAt(file, path, { ...from, ...to });
      return led === undefined ? whole : `${before}${quote}library/${led.replace(/(?:\.d)?\.[^./]+$/u, '.js')}${quote}`;
    });
  return {
    from: { ...from, 'package.json': MANIFEST },
    to: { ...to, 'package.json': MANIFEST },
    user: Object.fromEntries(Object.entries(user).map(([file, text]) => [file, named(file, text)])),
    folder: 'library/',
  };
}

/** The file that a relative path leads to from another one. */
function fileAt(from: string, path: string, files: Files): string | undefined {
  const base = posix.join(posix.dirname(from), path).replace(/\.[cm]?jsx?$/u, '');
  return ['', '.ts', '.tsx', '.d.ts', '.js', '.jsx', '.mjs', '.cjs', '.mts', '.cts', '/index.ts', '/index.js']
    .map((end) => base + end)
    .find((file) => Object.hasOwn(files, file));
}

const below = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([file, text]) => [folder + file, text]));

/** Blocks of the users' files that certainly break, sorted. */
async function breaking(before: WorkingTree, after: WorkingTree, user: Files, signal: AbortSignal): Promise<string[]> {
  const edit = await inTurns(editInTurns(before, after), signal);
  const question = questionAbout({ before: before.resolver, after: after.resolver }, edit);
  const { affected } = await inTurns(impactOf(question), signal);
  return affected
    .filter(({ file, sites }) => {
      const isCertain = sites.some(({ tier, confidence }) => tier === 'breaks' && confidence === 'certain');
      return isCertain && !isOutside(file) && Object.hasOwn(user, file);
    })
    .map(({ file, decl }) => `${file} ${decl < 0 ? '' : after.resolver.summary(file).decls.pathOf(decl)}`)
    .sort();
}

/** Told by texts alone; manifests are taken to name nothing of the library. */
async function problemsWhereApart(change: ChangeFile, user: Files): Promise<unknown> {
  const { signal } = new AbortController();
  const manifests = new Map([
    ['pyproject.toml', '[project]\nname = "user"\ndependencies = ["other"]\n'],
    ['package.json', '{"dependencies": {"other": "1"}}'],
    ['pom.xml', POM],
    ['User.csproj', '<Project><ItemGroup><PackageReference Include="Other" Version="1" /></ItemGroup></Project>'],
  ]);
  return apartFrom({
    change: { ...change, packages: ECOSYSTEMS.map((ecosystem) => ({ ecosystem, name: 'library' })) },
    places: change.places ?? [],
    unsaved: new Map(Object.entries(user)),
    effects: {
      manifests: () => Promise.resolve(manifests),
      sourceTexts: async function* () {
        yield* await Promise.resolve([]);
      },
    },
    signal,
  });
}

const ECOSYSTEMS = ['npm', 'pypi', 'maven', 'nuget'] as const;
const POM =
  '<project><dependencies><dependency><groupId>a</groupId><artifactId>b</artifactId><version>1</version>' +
  '</dependency></dependencies></project>';

const LANGUAGE = /\.(?:cs|java|py)$/u;

test('what breaks for users is the same inside and across the border', async (t) => {
  const grammars = await testGrammars();
  const { signal } = new AbortController();
  for (const path of fixturePaths()) {
    const { files, sections } = readFixture(path);
    const found = borderIn(files);
    const isScript = Object.keys(found.user).some((file) => SCRIPT.test(file));
    const border = isScript ? asPackage(found) : found;
    if (border === undefined) continue;
    const { from, to, user, folder } = border;
    const isUsed = isScript || Object.keys(user).some((file) => LANGUAGE.test(file));
    if (!sections.has('impact') || !isUsed || Object.keys(found.from).length === 0) continue;
    const change = await changeBetween(from, to, grammars).catch((error: unknown) => {
      // Nothing in it is public.
      if (error instanceof ServiceError) return undefined;
      throw error;
    });
    if (change === undefined) continue;
    await t.test(path, async () => {
      const [was, is] = [from, to].map((side) => treeFrom({ ...user, ...below(folder, side) }, grammars));
      const inside = await breaking(was as WorkingTree, is as WorkingTree, user, signal);
      const old = await inTurns(withSide(treeFrom(user, grammars), sideOf(change, 'before'), grammars), signal);
      const before = old.knowing(toldOf(movesOf(change), old));
      const root = treeFrom(user, grammars);
      const after = await inTurns(withSide(root, sideOf(change, 'after'), grammars, before), signal);
      const across = await breaking(before, after, user, signal);
      if (across.length > 0) assert.equal(await problemsWhereApart(change, user), undefined);
      if (Object.hasOwn(APART, path)) assert.notDeepEqual(across, inside, 'they say the same: take it off the list');
      else assert.deepEqual(across, inside);
    });
  }
});
