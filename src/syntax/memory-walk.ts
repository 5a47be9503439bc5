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
import { ERROR_KIND, EXTRA, MISSING, NAMED, TOO_DEEP, type FlatTree } from './flat-tree.js';
import { chainsOf, isLink, NESTING_MOST, type Chains } from './nesting.js';

/** Byte offsets into `SubtreeHeapData`. */
const HEAP = {
  padding: 4,
  size: 16,
  childCount: 36,
  symbol: 40,
  flags: 44,
  visibleChildCount: 48,
  productionId: 66,
} as const;
/** Byte offsets into `TSLanguage`. */
const LANGUAGE = {
  productionCount: 28,
  maxAliasLength: 36,
  fieldSlices: 64,
  fieldEntries: 68,
  publicSymbols: 76,
  aliasSequences: 84,
  symbolMetadata: 72,
  symbolCount: 4,
  aliasCount: 8,
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
  readonly chains: Chains;
}

/** Copies a grammar's tables; `address` is that of the `TSLanguage`. */
export function readGrammarTables(
  memory: WebAssembly.Memory,
  address: number,
  kindNames: readonly string[],
  fieldNames: readonly (string | null)[],
): GrammarTables {
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
  for (let i = maxAliasLength; i < aliases.length; i++)
    aliases[i] = u16(u32(address + LANGUAGE.aliasSequences) + i * 2);
  const fields: (Uint16Array | undefined)[] = [];
  for (let p = 0; p < productions; p++) fields.push(fieldsOfProduction(view, address, p));
  return {
    publicSymbol,
    named,
    maxAliasLength,
    aliases,
    fields,
    kindNames,
    fieldNames,
    chains: chainsOf(kindNames, fieldNames),
  };
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

/** Numbers on the walk's stack for each node around; see `walkMemory`. */
const FRAME = 8;
/**
 * As long as no more than so much is on it nothing is too deep: a node is at most as deep as there are nodes around.
 */
const SHALLOW = NESTING_MOST * FRAME;

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
  /** Nodes around the one that is read. */
  stack: Int32Array = new Int32Array(FRAME * 256);

  growStack(): Int32Array {
    const grown = new Int32Array(this.stack.length * 2);
    grown.set(this.stack);
    return (this.stack = grown);
  }

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

  view(
    text: string,
    length: number,
    isWhole: boolean,
    kindNames: readonly string[],
    fieldNames: readonly (string | null)[],
  ): FlatTree {
    return {
      text,
      length,
      isWhole,
      kind: this.kind,
      field: this.field,
      start: this.start,
      end: this.end,
      skip: this.skip,
      parent: this.parent,
      flags: this.flags,
      kindNames,
      fieldNames,
    };
  }
}

/**
 * Flattens the tree at `treeAddress` (a `TSTree`) into `buffer`. Linear in the nodes.
 * The tree must have been parsed from UTF-16, as web-tree-sitter does.
 *
 * One loop over variables of its own, with the nodes around on a stack of numbers: a deeply nested
 * expression cannot exhaust the call stack, and a variable that a closure shared would be read from memory
 * at every use.
 */
// eslint-disable-next-line complexity -- runs for every node or entry: its state lives in local variables
export function walkMemory(
  memory: WebAssembly.Memory,
  treeAddress: number,
  tables: GrammarTables,
  text: string,
  buffer: FlatTreeBuffer,
): FlatTree {
  const i32 = new Int32Array(memory.buffer);
  const u16 = new Uint16Array(memory.buffer);
  const u8 = new Uint8Array(memory.buffer);
  const { publicSymbol, named, aliases, maxAliasLength, fields, chains } = tables;
  let { capacity, kind, field, start, end, skip, parent, flags, stack } = buffer;
  const root = i32[treeAddress >> 2] as number;
  /** Byte position after the node that was visited last. */
  let position = i32[(root + HEAP.padding) >> 2] as number;
  const rootSymbol = u16[(root + HEAP.symbol) >> 1] as number;
  kind[0] = rootSymbol === ERROR_KIND ? ERROR_KIND : (publicSymbol[rootSymbol] as number);
  field[0] = 0;
  start[0] = position >> 1;
  end[0] = (position + (i32[(root + HEAP.size) >> 2] as number)) >> 1;
  parent[0] = 0;
  flags[0] = NAMED;
  let isWhole = rootSymbol !== ERROR_KIND;
  let length = 1;

  // The node whose children are visited: how many there are, the next one and its address, ...
  let left = i32[(root + HEAP.childCount) >> 2] as number;
  let isFirst = true;
  let slot = root - left * 8;
  // ... its production and how many children that counts were visited, ...
  let production = u16[(root + HEAP.productionId) >> 1] as number;
  let structural = 0;
  // ... its nearest visible ancestor (itself if visible), the field that a hidden node hands down to
  // visible children, and the row to close at the end, or -1 for a hidden node.
  let owner = 0;
  let handedDown = 0;
  let closes = 0;
  // ... and how many levels of nesting the owner is below the root, from the depth on at which it may be too many.
  let level = 0;
  let depth = 0;

  for (;;) {
    if (left === 0) {
      if (closes >= 0) skip[closes] = length;
      if (depth === 0) break;
      depth -= FRAME;
      left = stack[depth] as number;
      slot = stack[depth + 1] as number;
      production = stack[depth + 2] as number;
      structural = stack[depth + 3] as number;
      owner = stack[depth + 4] as number;
      handedDown = stack[depth + 5] as number;
      closes = stack[depth + 6] as number;
      level = stack[depth + 7] as number;
      isFirst = false;
      continue;
    }
    const word = i32[slot >> 2] as number;
    let symbol: number;
    let bits: number;
    let size: number;
    let childCount = 0;
    if (word & 1) {
      // Inline leaf: is_inline visible named extra has_changes is_missing is_keyword | symbol | state | sizes.
      bits = ((word >> 1) & 7) | ((word & 32) << 4);
      symbol = (word >>> 8) & 0xff;
      if (!isFirst) position += u8[slot + 6] as number;
      size = u8[slot + 7] as number;
    } else {
      // visible named extra ... is_missing (bit 9)
      bits = u16[(word + HEAP.flags) >> 1] as number;
      symbol = u16[(word + HEAP.symbol) >> 1] as number;
      if (!isFirst) position += i32[(word + HEAP.padding) >> 2] as number;
      size = i32[(word + HEAP.size) >> 2] as number;
      childCount = i32[(word + HEAP.childCount) >> 2] as number;
    }
    isFirst = false;
    slot += 8;
    left--;

    const extra = bits & 4;
    let alias = 0;
    let fieldId = 0;
    if (extra === 0) {
      if (production !== 0) alias = aliases[production * maxAliasLength + structural] as number;
      const own = fields[production];
      if (own !== undefined) fieldId = own[structural] as number;
      if (fieldId === 0) fieldId = handedDown;
      structural++;
    }
    const isVisible = (bits & 1) !== 0 || alias !== 0;
    if (isVisible) {
      if (length === capacity) {
        buffer.grow();
        ({ capacity, kind, field, start, end, skip, parent, flags } = buffer);
      }
      const shown = alias !== 0 ? alias : symbol;
      const isNamed = alias !== 0 ? (named[alias] as number) : bits & 2;
      kind[length] = shown === ERROR_KIND ? ERROR_KIND : (publicSymbol[shown] as number);
      field[length] = fieldId;
      start[length] = position >> 1;
      end[length] = (position + size) >> 1;
      skip[length] = length + 1;
      parent[length] = owner;
      if (shown === ERROR_KIND || (bits & 512) !== 0) isWhole = false;
      flags[length] = (isNamed !== 0 ? NAMED : 0) | ((bits & 512) !== 0 ? MISSING : 0) | (extra !== 0 ? EXTRA : 0);
      length++;
    }
    if (childCount === 0 || (!isVisible && (i32[(word + HEAP.visibleChildCount) >> 2] as number) === 0)) {
      position += size;
      continue;
    }
    if (depth === SHALLOW) level = levelOf(buffer, owner, chains);
    let below = level;
    if (depth >= SHALLOW && isVisible && !isLink(buffer, length - 1, owner, chains) && ++below > NESTING_MOST) {
      kind[length - 1] = ERROR_KIND;
      flags[length - 1] = (flags[length - 1] as number) | TOO_DEEP;
      isWhole = false;
      position += size;
      continue;
    }
    if (depth + FRAME > stack.length) stack = buffer.growStack();
    stack[depth] = left;
    stack[depth + 1] = slot;
    stack[depth + 2] = production;
    stack[depth + 3] = structural;
    stack[depth + 4] = owner;
    stack[depth + 5] = handedDown;
    stack[depth + 6] = closes;
    stack[depth + 7] = level;
    depth += FRAME;
    level = below;
    left = childCount;
    isFirst = true;
    slot = word - childCount * 8;
    production = u16[(word + HEAP.productionId) >> 1] as number;
    structural = 0;
    if (isVisible) {
      owner = length - 1;
      handedDown = 0;
      closes = length - 1;
    } else {
      handedDown = extra !== 0 ? 0 : fieldId;
      closes = -1;
    }
  }
  return buffer.view(text, length, isWhole, tables.kindNames, tables.fieldNames);
}

/** How many levels of nesting a node is below the root. */
function levelOf(buffer: FlatTreeBuffer, node: number, chains: Chains): number {
  let level = 0;
  for (let at = node; at !== 0;) {
    const around = buffer.parent[at] as number;
    if (!isLink(buffer, at, around, chains)) level++;
    at = around;
  }
  return level;
}
