/**
 * What an edit did to one block that both versions have. Only blocks whose token hashes differ are
 * compared, so comments, white space and the order of members are no change.
 */
import { isOutside } from '../base/outside.js';
import { qualifiedName } from '../graph/resolve/hierarchy.js';
import { languageById } from '../languages/registry.js';
import { D, E, F, isClassLike, isFieldLike, isFunctionLike, type Summary } from '../syntax/summary.js';
import { kindName, type AtomicChange, type Detail, type Label } from './atomic-change.js';
import { isConstant } from './constant-value.js';
import { escapesOf } from './escape.js';
import { otherwiseTaken, saidOfTaken, typeOfTaken } from './given-back.js';
import { childrenOf, isMethodAndProperty } from './match-blocks.js';
import {
  isEmptyDelta,
  isOnlyRenamed,
  narrowedParameters,
  otherDefaults,
  signatureDelta,
  typeParametersText,
  typeText,
  type SignatureDelta,
} from './signature-delta.js';
import { heldDetail } from './held-value.js';
import { rowName } from './row-name.js';
import { shapeChange } from './value-shape.js';
import { isUnseen, memberText, mustBeGiven } from './member-text.js';
import { renamedTypeParameters } from './type-parameters.js';
import { saysSame, saysSameType, type BlockVersion, type Version } from './version.js';

/** A block in both versions, and what of it differs at first sight. */
interface Compared {
  readonly from: BlockVersion;
  readonly to: BlockVersion;
  /** The rename and the move, if there is one. */
  readonly identity: Pick<Detail, 'rename' | 'move'>;
  readonly headerChanged: boolean;
  readonly bodyChanged: boolean;
}

/** Its changes; empty for a block that is as it was. */
export function compareBlock(from: BlockVersion, to: BlockVersion): AtomicChange[] {
  const old = from.version.summary.decls;
  const now = to.version.summary.decls;
  const kind = now.kindOf(to.decl);
  const compared: Compared = {
    from,
    to,
    identity: identityOf(from, to),
    headerChanged: old.headerHashOf(from.decl) !== now.headerHashOf(to.decl) || old.kindOf(from.decl) !== kind,
    bodyChanged: old.bodyHashOf(from.decl) !== now.bodyHashOf(to.decl),
  };
  if (kind === D.namespace) return namespaceChanges(compared);
  if (!hasOtherIdentity(compared) && !compared.headerChanged && !compared.bodyChanged)
    return isClassLike(kind) ? typeChanges(compared, kind) : [];
  if (isFunctionLike(kind) && isFunctionLike(old.kindOf(from.decl))) return functionChanges(compared, kind);
  if (isClassLike(kind) || kind === D.typeAlias) return typeChanges(compared, kind);
  if (isMethodAndProperty(kind, old.kindOf(from.decl)))
    return [
      changeOf('MMS', from, to, {
        ...compared.identity,
        signature: signatureDelta(from.version, from.decl, to.version, to.decl),
        ...modifierDetail(from, to),
      }),
    ];
  return [fieldChange(compared)];
}

/** A change of a block that both versions have. */
export const changeOf = (label: Label, from: BlockVersion, to: BlockVersion, detail: Detail): AtomicChange => ({
  label,
  before: { file: from.version.file, decl: from.decl },
  after: { file: to.version.file, decl: to.decl },
  file: to.version.file,
  block: to.version.summary.decls.pathOf(to.decl),
  kind: kindName(to.version.summary.decls.kindOf(to.decl)),
  detail,
});

function identityOf(from: BlockVersion, to: BlockVersion): Compared['identity'] {
  const [old, now] = [from.version.summary, to.version.summary];
  const names = { from: old.decls.nameOf(from.decl), to: now.decls.nameOf(to.decl) };
  const isMoved = from.version.file !== to.version.file || changedSpace(old, from.decl, now, to.decl);
  return {
    ...(names.from !== names.to && now.decls.kindOf(to.decl) !== D.constructor ? { rename: names } : {}),
    ...(isMoved ? { move: { from: from.version.file, to: to.version.file } } : {}),
  };
}

const hasOtherIdentity = ({ identity: { rename, move } }: Compared): boolean =>
  rename !== undefined || move !== undefined;

function functionChanges(compared: Compared, kind: number): AtomicChange[] {
  const { from, to, identity, headerChanged, bodyChanged } = compared;
  const changes: AtomicChange[] = [];
  const delta = signatureDelta(from.version, from.decl, to.version, to.decl);
  const modifiers = modifierDetail(from, to);
  const isSaid = hasOtherIdentity(compared) || !isEmptyDelta(delta) || modifiers.modifiers !== undefined;
  const isOwn = !isSaid && isOtherHeader(compared);
  const body = bodyChanged && textOf(from) !== textOf(to) ? bodyChange(from, to, delta) : undefined;
  if (hasOtherIdentity(compared) || (headerChanged && (isSaid || isOwn))) {
    const own: Detail = isOwn || isUnseen(from) ? { own: 'header' } : {};
    const isRetyped = delta.retyped.length > 0 || delta.returnType !== undefined;
    // What is kept of a library has no bodies: what runs there may be anything.
    const isKnown = !isOutside(to.version.file);
    const runs: Detail = isRetyped && isKnown && !isSeenInBody(body) ? { runsAsBefore: true } : {};
    const detail: Detail = { ...identity, signature: delta, ...modifiers, ...own, ...runs };
    changes.push(changeOf(kind === D.constructor ? 'MCC' : 'MMS', from, to, detail));
  }
  if (kind === D.constructor) changes.push(...componentChanges(ownerOf(from), ownerOf(to), delta));
  if (body !== undefined) changes.push(body);
  return changes;
}

/** Whether who uses the block can see a change of what runs. */
const isSeenInBody = (body: AtomicChange | undefined): boolean =>
  body !== undefined && (body.detail.escapes !== undefined || body.detail.shape !== undefined);

/** Whether the header reads differently, of the same kind of block, by more than names that the same edit gave. */
function isOtherHeader({ from, to, headerChanged }: Compared): boolean {
  const headerOf = ({ version: { summary, text }, decl }: BlockVersion): string =>
    text.slice(summary.decls.startOf(decl), summary.decls.bodyStartOf(decl));
  const [old, now] = [from.version.summary.decls, to.version.summary.decls];
  return (
    headerChanged &&
    old.kindOf(from.decl) === now.kindOf(to.decl) &&
    // A constructor's header says the name of its class.
    old.nameOf(from.decl) === now.nameOf(to.decl) &&
    !saysSame(from.version, headerOf(from), headerOf(to))
  );
}

/** What an assignment is may change with what is declared elsewhere; then nobody edited the block. */
const textOf = ({ version: { summary, text }, decl }: BlockVersion): string =>
  text.slice(summary.decls.startOf(decl), summary.decls.endOf(decl));

const ownerOf = ({ version, decl }: BlockVersion): BlockVersion => ({
  version,
  decl: version.summary.decls.parentOf(decl),
});

function bodyChange(from: BlockVersion, to: BlockVersion, delta: SignatureDelta): AtomicChange {
  const inBody = {
    ...from.version,
    renames: new Map([
      ...(from.version.renames ?? []),
      ...delta.renamed.map((pair) => [pair.from, pair.to] as const),
      ...renamedTypeParameters(from.version.summary, from.decl, to.version.summary, to.decl).map(
        (pair) => [pair.from, pair.to] as const,
      ),
    ]),
  };
  const added = delta.added.map((param) => param.name);
  const escapes = escapesOf(inBody, from.decl, to.version, to.decl, added);
  const shape = shapeChange(from, to);
  const said = [...escapes.said, ...otherwiseTaken(from, to).map(saidOfTaken)];
  return changeOf('MMB', from, to, {
    ...(said.length > 0 ? { escapes: said } : {}),
    ...(shape === undefined ? {} : { shape: { ...shape, isAll: escapes.ofResults } }),
  });
}

/** What stands in a namespace are blocks and statements of their own. */
function namespaceChanges(compared: Compared): AtomicChange[] {
  const { from, to, identity } = compared;
  const modifiers = modifierDetail(from, to);
  return hasOtherIdentity(compared) || modifiers.modifiers !== undefined
    ? [changeOf('MC', from, to, { ...identity, ...modifiers })]
    : [];
}

function typeChanges(compared: Compared, kind: number): AtomicChange[] {
  const { from, to, identity, headerChanged, bodyChanged } = compared;
  const modifiers = modifierDetail(from, to);
  // A word in its body may say what it is.
  if (!hasOtherIdentity(compared) && !headerChanged && !bodyChanged && modifiers.modifiers === undefined)
    return constructorChanges(from, to);
  const narrowed = narrowedParameters(from.version, from.decl, to.version, to.decl);
  const defaults = otherDefaults(from.version, from.decl, to.version, to.decl);
  const typeParams = {
    from: typeParametersText(from.version, from.decl),
    to: typeParametersText(to.version, to.decl),
    ...(narrowed.length === 0 ? {} : { narrowed }),
    ...(defaults.length === 0 ? {} : { defaults }),
  };
  const isName = kind === D.typeAlias && isSaidByText(from, to);
  const said: Detail = {
    ...identity,
    ...basesDetail(from, to),
    ...modifiers,
    ...(saysSame(from.version, typeParams.from, typeParams.to) ? {} : { typeParams }),
    ...(isName ? aliasDetail(from, to) : {}),
  };
  const constructors = constructorChanges(from, to);
  const [old, now] = [from, to].map(({ version, decl }) => version.summary.decls.kindOf(decl));
  const isUnsaid =
    Object.keys(said).length === 0 && constructors.length === 0 && (old !== now || isOtherHeader(compared));
  // The bases of an alias stand among its object types: `type T = A & { … }`.
  const isOfBases = kind === D.typeAlias && said.bases !== undefined;
  const isSaid = isName && said.type !== undefined;
  const own = isUnsaid ? 'header' : !isSaid && !isOfBases && bodyChanged ? 'body' : undefined;
  return [changeOf('MC', from, to, own === undefined ? said : { ...said, own }), ...constructors];
}

/** What an alias stands for, as written. */
function aliasDetail(from: BlockVersion, to: BlockVersion): Pick<Detail, 'type'> {
  const { type } = typeDetail(from, to);
  const written = (said: string, { version: { summary, text }, decl }: BlockVersion): string =>
    said !== ''
      ? said
      : text
          .slice(summary.decls.nameStartOf(decl), summary.decls.endOf(decl))
          .replace(/^[^=]*=\s*/u, '')
          .replace(/\s*;?\s*$/u, '');
  return type === undefined ? {} : { type: { from: written(type.from, from), to: written(type.to, to) } };
}

/** Whether its text says what an alias stands for: what an object type is shows in its members, which are blocks. */
function isSaidByText(from: BlockVersion, to: BlockVersion): boolean {
  const areBlocks = ({ version: { summary }, decl }: BlockVersion): boolean => childrenOf(summary, decl).length > 0;
  const isUnion = ({ version: { summary }, decl }: BlockVersion): boolean => {
    const type = summary.decls.typeOf(decl);
    return type >= 0 && summary.exprs.opOf(type) === E.union && summary.exprs.nameOf(type) === '';
  };
  return areBlocks(from) || areBlocks(to) ? isUnion(from) || isUnion(to) : true;
}

function fieldChange(compared: Compared): AtomicChange {
  const { from, to, identity } = compared;
  const detail = {
    ...listDetail(from, to),
    ...indexDetail(from, to),
    ...typeDetail(from, to),
    ...modifierDetail(from, to),
    ...setDetail(from, to),
  };
  const isSaid = hasOtherIdentity(compared) || Object.keys(detail).length > 0;
  const isLost = isConstant(from.version.summary, from.decl) && !isConstant(to.version.summary, to.decl);
  // Of other fields the value stands in what a property has as its header.
  const isProperty = to.version.summary.decls.kindOf(to.decl) === D.property;
  const isOwn = isProperty ? isOtherHeader(compared) : isTypedOtherwise(from, to);
  // Keys that are blocks have changes of their own.
  const hasBlocks = childrenOf(from.version.summary, from.decl).length > 0;
  const made = isSaid || isOwn ? undefined : shapeChange(from, to);
  const shape = hasBlocks && made?.isWider !== true ? undefined : made;
  const taken = isSaid || isOwn || hasBlocks ? undefined : typeOfTaken(from, to);
  const rest: Detail = isSaid
    ? {}
    : isOwn
      ? { own: 'header' }
      : taken !== undefined
        ? { type: taken }
        : { valueOnly: true, ...(shape === undefined ? {} : { shape: { ...shape, isAll: true } }) };
  return changeOf('MF', from, to, {
    ...identity,
    ...detail,
    ...rest,
    ...(isLost ? { noConstant: true } : {}),
    ...(detail.type !== undefined && holdsAsBefore(from, to) ? { runsAsBefore: true } : {}),
  });
}

/** What an indexer takes, where that is of other types (C#). */
function indexDetail(from: BlockVersion, to: BlockVersion): Pick<Detail, 'type'> {
  const taken = ({ version, decl }: BlockVersion): string =>
    [...version.summary.decls.paramsOf(decl)].map((param) => typeText(version, param)).join(', ');
  const [was, is] = [taken(from), taken(to)];
  return was === is || was === '' || is === '' ? {} : { type: { from: `[${was}]`, to: `[${is}]` } };
}

/** What the functions in a list take and give, where that differs; of such a list no type is declared. */
function listDetail(from: BlockVersion, to: BlockVersion): Pick<Detail, 'type'> {
  const [was, is] = [functionsInList(from), functionsInList(to)];
  if (was.length !== is.length) return {};
  const differs = is.some((now, at) => {
    const old = was[at] ?? -1;
    const delta = old < 0 || now < 0 ? undefined : signatureDelta(from.version, old, to.version, now);
    return delta !== undefined && !isEmptyDelta(delta) && !isOnlyRenamed(delta);
  });
  return differs ? { type: { from: 'a list of functions', to: 'a list of others' } } : {};
}

/** The functions that are written out in the list that a field holds, at their places; -1 for anything else. */
function functionsInList({ version, decl }: BlockVersion): readonly number[] {
  const { decls, exprs } = version.summary;
  const list = decls.typeOf(decl) < 0 ? decls.valueOf(decl) : -1;
  const parts = list >= 0 && exprs.opOf(list) === E.list ? [...exprs.partsOf(list)] : [];
  return parts.map((row) => {
    const held = row >= 0 && exprs.opOf(row) === E.closure ? exprs.closureOf(row) : -1;
    return held >= 0 && isFunctionLike(decls.kindOf(held)) ? held : -1;
  });
}

/** Whether a field differs in how its type is written alone. */
const isTypedOtherwise = (from: BlockVersion, to: BlockVersion): boolean =>
  typeText(from.version, from.decl) !== typeText(to.version, to.decl) &&
  (holdsAsBefore(from, to) || valueText(from) === valueText(to));

/** Whether a variable begins with a value that reads as it did. */
function holdsAsBefore(from: BlockVersion, to: BlockVersion): boolean {
  const [was, is] = [valueText(from), valueText(to)];
  return was !== undefined && is !== undefined && saysSame(from.version, was, is);
}

function valueText({ version: { summary, text }, decl }: BlockVersion): string | undefined {
  const value = summary.decls.valueOf(decl);
  return value < 0 ? undefined : text.slice(summary.exprs.startOf(value), summary.exprs.endOf(value));
}

/** From where a field may be set, and whether it must be given a value, where that changed. */
function setDetail(from: BlockVersion, to: BlockVersion): Pick<Detail, 'setFrom' | 'readFrom' | 'mustBeGiven'> {
  const { setFrom, readFrom } = languageById(to.version.summary.language).writing;
  const read = readFrom?.(memberText(to));
  const [was, is] = [setFrom?.(memberText(from)), setFrom?.(memberText(to))];
  return {
    ...(was === is
      ? {}
      : { setFrom: { ...(was === undefined ? {} : { from: was }), ...(is === undefined ? {} : { to: is }) } }),
    ...(read === undefined || read === readFrom?.(memberText(from)) ? {} : { readFrom: read }),
    ...(mustBeGiven(to) && !mustBeGiven(from) ? { mustBeGiven: true } : {}),
  };
}

/** Whether a type at the top of its file is in another package or namespace. */
function changedSpace(before: Summary, b: number, after: Summary, a: number): boolean {
  if (!isClassLike(after.decls.kindOf(a)) || after.decls.parentOf(a) >= 0) return false;
  const space = (summary: Summary, decl: number): string =>
    qualifiedName(summary, decl).slice(0, -summary.decls.nameOf(decl).length);
  return space(before, b) !== space(after, a);
}

/** A class whose header or fields are the parameters of its constructor. */
function constructorChanges(from: BlockVersion, to: BlockVersion): AtomicChange[] {
  const paramsOf = ({ version: { summary }, decl }: BlockVersion): number => summary.decls.paramsOf(decl).length;
  if (paramsOf(from) + paramsOf(to) === 0) return [];
  const signature = signatureDelta(from.version, from.decl, to.version, to.decl);
  return isEmptyDelta(signature)
    ? []
    : [changeOf('MCC', from, to, { signature }), ...componentChanges(from, to, signature)];
}

/** Parameters that declare fields as well (records, parameter properties): what became of the fields. */
function componentChanges(from: BlockVersion, to: BlockVersion, delta: SignatureDelta): AtomicChange[] {
  const modified = (old: string, now: string, detail: Detail): AtomicChange[] => {
    const [was, is] = [componentOf(from, old), componentOf(to, now)];
    return was === undefined || is === undefined ? [] : [changeOf('MF', was, is, detail)];
  };
  return [
    ...delta.renamed.flatMap((pair) => modified(pair.from, pair.to, { rename: { from: pair.from, to: pair.to } })),
    ...delta.retyped.flatMap((param) =>
      delta.renamed.some((pair) => pair.to === param.name)
        ? []
        : modified(param.name, param.name, { type: { from: param.from, to: param.to } }),
    ),
    ...delta.removed.flatMap(({ name }) => {
      const was = componentOf(from, name);
      return was === undefined ? [] : [deletedComponent(was)];
    }),
    ...componentsOf(from).flatMap((was) => keptComponent(was, to, delta)),
  ];
}

/** Of a parameter that stays as it is: whether it declares a field still, and who may use that. */
function keptComponent(was: BlockVersion, to: BlockVersion, delta: SignatureDelta): AtomicChange[] {
  const name = was.version.summary.decls.nameOf(was.decl);
  if ([...delta.removed, ...delta.retyped].some((param) => param.name === name)) return [];
  if (delta.renamed.some((pair) => pair.from === name)) return [];
  const is = componentOf(to, name);
  if (is === undefined) return [deletedComponent(was)];
  const detail = modifierDetail(was, is);
  return Object.keys(detail).length === 0 ? [] : [changeOf('MF', was, is, detail)];
}

/** The fields that parameters of a class's header or constructor declare. */
function componentsOf({ version, decl: type }: BlockVersion): readonly BlockVersion[] {
  const { decls } = version.summary;
  const isOne = (decl: number): boolean =>
    decls.parentOf(decl) === type && isFieldLike(decls.kindOf(decl)) && decls.has(decl, F.parameterField);
  return Array.from({ length: decls.count }, (_, decl) => decl)
    .filter(isOne)
    .map((decl) => ({ version, decl }));
}

function deletedComponent({ version: { file, summary }, decl }: BlockVersion): AtomicChange {
  return {
    label: 'DF',
    before: { file, decl },
    file,
    block: summary.decls.pathOf(decl),
    kind: kindName(summary.decls.kindOf(decl)),
    detail: {},
  };
}

function componentOf({ version, decl }: BlockVersion, name: string): BlockVersion | undefined {
  const component = componentNamed(version.summary, decl, name);
  return component === undefined ? undefined : { version, decl: component };
}

/** The field that a parameter of a class's header or constructor declares. */
export function componentNamed(summary: Summary, type: number, name: string): number | undefined {
  const { decls } = summary;
  const row = summary.idOf(name);
  if (row < 0) return undefined;
  return [...summary.decls.named(row)].find(
    (decl) => decls.parentOf(decl) === type && isFieldLike(decls.kindOf(decl)) && decls.has(decl, F.parameterField),
  );
}

/** What a member of an enumeration has for a value, where a literal says it; without one they are counted. */
function valueOfEnumMember({ version: { summary }, decl }: BlockVersion): string | undefined {
  const { decls, exprs } = summary;
  const row = decls.kindOf(decl) === D.enumMember ? decls.valueOf(decl) : undefined;
  if (row === undefined) return undefined;
  if (row < 0) return 'int';
  const op = exprs.opOf(row);
  return op === E.string ? 'str' : op === E.literal ? exprs.nameOf(row) : undefined;
}

function typeDetail(from: BlockVersion, to: BlockVersion): Pick<Detail, 'type'> {
  const [was, is] = [valueOfEnumMember(from), valueOfEnumMember(to)];
  if (was !== undefined && is !== undefined && was !== is) return { type: { from: was, to: is } };
  const held = heldDetail(from, to);
  if (held !== undefined) return held;
  const type = { from: typeText(from.version, from.decl), to: typeText(to.version, to.decl) };
  return saysSameType(from.version, type.from, to.version, type.to) ? {} : { type };
}

function basesDetail(from: BlockVersion, to: BlockVersion): Pick<Detail, 'bases'> {
  const names = ({ version: { summary }, decl }: BlockVersion): string[] =>
    [...summary.decls.basesOf(decl)].map((row) => rowName(summary, row));
  const [old, now] = [names(from), names(to)];
  const added = now.filter((name) => !old.some((other) => saysSame(from.version, other, name)));
  const removed = old.filter((name) => !now.some((other) => saysSame(from.version, name, other)));
  return added.length + removed.length === 0 ? {} : { bases: { added, removed } };
}

const MODIFIERS = {
  static: F.static,
  abstract: F.abstract,
  private: F.private,
  protected: F.protected,
  public: F.public,
  override: F.override,
  virtual: F.virtual,
  final: F.final,
  readonly: F.readonly,
  const: F.const,
  async: F.async,
  exported: F.exported,
  default: F.defaultExport,
  getter: F.getter,
  setter: F.setter,
  classmethod: F.classMethod,
  optional: F.optional,
} as const;

function modifierDetail(from: BlockVersion, to: BlockVersion): Pick<Detail, 'modifiers'> {
  const [old, now] = [modifiersOf(from.version, from.decl), modifiersOf(to.version, to.decl)];
  const added = now.filter((name) => !old.includes(name));
  const removed = old.filter((name) => !now.includes(name));
  return added.length + removed.length === 0 ? {} : { modifiers: { added, removed } };
}

const isLiteral = ({ language }: Summary, declaration: string): boolean =>
  languageById(language).writing.isLiteral?.(declaration) === true;

/** Modifiers, `literal` for a value that is taken for what is written, and, with an `@` in front, decorators. */
const modifiersOf = ({ summary, text }: Version, decl: number): string[] => [
  ...(isLiteral(summary, text.slice(summary.decls.startOf(decl), summary.decls.endOf(decl))) ? ['literal'] : []),
  ...Object.entries(MODIFIERS)
    .filter(([, bit]) => summary.decls.has(decl, bit))
    .map(([name]) => name),
  ...[...summary.decls.decoratorsOf(decl)].map((row) => `@${rowName(summary, row)}`),
];
