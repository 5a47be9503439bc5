/**
 * Where the search for what a name means ended, if it led to nothing in the repository: the first
 * question on the way that has no answer.
 *
 *     f = json.loads(x)      f has no declared type, only a value
 *     f.put(1)               json is imported from json, which is outside of the repository
 */
import { D, E, type Summary } from '../../syntax/summary.js';
import { Facts, type Fact } from './facts.js';
import { typeName } from '../resolve/hierarchy.js';
import { parameterWords } from '../resolve/misfit.js';
import type { Resolution } from '../resolve/names.js';
import { receiverIn, resolutionIn, typeIn, type Question, type TracingResolver } from '../resolve/trace.js';
import type { Type } from '../resolve/value.js';

/** Why nothing is known of a row: where the search for its meaning, or for its receiver's type, ended. */
export function endOf(trace: TracingResolver, file: string, expr: number): readonly Fact[] {
  const facts = new Facts();
  endOfRow(trace, trace.question('row', file, expr), facts);
  return facts.list;
}

function endOfRow(trace: TracingResolver, question: Question, facts: Facts): void {
  const { file, parts } = question;
  const summary = trace.summary(file);
  const expr = question.what as number;
  const at = summary.exprs.startOf(expr);
  const name = summary.exprs.nameOf(expr);
  const resolution = resolutionIn(question);
  const binding = parts.find((part) => part.kind === 'import');
  if (binding !== undefined) {
    const entry = summary.imports.find((candidate) => candidate.decl === binding.what);
    if (entry !== undefined)
      facts.say(
        file,
        entry.start,
        `${name} is imported from ${entry.module}, ` +
          (resolution?.external === true ? 'which is outside of the repository' : 'which has no such name'),
      );
    return;
  }
  if (resolution?.via === 'no such member')
    return facts.say(file, at, `the receiver's type is known and has no ${name}`);
  if (resolution?.via === 'member of every object')
    return facts.say(file, at, `${name} is taken for the member that every object has`);
  const isMember = summary.exprs.opOf(expr) !== E.name;
  if (isMember) endOfReceiver(trace, question, facts);
  if (isMember && (resolution?.external !== true || facts.list.length > 0)) return;
  facts.say(
    file,
    at,
    resolution?.external === true
      ? `${name} comes from outside of the repository`
      : `nothing that is visible here declares ${name}`,
  );
}

/** Where the search for the type of what stands before a member's dot ended. */
export function endOfReceiver(trace: TracingResolver, question: Question, facts: Facts): void {
  const receiver = receiverIn(trace, question);
  if (receiver !== undefined) endOfType(trace, receiver, facts);
}

function endOfType(trace: TracingResolver, question: Question, facts: Facts): void {
  if (!facts.enters(question)) return;
  const { file, kind, parts } = question;
  const summary = trace.summary(file);
  const row = question.what as number;
  if (kind === 'declaration') endOfDeclaration(file, row, summary, facts);
  else if (kind === 'result')
    facts.say(
      file,
      summary.decls.startOf(row),
      `what ${summary.decls.nameOf(row) === '' ? 'the function here' : summary.decls.nameOf(row)} returns is not known`,
    );
  const next = parts.find((part) => (part.kind === 'row' ? isOpen(resolutionIn(part)) : isUnknown(typeIn(part))));
  if (next?.kind === 'row') return endOfRow(trace, next, facts);
  if (next !== undefined) return endOfType(trace, next, facts);
  if (kind !== 'expression' || (facts.list.length > 0 && summary.exprs.opOf(row) === E.other)) return;
  const op = summary.exprs.opOf(row);
  const name = summary.exprs.nameIdOf(row);
  if (op !== E.literal && op !== E.list && op !== E.dict && op !== E.string)
    facts.say(
      file,
      summary.exprs.startOf(row),
      `nothing says what ${name > 0 ? summary.names[name] : op === E.call ? 'this call' : 'this expression'} gives`,
    );
}

function endOfDeclaration(file: string, decl: number, summary: Summary, facts: Facts): void {
  const { decls } = summary;
  const name = summary.decls.nameOf(decl);
  const at = decls.startOf(decl);
  if (decls.kindOf(decl) === D.typeParam) facts.say(file, at, `${name} is a type parameter, which stands for any type`);
  else if (decls.typeOf(decl) >= 0)
    facts.say(
      file,
      at,
      `${name} has ${withArticle(typeName(summary, decl))}, which leads to no class of the repository`,
    );
  else if (decls.kindOf(decl) === D.param) facts.say(file, at, untypedParameter(name));
  else if (decls.valueOf(decl) < 0) facts.say(file, at, `${name} has neither a declared type nor a value`);
  else facts.say(file, at, `${name} has no declared type, only a value`);
}

const untypedParameter = (name: string): string =>
  parameterWords(name) === name
    ? `${name} is a parameter without a declared type`
    : `${parameterWords(name)} has no declared type`;

const withArticle = (type: string | undefined): string => (type === undefined ? 'a type' : `the type ${type}`);

/** Whether a type leads to nothing in the repository. */
const isUnknown = (type: Type | undefined): boolean =>
  type !== undefined &&
  (type.values.length === 0 ? type.unknown : type.values.every((value) => value.kind === 'external'));
const isOpen = (resolution: Resolution | undefined): boolean =>
  resolution !== undefined && resolution.targets.length === 0 && resolution.module === undefined;
