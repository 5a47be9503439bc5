/**
 * The node kinds and fields of the C# grammar that extraction asks about, as numbers of our own.
 *
 * A grammar numbers its kinds afresh with each release and may give one name several numbers, so
 * code never sees them: `tagsOf` maps each grammar number to a tag, and tags index the table of
 * handlers. Comparing small integers is what makes the walk cheap beside the parse.
 */
import { ERROR_KIND, type FlatTree } from '../../syntax/flat-tree.js';

/** Tags by the grammar's name of the kind. Keywords stand under their text; 0 is every kind not listed. */
export const T = {
  other: 0, ERROR: 1, identifier: 2, generic_name: 3, qualified_name: 4, alias_qualified_name: 5, predefined_type: 6, nullable_type: 7, array_type: 8,
  pointer_type: 9, ref_type: 10, scoped_type: 11, tuple_type: 12, tuple_element: 13, function_pointer_type: 14, function_pointer_parameter: 15,
  implicit_type: 16, type_argument_list: 17, array_rank_specifier: 18, comment: 19,
  compilation_unit: 20, using_directive: 21, extern_alias_directive: 22, namespace_declaration: 23, file_scoped_namespace_declaration: 24,
  global_attribute: 25, attribute_list: 26, attribute: 27, attribute_argument_list: 28, attribute_argument: 29, attribute_target_specifier: 30,
  class_declaration: 31, struct_declaration: 32, enum_declaration: 33, interface_declaration: 34, delegate_declaration: 35, record_declaration: 36,
  declaration_list: 37, enum_member_declaration_list: 38, enum_member_declaration: 39, base_list: 40, primary_constructor_base_type: 41,
  type_parameter_list: 42, type_parameter: 43, type_parameter_constraints_clause: 44, type_parameter_constraint: 45,
  field_declaration: 46, event_field_declaration: 47, event_declaration: 48, property_declaration: 49, indexer_declaration: 50, method_declaration: 51,
  constructor_declaration: 52, constructor_initializer: 53, destructor_declaration: 54, operator_declaration: 55, conversion_operator_declaration: 56,
  accessor_list: 57, accessor_declaration: 58, explicit_interface_specifier: 59, parameter_list: 60, bracketed_parameter_list: 61, parameter: 62,
  implicit_parameter: 63, modifier: 64, variable_declaration: 65, variable_declarator: 66, arrow_expression_clause: 67, block: 68,
  local_declaration_statement: 69, local_function_statement: 70, for_statement: 71, foreach_statement: 72, using_statement: 73, fixed_statement: 74,
  switch_statement: 75, switch_section: 76, switch_body: 77, catch_clause: 78, catch_declaration: 79, return_statement: 80, yield_statement: 81,
  goto_statement: 82, labeled_statement: 83, preproc_if: 84, preproc_elif: 85, preproc_else: 86,
  preproc_if_in_attribute_list: 213, preproc_elif_in_attribute_list: 214, preproc_else_in_attribute_list: 215,
  argument_list: 87, bracketed_argument_list: 88, argument: 89, invocation_expression: 90, member_access_expression: 91, conditional_access_expression: 92,
  member_binding_expression: 93, element_binding_expression: 94, element_access_expression: 95, object_creation_expression: 96,
  implicit_object_creation_expression: 97, array_creation_expression: 98, implicit_array_creation_expression: 99, stackalloc_expression: 100,
  implicit_stackalloc_expression: 101, anonymous_object_creation_expression: 102, initializer_expression: 103, collection_expression: 104,
  spread_element: 105, with_expression: 106, with_initializer: 107, lambda_expression: 108, anonymous_method_expression: 109,
  assignment_expression: 110, binary_expression: 111, prefix_unary_expression: 112, postfix_unary_expression: 113, conditional_expression: 114,
  as_expression: 115, is_expression: 116, is_pattern_expression: 117, cast_expression: 118, checked_expression: 119, switch_expression: 120,
  switch_expression_arm: 121, when_clause: 122, await_expression: 123, throw_expression: 124, default_expression: 125, sizeof_expression: 126,
  typeof_expression: 127, ref_expression: 128, range_expression: 129, tuple_expression: 130, parenthesized_expression: 131,
  declaration_expression: 132, interpolated_string_expression: 133, interpolation: 134, query_expression: 135, from_clause: 136, join_clause: 137,
  join_into_clause: 138, let_clause: 139, select_clause: 140, group_clause: 141, refvalue_expression: 142,
  null_literal: 143, character_literal: 144, integer_literal: 145, real_literal: 146, boolean_literal: 147, string_literal: 148,
  verbatim_string_literal: 149, raw_string_literal: 150,
  constant_pattern: 151, declaration_pattern: 152, discard: 153, recursive_pattern: 154, var_pattern: 155, negated_pattern: 156,
  parenthesized_pattern: 157, relational_pattern: 158, or_pattern: 159, and_pattern: 160, list_pattern: 161, type_pattern: 162,
  property_pattern_clause: 163, positional_pattern_clause: 164, subpattern: 165, parenthesized_variable_designation: 166, tuple_pattern: 167,
  preproc_region: 168, preproc_endregion: 169, preproc_line: 170, preproc_pragma: 171, preproc_nullable: 172, preproc_error: 173,
  preproc_warning: 174, preproc_define: 175, preproc_undef: 176, string_literal_content: 177, constructor_constraint: 178,
  this: 180, base: 181, static: 182, global: 183, async: 184, ref: 185, out: 186, in: 187, params: 188, using: 189, implicit: 190, explicit: 191,
  abstract: 192, const: 193, file: 194, internal: 195, new: 196, override: 197, partial: 198, private: 199, protected: 200, public: 201,
  readonly: 202, sealed: 203, virtual: 204, get: 205, set: 206, init: 207, add: 208, remove: 209, extern: 210, default: 211, operator: 212,
} as const;

/** One more than the greatest tag. */
export const TAG_COUNT = 216;

/** Fields that extraction asks for, by the grammar's names. */
const FIELDS = [
  'accessors', 'alternative', 'arguments', 'body', 'condition', 'consequence', 'expression', 'function', 'initializer', 'left', 'name', 'operator',
  'parameters', 'pattern', 'qualifier', 'right', 'subscript', 'type', 'type_parameters', 'value', 'returns', 'alias',
] as const;
export type FieldName = (typeof FIELDS)[number];

export interface GrammarKinds {
  /** Tag of each kind number of the grammar, {@link ERROR_KIND} included. */
  readonly tags: Uint8Array;
  readonly fields: Readonly<Record<FieldName, number>>;
}

const known = new WeakMap<readonly string[], GrammarKinds>();

/** The tables of the tree's grammar; made once for each loaded grammar. */
export function kindsOf(tree: FlatTree): GrammarKinds {
  const found = known.get(tree.kindNames);
  if (found !== undefined) return found;
  const tags = new Uint8Array(ERROR_KIND + 1);
  const byName = new Map<string, number>(Object.entries(T));
  tree.kindNames.forEach((name, kind) => (tags[kind] = byName.get(name) ?? T.other));
  tags[ERROR_KIND] = T.ERROR;
  const fields = Object.fromEntries(FIELDS.map((name) => [name, tree.fieldNames.indexOf(name)])) as Record<FieldName, number>;
  const made = { tags, fields };
  known.set(tree.kindNames, made);
  return made;
}
