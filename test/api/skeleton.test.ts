/** The skeleton of a file: what of its text others can see. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skeletonOf } from '#src/languages/skeleton.js';
import { languageOf } from '#src/languages/registry.js';
import { fixturePaths, readFixture } from '../support/fixture-files.js';
import { randomNumbers } from '../support/random-numbers.js';
import { testGrammars } from '../support/grammars.js';

const CASES: Readonly<Record<string, readonly [file: string, text: string, skeleton: string]>> = {
  'python: bodies go, fields and what is made stay': [
    'store.py',
    `"""About stores."""
# a comment
class Store(Base):
    """A store."""

    size: int = 3

    def __init__(self, path):
        self.path = path  # where
        self.size = (
            1 if path else 2
        )
        print(path)

    def open(self):
        if self.path:
            return Reader(self.path)
        return self

    def close(self) -> None: self.path = None


async def load(name, *, retries=3):
    def inner(): pass
    return inner
`,
    `...
class Store(Base):
    ...

    size: int = 3

    def __init__(self, path):
        self.path = path
        self.size = ...

    def open(self):
        return Reader()
        return self

    def close(self) -> None: return ...


async def load(name, *, retries=3):
    return ...
`,
  ],
  'typescript: private methods and bodies go, overloads and types stay': [
    'store.ts',
    `/** A store. */
export class Store<T> extends Base<T> {
  private readonly open = 3;
  constructor(private path: string) { super(); }
  get size(): number { return 1; }
  // not for others
  private look(): void { this.look(); }
  clone() { return new Store<T>(this.path); }
}
export function load(name: string): Store<string>;
export function load(name: any) { return new Store(name); }
export const save = async (it: Store<string>): Promise<void> => { await it; };
export type Name = string; // a name
`,
    `export class Store<T> extends Base<T> {
  private readonly open = 3;
  constructor(private path: string) {}
  get size(): number {}
  clone() { return new Store(); }
}
export function load(name: string): Store<string>;
export function load(name: any) { return new Store(); }
export const save = async (it: Store<string>): Promise<void> => {}
export type Name = string;
`,
  ],
  java: [
    'Store.java',
    `package shop;
/** A store. */
public class Store {
    public static final int MOST = 3;
    public Store(int size) { this.size = size; }
    private void look() { look(); }
    protected abstract String name(); // of it
    public int size() { return 1; }
}
`,
    `package shop;
public class Store {
    public static final int MOST = 3;
    public Store(int size) {}
    protected abstract String name();
    public int size() {}
}
`,
  ],
  csharp: [
    'Store.cs',
    `namespace Shop;
/// <summary>A store.</summary>
public class Store : Base
{
    public Store(int size) : base(size) { Size = size; }
    public int Size { get; private set; }
    public int Twice => Size * 2;
    private void Look() { }
    public Task<int> CountAsync(string name) => Task.FromResult(1);
}
`,
    `namespace Shop;
public class Store : Base
{
    public Store(int size) {}
    public int Size { get; private set; }
    public int Twice => Size * 2;
    public Task<int> CountAsync(string name) => default;
}
`,
  ],
};

for (const [name, [file, text, skeleton]] of Object.entries(CASES))
  test(name, async () => {
    const loaded = await testGrammars();
    assert.equal(skeletonOf(loaded, file, text), skeleton);
    assert.equal(skeletonOf(loaded, file, skeleton), skeleton, 'a skeleton has no skeleton of its own');
  });

test('a comment that ends a body goes with it', async () => {
  const text = 'def a():\n    return 1\n    # return 2\n\n\nclass B:\n    x = 1\n';
  assert.equal(skeletonOf(await testGrammars(), 'a.py', text), 'def a():\n    return ...\n\n\nclass B:\n    x = 1\n');
});

test('the text of any fixture, whole or cut anywhere, has a skeleton', async () => {
  const loaded = await testGrammars();
  const random = randomNumbers(7);
  for (const path of fixturePaths())
    for (const { before } of readFixture(path).files) {
      if (before === undefined || languageOf(before.path) === undefined) continue;
      const end = Math.floor(random() * before.text.length);
      for (const text of [before.text, before.text.slice(0, end), before.text.slice(end)])
        assert.equal(typeof skeletonOf(loaded, before.path, text), 'string', `${path}: ${before.path}, at ${end}`);
    }
});

test('a file of no known language has none', async () => {
  assert.equal(skeletonOf(await testGrammars(), 'notes.txt', 'words'), undefined);
});
