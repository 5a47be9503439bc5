/**
 * Signatures of a standard library's generic functions, as far as types pass through them.
 *
 *     List.of(T...) List<T>         what is passed, in a list
 *     requireNonNull(T,_?) T        the first argument
 *     copyOf([T]) List<T>           elements of what is passed
 *     runAsync(()T) Task<T>         what a function gives
 *     Promise.all([~T]) Promise<Array<T>>    elements, awaited
 *     Object.values({T}) Array<T>   values of a mapping
 *     String.trim() String          a member of the class, or of its objects
 *     .groupBy(()K) Map<K,Array<E>>          on anything that holds elements E
 *     .set(_,M) ?                   on a mapping with values M
 *     useState(()T) (T,?)           a tuple; `?` is nothing that is known
 *
 *     memo(^P) FC<P>                the first parameter of a function
 *     forwardRef<R,P>(^P) FC<P>     its type arguments, where they come in another order
 *
 * A line has a function, bare or behind the name of its class, its parameters and its result. `_`
 * is a parameter that says nothing, `?` behind one that may be left out, `...` any number. Type
 * arguments that a call writes stand for the letters in their order.
 */
import type { LibraryTypes } from './language.js';
export type { LibraryTypes };

export type Step = 'element' | 'result' | 'awaited' | 'value' | 'parameter';

export interface TakenType {
  readonly letter: string;
  /** From what is passed to what the letter stands for. */
  readonly steps: readonly Step[];
  readonly isRest: boolean;
  readonly isOptional: boolean;
}

export type GivenType =
  | { readonly kind: 'letter'; readonly name: string }
  | { readonly kind: 'tuple'; readonly parts: readonly GivenType[] }
  | { readonly kind: 'type'; readonly name: string; readonly parts: readonly GivenType[] };

export interface CallPattern {
  /**
   * Name of the class that it, or an object of which, is called on; '' for a bare function, `any` for a member of
   * whatever holds elements.
   */
  readonly on: string;
  readonly takes: readonly TakenType[];
  readonly gives: GivenType;
  /** The letters in the order of type arguments. */
  readonly letters: readonly string[];
}

/** By the function's name. */
export type LibraryCalls = ReadonlyMap<string, readonly CallPattern[]>;

const LINE = /^(?:(\w*)\.)?(\w+)(?:<([\w,]+)>)?\((.*)\)\s+(\S+)$/;
const MARKS: Readonly<Record<string, Step>> = {
  '[': 'element',
  '(': 'result',
  '~': 'awaited',
  '{': 'value',
  '^': 'parameter',
};

export function libraryCalls(text: string): LibraryCalls {
  const out = new Map<string, CallPattern[]>();
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const [, on, name, typeParams, params, result] = LINE.exec(line) ?? [];
    if (name === undefined || result === undefined) throw new Error(`no signature: ${line}`);
    const takes = (params ?? '') === '' ? [] : (params ?? '').split(',').map(takenType);
    const taken = [...new Set(takes.map(({ letter }) => letter).filter((letter) => letter !== '_'))];
    const gives = givenType(result);
    const letters = typeParams?.split(',') ?? (taken.length > 0 ? taken : lettersIn(gives));
    const pattern = { on: on === undefined ? '' : on === '' ? 'any' : on, takes, gives, letters };
    out.set(name, [...(out.get(name) ?? []), pattern]);
  }
  return out;
}

const lettersIn = (type: GivenType): readonly string[] =>
  type.kind === 'letter' ? (type.name === '?' ? [] : [type.name]) : type.parts.flatMap(lettersIn);

function takenType(text: string): TakenType {
  const marks = text.replace(/[^[({~^]/g, '');
  return {
    letter: /[A-Z_]/.exec(text)?.[0] ?? '_',
    steps: Array.from(marks, (mark) => MARKS[mark] as Step),
    isRest: text.endsWith('...'),
    isOptional: text.endsWith('?'),
  };
}

/** `Map<K,Array<E>>`, `(T,?)`, `T`. */
function givenType(text: string): GivenType {
  const open = text.search(/[<(]/);
  if (open < 0)
    return /^([A-Z]|\?)$/.test(text) ? { kind: 'letter', name: text } : { kind: 'type', name: text, parts: [] };
  const parts = splitParts(text.slice(open + 1, -1)).map(givenType);
  return text.startsWith('(') ? { kind: 'tuple', parts } : { kind: 'type', name: text.slice(0, open), parts };
}

function splitParts(text: string): string[] {
  const out = [''];
  let depth = 0;
  for (const char of text) {
    if (char === '<' || char === '(') depth++;
    if (char === '>' || char === ')') depth--;
    if (char === ',' && depth === 0) out.push('');
    else out.push(`${out.pop() ?? ''}${char}`);
  }
  return out;
}
