/**
 * The repository as plans see it: sentences looked up, symbols with their code, and symbols by their names.
 *
 * Left out are tests (unless they are wanted), files that the person excludes, and files whose text is never sent to
 * a model: a plan is made to be sent.
 */
import { globPattern } from '../base/glob.js';
import { inTurns } from '../base/turns.js';
import { classSketch } from '../context/class-sketch.js';
import type { Withheld } from '../context/no-send.js';
import { documentationOf } from '../languages/documentation.js';
import type { DeclRef } from '../languages/language.js';
import { isTestFile } from '../languages/test-file.js';
import { ground, type Grounded } from '../retrieve/ground.js';
import type { SearchIndex } from '../retrieve/search-index.js';
import type { Describable } from '../search/describe.js';
import type { PlanSymbol } from '../search/plan.js';
import { isClassLike } from '../syntax/summary.js';
import { symbolEntry } from '../tools/symbol.js';
import { findBlock, namedExactly } from './block-names.js';
import type { SearchMemory } from './search-memory.js';
import { ServiceError } from './service.js';
import type { WorkingTree } from './working-tree.js';

/** What is said of blocks by somebody who was asked, by file and row. */
type Descriptions = ReadonlyMap<string, ReadonlyMap<number, readonly string[]>>;

/** Of a block's own text so much is what its vector is of, in characters. */
const TEXT_MOST = 1200;

export interface SymbolScope {
  readonly exclude: readonly string[];
  readonly tests: boolean;
}

export class PlanSymbols {
  private constructor(
    private readonly tree: WorkingTree,
    private readonly index: SearchIndex,
    private readonly isLeftOut: (file: string) => boolean,
    private readonly withheld: Withheld,
    private readonly descriptions: Descriptions = new Map(),
  ) {}

  static async of(
    tree: WorkingTree,
    memory: SearchMemory,
    withheld: Withheld,
    { exclude, tests }: SymbolScope,
    signal: AbortSignal,
  ): Promise<PlanSymbols> {
    const index = await inTurns(memory.of(tree), signal);
    const patterns = exclude.map(globPattern);
    const known = new Map<string, boolean>();
    const isLeftOut = (file: string): boolean => {
      let is = known.get(file);
      if (is === undefined) {
        is =
          (!tests && isTestFile(file)) ||
          withheld(file) !== undefined ||
          patterns.some((pattern) => pattern.test(file));
        known.set(file, is);
      }
      return is;
    };
    return new PlanSymbols(tree, index, isLeftOut, withheld);
  }

  /** Everything that the index has; what may not be sent to a model is found by its own words alone. */
  static over(tree: WorkingTree, index: SearchIndex, withheld: Withheld): PlanSymbols {
    return new PlanSymbols(tree, index, () => false, withheld);
  }

  /** Whether there is nothing that a plan could name. */
  get isEmpty(): boolean {
    return this.files().length === 0;
  }

  /** Paths of all files whose symbols may be in a plan, in order. */
  files(): string[] {
    return [...this.tree.snapshot.files.keys()].filter((file) => !this.isLeftOut(file)).sort();
  }

  /** What a step can name: nothing that is only spelt like its words. */
  ground(sentence: string, most: number): PlanSymbol[] {
    return this.grounded(sentence, most)
      .filter(({ via }) => via !== 'spelling')
      .map((found) => this.symbol(found));
  }

  grounded(sentence: string, most: number): Grounded[] {
    return ground(this.index, this.tree.snapshot, sentence, most, this.isLeftOut);
  }

  /** All blocks that a plan may name, by path and place. */
  documents(): DeclRef[] {
    return [...this.index.blocks()].filter(({ file }) => !this.isLeftOut(file));
  }

  /** Whether a model may be told of a file's symbols. */
  isSent(file: string): boolean {
    return this.withheld(file) === undefined;
  }

  /** The same symbols, with what is said of some of them beside their own words. */
  saying(descriptions: Descriptions): PlanSymbols {
    return new PlanSymbols(this.tree, this.index.saying(descriptions), this.isLeftOut, this.withheld, descriptions);
  }

  /**
   * Texts that are each of what a block is for: its own, and what is said of it. None of them says where it is; none
   * is given of a file that no model may see.
   */
  textsOf({ file, decl }: DeclRef): readonly string[] {
    const summary = this.tree.resolver.summary(file);
    if (!this.isSent(file)) return [];
    const own = `${summary.decls.pathOf(decl)}\n${this.sourceOf({ file, decl })}`;
    return [own.slice(0, TEXT_MOST), ...(this.descriptions.get(file)?.get(decl) ?? [])];
  }

  /** What of a block tells what it is for. */
  describable(block: DeclRef): Describable {
    const { file } = block;
    const { name, kind, qualifiedName } = this.symbol({ ...block, score: 0, via: 'name' });
    const { language } = this.tree.resolver.summary(file);
    return { language, kind, name, qualifiedName, source: this.sourceOf(block) };
  }

  /** Its text; of a class, heads and documentation. */
  private sourceOf({ file, decl }: DeclRef): string {
    const summary = this.tree.resolver.summary(file);
    const text = this.tree.text(file) ?? '';
    const { decls } = summary;
    return isClassLike(decls.kindOf(decl))
      ? `${documentationOf(text, summary, decl)}\n${classSketch(text, summary, decl, [], text, true)}`
      : text.slice(decls.startOf(decl), decls.endOf(decl));
  }

  /** The block of that name, whoever excludes it; undefined where there is none, or it may not be shown. */
  named(id: string): PlanSymbol | undefined {
    const found = this.blockOf(id);
    if (found === undefined || this.withheld(found.file) !== undefined) return undefined;
    return this.symbol({ ...found, score: 0, via: 'name' });
  }

  /** The code of a symbol; empty where it is gone. */
  definitionOf({ id }: PlanSymbol): string {
    const found = this.blockOf(id);
    if (found === undefined) return '';
    const { decls } = this.tree.resolver.summary(found.file);
    return (this.tree.text(found.file) ?? '').slice(decls.startOf(found.decl), decls.endOf(found.decl));
  }

  textOf(file: string): string | undefined {
    return this.isLeftOut(file) ? undefined : this.tree.text(file);
  }

  private blockOf(id: string): DeclRef | undefined {
    const { resolver } = this.tree;
    const exact = namedExactly(resolver, id);
    if (exact !== undefined) return exact;
    try {
      const [found] = findBlock(resolver, id);
      return found.decl < 0 ? undefined : found;
    } catch (error) {
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  }

  symbol(found: Grounded): PlanSymbol {
    const { resolver } = this.tree;
    const { via: _via, ...entry } = symbolEntry({ resolver, text: (file) => this.tree.text(file) }, found);
    return { id: `${entry.file}:${entry.block}`, ...entry };
  }
}
