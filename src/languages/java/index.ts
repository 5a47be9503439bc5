/**
 * The Java language value: what shared code knows about Java.
 *
 * What is and is not resolved, and on which side that errs: README.md.
 */
import { JAVA_BASIC_TYPES } from './basic-types.js';
import { F, R } from '../../syntax/summary.js';
import type { Language } from '../language.js';
import { extract } from './extract.js';
import { JAVA_LANG } from './java-lang.js';
import { LIBRARY } from './library.js';
import { ambient, baseOrder, isPrivate, reach, resolveModule } from './resolve.js';
import { secondReading } from './second-reading.js';
import { madeAccessors } from './made-accessors.js';
import { writing } from './writing.js';

export const java: Language = {
  id: 'java',
  extensions: ['.java'],
  grammarFor: () => 'java',
  secondReading,
  extract,
  configFiles: [],
  docstrings: false,
  bareMembers: true,
  interfacesLend: true,
  basesClash: true,
  staticsOnObjects: true,
  typesOnlyRoles: new Set([R.type, R.base, R.newCallee, R.decorator]),
  methodsApart: true,
  localsFromDeclaration: true,
  literalTypes: new Set(
    (
      'boolean Boolean byte Byte short Short int Integer long Long float Float double Double char Character Number ' +
      'String CharSequence Object Comparable Serializable Constable'
    ).split(' '),
  ),
  typeArgumentRoles: new Set([R.type, R.base, R.newCallee]),
  rawTypes: true,
  classBodyNames: false,
  basicTypes: JAVA_BASIC_TYPES,
  joinsTexts: true,
  offside: false,
  overloads: true,
  gathersWhole: true,
  arityInNames: false,
  infersFromArguments: false,
  defaultsOfCalled: false,
  attributesConstruct: false,
  madeAccessors,
  patternsTakeAll: true,
  unpacksWhole: false,
  staticsOnValues: true,
  callableClasses: false,
  importsFiles: false,
  importsAreOffered: false,
  runBefore: undefined,
  decoratorsReplace: false,
  plainDecorators: new Set(),
  headersRunOutside: false,
  staticClasses: false,
  privateToOutermost: true,
  initializersSeeObject: true,
  innerClasses: true,
  finalConstants: true,
  basesApart: 'always',
  followsValues: false,
  leavesMembersBelow: false,
  ordersAssignments: false,
  checksTypes: true,
  structural: false,
  componentsAreCalled: true,
  instancesHaveStatics: false,
  constructorName: '<init>',
  constructorsSpellClass: true,
  implicitConstructors: [],
  runBehindConstructor: [],
  runsDelegate: undefined,
  callMember: undefined,
  functionsForInterfaces: true,
  iteratorSteps: [],
  functionMembers: new Map(),
  operatorMembers: { with: ['close'], for: ['iterator'] },
  unseenMembers: new Set(['toString', 'equals', 'hashCode', 'compareTo', 'finalize', 'readObject', 'writeObject']),
  library: LIBRARY,
  resolveModule,
  ambient,
  isBuiltin: (name) => JAVA_LANG.has(name),
  baseOrder,
  isPrivate,
  reach,
  publishedBy: F.public | F.protected,
  overridesTakeFewer: false,
  overridesAreSaid: false,
  writing,
};
