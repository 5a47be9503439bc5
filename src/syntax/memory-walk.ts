/**
 * Reads a parsed tree straight out of the wasm memory into a {@link FlatTree}.
 *
 * Walking through tree-sitter's public cursor costs nearly as much as the parse itself, since
 * each step crosses from JavaScript into wasm and back; reading the same structures as plain
 * integers costs a few per cent of it. The price is that this file knows the memory layout of
 * tree-sitter's `Subtree` and `TSLanguage` (lib/src/subtree.h and parser.h of 0.27, 32-bit little
 * endian). Two guards keep that safe: web-tree-sitter is pinned to one version, and `grammar.ts`
 * compares this walk with the cursor's on a sample when a grammar is loaded and falls back to
 * the cursor (`cursor-walk.ts`) should they ever differ.
 *
 *     Subtree (8 bytes)      bit 0 set: the leaf itself; else pointer to heap data in the low word
 *     heap data              children lie right before it, 8 bytes each
 */
import { EXTRA, MISSING, NAMED, type FlatTree } from './flat-tree.js';

/** Byte offsets into `SubtreeHeapData`. */
const HEAP = { padding: 4, size: 16, childCount: 36, symbol: 40, flags: 44, visibleChildCount: 48, productionId: 66 } as const;
/** Byte offsets into `TSLanguage`. */
const LANGUAGE = {
  productionCount: 28, maxAliasLength: 36, fieldSlices: 64, fieldEntries: 68, publicSymbols: 76, aliasSequences: 84, symbolMetadata: 72, symbolCount: 4, aliasCount: 8,
} as const;

/** What the walk needs of a grammar, copied out of wasm memory once. */
export interface GrammarTables {
  readonly publicSymbol: Uint16Array;
  /** 1 where a symbol is named in the grammar. */
  readonly named: Uint8Array;
  readonly maxAliasLength: number;
  /** `aliases[production * maxAliasLength + child]`, 0 for none. */
  readonly aliases: Uint16Array;
  /** For each production the field of each structural child, 0 for none; undefined when it has none. */
  readonly fields: readonly (Uint16Array | undefined)[];
  readonly kindNames: readonly string[];
  readonly fieldNames: readonly (string | null)[];
}

/** Copies a grammar's tables; `address` is that of the `TSLanguage`. */
export function readGrammarTables(memory: WebAssembly.Memory, address: number, kindNames: readonly string[], fieldNames: readonly (string | null)[]): GrammarTables {
  const view = new DataView(memory.buffer);
  const u32 = (at: number): number => view.getUint32(at, true);
  const u16 = (at: number): number => view.getUint16(at, true);
  const symbols = u32(address + LANGUAGE.symbolCount) + u32(address + LANGUAGE.aliasCount);
  const productions = u32(address + LANGUAGE.productionCount);
  const maxAliasLength = u16(address + LANGUAGE.maxAliasLength);
  const publicSymbol = new Uint16Array(symbols);
  const named = new Uint8Array(symbols);
  for (let s = 0; s < symbols; s++) {
    publicSymbol[s] = u16(u32(address + LANGUAGE.publicSymbols) + s * 2);
    named[s] = view.getUint8(u32(address + LANGUAGE.symbolMetadata) + s * 3 + 1);
  }
  const aliases = new Uint16Array(productions * maxAliasLength);
  for (let i = maxAliasLength; i < aliases.length; i++) aliases[i] = u16(u32(address + LANGUAGE.aliasSequences) + i * 2);
  const fields: (Uint16Array | undefined)[] = [];
  for (let p = 0; p < productions; p++) fields.push(fieldsOfProduction(view, address, p));
  return { publicSymbol, named, maxAliasLength, aliases, fields, kindNames, fieldNames };
}

function fieldsOfProduction(view: DataView, language: number, production: number): Uint16Array | undefined {
  const slice = view.getUint32(language + LANGUAGE.fieldSlices, true) + production * 4;
  const index = view.getUint16(slice, true);
  const length = view.getUint16(slice + 2, true);
  const entries = view.getUint32(language + LANGUAGE.fieldEntries, true);
  let fields: Uint16Array | undefined;
  for (let e = index; e < index + length; e++) {
    const at = entries + e * 4;
    const child = view.getUint8(at + 2);
    if (view.getUint8(at + 3) !== 0) continue; // inherited from a hidden child, which has its own entry
    fields ??= new Uint16Array(256);
    if (fields[child] === 0) fields[child] = view.getUint16(at, true);
  }
  return fields;
}

/** Columns that grow and are used again for each parse of one thread. */
export class FlatTreeBuffer {
  capacity = 1 << 16;
  kind = new Uint16Array(this.capacity);
  field = new Uint16Array(this.capacity);
  start = new Uint32Array(this.capacity);
  end = new Uint32Array(this.capacity);
  skip = new Uint32Array(this.capacity);
  parent = new Uint32Array(this.capacity);
  flags = new Uint8Array(this.capacity);

  grow(): void {
    this.capacity *= 2;
    const copy = <T extends Uint8Array | Uint16Array | Uint32Array>(from: T, to: T): T => (to.set(from), to);
    this.kind = copy(this.kind, new Uint16Array(this.capacity));
    this.field = copy(this.field, new Uint16Array(this.capacity));
    this.start = copy(this.start, new Uint32Array(this.capacity));
    this.end = copy(this.end, new Uint32Array(this.capacity));
    this.skip = copy(this.skip, new Uint32Array(this.capacity));
    this.parent = copy(this.parent, new Uint32Array(this.capacity));
    this.flags = copy(this.flags, new Uint8Array(this.capacity));
  }

  view(text: string, length: number, kindNames: readonly string[], fieldNames: readonly (string | null)[]): FlatTree {
    return { text, length, kind: this.kind, field: this.field, start: this.start, end: this.end, skip: this.skip, parent: this.parent, flags: this.flags, kindNames, fieldNames };
  }
}

/** Frames of the walk: plain arrays of numbers, so that a deeply nested expression cannot exhaust the stack. */
class Frames {
  /** Address of the node's first child, number of children, next child to visit. */
  children: number[] = [];
  count: number[] = [];
  next: number[] = [];
  structural: number[] = [];
  production: number[] = [];
  /** Index in the flat tree of the nearest visible ancestor (itself if visible). */
  owner: number[] = [];
  /** Field that a hidden node hands down to its visible children. */
  field: number[] = [];
  /** Flat index to close when the frame ends, or -1 for a hidden node. */
  closes: number[] = [];
}

/**
 * Flattens the tree at `treeAddress` (a `TSTree`) into `buffer`. Linear in the nodes.
 * The tree must have been parsed from UTF-16, as web-tree-sitter does.
 */
export function walkMemory(memory: WebAssembly.Memory, treeAddress: number, tables: GrammarTables, text: string, buffer: FlatTreeBuffer): FlatTree {
  const i32 = new Int32Array(memory.buffer);
  const u16 = new Uint16Array(memory.buffer);
  const u8 = new Uint8Array(memory.buffer);
  const { publicSymbol, named, aliases, maxAliasLength, fields } = tables;
  const frames = new Frames();
  let length = 0;
  let depth = -1;
  /** Byte position after the node that was visited last. */
  let position = 0;
  let { kind, field, start, end, skip, parent, flags } = buffer;

  const emit = (symbol: number, fieldId: number, from: number, to: number, owner: number, bits: number): number => {
    if (length === buffer.capacity) {
      buffer.grow();
      ({ kind, field, start, end, skip, parent, flags } = buffer);
    }
    kind[length] = symbol === 65535 ? 65535 : (publicSymbol[symbol] as number);
    field[length] = fieldId;
    start[length] = from >> 1;
    end[length] = to >> 1;
    skip[length] = length + 1;
    parent[length] = owner;
    flags[length] = bits;
    return length++;
  };

  const root = i32[treeAddress >> 2] as number;
  const rootPadding = i32[(root + HEAP.padding) >> 2] as number;
  const rootSymbol = u16[(root + HEAP.symbol) >> 1] as number;
  position = rootPadding;
  const rootIndex = emit(rootSymbol, 0, position, position + (i32[(root + HEAP.size) >> 2] as number), 0, NAMED);
  push(root, rootIndex, 0, rootIndex);

  while (depth >= 0) {
    const at = frames.next[depth] as number;
    if (at === (frames.count[depth] as number)) {
      const closes = frames.closes[depth] as number;
      if (closes >= 0) skip[closes] = length;
      depth--;
      continue;
    }
    frames.next[depth] = at + 1;
    const slot = (frames.children[depth] as number) + at * 8;
    const word = i32[slot >> 2] as number;
    const production = frames.production[depth] as number;
    const owner = frames.owner[depth] as number;

    if (word & 1) {
      // Inline leaf: is_inline visible named extra has_changes is_missing is_keyword | symbol | state | sizes.
      const bits = word & 0xff;
      const symbol = (word >>> 8) & 0xff;
      position += at === 0 ? 0 : (u8[slot + 6] as number);
      const from = position;
      position += u8[slot + 7] as number;
      const extra = bits & 8;
      let alias = 0;
      let fieldId = 0;
      if (!extra) {
        const structural = frames.structural[depth] as number;
        frames.structural[depth] = structural + 1;
        if (production !== 0) alias = aliases[production * maxAliasLength + structural] as number;
        const own = fields[production];
        if (own !== undefined) fieldId = own[structural] as number;
        if (fieldId === 0) fieldId = frames.field[depth] as number;
      }
      if (bits & 2 || alias !== 0) {
        const shown = alias !== 0 ? alias : symbol;
        const isNamed = alias !== 0 ? named[alias] : bits & 4;
        emit(shown, fieldId, from, position, owner, (isNamed ? NAMED : 0) | (bits & 32 ? MISSING : 0) | (extra ? EXTRA : 0));
      }
      continue;
    }

    position += at === 0 ? 0 : (i32[(word + HEAP.padding) >> 2] as number);
    const symbol = u16[(word + HEAP.symbol) >> 1] as number;
    const bits = u16[(word + HEAP.flags) >> 1] as number;
    const extra = bits & 4;
    const childCount = i32[(word + HEAP.childCount) >> 2] as number;
    let alias = 0;
    let fieldId = 0;
    if (!extra) {
      const structural = frames.structural[depth] as number;
      frames.structural[depth] = structural + 1;
      if (production !== 0) alias = aliases[production * maxAliasLength + structural] as number;
      const own = fields[production];
      if (own !== undefined) fieldId = own[structural] as number;
      if (fieldId === 0) fieldId = frames.field[depth] as number;
    }
    const size = i32[(word + HEAP.size) >> 2] as number;
    if (bits & 1 || alias !== 0) {
      const isNamed = alias !== 0 ? named[alias] : bits & 2;
      const index = emit(alias !== 0 ? alias : symbol, fieldId, position, position + size, owner, (isNamed ? NAMED : 0) | (bits & 512 ? MISSING : 0) | (extra ? EXTRA : 0));
      if (childCount > 0) push(word, index, 0, index);
      else position += size;
    } else if (childCount > 0 && (i32[(word + HEAP.visibleChildCount) >> 2] as number) > 0) {
      push(word, owner, extra ? 0 : fieldId, -1);
    } else {
      position += size;
    }
  }
  return buffer.view(text, length, tables.kindNames, tables.fieldNames);

  function push(heap: number, owner: number, handedDown: number, closes: number): void {
    depth++;
    const count = i32[(heap + HEAP.childCount) >> 2] as number;
    frames.children[depth] = heap - count * 8;
    frames.count[depth] = count;
    frames.next[depth] = 0;
    frames.structural[depth] = 0;
    frames.production[depth] = u16[(heap + HEAP.productionId) >> 1] as number;
    frames.owner[depth] = owner;
    frames.field[depth] = handedDown;
    frames.closes[depth] = closes;
  }
}
