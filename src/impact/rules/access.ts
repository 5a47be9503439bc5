/** Rows of who may use a block, override it or derive from it. */
import { FAMILY, MENTIONED, MENTIONS, type PreciseRow } from './rule.js';

/** Mentions by which each sort of block is reached once fewer may use it. */
const NARROWED: Readonly<Record<'MMS' | 'MF' | 'MC' | 'MCC', readonly (typeof MENTIONS)[number][]>> = {
  // A function of JavaScript makes objects too, and a variable may hold a function or a class.
  MMS: MENTIONS,
  MF: MENTIONS,
  MC: ['UsedBy', 'InstantiatedBy', 'ImportedBy', 'BaseClassOf'],
  MCC: ['CalledBy', 'InstantiatedBy'],
};

export const ACCESS: readonly PreciseRow[] = [
  ...(['MMS', 'MF', 'MC', 'MCC'] as const).flatMap((when) =>
    MENTIONS.filter((follow) => NARROWED[when].includes(follow)).map((follow): PreciseRow => ({
      id: `${when}/narrowed-${follow}`,
      when,
      of: 'self',
      follow,
      in: 'before',
      only: 'narrowed',
      judge: 'outOfReach',
      why: [when === 'MCC' && follow === 'InstantiatedBy' ? 'makes an instance with ' : MENTIONED[follow], ''],
      source: 'A use from where the language does not allow it.',
    })),
  ),
  ...(['MMS', 'MF'] as const).map((when): PreciseRow => ({
    id: `${when}/static-ImportedBy`,
    when,
    of: 'self',
    follow: 'ImportedBy',
    in: 'before',
    only: 'noLongerStatic',
    judge: 'importsStatic',
    why: [MENTIONED.ImportedBy, ''],
    source: 'What is imported without its class has to belong to the class alone.',
  })),
  ...(
    [
      ['MMS', 'OverriddenBy'],
      ['MF', 'OverriddenBy'],
      ['MC', 'BaseClassOf'],
    ] as const
  ).map(([when, follow]): PreciseRow => ({
    id: `${when}/sealed-${follow}`,
    when,
    of: 'self',
    follow,
    in: 'before',
    only: 'sealed',
    judge: 'mustFollow',
    why:
      follow === 'OverriddenBy'
        ? ['overrides ', ', which nothing may override any more']
        : ['derives from ', ', from which nothing may derive any more'],
    source: 'An override or a subclass where the language does not allow it.',
  })),
  {
    id: 'MC/sealed-InstantiatedBy',
    when: 'MC',
    of: 'self',
    follow: 'InstantiatedBy',
    in: 'before',
    only: 'sealed',
    judge: 'derivesThere',
    why: ['makes an object of a class without a name below ', ', from which nothing may derive any more'],
    source: 'An override or a subclass where the language does not allow it.',
  },
  {
    id: 'MC/sealed-ParentOf',
    when: 'MC',
    of: 'self',
    follow: 'ParentOf',
    in: 'after',
    only: 'sealed',
    judge: 'forThoseBelow',
    why: ['is a member of ', ', from which nothing may derive any more'],
    source: 'A member for classes below, where there can be none.',
  },
  {
    id: 'MMS/sealed-family-OverriddenBy',
    when: 'MMS',
    of: 'family',
    follow: 'OverriddenBy',
    in: 'before',
    only: 'sealed',
    judge: 'isFarBelow',
    why: ['overrides what overrides ', ', which nothing may override any more'],
    source: FAMILY,
  },
  {
    id: 'MMS/required-CalledBy',
    when: 'MMS',
    of: 'self',
    follow: 'CalledBy',
    in: 'after',
    only: 'becameRequired',
    judge: 'callsNothing',
    why: ['calls ', ' as that of its base'],
    source: 'A member without a body is there for those below alone.',
  },
];
