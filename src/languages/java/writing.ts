/**
 * How Java spells imports and stubs. A type is imported by its package, whatever file holds it.
 */
import type { SourceWriting } from '../writing.js';

export const writing: SourceWriting = {
  keywordArgument: undefined,
  specifiers: ({ space }) => (space === '' ? [] : [space]),
  importStatement: (specifier, name) => `import ${specifier}.${name};`,
  listsNames: false,
  failing: (member) => `throw new UnsupportedOperationException("${member} is not implemented");`,
  braces: true,
};
