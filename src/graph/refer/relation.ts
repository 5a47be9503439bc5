/**
 * Relations between blocks: the eight pairs of the paper (arXiv 2309.12499, section 4.2), named
 * as read from the changed block outward: `CalledBy` leads from a function to its callers. A ninth
 * pair is ours: a class *satisfies* an interface that it does not name where its objects are given for it.
 */

export const INVERSE = {
  ParentOf: 'ChildOf',
  ChildOf: 'ParentOf',
  Constructs: 'ConstructedBy',
  ConstructedBy: 'Constructs',
  Imports: 'ImportedBy',
  ImportedBy: 'Imports',
  BaseClassOf: 'DerivedClassOf',
  DerivedClassOf: 'BaseClassOf',
  Overrides: 'OverriddenBy',
  OverriddenBy: 'Overrides',
  Calls: 'CalledBy',
  CalledBy: 'Calls',
  Instantiates: 'InstantiatedBy',
  InstantiatedBy: 'Instantiates',
  Uses: 'UsedBy',
  UsedBy: 'Uses',
  Satisfies: 'SatisfiedBy',
  SatisfiedBy: 'Satisfies',
} as const;

export type Relation = keyof typeof INVERSE;

/** Kinds of edges as `graph export` writes them. */
export type EdgeKind = 'call' | 'instantiate' | 'use' | 'import' | 'inherit' | 'override';

/** The relation in which the *target* of an edge stands to its source. */
export const RELATION_OF_EDGE: Readonly<Record<EdgeKind, Relation>> = {
  call: 'CalledBy',
  instantiate: 'InstantiatedBy',
  use: 'UsedBy',
  import: 'ImportedBy',
  inherit: 'BaseClassOf',
  override: 'OverriddenBy',
};
