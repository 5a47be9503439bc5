/**
 * Grammars and parsing: the only file that calls tree-sitter.
 *
 * A `Grammars` value belongs to one thread. It hands out flat trees and frees the wasm tree in
 * the same call, but for files that are being edited: for those `parseEdited` keeps one tree, so
 * that the next parse only looks at what changed. Grammar bytes come from outside (`io/`).
 */
import { Edit, Language, Parser, type ParseState, type Point, type Tree } from 'web-tree-sitter';
import { ERROR_KIND, MISSING, TOO_COSTLY, withoutNodes, type FlatTree } from './flat-tree.js';
import { walkCursor } from './cursor-walk.js';
import { FlatTreeBuffer, readGrammarTables, walkMemory, type GrammarTables } from './memory-walk.js';

/** Grammars by the name of their wasm file. */
export type GrammarName = 'python' | 'typescript' | 'tsx' | 'javascript' | 'java' | 'csharp';

/** What a parser reads, by which grammar; of the length of the text that the tree holds. */
export interface ParserInput {
  readonly grammar: GrammarName;
  readonly seen: string;
}

/** How a text in which the parser found errors may be read as well. */
export type SecondReading = (first: ParserInput) => ParserInput;

interface Grammar {
  readonly language: Language;
  readonly tables: GrammarTables;
  /** Whether the memory walk agreed with the cursor on the grammar's sample. */
  readonly fast: boolean;
}

/** Wasm memory: 32 MB at first, 2 GB at most (the limit of one web-tree-sitter instance). */
const MEMORY = { initial: 512, maximum: 32768 } as const;
/**
 * What a parse may cost, in calls of the parser's progress callback, which comes once in a hundred of its operations:
 * so many at any rate, and so many for each character that it has come to. Code takes 0.004 to 0.012 a character;
 * chains and nests of one construct ten times as many, and of those with several readings at once (casts in casts in
 * C#) each takes a millisecond. Counted, not timed: a text has one summary.
 */
const COST = { atAnyRate: 6000, aCharacter: 0.025 } as const;
/** The parser counts offsets in the bytes of UTF-16. */
const BYTES_OF_A_CHARACTER = 2;
/** How many trees of edited files are kept for incremental parsing. */
const KEPT_TREES = 16;

/** What the wasm handles of web-tree-sitter look like inside; see the header of memory-walk.ts. */
interface Handle {
  readonly 0: number;
}

/** A text with constructs of all sorts, to compare the two walks with; need not parse without errors. */
const SAMPLE =
  'class A(B): # é𝒳\n  @d\n  async def f(self, x: int = 1, *a) -> int: return self.g(x)[0] if x else ' +
  '"s"\nimport {a as b} from "x"; export class C<T> extends D { private x?: T = () => y; }\n';

interface KeptTree {
  readonly tree: Tree;
  /** The text that the parser read. */
  readonly seen: string;
  readonly grammar: GrammarName;
}

export class Grammars {
  private readonly buffer = new FlatTreeBuffer();
  private readonly loaded = new Map<GrammarName, Grammar>();
  private readonly kept = new Map<string, KeptTree>();
  private constructor(
    private readonly memory: WebAssembly.Memory,
    private parser: Parser,
    private readonly bytes: (name: GrammarName) => Uint8Array,
  ) {}

  /**
   * Starts the parser of this thread. `runtime` is web-tree-sitter's own wasm, `bytes` gives
   * a grammar's wasm. May be called once a thread: web-tree-sitter has one memory.
   */
  static async start(runtime: Uint8Array, bytes: (name: GrammarName) => Uint8Array): Promise<Grammars> {
    const memory = new WebAssembly.Memory(MEMORY);
    await Parser.init({ wasmMemory: memory, wasmBinary: runtime });
    return new Grammars(memory, new Parser(), bytes);
  }

  /**
   * Parses and flattens. The result is overwritten by the next parse. Broken text gives ERROR
   * nodes, never an exception. `seen` is what the parser reads in place of the text: of the same
   * length (see `Language.parserText`). If it finds errors there, it reads what `again` makes of
   * that, and the reading with less text in errors counts.
   */
  parse(name: GrammarName, text: string, seen = text, again?: SecondReading): FlatTree {
    const tree = this.parseTree(this.grammar(name), seen, null);
    if (tree === undefined) return withoutNodes(text, TOO_COSTLY);
    const flat = this.flattenBetter({ grammar: name, seen }, tree, text, again);
    tree.delete();
    return flat;
  }

  /**
   * As `parse`, for a file under edit: the tree is kept under `key`, and the next call with
   * that key parses only what differs from the text of the last. Same result as `parse`; a text with
   * syntax errors is parsed as a whole, since only so are the errors found in the same places.
   */
  parseEdited(key: string, name: GrammarName, text: string, seen = text, again?: SecondReading): FlatTree {
    const grammar = this.grammar(name);
    const kept = this.kept.get(key);
    let old: Tree | null = null;
    if (kept !== undefined) {
      this.kept.delete(key);
      if (kept.grammar === name) {
        kept.tree.edit(editBetween(kept.seen, seen));
        old = kept.tree;
      }
    }
    let tree = this.parseTree(grammar, seen, old);
    kept?.tree.delete();
    if (old !== null && tree?.rootNode.hasError === true) {
      // How the parser recovers depends on what it takes over from the old tree: a broken text is read as if it were
      // new.
      tree.delete();
      tree = this.parseTree(grammar, seen, null);
    }
    if (tree === undefined) return withoutNodes(text, TOO_COSTLY);
    this.keep(key, { tree, seen, grammar: name });
    return this.flattenBetter({ grammar: name, seen }, tree, text, again);
  }

  /** Keeps the tree of a text that nobody edits yet: the first `parseEdited` then costs what the next does. */
  parseAhead(key: string, name: GrammarName, seen: string): void {
    const kept = this.kept.get(key);
    if (kept?.seen === seen && kept.grammar === name) return;
    const tree = this.parseTree(this.grammar(name), seen, null);
    kept?.tree.delete();
    this.kept.delete(key);
    if (tree !== undefined) this.keep(key, { tree, seen, grammar: name });
  }

  private keep(key: string, entry: KeptTree): void {
    this.kept.set(key, entry);
    for (const [oldest, { tree }] of this.kept) {
      if (this.kept.size <= KEPT_TREES) break;
      this.kept.delete(oldest);
      tree.delete();
    }
  }

  /** Parses and frees, nothing else: what the bench compares with. */
  parseOnly(name: GrammarName, text: string): void {
    this.parseTree(this.grammar(name), text, null)?.delete();
  }

  /** Undefined for a text that costs too much. */
  private parseTree(grammar: Grammar, text: string, old: Tree | null): Tree | undefined {
    let calls = 0;
    const progressCallback = ({ currentOffset }: ParseState): boolean =>
      ++calls > COST.atAnyRate + (currentOffset / BYTES_OF_A_CHARACTER) * COST.aCharacter;
    let tree: Tree | null;
    try {
      this.parser.setLanguage(grammar.language);
      tree = this.parser.parse(text, old, { progressCallback });
    } catch (error) {
      // Where a parser was left in the middle of a text it would go on with that one.
      this.parser = new Parser();
      throw error;
    }
    // It would go on where it stopped.
    if (tree === null) this.parser.reset();
    return tree ?? undefined;
  }

  /** The tree flattened, or that of the second reading if it has less text in errors. */
  private flattenBetter(first: ParserInput, tree: Tree, text: string, again: SecondReading | undefined): FlatTree {
    const grammar = this.grammar(first.grammar);
    const other = again !== undefined && tree.rootNode.hasError ? again(first) : first;
    if (other.seen === first.seen && other.grammar === first.grammar) return this.flatten(grammar, tree, text);
    const broken = brokenLength(this.flatten(grammar, tree, text));
    const otherGrammar = this.grammar(other.grammar);
    const second = this.parseTree(otherGrammar, other.seen, null);
    if (second === undefined) return this.flatten(grammar, tree, text);
    const flat = this.flatten(otherGrammar, second, text);
    second.delete();
    return brokenLength(flat) < broken ? flat : this.flatten(grammar, tree, text);
  }

  private flatten(grammar: Grammar, tree: Tree, text: string): FlatTree {
    if (!grammar.fast) return walkCursor(tree, grammar.tables.kindNames, grammar.tables.fieldNames, text, this.buffer);
    return walkMemory(this.memory, addressOf(tree), grammar.tables, text, this.buffer);
  }

  private grammar(name: GrammarName): Grammar {
    const known = this.loaded.get(name);
    if (known !== undefined) return known;
    const language = Language.loadSync(this.bytes(name));
    const tables = readGrammarTables(this.memory, addressOf(language), language.types, language.fields);
    const grammar = { language, tables, fast: this.walksAgree(language, tables) };
    this.loaded.set(name, grammar);
    return grammar;
  }

  private walksAgree(language: Language, tables: GrammarTables): boolean {
    this.parser.setLanguage(language);
    const tree = this.parser.parse(SAMPLE);
    if (tree === null) return false;
    const slow = walkCursor(tree, tables.kindNames, tables.fieldNames, SAMPLE, new FlatTreeBuffer());
    const fast = walkMemory(this.memory, addressOf(tree), tables, SAMPLE, this.buffer);
    tree.delete();
    return sameTree(slow, fast);
  }
}

/** Whether two flat trees are equal in every column. */
export function sameTree(a: FlatTree, b: FlatTree): boolean {
  if (a.length !== b.length || a.isWhole !== b.isWhole) return false;
  const columns = ['kind', 'field', 'start', 'end', 'skip', 'parent', 'flags'] as const;
  for (const column of columns) for (let i = 0; i < a.length; i++) if (a[column][i] !== b[column][i]) return false;
  return true;
}

/** How many characters stand in errors, a token that is missing counted as one. */
function brokenLength(tree: FlatTree): number {
  if (tree.isWhole) return 0;
  let length = 0;
  for (let i = 0; i < tree.length;) {
    const broken = tree.kind[i] === ERROR_KIND;
    if (broken) length += (tree.end[i] as number) - (tree.start[i] as number);
    else if (((tree.flags[i] as number) & MISSING) !== 0) length++;
    i = broken ? (tree.skip[i] as number) : i + 1;
  }
  return length;
}

function addressOf(handle: unknown): number {
  return (handle as Handle)[0];
}

/** The one replaced span between two texts, in tree-sitter's terms. */
function editBetween(before: string, after: string): Edit {
  const start = sharedLength(before, after, Math.min(before.length, after.length), (text, from, to) =>
    text.slice(from, to),
  );
  const tail = sharedLength(before, after, Math.min(before.length, after.length) - start, (text, from, to) =>
    text.slice(text.length - to, text.length - from),
  );
  const oldEnd = before.length - tail;
  const newEnd = after.length - tail;
  const startPosition = pointAfter({ row: 0, column: 0 }, before, 0, start);
  return new Edit({
    startIndex: start,
    oldEndIndex: oldEnd,
    newEndIndex: newEnd,
    startPosition,
    oldEndPosition: pointAfter(startPosition, before, start, oldEnd),
    newEndPosition: pointAfter(startPosition, after, start, newEnd),
  });
}

/** Texts are compared in pieces of this length, which costs a hundredth of comparing letters. */
const PIECE = 4096;

/**
 * For how many letters two texts agree, at most `most`. `part` takes letters by their distance from the end that both
 * are read from.
 */
function sharedLength(
  a: string,
  b: string,
  most: number,
  part: (text: string, from: number, to: number) => string,
): number {
  let length = 0;
  for (const piece of [PIECE, 64, 1]) {
    while (length + piece <= most && part(a, length, length + piece) === part(b, length, length + piece))
      length += piece;
  }
  return length;
}

/** The position of `to`, given that of an offset before it. */
function pointAfter(point: Point, text: string, from: number, to: number): Point {
  let { row } = point;
  let lineStart = from - point.column;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) {
    row++;
    lineStart = at + 1;
  }
  return { row, column: to - lineStart };
}
