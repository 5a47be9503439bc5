/**
 * How C# spells named arguments, usings and stubs. A using brings in a whole namespace, so moving a
 * type asks for the namespace, not for the type.
 */
import type { AsyncWriting, SourceWriting } from '../writing.js';

const asyncWriting: AsyncWriting = {
  awaitables: new Set(['Task', 'ValueTask']),
  keywordAt: (_header, _name, type) => (type < 0 ? undefined : type),
  returnType: (written) => (written === 'void' ? 'Task' : `Task<${written}>`),
  space: 'System.Threading.Tasks',
  decoratorsWrap: false,
  joinsLines: false,
};

export const writing: SourceWriting = {
  async: asyncWriting,
  keywordArgument: (name, value) => `${name}: ${value}`,
  fewValues: new Map([['bool', ['true', 'false']], ['Boolean', ['true', 'false']]]),
  specifiers: ({ space }) => (space === '' ? [] : [space]),
  importStatement: (specifier) => `using ${specifier};`,
  listsNames: false,
  stub: (header, name, inInterface) => {
    const plain = header.replace(/;\s*$/, '').trim();
    const own = inInterface ? (/^(?:public|internal|protected|private)\b/.test(plain) ? plain : `public ${plain}`) : plain.replace(/\babstract\b/, 'override');
    return [own, '{', `\tthrow new System.NotImplementedException("${name}");`, '}'];
  },
};
