/**
 * What holds for the sources as a whole, read from the sources: layers, headers, names, sizes,
 * and that tables have their fixtures and pages. A failure names the file, the line and the fix.
 *
 * Every list of exceptions states the reason of each entry, and an entry that is no longer needed
 * fails as well.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { QUESTIONS } from '#protocol/names.js';
import { REWRITES } from '#src/edit/mechanical/rewrites.js';
import { RULES } from '#src/impact/rules.js';
import { LANGUAGES } from '#src/languages/registry.js';
import type { LanguageId } from '#src/syntax/summary.js';
import { fixturePaths, FIXTURES_ROOT, readFixture } from './support/fixture-files.js';
import { generatedDocs } from './support/generated-docs.js';
import { TOOLS } from './support/tool.js';
import {
  functionsOf,
  importedPath,
  importsOf,
  nodesOf,
  numbersOf,
  ROOT,
  sourceFiles,
  valueImportsOf,
} from './support/source-files.js';

/** Lowest first; a file imports its own layer and those before it. */
const LAYERS = [
  'base',
  'syntax',
  'languages',
  'graph',
  'retrieve',
  'change',
  'api',
  'impact',
  'context',
  'model',
  'search',
  'plan',
  'edit',
  'tools',
  'refactor',
  'oracle',
  'generate',
  'engine',
  'fleet',
  'io',
  'page',
  'review',
  'daemon',
  'agents',
  'eval',
  'cli',
];
/** Rooms of a layer, lowest first; a file imports its own room and those before it. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  graph: ['files', 'resolve', 'refer', 'explain'],
  io: ['disk', 'process', 'index', 'git', 'watch', 'settings', 'journal', 'model', 'tools', 'socket', 'fleet'],
};
/** Who may look at the columns of numbers; all others ask the door (`src/syntax/source.ts`). */
const COLUMN_OWNERS: Readonly<Record<string, string>> = {
  'src/syntax/': 'the columns are made and asked here',
  'src/io/index/summary-codec.ts': 'writes them as bytes and reads them',
  'test/io/summary-codec.test.ts': 'what is written is read again',
  'test/tidy.test.ts': 'says here what to look for',
};
/** How one comes by the columns; the fields that hold them are private, which the compiler sees to. */
const COLUMN = /\b(?:columnsOf|new Source|SummaryColumns|ExprColumns|DeclColumns|ScopeColumns)\b/u;

/** Layers that touch nothing outside of the program: no `node:` module, no words of the wire. */
const PURE_UP_TO = 'plan';

/** Folders in which files need each other's values, in a circle, and why. */
const CIRCLES: Readonly<Record<string, string>> = {
  'src/languages/python': 'an expression may be a lambda, whose parameters have defaults, which are expressions',
  'src/graph/resolve': 'what a name means needs the type of an expression, and that the names in it',
  'src/graph/refer': 'who refers to a declaration is found through values, and where a value goes by who refers to it',
};
/** Files that a process starts with, or that something other than an import names. */
const ENTRY_POINTS: Readonly<Record<string, string>> = {
  'src/cli/entry.ts': 'the command',
  'src/io/index/parse-worker.ts': 'started as a worker thread',
  'protocol/generated.ts': 'run by scripts/write-schema.mjs',
};
/** Longer than a screen, with the reason why it is still one piece. */
const LONG_FUNCTIONS: Readonly<Record<string, string>> = {
  'src/syntax/memory-walk.ts:walkMemory':
    'runs for every node of every file: what it would hand to parts of itself lives in local variables',
  'src/syntax/block-hashes.ts:hashBlocks':
    'runs for every node of every file: what it would hand to parts of itself lives in local variables',
  'src/daemon/local-engine.ts:effectsFor': 'to be split: it fitted before its lines were wrapped',
};
const LINES_MOST = 70;
const HEADER_LINES_MOST = 15;
const COLUMNS_MOST = 120;
/** What only a regular expression holds, which has no place to break at. */
const IN_EXPRESSION = /\(\?[:<!=]|\\[bdswp]/;

/** Cases of the conformance list that a language has no construct for. */
const NOT_IN_LANGUAGE: Readonly<Record<string, readonly string[]>> = {
  java: ['import-alias', 'relative-import', 're-export'],
  csharp: ['relative-import', 're-export'],
};

/** Impact rules that a language has no construct for, with the reason. */
const NO_SUCH_CONSTRUCT: Readonly<Record<string, Readonly<Partial<Record<LanguageId, string>>>>> = {
  'DM/InstantiatedBy': { java: 'a method makes no instance', csharp: 'a method makes no instance' },
  'MMS/renamed-InstantiatedBy': {
    python: 'a function makes no instance',
    java: 'a method makes no instance',
    csharp: 'a method makes no instance',
  },
  'MMS/named-UsedBy': {
    typescript: 'no argument is given by a name',
    java: 'no argument is given by a name',
    csharp: "a call of a delegate says the delegate's names",
  },
  'AM/result-OverriddenBy': {
    python: 'an awaitable without its argument is one of anything',
    typescript: 'a promise of nothing is written Promise<void>',
    java: 'nothing is awaited',
  },
  'MCC/handed-UsedBy ACC/handed-UsedBy DCC/handed-UsedBy': {
    typescript: 'a class is not called without new',
    java: 'a class is handed on as a reference to its constructor, which is a construction',
    csharp: 'a class is no value',
  },
  'MF/ConstructedBy': {
    python: 'a final attribute may stay without a value',
    typescript: 'what is read-only asks for no other value than what is not',
    csharp: 'a read-only field has the first value of its type',
  },
  'MF/accessor-OverriddenBy MF/accessor-Overrides': {
    python: 'a property has an accessor more by a function more',
    typescript: 'a getter and a setter are two members',
    java: 'a member has no accessors',
  },
  'DM/BaseClassOf MMS/renamed-BaseClassOf': {
    python: 'a base list calls a function',
    java: 'a method is no base',
    csharp: 'a method is no base',
  },
  'DF/InstantiatedBy MF/renamed-InstantiatedBy': {
    python: 'a variable that holds a class is called',
    java: 'a field holds no class',
    csharp: 'a field holds no class',
  },
  'MF/meaning-UsedBy': {
    typescript: 'a variable is no type',
    java: 'a field is no type',
    csharp: 'a field is no type',
  },
  'MF/value-InstantiatedBy DF/value-InstantiatedBy': {
    typescript: 'an enumeration is not called',
    java: 'an enumeration is not called',
    csharp: 'an enumeration is not called: a cast gives any value',
  },
  'MF/made-CalledBy': {
    typescript: 'no function of the language makes a class',
    java: 'no method makes a class',
    csharp: 'no method makes a class',
  },
  'MC/repeated-UsedBy': {
    python: 'a decorator may stand as often as one likes',
    typescript: 'a decorator may stand as often as one likes',
    csharp: 'whether an attribute may be repeated is an argument of another one, which is not read',
  },
  'AM/abstract-InstantiatedBy MMS/abstract-InstantiatedBy': {
    typescript: 'an abstract class is none to make objects of',
    java: 'an abstract class is none to make objects of',
    csharp: 'an abstract class is none to make objects of',
  },
  'MMB/UsedBy': { java: 'what is run is called', csharp: 'what a property runs is its value' },
  'MF/shape-UsedBy': { java: 'a field has a declared type', csharp: 'a field has a declared type' },
  'MC/sealed-InstantiatedBy': {
    python: 'a class without a name is made by a call of `type`',
    typescript: 'nothing says that no class may derive from one',
    csharp: 'every class has a name',
  },
  'MMS/static-ImportedBy MF/static-ImportedBy': {
    python: 'a member is not imported',
    typescript: 'a member is not imported',
    csharp: 'a using brings a class, and names no member',
  },
  'MMS/sealed-family-OverriddenBy': { typescript: 'nothing says that no member may override one' },
  'MMS/required-CalledBy': { python: 'an abstract method has a body that may be called' },
  'DF/BaseClassOf MF/renamed-BaseClassOf': { java: 'a field is no base', csharp: 'a field is no base' },
  'DM/ImportedBy DF/ImportedBy MMS/renamed-ImportedBy MF/renamed-ImportedBy': { csharp: 'no using names a member' },
  'DF/OverriddenBy DF/family-OverriddenBy MF/renamed-OverriddenBy MF/renamed-Overrides MF/renamed-family-UsedBy': {
    java: 'a field hides another',
  },
  'MMB/typed-UsedBy': {
    python: 'no type is read off a result',
    java: 'no type is read off a result',
    csharp: 'no type is read off a result',
  },
  'MF/typed-OverriddenBy MF/typed-Overrides': { java: 'a field hides another' },
  'MF/renamed-family-OverriddenBy MF/renamed-family-Overrides': { java: 'a field hides another' },
  'AF/BaseClassOf': { java: 'the fields of an interface are constants' },
  'AF/literal-UsedBy AM/literal-UsedBy': {
    python: 'an object is made by a call',
    java: 'an object is made by a call',
    csharp: 'an initializer may leave members out',
  },
  'MC/nameless-UsedBy MC/nameless-BaseClassOf MC/nameless-CalledBy MC/nameless-SatisfiedBy': {
    python: 'members of a protocol have names',
    java: 'members of an interface have names',
    csharp: 'an indexer is a member of its own',
  },
  'MMS/exported-ConstructedBy MMS/exported-CalledBy': {
    python: 'nothing is exported by a word',
    java: 'each overload is a function of its own',
    csharp: 'each overload is a function of its own',
  },
  'MF/union-UsedBy': {
    typescript: 'a union is named by a type alias',
    java: 'no union has a name',
    csharp: 'no union has a name',
  },
  'MF/literal-UsedBy MMS/literal-UsedBy MF/optional-CalledBy': {
    python: 'no member is optional',
    java: 'no member is optional',
    csharp: 'no member is optional',
  },
  'MF/patterns-UsedBy DF/patterns-UsedBy': {
    typescript: 'nothing is taken apart by place but arrays',
    java: 'a record alone is taken apart by place',
    csharp: 'a method says what the places stand for',
  },
  'MF/required-BaseClassOf': { python: 'no field is abstract', java: 'no field is abstract' },
  'MMS/narrowed-CalledBy MMS/narrowed-UsedBy MF/narrowed-UsedBy MC/narrowed-UsedBy': {
    python: 'whoever knows a name may use it',
  },
  'MC/narrowed-InstantiatedBy MC/narrowed-BaseClassOf MCC/narrowed-CalledBy MCC/narrowed-InstantiatedBy': {
    python: 'whoever knows a name may use it',
  },
  'MF/narrowed-CalledBy': {
    python: 'whoever knows a name may use it',
    java: 'what a variable holds is called by the name of its method',
  },
  'MMS/narrowed-InstantiatedBy MMS/narrowed-BaseClassOf MF/narrowed-InstantiatedBy MF/narrowed-BaseClassOf': {
    python: 'whoever knows a name may use it',
    java: 'a class alone is made, and derived from',
    csharp: 'a class alone is made, and derived from',
  },
  'MMS/narrowed-ImportedBy MF/narrowed-ImportedBy MC/narrowed-ImportedBy': {
    python: 'whoever knows a name may use it',
    csharp: 'no using names a member, and types are seen by the whole assembly',
  },
  'MMS/sealed-OverriddenBy MC/sealed-BaseClassOf': { typescript: 'nothing is final' },
  'MF/sealed-OverriddenBy': {
    python: 'no field is final to subclasses',
    java: 'a field hides another',
    typescript: 'nothing is final',
  },
  'MMS/decorated-CalledBy': {
    typescript: 'a decorator leaves the signature',
    java: 'an annotation changes nothing',
    csharp: 'an attribute changes nothing',
  },
  'MC/meaning-UsedBy MC/meaning-SatisfiedBy': { java: 'there is no alias', csharp: 'an alias ends with its file' },
  'MCC/meaning-UsedBy MCC/meaning-SatisfiedBy': {
    python: 'there is no delegate',
    java: 'there is no delegate',
    typescript: 'a function type is an alias',
  },
  'MI/export-ImportedBy': {
    python: 'a name that an import binds no more is passed on no more',
    java: 'a file exports nothing',
    csharp: 'a file exports nothing',
  },
  'DI/export-ImportedBy': { java: 'a file exports nothing', csharp: 'a file exports nothing' },
  'AF/made-InstantiatedBy MF/made-InstantiatedBy DF/made-InstantiatedBy': {
    python: 'the fields of a data class are its parameters',
    typescript: 'no generator makes constructors',
    csharp: 'no generator makes constructors of classes',
  },
  'AM/constant-ParentOf MMS/constant-ParentOf': {
    python: 'a member of an enumeration has no body',
    typescript: 'a member of an enumeration has no body',
    csharp: 'a member of an enumeration has no body',
  },
  'AM/element-UsedBy MMS/element-UsedBy MMS/bare-UsedBy': {
    python: 'a decorator is a function',
    typescript: 'a decorator is a function',
    csharp: 'an attribute has constructors',
  },
  'MCC/taken-apart-UsedBy': { typescript: 'nothing is taken apart by place but arrays' },
  'MMB/ChildOf': { python: 'a bare name is no member', typescript: 'a bare name is no member' },
  'MMS/renamed-ConstructedBy': {
    java: 'each overload is a method of its own',
    csharp: 'each overload is a method of its own, and a property is one block',
  },
  'MMS/part-ConstructedBy': { java: 'each overload is a method of its own' },
  'MC/renamed-ConstructedBy': {
    python: 'a constructor does not spell its class',
    typescript: 'a constructor does not spell its class',
  },
  'MC/sealed-ParentOf': {
    python: 'every member may be overridden',
    typescript: 'nothing is final',
    java: 'what can be overridden is not said',
  },
  'MC/renamed-ParentOf': {
    python: 'no member spells its class',
    typescript: 'no member spells its class',
    java: 'constructors alone spell their class',
  },
  'MCC/inherited-InstantiatedBy ACC/inherited-InstantiatedBy DCC/inherited-InstantiatedBy': {
    java: 'constructors are not inherited',
    csharp: 'constructors are not inherited',
  },
  'MI/ImportedBy': { java: 'an import gives no other name' },
  'MMS/renamed-SatisfiedBy MF/renamed-SatisfiedBy MMS/renamed-Satisfies MF/renamed-Satisfies': {
    java: 'a class names its interfaces',
    csharp: 'a class names its interfaces',
  },
  'DM/Satisfies DF/Satisfies MMS/Satisfies AF/SatisfiedBy MF/typed-Satisfies MF/typed-SatisfiedBy': {
    java: 'a class names its interfaces',
    csharp: 'a class names its interfaces',
  },
  'MMS/required-SatisfiedBy': {
    python: 'a protocol asks for all its members',
    csharp: 'a class names its interfaces, and a function type is a delegate',
  },
  'MF/required-SatisfiedBy': {
    python: 'a protocol asks for all its members',
    java: 'no field is abstract',
    csharp: 'a class names its interfaces',
  },
  'MMS/SatisfiedBy AM/SatisfiedBy': { csharp: 'a class names its interfaces, and a function type is a delegate' },
};

/** Rewrites that have nothing to do in a language, with the reason. */
const NO_SUCH_REWRITE: Readonly<Record<string, Readonly<Partial<Record<LanguageId, string>>>>> = {
  'add-throws': {
    python: 'no header says what is thrown',
    typescript: 'no header says what is thrown',
    csharp: 'no header says what is thrown',
  },
  'bring-imports': { java: 'a type takes its file along', csharp: 'a type takes its file along' },
  'default-import': {
    python: 'nothing is exported as a default',
    java: 'nothing is exported as a default',
    csharp: 'nothing is exported as a default',
  },
  'drop-mark': {
    java: 'the package or an annotation says what may change',
    csharp: 'an attribute says what may change',
  },
  'drop-result': {
    python: 'what is awaited is written with its argument, or without for any',
    java: 'nothing is awaited',
    typescript: 'a promise of nothing is written Promise<void>',
  },
  'drop-import': { csharp: 'a using names a namespace, which other types may be in' },
  'follow-file': { java: 'an import names no file', csharp: 'a using names no file' },
  'follow-space': { python: 'a module is its file', typescript: 'a module is its file' },
  'import-form': { java: 'an import has one form', csharp: 'a using has one form' },
  'keyword-arguments': {
    typescript: 'arguments have no names',
    java: 'arguments have no names',
    csharp: 'every parameter can be given by position',
  },
  'make-async': { java: 'no function is async' },
  'make-property': { java: 'there are no properties' },
  'make-static': { python: 'a static method is called on objects too' },
  'readdress-import': { java: 'imports stand at the head alone', csharp: 'usings stand at the head alone' },
  'readdress-table': {
    typescript: 'a module is loaded by code that says its name',
    java: 'no mapping stands for imports',
    csharp: 'no mapping stands for usings',
  },
  'rename-binding': { java: 'an import gives no other name' },
};

/** Names of libraries that are words of plain English or of this program as well. */
const ALSO_PLAIN_WORDS: ReadonlySet<string> = new Set([
  'all',
  'any',
  'each',
  'run',
  'wait',
  'it',
  'test',
  'only',
  'skip',
  'before',
  'after',
  'resolve',
  'race',
  'then',
  'catch',
  'finally',
  'list',
  'set',
  'dict',
  'Set',
  'Map',
  'List',
  'Array',
]);

const src = sourceFiles('src');
const all = [...src, ...sourceFiles('protocol', 'test', 'bench')];

function none(what: string, findings: readonly string[]): void {
  assert.equal(findings.length, 0, `${what}:\n${findings.join('\n')}`);
}

const layerOf = (path: string): string => path.split('/')[1] ?? '';

test('imports lead downwards', () => {
  none(
    'move what is shared to a lower layer, or hand it in as a parameter',
    src.flatMap((file) =>
      importsOf(file).flatMap(({ specifier, line }) => {
        const target = importedPath(file, specifier);
        if (target?.startsWith('src/') !== true || !target.endsWith('.ts')) return [];
        const [own, other] = [LAYERS.indexOf(layerOf(file.path)), LAYERS.indexOf(layerOf(target))];
        return own >= 0 && other >= 0 && other <= own ? [] : [`${file.path}:${line} imports ${target}`];
      }),
    ),
  );
});

const roomOf = (path: string): string => path.split('/')[2] ?? '';

test('the rooms of a layer lead downwards too', () => {
  none(
    'move what is shared to a lower room, or name the room in ROOMS',
    src.flatMap((file) => {
      const rooms = ROOMS[layerOf(file.path)];
      if (rooms === undefined) return [];
      if (!rooms.includes(roomOf(file.path))) return [`${file.path}:1 is in no room`];
      return importsOf(file).flatMap(({ specifier, line }) => {
        const target = importedPath(file, specifier) ?? '';
        return layerOf(target) !== layerOf(file.path) ||
          rooms.indexOf(roomOf(target)) <= rooms.indexOf(roomOf(file.path))
          ? []
          : [`${file.path}:${line} imports ${target}`];
      });
    }),
  );
});

test('files that need the values of each other stand in one folder, with a reason', () => {
  const needs = new Map(
    src.map((file) => [file.path, valueImportsOf(file).flatMap((specifier) => importedPath(file, specifier) ?? [])]),
  );
  const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
  const reached = new Map(src.map(({ path }) => [path, allFrom(path, needs)]));
  const circles = src.flatMap(({ path }) =>
    [...(reached.get(path) ?? [])].filter((to) => to !== path && reached.get(to)?.has(path)).map((to) => [path, to]),
  );
  const folders = new Set(circles.flat().map(folderOf));
  none(
    'a circle leads through two folders',
    circles.filter((ends) => new Set(ends.map(folderOf)).size > 1).map((ends) => ends.join(' and ')),
  );
  assert.deepEqual(
    [...folders].sort(),
    Object.keys(CIRCLES).sort(),
    'cut the circle, or say in CIRCLES why it stands; take out those that are gone',
  );
});

/** All that a file needs, directly or by what it needs. */
function allFrom(path: string, needs: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [path];
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const next of needs.get(at) ?? [])
      if (!found.has(next)) {
        found.add(next);
        open.push(next);
      }
  return found;
}

test('nobody but syntax/ and the codec has the columns', () => {
  const asks = all.filter(({ path }) => !Object.keys(COLUMN_OWNERS).some((owner) => path.startsWith(owner)));
  none(
    'ask the source: src/syntax/README.md has the questions',
    asks.flatMap((file) =>
      file.text
        .split('\n')
        .flatMap((line, i) =>
          !/^\s*(?:\*|\/[/*])/.test(line) && COLUMN.test(line) ? [`${file.path}:${i + 1} ${line.trim()}`] : [],
        ),
    ),
  );
});

test('the layers up to plan neither touch the world nor know the wire', () => {
  const pure = LAYERS.slice(0, LAYERS.indexOf(PURE_UP_TO) + 1);
  none(
    'hand it in as a parameter from engine/ or io/',
    src
      .filter((file) => pure.includes(layerOf(file.path)))
      .flatMap((file) =>
        importsOf(file)
          .filter(({ specifier }) => /^(node:|#protocol\/|vscode-|commander$|openai$|zod$)/.test(specifier))
          .map(({ specifier, line }) => `${file.path}:${line} imports ${specifier}`),
      ),
  );
});

test('every file says in its header what lives there', () => {
  none(
    `begin the file with a comment that says which concept it holds, in at most ${HEADER_LINES_MOST} lines`,
    all.flatMap((file) => {
      const header = /^\/\*\*[\s\S]*?\*\//.exec(file.text.replace(/^#!.*\n/, ''))?.[0];
      if (header === undefined) return [`${file.path}:1 has no header`];
      const lines = header.split('\n').filter((line) => !/^ \* {3,}\S/.test(line)).length;
      return lines <= HEADER_LINES_MOST + 2 ? [] : [`${file.path}:1 has a header of ${lines} lines, drawings left out`];
    }),
  );
});

test('names are in kebab-case and say a concept; nothing is passed on in bulk', () => {
  none(
    'name the file after the noun it defines or the verb it does',
    all
      .filter(
        ({ path }) =>
          !/^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.ts$/.test(basename(path)) ||
          /^(utils?|helpers?|misc|common)\.ts$/.test(basename(path)),
      )
      .map(({ path }) => path),
  );
  none(
    'import from the file that defines the name',
    all.flatMap((file) =>
      nodesOf(file, ts.SyntaxKind.ExportDeclaration)
        .filter(({ text }) => text.startsWith('export *'))
        .map(({ line }) => `${file.path}:${line} export *`),
    ),
  );
});

test('no type is any, and no function leaves the screen', () => {
  none(
    'parse `unknown` once into a type',
    all.flatMap((file) => nodesOf(file, ts.SyntaxKind.AnyKeyword).map(({ line }) => `${file.path}:${line} any`)),
  );
  const long = src.flatMap((file) =>
    functionsOf(file)
      .filter(({ lines }) => lines > LINES_MOST)
      .map((found) => ({
        key: `${file.path}:${found.name}`,
        at: `${file.path}:${found.line} ${found.name}, ${found.lines} lines`,
      })),
  );
  none(
    'split it where it branches, or state in LONG_FUNCTIONS why it is one piece',
    long.filter(({ key }) => LONG_FUNCTIONS[key] === undefined).map(({ at }) => at),
  );
  none(
    'take it out of LONG_FUNCTIONS',
    Object.keys(LONG_FUNCTIONS).filter((key) => !long.some((found) => found.key === key)),
  );
});

/** Words that were names once, and did not say what they held. */
const SAY_NOTHING: ReadonlySet<string> = new Set(['Otherwise', 'Loose', 'Said', 'Warm', 'spoken']);

test('names say what they hold', () => {
  none(
    'name it after what it holds: what it holds, not that something does',
    all.flatMap((file) =>
      nodesOf(file, ts.SyntaxKind.Identifier)
        .filter(({ text }) => SAY_NOTHING.has(text))
        .map(({ line, text }) => `${file.path}:${line} ${text}`),
    ),
  );
});

test('lines are no wider than the formatter makes them', () => {
  none(
    'break the string or the comment',
    all
      // What a test gives to the program is often one line; the secrets' rules are written by a script.
      .filter(({ path }) => !path.startsWith('test/') && path !== 'src/context/secret-rules.ts')
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, i) =>
            line.length > COLUMNS_MOST && !IN_EXPRESSION.test(line) ? [`${path}:${i + 1} ${line.length} columns`] : [],
          ),
      ),
  );
});

test('every number in capitals has its reason', () => {
  none(
    'say above it why it is this size and no other, and in which unit; or have it once, where the reason stands',
    [...src, ...sourceFiles('protocol')].flatMap((file) =>
      numbersOf(file)
        .filter(({ isExplained }) => !isExplained)
        .map(({ name, line }) => `${file.path}:${line} ${name}`),
    ),
  );
});

/** The protocol's bytes go to a stream that it is handed, never by the name of the process's own. */
const PRINTS = 'src/cli/print.ts';

test('what a person is shown goes through one place, which lets no escape of a text through', () => {
  none(
    `print it with ${PRINTS}`,
    src
      .filter(({ path }) => path !== PRINTS)
      .flatMap((file) =>
        nodesOf(file, ts.SyntaxKind.CallExpression)
          .filter(({ text }) => /^(?:console\.|[\w.]*\bstd(?:out|err)\.(?:write|end)\b)/u.test(text))
          .map(({ line, text }) => `${file.path}:${line} ${text.slice(0, 40)}`),
      ),
  );
});

/** Names of libraries and of languages that shared code could be tempted to compare with. */
const LIBRARY_NAMES = new Set(
  [
    ...LANGUAGES.flatMap(({ id, writing, library }) => [
      id,
      ...(writing.async === undefined
        ? []
        : [
            ...writing.async.awaitables,
            ...writing.async.resultMembers,
            ...writing.async.takers,
            ...writing.async.runners,
          ]),
      ...(writing.throws?.topmost ?? []),
      ...library.checkedExceptions,
      ...library.namedUnions,
      ...library.wrappers,
      ...library.sequences,
      ...library.mappings,
    ]),
    'Override',
    'RuntimeException',
    'System',
    'abstractmethod',
    'asyncio',
    'staticmethod',
  ].filter((name) => !ALSO_PLAIN_WORDS.has(name)),
);

test('impact and edits know no library and no language by name', () => {
  none(
    'declare the fact in src/languages/language.ts or writing.ts, and state it in the folder of each language',
    src
      .filter((file) => ['impact', 'edit'].includes(layerOf(file.path)))
      .flatMap((file) =>
        [
          ...nodesOf(file, ts.SyntaxKind.StringLiteral).map(({ text, line }) => ({ line, words: [text.slice(1, -1)] })),
          ...[ts.SyntaxKind.RegularExpressionLiteral, ts.SyntaxKind.NoSubstitutionTemplateLiteral].flatMap((kind) =>
            nodesOf(file, kind).map(({ text, line }) => ({ line, words: text.match(/\w+/g) ?? [] })),
          ),
        ].flatMap(({ line, words }) =>
          words.filter((word) => LIBRARY_NAMES.has(word)).map((word) => `${file.path}:${line} ${word}`),
        ),
      ),
  );
});

/** Where a question is said besides the three places that adding one takes, and besides those who ask it. */
const SAYS_QUESTIONS_TOO: Readonly<Record<string, string>> = {
  'src/daemon/codeplan-methods.ts': 'what a session hears of some answers',
  'src/daemon/session-service.ts': 'what is answered before there is an index',
  'src/engine/named-questions.ts': 'short names for callers that were written before there was one call',
};

test('a method is added in three places: its name, its entry, its answer', () => {
  const asked = /\bask\(\s*('codeplan\/[\w/]+')/gu;
  const files = [...src, ...sourceFiles('protocol')]
    .filter(({ path }) => SAYS_QUESTIONS_TOO[path] === undefined)
    .map((file) => ({ path: file.path, text: file.text.replace(asked, '') }));
  for (const name of QUESTIONS)
    assert.deepEqual(
      files.filter(({ text }) => text.includes(`'${name}'`)).map(({ path }) => path),
      ['src/engine/local-service.ts', 'protocol/methods.ts', 'protocol/names.ts'],
      name,
    );
});

test('every file is imported by another one', () => {
  const imported = new Set(
    all.flatMap((file) => importsOf(file).map(({ specifier }) => importedPath(file, specifier))),
  );
  const fromProgram = new Set(
    [...src, ...sourceFiles('protocol', 'bench')].flatMap((file) =>
      importsOf(file).map(({ specifier }) => importedPath(file, specifier)),
    ),
  );
  const program = [...src, ...sourceFiles('protocol')].filter(({ path }) => ENTRY_POINTS[path] === undefined);
  none(
    'delete it, or list it as an entry point',
    program
      .filter(({ path }) => !fromProgram.has(path))
      .map(({ path }) => `${path} is imported by ${imported.has(path) ? 'tests only' : 'nobody'}`),
  );
  none(
    'delete it',
    sourceFiles('test/support')
      .filter(({ path }) => !imported.has(path))
      .map(({ path }) => path),
  );
  none(
    'take it out of ENTRY_POINTS',
    Object.keys(ENTRY_POINTS).filter((path) => !existsSync(join(ROOT, path))),
  );
});

test('every impact rule has an id of its own, and a line in a fixture of every language that has its construct', () => {
  const without = new Map(
    Object.entries(NO_SUCH_CONSTRUCT).flatMap(([ids, languages]) =>
      ids.split(' ').map((id) => [id, languages] as const),
    ),
  );
  const shown = new Set(
    fixturePaths()
      .filter((path) => path.startsWith('rules/'))
      .flatMap((path) =>
        (readFixture(path).sections.get('impact') ?? []).map(
          (line) => `${line.trim().split(/\s+/).at(-1)} ${path.split('.').at(-2)}`,
        ),
      ),
  );
  const cells = RULES.filter((rule) => rule.profile === 'precise').flatMap((rule) =>
    LANGUAGES.map(({ id }) => ({ cell: `${rule.id} ${id}`, reason: without.get(rule.id)?.[id] })),
  );
  none(
    'write an impact line into fixtures/rules/<topic>.<language>.txt, or say in NO_SUCH_CONSTRUCT why there is none',
    cells.filter(({ cell, reason }) => !shown.has(cell) && reason === undefined).map(({ cell }) => cell),
  );
  none(
    'take it out of NO_SUCH_CONSTRUCT',
    cells.filter(({ cell, reason }) => shown.has(cell) && reason !== undefined).map(({ cell }) => cell),
  );
  const ids = RULES.map((rule) => `${rule.profile} ${rule.id}`);
  none(
    'give each rule its own id',
    ids.filter((id, i) => ids.indexOf(id) !== i),
  );
  none(
    'is no rule',
    [...without.keys()].filter((id) => !RULES.some((rule) => rule.id === id)),
  );
});

test('every rewrite has a fixture of its name, and a plan in every language that has its construct', () => {
  const plans = fixturePaths()
    .filter((path) => path.startsWith('rewrites/'))
    .map((path) => ({
      path,
      rules: (readFixture(path).sections.get('plan') ?? []).flatMap(
        (line) => /\smechanical\s+(\S.*?)(?:\s{2,}|$)/.exec(line)?.[1]?.split(', ') ?? [],
      ),
    }));
  none(
    'write fixtures/rewrites/<rewrite>.<language>.txt',
    REWRITES.filter(
      ({ id }) => !plans.some(({ path, rules }) => path.startsWith(`rewrites/${id}.`) && rules.includes(id)),
    ).map(({ id }) => id),
  );
  const shown = new Set(plans.flatMap(({ path, rules }) => rules.map((rule) => `${rule} ${path.split('.').at(-2)}`)));
  const cells = REWRITES.flatMap((rewrite) =>
    LANGUAGES.map(({ id }) => ({ cell: `${rewrite.id} ${id}`, reason: NO_SUCH_REWRITE[rewrite.id]?.[id] })),
  );
  none(
    'write fixtures/rewrites/<rewrite>.<language>.txt, or say in NO_SUCH_REWRITE why there is none',
    cells.filter(({ cell, reason }) => !shown.has(cell) && reason === undefined).map(({ cell }) => cell),
  );
  none(
    'take it out of NO_SUCH_REWRITE',
    cells.filter(({ cell, reason }) => shown.has(cell) && reason !== undefined).map(({ cell }) => cell),
  );
  none(
    'is no rewrite',
    Object.keys(NO_SUCH_REWRITE).filter((id) => !REWRITES.some((rewrite) => rewrite.id === id)),
  );
});

test('every language has the fixtures of the conformance list', () => {
  const names = readFileSync(join(FIXTURES_ROOT, 'languages/CONFORMANCE'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/)[0] as string);
  const paths = new Set(fixturePaths());
  none(
    'write it, or say in NOT_IN_LANGUAGE that there is no such construct',
    LANGUAGES.flatMap(({ id }) =>
      names
        .filter((name) => !paths.has(`languages/${id}/${name}.txt`) && NOT_IN_LANGUAGE[id]?.includes(name) !== true)
        .map((name) => `${id}: ${name}`),
    ),
  );
});

test('the page on accuracy has every limit of every language, each with a fixture that shows it', () => {
  const page = readFileSync(join(ROOT, 'docs/accuracy.md'), 'utf8');
  const paths = new Set(fixturePaths());
  const named = [...page.matchAll(/`((?:languages|limits|why)\/[\w./-]+)`/g)].map((match) => `${match[1]}.txt`);
  none(
    'write the fixture, or name another one',
    named.filter((path) => !paths.has(path)),
  );
  none(
    'name it in docs/accuracy.md',
    [...paths].filter((path) => /^(?:limits|why)\//.test(path) && !named.includes(path)),
  );
  const limits = LANGUAGES.map(({ id }) => ({
    id,
    rows: limitRows(readFileSync(join(ROOT, `src/languages/${id}/README.md`), 'utf8')),
  }));
  none(
    'say in its README what is not resolved, in a table under that heading',
    limits.filter(({ rows }) => rows.length === 0).map(({ id }) => id),
  );
  none(
    'end the row with the fixture that shows it',
    limits.flatMap(({ id, rows }) => rows.filter((row) => !new RegExp(`\\| \`limits/${id}/[\\w-]+\` \\|$`).test(row))),
  );
  none(
    'repeat the row in docs/accuracy.md',
    limits.flatMap(({ rows }) => rows.filter((row) => !page.split('\n').includes(row))),
  );
});

/** Rows of the table under the heading about what is not resolved. */
function limitRows(readme: string): string[] {
  const section = readme.split(/^## What is not resolved$/m)[1]?.split(/^## /m)[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2);
}

test('.ci/ installs every Debian package that a test can ask for', () => {
  const installed = readFileSync(join(ROOT, '.ci/debian-packages'), 'utf8').split('\n');
  none(
    'list it in .ci/debian-packages',
    Object.values(TOOLS).flatMap(({ from }) =>
      'debian' in from && !installed.includes(from.debian) ? [from.debian] : [],
    ),
  );
});

test('generated pages are up to date', () => {
  for (const [path, text] of generatedDocs()) {
    if (process.env.UPDATE !== undefined) writeFileSync(join(ROOT, path), text);
    assert.equal(
      existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : '',
      text,
      `${path} is not what the table says: run UPDATE=1 npm test`,
    );
  }
});
