/**
 * Which of several functions a call means: those that its arguments fit, and among these the
 * ones whose declared parameter types do not contradict what the arguments are known to be.
 * When nothing fits all stay, so that a call that is already wrong keeps its references.
 */
import { sameDecl } from '../../syntax/rows.js';
import { D, E, F, isFunctionLike, type Argument, type Summary } from '../../syntax/summary.js';
import type { BasicTypes, DeclRef, Language } from '../../languages/language.js';
import { basicAgreement } from './basic-types.js';
import { isSequence } from './containers.js';
import { findMember, isSubclass, ownMembers, searchOrder, typeName } from './hierarchy.js';
import { instanceOf } from './written-types.js';
import type { Resolver } from './resolver.js';
import { fit, signatureOf, takenByType } from './signature.js';
import { membersFit } from './structural-fit.js';
import { UNKNOWN, type Type, type Value } from './value.js';

export interface CallSite {
  readonly file: string;
  /** A `call` or `new` row. */
  readonly expr: number;
  /** Whether the call is looked at while one of its lambdas' parameters is in question. */
  readonly partial?: boolean;
}

export type FunctionValue = DeclRef & { readonly self?: Value | undefined };

export const fittingCalls = { among, pair, constructors };

/** The functions among `functions` that the call can mean. */
function among<T extends FunctionValue>(resolver: Resolver, functions: readonly T[], call: CallSite): readonly T[] {
  if (functions.length < 2) return functions;
  const args = resolver.summary(call.file).exprs.argumentsOf(call.expr);
  const isPlain = args.every(({ keyword, spread }) => keyword === '' && spread === 'none');
  const takers = isPlain ? takingSoMany(resolver, functions, args) : taking(resolver, functions, args);
  const fitting = functions.filter((_, at) => takers.has(at));
  const left = fitting.length === 0 ? functions : fitting;
  if (left.length < 2 || !resolver.language(call.file).overloads) return left;
  const typed = left.filter((target) =>
    takesTypes(resolver, target, resolver.summary(call.file).exprs.typeArgumentsOf(call.expr).length),
  );
  const best = bestTyped(resolver, typed.length === 0 ? left : typed, call);
  if (best.length < 2 || fitting.length === 0) return best;
  // Of several that fit alike, those that gather what is left of the arguments come last.
  const gathers = ({ file, decl }: T): boolean =>
    signatureOf(resolver.summary(file), decl).params.some((param) => param.rest);
  const others = best.filter((target) => !gathers(target));
  return others.length === 0 ? best : others;
}

/** Places of the functions that take the arguments, by their number and names. */
const taking = (resolver: Resolver, functions: readonly FunctionValue[], args: readonly Argument[]): Set<number> =>
  new Set(
    functions.flatMap((target, at) => {
      const summary = resolver.summary(target.file);
      return fit(signatureOf(summary, target.decl), args, passesReceiver(summary, target)).fits ? [at] : [];
    }),
  );

const byCount = new WeakMap<readonly FunctionValue[], Map<number, ReadonlySet<number>>>();

/** The same for arguments of which only the number counts: an overloaded function may be called a thousand times. */
function takingSoMany(
  resolver: Resolver,
  functions: readonly FunctionValue[],
  args: readonly Argument[],
): ReadonlySet<number> {
  const counts = byCount.get(functions) ?? new Map<number, ReadonlySet<number>>();
  byCount.set(functions, counts);
  const known = counts.get(args.length) ?? taking(resolver, functions, args);
  counts.set(args.length, known);
  return known;
}

function bestTyped<T extends FunctionValue>(resolver: Resolver, left: readonly T[], call: CallSite): readonly T[] {
  if (left.length < 2) return left;
  const scored = left.map((target) => ({ target, score: typeScore(resolver, target, call) }));
  const best = Math.max(...scored.map((entry) => entry.score));
  return scored.filter((entry) => entry.score === best).map((entry) => entry.target);
}

/** Whether a function can be called with so many type arguments; where nothing tells them, they have to be written. */
function takesTypes(resolver: Resolver, { file, decl }: DeclRef, written: number): boolean {
  const summary = resolver.summary(file);
  const own = summary.decls.typeParamsOf(decl).length;
  return written > 0 ? own === written : own === 0 || tellsTypes(resolver, { file, decl });
}

/** Whether a call may tell what a function's type parameters are: by its arguments, or by what its result goes to. */
function tellsTypes(resolver: Resolver, { file, decl }: DeclRef): boolean {
  const { decls } = resolver.summary(file);
  if (!resolver.language(file).infersFromArguments) return true;
  const params = new Set(decls.paramsOf(decl));
  return [...decls.typeParamsOf(decl)].every((type) => isNamedIn(resolver.summary(file), type, params));
}

/** Whether the type of one of the parameters names a type parameter. */
export function isNamedIn({ decls, exprs }: Summary, type: number, params: ReadonlySet<number>): boolean {
  const isOfParam = (row: number): boolean =>
    exprs.holdersOf(row).some((holder) => params.has(holder)) || exprs.wholesOf(row).some(isOfParam);
  return [...exprs.named(decls.nameIdOf(type))].some(isOfParam);
}

/** `Class.method(obj)`: the receiver is written as an argument. */
export function passesReceiver(summary: Summary, target: FunctionValue): boolean {
  const flags = summary.decls.flagsOf(target.decl);
  if ((flags & F.extension) !== 0) return target.self === undefined || target.self.kind === 'class';
  return (
    target.self?.kind === 'class' &&
    (flags & (F.static | F.classMethod)) === 0 &&
    summary.decls.kindOf(target.decl) === D.method
  );
}

/**
 * What the callee at a row hangs on; undefined for a bare name. Known also where no member of the name fits the call.
 */
export function receiverAt(resolver: Resolver, file: string, callee: number): Value | undefined {
  const { exprs } = resolver.summary(file);
  const { self } = resolver.resolve(file, callee);
  if (self !== undefined || exprs.opOf(callee) !== E.member) return self;
  return resolver.typeOf(file, exprs.calleeOf(callee)).values[0] ?? { kind: 'external', name: '', args: [] };
}

/** Parameters with the arguments given for them; empty if the call does not fit. `index` is the argument's place. */
function pair(
  resolver: Resolver,
  target: FunctionValue,
  call: CallSite,
): { param: number; argument: number; index: number }[] {
  const summary = resolver.summary(target.file);
  const result = fit(
    signatureOf(summary, target.decl),
    resolver.summary(call.file).exprs.argumentsOf(call.expr),
    passesReceiver(summary, target),
  );
  return result.fits
    ? result.pairs.map(({ param, argument, index }) => ({ param: param.decl, argument: argument.expr, index }))
    : [];
}

/** Higher is better; a contradiction outweighs any agreement. */
function typeScore(resolver: Resolver, target: FunctionValue, call: CallSite): number {
  let score = 0;
  const summary = resolver.summary(target.file);
  for (const { param, argument } of pair(resolver, target, call)) {
    const type = summary.decls.typeOf(param);
    if (type < 0 || argument < 0) continue;
    score += agreementAt(resolver, { file: target.file, param }, resolver.typeOf(call.file, argument));
  }
  return score;
}

/** The functions but those of which an argument is for sure none of the parameter's type; all where none is left. */
export function uncontradicted<T extends FunctionValue>(
  resolver: Resolver,
  functions: readonly T[],
  call: CallSite,
): readonly T[] {
  const left = functions.filter((target) => mayTakeTypes(resolver, target, call));
  return left.length === 0 ? functions : left;
}

/** Whether a function can take a call: by number, by keywords, and as far as types are known by these. */
export function mayTake(resolver: Resolver, target: FunctionValue, call: CallSite): boolean {
  const summary = resolver.summary(target.file);
  const args = resolver.summary(call.file).exprs.argumentsOf(call.expr);
  const isFitting = fit(signatureOf(summary, target.decl), args, passesReceiver(summary, target)).fits;
  // Where nothing is converted on the way, what is unlikely cannot be.
  const worst = resolver.language(target.file).literalTypes === undefined ? IMPOSSIBLE + 1 : 0;
  return isFitting && mayTakeTypes(resolver, target, call, worst);
}

/** `worst`: how little each argument may agree. */
function mayTakeTypes(
  resolver: Resolver,
  target: FunctionValue,
  call: CallSite,
  worst: number = IMPOSSIBLE + 1,
): boolean {
  const summary = resolver.summary(target.file);
  return pair(resolver, target, call).every(({ param, argument }) => {
    const type = summary.decls.typeOf(param);
    if (type < 0 || argument < 0) return true;
    const given = resolver.typeOf(call.file, argument);
    return given.unknown || agreementAt(resolver, { file: target.file, param }, given) >= worst;
  });
}

/**
 * Whether every argument is known to be of the very type that is written for its parameter; not for a call without
 * arguments.
 */
export function takesExactly(resolver: Resolver, target: FunctionValue, call: CallSite): boolean {
  const summary = resolver.summary(target.file);
  const pairs = pair(resolver, target, call);
  return (
    pairs.length > 0 &&
    pairs.every(({ param, argument }) => {
      const type = summary.decls.typeOf(param);
      if (type < 0 || argument < 0) return false;
      return agreementAt(resolver, { file: target.file, param }, resolver.typeOf(call.file, argument)) === EXACT;
    })
  );
}

/** Whether a call fits a function by number, and every argument is known to be of its parameter's type or below it. */
export function takesSurely(resolver: Resolver, target: FunctionValue, call: CallSite): boolean {
  const { exprs } = resolver.summary(call.file);
  const summary = resolver.summary(target.file);
  if (!isFunctionLike(summary.decls.kindOf(target.decl))) return false;
  if (!fit(signatureOf(summary, target.decl), exprs.argumentsOf(call.expr), false).fits) return false;
  return pair(resolver, target, call).every(
    ({ param, argument }) =>
      argument >= 0 &&
      summary.decls.typeOf(param) >= 0 &&
      isSurelyTaken(
        resolver,
        resolver.language(call.file),
        wantedBy(resolver, target.file, param),
        resolver.typeOf(call.file, argument),
      ),
  );
}

/** Whether an argument is known not to be what a parameter's declared type asks for. */
export function contradicts(
  resolver: Resolver,
  param: { readonly file: string; readonly param: number },
  given: { readonly file: string; readonly argument: number },
): boolean {
  const type = resolver.summary(param.file).decls.typeOf(param.param);
  if (type < 0 || given.argument < 0) return false;
  const value = resolver.typeOf(given.file, given.argument);
  return !value.unknown && agreementAt(resolver, param, value) < 0;
}

/**
 * How much what is given agrees with a parameter's declared type: for one that gathers, the type of each argument,
 * where a language takes them as a whole too that of what is in it.
 */
function agreementAt(
  resolver: Resolver,
  { file, param }: { readonly file: string; readonly param: number },
  given: Type,
): number {
  const { decls } = resolver.summary(file);
  const wanted = wantedBy(resolver, file, param);
  const language = resolver.language(file);
  const asOne = agreement(resolver, language, wanted, given);
  const { gathersWhole, library } = language;
  if (!gathersWhole || !decls.has(param, F.rest)) return asOne;
  const inside = given.values.flatMap((value) =>
    value.kind === 'external' && isSequence(library, value.name) ? [value.args[0] ?? UNKNOWN] : [],
  );
  return Math.max(asOne, ...inside.map((type) => agreement(resolver, language, wanted, type)));
}

/** The type of a parameter; of `Class<T>`, where `T` may be anything, that it is a class. */
function wantedBy(resolver: Resolver, file: string, param: number): Type {
  const summary = resolver.summary(file);
  const wanted = instanceOf(resolver, file, summary.decls.typeOf(param));
  const name = wanted.values.length === 0 ? typeName(summary, param) : undefined;
  return name !== undefined && resolver.language(file).library.classObjects.has(name)
    ? { values: [{ kind: 'external', name, args: [] }], unknown: true }
    : wanted;
}

/** How much a value of the very type agrees, and one that cannot be of it. */
const EXACT = 2;
const IMPOSSIBLE = -8;
/** No literal's type takes it, but a conversion might. */
const UNLIKELY = -4;

/** Whether a value of a type may be given where another one is asked for, as far as both are known. */
export const mayBeGiven = (resolver: Resolver, language: Language, wanted: Type, given: Type): boolean =>
  agreement(resolver, language, wanted, given) >= 0;

/** Whether all that a value can be is known, and of a type that is wanted or of one below it. */
export const isSurelyTaken = (resolver: Resolver, language: Language, wanted: Type, given: Type): boolean =>
  !given.unknown &&
  given.values.length > 0 &&
  given.values.every((have) => wanted.values.some((want) => valueAgreement(resolver, language, want, have) > 0));

function agreement(resolver: Resolver, language: Language, wanted: Type, given: Type): number {
  if (wanted.values.length === 0 || given.values.length === 0) return 0;
  let best = IMPOSSIBLE;
  for (const want of wanted.values) {
    for (const have of given.values) best = Math.max(best, valueAgreement(resolver, language, want, have));
  }
  return best;
}

function valueAgreement(resolver: Resolver, language: Language, want: Value, have: Value): number {
  if (want.kind === 'instance' && have.kind === 'instance') return objectAgreement(resolver, language, want, have);
  if (areOtherDelegates(resolver, language, want, have)) return IMPOSSIBLE;
  if (want.kind === 'callable' || isDelegate(resolver, want)) return callableAgreement(resolver, want, have);
  if (want.kind === 'external' && have.kind === 'class' && isClassObject(resolver, want.name, have)) return EXACT;
  const wantsLiteral = want.kind === 'external' && isLiteralType(want.name);
  if (have.kind === 'class' || isFunction(have)) {
    const isOther = want.kind === 'instance' && !isInterface(resolver, want);
    return isOther || wantsLiteral ? UNLIKELY : 0;
  }
  if (areApart(resolver, want, have)) return IMPOSSIBLE;
  if (want.kind === 'external' && have.kind === 'external')
    return outsideAgreement(language.basicTypes, want.name, have.name);
  const isInstanceOfLiteral = want.kind === 'instance' && have.kind === 'external' && isLiteralType(have.name);
  return isInstanceOfLiteral || (wantsLiteral && have.kind === 'instance') ? UNLIKELY : 0;
}

/** Of two types of the repository: by their names, and where objects need not say what they are by their members. */
function objectAgreement(resolver: Resolver, language: Language, want: ObjectValue, have: ObjectValue): number {
  if (sameDecl(want, have)) return EXACT;
  if (isSubclass(resolver, have, want)) return 1;
  if (!language.structural) return IMPOSSIBLE;
  const fits = membersFit(resolver, want, have);
  return fits === 'lacks' ? IMPOSSIBLE : fits === 'has all' ? 1 : 0;
}

type ObjectValue = Value & { kind: 'instance' };

/**
 * Whether two types of one name are made of such that no value is of both: `Func<A, bool>[]` and `Func<A, B, bool>[]`.
 */
function areApart(resolver: Resolver, want: Value, have: Value): boolean {
  if (want.kind === 'callable' && have.kind === 'callable') {
    const [taken, given] = [parameterCount(resolver, want), parameterCount(resolver, have)];
    return taken !== undefined && given !== undefined && taken !== given;
  }
  if (nameOf(want) === undefined || nameOf(want) !== nameOf(have)) return false;
  const [parts, given] = [madeOf(want), madeOf(have)];
  if (parts.length === 0 || given.length === 0) return false;
  if (parts.length !== given.length) return true;
  return parts.some(({ values: [asked, ...others] }, i) => {
    const [held, ...more] = given[i]?.values ?? [];
    const isOne = others.length === 0 && more.length === 0;
    return isOne && asked !== undefined && held !== undefined && areApart(resolver, asked, held);
  });
}

function areOtherDelegates(resolver: Resolver, language: Language, want: Value, have: Value): boolean {
  const [asked, held] = [delegateOf(resolver, language, want), delegateOf(resolver, language, have)];
  return asked !== undefined && held !== undefined && asked !== held;
}

/** Which of the library's delegates a value is of: a variable of one is never given for another (C#). */
function delegateOf(resolver: Resolver, { library }: Language, value: Value): string | undefined {
  if (value.kind === 'external') return library.delegates?.has(value.name) === true ? value.name : undefined;
  if (library.delegates === undefined || value.kind !== 'callable' || value.type === undefined) return undefined;
  const name = resolver.summary(value.type.file).exprs.nameOf(value.type.expr);
  return /`\d+$/.test(name) ? name : undefined;
}

const nameOf = (value: Value): string | undefined =>
  value.kind === 'tuple' ? '()' : value.kind === 'external' ? value.name : undefined;
const madeOf = (value: Value): readonly Type[] =>
  value.kind === 'tuple' ? value.parts : value.kind === 'external' ? value.args : [];

/** Of something that can be called: by the number of its parameters, where both say it. */
function callableAgreement(resolver: Resolver, want: Value, have: Value): number {
  const [taken, given] = [parameterCount(resolver, want), parameterCount(resolver, have)];
  if (taken !== undefined && given !== undefined) return taken === given ? 1 : IMPOSSIBLE;
  if (have.kind === 'class') return UNLIKELY;
  return have.kind === 'external' && isLiteralType(have.name) ? IMPOSSIBLE : 0;
}

/** Of two types of libraries, by their names. */
function outsideAgreement(basics: BasicTypes | undefined, want: string, have: string): number {
  const ofBasics = basics === undefined ? 'open' : basicAgreement(basics, want, have);
  if (ofBasics !== 'open') return ofBasics ?? IMPOSSIBLE;
  if (want === '' || have === '' || want === 'Object' || want === 'object') return 0;
  if (sameLibraryType(want, have)) return EXACT;
  if (!isLiteralType(want)) return 0;
  if (LITERALS[want] === 'float' && LITERALS[have] === 'int') return 1;
  if (isLiteralType(have)) return IMPOSSIBLE;
  return isOtherClass(want, have) ? UNLIKELY : 0;
}

const isClassObject = (resolver: Resolver, name: string, { file }: DeclRef): boolean =>
  resolver.language(file).library.classObjects.has(name);
const isFunction = (value: Value): boolean => value.kind === 'function' || value.kind === 'callable';
const isKind = (resolver: Resolver, value: Value, kind: number): boolean =>
  value.kind === 'instance' && resolver.summary(value.file).decls.kindOf(value.decl) === kind;
export const isDelegate = (resolver: Resolver, value: Value): boolean => isKind(resolver, value, D.delegate);
const isInterface = (resolver: Resolver, value: Value): boolean => isKind(resolver, value, D.interface);

/** How many parameters what can be called has; undefined if that is not known. */
function parameterCount(resolver: Resolver, value: Value): number | undefined {
  if (value.kind === 'function' || (value.kind === 'instance' && isDelegate(resolver, value)))
    return signatureOf(resolver.summary(value.file), value.decl).params.length;
  if (value.kind !== 'callable' || value.type === undefined) return undefined;
  const most = takenByType(resolver.summary(value.type.file), value.type.expr)?.most;
  return most === Infinity ? undefined : most;
}

const LITERALS: Readonly<Record<string, string>> = {
  str: 'str',
  String: 'str',
  string: 'str',
  CharSequence: 'str',
  int: 'int',
  Integer: 'int',
  long: 'int',
  number: 'int',
  float: 'float',
  double: 'float',
  bool: 'bool',
  boolean: 'bool',
  Boolean: 'bool',
  char: 'char',
  '[]': '[]',
};
const isLiteralType = (name: string): boolean => Object.hasOwn(LITERALS, name);
/**
 * Whether a library's class, by its name, is none that is taken for a literal's type: what is boxed is, and a letter
 * alone is a type parameter.
 */
const isOtherClass = (wanted: string, given: string): boolean =>
  wanted !== 'CharSequence' && /^[A-Z]\w*[a-z]\w*$/.test(given) && !BOXES.has(given);
const BOXES: ReadonlySet<string> = new Set(['Byte', 'Short', 'Long', 'Float', 'Double', 'Character', 'Number']);
const sameLibraryType = (a: string, b: string): boolean => a === b || (isLiteralType(a) && LITERALS[a] === LITERALS[b]);

/**
 * Constructors that a `new` row, or a call of a class, runs: own ones, else the nearest inherited one where the
 * language inherits them.
 */
function constructors(resolver: Resolver, file: string, expr: number): FunctionValue[] {
  const summary = resolver.summary(file);
  const a = summary.exprs.operandOf(expr);
  if (a < 0) return [];
  const created = resolver.typeOf(file, expr);
  return created.values.flatMap((value) => (value.kind === 'instance' ? constructorsOf(resolver, value) : []));
}

/** The constructors of a class; without an own one those of the nearest base that has one. */
export function constructorsOf(resolver: Resolver, type: DeclRef): DeclRef[] {
  const language = resolver.language(type.file);
  const own = [language.constructorName, ...language.implicitConstructors].flatMap((name) =>
    ownMembers(resolver, type, name),
  );
  if (own.length > 0) return own;
  if (language.overloads || isMadeAbove(resolver, type)) return [];
  return [...findMember(resolver, type, language.constructorName).found];
}

/** Whether the constructor that a class has is one that was made of fields, its own or a base's, before any written. */
function isMadeAbove(resolver: Resolver, type: DeclRef): boolean {
  const { constructorName } = resolver.language(type.file);
  const first = searchOrder(resolver, type).find(
    (above) =>
      resolver.summary(above.file).decls.has(above.decl, F.dataclass) ||
      ownMembers(resolver, above, constructorName).length > 0,
  );
  return first !== undefined && ownMembers(resolver, first, constructorName).length === 0;
}

/** What runs when an object of a class is made: its constructors, and what runs behind one that nobody wrote. */
export function runWhenMade(resolver: Resolver, type: DeclRef): readonly DeclRef[] {
  const written = constructorsOf(resolver, type);
  const { runBehindConstructor } = resolver.language(type.file);
  return written.length > 0
    ? written
    : runBehindConstructor.flatMap((name) => [...findMember(resolver, type, name).found]);
}
