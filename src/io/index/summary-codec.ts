/**
 * A summary as one run of bytes: what moves between threads and lies in the cache.
 *
 * Decoding makes views on the bytes and no copies, so its cost does not grow with the rows; only
 * names, imports and exports become values. The round trip is exact.
 *
 *     header   HEADER_WORDS 32-bit counts
 *     f64      header and body hashes
 *     32-bit   line starts, name offsets, columns, lists, indexes
 *     8-bit    kinds, ops, roles
 *     names    all identifiers in one string, Latin-1 if they fit, else UTF-16
 *     meta     imports, exports and single values as JSON in UTF-8
 *
 * Numbers are in the machine's byte order, so the bytes must not leave it. The first byte must
 * lie at a multiple of ALIGNMENT in its buffer.
 */
import { Source } from '../../syntax/source.js';
import type { ExportEntry, ImportEntry, LanguageId, SummaryColumns, Unread } from '../../syntax/summary.js';

/** In bytes: what the widest typed array asks for. */
export const ALIGNMENT = 8;

type Section = Uint8Array | Int32Array | Uint32Array | Float64Array;

/** Words of the header, in order. */
const HEADER = [
  'size',
  'textLength',
  'wide',
  'lines',
  'names',
  'nameBytes',
  'metaBytes',
  'scopes',
  'decls',
  'exprs',
  'items',
  'errors',
  'dynamic',
  'paths',
  'refs',
  'declsByName',
  'declsByScope',
] as const;
const HEADER_BYTES = Math.ceil((HEADER.length * 4) / ALIGNMENT) * ALIGNMENT;
type HeaderWord = (typeof HEADER)[number];

interface Meta {
  readonly language: LanguageId;
  readonly hash: string;
  readonly package: string;
  readonly isModule: boolean;
  readonly moduleHash: number;
  readonly imports: readonly ImportEntry[];
  readonly exports: readonly ExportEntry[];
  readonly unread: Unread | null;
}

/** An encoded summary in a larger piece of memory. */
export interface EncodedSummary {
  readonly buffer: ArrayBuffer;
  /** A multiple of ALIGNMENT. */
  readonly offset: number;
}

/** Bytes that `decodeSummary` reads; their length is a multiple of ALIGNMENT. */
export function encodeSummary(source: Source): Uint8Array {
  const summary = Source.columnsOf(source);
  const names = summary.names.join('');
  const wide = !isLatin1(names);
  const nameBytes = Buffer.from(names, wide ? 'utf16le' : 'latin1');
  const { language, hash, isModule, moduleHash, imports, exports, unread } = summary;
  const meta: Meta = { language, hash, package: summary.package, isModule, moduleHash, imports, exports, unread };
  const metaBytes = Buffer.from(JSON.stringify(meta), 'utf8');
  const sections = [...sectionsOf(summary), nameBytes, metaBytes].filter((section) => section.length > 0);
  const used = sections.reduce((sum, section) => sum + section.byteLength, HEADER_BYTES);
  const size = Math.ceil(used / ALIGNMENT) * ALIGNMENT;
  const counts: Record<HeaderWord, number> = {
    size,
    textLength: summary.textLength,
    wide: wide ? 1 : 0,
    lines: summary.lineStarts.length,
    names: summary.names.length,
    nameBytes: nameBytes.length,
    metaBytes: metaBytes.length,
    scopes: summary.scopes.count,
    decls: summary.decls.count,
    exprs: summary.exprs.count,
    items: summary.items.length,
    errors: summary.errors.length,
    dynamic: summary.dynamic.length,
    paths: summary.paths.length,
    refs: summary.refs.length,
    declsByName: summary.declsByName.length,
    declsByScope: summary.declsByScope.length,
  };
  const bytes = new Uint8Array(size);
  new Uint32Array(bytes.buffer, 0, HEADER.length).set(HEADER.map((word) => counts[word]));
  let at = HEADER_BYTES;
  for (const section of sections) {
    bytes.set(new Uint8Array(section.buffer, section.byteOffset, section.byteLength), at);
    at += section.byteLength;
  }
  return bytes;
}

/** Throws a RangeError or SyntaxError on bytes that are no summary: cut off, or foreign. */
export function decodeSummary({ buffer, offset }: EncodedSummary): Source {
  const words = new Uint32Array(buffer, offset, HEADER.length);
  const count = (word: HeaderWord): number => words[HEADER.indexOf(word)] as number;
  const read = new Reader(buffer, offset + HEADER_BYTES);
  const scopes = count('scopes');
  const decls = count('decls');
  const exprs = count('exprs');
  const headerHash = read.f64(decls);
  const bodyHash = read.f64(decls);
  const lineStarts = read.u32(count('lines'));
  const nameEnds = read.u32(count('names'));
  const scopeWords = { parent: read.i32(scopes), owner: read.i32(scopes), block: read.i32(scopes) };
  const declWords = {
    flags: read.i32(decls),
    name: read.i32(decls),
    nameStart: read.i32(decls),
    start: read.i32(decls),
    end: read.i32(decls),
    bodyStart: read.i32(decls),
    scope: read.i32(decls),
    inner: read.i32(decls),
    parent: read.i32(decls),
    type: read.i32(decls),
    value: read.i32(decls),
    params: read.i32(decls),
    parts: read.i32(decls),
    decorators: read.i32(decls),
    typeParams: read.i32(decls),
  };
  const exprWords = {
    a: read.i32(exprs),
    b: read.i32(exprs),
    name: read.i32(exprs),
    start: read.i32(exprs),
    end: read.i32(exprs),
    scope: read.i32(exprs),
  };
  const lists = {
    items: read.i32(count('items')),
    errors: read.i32(count('errors')),
    dynamic: read.i32(count('dynamic')),
    paths: read.i32(count('paths')),
  };
  const indexes = {
    refStart: read.u32(count('names') + 1),
    refs: read.u32(count('refs')),
    declsByScope: read.u32(count('declsByScope')),
    declStart: read.u32(count('names') + 1),
    declsByName: read.u32(count('declsByName')),
  };
  const scopeKind = read.u8(scopes);
  const declKind = read.u8(decls);
  const op = read.u8(exprs);
  const role = read.u8(exprs);
  const nameText = read.text(count('nameBytes'), count('wide') === 1 ? 'utf16le' : 'latin1');
  const meta = JSON.parse(read.text(count('metaBytes'), 'utf8')) as Meta;
  return new Source({
    ...meta,
    ...lists,
    ...indexes,
    textLength: count('textLength'),
    lineStarts,
    names: namesIn(nameText, nameEnds),
    scopes: { count: scopes, kind: scopeKind, ...scopeWords },
    decls: { count: decls, kind: declKind, ...declWords, headerHash, bodyHash },
    exprs: { count: exprs, op, role, ...exprWords },
  });
}

/** The bytes of the summary that lies there: a view, no copy. */
export function encodedBytes({ buffer, offset }: EncodedSummary): Uint8Array {
  return new Uint8Array(buffer, offset, new Uint32Array(buffer, offset, 1)[0]);
}

/** Everything but names and meta, in the order in which `decodeSummary` reads. */
function sectionsOf(summary: SummaryColumns): Section[] {
  const { scopes, decls, exprs } = summary;
  let end = 0;
  const nameEnds = Uint32Array.from(summary.names, (name) => (end += name.length));
  return [
    decls.headerHash,
    decls.bodyHash,
    summary.lineStarts,
    nameEnds,
    scopes.parent,
    scopes.owner,
    scopes.block,
    decls.flags,
    decls.name,
    decls.nameStart,
    decls.start,
    decls.end,
    decls.bodyStart,
    decls.scope,
    decls.inner,
    decls.parent,
    decls.type,
    decls.value,
    decls.params,
    decls.parts,
    decls.decorators,
    decls.typeParams,
    exprs.a,
    exprs.b,
    exprs.name,
    exprs.start,
    exprs.end,
    exprs.scope,
    summary.items,
    summary.errors,
    summary.dynamic,
    summary.paths,
    summary.refStart,
    summary.refs,
    summary.declsByScope,
    summary.declStart,
    summary.declsByName,
    scopes.kind,
    decls.kind,
    exprs.op,
    exprs.role,
  ];
}

/** A view costs a hundred bytes, and of the forty columns of an empty file thirty-three are empty. */
const NO_F64 = new Float64Array(0);
const NO_I32 = new Int32Array(0);
const NO_U32 = new Uint32Array(0);
const NO_U8 = new Uint8Array(0);

class Reader {
  constructor(
    private readonly buffer: ArrayBuffer,
    private at: number,
  ) {}

  f64(length: number): Float64Array {
    return length === 0 ? NO_F64 : new Float64Array(this.buffer, this.advance(length * 8), length);
  }
  i32(length: number): Int32Array {
    return length === 0 ? NO_I32 : new Int32Array(this.buffer, this.advance(length * 4), length);
  }
  u32(length: number): Uint32Array {
    return length === 0 ? NO_U32 : new Uint32Array(this.buffer, this.advance(length * 4), length);
  }
  u8(length: number): Uint8Array {
    return length === 0 ? NO_U8 : new Uint8Array(this.buffer, this.advance(length), length);
  }
  text(byteLength: number, encoding: 'latin1' | 'utf16le' | 'utf8'): string {
    return Buffer.from(this.buffer, this.advance(byteLength), byteLength).toString(encoding);
  }

  private advance(byteLength: number): number {
    const from = this.at;
    this.at += byteLength;
    return from;
  }
}

function namesIn(text: string, ends: Uint32Array): string[] {
  const names = new Array<string>(ends.length);
  let start = 0;
  for (let i = 0; i < ends.length; i++) {
    const end = ends[i] as number;
    names[i] = text.slice(start, end);
    start = end;
  }
  return names;
}

function isLatin1(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0xff) return false;
  return true;
}
