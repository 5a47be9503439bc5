/**
 * How Python spells keyword arguments, imports and stubs.
 *
 * A module inside a package can be named from the package's root or relative to the importing
 * file; which of the two a rewrite takes follows the import that it replaces.
 */
import type { RepoView } from '../language.js';
import type { AsyncWriting, ImportRequest, PropertyWriting, SourceWriting, TypeNames } from '../writing.js';

const asyncWriting: AsyncWriting = {
  awaitables: new Set(['Awaitable', 'Coroutine']),
  keywordAt(header, name) {
    const at = header.lastIndexOf('def', name);
    return at < 0 ? undefined : at;
  },
  returnType: undefined,
  space: undefined,
  decoratorsWrap: true,
  awaitsAtTop: false,
  joinsLines: false,
  resultMembers: new Set(['add_done_callback']),
  takers: new Set([
    'run',
    'create_task',
    'ensure_future',
    'gather',
    'wait',
    'wait_for',
    'shield',
    'run_until_complete',
  ]),
  runners: new Set([]),
  plainDecorators: new Set(['staticmethod', 'classmethod', 'abstractmethod', 'override', 'final', 'typing', 'abc']),
  barred: [],
};

const propertyWriting: PropertyWriting = {
  fromMethod: ({ text, start, name, nameEnd }) => {
    const line = text.lastIndexOf('\n', name) + 1;
    const indent = /^([ \t]*)def\s+$/.exec(text.slice(line, name))?.[1];
    const isPlain = /^\s*\(\s*\w+\s*,?\s*\)/.test(text.slice(nameEnd)) && !text.slice(start, line).includes('@');
    return indent === undefined || !isPlain
      ? undefined
      : [{ start: line, end: line, text: `${indent}@property${text.includes('\r\n') ? '\r\n' : '\n'}` }];
  },
  toMethod: ({ text, start, name }) => {
    const decorator = /@property[ \t]*\r?\n[ \t]*(?=def\s+$)/.exec(text.slice(start, name));
    return decorator === null
      ? undefined
      : [{ start: start + decorator.index, end: start + decorator.index + decorator[0].length, text: '' }];
  },
};

const KEYWORDS =
  'False None True and as assert async await break class continue def del elif else except finally ' +
  'for from global if import in is lambda nonlocal not or pass raise return try while with yield';

/** What is told its own name, which checkers compare with the variable's. */
const NAMED_IN_VALUE =
  /^[ \t]*(?::[^=\n]*)?=\s*(?:\w+\.)*(?:TypeVar|TypeVarTuple|ParamSpec|NewType|NamedTuple|namedtuple|TypedDict)\(\s*["']/;

/** `typing.List[str]`, `List[str]` and `list[str]` are one type: PEP 585; short names of modules as they are common. */
const typeNames: TypeNames = {
  modules: /^(?:typing|typing_extensions|t|te|collections\.abc|cabc|builtins)\./u,
  synonyms: new Map([
    ['List', 'list'],
    ['Dict', 'dict'],
    ['Set', 'set'],
    ['FrozenSet', 'frozenset'],
    ['Tuple', 'tuple'],
    ['Type', 'type'],
    ['Text', 'str'],
    ['collections.abc.Set', 'typing.AbstractSet'],
    ['cabc.Set', 'typing.AbstractSet'],
    ['Deque', 'collections.deque'],
    ['DefaultDict', 'collections.defaultdict'],
    ['OrderedDict', 'collections.OrderedDict'],
    ['Counter', 'collections.Counter'],
    ['Pattern', 're.Pattern'],
    ['Match', 're.Match'],
    ['ContextManager', 'contextlib.AbstractContextManager'],
    ['AsyncContextManager', 'contextlib.AbstractAsyncContextManager'],
  ]),
};

export const writing: SourceWriting = {
  namedInValue: NAMED_IN_VALUE,
  keywords: new Set(KEYWORDS.split(' ')),
  emptied: ({ text, fields, results, indent }) => {
    const lines = [...fields.map(({ head, value = '...' }) => head + value), ...results];
    // A lone ellipsis is how a protocol or an overload says that it has no body.
    if (lines.length === 0) return text.trim() === '...' ? undefined : 'return ...';
    return lines.join(indent === undefined ? '; ' : `\n${indent}`);
  },
  async: asyncWriting,
  throws: undefined,
  orNone: '',
  typeNames,
  constraintsIn: undefined,
  property: propertyWriting,
  keywordArgument: (name, value) => `${name}=${value}`,
  fewValues: new Map([['bool', ['True', 'False']]]),
  specifiers,
  importStatement: (specifier, name, alias) =>
    `from ${specifier} import ${name}${alias === undefined ? '' : ` as ${alias}`}`,
  checkersGuard: /^if[ \t]+((?:[A-Za-z_]\w*\.)?TYPE_CHECKING)[ \t]*:/,
  unevaluated: { module: '__future__', name: 'annotations' },
  listsNames: true,
  stub: (header) => [
    `${header
      .replace(/^[ \t]*@[\w.]*abstractmethod\b[^\n]*\n/gm, '')
      .replace(/:\s*$/, '')
      .trim()}:`,
    '\traise NotImplementedError',
  ],
};

function specifiers({ from, target, like, likeTarget, repo }: ImportRequest): readonly string[] {
  const path = modulePath(target);
  const absolute = absoluteNames(path, like, likeTarget === undefined ? undefined : modulePath(likeTarget), repo);
  const relative = relativeName(from, path, repo);
  if (relative === undefined) return absolute;
  return like?.startsWith('.') === true ? [relative, ...absolute] : [...absolute, relative];
}

/** Parts of a module's dotted path from the repository's root; a package is named by its directory. */
function modulePath(file: string): readonly string[] {
  const parts = file.replace(/\.pyi?$/, '').split('/');
  return parts[parts.length - 1] === '__init__' ? parts.slice(0, -1) : parts;
}

function absoluteNames(
  path: readonly string[],
  like: string | undefined,
  likePath: readonly string[] | undefined,
  repo: RepoView,
): string[] {
  const skipped: number[] = [];
  if (like !== undefined && likePath !== undefined && !like.startsWith('.'))
    skipped.push(Math.max(0, likePath.length - like.split('.').length));
  skipped.push(rootDepth(path, repo), 0);
  return [...new Set(skipped)].filter((count) => count < path.length).map((count) => path.slice(count).join('.'));
}

/** How many leading directories are no packages. */
function rootDepth(path: readonly string[], repo: RepoView): number {
  let depth = path.length - 1;
  while (depth > 0 && repo.hasFile(`${path.slice(0, depth).join('/')}/__init__.py`)) depth--;
  return depth;
}

/** Undefined where the dots would lead above the outermost package. */
function relativeName(from: string, path: readonly string[], repo: RepoView): string | undefined {
  const here = from.split('/').slice(0, -1);
  let shared = 0;
  while (shared < here.length && shared < path.length && here[shared] === path[shared]) shared++;
  const isPackage = (length: number): boolean => repo.hasFile([...here.slice(0, length), '__init__.py'].join('/'));
  // Where folders need no `__init__`, any but the root may be a package.
  if (shared < here.length && !isPackage(shared) && (shared === 0 || isPackage(here.length))) return undefined;
  return '.'.repeat(here.length - shared + 1) + path.slice(shared).join('.');
}
