/** What generators call the accessors of a field: `getName`, `setName`, `withName`, `isName`, and those of `isOpen`. */
import type { Language } from '../language.js';

const ACCESSOR = /^(?:get|set|is|with)([A-Z].*)$/;
const FLAG = /^is([A-Z].*)$/;

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

export const madeAccessors: NonNullable<Language['madeAccessors']> = {
  fieldsOf: (accessor) => {
    const rest = ACCESSOR.exec(accessor)?.[1];
    if (rest === undefined) return [];
    return [rest.charAt(0).toLowerCase() + rest.slice(1), rest, `is${rest}`];
  },
  accessorsOf: (field) =>
    [capital(field), ...(FLAG.exec(field)?.slice(1) ?? [])].flatMap((rest) =>
      ['get', 'set', 'is', 'with'].map((word) => word + rest),
    ),
};
