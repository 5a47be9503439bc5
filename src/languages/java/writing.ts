/**
 * How Java spells imports and stubs. A type is imported by its package, whatever file holds it.
 */
import type { SourceWriting } from '../writing.js';
import { throwsWriting } from './throws-writing.js';

const KEYWORDS =
  'abstract assert boolean break byte case catch char class const continue default do double else ' +
  'enum extends false final finally float for goto if implements import instanceof int interface ' +
  'long native new null package private protected public return short static strictfp super switch ' +
  'synchronized this throw throws transient true try void volatile while _';

export const writing: SourceWriting = {
  keywords: new Set(KEYWORDS.split(' ')),
  typesFirst: true,
  parameterDefaults: false,
  filesSpellClass: true,
  emptied: ({ text }) => (text.startsWith('{') ? '{}' : undefined),
  async: undefined,
  throws: throwsWriting,
  typeNames: undefined,
  orNone: '',
  constraintsIn: undefined,
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
