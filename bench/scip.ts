/**
 * `npm run bench:scip -- ours.scip theirs.scip`: two SCIP indexes of one tree, place by place.
 *
 * Found: of the places where the other index names a definition that both have, those where ours names it too.
 * Agreed: the same the other way round, of the places where the other index says anything at all. One symbol's
 * several definitions (overloads) count as one. Left out: locals, files as wholes, and constructors, which one
 * index links from the class's name and the other does not. Further lines show some of the differences.
 */
import { readFileSync } from 'node:fs';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** Numbers of fields of scip.proto. */
const DOCUMENTS = 2;
const DOCUMENT = { path: 1, occurrences: 2 } as const;
const OCCURRENCE = { range: 1, symbol: 2, roles: 3 } as const;
const DEFINITION = 1;
const CONSTRUCTOR = /(?:<constructor>|\bconstructor|__init__)`?\(/u;
const SHOWN = 20;

/** A place is `path:line:column`, from 1 and from 0. */
interface Index {
  readonly definitions: ReadonlyMap<string, ReadonlySet<string>>;
  readonly references: readonly { readonly at: string; readonly symbol: string }[];
  readonly files: ReadonlySet<string>;
}

type Visit = (field: number, reader: BinaryReader) => boolean;

/** Reads one message; what `visit` does not take is skipped. */
function fields(bytes: Uint8Array, visit: Visit): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (wireType !== WireType.LengthDelimited && wireType !== WireType.Varint) reader.skip(wireType);
    else if (!visit(field, reader)) reader.skip(wireType, field);
  }
}

function occurrenceOf(bytes: Uint8Array): { start: readonly number[]; symbol: string; roles: number } {
  const out = { start: [] as number[], symbol: '', roles: 0 };
  fields(bytes, (field, reader) => {
    if (field === OCCURRENCE.symbol) out.symbol = reader.string();
    else if (field === OCCURRENCE.roles) out.roles = reader.int32();
    else if (field === OCCURRENCE.range) {
      const packed = new BinaryReader(reader.bytes());
      out.start = [packed.int32(), packed.int32()];
    } else return false;
    return true;
  });
  return out;
}

function readIndex(path: string): Index {
  const definitions = new Map<string, Set<string>>();
  const references: { at: string; symbol: string }[] = [];
  const files = new Set<string>();
  fields(readFileSync(path), (field, reader) => {
    if (field !== DOCUMENTS) return false;
    let file = '';
    const occurrences: Uint8Array[] = [];
    fields(reader.bytes(), (inner, document) => {
      if (inner === DOCUMENT.path) file = document.string();
      else if (inner === DOCUMENT.occurrences) occurrences.push(document.bytes());
      else return false;
      return true;
    });
    files.add(file);
    for (const { start, symbol, roles } of occurrences.map(occurrenceOf)) {
      if (symbol.startsWith('local ')) continue;
      const at = `${file}:${(start[0] ?? 0) + 1}:${start[1] ?? 0}`;
      if ((roles & DEFINITION) === 0) references.push({ at, symbol });
      else definitions.set(symbol, (definitions.get(symbol) ?? new Set<string>()).add(at));
    }
    return true;
  });
  return { definitions, references, files };
}

/** For each place the symbols' definitions, a set for each symbol. */
function linksOf({ definitions, references }: Index): Map<string, ReadonlySet<string>[]> {
  const out = new Map<string, ReadonlySet<string>[]>();
  for (const { at, symbol } of references) {
    const places = definitions.get(symbol);
    if (places !== undefined && !CONSTRUCTOR.test(symbol)) out.set(at, [...(out.get(at) ?? []), places]);
  }
  return out;
}

const placesOf = ({ definitions }: Index): Set<string> => new Set([...definitions.values()].flatMap((set) => [...set]));

/** Links of `from` to definitions that both indexes have, and whether `to` has one of the same. */
function compared(from: Index, to: Index): { same: number; other: string[]; silent: number } {
  const theirs = linksOf(to);
  const known = placesOf(to);
  const constructors = new Set(
    [from, to].flatMap(({ definitions }) =>
      [...definitions].flatMap(([symbol, places]) => (CONSTRUCTOR.test(symbol) ? [...places] : [])),
    ),
  );
  const out = { same: 0, other: [] as string[], silent: 0 };
  for (const [at, symbols] of linksOf(from)) {
    if (!to.files.has(at.slice(0, at.indexOf(':')))) continue;
    const there = theirs.get(at);
    for (const places of symbols) {
      const shared = [...places].filter(
        (place) => known.has(place) && place !== at && !place.endsWith(':1:0') && !constructors.has(place),
      );
      if (shared.length === 0) continue;
      if (there === undefined) out.silent++;
      if (there?.some((set) => shared.some((place) => set.has(place))) === true) out.same++;
      else out.other.push(`${at} -> ${shared.join(' ')}`);
    }
  }
  return out;
}

const percent = (part: number, whole: number): string => (whole === 0 ? '-' : ((100 * part) / whole).toFixed(1));

function shown(title: string, lines: readonly string[]): void {
  console.log(title);
  for (let i = 0; i < Math.min(SHOWN, lines.length); i++)
    console.log(`  ${lines[Math.floor((i * lines.length) / Math.min(SHOWN, lines.length))] ?? ''}`);
}

const [ours, theirs] = process.argv.slice(2);
if (ours === undefined || theirs === undefined) {
  console.error('give two SCIP files: ours, then the one to compare with');
  process.exit(2);
}
const [own, other] = [readIndex(ours), readIndex(theirs)];
const found = compared(other, own);
const agreed = compared(own, other);
const wrong = agreed.other.length - agreed.silent;
console.log(
  `found ${found.same} of ${found.same + found.other.length} ` +
    `(${percent(found.same, found.same + found.other.length)}), ` +
    `agreed ${agreed.same} of ${agreed.same + wrong} (${percent(agreed.same, agreed.same + wrong)}), ` +
    `${agreed.silent} where the other index says nothing`,
);
shown('not found, some:', found.other);
shown('not agreed, some:', agreed.other);
