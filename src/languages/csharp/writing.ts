/**
 * How C# spells named arguments, usings and stubs. A using brings in a whole namespace, so moving a
 * type asks for the namespace, not for the type.
 */
import type { SourceWriting } from '../writing.js';

export const writing: SourceWriting = {
  keywordArgument: (name, value) => `${name}: ${value}`,
  specifiers: ({ space }) => (space === '' ? [] : [space]),
  importStatement: (specifier) => `using ${specifier};`,
  listsNames: false,
  stub: (header, name, inInterface) => {
    const plain = header.replace(/;\s*$/, '').trim();
    const own = inInterface ? (/^(?:public|internal|protected|private)\b/.test(plain) ? plain : `public ${plain}`) : plain.replace(/\babstract\b/, 'override');
    return [own, '{', `\tthrow new System.NotImplementedException("${name}");`, '}'];
  },
};
