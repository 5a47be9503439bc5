/**
 * The node kinds and fields of the Python grammar that extraction asks about.
 */
import { vocabulary } from '../../syntax/vocabulary.js';

export const VOCABULARY = vocabulary({
  kinds: [
    'identifier attribute subscript call argument_list keyword_argument list_splat dictionary_splat',
    'list_splat_pattern dictionary_splat_pattern parenthesized_expression parenthesized_list_splat',
    'binary_operator boolean_operator comparison_operator not_operator unary_operator conditional_expression',
    'named_expression lambda await yield string concatenated_string string_start string_content string_end',
    'interpolation format_specifier type_conversion integer float true false none ellipsis list set tuple',
    'dictionary pair expression_list list_comprehension set_comprehension dictionary_comprehension',
    'generator_expression for_in_clause if_clause slice pattern_list tuple_pattern list_pattern as_pattern',
    'as_pattern_target type generic_type union_type constrained_type member_type splat_type type_parameter',
    'expression_statement assignment augmented_assignment return_statement if_statement elif_clause',
    'else_clause for_statement while_statement try_statement except_clause finally_clause with_statement',
    'with_clause with_item match_statement case_clause case_pattern class_pattern keyword_pattern dict_pattern',
    'union_pattern splat_pattern dotted_name import_statement import_from_statement future_import_statement',
    'aliased_import wildcard_import global_statement nonlocal_statement delete_statement assert_statement',
    'raise_statement type_alias_statement function_definition class_definition decorated_definition decorator',
    'default_parameter typed_parameter typed_default_parameter keyword_separator positional_separator block',
    'module pass_statement break_statement continue_statement async from',
  ],
  fields: [
    'name value type left right body function arguments object attribute operator operators argument',
    'parameters return_type type_parameters superclasses definition condition consequence alternative alias',
    'module_name subject key',
  ],
  names: 'identifier',
  memberField: 'attribute',
});
export type PythonKind = keyof typeof VOCABULARY.kind;
export const K = VOCABULARY.kind;
export const FIELD = VOCABULARY.field;
