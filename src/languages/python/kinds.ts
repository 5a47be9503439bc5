/**
 * The grammar's node kinds and fields as small numbers that are the same for every run.
 *
 * The grammar numbers its kinds as it likes and gives several numbers to one name. Extraction
 * asks "is this an identifier?" for every node, so each grammar's table is translated once to
 * the numbers here: comparing and dispatching is then an array read. Kind 0 is anything that
 * extraction does not tell apart: punctuation, keywords, ERROR.
 */
import type { FlatTree } from '../../syntax/flat-tree.js';
import { ERROR_KIND } from '../../syntax/flat-tree.js';

const KIND_NAMES = [
  'other',
  'identifier',
  'attribute',
  'subscript',
  'call',
  'argument_list',
  'keyword_argument',
  'list_splat',
  'dictionary_splat',
  'list_splat_pattern',
  'dictionary_splat_pattern',
  'parenthesized_expression',
  'parenthesized_list_splat',
  'binary_operator',
  'boolean_operator',
  'comparison_operator',
  'not_operator',
  'unary_operator',
  'conditional_expression',
  'named_expression',
  'lambda',
  'lambda_parameters',
  'await',
  'yield',
  'string',
  'concatenated_string',
  'string_start',
  'string_content',
  'string_end',
  'interpolation',
  'format_expression',
  'format_specifier',
  'type_conversion',
  'escape_sequence',
  'escape_interpolation',
  'integer',
  'float',
  'true',
  'false',
  'none',
  'ellipsis',
  'list',
  'set',
  'tuple',
  'dictionary',
  'pair',
  'expression_list',
  'list_comprehension',
  'set_comprehension',
  'dictionary_comprehension',
  'generator_expression',
  'for_in_clause',
  'if_clause',
  'slice',
  'pattern_list',
  'tuple_pattern',
  'list_pattern',
  'as_pattern',
  'as_pattern_target',
  'type',
  'generic_type',
  'union_type',
  'constrained_type',
  'member_type',
  'splat_type',
  'type_parameter',
  'expression_statement',
  'assignment',
  'augmented_assignment',
  'return_statement',
  'if_statement',
  'elif_clause',
  'else_clause',
  'for_statement',
  'while_statement',
  'try_statement',
  'except_clause',
  'finally_clause',
  'with_statement',
  'with_clause',
  'with_item',
  'match_statement',
  'case_clause',
  'case_pattern',
  'class_pattern',
  'keyword_pattern',
  'dict_pattern',
  'union_pattern',
  'splat_pattern',
  'complex_pattern',
  'dotted_name',
  'import_statement',
  'import_from_statement',
  'future_import_statement',
  'aliased_import',
  'relative_import',
  'import_prefix',
  'wildcard_import',
  'global_statement',
  'nonlocal_statement',
  'delete_statement',
  'assert_statement',
  'raise_statement',
  'type_alias_statement',
  'function_definition',
  'class_definition',
  'decorated_definition',
  'decorator',
  'parameters',
  'default_parameter',
  'typed_parameter',
  'typed_default_parameter',
  'keyword_separator',
  'positional_separator',
  'block',
  'module',
  'pass_statement',
  'break_statement',
  'continue_statement',
  'print_statement',
  'exec_statement',
  'chevron',
  'comment',
  'line_continuation',
  'async',
  'from',
] as const;
export type KindName = (typeof KIND_NAMES)[number];

/** Number of each kind. */
export const K: Readonly<Record<KindName, number>> = numbered(KIND_NAMES);
export const KIND_COUNT = KIND_NAMES.length;

const FIELD_NAMES = [
  'none',
  'name',
  'value',
  'type',
  'left',
  'right',
  'body',
  'function',
  'arguments',
  'object',
  'attribute',
  'subscript',
  'operator',
  'operators',
  'argument',
  'parameters',
  'return_type',
  'type_parameters',
  'superclasses',
  'definition',
  'condition',
  'consequence',
  'alternative',
  'alias',
  'module_name',
  'subject',
  'guard',
  'key',
  'expression',
  'cause',
  'code',
] as const;
type FieldName = (typeof FIELD_NAMES)[number];

/** Number of each field. */
export const FIELD: Readonly<Record<FieldName, number>> = numbered(FIELD_NAMES);

function numbered<T extends string>(names: readonly T[]): Record<T, number> {
  return Object.fromEntries(names.map((name, i) => [name, i])) as Record<T, number>;
}

/** Translation of one grammar's numbers. */
export interface Vocabulary {
  readonly kind: Uint8Array;
  readonly field: Uint8Array;
}

const vocabularies = new WeakMap<readonly string[], Vocabulary>();

export function vocabularyOf(tree: FlatTree): Vocabulary {
  let known = vocabularies.get(tree.kindNames);
  if (known === undefined) {
    // ERROR has the highest kind number there is, so the table has a place for it.
    const kind = new Uint8Array(ERROR_KIND + 1);
    tree.kindNames.forEach((name, number) => (kind[number] = numberOf(K, name)));
    const field = Uint8Array.from(tree.fieldNames, (name) => (name === null ? 0 : numberOf(FIELD, name)));
    known = { kind, field };
    vocabularies.set(tree.kindNames, known);
  }
  return known;
}

function numberOf(table: Readonly<Record<string, number>>, name: string): number {
  return Object.hasOwn(table, name) ? (table[name] as number) : 0;
}
