/**
 * Class definitions: bases, what kind of class it is, and the order in which bodies are walked.
 *
 * The body's scope is of kind `class`: code right in the body sees its names, functions in it do
 * not, since their parent is the scope around the class.
 */
import { D, E, F, R, S } from '../../syntax/summary.js';
import type { NewArgument } from '../../syntax/summary-builder.js';
import { keywordText } from './assignments.js';
import { documentation, isDocumentation } from './doc-comments.js';
import { decorators, typeParameters } from './functions.js';
import { FIELD, K } from './kinds.js';
import { block } from './statements.js';
import { lastName } from './types.js';
import type { FieldRules, Frame, Walk } from './walk.js';

/** Decorators that make annotated names constructor parameters. */
const DATACLASS_DECORATORS = new Set([
  'dataclass',
  'attrs',
  'attr',
  's',
  'define',
  'frozen',
  'mutable',
  'dataclass_transform',
]);
/** Bases that do so, by name; all but the first take keywords only. */
const MODEL_BASES = new Set([
  'NamedTuple',
  'TypedDict',
  'BaseModel',
  'RootModel',
  'GenericModel',
  'BaseSettings',
  'SQLModel',
  'Struct',
]);
const ENUM_BASES = new Set(['Enum', 'IntEnum', 'StrEnum', 'Flag', 'IntFlag', 'ReprEnum']);

/** `outer` is the decorated definition around the class, or the class itself. */
export function classDefinition(w: Walk, node: number, outer: number, scope: number): void {
  const { build } = w;
  const { frame } = w.state;
  const nameNode = w.child(node, FIELD.name);
  const body = w.child(node, FIELD.body);
  const name = nameNode === -1 ? '' : w.textOf(nameNode);
  const into = frame.elsewhere?.get(name) ?? frame.scope;
  const decl = w.declare(D.class, nameNode, outer, into, { body });
  w.state.remember(into, name, decl);
  const header = build.scope(S.header, scope, decl, decl);
  const typeParams = w.child(node, FIELD.type_parameters);
  if (typeParams !== -1) build.set(decl, 'typeParams', typeParameters(w, typeParams, header));
  const around = typeParams === -1 ? w.state.closureParent(scope) : header;
  const inner = build.scope(S.class, typeParams === -1 ? scope : header, decl, decl);
  build.set(decl, 'inner', inner);
  if (outer !== node) decorators(w, outer, decl, header);
  const bases = baseList(w, w.child(node, FIELD.superclasses), decl, header, typeParams === -1);
  const fields = classify(w, outer, decl, name, bases);
  if (body === -1) return;
  const own: Frame = {
    kind: 'class',
    scope: inner,
    around,
    decl,
    block: decl,
    outer: frame,
    method: undefined,
    elsewhere: undefined,
    returned: [],
    yielded: [],
    fields,
  };
  const from = w.state.jobs.length;
  w.state.within(own, () => {
    const first = w.first(body);
    if (first !== -1 && isDocumentation(w, first)) documentation(w, first, inner, own);
    block(w, body, inner);
  });
  // Fields belong to the constructor's assignments first, wherever it stands.
  const added = w.state.jobs.splice(from);
  w.state.jobs.push(
    ...added.filter((job) => job.constructorOf === decl),
    ...added.filter((job) => job.constructorOf !== decl),
  );
  w.state.jobs.push({ constructorOf: -1, run: () => slots(w, body, own) });
  if (fields.components !== undefined) build.set(decl, 'params', build.list(fields.components));
}

interface Bases {
  readonly names: readonly string[];
  readonly metaclass: string;
  readonly isTotal: boolean;
  readonly isFrozen: boolean;
}

function baseList(w: Walk, list: number, decl: number, header: number, collectTypeVars: boolean): Bases {
  const names: string[] = [];
  const rows: number[] = [];
  const keywords: NewArgument[] = [];
  let metaclass = '';
  let isTotal = true;
  let isFrozen = false;
  const seen = w.state.seenTypeVars;
  w.state.seenTypeVars = new Set();
  for (let c = list === -1 ? -1 : w.first(list); c !== -1; c = w.next(c)) {
    const kind = w.kind(c);
    if (kind === K.keyword_argument) {
      const keyword = w.child(c, FIELD.name);
      const value = w.child(c, FIELD.value);
      if (value === -1 || keyword === -1) continue;
      const given = { expr: w.value(value, header), keyword: w.nameOf(keyword), start: w.start(c) };
      if (given.keyword === 'metaclass') metaclass = lastName(w, value);
      else keywords.push(given);
      if (w.textOf(keyword) === 'total' && w.textOf(value) === 'False') isTotal = false;
      if (w.textOf(keyword) === 'frozen' && w.textOf(value) === 'True') isFrozen = true;
    } else if (kind === K.list_splat || kind === K.dictionary_splat) w.value(c, header);
    else {
      rows.push(kind === K.subscript ? w.type(c, header, R.base) : w.value(c, header, R.base));
      names.push(lastName(w, c));
    }
  }
  for (const base of rows) madeBelow(w, list, base, keywords, header);
  w.build.set(decl, 'parts', w.build.list(rows));
  if (collectTypeVars) w.build.set(decl, 'typeParams', w.build.list([...w.state.seenTypeVars]));
  w.state.seenTypeVars = seen;
  return { names, metaclass, isTotal, isFrozen };
}

/** `class A(Base, kind=1)` calls `Base.__init_subclass__(kind=1)`, which nothing in the text says. */
function madeBelow(w: Walk, list: number, base: number, keywords: readonly NewArgument[], header: number): void {
  const { build } = w;
  const [start, end] = [w.start(list), w.end(list)];
  const callee = build.expr(E.member, end, end, header, '__init_subclass__', base, -1, R.callee);
  build.expr(E.call, start, end, header, '', callee, build.argumentList(keywords));
}

/** Finds the class's kind and flags from names of bases and decorators, and how its fields are to be read. */
function classify(w: Walk, outer: number, decl: number, name: string, bases: Bases): FieldRules {
  const isEnum = bases.names.some((base) => ENUM_BASES.has(base));
  if (isEnum) w.build.set(decl, 'kind', D.enum);
  else if (bases.names.includes('Protocol')) w.build.set(decl, 'kind', D.interface);
  if (bases.names.includes('ABC') || bases.metaclass === 'ABCMeta') w.build.addFlags(decl, F.abstract);
  const model = bases.names.find((base) => MODEL_BASES.has(base) || w.state.modelClasses.has(base));
  if (model !== undefined) {
    w.state.modelClasses.add(name);
    w.build.addFlags(decl, F.dataclass | (model === 'NamedTuple' || bases.isFrozen ? F.readonly : 0));
    return {
      isEnum,
      components: [],
      componentFlags: (model === 'NamedTuple' ? 0 : F.keywordOnly) | (bases.isTotal ? 0 : F.optional),
    };
  }
  const rules = dataclassRules(w, outer);
  if (rules === undefined) return { isEnum, components: undefined, componentFlags: 0 };
  w.build.addFlags(decl, F.dataclass | (rules.isFrozen ? F.readonly : 0));
  return { isEnum, components: [], componentFlags: rules.keywordOnly ? F.keywordOnly : 0 };
}

interface DataclassRules {
  readonly keywordOnly: boolean;
  readonly isFrozen: boolean;
}

function dataclassRules(w: Walk, outer: number): DataclassRules | undefined {
  if (w.kind(outer) !== K.decorated_definition) return undefined;
  for (let c = w.first(outer); c !== -1; c = w.next(c)) {
    const what = w.kind(c) === K.decorator ? w.first(c) : -1;
    const name = what === -1 ? '' : lastName(w, what);
    if (!DATACLASS_DECORATORS.has(name)) continue;
    const says = (keyword: string): boolean => w.kind(what) === K.call && keywordText(w, what, keyword) === 'True';
    return { keywordOnly: says('kw_only'), isFrozen: name === 'frozen' || says('frozen') };
  }
  return undefined;
}

/** Names in `__slots__` that no method assigns are fields too. */
function slots(w: Walk, body: number, frame: Frame): void {
  for (let s = w.first(body); s !== -1; s = w.next(s)) {
    const assignment = w.kind(s) === K.expression_statement ? w.first(s) : -1;
    if (assignment === -1 || w.kind(assignment) !== K.assignment) continue;
    const left = w.child(assignment, FIELD.left);
    const right = w.child(assignment, FIELD.right);
    if (left !== -1 && right !== -1 && w.textOf(left) === '__slots__') slotNames(w, right, frame);
  }
}

function slotNames(w: Walk, node: number, frame: Frame): void {
  if (w.kind(node) !== K.string) {
    if (w.kind(node) === K.tuple || w.kind(node) === K.list || w.kind(node) === K.set)
      for (let c = w.first(node); c !== -1; c = w.next(c)) slotNames(w, c, frame);
    return;
  }
  const content = w.childOf(node, K.string_content);
  if (content === -1) return;
  const name = w.textOf(content);
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) || name.startsWith('__') || w.state.declaredIn(frame.scope, name) >= 0)
    return;
  const decl = w.declare(D.field, content, content, frame.scope);
  w.state.remember(frame.scope, name, decl);
}
