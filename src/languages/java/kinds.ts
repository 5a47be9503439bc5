/**
 * The node kinds and fields of the Java grammar that extraction asks about.
 */
import { vocabulary } from '../../syntax/vocabulary.js';

export const VOCABULARY = vocabulary({
  kinds: [
    'scoped_identifier identifier element_value_pair type_parameters superclass super_interfaces',
    'extends_interfaces permits = block_comment this super class_literal method_invocation binary_expression',
    'string_fragment formal_parameter spread_parameter receiver_parameter variable_declarator modifiers',
    'type_parameter type_identifier type_bound throws block formal_parameters static asterisk public protected',
    'private abstract final marker_annotation annotation class_body type_arguments generic_type dimensions',
    'dimensions_expr new record_pattern_body record_pattern local_variable_declaration class_declaration',
    'interface_declaration enum_declaration record_declaration annotation_type_declaration if_statement',
    'while_statement instanceof_expression parenthesized_expression unary_expression catch_type switch_label',
    'pattern expression_statement switch_rule type_list scoped_type_identifier array_initializer',
    'element_value_array_initializer enum_constant field_declaration constant_declaration field_access',
    'array_access cast_expression update_expression assignment_expression ternary_expression string_literal',
    'character_literal decimal_integer_literal hex_integer_literal octal_integer_literal',
    'binary_integer_literal decimal_floating_point_literal hex_floating_point_literal true false null_literal',
    'array_type annotated_type integral_type floating_point_type boolean_type void_type wildcard',
    'method_declaration constructor_declaration compact_constructor_declaration',
    'annotation_type_element_declaration lambda_expression explicit_constructor_invocation package_declaration',
    'import_declaration module_declaration requires_module_directive exports_module_directive',
    'opens_module_directive uses_module_directive provides_module_directive object_creation_expression',
    'array_creation_expression method_reference type_pattern do_statement for_statement enhanced_for_statement',
    'try_with_resources_statement resource catch_clause catch_formal_parameter assert_statement',
    'throw_statement return_statement yield_statement labeled_statement break_statement continue_statement',
    'switch_expression',
  ],
  fields: [
    'name arguments key value body parameters type declarator dimensions object field type_arguments operator',
    'left right condition type_parameters constructor pattern alternative init resources',
  ],
  names: 'identifier type_identifier',
  memberField: 'field',
});
export type JavaKind = keyof typeof VOCABULARY.kind;
export const K = VOCABULARY.kind;
export const FIELD = VOCABULARY.field;
