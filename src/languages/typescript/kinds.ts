/**
 * The node kinds and fields of the TypeScript, TSX and JavaScript grammars that extraction asks about.
 */
import { vocabulary } from '../../syntax/vocabulary.js';

export const VOCABULARY = vocabulary({
  kinds: [
    'abstract class_heritage extends_clause implements_clause type_arguments decorator method_definition',
    'method_signature abstract_method_signature public_field_definition field_definition class_static_block',
    'index_signature arrow_function function_expression generator_function class comment satisfies_expression',
    'member_expression identifier string template_string spread_element template_substitution',
    'private_property_identifier parenthesized_expression this expression_statement as_expression *',
    'import_statement export_statement statement_block type_annotation type_predicate_annotation',
    'asserts_annotation opting_type_annotation omitting_type_annotation adding_type_annotation constraint',
    'default_type type_parameter required_parameter optional_parameter rest_pattern assignment_pattern',
    'object_pattern array_pattern jsx_attribute jsx_expression jsx_namespace_name accessibility_modifier',
    'override_modifier static async readonly get set ? class_body call_expression import_require_clause',
    'import_clause type typeof namespace_import named_imports import_specifier import',
    'shorthand_property_identifier_pattern pair_pattern property_identifier object pair',
    'shorthand_property_identifier assignment_expression unary_expression export_specifier namespace_export',
    'computed_property_name return_statement throw_statement continue_statement break_statement',
    'binary_expression object_assignment_pattern , function_declaration generator_function_declaration',
    'function_signature class_declaration abstract_class_declaration interface_declaration enum_declaration',
    'type_alias_declaration lexical_declaration variable_declaration ambient_declaration',
    'internal_module module import_alias global nested_identifier variable_declarator null undefined default',
    'export_clause = namespace if_statement of extends_type_clause property_signature call_signature',
    'construct_signature mapped_type_clause const enum_assignment object_type intersection_type',
    'parenthesized_type lookup_type constructor_type literal_type predefined_type type_predicate',
    'type_identifier true false regex number super meta_property sequence_expression non_null_expression',
    'subscript_expression new_expression array update_expression augmented_assignment_expression',
    'ternary_expression type_assertion instantiation_expression await_expression yield_expression function',
    'jsx_element jsx_fragment jsx_self_closing_element switch_body for_statement for_in_statement catch_clause',
    'labeled_statement generic_type nested_type_identifier array_type tuple_type union_type readonly_type',
    'optional_type rest_type flow_maybe_type function_type conditional_type infer_type index_type_query',
    'type_query asserts this_type try_statement finally_clause switch_statement switch_default switch_case',
    'while_statement',
  ],
  phrases: ['static get'],
  fields: [
    'body name type_parameters property value type object index function type_arguments arguments constructor',
    'operator left right argument condition consequence alternative return_type constraint parameter',
    'parameters pattern open_tag close_tag source alias key declaration kind index_type',
  ],
  names: 'identifier type_identifier shorthand_property_identifier shorthand_property_identifier_pattern',
  members: 'property_identifier private_property_identifier',
});
export type TypeScriptKind = keyof typeof VOCABULARY.kind;
export const K = VOCABULARY.kind;
export const FIELD = VOCABULARY.field;
