/** Table 4 of the paper as printed (arXiv 2309.12499): the strict profile. */
import type { Label } from '../../change/atomic-change.js';
import type { Relation } from '../../graph/refer/relation.js';
import type { Predicate } from '../predicates.js';
import { BEHAVIOUR_CHANGED, PAPER, type Clause, type Rule } from './rule.js';

/** Table 4, row by row. */
const PAPER_ROWS: readonly [Label, 'self' | 'class', Relation, 'before' | 'after', Clause, Predicate?][] = [
  ['MMB', 'self', 'CalledBy', 'before', ['calls ', BEHAVIOUR_CHANGED], 'escapes'],
  ['MMS', 'self', 'CalledBy', 'before', ['calls ', ' with the old signature']],
  ['MMS', 'self', 'Overrides', 'before', ['is overridden by ', '']],
  ['MMS', 'self', 'OverriddenBy', 'before', ['overrides ', '']],
  ['MMS', 'self', 'Overrides', 'after', ['is overridden by ', ' now']],
  ['MMS', 'self', 'OverriddenBy', 'after', ['overrides ', ' now']],
  ['MF', 'self', 'UsedBy', 'before', ['uses ', '']],
  ['MF', 'class', 'ConstructedBy', 'before', ['constructs the class that holds ', '']],
  ['MF', 'class', 'BaseClassOf', 'before', ['derives from the class that holds ', '']],
  ['MF', 'class', 'DerivedClassOf', 'before', ['is a base of the class that holds ', '']],
  ['MC', 'self', 'InstantiatedBy', 'before', ['makes an instance of ', '']],
  ['MC', 'self', 'BaseClassOf', 'before', ['derives from ', '']],
  ['MC', 'self', 'DerivedClassOf', 'before', ['is a base of ', '']],
  ['MC', 'self', 'BaseClassOf', 'after', ['derives from ', ' now']],
  ['MC', 'self', 'DerivedClassOf', 'after', ['is a base of ', ' now']],
  ['MCC', 'class', 'InstantiatedBy', 'before', ['makes an instance with the old constructor']],
  ['MCC', 'class', 'BaseClassOf', 'before', ['derives from the class']],
  ['MCC', 'class', 'DerivedClassOf', 'before', ['is a base of the class']],
  ['MI', 'self', 'ImportedBy', 'before', ['uses the import']],
  ['AM', 'class', 'BaseClassOf', 'before', ['derives from the class that got the method']],
  ['AM', 'class', 'DerivedClassOf', 'before', ['is a base of the class that got the method']],
  ['AM', 'self', 'CalledBy', 'after', ['calls ', ' now instead of another method']],
  ['AF', 'class', 'ConstructedBy', 'before', ['constructs the class that got the field']],
  ['AF', 'class', 'BaseClassOf', 'before', ['derives from the class that got the field']],
  ['AF', 'class', 'DerivedClassOf', 'before', ['is a base of the class that got the field']],
  ['ACC', 'class', 'InstantiatedBy', 'before', ['makes an instance of the class that got the constructor']],
  ['ACC', 'class', 'BaseClassOf', 'before', ['derives from the class that got the constructor']],
  ['ACC', 'class', 'DerivedClassOf', 'before', ['is a base of the class that got the constructor']],
  ['DM', 'self', 'CalledBy', 'before', ['calls ', '']],
  ['DM', 'self', 'Overrides', 'before', ['was overridden by ', '']],
  ['DM', 'self', 'OverriddenBy', 'before', ['overrides ', '']],
  ['DF', 'self', 'UsedBy', 'before', ['uses ', '']],
  ['DF', 'class', 'ConstructedBy', 'before', ['constructs the class that held ', '']],
  ['DF', 'class', 'BaseClassOf', 'before', ['derives from the class that held ', '']],
  ['DF', 'class', 'DerivedClassOf', 'before', ['is a base of the class that held ', '']],
  ['DC', 'self', 'InstantiatedBy', 'before', ['makes an instance of ', '']],
  ['DC', 'self', 'BaseClassOf', 'before', ['derives from ', '']],
  ['DC', 'self', 'DerivedClassOf', 'before', ['was a base of ', '']],
  ['DCC', 'class', 'InstantiatedBy', 'before', ['makes an instance with the deleted constructor']],
  ['DCC', 'class', 'BaseClassOf', 'before', ['derives from the class that lost the constructor']],
  ['DCC', 'class', 'DerivedClassOf', 'before', ['is a base of the class that lost the constructor']],
  ['DI', 'self', 'ImportedBy', 'before', ['uses the import']],
];

export const PAPER_RULES: readonly Rule[] = PAPER_ROWS.map(([when, of, follow, graph, why, only]) => ({
  id: `${when}/${of === 'class' ? 'class-' : ''}${follow}${graph === 'after' ? '-after' : ''}`,
  when,
  of,
  follow,
  in: graph,
  profile: 'paper',
  judge: 'paper',
  why,
  source: PAPER,
  ...(only === undefined ? {} : { only }),
}));
