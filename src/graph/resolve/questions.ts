/**
 * The kinds of questions that a resolver answers and remembers. What a question is about is a file
 * with a row of it or a word.
 */

/** Each kind, and what its answer is. */
export const QUESTIONS = {
  row: 'what a named row refers to',
  expression: 'the values of an expression',
  declaration: 'the values that a declared name has',
  'written type': 'the objects of a type as written',
  result: 'what a function returns, by its body',
  'expected type': 'the type that the place of an expression declares',
  'expected of literal': 'the sides of that type which an object literal may be',
  import: 'what an import binding stands for',
  export: 'what a module exports under a name',
  bodies: 'the declarations of one type',
  bases: 'the direct bases of a type',
  'search order': 'the classes in which members of a type are searched',
  'outside base': 'whether a type has a base outside of the repository',
  member: 'the member of a name that a type has',
  'inherited member': 'the same, its own members left out',
  overridden: 'the members that a member overrides',
  overriders: 'the members that override a member directly',
  'overriders without name': 'those of them in classes without a name',
  'classes below': 'the classes that derive from a type, by their bases as written',
  derived: 'the classes that name a type among their bases',
  satisfiers: 'the types that are given for a type without deriving from it',
  'functions given': 'the functions that are given where a function type is expected',
  'values of function type': 'the places that call a value of a function type, or fill it',
  'satisfied members': 'the members of such types that a member stands for',
  aliased: 'the functions and classes that are the whole value of a name',
  sites: 'the places that refer to a declaration',
  'direct sites': 'those that names and types lead to',
  'named sites': 'those that say its name',
  writes: 'those that assign to it',
  'implied calls': 'the special members that syntax calls in a file',
  'class calls': 'the calls in a file that make an object of a class which they do not name',
  'files around': 'the files that can hold an object of a class without saying its name',
  'members named': 'every member of a name',
  'fitting members': 'those that a call with such arguments can mean',
  extensions: 'the extension methods of a name',
  'other names': 'whether code can mean a declaration without saying its name',
  'spelling strings': 'the strings that spell a name',
  'spelling keys': 'the keys of object literals that spell a name',
  held: 'the values that an expression can give, followed',
  'held by receiver': 'the values that the receiver of a member can be, followed',
  'followed calls': "what a call runs that its callee's name does not say",
  'value rows': 'the rows that name a declaration for its value',
  'stores by name': 'where an attribute of this name is set that nothing declares',
  'reads by name': 'where an attribute of this name is read that nothing declares',
} as const;

export type QuestionKind = keyof typeof QUESTIONS;
