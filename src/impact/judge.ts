/**
 * Decides for one site, or one related block, whether the change breaks it, may affect it, or
 * leaves it alone (it was adapted already, or nothing that it uses changed).
 */
import type { AtomicChange } from '../change/atomic-change.js';
import type { SignatureDelta } from '../change/signature-delta.js';
import { findMember, ownMembers } from '../graph/hierarchy.js';
import { callOf } from '../graph/names.js';
import { constructorsOf, passesReceiver } from '../graph/overloads.js';
import { fit, signatureOf, type Fit } from '../graph/signature.js';
import type { Resolver } from '../graph/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { argumentsOf, D, E, F, isClassLike, isFunctionLike, listAt, nameId, nameOf, R, type Argument, type Summary } from '../syntax/summary.js';
import type { Graphs } from './predicates.js';

export type Tier = 'breaks' | 'may';

/** `fine`: nothing to do here. `detail` completes the sentence of the rule. */
export type Verdict = { readonly tier: Tier; readonly detail?: string } | 'fine';

/** A site in the edited tree; `expr` -1 stands for the block as a whole. */
export interface JudgedSite {
  readonly file: string;
  readonly expr: number;
  readonly block: number;
  /** It calls what it holds, and says no name of it. */
  readonly followed?: true;
}

export type Judge = keyof typeof JUDGES;

const may = (detail?: string): Verdict => ({ tier: 'may', ...(detail === undefined ? {} : { detail }) });
const breaks = (detail?: string): Verdict => ({ tier: 'breaks', ...(detail === undefined ? {} : { detail }) });

export const JUDGES = {
  /** The strict profile lists every related block. */
  paper: (): Verdict => may(),
  mayFollow: (): Verdict => may(),
  mustFollow: (): Verdict => breaks(),
  behaviour: (change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict => {
    const summary = after.summary(site.file);
    return site.expr >= 0 && summary.exprs.role[site.expr] === R.import ? 'fine' : may(change.detail.escapes?.slice(0, 2).join('; '));
  },
  gone, call, reference, override, overrideName, overridesNothing, lacksMember, rebound, unbound, unboundParameter, typeArguments, givesNoValue, spellsOldName,
} satisfies Record<string, (change: AtomicChange, site: JudgedSite, graphs: Graphs) => Verdict>;

/** The site says a name that is deleted, renamed or moved away. */
function gone(change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const detail = change.detail.rename !== undefined ? `it is named ${change.detail.rename.to} now` : change.detail.move !== undefined ? `it moved to ${change.detail.move.to.replace('::', ' as ')}` : 'it is deleted';
  if (site.expr < 0) return breaks(detail);
  if (site.followed === true) return 'fine';
  const resolution = after.resolve(site.file, site.expr);
  const leadsToNew = change.after !== undefined && resolution.targets.some((target) => target.file === change.after?.file && target.decl === change.after.decl);
  if (leadsToNew || followsItsImport(change, after.summary(site.file), site.expr)) return 'fine';
  // Before the edit the site meant what is renamed, whatever else its old name reaches now.
  if (resolution.targets.length === 0 || resolution.confidence === 'possible' || change.detail.rename !== undefined) return breaks(detail);
  // Something else of the name is reached now: an inherited member, another overload.
  return may(`${detail}, and another ${nameOfTarget(after.summary(resolution.targets[0]?.file as string), resolution.targets[0] as DeclRef)} is reached instead`);
}

/** A use of a name that an import of the file binds, where that import's own row is all that must change: an alias, or the same name from elsewhere. */
function followsItsImport(change: AtomicChange, summary: Summary, expr: number): boolean {
  if (summary.exprs.op[expr] !== E.name) return false;
  const row = summary.exprs.name[expr] as number;
  const { rename, move } = change.detail;
  if (rename === undefined ? move === undefined : summary.names[row] === rename.from) return false;
  if (summary.exprs.role[expr] === R.import) return rename !== undefined;
  for (let i = summary.declStart[row] as number; i < (summary.declStart[row + 1] as number); i++) if (summary.decls.kind[summary.declsByName[i] as number] === D.importBinding) return true;
  return false;
}

const nameOfTarget = (summary: Summary, target: DeclRef): string => (target.decl < 0 ? 'module' : nameOf(summary, target.decl));

/** A call of a function (or construction of a class) whose parameters changed. */
function call(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const { before, after } = graphs;
  const summary = after.summary(site.file);
  if (site.expr < 0) return may();
  const role = summary.exprs.role[site.expr];
  if (role === R.import || role === R.type || role === R.base || role === R.doc) return 'fine';
  const at = callOf(summary, site.expr);
  if (at < 0) return role === R.decorator ? 'fine' : may('is not called there');
  const args = argumentsOf(summary, at);
  const functions = currentFunctions(change, graphs);
  if (functions.length === 0) return constructionFits(change, args, graphs);
  const receiver = after.resolve(site.file, site.expr).self;
  const fits = functions.map((target) => fit(signatureOf(after.summary(target.file), target.decl), args, passesReceiver(after.summary(target.file), { ...target, self: receiver })));
  const fitting = fits.find((result) => result.fits);
  if (fitting === undefined) return breaks(fits[0]?.fits === false ? `the call ${wording(fits[0].reason)}` : undefined);
  const delta = change.detail.signature;
  if (delta === undefined) return 'fine';
  if (change.before !== undefined && isFunctionLike(before.summary(change.before.file).decls.kind[change.before.decl] as number)) {
    const old = before.summary(change.before.file);
    const fitted = fit(signatureOf(old, change.before.decl), args, passesReceiver(old, { ...change.before, self: receiver }));
    if (!fitted.fits) return 'fine';
    const rebound = reboundArgument(fitted, fitting, delta);
    if (rebound !== undefined) return breaks(rebound);
  }
  return touched(delta, args, summary, at);
}

/** An argument that another parameter takes now, in words: the call still fits and means something else. */
function reboundArgument(old: Fit & { fits: true }, now: Fit & { fits: true }, delta: SignatureDelta): string | undefined {
  for (const { argument, param } of old.pairs) {
    const other = now.pairs.find((pair) => pair.argument.start === argument.start)?.param;
    if (other === undefined) continue;
    const name = delta.renamed.find((pair) => pair.from === param.name)?.to ?? param.name;
    if (other.name !== name && !param.rest && !param.keywordRest) return `the argument that was ${param.name} is taken as ${other.name} now`;
  }
  return undefined;
}

const wording = (reason: string): string => reason.replace(/^takes/, 'gives too much: it takes').replace(/^has no/, 'fits no more: it has no').replace(/^is given/, 'fits no more: it is given').replace(/^lacks/, 'lacks');

/** Functions that the call can mean now: the changed one, for a class its constructors. */
function currentFunctions(change: AtomicChange, { after, before }: Graphs): readonly DeclRef[] {
  if (change.label === 'MMS' || change.label === 'MMB') return change.after === undefined ? [] : [change.after];
  const [resolver, ref] = change.after !== undefined ? [after, change.after] as const : [before, change.before] as const;
  if (ref === undefined) return [];
  const type = ownerNow(change, { after, before }, resolver, ref);
  return type === undefined ? [] : constructorsOf(after, type);
}

/** The class that a constructor or component belongs to, in the edited tree. */
function ownerNow(change: AtomicChange, { after }: Graphs, resolver: Graphs['before'], ref: DeclRef): DeclRef | undefined {
  const summary = resolver.summary(ref.file);
  const owner = isClassLike(summary.decls.kind[ref.decl] as number) ? ref.decl : (summary.decls.parent[ref.decl] as number);
  if (owner < 0) return undefined;
  if (resolver === after) return { file: ref.file, decl: owner };
  const path = nameOf(summary, owner);
  return after.topLevel(change.file, path).flatMap((entity) => (entity.kind === 'decl' ? [{ file: entity.file, decl: entity.decl }] : []))[0];
}

/** Construction where no constructor is written: components of records and data classes, or nothing. */
function constructionFits(change: AtomicChange, args: readonly Argument[], graphs: Graphs): Verdict {
  const [resolver, ref] = change.after !== undefined ? [graphs.after, change.after] as const : [graphs.before, change.before] as const;
  const type = ref === undefined ? undefined : ownerNow(change, graphs, resolver, ref);
  if (type === undefined) return may();
  const summary = graphs.after.summary(type.file);
  const signature = componentSignature(summary, type.decl);
  if (signature === undefined) return args.length > 0 && change.label === 'DCC' ? breaks('it has no constructor that takes arguments now') : 'fine';
  const result = fit(signature, args, false);
  return result.fits ? 'fine' : breaks(`the call ${wording(result.reason)}`);
}

/** The implicit constructor of a record or data class, or undefined. */
function componentSignature(summary: Summary, type: number): ReturnType<typeof signatureOf> | undefined {
  const written = signatureOf(summary, type);
  if (written.params.length > 0) return written;
  if (((summary.decls.flags[type] as number) & F.dataclass) === 0) return undefined;
  const params: ReturnType<typeof signatureOf>['params'][number][] = [];
  for (let decl = type + 1; decl < summary.decls.count; decl++) {
    if (summary.decls.parent[decl] !== type || summary.decls.kind[decl] !== D.field || (summary.decls.type[decl] as number) < 0) continue;
    params.push({ decl, name: nameOf(summary, decl), optional: (summary.decls.value[decl] as number) >= 0, rest: false, keywordRest: false, keywordOnly: false, positionalOnly: false });
  }
  return { params, receiver: undefined };
}

/** A call that still fits: whether anything it gives or gets changed its meaning. */
function touched(delta: SignatureDelta, args: readonly Argument[], summary: Summary, callRow: number): Verdict {
  const positional = args.filter((argument) => argument.keyword === '' && argument.spread === 'none').length;
  const given = (name: string, index: number): boolean => index < positional || args.some((argument) => argument.keyword === name);
  const spread = args.some((argument) => argument.spread !== 'none');
  if (delta.async !== undefined) {
    const awaited = isAwaited(summary, callRow);
    if (delta.async !== awaited) return breaks(delta.async ? 'it is async now, and the call does not await it' : 'it is not async any more, and the call awaits it');
    return 'fine';
  }
  const shifted = delta.added.find((param) => !param.keywordOnly && !param.rest && param.index < positional);
  if (shifted !== undefined) return may(`the positional argument ${shifted.index + 1} is ${shifted.name} now`);
  if (delta.moved.some((param) => Math.min(param.from, param.to) < positional)) return may('the order of its parameters changed');
  const dropped = delta.removed.find((param) => spread || param.index < positional);
  if (dropped !== undefined) return may(`its parameter ${dropped.name} is gone, and ${spread ? 'the spread arguments may give it still' : 'the arguments may mean others now'}`);
  const retyped = delta.retyped.find((param) => given(param.name, 0));
  if (retyped !== undefined) return may(`the type of ${retyped.name} changed from ${retyped.from || 'none'} to ${retyped.to || 'none'}`);
  if (delta.returnType !== undefined) return may(`it returns ${delta.returnType.to || 'something else'} instead of ${delta.returnType.from || 'what it did'}`);
  if (delta.static !== undefined) return may(delta.static ? 'it is static now' : 'it is not static any more');
  const added = delta.added[0];
  if (added !== undefined) return may(`it can be given ${added.name} now`);
  const changedDefault = delta.defaultChanged.find((name) => !args.some((argument) => argument.keyword === name));
  if (changedDefault !== undefined) return may(`the default of ${changedDefault} changed`);
  if (spread && delta.madeRequired.length > 0) return may(`${delta.madeRequired[0]} must be given now`);
  return 'fine';
}

function isAwaited(summary: Summary, callRow: number): boolean {
  const { exprs } = summary;
  for (let expr = callRow + 1; expr < Math.min(exprs.count, callRow + 64); expr++) if (exprs.op[expr] === E.await && exprs.a[expr] === callRow) return true;
  return false;
}

/** Any mention of something whose shape or type changed. */
function reference(change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  if (site.expr < 0) return may();
  const role = after.summary(site.file).exprs.role[site.expr];
  if (role === R.import || role === R.doc) return 'fine';
  const type = change.detail.type;
  return may(type === undefined ? undefined : `its type changed from ${type.from || 'none'} to ${type.to || 'none'}`);
}

/** A member that overrides, or is overridden by, one whose signature changed: fine when both agree again. */
function override(change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  if (change.after === undefined) return may();
  const other = after.summary(site.file);
  const own = after.summary(change.after.file);
  const shape = (summary: Summary, decl: number): string => signatureOf(summary, decl).params.map((param) => `${param.name}${param.optional ? '?' : ''}${param.rest ? '*' : ''}`).join();
  const names = after.language(site.file).overloads ? (s: string): string => s.replace(/[^,?*]+/g, '_') : (s: string): string => s;
  const agree = names(shape(other, site.block)) === names(shape(own, change.after.decl));
  const delta = change.detail.signature;
  if (!agree) return breaks('their parameters differ now');
  const rest = delta !== undefined && (delta.retyped.length > 0 || delta.returnType !== undefined || delta.async !== undefined || delta.static !== undefined || delta.visibility !== undefined);
  return rest ? may('types or modifiers of the two may differ now') : 'fine';
}

/** A member that overrides under the old name, or the base that still has it. */
function overrideName(change: AtomicChange): Verdict {
  return breaks(change.detail.rename === undefined ? 'it is elsewhere now' : `it is named ${change.detail.rename.to} now`);
}

function overridesNothing(_change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const summary = after.summary(site.file);
  return ((summary.decls.flags[site.block] as number) & F.override) !== 0 ? breaks('what it overrides is deleted') : may('what it overrides is deleted');
}

/** A class below an interface or abstract class that got a member which must be implemented. */
function lacksMember(change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const summary = after.summary(site.file);
  if (change.after === undefined || !isClassLike(summary.decls.kind[site.block] as number)) return 'fine';
  const kind = summary.decls.kind[site.block];
  if (kind === D.interface || ((summary.decls.flags[site.block] as number) & F.abstract) !== 0) return 'fine';
  const name = nameOf(after.summary(change.after.file), change.after.decl);
  const type = { file: site.file, decl: site.block };
  if (ownMembers(after, type, name).length > 0) return 'fine';
  const implemented = findMember(after, type, name).found.some((member) => ((after.summary(member.file).decls.flags[member.decl] as number) & (F.bodiless | F.abstract)) === 0 && !(member.file === change.after?.file && member.decl === change.after.decl));
  return implemented ? 'fine' : breaks(`it does not implement ${name}`);
}

/** A constructor that does not assign the new field. A class without a constructor constructs nothing. */
function givesNoValue(change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const summary = after.summary(site.file);
  const { exprs, decls } = summary;
  if (change.after === undefined || !isFunctionLike(decls.kind[site.block] as number)) return 'fine';
  const row = nameId(summary, nameOf(after.summary(change.after.file), change.after.decl));
  if (row < 0) return may();
  for (let i = summary.refStart[row] as number; i < (summary.refStart[row + 1] as number); i++) {
    const expr = summary.refs[i] as number;
    const at = exprs.start[expr] as number;
    const role = exprs.role[expr];
    if ((role === R.write || role === R.declares) && at >= (decls.bodyStart[site.block] as number) && at < (decls.end[site.block] as number)) return 'fine';
  }
  return may();
}

/** A call in a file that was not edited and that reaches another function than before. */
function rebound(change: AtomicChange, site: JudgedSite, { before, after }: Graphs): Verdict {
  if (site.expr < 0 || before.repo.summary(site.file)?.hash !== after.repo.summary(site.file)?.hash) return 'fine';
  const old = before.resolve(site.file, site.expr);
  if (old.confidence !== 'certain' || old.targets.length === 0) return 'fine';
  return old.targets.some((target) => target.file === change.after?.file && target.decl === change.after.decl) ? 'fine' : may('another method was called before');
}

/** A use of an import's name that nothing binds any more. */
function unbound(change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  if (site.expr < 0) return 'fine';
  const summary = after.summary(site.file);
  if (summary.exprs.role[site.expr] === R.import) return 'fine';
  const resolution = after.resolve(site.file, site.expr);
  if (resolution.targets.length > 0 && resolution.confidence === 'certain') return 'fine';
  const detail = change.detail.import;
  return breaks(detail?.newBinding !== undefined ? `the import binds ${detail.newBinding} now` : 'nothing binds the name now');
}

/** A name in the changed function's own body that only its old parameter bound. */
function unboundParameter(change: AtomicChange, site: JudgedSite, { before, after }: Graphs): Verdict {
  if (site.expr < 0) return 'fine';
  const summary = after.summary(site.file);
  const name = summary.names[summary.exprs.name[site.expr] as number];
  const delta = change.detail.signature;
  const renamed = delta?.renamed.find((param) => param.from === name);
  if (renamed === undefined && delta?.removed.some((param) => param.name === name) !== true) return 'fine';
  const resolution = after.resolve(site.file, site.expr);
  const bound = resolution.targets.length > 0 && resolution.confidence === 'certain';
  // A body that stands as it was still means the parameter, even if an outer name is reached now.
  const bodyOf = (resolver: Resolver, ref: DeclRef | undefined): number => (ref === undefined ? NaN : (resolver.summary(ref.file).decls.bodyHash[ref.decl] as number));
  const ownName = resolution.targets.some((target) => target.file === site.file && isWithin(summary, target.decl, site.block));
  if (bound && (ownName || bodyOf(before, change.before) !== bodyOf(after, change.after))) return 'fine';
  return breaks(renamed === undefined ? `the parameter ${name} is removed` : `the parameter ${name} is named ${renamed.to} now`);
}

const isWithin = (summary: Summary, decl: number, block: number): boolean =>
  decl >= 0 && (summary.decls.start[decl] as number) >= (summary.decls.start[block] as number) && (summary.decls.end[decl] as number) <= (summary.decls.end[block] as number);

/** What spells a renamed class's name beside its declaration: constructors, and the other parts of a partial class. */
function spellsOldName(change: AtomicChange, site: JudgedSite, { before, after }: Graphs): Verdict {
  const { rename } = change.detail;
  if (rename === undefined || change.before === undefined || site.block < 0) return 'fine';
  const { decls } = after.summary(site.file);
  const isAdapted = decls.kind[site.block] === D.constructor
    // The name is a token of the header, and the only one that a rename of the class changes.
    ? !constructorsOf(before, change.before).some((old) => before.summary(old.file).decls.headerHash[old.decl] === decls.headerHash[site.block])
    : nameOf(after.summary(site.file), site.block) !== rename.from;
  return isAdapted ? 'fine' : breaks(`the class is named ${rename.to} now`);
}

/** A mention of a generic type whose parameters changed: it breaks where as many arguments are written as before. */
function typeArguments(change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const detail = change.detail.typeParams;
  if (detail === undefined) return 'fine';
  const words = `its type parameters changed from <${detail.from}> to <${detail.to}>`;
  if (site.expr < 0) return may(words);
  const summary = after.summary(site.file);
  const { exprs } = summary;
  const written = countTypeArguments(summary, site.expr);
  const count = (list: string): number => (list === '' ? 0 : list.split(', ').length);
  if (exprs.role[site.expr] === R.import) return 'fine';
  if (written === undefined) return count(detail.from) === 0 || count(detail.to) === 0 ? may(words) : 'fine';
  return written === count(detail.to) ? (count(detail.from) === written ? may(words) : 'fine') : breaks(words);
}

/** How many type arguments stand behind a type's name; undefined for none. */
function countTypeArguments(summary: Summary, row: number): number | undefined {
  const { exprs } = summary;
  for (let expr = row + 1; expr < Math.min(exprs.count, row + 256); expr++) {
    if (exprs.op[expr] === E.index && exprs.a[expr] === row) return listAt(summary, exprs.b[expr] as number).length;
  }
  return undefined;
}
