/**
 * The rule table: which relations each atomic change follows, and why.
 *
 * Rows with profile `paper` are Table 4 of the paper as printed (arXiv 2309.12499) and make up
 * the strict profile. Rows with profile `precise` are the default: the same relations, filtered
 * by what the change can be seen to do, plus relations that real edits need. `impact.ts` alone
 * reads this table; conditions are predicates named here and defined in `predicates.ts`, and a
 * site's tier is decided by the row's `judge` in `judge.ts`.
 */
import type { Label } from '../change/atomic-change.js';
import type { Relation } from '../graph/relation.js';
import type { Predicate } from './predicates.js';
import type { Judge } from './judge.js';

export interface Rule {
  readonly id: string;
  readonly when: Label;
  /** Follow the relation from the changed block, from the class that owns it, from the members that override it or that it overrides, from the other members of its enum, or from another member that objects of its class must have. */
  readonly of: 'self' | 'class' | 'family' | 'siblings' | 'required';
  readonly follow: Relation;
  /**
   * The graph in which the relation is read: D before the edit, D' after it. `both`: a call of unknown
   * receiver that fits the old signature alone is known only to D, one that was written since only to D'.
   */
  readonly in: 'before' | 'after' | 'both';
  readonly profile: 'paper' | 'precise';
  readonly only?: Predicate;
  readonly judge: Judge;
  /** Completes "`block` …": the sentence that a person reads. */
  readonly why: string;
  readonly source: string;
}

const PAPER = 'CodePlan, arXiv 2309.12499, Table 4';

/** Table 4, row by row. */
const PAPER_ROWS: readonly [Label, 'self' | 'class', Relation, 'before' | 'after', string, Predicate?][] = [
  ['MMB', 'self', 'CalledBy', 'before', 'calls it, and what it does to callers changed', 'escapes'],
  ['MMS', 'self', 'CalledBy', 'before', 'calls it with the old signature'],
  ['MMS', 'self', 'Overrides', 'before', 'is overridden by it'],
  ['MMS', 'self', 'OverriddenBy', 'before', 'overrides it'],
  ['MMS', 'self', 'Overrides', 'after', 'is overridden by it now'],
  ['MMS', 'self', 'OverriddenBy', 'after', 'overrides it now'],
  ['MF', 'self', 'UsedBy', 'before', 'uses it'],
  ['MF', 'class', 'ConstructedBy', 'before', 'constructs the class that holds it'],
  ['MF', 'class', 'BaseClassOf', 'before', 'derives from the class that holds it'],
  ['MF', 'class', 'DerivedClassOf', 'before', 'is a base of the class that holds it'],
  ['MC', 'self', 'InstantiatedBy', 'before', 'makes an instance of it'],
  ['MC', 'self', 'BaseClassOf', 'before', 'derives from it'],
  ['MC', 'self', 'DerivedClassOf', 'before', 'is a base of it'],
  ['MC', 'self', 'BaseClassOf', 'after', 'derives from it now'],
  ['MC', 'self', 'DerivedClassOf', 'after', 'is a base of it now'],
  ['MCC', 'class', 'InstantiatedBy', 'before', 'makes an instance with the old constructor'],
  ['MCC', 'class', 'BaseClassOf', 'before', 'derives from the class'],
  ['MCC', 'class', 'DerivedClassOf', 'before', 'is a base of the class'],
  ['MI', 'self', 'ImportedBy', 'before', 'uses the import'],
  ['AM', 'class', 'BaseClassOf', 'before', 'derives from the class that got the method'],
  ['AM', 'class', 'DerivedClassOf', 'before', 'is a base of the class that got the method'],
  ['AM', 'self', 'CalledBy', 'after', 'calls it now instead of another method'],
  ['AF', 'class', 'ConstructedBy', 'before', 'constructs the class that got the field'],
  ['AF', 'class', 'BaseClassOf', 'before', 'derives from the class that got the field'],
  ['AF', 'class', 'DerivedClassOf', 'before', 'is a base of the class that got the field'],
  ['ACC', 'class', 'InstantiatedBy', 'before', 'makes an instance of the class that got the constructor'],
  ['ACC', 'class', 'BaseClassOf', 'before', 'derives from the class that got the constructor'],
  ['ACC', 'class', 'DerivedClassOf', 'before', 'is a base of the class that got the constructor'],
  ['DM', 'self', 'CalledBy', 'before', 'calls it'],
  ['DM', 'self', 'Overrides', 'before', 'was overridden by it'],
  ['DM', 'self', 'OverriddenBy', 'before', 'overrides it'],
  ['DF', 'self', 'UsedBy', 'before', 'uses it'],
  ['DF', 'class', 'ConstructedBy', 'before', 'constructs the class that held it'],
  ['DF', 'class', 'BaseClassOf', 'before', 'derives from the class that held it'],
  ['DF', 'class', 'DerivedClassOf', 'before', 'is a base of the class that held it'],
  ['DC', 'self', 'InstantiatedBy', 'before', 'makes an instance of it'],
  ['DC', 'self', 'BaseClassOf', 'before', 'derives from it'],
  ['DC', 'self', 'DerivedClassOf', 'before', 'was a base of it'],
  ['DCC', 'class', 'InstantiatedBy', 'before', 'makes an instance with the deleted constructor'],
  ['DCC', 'class', 'BaseClassOf', 'before', 'derives from the class that lost the constructor'],
  ['DCC', 'class', 'DerivedClassOf', 'before', 'is a base of the class that lost the constructor'],
  ['DI', 'self', 'ImportedBy', 'before', 'uses the import'],
];

const gone = 'A name that is gone leaves every mention of it wrong.';

const FAMILY = 'A method, and what it overrides or is overridden by, are called through each other.';

const STRUCTURE = 'Where types are structural, a class satisfies an interface that it does not name.';

/** Relations of a mention. Classes have no `CalledBy`: calling one makes an instance. */
const MENTIONS = ['CalledBy', 'UsedBy', 'InstantiatedBy', 'ImportedBy', 'BaseClassOf'] as const;

/** Mentions by which each sort of block is reached once fewer may use it. */
const NARROWED: Readonly<Record<'MMS' | 'MF' | 'MC' | 'MCC', readonly (typeof MENTIONS)[number][]>> = {
  MMS: ['CalledBy', 'UsedBy', 'ImportedBy'], MF: ['UsedBy', 'ImportedBy'], MC: ['UsedBy', 'InstantiatedBy', 'ImportedBy', 'BaseClassOf'], MCC: ['CalledBy', 'InstantiatedBy'],
};

const PRECISE_ROWS: readonly Omit<Rule, 'profile'>[] = [
  // A name that was deleted, renamed or moved.
  ...(['DM', 'DF', 'DC'] as const).flatMap((when) => MENTIONS.filter((follow) => when !== 'DC' || follow !== 'CalledBy').map((follow): Omit<Rule, 'profile'> => ({
    id: `${when}/${follow}`, when, of: 'self', follow, in: 'before', judge: 'gone', why: { CalledBy: 'calls it', UsedBy: 'uses it', InstantiatedBy: 'makes an instance of it', ImportedBy: 'imports it', BaseClassOf: 'derives from it' }[follow], source: `${PAPER}; ${gone}`,
  }))),
  ...(['MMS', 'MF', 'MC'] as const).flatMap((when) => MENTIONS.filter((follow) => when !== 'MC' || follow !== 'CalledBy').map((follow): Omit<Rule, 'profile'> => ({
    id: `${when}/renamed-${follow}`, when, of: 'self', follow, in: 'before', only: 'renamedOrMoved', judge: 'gone', why: { CalledBy: 'calls it by its old name', UsedBy: 'uses it by its old name', InstantiatedBy: 'makes an instance of it by its old name', ImportedBy: 'imports it by its old name', BaseClassOf: 'derives from it by its old name' }[follow], source: gone,
  }))),
  { id: 'MC/renamed-ConstructedBy', when: 'MC', of: 'self', follow: 'ConstructedBy', in: 'before', only: 'renamed', judge: 'spellsOldName', why: 'is part of it under its old name', source: gone },
  { id: 'MMS/renamed-ConstructedBy', when: 'MMS', of: 'self', follow: 'ConstructedBy', in: 'before', only: 'renamed', judge: 'spellsOldName', why: 'is part of it under its old name', source: 'Overload signatures, the body behind them, a getter and its setter are one function.' },
  { id: 'DM/OverriddenBy', when: 'DM', of: 'self', follow: 'OverriddenBy', in: 'before', judge: 'overridesNothing', why: 'overrides the deleted method', source: PAPER },
  { id: 'DF/OverriddenBy', when: 'DF', of: 'self', follow: 'OverriddenBy', in: 'before', judge: 'overridesNothing', why: 'overrides the deleted member', source: PAPER },
  ...(['DM', 'DF'] as const).map((when): Omit<Rule, 'profile'> => ({
    id: `${when}/family-OverriddenBy`, when, of: 'family', follow: 'OverriddenBy', in: 'before', judge: 'overridesFallen', why: 'overrides what overrides it', source: 'With a member goes what overrides it, and what overrides that.',
  })),
  { id: 'MMS/renamed-OverriddenBy', when: 'MMS', of: 'self', follow: 'OverriddenBy', in: 'before', only: 'renamedOrMoved', judge: 'overrideName', why: 'overrides it under its old name', source: PAPER },
  { id: 'MMS/renamed-Overrides', when: 'MMS', of: 'self', follow: 'Overrides', in: 'before', only: 'renamedOrMoved', judge: 'overrideName', why: 'was overridden by it under its old name', source: PAPER },
  { id: 'MF/renamed-OverriddenBy', when: 'MF', of: 'self', follow: 'OverriddenBy', in: 'before', only: 'renamedOrMoved', judge: 'overrideName', why: 'overrides it under its old name', source: PAPER },
  { id: 'MF/renamed-Overrides', when: 'MF', of: 'self', follow: 'Overrides', in: 'before', only: 'renamedOrMoved', judge: 'overrideName', why: 'declares it under its old name', source: PAPER },
  ...(['MMS', 'MF'] as const).flatMap((when) => ([['SatisfiedBy', 'stands for it where its class is given, under its old name'], ['Satisfies', 'is what it stands for where its class is given, under its old name']] as const).map(([follow, why]): Omit<Rule, 'profile'> => ({
    id: `${when}/renamed-${follow}`, when, of: 'self', follow, in: 'before', only: 'renamed', judge: 'overrideName', why, source: STRUCTURE,
  }))),
  ...(['DM', 'DF'] as const).map((when): Omit<Rule, 'profile'> => ({ id: `${when}/Satisfies`, when, of: 'self', follow: 'Satisfies', in: 'before', judge: 'mustFollow', why: 'is wanted where the class is given that lost it', source: STRUCTURE })),
  // Signatures.
  { id: 'MMB/CalledBy', when: 'MMB', of: 'self', follow: 'CalledBy', in: 'after', only: 'escapes', judge: 'behaviour', why: 'calls it, and what it does to callers changed', source: PAPER },
  { id: 'MMB/ChildOf', when: 'MMB', of: 'self', follow: 'ChildOf', in: 'after', judge: 'lacksDeclaration', why: 'holds it', source: 'An edit may use a member that nobody has declared yet.' },
  { id: 'MMS/CalledBy', when: 'MMS', of: 'self', follow: 'CalledBy', in: 'both', judge: 'call', why: 'calls it', source: PAPER },
  { id: 'MMS/decorated-CalledBy', when: 'MMS', of: 'self', follow: 'CalledBy', in: 'after', only: 'decorated', judge: 'mayFollow', why: 'calls it, and other decorators stand around it now', source: 'What a decorator gives takes the place of the function.' },
  { id: 'MMS/own-body', when: 'MMS', of: 'self', follow: 'Uses', in: 'after', only: 'parameterGone', judge: 'unboundParameter', why: 'uses a parameter of it that is not there any more', source: 'A body that was not edited with its header.' },
  { id: 'MCC/own-body', when: 'MCC', of: 'self', follow: 'Uses', in: 'after', only: 'parameterGone', judge: 'unboundParameter', why: 'uses a parameter of it that is not there any more', source: 'A body that was not edited with its header.' },
  { id: 'MMS/UsedBy', when: 'MMS', of: 'self', follow: 'UsedBy', in: 'both', only: 'shapeChanged', judge: 'reference', why: 'uses it other than in a call', source: 'A function given as a callback is called with the old arguments.' },
  { id: 'MMS/OverriddenBy', when: 'MMS', of: 'self', follow: 'OverriddenBy', in: 'before', only: 'contractChanged', judge: 'override', why: 'overrides it', source: PAPER },
  { id: 'MMS/OverriddenBy-after', when: 'MMS', of: 'self', follow: 'OverriddenBy', in: 'after', only: 'contractChanged', judge: 'override', why: 'overrides it', source: PAPER },
  { id: 'MMS/Overrides', when: 'MMS', of: 'self', follow: 'Overrides', in: 'before', only: 'contractChanged', judge: 'override', why: 'is overridden by it', source: PAPER },
  { id: 'MMS/Overrides-after', when: 'MMS', of: 'self', follow: 'Overrides', in: 'after', only: 'contractChanged', judge: 'override', why: 'is overridden by it', source: PAPER },
  { id: 'MMS/SatisfiedBy', when: 'MMS', of: 'self', follow: 'SatisfiedBy', in: 'before', only: 'contractChanged', judge: 'override', why: 'stands for it where its class is given', source: STRUCTURE },
  { id: 'MMS/Satisfies', when: 'MMS', of: 'self', follow: 'Satisfies', in: 'before', only: 'contractChanged', judge: 'override', why: 'is what it stands for where its class is given', source: STRUCTURE },
  { id: 'MCC/InstantiatedBy', when: 'MCC', of: 'class', follow: 'InstantiatedBy', in: 'both', judge: 'call', why: 'makes an instance of the class', source: PAPER },
  { id: 'MCC/CalledBy', when: 'MCC', of: 'self', follow: 'CalledBy', in: 'both', judge: 'call', why: 'calls the constructor', source: 'Constructors of subclasses and other constructors of the class call it.' },
  { id: 'ACC/InstantiatedBy', when: 'ACC', of: 'class', follow: 'InstantiatedBy', in: 'after', judge: 'call', why: 'makes an instance of the class', source: PAPER },
  { id: 'DCC/InstantiatedBy', when: 'DCC', of: 'class', follow: 'InstantiatedBy', in: 'after', judge: 'call', why: 'makes an instance of the class', source: PAPER },
  { id: 'DCC/CalledBy', when: 'DCC', of: 'self', follow: 'CalledBy', in: 'before', judge: 'gone', why: 'calls the deleted constructor', source: PAPER },
  ...([['MCC', 'both'], ['ACC', 'after'], ['DCC', 'before']] as const).map(([when, graph]): Omit<Rule, 'profile'> => ({
    id: `${when}/inherited-InstantiatedBy`, when, of: 'self', follow: 'InstantiatedBy', in: graph, judge: 'call', why: 'makes an instance of a class that inherits it', source: 'A class without a constructor of its own is made with the one above.',
  })),
  ...(['MMS', 'MC'] as const).map((when): Omit<Rule, 'profile'> => ({
    id: `${when}/own-type-parameters`, when, of: 'self', follow: 'Uses', in: 'after', only: 'typeParamsRenamed', judge: 'unboundTypeParameter', why: 'uses a type parameter of it by its old name', source: 'A body that was not edited with its header.',
  })),
  // Who may use it, override it or derive from it.
  ...(['MMS', 'MF', 'MC', 'MCC'] as const).flatMap((when) => MENTIONS.filter((follow) => NARROWED[when].includes(follow)).map((follow): Omit<Rule, 'profile'> => ({
    id: `${when}/narrowed-${follow}`, when, of: 'self', follow, in: 'before', only: 'narrowed', judge: 'outOfReach', why: { CalledBy: 'calls it', UsedBy: 'uses it', InstantiatedBy: when === 'MC' ? 'makes an instance of it' : 'makes an instance with it', ImportedBy: 'imports it', BaseClassOf: 'derives from it' }[follow], source: 'A use from where the language does not allow it.',
  }))),
  ...([['MMS', 'OverriddenBy'], ['MF', 'OverriddenBy'], ['MC', 'BaseClassOf']] as const).map(([when, follow]): Omit<Rule, 'profile'> => ({
    id: `${when}/sealed-${follow}`, when, of: 'self', follow, in: 'before', only: 'sealed', judge: 'mustFollow', why: follow === 'OverriddenBy' ? 'overrides it, which nothing may override any more' : 'derives from it, from which nothing may derive any more', source: 'An override or a subclass where the language does not allow it.',
  })),
  // What overrides it, or is overridden by it, must follow; and so must those who call that.
  { id: 'MMS/family-CalledBy', when: 'MMS', of: 'family', follow: 'CalledBy', in: 'before', only: 'contractChanged', judge: 'familyCall', why: 'calls a method that must keep one signature with it', source: FAMILY },
  { id: 'MMS/renamed-family-CalledBy', when: 'MMS', of: 'family', follow: 'CalledBy', in: 'before', only: 'renamed', judge: 'gone', why: 'calls a method that must keep one name with it', source: FAMILY },
  { id: 'MMS/renamed-family-UsedBy', when: 'MMS', of: 'family', follow: 'UsedBy', in: 'before', only: 'renamed', judge: 'gone', why: 'uses a method that must keep one name with it', source: FAMILY },
  { id: 'MF/renamed-family-UsedBy', when: 'MF', of: 'family', follow: 'UsedBy', in: 'before', only: 'renamed', judge: 'gone', why: 'uses a member that must keep one name with it', source: FAMILY },
  // Fields and variables.
  { id: 'MF/UsedBy', when: 'MF', of: 'self', follow: 'UsedBy', in: 'after', only: 'typeChanged', judge: 'reference', why: 'uses it', source: PAPER },
  { id: 'AF/ConstructedBy', when: 'AF', of: 'class', follow: 'ConstructedBy', in: 'after', only: 'needsValue', judge: 'givesNoValue', why: 'constructs the class and gives the new field no value', source: PAPER },
  // Classes.
  { id: 'MC/InstantiatedBy', when: 'MC', of: 'self', follow: 'InstantiatedBy', in: 'after', only: 'becameAbstract', judge: 'mustFollow', why: 'makes an instance of a class that is abstract now', source: PAPER },
  { id: 'MC/BaseClassOf', when: 'MC', of: 'self', follow: 'BaseClassOf', in: 'after', only: 'basesChanged', judge: 'mayFollow', why: 'derives from it, and what it inherits changed', source: PAPER },
  ...(['BaseClassOf', 'InstantiatedBy', 'UsedBy'] as const).map((follow): Omit<Rule, 'profile'> => ({
    id: `MC/type-parameters-${follow}`, when: 'MC', of: 'self', follow, in: 'after', only: 'typeParamsChanged', judge: 'typeArguments', why: { BaseClassOf: 'derives from it', InstantiatedBy: 'makes an instance of it', UsedBy: 'names it as a type' }[follow], source: 'Type arguments must follow type parameters.',
  })),
  ...(['MC', 'MCC'] as const).map((when): Omit<Rule, 'profile'> => ({ id: `${when}/meaning-UsedBy`, when, of: 'self', follow: 'UsedBy', in: 'after', only: 'meaningChanged', judge: 'meansOther', why: 'names it as a type', source: 'A type that is only a name for another type, or for a signature.' })),
  { id: 'AM/BaseClassOf', when: 'AM', of: 'class', follow: 'BaseClassOf', in: 'after', only: 'abstractMember', judge: 'lacksMember', why: 'derives from the class and does not implement the new member', source: PAPER },
  { id: 'AF/siblings-UsedBy', when: 'AF', of: 'siblings', follow: 'UsedBy', in: 'after', only: 'enumMember', judge: 'namesSiblings', why: 'tells the members of the enum apart', source: 'A switch or match that is meant to be exhaustive.' },
  { id: 'AC/siblings-UsedBy', when: 'AC', of: 'siblings', follow: 'UsedBy', in: 'after', only: 'derives', judge: 'namesSiblings', why: 'tells the classes below its base apart', source: 'A switch or match that is meant to be exhaustive.' },
  { id: 'MF/union-UsedBy', when: 'MF', of: 'self', follow: 'UsedBy', in: 'after', only: 'unionGrew', judge: 'namesMembers', why: 'tells the members of the union apart', source: 'A match that is meant to be exhaustive.' },
  { id: 'AF/BaseClassOf', when: 'AF', of: 'class', follow: 'BaseClassOf', in: 'after', only: 'abstractMember', judge: 'lacksMember', why: 'implements the interface and lacks the new member', source: PAPER },
  ...(['AM', 'AF'] as const).map((when): Omit<Rule, 'profile'> => ({ id: `${when}/SatisfiedBy`, when, of: 'class', follow: 'SatisfiedBy', in: 'after', only: 'abstractMember', judge: 'lacksMember', why: 'is given for the interface and lacks the new member', source: STRUCTURE })),
  ...(['AM', 'AF', 'MMS', 'MF'] as const).map((when): Omit<Rule, 'profile'> => ({
    id: `${when}/literal-UsedBy`, when, of: 'required', follow: 'UsedBy', in: 'after', only: when.startsWith('A') ? 'abstractMember' : 'becameRequired', judge: 'literalLacks', why: 'gives an object that must have it', source: STRUCTURE,
  })),
  ...(['MMS', 'MF'] as const).map((when): Omit<Rule, 'profile'> => ({ id: `${when}/required-BaseClassOf`, when, of: 'class', follow: 'BaseClassOf', in: 'after', only: 'becameRequired', judge: 'lacksMember', why: 'has to have it now', source: STRUCTURE })),
  { id: 'AM/CalledBy', when: 'AM', of: 'self', follow: 'CalledBy', in: 'after', judge: 'rebound', why: 'calls it now instead of another method', source: PAPER },
  // Imports.
  { id: 'MI/ImportedBy', when: 'MI', of: 'self', follow: 'ImportedBy', in: 'before', judge: 'unbound', why: 'uses the name that the import bound before', source: PAPER },
  ...(['MI', 'DI'] as const).map((when): Omit<Rule, 'profile'> => ({ id: `${when}/export-ImportedBy`, when, of: 'self', follow: 'ImportedBy', in: 'before', judge: 'unexported', why: 'leans on it', source: 'What a file passes on is imported from it.' })),
  { id: 'DI/ImportedBy', when: 'DI', of: 'self', follow: 'ImportedBy', in: 'before', judge: 'unbound', why: 'uses the name of the deleted import', source: PAPER },
];

/** Whether a rule lists sites because of a name that is gone, and not because of what else changed. */
export const isAboutTheName = (id: string): boolean => RULES.some((rule) => rule.id === id && (rule.judge === 'gone' || rule.judge === 'overrideName' || rule.judge === 'spellsOldName'));

export const RULES: readonly Rule[] = [
  ...PAPER_ROWS.map(([when, of, follow, graph, why, only]): Rule => ({
    id: `${when}/${of === 'class' ? 'class-' : ''}${follow}${graph === 'after' ? '-after' : ''}`, when, of, follow, in: graph, profile: 'paper', judge: 'paper', why, source: PAPER, ...(only === undefined ? {} : { only }),
  })),
  ...PRECISE_ROWS.map((row): Rule => ({ ...row, profile: 'precise' })),
];
