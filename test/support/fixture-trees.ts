/**
 * The two working trees of a fixture, and how its blocks are called.
 *
 * The tree after the edit is made from the one before by the changed files alone, as an editor's
 * session makes it; `laws.test.ts` compares it with one that is built from nothing. Files of no
 * known language are configuration.
 */
import { blockRows } from '#src/change/match-blocks.js';
import { Snapshot } from '#src/graph/files/snapshot.js';
import { WorkingTree } from '#src/engine/working-tree.js';
import { summarise } from '#src/languages/summarise.js';
import { languageOf } from '#src/languages/registry.js';
import type { DeclRef } from '#src/languages/language.js';
import type { Grammars } from '#src/syntax/grammar.js';
import { type Summary } from '#src/syntax/summary.js';
import type { Fixture, FixtureSide } from './fixture.js';

/** Texts of one side, by path. */
export type Texts = ReadonlyMap<string, string>;

export interface FixtureTrees {
  readonly before: WorkingTree;
  readonly after: WorkingTree;
  readonly beforeTexts: Texts;
  readonly afterTexts: Texts;
  readonly renames: ReadonlyMap<string, string>;
  readonly names: BlockNames;
}

export type LineEnding = '\n' | '\r\n';

export function fixtureTrees(fixture: Fixture, grammars: Grammars, eol: LineEnding = '\n'): FixtureTrees {
  const withEnding = (text: string): string => (eol === '\n' ? text : text.replaceAll('\n', eol));
  const texts = (side: 'before' | 'after'): Texts =>
    new Map(
      fixture.files.flatMap((file) =>
        file[side] === undefined ? [] : [[file[side].path, withEnding(file[side].text)] as const],
      ),
    );
  const beforeTexts = texts('before');
  const afterTexts = texts('after');
  const before = treeOf(beforeTexts, grammars);
  const after = advance(before, beforeTexts, afterTexts, grammars);
  const renames = new Map(
    fixture.files.flatMap((file) =>
      file.before === undefined || file.after === undefined || file.before.path === file.after.path
        ? []
        : [[file.before.path, file.after.path] as const],
    ),
  );
  return { before, after, beforeTexts, afterTexts, renames, names: new BlockNames(fixture, before, after) };
}

/** A tree built from nothing. */
export function treeOf(texts: Texts, grammars: Grammars): WorkingTree {
  return advance(new WorkingTree(Snapshot.empty(), () => undefined), new Map(), texts, grammars);
}

/** The tree after its texts became others; only what differs is parsed. */
export function advance(tree: WorkingTree, from: Texts, to: Texts, grammars: Grammars): WorkingTree {
  const summaries = new Map<string, Summary | undefined>();
  const configs = new Map<string, string | undefined>();
  for (const path of new Set([...from.keys(), ...to.keys()])) {
    const text = to.get(path);
    if (text === from.get(path)) continue;
    if (languageOf(path) === undefined) configs.set(path, text);
    else summaries.set(path, text === undefined ? undefined : summarise(grammars, path, text));
  }
  return new WorkingTree(tree.snapshot.with(summaries, configs), (path) => to.get(path));
}

/** Blocks by the fixture's labels, else by `path::Outer.inner`. */
export class BlockNames {
  private readonly byRef = { before: new Map<string, string>(), after: new Map<string, string>() };
  /** By path, where no other label has the same path (an overload). */
  private readonly byPath = new Map<string, string>();
  readonly labels: ReadonlySet<string>;

  constructor(fixture: Fixture, before: WorkingTree, after: WorkingTree) {
    const found = new Set<string>();
    for (const file of fixture.files) {
      for (const [side, tree] of [
        ['before', before],
        ['after', after],
      ] as const) {
        for (const [label, ref] of labelledBlocks(file[side], tree)) {
          found.add(label);
          this.byRef[side].set(`${ref.file}\0${ref.decl}`, label);
          const path = `${ref.file}::${tree.resolver.summary(ref.file).decls.pathOf(ref.decl)}`;
          const known = this.byPath.get(path);
          this.byPath.set(path, known === undefined || known === label ? label : path);
        }
      }
    }
    this.labels = found;
    for (const file of fixture.files)
      for (const label of [...(file.before?.labels.keys() ?? []), ...(file.after?.labels.keys() ?? [])])
        if (!found.has(label)) throw new Error(`the label ${label} stands on a line that names no block`);
  }

  ref(side: 'before' | 'after', tree: WorkingTree, ref: DeclRef): string {
    return (
      this.byRef[side].get(`${ref.file}\0${ref.decl}`) ??
      displayed(ref.file, tree.resolver.summary(ref.file).decls.pathOf(ref.decl))
    );
  }

  path(file: string, block: string): string {
    return this.byPath.get(`${file}::${block}`) ?? displayed(file, block);
  }
}

/** Module level is called by its file. */
const displayed = (file: string, block: string): string => (block === '<module>' ? file : `${file}::${block}`);

function labelledBlocks(side: FixtureSide | undefined, tree: WorkingTree): [string, DeclRef][] {
  if (side === undefined) return [];
  const summary = tree.snapshot.summary(side.path);
  if (summary === undefined) return [];
  return [...side.labels].flatMap(([label, line]): [string, DeclRef][] => {
    const start = summary.lineStarts[line] ?? summary.textLength;
    const end = summary.lineStarts[line + 1] ?? summary.textLength;
    const named = blockRows(summary).filter((decl) => {
      const at = nameOffset(summary, decl);
      return at >= start && at < end;
    });
    const innermost = named.sort((a, b) => length(summary, a) - length(summary, b) || b - a)[0];
    return innermost === undefined ? [] : [[label, { file: side.path, decl: innermost }]];
  });
}

const length = (summary: Summary, decl: number): number => summary.decls.endOf(decl) - summary.decls.startOf(decl);

/** Where a block's name stands; what has none counts where it begins. */
function nameOffset(summary: Summary, decl: number): number {
  const at = summary.decls.nameStartOf(decl);
  return at >= 0 ? at : summary.decls.startOf(decl);
}
