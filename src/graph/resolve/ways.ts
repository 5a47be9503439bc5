/**
 * The ways in which a name is found to mean something, and a place to refer to a declaration.
 * Reports call them `via`.
 */

/** Each way, and what it says. */
export const WAYS = {
  scope: 'a scope around declares the name',
  'module scope': 'the file declares the name at its top',
  import: 'an import of the file brings it',
  ambient: 'no scope of the file declares the name; the language, the package or the project lends it',
  'module path': 'documentation names it by its whole path',
  'inherited from outside': 'the class around has a base outside of the repository, which may have it',
  'member of the class around': 'the class around has the member, which needs no receiver',
  member: 'a type of the receiver has the member',
  'member of a class below': 'the receiver leaves the member to classes below its own, which have it',
  'member from outside': 'the receiver comes from outside of the repository',
  'member of every object': 'the name is that of a member which every object has',
  'no such member': "the receiver's type is known and has no such member",
  'type argument': 'the receiver comes from outside and may hand out its type argument, which has the member',
  'made accessor': 'a generator may have made the member of a field with an annotation',
  'extension method': 'a static method that is called on its first argument',
  name: "the receiver's type is not known: every member of the name that the use could mean",
  overrides: 'a method of a class without a name overrides it',
  'export list': "a string in a module's list of exported names",
  'import table': 'a string in a mapping has it beside the name of its module',
  injected: 'a framework fills a parameter in by its name, or what a string asks for',
  flow: 'a followed value leads there, and no name does',
  'class value': 'what is called has a class as its type, and does not name it',
  alias: 'the name is that of something whose whole value is the definition',
  bases: 'a member of a derived class overrides it',
  constructor: 'making an object runs it',
  'constructor chain': 'a constructor calls it by `super` or `this`',
  syntax: 'an operator, an iteration or the like calls it without its name',
  'language server': "a person's language server stands for it",
  unresolved: 'nothing was found',
  cycle: 'the question came up within itself',
} as const;

export type Way = keyof typeof WAYS;
