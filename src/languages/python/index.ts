/**
 * Python as a {@link Language}: extraction, resolution hooks, and which special methods syntax calls.
 *
 * Operators that stand before their operand are rows named `-@`, `+@`; `in` and `not in` ask
 * their right operand. Reflected methods are listed with their operator, since either operand
 * may answer.
 */
import type { Language } from '../language.js';
import { BUILTINS } from './builtins.js';
import { extract } from './extract.js';
import { injection } from './fixtures.js';
import { library } from './library.js';
import { ambient, baseOrder, isPrivate, packagesAround, reach, resolveModule, stubOf, submodule } from './resolve.js';
import { writing } from './writing.js';

const BINARY: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'truediv',
  '//': 'floordiv',
  '%': 'mod',
  '@': 'matmul',
  '**': 'pow',
  '<<': 'lshift',
  '>>': 'rshift',
  '&': 'and',
  '|': 'or',
  '^': 'xor',
};

function operators(): Record<string, readonly string[]> {
  const members: Record<string, readonly string[]> = {
    '==': ['__eq__'],
    '!=': ['__ne__', '__eq__'],
    '<>': ['__ne__'],
    '<': ['__lt__', '__gt__'],
    '>': ['__gt__', '__lt__'],
    '<=': ['__le__', '__ge__'],
    '>=': ['__ge__', '__le__'],
    in: ['__contains__'],
    'not in': ['__contains__'],
    not: ['__bool__', '__len__'],
    '-@': ['__neg__'],
    '+@': ['__pos__'],
    '~': ['__invert__'],
    with: ['__enter__', '__exit__'],
    'async with': ['__aenter__', '__aexit__'],
    for: ['__iter__', '__next__'],
    parts: ['__iter__', '__next__'],
    'async for': ['__aiter__', '__anext__'],
    index: ['__getitem__', '__setitem__', '__delitem__', '__missing__', '__class_getitem__'],
    call: ['__call__'],
    await: ['__await__'],
    // Rows that nobody wrote: `implied.ts`.
    truth: ['__bool__', '__len__'],
    text: ['__format__', '__str__', '__repr__'],
    hash: ['__hash__'],
  };
  for (const [operator, name] of Object.entries(BINARY)) {
    members[operator] = [`__${name}__`, `__r${name}__`];
    members[`${operator}=`] = [`__i${name}__`, `__${name}__`, `__r${name}__`];
  }
  return members;
}

const FUNCTION_MEMBERS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    len: ['__len__'],
    bool: ['__bool__', '__len__'],
    str: ['__str__', '__repr__'],
    repr: ['__repr__'],
    print: ['__str__', '__repr__'],
    format: ['__format__', '__str__'],
    bytes: ['__bytes__'],
    hash: ['__hash__'],
    int: ['__int__', '__index__', '__trunc__'],
    float: ['__float__', '__index__'],
    complex: ['__complex__', '__float__'],
    abs: ['__abs__'],
    round: ['__round__'],
    divmod: ['__divmod__'],
    next: ['__next__'],
    reversed: ['__reversed__', '__len__', '__getitem__'],
    dir: ['__dir__'],
    ...Object.fromEntries(
      ['iter', 'list', 'tuple', 'set', 'frozenset', 'sorted', 'sum', 'min', 'max', 'any', 'all', 'enumerate'].map(
        (name) => [name, ['__iter__', '__next__']],
      ),
    ),
  }),
);

export const python: Language = {
  id: 'python',
  extensions: ['.py', '.pyi'],
  grammarFor: () => 'python',
  extract,
  configFiles: ['pyproject.toml'],
  // That it is there says where a distribution begins.
  placingSettings: () => '',
  docstrings: true,
  bareMembers: false,
  interfacesLend: true,
  basesClash: false,
  staticsOnObjects: true,
  typesOnlyRoles: new Set(),
  methodsApart: false,
  localsFromDeclaration: false,
  typeArgumentRoles: new Set(),
  rawTypes: false,
  classBodyNames: true,
  joinsTexts: false,
  offside: true,
  overloads: false,
  gathersWhole: false,
  arityInNames: false,
  infersFromArguments: false,
  defaultsOfCalled: false,
  attributesConstruct: false,
  patternsTakeAll: false,
  unpacksWhole: true,
  staticsOnValues: true,
  callableClasses: true,
  importsFiles: true,
  importsAreOffered: true,
  folderFile: '__init__',
  stubTwin: (file) => (file.endsWith('i') ? file.slice(0, -1) : `${file}i`),
  isStub: (file) => file.endsWith('.pyi'),
  runBefore: packagesAround,
  decoratorsReplace: true,
  decoratorGives: () => [1],
  unitingOperator: '|',
  abstractByMembers: true,
  allocator: '__new__',
  nameMaker: '__getattr__',
  hashing: { hash: '__hash__', equal: '__eq__', data: 'dataclass', members: new Set(['add', 'discard', 'setdefault']) },
  plainDecorators: new Set([
    'staticmethod',
    'classmethod',
    'property',
    'cached_property',
    'getter',
    'setter',
    'deleter',
    'abstractmethod',
    'override',
    'final',
    'overload',
    'deprecated',
    'cache',
    'lru_cache',
    'wraps',
    'no_type_check',
  ]),
  classMakers: new Set([
    'namedtuple',
    'NamedTuple',
    'TypedDict',
    'Enum',
    'IntEnum',
    'StrEnum',
    'make_dataclass',
    'type',
  ]),
  headersRunOutside: true,
  staticClasses: false,
  privateToOutermost: false,
  initializersSeeObject: false,
  innerClasses: false,
  finalConstants: false,
  basesApart: 'never',
  followsValues: true,
  leavesMembersBelow: true,
  ordersAssignments: true,
  checksTypes: false,
  structural: true,
  componentsAreCalled: false,
  instancesHaveStatics: true,
  constructorName: '__init__',
  constructorsSpellClass: false,
  implicitConstructors: ['__new__', '__post_init__', '__attrs_post_init__'],
  runsDelegate: undefined,
  callMember: '__call__',
  functionsForInterfaces: false,
  patternMember: '__match_args__',
  slotsMember: '__slots__',
  iteratorSteps: ['__next__', '__anext__'],
  operatorMembers: operators(),
  descriptorMembers: { read: '__get__', write: '__set__' },
  functionMembers: FUNCTION_MEMBERS,
  library,
  resolveModule,
  submodule,
  stubOf,
  injection,
  ambient,
  isBuiltin: (name) => BUILTINS.has(name),
  baseOrder,
  isPrivate,
  reach,
  overridesTakeFewer: false,
  writing,
};
