/**
 * Kind and field numbers of the Java grammar that extraction compares with.
 *
 * A comparison of numbers costs a fraction of one of names, and extraction makes several a node.
 * The numbers belong to one build of the grammar, so they are looked up from its tables and kept
 * for as long as those tables live. Where the grammar uses one word for a keyword and for a node
 * (`throws`, `permits`) the number is the node's, which comes last.
 */
import type { FlatTree } from '../../syntax/flat-tree.js';
import { F } from '../../syntax/summary.js';

/** Keyword inside `modifiers` to its flags. `sealed`, `default`, `strictfp` and the like have none. */
const MODIFIER_FLAGS: ReadonlyMap<string, number> = new Map([
  ['public', F.public],
  ['protected', F.protected],
  ['private', F.private],
  ['static', F.static],
  ['abstract', F.abstract],
  ['final', F.final],
]);

/** Nodes that put a name into the block they stand in. */
const BLOCK_DECLARATIONS: ReadonlySet<string> = new Set([
  'local_variable_declaration',
  'class_declaration',
  'interface_declaration',
  'enum_declaration',
  'record_declaration',
  'annotation_type_declaration',
]);

/** Reads the numbers out of a grammar's tables. One flat table, hence its length; one literal, so that the object keeps its fast shape. */
export function readNodeKinds({ kindNames, fieldNames }: FlatTree) {
  const kind = (name: string): number => kindNames.lastIndexOf(name);
  const field = (name: string): number => fieldNames.lastIndexOf(name);
  return {
    annotation: kind('annotation'),
    annotatedType: kind('annotated_type'),
    arrayType: kind('array_type'),
    booleanType: kind('boolean_type'),
    floatingPointType: kind('floating_point_type'),
    integralType: kind('integral_type'),
    voidType: kind('void_type'),
    binary: kind('binary_expression'),
    block: kind('block'),
    blockComment: kind('block_comment'),
    catchType: kind('catch_type'),
    classBody: kind('class_body'),
    classLiteral: kind('class_literal'),
    dimensions: kind('dimensions'),
    dimensionsExpr: kind('dimensions_expr'),
    elementValuePair: kind('element_value_pair'),
    expressionStatement: kind('expression_statement'),
    extendsInterfaces: kind('extends_interfaces'),
    formalParameter: kind('formal_parameter'),
    formalParameters: kind('formal_parameters'),
    genericType: kind('generic_type'),
    identifier: kind('identifier'),
    ifStatement: kind('if_statement'),
    instanceof: kind('instanceof_expression'),
    localVariable: kind('local_variable_declaration'),
    markerAnnotation: kind('marker_annotation'),
    methodInvocation: kind('method_invocation'),
    modifiers: kind('modifiers'),
    parenthesized: kind('parenthesized_expression'),
    pattern: kind('pattern'),
    permits: kind('permits'),
    receiverParameter: kind('receiver_parameter'),
    recordPattern: kind('record_pattern'),
    recordPatternBody: kind('record_pattern_body'),
    scopedIdentifier: kind('scoped_identifier'),
    scopedTypeIdentifier: kind('scoped_type_identifier'),
    spreadParameter: kind('spread_parameter'),
    stringFragment: kind('string_fragment'),
    super: kind('super'),
    superInterfaces: kind('super_interfaces'),
    superclass: kind('superclass'),
    switchLabel: kind('switch_label'),
    switchRule: kind('switch_rule'),
    this: kind('this'),
    throws: kind('throws'),
    typeArguments: kind('type_arguments'),
    typeBound: kind('type_bound'),
    typeIdentifier: kind('type_identifier'),
    typeList: kind('type_list'),
    typeParameter: kind('type_parameter'),
    unary: kind('unary_expression'),
    typeParameters: kind('type_parameters'),
    variableDeclarator: kind('variable_declarator'),
    whileStatement: kind('while_statement'),
    wildcard: kind('wildcard'),
    static: kind('static'),
    asterisk: kind('asterisk'),
    equals: kind('='),
    new: kind('new'),

    alternativeField: field('alternative'),
    argumentsField: field('arguments'),
    bodyField: field('body'),
    conditionField: field('condition'),
    constructorField: field('constructor'),
    declaratorField: field('declarator'),
    dimensionsField: field('dimensions'),
    fieldField: field('field'),
    initField: field('init'),
    keyField: field('key'),
    leftField: field('left'),
    nameField: field('name'),
    objectField: field('object'),
    operatorField: field('operator'),
    parametersField: field('parameters'),
    patternField: field('pattern'),
    resourcesField: field('resources'),
    rightField: field('right'),
    typeField: field('type'),
    typeArgumentsField: field('type_arguments'),
    typeParametersField: field('type_parameters'),
    valueField: field('value'),

    /** Flags of a modifier keyword by kind number. */
    modifierFlags: Int32Array.from(kindNames, (name) => MODIFIER_FLAGS.get(name) ?? 0),
    /** 1 for a node that declares something in the block it stands in, by kind number. */
    declaresInBlock: Uint8Array.from(kindNames, (name) => (BLOCK_DECLARATIONS.has(name) ? 1 : 0)),
  };
}

export type NodeKinds = Readonly<ReturnType<typeof readNodeKinds>>;
