/**
 * The primitive types of Java, their boxes and `String`: what is converted to what in a call. Source: The Java Language
 * Specification, 5.1.2 (widening), 5.1.7 and 5.1.8 (boxing), 5.3 (invocation contexts), 5.6 (numeric promotion).
 */
import type { BasicTypes } from '../language.js';

const WIDENS: readonly (readonly [string, string, string])[] = [
  ['byte', 'Byte', 'short int long float double'],
  ['short', 'Short', 'int long float double'],
  ['char', 'Character', 'int long float double'],
  ['int', 'Integer', 'long float double'],
  ['long', 'Long', 'float double'],
  ['float', 'Float', 'double'],
  ['double', 'Double', ''],
  ['boolean', 'Boolean', ''],
];
const above = (box: string): string[] => [
  ...(box === 'Boolean' || box === 'Character' ? [] : ['Number']),
  'Comparable',
  'Serializable',
  'Constable',
  // A box is given as an object before it is opened.
  'Object',
];

export const JAVA_BASIC_TYPES: BasicTypes = {
  aliases: new Map([
    ['bool', 'boolean'],
    ['str', 'String'],
  ]),
  conversions: new Map<string, readonly string[]>([
    ...WIDENS.flatMap(([name, box, wider]): [string, readonly string[]][] => {
      const others = wider === '' ? [] : wider.split(' ');
      return [
        [name, [...others, box, ...above(box)]],
        [box, [...above(box), name, ...others]],
      ];
    }),
    ['String', ['CharSequence', 'Comparable', 'Serializable', 'Constable', 'Object']],
  ]),
  // A number that is written out is given for a smaller type in an assignment alone: which of the two it is, is not
  // told apart here.
  constants: { from: 'int', to: new Set(['byte', 'short', 'char', 'Byte', 'Short', 'Character']) },
  ranks: ['int', 'long', 'float', 'double'],
  small: new Set(['byte', 'short', 'char']),
  boxes: new Map(WIDENS.map(([name, box]) => [box, name])),
  truth: 'boolean',
  text: 'String',
};
