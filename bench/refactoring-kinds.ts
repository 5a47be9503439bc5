/**
 * The edits of a person that a refactoring begins with, one kind a row: what is typed at one
 * definition, and nothing of what follows from it.
 *
 * Where the language has no such thing, or the definition does not lend itself to it, a kind gives
 * undefined, and another definition is taken.
 */
import type { TextEdit } from '#src/base/text-edit.js';
import { isOwnBlock } from '#src/change/match-blocks.js';
import { behindBracket, endOfItem, parameterSpans, type ItemSpan } from '#src/edit/mechanical/calls/argument-spans.js';
import { dropItems, editList } from '#src/edit/mechanical/calls/list-edit.js';
import type { WorkingTree } from '#src/engine/working-tree.js';
import { D, E, F, isClassLike, isFunctionLike, R, type Summary } from '#src/syntax/summary.js';
import { movedAway, movedFile } from './refactoring-moves.js';

/** A definition to edit. */
export interface Subject {
  readonly tree: WorkingTree;
  readonly file: string;
  readonly decl: number;
  readonly summary: Summary;
  readonly text: string;
  /** One of `count` things, always the same for the same subject and purpose. */
  readonly pick: (count: number, purpose: string) => number;
}

/** What the person types. */
export interface Typed {
  readonly edits: ReadonlyMap<string, readonly TextEdit[]>;
  /** Files that have another path afterwards, old to new; their edits stand under the old one. */
  readonly renames?: ReadonlyMap<string, string>;
  readonly values?: Readonly<Record<string, string>>;
  /** The names that the edit is about, old and new. */
  readonly names: readonly string[];
  /** Whether the inverse edit says all that is needed to get the old texts back. */
  readonly isInvertible: boolean;
}

export interface Kind {
  readonly name: string;
  /** Whether the row may be such a definition. */
  readonly fits: (summary: Summary, decl: number) => boolean;
  readonly typed: (subject: Subject) => Typed | undefined;
}

const ADDED = 'givenAnew';
const VALUE = '42';

export const has = (summary: Summary, decl: number, flags: number): boolean => summary.decls.has(decl, flags);
export const kindOf = (summary: Summary, decl: number): number => summary.decls.kindOf(decl);
const isNamed = (summary: Summary, decl: number): boolean =>
  /^[\p{L}$][\p{L}\p{N}_$]*$|^_[\p{L}\p{N}]\w*$/u.test(summary.decls.nameOf(decl)) &&
  summary.decls.nameStartOf(decl) >= 0;
export const ofKinds =
  (...kinds: number[]) =>
  (summary: Summary, decl: number): boolean =>
    kinds.includes(kindOf(summary, decl)) && isOwnBlock(summary, decl) && isNamed(summary, decl);
/** A function or method that is declared once, under a name of its own. */
export const isPlainFunction = (summary: Summary, decl: number): boolean =>
  ofKinds(D.function, D.method)(summary, decl) &&
  !has(summary, decl, F.getter | F.setter) &&
  (summary.language === 'java' || declaredOften(summary, decl) === 1);

/** How many blocks of the file have the path of this one: overloads, and what is declared under conditions. */
function declaredOften(summary: Summary, decl: number): number {
  const path = summary.decls.pathOf(decl);
  return sameNames(summary, decl).filter((row) => summary.decls.pathOf(row) === path).length;
}

const sameNames = (summary: Summary, decl: number): number[] =>
  Array.from({ length: summary.decls.count }, (_, row) => row).filter(
    (row) =>
      summary.decls.nameIdOf(row) === summary.decls.nameIdOf(decl) &&
      (isOwnBlock(summary, row) || has(summary, row, F.reassigned)),
  );

/** Another name in the style of the old one. */
export function anew(name: string): string {
  return /^[A-Z][A-Z0-9_]*$/.test(name)
    ? `${name}_ANEW`
    : name.includes('_') || (/^[a-z]+$/.test(name) && name.length > 12)
      ? `${name}_anew`
      : `${name}Anew`;
}

export const only = (
  subject: Subject,
  edits: readonly TextEdit[],
  names: readonly string[],
  more: Partial<Typed> = {},
): Typed => ({ edits: new Map([[subject.file, edits]]), names, isInvertible: true, ...more });

const replaced = (start: number, from: string, to: string): TextEdit => ({ start, end: start + from.length, text: to });

/** Every row that declares it: overloads and further assignments are one definition, but not the overloads of Java. */
function renamed(subject: Subject): Typed | undefined {
  const { summary, decl, text, file } = subject;
  const name = summary.decls.nameOf(decl);
  const path = summary.decls.pathOf(decl);
  const rows =
    summary.language === 'java' ? [decl] : sameNames(summary, decl).filter((row) => summary.decls.pathOf(row) === path);
  const starts = [...new Set(rows.map((row) => summary.decls.nameStartOf(row)))].filter(
    (start) => start >= 0 && text.startsWith(name, start),
  );
  if (starts.length === 0 || subject.tree.snapshot.filesMentioning(anew(name)).length > 0) return undefined;
  const isFileOfClass =
    summary.language === 'java' &&
    (file.endsWith(`/${name}.java`) || file === `${name}.java`) &&
    summary.decls.parentOf(decl) < 0;
  const renames = isFileOfClass
    ? { renames: new Map([[file, `${file.slice(0, file.length - `${name}.java`.length)}${anew(name)}.java`]]) }
    : {};
  return only(
    subject,
    starts.map((start) => replaced(start, name, anew(name))),
    [name, anew(name)],
    renames,
  );
}

function renamedTypeParameter(subject: Subject): Typed | undefined {
  const name = subject.summary.decls.nameOf(subject.decl);
  return only(
    subject,
    [replaced(subject.summary.decls.nameStartOf(subject.decl), name, anew(name))],
    [name, anew(name)],
  );
}

export interface Params {
  readonly spans: readonly (ItemSpan & { readonly row: number })[];
  /** Indexes of the spans that calls give by position. */
  readonly plain: readonly number[];
  readonly open: number;
}

export function paramsOf({ summary, text, decl }: Subject): Params | undefined {
  const spans = parameterSpans(summary, text, decl);
  if (spans === undefined) return undefined;
  const plain = spans.flatMap(({ row }, i) =>
    has(summary, row, F.receiver | F.rest | F.keywordRest | F.keywordOnly | F.positionalOnly | F.parameterField) ||
    !isNamed(summary, row)
      ? []
      : [i],
  );
  return { spans, plain, open: behindBracket(summary, text, decl) };
}

function withoutParameter(subject: Subject): Typed | undefined {
  const params = paramsOf(subject);
  if (
    params === undefined ||
    params.plain.length === 0 ||
    isOverloaded(subject.summary, subject.decl, params.spans.length - 1)
  )
    return undefined;
  const index = params.plain[subject.pick(params.plain.length, 'parameter')] as number;
  return only(
    subject,
    dropItems(subject.text, params.spans, [index]),
    [
      subject.summary.decls.nameOf(subject.decl),
      subject.summary.decls.nameOf((params.spans[index] as { row: number }).row),
    ],
    { isInvertible: false },
  );
}

/** Whether another function beside it has its name and this many parameters. */
function isOverloaded(summary: Summary, decl: number, count: number): boolean {
  return sameNames(summary, decl).some(
    (row) =>
      row !== decl &&
      summary.decls.parentOf(row) === summary.decls.parentOf(decl) &&
      summary.decls.paramsOf(row).length === count,
  );
}

function reordered(subject: Subject): Typed | undefined {
  const params = paramsOf(subject);
  if (params === undefined) return undefined;
  const required = params.plain.filter(
    (i) => !has(subject.summary, (params.spans[i] as { row: number }).row, F.optional),
  );
  if (required.length < 2) return undefined;
  const at = subject.pick(required.length - 1, 'order');
  const [first, second] = [required[at] as number, required[at + 1] as number];
  if (second !== first + 1) return undefined;
  const order = params.spans.map((_, i) => (i === first ? second : i === second ? first : i));
  const textAt = (i: number): string => subject.text.slice(params.spans[i]?.start, params.spans[i]?.end);
  return only(
    subject,
    editList(
      subject.text,
      params.spans,
      order.map((from) => ({ from, text: textAt(from) })),
      params.open,
    ),
    [subject.summary.decls.nameOf(subject.decl)],
  );
}

function renamedParameter(subject: Subject): Typed | undefined {
  const params = paramsOf(subject);
  if (params === undefined || params.plain.length === 0) return undefined;
  const { row } = params.spans[params.plain[subject.pick(params.plain.length, 'parameter')] as number] as {
    row: number;
  };
  const name = subject.summary.decls.nameOf(row);
  return only(
    subject,
    [replaced(subject.summary.decls.nameStartOf(row), name, anew(name))],
    [subject.summary.decls.nameOf(subject.decl), name, anew(name)],
  );
}

/** With a default at the end of what is given by position, without one anywhere among the required. */
function withParameter(subject: Subject, byDefault: boolean): Typed | undefined {
  const { summary, text } = subject;
  const params = paramsOf(subject);
  if (
    params === undefined ||
    (byDefault && summary.language === 'java') ||
    subject.tree.snapshot.filesMentioning(ADDED).length > 0
  )
    return undefined;
  const isOptional = (i: number): boolean => has(summary, (params.spans[i] as { row: number }).row, F.optional);
  const receivers = params.spans.filter(({ row }) => has(summary, row, F.receiver)).length;
  const required = params.spans.filter((_, i) => params.plain.includes(i) && !isOptional(i)).length;
  const behindPositional = params.spans.findIndex(({ row }) =>
    has(summary, row, F.rest | F.keywordRest | F.keywordOnly),
  );
  // Parameters that end where only position counts, or the bare star of Python, leave no simple place.
  if (
    params.spans.length > 0 &&
    behindPositional === -1 &&
    params.spans.some(({ row }) => has(summary, row, F.positionalOnly))
  )
    return undefined;
  if (
    summary.language === 'python' &&
    /[(,]\s*[*/]\s*[,)]/.test(text.slice(params.open - 1, params.spans.at(-1)?.end ?? params.open))
  )
    return undefined;
  const index = byDefault
    ? behindPositional === -1
      ? params.spans.length
      : behindPositional
    : receivers + subject.pick(required + 1, 'place');
  const typed = params.plain.some((i) => text.slice(params.spans[i]?.start, params.spans[i]?.end).includes(':'));
  const written = {
    java: `int ${ADDED}`,
    csharp: `int ${ADDED}${byDefault ? ` = ${VALUE}` : ''}`,
    typescript: `${ADDED}: number${byDefault ? ` = ${VALUE}` : ''}`,
    python: `${ADDED}${typed ? ': int' : ''}${byDefault ? (typed ? ` = ${VALUE}` : `=${VALUE}`) : ''}`,
  }[summary.language];
  const isBodiless = has(summary, subject.decl, F.bodiless | F.abstract);
  const item = byDefault && summary.language === 'typescript' && isBodiless ? `${ADDED}?: number` : written;
  const wanted = params.spans.map((span, from): { from?: number; text: string } => ({
    from,
    text: text.slice(span.start, span.end),
  }));
  wanted.splice(index, 0, { text: item });
  return only(
    subject,
    editList(text, params.spans, wanted, params.open),
    [summary.decls.nameOf(subject.decl), ADDED],
    byDefault ? {} : { values: { [ADDED]: VALUE } },
  );
}

function madeAsync(subject: Subject): Typed | undefined {
  const { summary, text, decl } = subject;
  const name = summary.decls.nameOf(decl);
  const at = summary.decls.nameStartOf(decl);
  if (
    has(summary, decl, F.async | F.generator | F.bodiless | F.abstract) ||
    summary.language === 'java' ||
    name.startsWith('__')
  )
    return undefined;
  const word = summary.language === 'python' ? 'def ' : text.slice(0, at).endsWith('function ') ? 'function ' : '';
  const start = at - word.length;
  if (
    !text.startsWith(word, start) ||
    (summary.language === 'typescript' && word === '' && kindOf(summary, decl) !== D.method)
  )
    return undefined;
  const edits: TextEdit[] = [{ start, end: start, text: 'async ' }];
  const type = summary.decls.typeOf(decl);
  if (summary.language === 'typescript' && type >= 0) {
    const end = summary.exprs.endOf(type);
    // Only where the type is a name: what else stands there may begin before its row.
    const written = text.slice(summary.exprs.startOf(type), end);
    if (!/^\w+$/.test(written)) return undefined;
    edits.push({ start: summary.exprs.startOf(type), end, text: `Promise<${written}>` });
  }
  return only(subject, edits, [name]);
}

/** Whether a method says anything of its object. */
function usesItsObject({ summary, decl, tree, file }: Subject): boolean {
  const [start, end] = [summary.decls.startOf(decl), summary.decls.endOf(decl)];
  for (let row = 0; row < summary.exprs.count; row++) {
    const at = summary.exprs.startOf(row);
    if (at < start || at >= end) continue;
    const op = summary.exprs.opOf(row);
    if (op === E.this || op === E.super) return true;
    if (op !== E.name || summary.exprs.roleOf(row) === R.doc) continue;
    if (
      tree.resolver
        .resolve(file, row)
        .targets.some((target) => isOfObject(tree.resolver.summary(target.file), target.decl))
    )
      return true;
  }
  return false;
}

/** A receiver, or a member that is none of the class itself. */
function isOfObject(of: Summary, decl: number): boolean {
  if (decl < 0) return false;
  const parent = of.decls.parentOf(decl);
  const kind = kindOf(of, decl);
  return (
    has(of, decl, F.receiver) ||
    (parent >= 0 &&
      isClassLike(kindOf(of, parent)) &&
      !isClassLike(kind) &&
      kind <= D.variable &&
      !has(of, decl, F.static))
  );
}

/** What says nothing of its object. */
function madeStatic(subject: Subject): Typed | undefined {
  const { summary, text, decl } = subject;
  if (
    has(summary, decl, F.static | F.classMethod | F.abstract | F.bodiless | F.override) ||
    kindOf(summary, decl) !== D.method ||
    summary.decls.nameOf(decl).startsWith('__')
  )
    return undefined;
  if (usesItsObject(subject)) return undefined;
  const at = summary.decls.nameStartOf(decl);
  if (summary.language === 'java') {
    const type = /(?:^|\n)[ \t]*(?:(?:public|protected|private|final|synchronized)\s+)*/y;
    type.lastIndex = text.lastIndexOf('\n', at);
    const match = type.exec(text);
    return match === null || /@Override/.test(text.slice(summary.decls.startOf(decl), at)) || type.lastIndex > at
      ? undefined
      : only(subject, [{ start: type.lastIndex, end: type.lastIndex, text: 'static ' }], [summary.decls.nameOf(decl)], {
          isInvertible: false,
        });
  }
  if (summary.language === 'typescript')
    return has(summary, decl, F.private) && text[at] === '#'
      ? undefined
      : only(
          subject,
          [{ start: headOf(text, at), end: headOf(text, at), text: 'static ' }],
          [summary.decls.nameOf(decl)],
          { isInvertible: false },
        );
  const spans = parameterSpans(summary, text, decl);
  const lineStart = text.lastIndexOf('\n', at) + 1;
  const indent = /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? '';
  if (spans === undefined || spans.length === 0 || text.slice(summary.decls.startOf(decl), at).includes('@'))
    return undefined;
  return only(
    subject,
    [{ start: lineStart, end: lineStart, text: `${indent}@staticmethod\n` }, ...dropItems(text, spans, [0])],
    [summary.decls.nameOf(decl)],
    { isInvertible: false },
  );
}

/** Where `async` or `get` in front of a name begins. */
function headOf(text: string, at: number): number {
  return at - (/(?:async\s+)?\*?$/.exec(text.slice(Math.max(0, at - 12), at))?.[0].length ?? 0);
}

function madeOfInstances(subject: Subject): Typed | undefined {
  const { summary, text, decl } = subject;
  if (!has(summary, decl, F.static) || kindOf(summary, decl) !== D.method || summary.language === 'python')
    return undefined;
  const [start, at] = [summary.decls.startOf(decl), summary.decls.nameStartOf(decl)];
  const match = /\bstatic\s+/.exec(text.slice(start, at));
  return match === null
    ? undefined
    : only(
        subject,
        [{ start: start + match.index, end: start + match.index + match[0].length, text: '' }],
        [summary.decls.nameOf(decl)],
        { isInvertible: false },
      );
}

function withMember(subject: Subject): Typed | undefined {
  const { summary, text, decl } = subject;
  const isInterface = kindOf(summary, decl) === D.interface;
  if ((!isInterface && !has(summary, decl, F.abstract)) || summary.language === 'python') return undefined;
  const brace = text.indexOf('{', summary.decls.bodyStartOf(decl));
  if (brace === -1 || brace >= summary.decls.endOf(decl)) return undefined;
  const member =
    summary.language === 'java'
      ? `${isInterface ? '' : 'public abstract '}int ${ADDED}(String digits);`
      : `${isInterface ? '' : 'abstract '}${ADDED}(digits: string): number;`;
  return only(
    subject,
    [{ start: brace + 1, end: brace + 1, text: `\n  ${member}` }],
    [summary.decls.nameOf(decl), ADDED],
    { isInvertible: false },
  );
}

function withoutField(subject: Subject): Typed | undefined {
  const { summary, text, decl } = subject;
  if (has(summary, decl, F.parameterField)) return undefined;
  const [start, end] = [summary.decls.startOf(decl), summary.decls.endOf(decl)];
  const line = text.lastIndexOf('\n', start) + 1;
  const rest = /^[ \t]*;?[ \t]*\r?\n/.exec(text.slice(end));
  if (text.slice(line, start).trim() !== '' || rest === null || text.slice(start, end).includes('{')) return undefined;
  return only(subject, [{ start: line, end: end + rest[0].length, text: '' }], [summary.decls.nameOf(decl)], {
    isInvertible: false,
  });
}

function withThrows(subject: Subject): Typed | undefined {
  const { summary, text, decl } = subject;
  if (summary.language !== 'java') return undefined;
  const spans = parameterSpans(summary, text, decl);
  const stop = text.indexOf(')', spans?.at(-1)?.end ?? behindBracket(summary, text, decl));
  const body = endOfItem(text, stop + 1, summary.decls.endOf(decl), stop + 1);
  const tail = /^\)\s*(?:throws\s+[\w.]+(?:\s*,\s*[\w.]+)*)?/.exec(text.slice(stop));
  if (spans === undefined || body === undefined || tail === null || /Exception\b/.test(tail[0])) return undefined;
  const at = stop + tail[0].trimEnd().length;
  return only(
    subject,
    [
      {
        start: at,
        end: at,
        text: tail[0].includes('throws') ? ', java.io.IOException' : ' throws java.io.IOException',
      },
    ],
    [summary.decls.nameOf(decl)],
    { isInvertible: false },
  );
}

/** The name that an import binds. */
function withAlias(subject: Subject): Typed | undefined {
  const { summary, text, decl } = subject;
  const entry = summary.imports.find((one) => one.decl === decl);
  if (
    entry === undefined ||
    summary.language === 'java' ||
    entry.kind === 'star' ||
    (entry.typeOnly && summary.language === 'python')
  )
    return undefined;
  const name = summary.decls.nameOf(decl);
  const written = text.slice(entry.start, entry.end);
  if (
    !/^[\w$]+$|^[\w$.]+\s+as\s+[\w$]+$|^type\s+[\w$]+$/.test(written) ||
    !written.endsWith(name) ||
    entry.name === 'default'
  )
    return undefined;
  const edit = /\sas\s/.test(written)
    ? replaced(entry.end - name.length, name, anew(name))
    : { start: entry.end, end: entry.end, text: ` as ${anew(name)}` };
  return only(subject, [edit], [name, anew(name)]);
}

export const CLASSES = ofKinds(D.class, D.interface, D.enum, D.record, D.struct, D.typeAlias);
const isOfBlock = (summary: Summary, param: number): boolean =>
  Array.from({ length: summary.decls.count }, (_, row) => row).some(
    (row) => isOwnBlock(summary, row) && summary.decls.typeParamsOf(row).includes(param),
  );
const isMemberOf = (summary: Summary, decl: number): boolean => summary.decls.parentOf(decl) >= 0;

export const KINDS: readonly Kind[] = [
  {
    name: 'function renamed',
    fits: (summary, decl) => ofKinds(D.function)(summary, decl) && !isMemberOf(summary, decl),
    typed: renamed,
  },
  { name: 'method renamed', fits: ofKinds(D.method, D.property), typed: renamed },
  { name: 'class or type renamed', fits: CLASSES, typed: renamed },
  { name: 'enum member renamed', fits: ofKinds(D.enumMember), typed: renamed },
  { name: 'field renamed', fits: ofKinds(D.field), typed: renamed },
  { name: 'variable renamed', fits: ofKinds(D.variable), typed: renamed },
  {
    name: 'type parameter renamed',
    fits: (summary, decl) =>
      kindOf(summary, decl) === D.typeParam && isNamed(summary, decl) && isOfBlock(summary, decl),
    typed: renamedTypeParameter,
  },
  { name: 'parameter renamed', fits: isPlainFunction, typed: renamedParameter },
  { name: 'parameter removed', fits: isPlainFunction, typed: withoutParameter },
  { name: 'parameter added', fits: isPlainFunction, typed: (subject) => withParameter(subject, false) },
  { name: 'parameter with default added', fits: isPlainFunction, typed: (subject) => withParameter(subject, true) },
  { name: 'parameters reordered', fits: isPlainFunction, typed: reordered },
  {
    name: 'constructor parameters reordered',
    fits: (summary, decl) => kindOf(summary, decl) === D.constructor,
    typed: reordered,
  },
  {
    name: 'constructor parameter removed',
    fits: (summary, decl) => kindOf(summary, decl) === D.constructor,
    typed: withoutParameter,
  },
  {
    name: 'constructor parameter added',
    fits: (summary, decl) => kindOf(summary, decl) === D.constructor,
    typed: (subject) => withParameter(subject, false),
  },
  { name: 'made async', fits: isPlainFunction, typed: madeAsync },
  { name: 'made static', fits: isPlainFunction, typed: madeStatic },
  { name: 'made a member of instances', fits: isPlainFunction, typed: madeOfInstances },
  { name: 'abstract member added', fits: ofKinds(D.class, D.interface), typed: withMember },
  { name: 'field removed', fits: ofKinds(D.field), typed: withoutField },
  {
    name: 'checked exception added',
    fits: (summary, decl) => isPlainFunction(summary, decl) || kindOf(summary, decl) === D.constructor,
    typed: withThrows,
  },
  {
    name: 'import alias changed',
    fits: (summary, decl) => kindOf(summary, decl) === D.importBinding,
    typed: withAlias,
  },
  {
    name: 'definition moved',
    fits: (summary, decl) =>
      (isFunctionLike(kindOf(summary, decl)) || CLASSES(summary, decl)) &&
      isOwnBlock(summary, decl) &&
      isNamed(summary, decl) &&
      declaredOften(summary, decl) === 1 &&
      !isMemberOf(summary, decl),
    typed: movedAway,
  },
  {
    name: 'file moved',
    fits: (summary, decl) => isOwnBlock(summary, decl) && !isMemberOf(summary, decl),
    typed: movedFile,
  },
];
