/**
 * Atomic changes: what an edit did to one block, with the paper's labels (arXiv 2309.12499,
 * Table 4) and the detail that decides what follows from it.
 */
import type { DeclRef } from '../languages/language.js';
import type { SetFrom } from '../languages/writing.js';
import { D } from '../syntax/summary.js';
import type { Narrowed, SignatureDelta } from './signature-delta.js';
import type { ShapeChange } from './value-shape.js';

/** First letter: modified, added, deleted; then method body, method signature, field, class, constructor, import. */
export type Label =
  'MMB' | 'MMS' | 'MF' | 'MC' | 'MCC' | 'MI' | 'AM' | 'AF' | 'AC' | 'ACC' | 'AI' | 'DM' | 'DF' | 'DC' | 'DCC' | 'DI';

export interface Detail {
  /** The block has another name now. */
  readonly rename?: { readonly from: string; readonly to: string };
  /** The block stands in another file now. */
  readonly move?: { readonly from: string; readonly to: string };
  /** MMS, MCC: what changed in the signature. */
  readonly signature?: SignatureDelta;
  /** MC: names of bases that came and went. */
  readonly bases?: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /**
   * MC: type parameters came, went, or have other bounds; `narrowed`: those that take fewer types; `defaults`: those
   * that stand by themselves for another type.
   */
  readonly typeParams?: {
    readonly from: string;
    readonly to: string;
    readonly narrowed?: readonly Narrowed[];
    readonly defaults?: readonly string[];
  };
  /** MF, MC of an alias: type as written before and after, where it changed. */
  readonly type?: { readonly from: string; readonly to: string };
  /** MMS, MCC, MF: the types differ by what a class gives for its base's type parameters, and are written alike. */
  readonly ofArguments?: true;
  /** MF: it was a constant, whose value a compiler knows, and is none any more. */
  readonly noConstant?: true;
  /** MF: whether only the initial value changed. */
  readonly valueOnly?: boolean;
  /** MMB: what callers can see of the change, in words; absent when they see nothing. */
  readonly escapes?: readonly string[];
  /** MMS, MCC, MF: types are written otherwise, and what runs is what it was to who uses it: the body, or the value. */
  readonly runsAsBefore?: true;
  /** MMB, MF: what of a value that is written out in place, and is returned or held, is another shape now. */
  readonly shape?: ShapeChange & { /** Callers see nothing else of the change. */ readonly isAll: boolean };
  /** MC, MMS, MCC: what of the block itself changed without a name: an index signature, an initializer, a word. */
  readonly own?: 'header' | 'body';
  /** MC, MF, MMS: modifiers, decorators or annotations that came and went. */
  readonly modifiers?: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** MF: from where it may be set, where that changed; absent on a side: from where it can be read. */
  readonly setFrom?: { readonly from?: SetFrom; readonly to?: SetFrom };
  /** MF: from where it may be read now, where that changed and is not from where it says itself. */
  readonly readFrom?: Exclude<SetFrom, 'construction'>;
  /** AF, MF: who makes an object has to give it a value now. */
  readonly mustBeGiven?: true;
  /**
   * AI, DI, MI: an entry of a list of exports or re-exports: the name outside, and whether it is another one now, or
   * that of a type alone.
   */
  readonly export?: { readonly name: string; readonly newName?: string; readonly isTypeAlone?: true };
  /** AI, DI, MI: the module and name as written, and the name it binds. */
  readonly import?: {
    readonly module: string;
    readonly name: string;
    readonly binding: string;
    readonly newBinding?: string;
  };
}

export interface AtomicChange {
  readonly label: Label;
  /** The block before and after; the one that does not exist is absent. Decl -1 is the module (imports, statements). */
  readonly before?: DeclRef;
  readonly after?: DeclRef;
  /** File and block path as they are now, or as they were for what was deleted. */
  readonly file: string;
  readonly block: string;
  readonly kind: string;
  readonly detail: Detail;
}

const KIND_NAMES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(D).map(([name, kind]) => [kind, name]),
);

/** Name of a declaration's kind as documents and reports spell it. */
export const kindName = (kind: number): string => KIND_NAMES[kind] ?? 'statement';
