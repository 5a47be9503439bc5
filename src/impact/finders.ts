/**
 * All that leads from an edit to affected blocks: the rule table first, then what finds blocks that
 * no relation of the graph leads to. One row each; `question.ts` says when which are asked.
 */
import { isOutside } from '../base/outside.js';
import { piece, type Turns } from '../base/turns.js';
import { AffectedBlocks, type AffectedBlock, type FinderId } from './affected.js';
import { usersOfChangedUnions } from './changed-unions.js';
import { overridersByAlias } from './aliases-in-headers.js';
import { namersOfDeletedFiles } from './deleted-files.js';
import { fellowCallers } from './fellow-callers.js';
import { forecast } from './forecast.js';
import { settersOfFrozen } from './frozen-classes.js';
import { misfitsHandedOn } from './handed-arguments.js';
import { implicitBaseCalls } from './implicit-base-calls.js';
import { importCircles } from './import-circles.js';
import { defaultsOutOfOrder } from './defaults-in-order.js';
import { inheritedClashes } from './inherited-clashes.js';
import { exposedTypes } from './exposed-types.js';
import { inheritedMembers } from './inherited-members.js';
import { inheritedConstructors } from './inherited-constructors.js';
import { givenConstructors } from './given-constructors.js';
import { keysOfType } from './keys-of-type.js';
import { lackingMappings } from './lacking-mappings.js';
import { lostBases } from './lost-bases.js';
import { assignmentsWithoutSlot } from './lost-slots.js';
import { keysWithoutHash } from './lost-hashes.js';
import { usersOfLostLiterals } from './lost-literals.js';
import { lostNameMakers } from './lost-name-makers.js';
import { lostOutsideBases } from './lost-outside-bases.js';
import { membersNotGiven } from './members-not-given.js';
import { misfitObjects } from './misfit-objects.js';
import { usesOfLostAccessors } from './lost-accessors.js';
import { usersOfLostImports } from './lost-imports.js';
import { misplacedTypes } from './misplaced-types.js';
import { outOfReachByMove } from './moved-access.js';
import { namersOfMovedFiles } from './moved-files.js';
import { importersOfMovedTypes } from './moved-types.js';
import { usesLeftBehind } from './moved-uses.js';
import { namesakes } from './namesakes.js';
import { usesAsOtherKind } from './other-kind.js';
import { newlyChecked } from './newly-checked.js';
import type { Question } from './question.js';
import { affectedByRules } from './rule-table.js';
import { shiftedTypes } from './shifted-types.js';
import { shrunkClasses } from './shrunk-classes.js';
import { spelledNames } from './spelled-names.js';
import { stubTwins } from './stub-twins.js';
import { typesOfValues } from './types-of-values.js';
import { takenNames } from './taken-names.js';
import { takenByPlace } from './taken-by-place.js';
import { unfinishedClasses } from './unfinished-classes.js';
import { unmetInterfaces } from './unmet-interfaces.js';
import { unreadParameters } from './unread-parameters.js';
import { unusedMembers } from './unused-members.js';
import { unpackedKeys } from './unpacked-keys.js';
import { usedBeforeDefined } from './used-before.js';
import { takersOfVariants } from './variant-members.js';
import { takersOfWholeModules } from './whole-modules.js';

/** When a finder is asked, and what that says. */
export const OCCASIONS = {
  edit: 'always',
  beside: 'at the end of a report, and in a plan that has a model: nothing leads there from the edit',
  plan: 'in a plan: what is spelled outside of code is edited along with it',
  answer: "in a plan, after a model's answer",
  rewrites: 'in a plan, after a round of rewrites',
  imports: 'in a plan, after a round of rewrites, which bring imports',
  forecast: 'where more than the first level is asked for',
} as const;

export type Occasion = keyof typeof OCCASIONS;

export interface Finder {
  /** Rules of its sites, each with what it leads to: completes "a block that …". None: the rule table says it. */
  readonly rules: Readonly<Partial<Record<FinderId, string>>>;
  readonly asked: Occasion;
  /** Whether the strict profile asks it too. */
  readonly isStrict: boolean;
  readonly source: string;
  readonly find: (question: Question) => Turns<readonly AffectedBlock[]>;
}

export const FINDERS: readonly Finder[] = [
  {
    rules: {},
    asked: 'edit',
    isStrict: true,
    source: 'CodePlan, arXiv 2309.12499, change-may-impact analysis',
    find: affectedByRules,
  },
  {
    rules: { 'moved-file/ImportedBy': 'names a file that moved, or is in one and names others from there' },
    asked: 'edit',
    isStrict: false,
    source: 'An import of a whole module mentions no definition.',
    find: ({ graphs, edit }) => piece(() => namersOfMovedFiles(graphs, edit.changes)),
  },
  {
    rules: { 'deleted-file/ImportedBy': 'names a file that is deleted, and no definition that was in it' },
    asked: 'edit',
    isStrict: false,
    source: 'An import for what a module does mentions no definition.',
    find: ({ graphs, edit }) => piece(() => namersOfDeletedFiles(graphs, edit.changes)),
  },
  {
    rules: { 'moved-type/ImportedBy': 'imports from the package or namespace that a type left' },
    asked: 'edit',
    isStrict: false,
    source: 'An import of a whole package or namespace mentions no type.',
    find: ({ graphs, edit }) => piece(() => importersOfMovedTypes(graphs, edit.changes)),
  },
  {
    rules: {
      'moved-definition/Uses': 'is the new file of a definition that uses what stayed in the old one',
      'moved-definition/Imports': 'is the new file of a definition with an import in it that led elsewhere before',
    },
    asked: 'edit',
    isStrict: false,
    source: 'A definition that moves leaves its imports and neighbours behind.',
    find: ({ graphs, edit }) => piece(() => usesLeftBehind(graphs, edit.changes)),
  },
  {
    rules: { 'moved-out-of-reach': 'uses what only the class or package can use that it or the other one left' },
    asked: 'edit',
    isStrict: false,
    source: 'Who may use a definition hangs on where both stand.',
    find: outOfReachByMove,
  },
  {
    rules: { 'alias-in-header': 'overrides a member in whose header a name stands for another type now' },
    asked: 'edit',
    isStrict: false,
    source: 'A name for a type that stands in a header is what the header says.',
    find: overridersByAlias,
  },
  {
    rules: {
      'lost-base': 'uses what a class inherited from a base that it has no more, or gives the class for that base',
    },
    asked: 'edit',
    isStrict: false,
    source: 'Who uses an inherited member says neither the class nor the base.',
    find: lostBases,
  },
  {
    rules: {
      'lost-outside-base': 'uses what a class inherited from a base outside of the repository that it has no more',
    },
    asked: 'edit',
    isStrict: false,
    source: 'What such a base declares is not known: it is all that the class does not have otherwise.',
    find: lostOutsideBases,
  },
  {
    rules: { 'inherited-member': 'is a class that has a member by one base, and another base asks for it as it was' },
    asked: 'edit',
    isStrict: false,
    source: 'The base that has the member and the one that asks for it say nothing of each other.',
    find: inheritedMembers,
  },
  {
    rules: { 'exposed-type': 'is public, and says a type that is not public any more' },
    asked: 'edit',
    isStrict: false,
    source:
      'Where a language lets a header say only what is as public as itself, every mention of a type hangs on that.',
    find: exposedTypes,
  },
  {
    rules: {
      'unfinished-class':
        'is a class without a member that its base asks for, which stood for it before, or makes an object of one',
    },
    asked: 'edit',
    isStrict: false,
    source: 'What implements a member is missed by its own class, and by those that have it by an abstract one.',
    find: unfinishedClasses,
  },
  {
    rules: { 'inherited-constructor': 'makes an object of a class that is made otherwise now, by what it inherits' },
    asked: 'edit',
    isStrict: false,
    source: 'Who makes an object says the class, and not the base whose constructor it is.',
    find: inheritedConstructors,
  },
  {
    rules: { 'variant-member': 'takes a member of an alternative of a union that is gone, or of another type' },
    asked: 'edit',
    isStrict: false,
    source: 'Who takes such a member need not say the union.',
    find: takersOfVariants,
  },
  {
    rules: { 'lost-literal': 'says a string that was an alternative of a type and is none any more' },
    asked: 'edit',
    isStrict: false,
    source: 'Who gives a string, or compares with one, does not say the type that it is an alternative of.',
    find: usersOfLostLiterals,
  },
  {
    rules: { 'lost-slot': 'assigns a field that the slots of its class do not say any more' },
    asked: 'edit',
    isStrict: false,
    source: 'Who assigns a field does not say the list that keeps a place for it.',
    find: assignmentsWithoutSlot,
  },
  {
    rules: { 'lost-name-maker': 'takes what nothing declares, and a method that is gone gave for any name' },
    asked: 'edit',
    isStrict: false,
    source: 'What is made for any name is no member, and who takes it does not say what made it.',
    find: lostNameMakers,
  },
  {
    rules: {
      'newly-checked': 'throws an exception, or calls what says it throws one, that has to be caught or declared now',
    },
    asked: 'edit',
    isStrict: false,
    source: 'Whether an exception has to be declared hangs on what it derives from.',
    find: newlyChecked,
  },
  {
    rules: { 'shifted-type': 'takes a member of what is of another class now, without a word that says so' },
    asked: 'edit',
    isStrict: false,
    source: 'Where no type is declared, who takes a member says neither the class that it was nor the one that it is.',
    find: shiftedTypes,
  },
  {
    rules: {
      'misfit-object': 'gives an object for a type that asks for what the object has not, or not of that type, now',
    },
    asked: 'edit',
    isStrict: false,
    source: 'Where types count by their members, who gives an object for another type says no member.',
    find: misfitObjects,
  },
  {
    rules: {
      'changed-union':
        'takes of a value what another alternative of its union lacks, or gives an alternative that is not expected',
    },
    asked: 'edit',
    isStrict: false,
    source: 'Who has a value of a union seldom says the name of the union.',
    find: usersOfChangedUnions,
  },
  {
    rules: { 'whole-module': 'has all that a module exports as a value, of which something is gone, or another thing' },
    asked: 'edit',
    isStrict: false,
    source: 'Who takes a module as a whole says none of its names.',
    find: takersOfWholeModules,
  },
  {
    rules: {
      'implicit-base-call':
        "calls its base's constructor without saying so, or gives the class where objects are made so, and it cannot " +
        'be called with nothing now',
    },
    asked: 'edit',
    isStrict: false,
    source: 'A constructor that is called without a word is no call in the text.',
    find: implicitBaseCalls,
  },
  {
    rules: { 'inherited-clash': 'inherits two members of one signature that no class can have both' },
    asked: 'edit',
    isStrict: false,
    source: 'What a type inherits it does not say.',
    find: inheritedClashes,
  },
  {
    rules: { 'default-order': 'has a field that must be given behind one that need not be now' },
    asked: 'edit',
    isStrict: false,
    source: 'A field behind another says nothing of it.',
    find: defaultsOutOfOrder,
  },
  {
    rules: { 'lacking-mapping': 'gives a mapping without a key that has to be there now' },
    asked: 'edit',
    isStrict: false,
    source: 'A mapping whose keys a class declares says nothing of a key that it lacks.',
    find: lackingMappings,
  },
  {
    rules: { 'key-of-type': 'writes, reads or is an object with a key for each member of a type' },
    asked: 'edit',
    isStrict: false,
    source: 'An object with a key for each member of a type does not say the member that came.',
    find: keysOfType,
  },
  {
    rules: { 'unpacked-key': 'gives by keyword what is the key of a mapping that changed, or lacks a key of it' },
    asked: 'edit',
    isStrict: false,
    source: 'Where the keys of a mapping are what a function takes by keyword, who calls it does not say the mapping.',
    find: unpackedKeys,
  },
  {
    rules: { 'given-constructor': 'gives a class, whose constructor takes others now, where something makes objects' },
    asked: 'edit',
    isStrict: false,
    source: 'Who gives a class for what makes objects says no argument.',
    find: givenConstructors,
  },
  {
    rules: { 'taken-by-place': 'takes an object apart by place whose fields stand at other places now' },
    asked: 'edit',
    isStrict: false,
    source: 'Who takes an object apart by place says neither its class nor a field.',
    find: takenByPlace,
  },
  {
    rules: {
      'handed-arguments':
        'gives arguments that another function hands on, or that were bound before, and that do not fit',
    },
    asked: 'edit',
    isStrict: false,
    source: 'Who calls a wrapper does not say the name of what it wraps.',
    find: misfitsHandedOn,
  },
  {
    rules: { 'other-kind': 'makes objects of a type, or derives from it, that is of a kind which allows neither now' },
    asked: 'edit',
    isStrict: false,
    source: 'What can be done with a type hangs on what kind it is.',
    find: usesAsOtherKind,
  },
  {
    rules: { 'lost-accessor': 'reads or writes a property that lost its getter or its setter' },
    asked: 'edit',
    isStrict: false,
    source: 'The name of the property still leads to the accessor that is left.',
    find: usesOfLostAccessors,
  },
  {
    rules: { 'unmet-interface': 'stands for an interface from outside that asks for a member as it was' },
    asked: 'edit',
    isStrict: false,
    source: 'What a class stands for may ask for members, wherever it is declared.',
    find: unmetInterfaces,
  },
  {
    rules: { 'lost-import': 'says a name that only a deleted import of a whole package, namespace or type brought' },
    asked: 'edit',
    isStrict: false,
    source: 'An import of all names of a place binds none by itself.',
    find: usersOfLostImports,
  },
  {
    rules: { 'became-frozen': 'sets a field of a class whose objects stay as they are made now' },
    asked: 'edit',
    isStrict: false,
    source: 'Whether fields may be set can hang on words of the class.',
    find: settersOfFrozen,
  },
  {
    rules: { 'lost-hash': 'needs the hash of objects whose class says what is equal, and has no hash now' },
    asked: 'edit',
    isStrict: false,
    source: 'A class that declares when its objects are equal, and not their hash, takes the hash away.',
    find: keysWithoutHash,
  },
  {
    rules: { 'used-before': 'runs before a definition that it uses and that stands further down in its file now' },
    asked: 'edit',
    isStrict: false,
    source: 'A file is run from its first line to its last.',
    find: usedBeforeDefined,
  },
  {
    rules: {
      'stub-name': 'declares it, or defines it, by its old name in the file beside',
      'stub-definition': 'declares, or defines, in the file beside what is another one now',
    },
    asked: 'edit',
    isStrict: false,
    source: 'A stub and the file beside it say one thing.',
    find: stubTwins,
  },
  {
    rules: { 'member-not-given': 'makes an object without a value for a member that must be given one now' },
    asked: 'edit',
    isStrict: false,
    source: 'Who leaves a member out does not say its name.',
    find: membersNotGiven,
  },
  {
    rules: { 'type-of-value': 'names a type that is read off a value whose type is another one' },
    asked: 'edit',
    isStrict: false,
    source: 'Who says such a type says nothing of the value.',
    find: typesOfValues,
  },
  {
    rules: { 'taken-name': 'has the name, and the parameters, that a definition beside it got' },
    asked: 'edit',
    isStrict: false,
    source: 'Two definitions of one name say nothing of each other.',
    find: takenNames,
  },
  {
    rules: { 'misplaced-type': 'is a public type that is called otherwise than its file now' },
    asked: 'edit',
    isStrict: false,
    source: 'In some languages the name of a public type is the name of its file: neither names the other.',
    find: ({ graphs, edit }) => piece(() => misplacedTypes(graphs, edit.changes)),
  },
  {
    rules: { namesake: 'says the name that is gone, and means something else that reads alike by it' },
    asked: 'beside',
    isStrict: false,
    source: 'Copies, stand-ins and written-out types are renamed along with what they stand for.',
    find: ({ graphs, edit, known }) => piece(() => namesakes(graphs, edit.changes, known)),
  },
  {
    rules: { 'fellow-caller': 'calls what the changed function hands its new parameter on to, with the same keywords' },
    asked: 'beside',
    isStrict: false,
    source: 'What one wrapper can be given, the next wrapper of the same thing may want as well.',
    find: ({ graphs, edit, known }) => piece(() => fellowCallers(graphs, edit.changes, known)),
  },
  {
    rules: {
      documentation: 'names it in a documentation comment, by its old name',
      'export-list': 'names it in a list of exported names, by its old name',
    },
    asked: 'plan',
    isStrict: false,
    source: 'Names that are spelled outside of code follow a rename all the same.',
    find: ({ graphs, edit }) => piece(() => spelledNames(graphs, edit.changes)),
  },
  {
    rules: { 'unread-parameter': 'has a parameter that it does not read any more' },
    asked: 'rewrites',
    isStrict: false,
    source: 'An argument that a rewrite dropped may have been the last use of a parameter.',
    find: ({ graphs, edit }) => piece(() => unreadParameters(graphs, edit.changes)),
  },
  {
    rules: { 'import-circle': 'imports what comes round to import it, as nothing did before' },
    asked: 'imports',
    isStrict: false,
    source: 'Definitions that move take imports along, and those that stay import them back.',
    find: ({ graphs, edit }) => piece(() => importCircles(graphs, edit.changes)),
  },
  {
    rules: { 'shrunk-class': 'is a class that lost a member' },
    asked: 'answer',
    isStrict: false,
    source: 'A model that was asked about a member has not seen what is left of its class.',
    find: ({ graphs, edit }) => piece(() => shrunkClasses(graphs, edit.changes)),
  },
  {
    rules: { 'unused-member': 'is a private member that lost its last use' },
    asked: 'answer',
    isStrict: false,
    source: 'A model that was asked about a member has not seen what else used what it used.',
    find: ({ graphs, edit }) => piece(() => unusedMembers(graphs, edit.changes)),
  },
  {
    rules: { forecast: 'may have to follow once an affected block is edited' },
    asked: 'forecast',
    isStrict: true,
    source: 'Signatures, type parameters and deletions go on from block to block.',
    find: ({ graphs, known, depthMost }) => forecast(graphs, known, depthMost),
  },
];

/**
 * Blocks that the finders of an occasion lead to, in their order; each hears of what those before it found. What is
 * outside of the root follows nobody here.
 */
export function* foundOn(asked: Occasion, question: Question): Turns<AffectedBlock[]> {
  const out: AffectedBlock[] = [];
  // Copies and look-alikes belong to those who made the edit: a library is nobody's here.
  if (asked === 'beside' && question.edit.changes.every(({ file }) => isOutside(file))) return out;
  for (const finder of FINDERS)
    if (finder.asked === asked && (finder.isStrict || question.profile === 'precise')) {
      const found = yield* finder.find({ ...question, known: [...question.known, ...out] });
      out.push(...found.filter(({ file }) => !isOutside(file)));
      yield;
    }
  return out;
}

/** The same blocks, each once with all its sites in order of position. In order of file and position. */
export function merged(blocks: readonly AffectedBlock[]): AffectedBlock[] {
  const out = new AffectedBlocks();
  for (const { file, decl, sites } of blocks) out.add(file, decl, ...sites);
  return out
    .sorted()
    .map((block) => ({
      ...block,
      sites: [...block.sites].sort((a, b) => a.expr - b.expr || (a.place?.start ?? 0) - (b.place?.start ?? 0)),
    }));
}
