/** Whether texts and manifests alone say that a root means nothing of a library. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurns } from '#src/base/turns.js';
import { apartFrom } from '#src/engine/apart.js';
import { sideOf, treeOf } from '#src/engine/api-tree.js';
import { placesOf, placesTogether } from '#src/api/whereabouts.js';
import { joinedChange } from '#src/io/fleet/joined-change.js';
import { isManifest } from '#src/api/dependencies/read.js';
import { testGrammars } from '../support/grammars.js';
import { changeBetween, type Files } from '../support/library.js';

const NPM: readonly [Files, Files] = [
  { 'package.json': '{"name": "shelf-kit", "main": "dist/index.js"}', 'src/index.ts': 'export function a(): void;\n' },
  { 'package.json': '{"name": "shelf-kit", "main": "dist/index.js"}', 'src/index.ts': 'export function b(): void;\n' },
];
const PYTHON: readonly [Files, Files] = [
  { 'pyproject.toml': '[project]\nname = "shelf-kit"\n', 'src/attr/__init__.py': 'def a(): ...\n' },
  { 'pyproject.toml': '[project]\nname = "shelf-kit"\n', 'src/attr/__init__.py': 'def b(): ...\n' },
];
const FLAT: readonly [Files, Files] = [
  { 'attr/__init__.py': '', 'attr/parts/__init__.py': 'def a(): ...\n', 'attr/make.py': 'def c(): ...\n' },
  { 'attr/__init__.py': '', 'attr/parts/__init__.py': 'def b(): ...\n', 'attr/make.py': 'def d(): ...\n' },
];
const DEEP: readonly [Files, Files] = [
  { 'python/attr/make.py': 'def a(): ...\n' },
  { 'python/attr/make.py': 'def b(): ...\n' },
];
const CSHARP: readonly [Files, Files] = [
  { 'Shop.csproj': '<Project />', 'A.cs': 'namespace Shop.Cart;\npublic class A { public void Put() { } }\n' },
  { 'Shop.csproj': '<Project />', 'A.cs': 'namespace Shop.Cart;\npublic class A { public void Set() { } }\n' },
];
const NOWHERE: readonly [Files, Files] = [
  { 'Shop.csproj': '<Project />', 'A.cs': 'public class A { public void Put() { } }\n' },
  { 'Shop.csproj': '<Project />', 'A.cs': 'public class A { public void Set() { } }\n' },
];
const OTHER_PROJECT = {
  'App.csproj': '<Project><ItemGroup><PackageReference Include="Other" Version="1.0.0" /></ItemGroup></Project>',
};
const OWN_PROJECT = {
  'App.csproj': '<Project><ItemGroup><PackageReference Include="Shop" Version="1.0.0" /></ItemGroup></Project>',
};

const CASES: Readonly<Record<string, readonly [library: readonly [Files, Files], user: Files, isApart: boolean]>> = {
  'no file says the package': [NPM, { 'a.ts': "import { a } from 'shelf';\n", 'package.json': '{}' }, true],
  'a file imports of the package': [NPM, { 'a.ts': "import { a } from 'shelf-kit/deep';\n" }, false],
  'the package is asked for and not used': [
    NPM,
    { 'a.ts': 'export {};\n', 'package.json': '{"dependencies": {"shelf-kit": "1"}}' },
    true,
  ],
  'the package goes by another name': [
    NPM,
    { 'a.ts': "import { a } from 'kit';\n", 'package.json': '{"dependencies": {"kit": "npm:shelf-kit@1"}}' },
    false,
  ],
  'settings lead to the package': [
    NPM,
    {
      'a.ts': "import { a } from '~kit';\n",
      'tsconfig.json': '{"compilerOptions": {"paths": {"~kit": ["node_modules/shelf-kit"]}}}',
    },
    false,
  ],
  'a word of which the module is a part': [PYTHON, { 'a.py': 'attribute = getattr(1, "x")\n' }, true],
  'the module in a file of another language': [PYTHON, { 'a.ts': "import 'attr';\n", 'a.py': 'x = 1\n' }, true],
  'the module by its own name': [PYTHON, { 'a.py': 'import attr as shelf\n' }, false],
  'a package whose own file is empty': [FLAT, { 'a.py': 'import attr\n' }, false],
  'a package without a file of its own, in a folder': [DEEP, { 'a.py': 'from attr import *\n' }, false],
  'nothing of a package in a folder': [DEEP, { 'a.py': 'from shelf import *\n' }, true],
  'a namespace that no file says whole': [
    CSHARP,
    { 'B.cs': 'namespace Shop.Till { class B { } }\n', ...OTHER_PROJECT },
    true,
  ],
  'a namespace in parts': [CSHARP, { 'B.cs': 'namespace Shop { class B { Cart.A a; } }\n', ...OTHER_PROJECT }, false],
  'a namespace in a project file': [
    CSHARP,
    {
      'B.cs': 'class B { A a; }\n',
      'App.csproj': '<Project><ItemGroup><Using Include="Shop.Cart" /></ItemGroup></Project>',
    },
    false,
  ],
  'a namespace that nothing says, of a package that is asked for': [
    CSHARP,
    { 'B.cs': 'class B { void C(D d) { d.Put(); } }\n', ...OWN_PROJECT },
    false,
  ],
  'no manifest says what is used': [CSHARP, { 'B.cs': 'class B { void C(D d) { d.Put(); } }\n' }, false],
  'names that stand in no namespace': [NOWHERE, { 'B.cs': 'class B { }\n', ...OTHER_PROJECT }, false],
};

for (const [name, [[from, to], user, isApart]] of Object.entries(CASES))
  test(`apart: ${name}`, async () => {
    const grammars = await testGrammars();
    const { signal } = new AbortController();
    const change = await changeBetween(from, to, grammars);
    const { places = [] } = change;
    // What a change file says of its places is what is found in one that does not say them.
    const sides = [
      await inTurns(treeOf(sideOf(change, 'before'), grammars), signal),
      await inTurns(treeOf(sideOf(change, 'after'), grammars), signal),
    ];
    assert.deepEqual(places, placesTogether(sides.map(({ snapshot }) => placesOf(snapshot, change.packages))));
    const ask = async (files: Files, unsaved: Files = {}): Promise<unknown> =>
      (
        await apartFrom({
          change,
          places,
          unsaved: new Map(Object.entries(unsaved)),
          effects: {
            manifests: () => Promise.resolve(new Map(Object.entries(files).filter(([file]) => isManifest(file)))),
            sourceTexts: async function* () {
              for (const [file, text] of Object.entries(files)) yield await Promise.resolve({ file, text });
              yield { file: 'large.ts', message: 'is too large' };
            },
          },
          signal,
        })
      )?.problems;
    assert.deepEqual(await ask(user), isApart ? [{ file: 'large.ts', message: 'is too large' }] : undefined);
    if (!isApart) return;
    // What nobody saved says it.
    const said = { 'new.ts': "import 'shelf-kit';\n", 'new.py': 'import attr\n', 'New.cs': 'using Shop.Cart;\n' };
    assert.equal(await ask(user, said), undefined);
  });

test('a change file that others are joined to says their places too, or none at all', async () => {
  const grammars = await testGrammars();
  const [own, other] = [await changeBetween(...PYTHON, grammars), await changeBetween(...CSHARP, grammars)];
  const { places: _, ...silent } = other;
  assert.deepEqual(joinedChange(own, [other]).places, [
    { language: 'csharp', name: 'Shop.Cart' },
    { language: 'python', name: 'attr' },
  ]);
  assert.equal(joinedChange(own, [silent]).places, undefined);
  assert.deepEqual(joinedChange(own, [{ ...other, places: [] }]).places, []);
});
