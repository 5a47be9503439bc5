/**
 * How Java spells imports and stubs. A type is imported by its package, whatever file holds it.
 */
import type { SourceWriting } from '../writing.js';
import { throwsWriting } from './throws-writing.js';

export const writing: SourceWriting = {
  emptied: ({ text }) => (text.startsWith('{') ? '{}' : undefined),
  async: undefined,
  throws: throwsWriting,
  property: undefined,
  keywordArgument: undefined,
  fewValues: new Map([
    ['boolean', ['true', 'false']],
    ['Boolean', ['true', 'false']],
  ]),
  specifiers: ({ space }) => (space === '' ? [] : [space]),
  importStatement: (specifier, name) => `import ${specifier}.${name};`,
  listsNames: false,
  stub: (header, name, inInterface) => {
    const plain = header
      .replace(/;\s*$/, '')
      .replace(/\babstract\s+/, '')
      .trim();
    return [
      '@Override',
      `${inInterface && !/\bpublic\b/.test(plain) ? 'public ' : ''}${plain} {`,
      `\tthrow new UnsupportedOperationException("${name} is not implemented");`,
      '}',
    ];
  },
};
