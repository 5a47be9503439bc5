/**
 * The node kinds and fields of the C# grammar that extraction asks about.
 */
import { vocabulary } from '../../syntax/vocabulary.js';

export const VOCABULARY = vocabulary({
  kinds: [
    'expression_statement attribute attribute_list preproc_if preproc_elif preproc_else preproc_if_in_attribute_list',
    'preproc_elif_in_attribute_list preproc_else_in_attribute_list attribute_argument_list attribute_argument',
    'modifier other public private protected internal file static abstract sealed virtual override readonly',
    'const new async partial class_declaration struct_declaration interface_declaration enum_declaration',
    'record_declaration type_parameter_list parameter_list base_list type_parameter_constraints_clause',
    'argument_list primary_constructor_base_type constructor_initializer explicit_interface_specifier',
    'predefined_type base this operator implicit variable_declaration variable_declarator',
    'bracketed_argument_list accessor_declaration arrow_expression_clause get set init comment generic_name',
    'identifier member_binding_expression element_binding_expression member_access_expression',
    'conditional_access_expression is_expression implicit_type argument declaration_expression out ref',
    'array_type initializer_expression assignment_expression with_initializer tuple_expression',
    'binary_expression switch_expression_arm when_clause interpolation preproc_region preproc_endregion',
    'preproc_line preproc_pragma preproc_nullable preproc_error preproc_warning parameter params',
    'type_parameter type_parameter_constraint constructor_constraint block implicit_object_creation_expression',
    'parenthesized_expression conditional_expression switch_expression implicit_parameter',
    'file_scoped_namespace_declaration global qualified_name alias_qualified_name discard constant_pattern',
    'type_pattern declaration_pattern var_pattern recursive_pattern negated_pattern parenthesized_pattern',
    'or_pattern and_pattern list_pattern invocation_expression property_pattern_clause',
    'positional_pattern_clause parenthesized_variable_designation subpattern tuple_pattern from_clause',
    'join_clause let_clause select_clause group_clause join_into_clause using switch_section catch_declaration',
    'tuple_element function_pointer_parameter type_argument_list array_rank_specifier enum_member_declaration',
    'delegate_declaration field_declaration event_field_declaration event_declaration property_declaration',
    'indexer_declaration method_declaration local_function_statement constructor_declaration',
    'destructor_declaration operator_declaration conversion_operator_declaration nullable_type pointer_type',
    'ref_type scoped_type tuple_type function_pointer_type element_access_expression',
    'object_creation_expression with_expression array_creation_expression stackalloc_expression',
    'implicit_array_creation_expression implicit_stackalloc_expression collection_expression spread_element',
    'anonymous_object_creation_expression prefix_unary_expression postfix_unary_expression cast_expression',
    'refvalue_expression as_expression is_pattern_expression await_expression throw_expression',
    'default_expression sizeof_expression typeof_expression checked_expression ref_expression range_expression',
    'interpolated_string_expression lambda_expression anonymous_method_expression null_literal',
    'character_literal integer_literal real_literal boolean_literal string_literal verbatim_string_literal',
    'raw_string_literal compilation_unit namespace_declaration using_directive extern_alias_directive',
    'global_attribute endsNamespace isNamespace namespaceAt namespacesOf seenFrom typesIn typesNamed usings',
    'name named from lookup local_declaration_statement using_statement for_statement fixed_statement',
    'foreach_statement switch_statement catch_clause return_statement yield_statement goto_statement',
    'labeled_statement',
    'query_expression',
  ],
  fields: [
    'name body type value returns operator accessors parameters expression condition function arguments right',
    'left subscript consequence alternative pattern qualifier alias',
  ],
  names: 'identifier',
  valued: 'this base',
});
export type CSharpKind = keyof typeof VOCABULARY.kind;
export const K = VOCABULARY.kind;
export const FIELD = VOCABULARY.field;
