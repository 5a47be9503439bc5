/**
 * Edits of one definition that nothing can carry by rule, or that are no refactoring: a type that is another one, what
 * is deleted, narrower or missing. One kind a row, beside those that a refactoring begins with.
 */
import type { TextEdit } from '#src/base/text-edit.js';
import { isOwnBlock } from '#src/change/match-blocks.js';
import { dropItems } from '#src/edit/mechanical/calls/list-edit.js';
import { D, F, isClassLike, isFieldLike, type LanguageId } from '#src/syntax/summary.js';
import {
  CLASSES,
  has,
  isPlainFunction,
  kindOf,
  KINDS,
  ofKinds,
  only,
  paramsOf,
  type Kind,
  type Subject,
  type Typed,
} from './refactoring-kinds.js';

/** What a type is made into; the second where it is the first already. */
const OTHER_TYPE: Readonly<Record<LanguageId, readonly [string, string]>> = {
  typescript: ['number', 'string'],
  python: ['int', 'bytes'],
  java: ['Integer', 'String'],
  csharp: ['int', 'string'],
};
const OR_NOTHING: Partial<Readonly<Record<LanguageId, string>>> = { typescript: ' | undefined', python: ' | None' };

const changed = (subject: Subject, edits: readonly TextEdit[] | undefined): Typed | undefined =>
  edits === undefined
    ? undefined
    : only(subject, edits, [subject.summary.decls.nameOf(subject.decl)], { isInvertible: false });

/** Where the type of a row is written, if it is one line of names, dots and brackets. */
function typeSpan({ summary, text }: Subject, row: number): { start: number; end: number } | undefined {
  const { decls, exprs } = summary;
  const type = decls.typeOf(row);
  if (type < 0) return undefined;
  if (summary.language === 'java' || summary.language === 'csharp') {
    const [start, end] = [exprs.startOf(type), decls.nameStartOf(row)];
    const written = text.slice(start, end).trimEnd();
    return start < end && /^[\w.<>[\], ?]+$/.test(written) ? { start, end: start + written.length } : undefined;
  }
  const head = text.slice(0, exprs.startOf(type));
  const isFunction = decls.hasParams(row);
  const before = (isFunction ? /(?:->|\)\s*:)\s*$/ : /[\w$?)]\s*:\s*$/).exec(head);
  if (before === null) return undefined;
  const span = { start: head.length, end: exprs.endOf(type) };
  const rest = text.slice(span.end);
  return /^[\w.<>[\], |'"]+$/.test(text.slice(span.start, span.end)) && /^\s*(?:[,)=;{:}\r\n]|$)/.test(rest)
    ? span
    : undefined;
}

function otherType(subject: Subject, row: number): TextEdit[] | undefined {
  const span = typeSpan(subject, row);
  if (span === undefined) return undefined;
  const written = subject.text.slice(span.start, span.end);
  const [first, second] = OTHER_TYPE[subject.summary.language];
  return /^(?:any|unknown|void|None|Any|object|Object)$/.test(written)
    ? undefined
    : [{ ...span, text: written === first || written === 'int' ? second : first }];
}

function orNothing(subject: Subject, row: number): TextEdit[] | undefined {
  const span = typeSpan(subject, row);
  const ending = OR_NOTHING[subject.summary.language];
  if (span === undefined || ending === undefined) return undefined;
  return /undefined|None|null|any|unknown|void|Optional/.test(subject.text.slice(span.start, span.end))
    ? undefined
    : [{ start: span.end, end: span.end, text: ending }];
}

function ofParameter(
  subject: Subject,
  edit: (subject: Subject, row: number) => TextEdit[] | undefined,
): Typed | undefined {
  const params = paramsOf(subject);
  const rows = (params?.plain ?? []).flatMap((i) => params?.spans[i]?.row ?? []);
  const edits = rows.map((row) => edit(subject, row)).filter((made) => made !== undefined);
  return edits.length === 0 ? undefined : changed(subject, edits[subject.pick(edits.length, 'parameter')]);
}

/** The whole definition, with what stands in front of it on its line. */
function deleted({ summary, text, decl, ...rest }: Subject): Typed | undefined {
  const subject = { summary, text, decl, ...rest };
  const [start, end] = [summary.decls.startOf(decl), summary.decls.endOf(decl)];
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const head = text.slice(line, start);
  const tail = /^[ \t]*[;,]?[ \t]*(?:\r?\n|$)/.exec(text.slice(end));
  if (!/^\s*(?:export\s+)?(?:default\s+)?(?:(?:const|let|var)\s+)?$/.test(head) || tail === null) return undefined;
  return changed(subject, [{ start: line, end: end + tail[0].length, text: '' }]);
}

/** A replacement in the text from the start of the definition to its body. */
function inHead(subject: Subject, pattern: RegExp, replacement: string): Typed | undefined {
  const { summary, text, decl } = subject;
  const line = text.lastIndexOf('\n', summary.decls.startOf(decl) - 1) + 1;
  const body = summary.decls.bodyStartOf(decl);
  const end = body > line ? body : summary.decls.endOf(decl);
  const match = pattern.exec(text.slice(line, end));
  if (match === null) return undefined;
  const start = line + match.index;
  return changed(subject, [{ start, end: start + match[0].length, text: match[0].replace(pattern, replacement) }]);
}

function withoutDefault(subject: Subject): Typed | undefined {
  return ofParameter(subject, ({ summary, text }, row) => {
    const { decls, exprs } = summary;
    const value = decls.valueOf(row);
    if (!has(summary, row, F.optional) || value < 0) return undefined;
    const head = text.slice(0, exprs.startOf(value));
    const before = /\s*=\s*$/.exec(head);
    return before === null ? undefined : [{ start: before.index, end: exprs.endOf(value), text: '' }];
  });
}

/** The last parameter that is given by position, from now on by its name alone. */
function keywordOnly(subject: Subject): Typed | undefined {
  const params = paramsOf(subject);
  const last = params?.plain.at(-1);
  if (params === undefined || last === undefined || last !== params.spans.length - 1) return undefined;
  const at = params.spans[last]?.start ?? 0;
  return subject.summary.language === 'python' ? changed(subject, [{ start: at, end: at, text: '*, ' }]) : undefined;
}

function withoutAlternative(subject: Subject): Typed | undefined {
  const { summary, text, decl } = subject;
  const [start, end] = [summary.decls.nameStartOf(decl), summary.decls.endOf(decl)];
  const parts = [...text.slice(start, end).matchAll(/\|\s*(?:'[^']*'|"[^"]*"|[\w.]+)(?=\s*(?:\||;|$))/g)];
  const part = parts[subject.pick(parts.length, 'alternative')];
  if (part === undefined) return undefined;
  return changed(subject, [{ start: start + part.index, end: start + part.index + part[0].length, text: '' }]);
}

function asProperty(subject: Subject): Typed | undefined {
  const { summary, text, decl } = subject;
  const line = text.lastIndexOf('\n', summary.decls.nameStartOf(decl)) + 1;
  const indent = /^[ \t]*(?=def )/.exec(text.slice(line))?.[0];
  if (indent === undefined || summary.decls.paramsOf(decl).length !== 1) return undefined;
  if (text.slice(summary.decls.startOf(decl), line).includes('@') || kindOf(summary, decl) !== D.method)
    return undefined;
  return changed(subject, [{ start: line, end: line, text: `${indent}@property\n` }]);
}

const isMember: Kind['fits'] = (summary, decl) => {
  const parent = summary.decls.parentOf(decl);
  return parent >= 0 && isClassLike(kindOf(summary, parent));
};
const FUNCTIONS = ofKinds(D.function, D.method);
const FIELDS: Kind['fits'] = (summary, decl) =>
  isFieldLike(kindOf(summary, decl)) && isOwnBlock(summary, decl) && summary.decls.nameStartOf(decl) >= 0;
const of =
  (...languages: LanguageId[]) =>
  (fits: Kind['fits']): Kind['fits'] =>
  (summary, decl) =>
    languages.includes(summary.language) && fits(summary, decl);
const inTypeScript = of('typescript');

export const EDIT_KINDS: readonly Kind[] = [
  ...KINDS.filter(({ name }) => !/moved|alias|type parameter renamed/.test(name)),
  { name: 'function deleted', fits: FUNCTIONS, typed: deleted },
  { name: 'class or type deleted', fits: CLASSES, typed: deleted },
  { name: 'variable or field deleted', fits: FIELDS, typed: deleted },
  { name: 'enum member deleted', fits: ofKinds(D.enumMember), typed: deleted },
  { name: 'type of a parameter', fits: isPlainFunction, typed: (subject) => ofParameter(subject, otherType) },
  {
    name: 'type of a result',
    fits: isPlainFunction,
    typed: (subject) => changed(subject, otherType(subject, subject.decl)),
  },
  { name: 'type of a field', fits: FIELDS, typed: (subject) => changed(subject, otherType(subject, subject.decl)) },
  {
    name: 'result may be missing',
    fits: isPlainFunction,
    typed: (subject) => changed(subject, orNothing(subject, subject.decl)),
  },
  {
    name: 'field may be missing',
    fits: FIELDS,
    typed: (subject) => changed(subject, orNothing(subject, subject.decl)),
  },
  { name: 'default dropped', fits: isPlainFunction, typed: withoutDefault },
  { name: 'by keyword alone', fits: isPlainFunction, typed: keywordOnly },
  { name: 'method made a property', fits: of('python')(FUNCTIONS), typed: asProperty },
  {
    name: 'member made optional',
    fits: inTypeScript((summary, decl) => FIELDS(summary, decl) && !has(summary, decl, F.optional)),
    typed: (subject) => inHead(subject, /^(\s*(?:readonly )?[\w$]+)(?=\s*:)/, '$1?'),
  },
  {
    name: 'member made required',
    fits: inTypeScript((summary, decl) => FIELDS(summary, decl) && has(summary, decl, F.optional)),
    typed: (subject) => inHead(subject, /^(\s*(?:readonly )?[\w$]+)\?(?=\s*:)/, '$1'),
  },
  {
    name: 'member made readonly',
    fits: inTypeScript((summary, decl) => FIELDS(summary, decl) && isMember(summary, decl)),
    typed: (subject) => inHead(subject, /^(\s*)(?=[\w$]+\??\s*:)/, '$1readonly '),
  },
  {
    name: 'field made final',
    fits: of('java')(ofKinds(D.field)),
    typed: (subject) => inHead(subject, /^(\s*(?:(?:public|private|protected|static)\s+)*)(?!.*\bfinal\b)/, '$1final '),
  },
  {
    name: 'member made private',
    fits: (summary, decl) => isMember(summary, decl) && (FUNCTIONS(summary, decl) || FIELDS(summary, decl)),
    typed: (subject) =>
      subject.summary.language === 'java'
        ? inHead(subject, /\b(?:public|protected) /, 'private ')
        : subject.summary.language === 'typescript' &&
            kindOf(subject.summary, subject.summary.decls.parentOf(subject.decl)) === D.class
          ? inHead(subject, /^(\s*)(?:public )?(?=(?:async |readonly )?[\w$]+\s*[(:=<])/, '$1private ')
          : undefined,
  },
  {
    name: 'base dropped',
    fits: ofKinds(D.class, D.interface),
    typed: (subject) =>
      subject.summary.language === 'python'
        ? inHead(subject, /(class \w+)\([\w., ]+\)(?=:)/, '$1')
        : inHead(subject, /\s(?:extends|implements)\s[\w.]+(?:<[\w, ]*>)?(?=\s*(?:\{|implements))/, ''),
  },
  {
    name: 'type parameter added',
    fits: of('typescript', 'java')(ofKinds(D.class, D.interface, D.typeAlias)),
    typed: (subject) =>
      inHead(subject, /((?:class|interface|type) [\w$]+)(?=\s*[{=]| (?:extends|implements))/, '$1<GivenAnew>'),
  },
  {
    name: 'export dropped',
    fits: inTypeScript((summary, decl) => has(summary, decl, F.exported)),
    typed: (subject) => inHead(subject, /^export (?!default)/, ''),
  },
  {
    name: 'class made abstract',
    fits: of('typescript', 'java')(ofKinds(D.class)),
    typed: (subject) => inHead(subject, /^((?:export |public |static )*)(?=class )/, '$1abstract '),
  },
  { name: 'alternative of a union dropped', fits: inTypeScript(ofKinds(D.typeAlias)), typed: withoutAlternative },
  {
    name: 'first parameter dropped',
    fits: isPlainFunction,
    typed: (subject) => {
      const params = paramsOf(subject);
      const first = params?.plain[0];
      return params === undefined || first === undefined
        ? undefined
        : changed(subject, dropItems(subject.text, params.spans, [first]));
    },
  },
];
