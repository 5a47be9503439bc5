/**
 * How C# spells named arguments, usings and stubs. A using brings in a whole namespace, so moving a
 * type asks for the namespace, not for the type.
 */
import type { AsyncWriting, SourceWriting } from '../writing.js';
import { propertyWriting } from './property-writing.js';

const asyncWriting: AsyncWriting = {
  awaitables: new Set(['Task', 'ValueTask']),
  keywordAt: (_header, _name, type) => (type < 0 ? undefined : type),
  returnType: (written) => (written === 'void' ? 'Task' : `Task<${written}>`),
  space: 'System.Threading.Tasks',
  decoratorsWrap: false,
  awaitsAtTop: true,
  joinsLines: false,
  resultMembers: new Set(['ContinueWith', 'ConfigureAwait', 'GetAwaiter']),
  takers: new Set(['WhenAll', 'WhenAny', 'Run']),
  runners: new Set([]),
  plainDecorators: new Set([]),
  barred: [
    {
      reason: 'the call is in a lock, which nothing can await in',
      block: /\block\s*\([^{};]*\)$/,
      within: /\block\s*\([^()]*(?:\([^()]*\)[^()]*)*\)[^;]*$/,
    },
    // The source of the first `from` alone may await.
    {
      reason: 'the call is in a query, which cannot await',
      within: /\bfrom\s[^;]*?\sin\s[^;]*\b(?:where|select|let|orderby|group|join|from)\b[^;]*$/,
    },
  ],
};

const KEYWORDS =
  'abstract as base bool break byte case catch char checked class const continue decimal default ' +
  'delegate do double else enum event explicit extern false finally fixed float for foreach goto if ' +
  'implicit in int interface internal is lock long namespace new null object operator out override ' +
  'params private protected public readonly ref return sbyte sealed short sizeof stackalloc static ' +
  'string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual ' +
  'void volatile while';

/** The setter of a property, with the word in front of it that says who may use it. */
const GETTER = /\b(private|protected)\s+(?:internal\s+|protected\s+)?get\s*(?:;|\{|=>)/u;
const SETTER = /\b(?:(private|protected|internal)\s+)*(set|init)\s*(?:;|\{|=>)/u;

export const writing: SourceWriting = {
  keywords: new Set(KEYWORDS.split(' ')),
  typesFirst: true,
  // A constructor's call of another one belongs to what runs.
  emptied: ({ text }) => (text.startsWith('=>') ? '=> default;' : '{}'),
  async: asyncWriting,
  throws: undefined,
  typeNames: undefined,
  orNone: '?',
  constraintsIn: (header, name) =>
    new RegExp(`\\bwhere\\s+${name}\\s*:([^]*?)(?=\\bwhere\\s+\\w+\\s*:|[{;]|=>|$)`, 'u')
      .exec(header)?.[1]
      ?.replace(/\s+/g, ' ')
      .trim() ?? '',
  readFrom: (member) => {
    const reach = GETTER.exec(member)?.[1];
    return reach === 'private' ? 'class' : reach === 'protected' ? 'subclasses' : undefined;
  },
  setFrom: (member) => {
    const [, reach, word] = SETTER.exec(member) ?? [];
    if (word === 'init') return 'construction';
    return reach === 'private' ? 'class' : reach === 'protected' ? 'subclasses' : undefined;
  },
  mustBeGiven: (member) => /^[^{=;]*\brequired\s/u.test(member),
  givesAll: new Set(['SetsRequiredMembers', 'SetsRequiredMembersAttribute']),
  property: propertyWriting,
  keywordArgument: (name, value) => `${name}: ${value}`,
  fewValues: new Map([
    ['bool', ['true', 'false']],
    ['Boolean', ['true', 'false']],
  ]),
  // CA1068 of the .NET code analysis.
  lastParameter: 'CancellationToken',
  specifiers: ({ space }) => (space === '' ? [] : [space]),
  importStatement: (specifier) => `using ${specifier};`,
  listsNames: false,
  libraryFirst: 'System',
  repeatedMember: (header) => `public abstract ${header.trim().replace(/^public\s+/, '')}`,
  stub: (header, name, inInterface) => {
    const plain = header.replace(/;\s*$/, '').trim();
    const own = inInterface
      ? /^(?:public|internal|protected|private)\b/.test(plain)
        ? plain
        : `public ${plain}`
      : plain.replace(/\babstract\b/, 'override');
    const thrown = `throw new System.NotImplementedException("${name}");`;
    const accessors = /^([^{]*\S)\s*\{([^{}]*)\}$/.exec(own);
    if (accessors === null) return [own, '{', `\t${thrown}`, '}'];
    const [, declared = own, list = ''] = accessors;
    const wanted = list
      .split(';')
      .map((accessor) => accessor.trim())
      .filter((accessor) => accessor !== '');
    return wanted.join() === 'get'
      ? [`${declared} => ${thrown}`]
      : [declared, '{', ...wanted.map((accessor) => `\t${accessor} => ${thrown}`), '}'];
  },
};
