/**
 * The C# language value. Operators, iteration, `using` and indexing call members of the type that
 * they are applied to; which ones is said here. What is and is not resolved: README.md.
 */
import { CSHARP_BASIC_TYPES } from './basic-types.js';
import { F, R } from '../../syntax/summary.js';
import type { Language } from '../language.js';
import { BUILD_FILES } from './build-files.js';
import { extract } from './extract.js';
import { isLibraryName } from './library-names.js';
import { LIBRARY } from './library.js';
import { parserText } from './parser-text.js';
import { ambient, baseOrder, isPrivate, reach, resolveModule } from './resolve.js';
import { secondReading } from './second-reading.js';
import { canName } from './usings.js';
import { writing } from './writing.js';

const OPERATORS = [
  '+',
  '-',
  '*',
  '/',
  '%',
  '&',
  '|',
  '^',
  '<<',
  '>>',
  '>>>',
  '==',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  '!',
  '~',
  '++',
  '--',
];
/** Operators that a compound assignment (`+=`) calls, too. */
const COMPOUND = ['+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>', '>>>'];

export const csharp: Language = {
  id: 'csharp',
  extensions: ['.cs'],
  grammarFor: () => 'csharp',
  parserText,
  secondReading,
  extract,
  configFiles: BUILD_FILES,
  docstrings: false,
  bareMembers: true,
  interfacesLend: false,
  basesClash: false,
  staticsOnObjects: false,
  typesOnlyRoles: new Set([R.type, R.base, R.newCallee, R.decorator]),
  methodsApart: false,
  localsFromDeclaration: false,
  typeArgumentRoles: new Set([R.type, R.base, R.newCallee]),
  rawTypes: false,
  classBodyNames: false,
  basicTypes: CSHARP_BASIC_TYPES,
  joinsTexts: true,
  offside: false,
  overloads: true,
  gathersWhole: true,
  arityInNames: true,
  infersFromArguments: true,
  defaultsOfCalled: true,
  attributesConstruct: true,
  patternsTakeAll: true,
  unpacksWhole: true,
  staticsOnValues: false,
  callableClasses: false,
  importsFiles: false,
  importsAreOffered: false,
  runBefore: undefined,
  decoratorsReplace: false,
  plainDecorators: new Set(),
  headersRunOutside: false,
  staticClasses: true,
  privateToOutermost: false,
  initializersSeeObject: false,
  innerClasses: false,
  finalConstants: false,
  basesApart: 'never',
  followsValues: false,
  leavesMembersBelow: false,
  ordersAssignments: false,
  checksTypes: true,
  structural: false,
  componentsAreCalled: false,
  instancesHaveStatics: false,
  constructorName: '<init>',
  constructorsSpellClass: true,
  namedAsClass: (name) => ['<clinit>', `~${name}`],
  implicitConstructors: [],
  runBehindConstructor: [],
  runsDelegate: 'Invoke',
  callMember: undefined,
  functionsForInterfaces: false,
  iteratorSteps: [],
  functionMembers: new Map(),
  operatorMembers: {
    ...Object.fromEntries(OPERATORS.map((operator) => [operator, [`operator${operator}`]])),
    ...Object.fromEntries(COMPOUND.map((operator) => [`${operator}=`, [`operator${operator}`]])),
    with: ['Dispose', 'DisposeAsync'],
    for: ['GetEnumerator', 'GetAsyncEnumerator'],
    parts: ['Deconstruct'],
    index: ['this[]'],
  },
  unseenMembers: new Set([
    ...['operator(implicit)', 'operator(explicit)', 'GetAwaiter', 'Add', 'ToString', 'Equals', 'GetHashCode'],
    // Clauses of a query, `from x in q where …`.
    ...['Select', 'SelectMany', 'Where', 'OrderBy', 'OrderByDescending', 'ThenBy', 'ThenByDescending', 'GroupBy'],
    ...['Join', 'GroupJoin', 'Cast'],
  ]),
  library: LIBRARY,
  resolveModule,
  decoratorNames: (name) => [`${name}Attribute`],
  decoratorSpelling: (declared) => (/.Attribute$/.test(declared) ? declared.slice(0, -'Attribute'.length) : undefined),
  ambient,
  isBuiltin: (name) => isLibraryName(name),
  canName,
  baseOrder,
  isPrivate,
  reach,
  publishedBy: F.public | F.protected,
  publishesWhole: true,
  interfaceName: /^I\p{Lu}/u,
  overridesTakeFewer: false,
  overridesAreSaid: true,
  writing,
};
