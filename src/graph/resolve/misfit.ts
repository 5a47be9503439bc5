/**
 * Why the arguments of a call do not fit a function's parameters, and how that is said: of the
 * function, or of the call.
 */
import { counted } from '../../base/counted.js';

export type Misfit =
  | { readonly kind: 'too many'; readonly most: number; readonly given: number }
  | { readonly kind: 'no such keyword'; readonly keyword: string }
  | { readonly kind: 'given twice'; readonly keyword: string }
  | { readonly kind: 'lacking'; readonly param: string };

/** What a person calls a parameter; one that is taken apart where it stands (TypeScript) has only its place. */
export function parameterWords(name: string): string {
  const place = /^\{(\d+)\}$/.exec(name)?.[1];
  return place === undefined ? name : `parameter ${Number(place) + 1}`;
}

/** Completes "the function …". */
export function saidOfFunction(misfit: Misfit): string {
  switch (misfit.kind) {
    case 'too many':
      return (
        `takes at most ${misfit.most} positional ${misfit.most === 1 ? 'argument' : 'arguments'}, ` +
        `${misfit.given} given`
      );
    case 'no such keyword':
      return `has no parameter named ${misfit.keyword}`;
    case 'given twice':
      return `is given ${misfit.keyword} twice`;
    case 'lacking':
      return `lacks a value for ${parameterWords(misfit.param)}`;
  }
}

/** The same at a glance, without a sentence. */
export function factOfCall(misfit: Misfit): string {
  switch (misfit.kind) {
    case 'too many': {
      const over = misfit.given - misfit.most;
      return `${over} ${over === 1 ? 'argument' : 'arguments'} too many`;
    }
    case 'no such keyword':
      return `no parameter ${misfit.keyword}`;
    case 'given twice':
      return `given twice: ${misfit.keyword}`;
    case 'lacking':
      return `missing argument: ${parameterWords(misfit.param)}`;
  }
}

/** Completes "the call …", where the call did fit. */
export function saidOfCall(misfit: Misfit): string {
  switch (misfit.kind) {
    case 'too many':
      return (
        `gives ${counted(misfit.given, 'positional argument')} where ` +
        (misfit.most === 0 ? 'none is taken' : `${misfit.most} ${misfit.most === 1 ? 'is' : 'are'} taken`)
      );
    case 'no such keyword':
      return `names ${misfit.keyword}, which is no parameter any more`;
    case 'given twice':
      return `gives ${misfit.keyword} twice`;
    case 'lacking':
      return saidOfFunction(misfit);
  }
}
