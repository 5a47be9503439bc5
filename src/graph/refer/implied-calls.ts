/**
 * Calls of special members that syntax makes, and functions of the language: `a + b`, `with a`, `a[i]`, `a()`,
 * `len(a)`, and reading a name of the body of a class that stands for an object with members for that.
 *
 * Who looks for one such member asks only the rows that can run it: which these are a file tells without a type.
 */
import { keptUnder } from '../../base/turns.js';
import type { DeclRef, Language } from '../../languages/language.js';
import { declKey } from '../../syntax/rows.js';
import { E, isFieldLike, R, type LanguageId, type Summary } from '../../syntax/summary.js';
import { isOfClassBody } from '../resolve/declaration-types.js';
import { findMember } from '../resolve/hierarchy.js';
import { extensionsOn } from '../resolve/extension-methods.js';
import type { Resolver } from '../resolve/resolver.js';
import { signatureOf, type Parameter } from '../resolve/signature.js';
import type { Site } from './site.js';

/** Those of a row, or those of the members of one name alone. */
export function impliedCalls(resolver: Resolver, file: string, expr: number, out: Site[], only?: string): void {
  const summary = resolver.summary(file);
  const language = resolver.language(file);
  const { exprs } = summary;
  const op = exprs.opOf(expr);
  if (op === E.call) membersCalledByFunction(resolver, file, expr, out, only);
  const names =
    op === E.call
      ? language.callMember === undefined
        ? []
        : [language.callMember]
      : membersRunBy(language, summary, expr);
  if (names.length === 0 || exprs.operandOf(expr) < 0) return;
  const on = [exprs.operandOf(expr), ...(op === E.operator && exprs.secondOf(expr) >= 0 ? [exprs.secondOf(expr)] : [])];
  callsOn(resolver, { file, expr }, on, among(names, only), out);
}

const among = (names: readonly string[], only: string | undefined): readonly string[] =>
  only === undefined ? names : names.filter((name) => name === only);

/** Reading, or setting, the name of an object in the body of a class calls a member of that object. */
export function descriptorCalls(resolver: Resolver, file: string, expr: number, out: Site[], only?: string): void {
  const summary = resolver.summary(file);
  const { descriptorMembers } = resolver.language(file);
  const role = summary.exprs.roleOf(expr);
  if (descriptorMembers === undefined || role === R.declares || role === R.import || role === R.doc) return;
  const { targets, confidence } = resolver.resolve(file, expr);
  for (const { file: of, decl } of targets) {
    if (decl < 0 || !isFieldLike(resolver.summary(of).decls.kindOf(decl))) continue;
    if (!isOfClassBody(resolver.summary(of), decl)) continue;
    const name = role === R.write || role === R.update ? descriptorMembers.write : descriptorMembers.read;
    if (only !== undefined && name !== only) continue;
    for (const value of resolver.typeOfDecl(of, decl).values)
      for (const target of value.kind === 'instance' ? findMember(resolver, value, name).found : [])
        out.push({
          file,
          expr,
          block: summary.scopes.blockOf(summary.exprs.scopeOf(expr)),
          target,
          kind: 'call',
          confidence,
          via: 'syntax',
        });
  }
}

/** What a function of the language calls on its first argument: `len(x)`. */
function membersCalledByFunction(
  resolver: Resolver,
  file: string,
  expr: number,
  out: Site[],
  only: string | undefined,
): void {
  const { exprs } = resolver.summary(file);
  const callee = exprs.operandOf(expr);
  const names = callee < 0 ? undefined : resolver.language(file).functionMembers.get(exprs.nameOf(callee));
  if (names === undefined || exprs.opOf(callee) !== E.name || resolver.resolve(file, callee).targets.length > 0) return;
  const [first] = exprs.argumentsOf(expr);
  if (first !== undefined && first.keyword === '' && first.spread === 'none')
    callsOn(resolver, { file, expr }, [first.expr], among(names, only), out);
}

function callsOn(
  resolver: Resolver,
  { file, expr }: { readonly file: string; readonly expr: number },
  on: readonly number[],
  names: readonly string[],
  out: Site[],
): void {
  if (names.length === 0) return;
  const summary = resolver.summary(file);
  const op = summary.exprs.opOf(expr);
  const mayExtend = op === E.nth || op === E.element;
  for (const operand of on) {
    for (const value of resolver.typeOf(file, operand).values) {
      if (value.kind !== 'instance') continue;
      for (const name of names) {
        const members = findMember(resolver, value, name).found;
        const found = members.length === 0 && mayExtend ? extensionsOn(resolver, file, value, name) : members;
        for (const target of withArguments(resolver, { file, expr }, found))
          out.push({
            file,
            expr,
            block: summary.scopes.blockOf(summary.exprs.scopeOf(expr)),
            target,
            kind: 'call',
            confidence: 'certain',
            via: 'syntax',
          });
      }
    }
  }
}

/** Of overloads, the one that iteration and `with` call, which pass nothing; and the one for as many parts. */
function withArguments(
  resolver: Resolver,
  { file, expr }: { readonly file: string; readonly expr: number },
  found: readonly DeclRef[],
): readonly DeclRef[] {
  const { exprs } = resolver.summary(file);
  const op = exprs.opOf(expr);
  const paramsOf = (ref: DeclRef): readonly Parameter[] => signatureOf(resolver.summary(ref.file), ref.decl).params;
  if (found.length < 2) return found;
  if (op === E.element || op === E.enter) return found.filter((ref) => paramsOf(ref).every((param) => param.optional));
  if (op !== E.nth) return found;
  const parts = exprs.wholesOf(exprs.operandOf(expr)).filter((row) => exprs.opOf(row) === E.nth).length;
  const exact = found.filter((ref) => paramsOf(ref).length === parts);
  return exact.length === 0 ? found : exact;
}

/**
 * Names of the special members that the syntax at an operator, iteration, `with` or index row runs, or at the first of
 * the parts into which a value is taken apart.
 */
export function membersRunBy(language: Language, summary: Summary, expr: number): readonly string[] {
  const { exprs } = summary;
  const op = exprs.opOf(expr);
  const name = exprs.nameOf(expr);
  if (op === E.operator) return language.operatorMembers[name] ?? [];
  if (op === E.nth) {
    // The places of a class's pattern stand for its members.
    const isOfPattern = exprs.opOf(exprs.operandOf(expr)) === E.cast;
    return exprs.numberOf(expr) > 0 || isOfPattern ? [] : (language.operatorMembers['parts'] ?? []);
  }
  const construct = op === E.element ? 'for' : op === E.enter ? 'with' : 'index';
  return language.operatorMembers[name === 'async' ? `async ${construct}` : construct] ?? [];
}

/** What the syntax at a row may run a member of: its operands, and the first argument of a function of the language. */
export function operandsRun(language: Language, { exprs }: Summary, expr: number): readonly number[] {
  const [first, second] = [exprs.operandOf(expr), exprs.opOf(expr) === E.operator ? exprs.secondOf(expr) : -1];
  const isOfLanguage = exprs.opOf(expr) === E.call && first >= 0 && language.functionMembers.has(exprs.nameOf(first));
  const given = isOfLanguage ? exprs.argumentsOf(expr).slice(0, 1) : [];
  return [first, second, ...given.map((argument) => argument.expr)].filter((row) => row >= 0);
}

/** A row that runs a special member of one of these names, if one of its operands has it. */
export interface SyntaxRun {
  readonly expr: number;
  readonly on: readonly number[];
  readonly names: readonly string[];
}

/** All such rows of a file but calls of objects and reads of attributes. */
export function syntaxRuns(language: Language, summary: Summary): readonly SyntaxRun[] {
  const { exprs } = summary;
  const bySyntax = RUNNING.flatMap((op) => exprs.ofOp(op)).map((expr) => ({
    expr,
    on: [exprs.operandOf(expr), exprs.opOf(expr) === E.operator ? exprs.secondOf(expr) : -1].filter((row) => row >= 0),
    names: membersRunBy(language, summary, expr),
  }));
  const byFunction = callsOfNames(summary, [...language.functionMembers.keys()]).map((expr) => ({
    expr,
    on: exprs
      .argumentsOf(expr)
      .slice(0, 1)
      .map((argument) => argument.expr),
    names: language.functionMembers.get(exprs.nameOf(exprs.operandOf(expr))) ?? [],
  }));
  return [...bySyntax, ...byFunction].filter(({ names }) => names.length > 0);
}

const RUNNING: readonly number[] = [E.operator, E.element, E.enter, E.index, E.nth];

/**
 * What is called without its name in a file: the members of one name, by their keys. A file may call a hundred that
 * override each other, and each of them is asked about.
 */
export function impliedIn(resolver: Resolver, file: string, name: string): ReadonlyMap<string, readonly Site[]> {
  return resolver.answer<ReadonlyMap<string, readonly Site[]>>('implied calls', file, name, new Map(), () => {
    const summary = resolver.summary(file);
    const found: Site[] = [];
    const { descriptorMembers } = resolver.language(file);
    const isDescriptor = name === descriptorMembers?.read || name === descriptorMembers?.write;
    const described = isDescriptor ? describedNames(resolver, summary.language, name) : undefined;
    for (const expr of rowsRunning(resolver.language(file), summary, name)) {
      if (summary.exprs.opOf(expr) !== E.member) impliedCalls(resolver, file, expr, found, name);
      else if (described?.has(summary.exprs.nameOf(expr)) === true) descriptorCalls(resolver, file, expr, found, name);
    }
    const byTarget = new Map<string, Site[]>();
    for (const site of found) {
      const key = declKey(site.target);
      const known = byTarget.get(key);
      if (known === undefined) byTarget.set(key, [site]);
      else known.push(site);
    }
    return byTarget;
  });
}

/** Names of fields in bodies of classes that hold an object with the member: few of the attributes that are taken. */
function describedNames(resolver: Resolver, language: LanguageId, member: string): ReadonlySet<string> {
  return resolver.repo.memo(`names described by ${language} ${member}`, () => {
    const names = new Set<string>();
    for (const file of resolver.repo.filesOf(language)) {
      const summary = resolver.summary(file);
      for (let decl = 0; decl < summary.decls.count; decl++) {
        if (!isFieldLike(summary.decls.kindOf(decl)) || !isOfClassBody(summary, decl)) continue;
        const { values } = resolver.typeOfDecl(file, decl);
        const isDescribed = values.some(
          (value) => value.kind === 'instance' && findMember(resolver, value, member).found.length > 0,
        );
        if (isDescribed) names.add(summary.decls.nameOf(decl));
      }
    }
    return names;
  });
}

/** Files of a language with rows that can run members of the name, and how many such rows there are. */
export function filesRunning(
  resolver: Resolver,
  language: LanguageId,
  name: string,
): { readonly files: readonly string[]; readonly rows: number } {
  return resolver.repo.memo(`files running ${language} ${name}`, () => {
    let rows = 0;
    const files = resolver.repo.filesOf(language).filter((file) => {
      const { length } = rowsRunning(resolver.language(file), resolver.summary(file), name);
      rows += length;
      return length > 0;
    });
    return { files, rows };
  });
}

const rowsMemo = new WeakMap<Summary, Map<string, readonly number[]>>();

/** Rows whose syntax can run members of the name. Kept with the summary: many members of one name are asked about. */
const rowsRunning = (language: Language, summary: Summary, name: string): readonly number[] =>
  keptUnder(rowsMemo, summary, name, () => findRowsRunning(language, summary, name));

function findRowsRunning(language: Language, summary: Summary, name: string): readonly number[] {
  const { exprs } = summary;
  const { descriptorMembers, functionMembers, callMember } = language;
  const isRun = (expr: number): boolean => membersRunBy(language, summary, expr).includes(name);
  const isListed = Object.values(language.operatorMembers).some((names) => names.includes(name));
  const bySyntax = isListed ? RUNNING.flatMap((op) => exprs.ofOp(op).filter(isRun)) : [];
  const byFunction = [...functionMembers].flatMap(([called, members]) => (members.includes(name) ? [called] : []));
  const calls = name === callMember ? exprs.ofOp(E.call) : callsOfNames(summary, byFunction);
  const isDescriptor = name === descriptorMembers?.read || name === descriptorMembers?.write;
  return [...calls, ...bySyntax, ...(isDescriptor ? exprs.ofOp(E.member) : [])];
}

const callsOfNames = (summary: Summary, names: readonly string[]): number[] =>
  names.flatMap((name) =>
    [...summary.exprs.named(summary.idOf(name))].flatMap((callee) => {
      const call = summary.exprs.opOf(callee) === E.name ? summary.exprs.callOf(callee) : -1;
      return call < 0 || summary.exprs.opOf(call) !== E.call ? [] : [call];
    }),
  );
