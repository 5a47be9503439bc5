/**
 * The predefined types of C#: what is converted to what without a word. Source: the C# language specification, 10.2.3
 * (implicit numeric conversions), 10.2.11 (constant expressions), 12.4.7 (numeric promotions).
 */
import type { BasicTypes } from '../language.js';

const WIDENS: Readonly<Record<string, string>> = {
  sbyte: 'short int long float double decimal',
  byte: 'short ushort int uint long ulong float double decimal',
  short: 'int long float double decimal',
  ushort: 'int uint long ulong float double decimal',
  char: 'ushort int uint long ulong float double decimal',
  int: 'long float double decimal',
  uint: 'long ulong float double decimal',
  long: 'float double decimal',
  ulong: 'float double decimal',
  float: 'double',
  double: '',
  decimal: '',
  bool: '',
};

export const CSHARP_BASIC_TYPES: BasicTypes = {
  aliases: new Map([
    ['str', 'string'],
    ['String', 'string'],
    ['Boolean', 'bool'],
    ['SByte', 'sbyte'],
    ['Byte', 'byte'],
    ['Int16', 'short'],
    ['UInt16', 'ushort'],
    ['Char', 'char'],
    ['Int32', 'int'],
    ['UInt32', 'uint'],
    ['Int64', 'long'],
    ['UInt64', 'ulong'],
    ['Single', 'float'],
    ['Double', 'double'],
    ['Decimal', 'decimal'],
  ]),
  conversions: new Map<string, readonly string[]>([
    ...Object.entries(WIDENS).map(([name, wider]): [string, readonly string[]] => [
      name,
      [...(wider === '' ? [] : wider.split(' ')), 'object'],
    ]),
    ['string', ['object']],
  ]),
  constants: { from: 'int', to: new Set(['sbyte', 'byte', 'short', 'ushort', 'uint', 'ulong']) },
  ranks: ['int', 'uint', 'long', 'ulong', 'float', 'double', 'decimal'],
  small: new Set(['sbyte', 'byte', 'short', 'ushort', 'char']),
  boxes: new Map(),
  truth: 'bool',
  text: 'string',
};
