/**
 * The names of a language's node kinds and fields as small numbers of our own.
 *
 * A grammar numbers its kinds as it likes, afresh with each release, and gives several numbers to
 * one name; a language may have several grammars. A walk asks "is this an identifier?" for every
 * node, so the names that a language's handlers use are numbered once, here, and each grammar's
 * numbers are translated once: comparing and dispatching is then an array read.
 */
import { ERROR_KIND, type FlatTree } from './flat-tree.js';

/** The words of a line, for the compiler. */
type Words<Line extends string, Found = never> = Line extends `${infer First} ${infer Rest}`
  ? Words<Rest, Found | First>
  : Found | Line;
/** Kinds that every vocabulary has: those that handlers do not tell apart, and what could not be parsed. */
type Common = 'other' | 'ERROR';

/** Translation of one grammar's numbers, ERROR included. */
interface Numbers {
  readonly kinds: Uint8Array;
  readonly fields: Uint8Array;
}

export interface Vocabulary<Kind extends string = string, Field extends string = string> {
  /** Number of each kind; keywords and signs stand under their text. */
  readonly kind: Readonly<Record<Kind | Common, number>>;
  /** Number of each field. 0 is none, and all that handlers do not ask for. */
  readonly field: Readonly<Record<Field, number>>;
  /** How many kinds there are. */
  readonly size: number;
  /** 1 for kinds that stand for a value though the grammar has no name for them, by our number. */
  readonly valued: Uint8Array;
  /** By our number: whether a leaf of the kind is a name of its own, or one behind a dot; see {@link LEAF}. */
  readonly leaves: Uint8Array;
  /** Number of the field in which a leaf is the name of a member; -1 for none. */
  readonly memberField: number;
  numbersOf(tree: FlatTree): Numbers;
}

/** What the text of a leaf is. */
export const LEAF = { none: 0, name: 1, member: 2 } as const;

/**
 * The vocabulary of a language, from lines of words: kinds, and fields, as the grammar calls them.
 * `phrases` are kinds with a blank in them. At most 255 of either.
 */
export function vocabulary<
  const KindLine extends string,
  const FieldLine extends string,
  const Phrase extends string = never,
>(words: {
  readonly kinds: readonly KindLine[];
  readonly fields: readonly FieldLine[];
  readonly phrases?: readonly Phrase[];
  /** Kinds of leaves that are a name, and those that are the name of a member. */
  readonly names: string;
  readonly members?: string;
  /** The field in which the name of a member stands, where the kind does not tell. */
  readonly memberField?: string;
  /** Keywords that have a value. */
  readonly valued?: string;
}): Vocabulary<Words<KindLine> | Phrase, Words<FieldLine>> {
  type Kind = Words<KindLine> | Phrase;
  const split = (lines: readonly string[]): string[] => lines.flatMap((line) => line.split(' '));
  const kindNames = ['other', 'ERROR', ...split(words.kinds), ...(words.phrases ?? [])];
  const kind = numbered<Kind | Common>(kindNames);
  const field = numbered<Words<FieldLine>>(['', ...split(words.fields)]);
  const marked = (names: string | undefined, mark: number, into: Uint8Array): Uint8Array => {
    for (const name of names?.split(' ') ?? []) into[numberOf(kind, name)] = mark;
    return into;
  };
  const leaves = marked(words.members, LEAF.member, marked(words.names, LEAF.name, new Uint8Array(kindNames.length)));
  const known = new WeakMap<readonly string[], Numbers>();
  return {
    kind,
    field,
    size: kindNames.length,
    valued: marked(words.valued, 1, new Uint8Array(kindNames.length)),
    leaves,
    memberField: words.memberField === undefined ? -1 : numberOf(field, words.memberField),
    numbersOf(tree) {
      let numbers = known.get(tree.kindNames);
      if (numbers === undefined) {
        const kinds = new Uint8Array(ERROR_KIND + 1);
        tree.kindNames.forEach((name, number) => (kinds[number] = numberOf(kind, name)));
        kinds[ERROR_KIND] = kind.ERROR;
        const fields = Uint8Array.from(tree.fieldNames, (name) => (name === null ? 0 : numberOf(field, name)));
        known.set(tree.kindNames, (numbers = { kinds, fields }));
      }
      return numbers;
    },
  };
}

function numbered<Name extends string>(names: readonly string[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, number) => [name, number])) as Record<Name, number>;
}

function numberOf(table: Readonly<Record<string, number>>, name: string): number {
  return Object.hasOwn(table, name) ? (table[name] as number) : 0;
}
