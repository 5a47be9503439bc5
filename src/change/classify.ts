/**
 * Two versions of a tree to atomic changes.
 *
 * Only blocks whose token hashes differ are compared, so comments, white space and the order of
 * members are no change. A deletion and an addition that are one block under a new name, or in
 * another file, are one change with a rename or a move.
 */
import type { Turns } from '../base/turns.js';
import { qualifiedName } from '../graph/resolve/hierarchy.js';
import {
  blockPath,
  D,
  F,
  isClassLike,
  isFieldLike,
  isFunctionLike,
  listAt,
  nameId,
  nameOf,
  type ImportEntry,
  type Summary,
} from '../syntax/summary.js';
import type { DeclRef } from '../languages/language.js';
import type { AtomicChange, Detail, Label } from './atomic-change.js';
import { kindName } from './atomic-change.js';
import { compareExports } from './compare-exports.js';
import { escapesOf } from './escape.js';
import { isOnlyLeftAssigned } from './left-assigned.js';
import {
  childrenOf,
  family,
  isTiny,
  isMethodAndProperty,
  likeness,
  matchBlocks,
  SIMILAR_ENOUGH,
} from './match-blocks.js';
import {
  isEmptyDelta,
  saysSame,
  signatureDelta,
  typeText,
  type SignatureDelta,
  type Version,
} from './signature-delta.js';

/** One file before and after; a missing side: the file did not, or does not, exist. */
export interface FilePair {
  readonly before?: { readonly file: string } & Version;
  readonly after?: { readonly file: string } & Version;
}

interface Loose {
  readonly version: { readonly file: string } & Version;
  readonly decl: number;
}

/** All changes, in order of file and position. */
export function* classify(pairs: readonly FilePair[]): Turns<AtomicChange[]> {
  const changes: AtomicChange[] = [];
  const deleted: Loose[] = [];
  const added: Loose[] = [];
  const pairings: { before: Loose['version']; after: Loose['version']; matched: ReturnType<typeof matchBlocks> }[] = [];
  for (const { before, after } of pairs) {
    if (before === undefined || after === undefined) continue;
    if (before.summary.hash === after.summary.hash && before.file === after.file) continue;
    pairings.push({ before, after, matched: matchBlocks(before, after) });
    yield;
  }
  const renames = renamesOf(pairings);
  for (const { before: old, after, matched } of pairings) {
    yield;
    const before = { ...old, renames };
    for (const pair of matched.pairs) {
      if (isOnlyLeftAssigned(before.summary, pair.before, after.summary, pair.after))
        deleted.push({ version: before, decl: pair.before });
      else changes.push(...comparePair(before, pair.before, after, pair.after));
    }
    deleted.push(...matched.deleted.map((decl) => ({ version: before, decl })));
    added.push(...matched.added.map((decl) => ({ version: after, decl })));
    changes.push(...compareImports(before, after), ...compareExports(before, after));
  }
  for (const { before, after } of pairs) {
    yield;
    if (after === undefined && before !== undefined) {
      changes.push(...compareExports(before, undefined));
      deleted.push(...matchBlocks(before, emptyOf(before)).deleted.map((decl) => ({ version: before, decl })));
    } else if (before === undefined && after !== undefined)
      added.push(...matchBlocks(emptyOf(after), after).added.map((decl) => ({ version: after, decl })));
  }
  const told = withoutSupposed(changes);
  deleted.push(
    ...told.supposed.flatMap((change) =>
      looseOf(
        pairs.map((pair) => pair.before),
        change.before,
      ),
    ),
  );
  added.push(
    ...told.supposed.flatMap((change) =>
      looseOf(
        pairs.map((pair) => pair.after),
        change.after,
      ),
    ),
  );
  changes.splice(0, changes.length, ...told.kept);
  const moved = matchMoves(deleted, added);
  for (const { from, to } of moved) changes.push(...movedBlock(from, to));
  for (const loose of deleted) if (!moved.some((move) => move.from === loose)) changes.push(looseChange('D', loose));
  for (const loose of added) if (!moved.some((move) => move.to === loose)) changes.push(looseChange('A', loose));
  return changes.sort((x, y) =>
    x.file < y.file
      ? -1
      : x.file > y.file
        ? 1
        : (x.after?.decl ?? x.before?.decl ?? 0) - (y.after?.decl ?? y.before?.decl ?? 0),
  );
}

/** Old names with the new ones; a name that became several says nothing. */
function renamesOf(
  pairings: readonly {
    readonly before: Version;
    readonly after: Version;
    readonly matched: { readonly pairs: readonly { readonly before: number; readonly after: number }[] };
  }[],
): ReadonlyMap<string, string> {
  const found = new Map<string, Set<string>>();
  for (const { before, after, matched } of pairings) {
    for (const pair of matched.pairs) {
      const [from, to] = [nameOf(before.summary, pair.before), nameOf(after.summary, pair.after)];
      if (from !== to) found.set(from, (found.get(from) ?? new Set()).add(to));
    }
  }
  return new Map([...found].flatMap(([from, to]) => (to.size === 1 ? [[from, ...to] as [string, string]] : [])));
}

/**
 * Changes without renames of fields that a constructor speaks against: `self.size = size` and `self.mode = mode`
 * are alike, but where the parameter `size` went and `mode` came they are two fields.
 */
function withoutSupposed(changes: readonly AtomicChange[]): {
  readonly kept: AtomicChange[];
  readonly supposed: AtomicChange[];
} {
  const supposed = changes.filter(
    ({ label, detail: { rename }, block, file }) =>
      label === 'MF' &&
      rename !== undefined &&
      changes.some((other) => {
        const delta =
          other.label === 'MCC' && other.file === file && ownerPath(other.block) === ownerPath(block)
            ? other.detail.signature
            : undefined;
        return (
          delta?.removed.some(({ name }) => name === rename.from) === true &&
          delta.added.some(({ name }) => name === rename.to)
        );
      }),
  );
  return { kept: changes.filter((change) => !supposed.includes(change)), supposed };
}

const ownerPath = (block: string): string => block.slice(0, Math.max(0, block.lastIndexOf('.')));

function looseOf(
  versions: readonly (({ readonly file: string } & Version) | undefined)[],
  ref: DeclRef | undefined,
): Loose[] {
  const version = versions.find((candidate) => candidate?.file === ref?.file);
  return version === undefined || ref === undefined ? [] : [{ version, decl: ref.decl }];
}

/** The version of a file that holds nothing: its summary with no blocks. */
function emptyOf(version: { readonly file: string } & Version): { readonly file: string } & Version {
  return { file: version.file, text: '', summary: version.summary.emptied() };
}

// ---- one block, two versions

function comparePair(
  before: { readonly file: string } & Version,
  b: number,
  after: { readonly file: string } & Version,
  a: number,
): AtomicChange[] {
  const old = before.summary.decls;
  const now = after.summary.decls;
  const renamed = nameOf(before.summary, b) !== nameOf(after.summary, a) && now.kind[a] !== D.constructor;
  const moved = before.file !== after.file || changedSpace(before.summary, b, after.summary, a);
  const headerChanged = old.headerHash[b] !== now.headerHash[a] || old.kind[b] !== now.kind[a];
  const bodyChanged = old.bodyHash[b] !== now.bodyHash[a];
  if (!renamed && !moved && !headerChanged && !bodyChanged)
    return isClassLike(now.kind[a] as number) ? constructorChanges(before, b, after, a) : [];
  const base: Detail = {
    ...(renamed ? { rename: { from: nameOf(before.summary, b), to: nameOf(after.summary, a) } } : {}),
    ...(moved ? { move: { from: before.file, to: after.file } } : {}),
  };
  const make = (label: Label, detail: Detail): AtomicChange => ({
    label,
    before: { file: before.file, decl: b },
    after: { file: after.file, decl: a },
    file: after.file,
    block: blockPath(after.summary, a),
    kind: kindName(now.kind[a] as number),
    detail,
  });
  const kind = now.kind[a] as number;
  const identity = renamed || moved;
  if (isFunctionLike(kind) && isFunctionLike(old.kind[b] as number)) {
    const changes: AtomicChange[] = [];
    const delta = signatureDelta(before, b, after, a);
    const modifiers = modifierDelta(before, b, after, a);
    if (identity || (headerChanged && (!isEmptyDelta(delta) || modifiers !== undefined)))
      changes.push(
        make(kind === D.constructor ? 'MCC' : 'MMS', {
          ...base,
          signature: delta,
          ...(modifiers === undefined ? {} : { modifiers }),
        }),
      );
    if (kind === D.constructor)
      changes.push(...componentChanges(before, old.parent[b] as number, after, now.parent[a] as number, delta));
    if (bodyChanged) {
      const inBody = {
        ...before,
        renames: new Map([...(before.renames ?? []), ...delta.renamed.map(({ from, to }) => [from, to] as const)]),
      };
      const escapes = escapesOf(
        inBody,
        b,
        after,
        a,
        delta.added.map((param) => param.name),
      );
      changes.push(make('MMB', escapes.length > 0 ? { escapes } : {}));
    }
    return changes;
  }
  if (isClassLike(kind) || kind === D.typeAlias) {
    if (!identity && !headerChanged && kind !== D.typeAlias) return constructorChanges(before, b, after, a);
    const bases = baseDelta(before, b, after, a);
    const modifiers = modifierDelta(before, b, after, a);
    const typeParams = { from: typeParamText(before, b), to: typeParamText(after, a) };
    // What an object type is shows in its members, which are blocks.
    const isName =
      kind === D.typeAlias && childrenOf(before.summary, b).length + childrenOf(after.summary, a).length === 0;
    const type = { from: typeText(before, b), to: typeText(after, a) };
    return [
      make('MC', {
        ...base,
        ...(bases === undefined ? {} : { bases }),
        ...(modifiers === undefined ? {} : { modifiers }),
        ...(saysSame(before, typeParams.from, typeParams.to) ? {} : { typeParams }),
        ...(isName && !saysSame(before, type.from, type.to) ? { type } : {}),
      }),
      ...constructorChanges(before, b, after, a),
    ];
  }
  if (isMethodAndProperty(kind, old.kind[b] as number)) {
    const modifiers = modifierDelta(before, b, after, a);
    return [
      make('MMS', {
        ...base,
        signature: signatureDelta(before, b, after, a),
        ...(modifiers === undefined ? {} : { modifiers }),
      }),
    ];
  }
  const type = { from: typeText(before, b), to: typeText(after, a) };
  const modifiers = modifierDelta(before, b, after, a);
  const typeChanged = !saysSame(before, type.from, type.to);
  return [
    make('MF', {
      ...base,
      ...(typeChanged ? { type } : {}),
      ...(modifiers === undefined ? {} : { modifiers }),
      ...(!identity && !typeChanged && modifiers === undefined ? { valueOnly: true } : {}),
    }),
  ];
}

/** Whether a type at the top of its file is in another package or namespace. */
function changedSpace(before: Summary, b: number, after: Summary, a: number): boolean {
  if (!isClassLike(after.decls.kind[a] as number) || (after.decls.parent[a] as number) >= 0) return false;
  const space = (summary: Summary, decl: number): string =>
    qualifiedName(summary, decl).slice(0, -nameOf(summary, decl).length);
  return space(before, b) !== space(after, a);
}

/** A class whose header or fields are the parameters of its constructor. */
function constructorChanges(
  before: { readonly file: string } & Version,
  b: number,
  after: { readonly file: string } & Version,
  a: number,
): AtomicChange[] {
  if (
    listAt(before.summary, before.summary.decls.params[b] as number).length +
      listAt(after.summary, after.summary.decls.params[a] as number).length ===
    0
  )
    return [];
  const signature = signatureDelta(before, b, after, a);
  if (isEmptyDelta(signature)) return [];
  const change: AtomicChange = {
    label: 'MCC',
    before: { file: before.file, decl: b },
    after: { file: after.file, decl: a },
    file: after.file,
    block: blockPath(after.summary, a),
    kind: kindName(after.summary.decls.kind[a] as number),
    detail: { signature },
  };
  return [change, ...componentChanges(before, b, after, a, signature)];
}

/** Parameters that declare fields as well (records, parameter properties): what became of the fields. */
function componentChanges(
  before: { readonly file: string } & Version,
  b: number,
  after: { readonly file: string } & Version,
  a: number,
  delta: SignatureDelta,
): AtomicChange[] {
  const change = (label: Label, from: string, to: string | undefined, detail: Detail): AtomicChange[] => {
    const old = componentNamed(before.summary, b, from);
    const now = to === undefined ? undefined : componentNamed(after.summary, a, to);
    if (old === undefined || (to !== undefined && now === undefined)) return [];
    const [version, decl] = now === undefined ? [before, old] : [after, now];
    return [
      {
        label,
        before: { file: before.file, decl: old },
        ...(now === undefined ? {} : { after: { file: after.file, decl: now } }),
        file: version.file,
        block: blockPath(version.summary, decl),
        kind: kindName(version.summary.decls.kind[decl] as number),
        detail,
      },
    ];
  };
  return [
    ...delta.renamed.flatMap(({ from, to }) => change('MF', from, to, { rename: { from, to } })),
    ...delta.retyped.flatMap(({ name, from, to }) =>
      delta.renamed.some((pair) => pair.to === name) ? [] : change('MF', name, name, { type: { from, to } }),
    ),
    ...delta.removed.flatMap(({ name }) => change('DF', name, undefined, {})),
  ];
}

/** The field that a parameter of a class's header or constructor declares. */
export function componentNamed(summary: Summary, type: number, name: string): number | undefined {
  const { decls } = summary;
  const row = nameId(summary, name);
  if (row < 0) return undefined;
  return [...summary.declsByName.subarray(summary.declStart[row], summary.declStart[row + 1])].find(
    (decl) =>
      decls.parent[decl] === type &&
      isFieldLike(decls.kind[decl] as number) &&
      ((decls.flags[decl] as number) & F.parameterField) !== 0,
  );
}

function baseDelta(before: Version, b: number, after: Version, a: number): Detail['bases'] {
  const names = (version: Version, decl: number): string[] =>
    [...listAt(version.summary, version.summary.decls.parts[decl] as number)].map((row) =>
      rowName(version.summary, row),
    );
  const old = names(before, b);
  const now = names(after, a);
  const added = now.filter((name) => !old.some((other) => saysSame(before, other, name)));
  const removed = old.filter((name) => !now.some((other) => saysSame(before, name, other)));
  return added.length + removed.length === 0 ? undefined : { added, removed };
}

function typeParamText(version: Version, decl: number): string {
  return [...listAt(version.summary, version.summary.decls.typeParams[decl] as number)]
    .map((row) => `${nameOf(version.summary, row)} ${typeText(version, row)}`.trim())
    .join(', ');
}

/** Last identifier of a type expression. */
function rowName(summary: Summary, row: number): string {
  const name = summary.names[summary.exprs.name[row] as number] as string;
  const a = summary.exprs.a[row] as number;
  return name !== '' || a < 0 ? name : rowName(summary, a);
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
  async: F.async,
  exported: F.exported,
  default: F.defaultExport,
  getter: F.getter,
  setter: F.setter,
  classmethod: F.classMethod,
  optional: F.optional,
} as const;

function modifierDelta(before: Version, b: number, after: Version, a: number): Detail['modifiers'] {
  const list = (version: Version, decl: number): string[] => [
    ...Object.entries(MODIFIERS)
      .filter(([, bit]) => ((version.summary.decls.flags[decl] as number) & bit) !== 0)
      .map(([name]) => name),
    ...[...listAt(version.summary, version.summary.decls.decorators[decl] as number)].map(
      (row) => `@${rowName(version.summary, row)}`,
    ),
  ];
  const old = list(before, b);
  const now = list(after, a);
  const added = now.filter((name) => !old.includes(name));
  const removed = old.filter((name) => !now.includes(name));
  return added.length + removed.length === 0 ? undefined : { added, removed };
}

// ---- imports

function compareImports(
  before: { readonly file: string } & Version,
  after: { readonly file: string } & Version,
): AtomicChange[] {
  const binding = (summary: Summary, entry: ImportEntry): string => (entry.decl < 0 ? '' : nameOf(summary, entry.decl));
  const key = (summary: Summary, entry: ImportEntry): string =>
    `${entry.kind}\0${entry.module}\0${entry.name}\0${binding(summary, entry)}`;
  const oldKeys = new Set(before.summary.imports.map((entry) => key(before.summary, entry)));
  const newKeys = new Set(after.summary.imports.map((entry) => key(after.summary, entry)));
  const gone = before.summary.imports.filter((entry) => !newKeys.has(key(before.summary, entry)));
  const come = after.summary.imports.filter((entry) => !oldKeys.has(key(after.summary, entry)));
  const changes: AtomicChange[] = [];
  const make = (label: Label, detail: Detail['import']): AtomicChange => ({
    label,
    before: { file: before.file, decl: -1 },
    after: { file: after.file, decl: -1 },
    file: after.file,
    block: '<module>',
    kind: 'import',
    detail: detail === undefined ? {} : { import: detail },
  });
  for (const entry of gone) {
    const again = come.find(
      (other) => other.module === entry.module && other.name === entry.name && other.kind === entry.kind,
    );
    const detail = { module: entry.module, name: entry.name, binding: binding(before.summary, entry) };
    if (again === undefined) changes.push(make('DI', detail));
    else {
      changes.push(make('MI', { ...detail, newBinding: binding(after.summary, again) }));
      come.splice(come.indexOf(again), 1);
    }
  }
  for (const entry of come)
    changes.push(make('AI', { module: entry.module, name: entry.name, binding: binding(after.summary, entry) }));
  return changes;
}

// ---- blocks that came or went

function looseChange(how: 'A' | 'D', loose: Loose): AtomicChange {
  const { version, decl } = loose;
  const ref = { file: version.file, decl };
  const label = `${how}${suffix(version.summary, decl)}` as Label;
  return {
    label,
    ...(how === 'A' ? { after: ref } : { before: ref }),
    file: version.file,
    block: blockPath(version.summary, decl),
    kind: kindName(version.summary.decls.kind[decl] as number),
    detail: {},
  };
}

function suffix(summary: Summary, decl: number): 'M' | 'F' | 'C' | 'CC' {
  switch (family(summary, decl)) {
    case 'constructor':
      return 'CC';
    case 'type':
      return 'C';
    case 'function':
      return 'M';
    default:
      return 'F';
  }
}

/** Deleted and added blocks of different files that are one block: same family and name, alike; top-level ones and members alike, constructors with their class alone. */
function matchMoves(deleted: readonly Loose[], added: readonly Loose[]): { from: Loose; to: Loose }[] {
  const moves: { from: Loose; to: Loose; score: number }[] = [];
  for (const from of deleted) {
    const name = nameOf(from.version.summary, from.decl);
    for (const to of added) {
      if (
        nameOf(to.version.summary, to.decl) !== name ||
        family(from.version.summary, from.decl) !== family(to.version.summary, to.decl)
      )
        continue;
      if (staysWithClass(from) && ownerOf(from) !== ownerOf(to)) continue;
      if (
        from.version.file === to.version.file &&
        blockPath(from.version.summary, from.decl) === blockPath(to.version.summary, to.decl)
      )
        continue;
      const score = likeness(from.version, from.decl, to.version, to.decl);
      if (score >= SIMILAR_ENOUGH) moves.push({ from, to, score });
    }
  }
  moves.sort((x, y) => y.score - x.score);
  const used = new Set<Loose>();
  const found = moves.filter(({ from, to }) => {
    if (used.has(from) || used.has(to)) return false;
    used.add(from).add(to);
    return true;
  });
  const left = (list: readonly Loose[]): Loose[] => list.filter((loose) => !used.has(loose));
  const types = renamedWithMembers(left(deleted), left(added), found);
  for (const { from, to } of types) used.add(from).add(to);
  return [...found, ...types, ...renamedElsewhere(left(deleted), left(added))];
}

/** Shared tokens, of 1, that make a block of another file and another name the same one. */
const THE_SAME = 0.9;

/** Functions and types at the top of a file that stand in another one under another name, all but unchanged; where several could be one, none is. */
function renamedElsewhere(deleted: readonly Loose[], added: readonly Loose[]): { from: Loose; to: Loose }[] {
  const isKnown = ({ version, decl }: Loose): boolean =>
    (version.summary.decls.parent[decl] as number) < 0 &&
    ['function', 'type'].includes(family(version.summary, decl)) &&
    !isTiny(version, decl);
  const isSame = (from: Loose, to: Loose): boolean =>
    from.version.file !== to.version.file &&
    family(from.version.summary, from.decl) === family(to.version.summary, to.decl) &&
    likeness(from.version, from.decl, to.version, to.decl) >= THE_SAME;
  const [gone, come] = [deleted.filter(isKnown), added.filter(isKnown)];
  return gone.flatMap((from) => {
    const [to, ...others] = come.filter((candidate) => isSame(from, candidate));
    return to === undefined || others.length > 0 || gone.some((other) => other !== from && isSame(other, to))
      ? []
      : [{ from, to }];
  });
}

/** What has a meaning only in its class: a constructor, an override. */
function staysWithClass({ version: { summary }, decl }: Loose): boolean {
  return family(summary, decl) === 'constructor' || ((summary.decls.flags[decl] as number) & F.override) !== 0;
}

/** Types that stand elsewhere under another name: most of their members moved from the one to the other. */
function renamedWithMembers(
  deleted: readonly Loose[],
  added: readonly Loose[],
  moves: readonly { readonly from: Loose; readonly to: Loose }[],
): { from: Loose; to: Loose }[] {
  const isMemberOf = (member: Loose, type: Loose): boolean =>
    member.version.summary === type.version.summary && member.version.summary.decls.parent[member.decl] === type.decl;
  return deleted.flatMap((from) => {
    const members = childrenOf(from.version.summary, from.decl).length;
    const to =
      members === 0
        ? undefined
        : added.find(
            (candidate) =>
              candidate.version.summary.decls.kind[candidate.decl] === from.version.summary.decls.kind[from.decl] &&
              moves.filter((move) => isMemberOf(move.from, from) && isMemberOf(move.to, candidate)).length >=
                SIMILAR_ENOUGH * Math.max(members, childrenOf(candidate.version.summary, candidate.decl).length),
          );
    return to === undefined || family(from.version.summary, from.decl) !== 'type' ? [] : [{ from, to }];
  });
}

/** Name of the block around; '' at the top. */
function ownerOf({ version: { summary }, decl }: Loose): string {
  const parent = summary.decls.parent[decl] as number;
  return parent < 0 ? '' : nameOf(summary, parent);
}

/** A block found again elsewhere: its changes, always with the move in the first. */
function movedBlock(from: Loose, to: Loose): AtomicChange[] {
  const compared = comparePair(from.version, from.decl, to.version, to.decl);
  const move = {
    from: `${from.version.file}::${blockPath(from.version.summary, from.decl)}`,
    to: `${to.version.file}::${blockPath(to.version.summary, to.decl)}`,
  };
  const [first, ...rest] = compared;
  if (first !== undefined) return [{ ...first, detail: { ...first.detail, move } }, ...rest];
  const label: Label =
    suffix(to.version.summary, to.decl) === 'M'
      ? 'MMS'
      : suffix(to.version.summary, to.decl) === 'C'
        ? 'MC'
        : suffix(to.version.summary, to.decl) === 'CC'
          ? 'MCC'
          : 'MF';
  return [
    {
      label,
      before: { file: from.version.file, decl: from.decl },
      after: { file: to.version.file, decl: to.decl },
      file: to.version.file,
      block: blockPath(to.version.summary, to.decl),
      kind: kindName(to.version.summary.decls.kind[to.decl] as number),
      detail: { move },
    },
  ];
}
