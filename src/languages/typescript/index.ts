/**
 * TypeScript and JavaScript as one language: three grammars, one extraction, one way of resolving.
 *
 * Files of both import each other freely, so they share an id, and with it one index of names.
 */
import { isClassLike, isFieldLike, R } from '../../syntax/summary.js';
import type { Language } from '../language.js';
import { CONFIG_FILES, placingSettings } from './configuration.js';
import { usingAsConst } from './disposal.js';
import { extract } from './extract.js';
import { PLATFORM_NAMES } from './globals.js';
import { LIBRARY } from './library.js';
import { ambient, baseOrder, isPrivate, ownDefault, reach, resolveModule } from './resolve.js';
import { entryFiles } from './module-files.js';
import { CALL_SIGNATURE, CONSTRUCT_SIGNATURE, INDEX_SIGNATURE } from './type-members.js';
import { secondReading } from './second-reading.js';
import { writing } from './writing.js';

export const typescript: Language = {
  id: 'typescript',
  keyTypes: true,
  extensions: ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'],
  grammarFor: (file) =>
    /\.tsx$/i.test(file) ? 'tsx' : /\.(?:jsx?|mjs|cjs)$/i.test(file) ? 'javascript' : 'typescript',
  parserText: usingAsConst,
  secondReading,
  extract,
  configFiles: CONFIG_FILES,
  placingSettings,
  docstrings: false,
  bareMembers: false,
  interfacesLend: true,
  basesClash: false,
  staticsOnObjects: false,
  typesOnlyRoles: new Set(),
  methodsApart: false,
  localsFromDeclaration: false,
  typeArgumentRoles: new Set([R.type, R.base]),
  rawTypes: false,
  classBodyNames: false,
  joinsTexts: true,
  offside: false,
  overloads: false,
  gathersWhole: false,
  arityInNames: false,
  infersFromArguments: false,
  defaultsOfCalled: false,
  attributesConstruct: false,
  patternsTakeAll: true,
  unpacksWhole: false,
  staticsOnValues: true,
  callableClasses: true,
  importsFiles: true,
  importsAreOffered: false,
  folderFile: 'index',
  runBefore: undefined,
  decoratorsReplace: false,
  // By the standard two: the value, and where it stands. The older ones give the place in parts.
  decoratorGives: (kind) => (isClassLike(kind) ? [1, 2] : isFieldLike(kind) ? [2] : [2, 3]),
  plainDecorators: new Set(),
  headersRunOutside: false,
  staticClasses: false,
  privateToOutermost: false,
  initializersSeeObject: true,
  innerClasses: false,
  finalConstants: false,
  basesApart: 'from classes',
  followsValues: false,
  leavesMembersBelow: false,
  ordersAssignments: false,
  checksTypes: true,
  structural: true,
  componentsAreCalled: false,
  instancesHaveStatics: false,
  constructorName: 'constructor',
  constructorsSpellClass: false,
  implicitConstructors: [],
  runBehindConstructor: [],
  runsDelegate: undefined,
  callMember: CALL_SIGNATURE,
  constructSignature: CONSTRUCT_SIGNATURE,
  functionsForInterfaces: false,
  constructMember: CONSTRUCT_SIGNATURE,
  iteratorSteps: [],
  functionMembers: new Map(),
  operatorMembers: {
    index: [INDEX_SIGNATURE],
    for: ['[Symbol.iterator]', '[Symbol.asyncIterator]'],
    parts: ['[Symbol.iterator]'],
  },
  unseenMembers: new Set([
    ...['toString', 'valueOf', 'toJSON', 'toLocaleString', '[Symbol.toPrimitive]', '[Symbol.hasInstance]'],
    // A loop with `using`, and what the library keeps to dispose of, are not followed.
    ...['[Symbol.dispose]', '[Symbol.asyncDispose]'],
  ]),
  library: LIBRARY,
  resolveModule,
  ownDefault,
  entryFiles,
  ambient,
  isBuiltin: (name) => PLATFORM_NAMES.has(name),
  baseOrder,
  isPrivate,
  reach,
  overridesTakeFewer: true,
  overridesAreSaid: false,
  writing,
};
