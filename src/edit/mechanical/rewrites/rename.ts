/**
 * Rename: `def put` became `def store`, so `s.put(k)` becomes `s.store(k)`.
 *
 * Rewrites every certain mention: uses, imports and re-exports, and the declaration of overriding
 * and overridden members. A binding that must keep its own name (a destructured or shorthand
 * property) is spelled out. Refused where the new name already means something at the site; what the
 * file imports goes on under the old name for such a site (rename-import.ts).
 */
import { componentNamed } from '../../../change/compare-block.js';
import { isDefaultName } from '../../../change/compare-exports.js';
import { partsOfFunction } from '../../../graph/resolve/hierarchy.js';
import { callOf } from '../../../graph/resolve/names.js';
import { fittingCalls, receiverAt } from '../../../graph/resolve/overloads.js';
import { signatureOf } from '../../../graph/resolve/signature.js';
import type { Resolver } from '../../../graph/resolve/resolver.js';
import { leavesCompanion } from '../../../impact/companion.js';
import { familyOf } from '../../../impact/family.js';
import { isAboutTheName } from '../../../impact/rules.js';
import type { DeclRef } from '../../../languages/language.js';
import { sameDecl } from '../../../syntax/rows.js';
import { D, E, F, isClassLike, isFunctionLike, R, type Summary } from '../../../syntax/summary.js';
import { bodyRenames, mentionsIn } from '../names/body-renames.js';
import { canonicalParameter } from '../headers/canonical-constructor.js';
import { fileOf } from '../imports/module-name.js';
import { otherMeaning } from '../names/name-collision.js';
import { outsideBaseOf } from '../headers/outside-member.js';
import { entryEdit, importedAs, isOwnAlias, meantThrough } from '../imports/rename-import.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';
import { mentionEdit } from '../names/shorthand.js';

export const rename: Rewrite = {
  id: 'rename',
  does: 'writes the new name of a renamed declaration wherever the old one is meant',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { site, summary } = context;
    const names = site.cause.detail.rename;
    if (names === undefined || site.tier !== 'breaks' || !isAboutTheName(site.rule)) return undefined;
    if (site.confidence !== 'certain')
      return { cannot: `whether this ${names.from} is the renamed one is not certain`, needs: 'person' };
    const outside = outsideBaseOf(context.graphs, site.cause);
    if (outside !== undefined)
      return { cannot: `${names.from} stands for a member of ${outside}, which keeps its name`, needs: 'person' };
    if (site.expr < 0) return renameDeclaration(context, names);
    if (isBroughtWithCompanion(context))
      return {
        cannot: `${names.from} is imported as a type and as a value, and one of them keeps the name`,
        needs: 'model',
      };
    const left = leftModule(context);
    if (left !== undefined) return { cannot: `${names.from} is not in ${left} any more`, needs: 'model' };
    if (mayMeanOverload(context))
      return {
        cannot: `which ${names.from} is meant is not certain: one that keeps the name takes one argument`,
        needs: 'person',
      };
    if (mayCallOverload(context))
      return {
        cannot: `which ${names.from} is meant is not certain: what it is given fits one that keeps the name as well`,
        needs: 'person',
      };
    const said = summary.exprs.nameOf(site.expr);
    const spelled = decoratorSpelling(context, names, said);
    if (spelled !== undefined) return renameMention(context, { from: said, to: spelled });
    if (said === names.from) return renameMention(context, names);
    // `all.default()` goes on meaning what has another name inside of its module.
    return isAlias(summary, site.expr, names.from) || isDefaultName(said) ? { edits: [] } : undefined;
  },
};

/** Whether a name that an import brings stands for both a type and a value, of which the other one keeps it. */
const isBroughtWithCompanion = ({ graphs, block, site, summary }: RewriteSite): boolean =>
  block.file !== site.cause.before?.file &&
  summary.exprs.opOf(site.expr) === E.name &&
  leavesCompanion(graphs, site.cause);

/**
 * The module that the name is taken from here and that it went from to another one; undefined where the module went
 * along, or is none.
 */
function leftModule({ graphs, block, site, summary }: RewriteSite): string | undefined {
  const { exprs } = summary;
  const home = site.cause.before?.file;
  const base = exprs.opOf(site.expr) === E.member ? exprs.baseOf(site.expr) : -1;
  if (
    site.cause.detail.move === undefined ||
    home === undefined ||
    home === site.cause.after?.file ||
    base < 0 ||
    !graphs.after.repo.hasFile(home)
  )
    return undefined;
  return graphs.after.resolve(block.file, base).targets.some((target) => target.decl < 0 && target.file === home)
    ? home
    : undefined;
}

/**
 * Whether a function that is named and not called here is rather an overload of the renamed one, which
 * keeps the name: functions that are handed to others mostly take one argument, the object included
 * where the function is named on its class.
 */
function mayMeanOverload({ graphs, block, site, summary }: RewriteSite): boolean {
  const { before } = site.cause;
  if (
    before === undefined ||
    !graphs.after.language(block.file).overloads ||
    summary.exprs.roleOf(site.expr) !== R.read ||
    callOf(summary, site.expr) >= 0
  )
    return false;
  const isOnClass = receiverAt(graphs.after, block.file, site.expr)?.kind === 'class';
  const takesOne = (of: Summary, decl: number): boolean =>
    isFunctionLike(of.decls.kindOf(decl)) &&
    signatureOf(of, decl).params.length + (isOnClass && !of.decls.has(decl, F.static) ? 1 : 0) === 1;
  const { targets, confidence } = graphs.after.resolve(block.file, site.expr);
  return (
    confidence === 'certain' &&
    !takesOne(graphs.before.summary(before.file), before.decl) &&
    targets.some((target) => target.decl >= 0 && takesOne(graphs.after.summary(target.file), target.decl))
  );
}

/** Whether what is known of a call's arguments does not tell the renamed function from one that keeps the name. */
function mayCallOverload({ graphs: { after }, block, site, summary }: RewriteSite): boolean {
  const { after: now } = site.cause;
  const call = callOf(summary, site.expr);
  if (now === undefined || call < 0 || !after.language(block.file).overloads) return false;
  const { decls } = after.summary(now.file);
  const { targets, confidence, self } = after.resolve(block.file, site.expr);
  const beside = targets.filter(
    ({ file, decl }) =>
      file === now.file && isFunctionLike(decls.kindOf(decl)) && decls.scopeOf(decl) === decls.scopeOf(now.decl),
  );
  if (confidence !== 'certain' || beside.length === 0) return false;
  const candidates = [now, ...beside].map(({ file, decl }) => ({ file, decl, self }));
  const left = fittingCalls.among(after, candidates, { file: block.file, expr: call });
  return left.length > 1 && left.some((each) => sameDecl(each, now));
}

/** The new name of a decorator that is not said in full, or has but now a name that need not be (C# attributes). */
function decoratorSpelling(
  { graphs, block, site, summary }: RewriteSite,
  names: { from: string; to: string },
  said: string,
): string | undefined {
  const spelling = graphs.after.language(block.file).decoratorSpelling;
  if (spelling === undefined || summary.exprs.roleOf(site.expr) !== R.decorator) return undefined;
  if ((spelling(names.from) ?? names.from) !== said) return undefined;
  return spelling(names.to) ?? names.to;
}

function renameMention(context: RewriteSite, names: { from: string; to: string }): RewriteResult {
  const { site, summary, text } = context;
  const start = summary.exprs.startOf(site.expr);
  if (text.slice(start, summary.exprs.endOf(site.expr)) !== names.from)
    return { cannot: `${names.from} is written in another way here`, needs: 'person' };
  const offeredBy = publicPlace(context, names);
  if (offeredBy !== undefined)
    return { cannot: `${offeredBy} offers ${names.from} to others, and ${names.to} is private`, needs: 'person' };
  const renamed = { graphs: context.graphs, names, before: site.cause.before, after: site.cause.after };
  const imported = importedAs(renamed, context.block.file, site.expr);
  const offered = imported ?? meantThrough(renamed, context.block.file, site.expr);
  if (offered !== undefined && 'cannot' in offered) return { ...offered, needs: 'person' };
  if (offered?.names === 'kept') return { edits: [] };
  if (imported !== undefined && offered !== undefined)
    return { edits: [entryEdit(summary, text, site.expr, names, offered.names)] };
  const collision = collides(context, names.to) ?? mayBeOther(context, names.from);
  if (collision !== undefined) return { cannot: collision, needs: 'person' };
  if (summary.exprs.opOf(site.expr) === E.injected) return renameInjected(context, names);
  const parameter = canonicalParameter(context, names);
  return 'cannot' in parameter ? parameter : { edits: [...parameter, mentionEdit(summary, site.expr, names)] };
}

/** A parameter that a framework fills in by the renamed name: it and what its function says of it. */
function renameInjected({ site, block, summary }: RewriteSite, names: { from: string; to: string }): RewriteResult {
  const name = { start: summary.exprs.startOf(site.expr), end: summary.exprs.endOf(site.expr), text: names.to };
  const body = bodyRenames(
    summary,
    names,
    mentionsIn(summary, block.decl, names.from),
    mentionsIn(summary, block.decl, names.to).length > 0,
  );
  return 'edits' in body ? { edits: [name, ...body.edits] } : body;
}

/**
 * The module other than its own through which a name that became private (an underscore says so) is meant here, or is
 * passed on here: whether that module goes on to offer the old name is a decision.
 */
function publicPlace(
  { graphs, block, site, summary, text }: RewriteSite,
  names: { from: string; to: string },
): string | undefined {
  const home = site.cause.before?.file;
  const { exprs, imports } = summary;
  if (home === undefined || home === block.file || names.from.startsWith('_') || !names.to.startsWith('_'))
    return undefined;
  const base = exprs.opOf(site.expr) === E.member ? exprs.baseOf(site.expr) : -1;
  const module =
    base < 0 ? undefined : graphs.after.resolve(block.file, base).targets.find((target) => target.decl < 0)?.file;
  if (module !== undefined) return module === home ? undefined : module;
  const entry = imports.find(
    (candidate) => candidate.name === names.from && (candidate.expr === site.expr || candidate.decl >= 0),
  );
  if (entry === undefined) return undefined;
  const named = fileOf(graphs.before, entry.module, block.file);
  if (named !== undefined && named !== home) return named;
  const isOffered =
    summary.exports.some((other) => other.local === names.from) ||
    isOwnAlias(text.slice(entry.start, entry.end), names.from);
  return isOffered ? block.file : undefined;
}

/** A name that an import gave to it: the import is rewritten, and the alias stays. */
function isAlias(summary: Summary, expr: number, imported: string): boolean {
  const name = summary.exprs.nameIdOf(expr);
  return (
    summary.exprs.roleOf(expr) === R.import ||
    summary.imports.some(
      (entry) => entry.name === imported && entry.decl >= 0 && summary.decls.nameIdOf(entry.decl) === name,
    )
  );
}

/** What the new name means already where a bare name is rewritten. */
function collides({ graphs, block, site, summary }: RewriteSite, name: string): string | undefined {
  const { exprs } = summary;
  return exprs.opOf(site.expr) !== E.name || exprs.roleOf(site.expr) === R.import
    ? undefined
    : otherMeaning(graphs.after, block.file, exprs.scopeOf(site.expr), name, exprs.roleOf(site.expr), site.cause.after);
}

/** What else a member may be that is named on this receiver: something that keeps its name. */
function mayBeOther(
  { graphs: { before, after }, block, site, summary }: RewriteSite,
  name: string,
): string | undefined {
  const renamed = site.cause.before;
  const { exprs } = summary;
  if (renamed === undefined || exprs.opOf(site.expr) !== E.member || exprs.roleOf(site.expr) === R.import)
    return undefined;
  const graph = before.repo.summary(block.file) === summary ? before : after;
  const { values } = graph.typeOf(block.file, exprs.operandOf(site.expr));
  if (values.length < 2 || !values.some(({ kind }) => kind === 'instance')) return undefined;
  const outside = values.find((value) => value.kind === 'external');
  if (outside?.kind === 'external')
    return (
      `${name} may also mean a member of ${outside.name === '' ? 'something from outside' : outside.name}, ` +
      'which keeps its name'
    );
  const placeOf = (resolver: Resolver, { file, decl }: DeclRef): string =>
    `${file}::${resolver.summary(file).decls.pathOf(decl)}`;
  const owner = placeOf(before, renamed).slice(0, -name.length);
  const found = graph.resolve(block.file, site.expr);
  const others =
    found.confidence === 'certain'
      ? found.targets
          .filter(({ decl }) => decl >= 0)
          .map((target) => placeOf(graph, target))
          .filter((place) => !place.startsWith(owner))
      : [];
  const family =
    others.length === 0 ? new Set() : new Set(familyOf(before, renamed).map((member) => placeOf(before, member)));
  const other = others.find((place) => !family.has(place));
  return other === undefined ? undefined : `${name} may also mean ${other} here, which keeps its name`;
}

/** A member that overrides the renamed one, or is overridden by it, follows its name. */
function renameDeclaration(
  { graphs, block, site, summary, text }: RewriteSite,
  names: { from: string; to: string },
): RewriteResult | undefined {
  const component =
    block.decl < 0 || !isClassLike(summary.decls.kindOf(block.decl))
      ? undefined
      : componentNamed(summary, block.decl, names.from);
  if (
    component === undefined &&
    (block.decl < 0 ||
      (summary.decls.nameOf(block.decl) !== names.from &&
        summary.decls.kindOf(block.decl) !== D.constructor &&
        graphs.after.language(block.file).namedAsClass?.(names.from).includes(summary.decls.nameOf(block.decl)) !==
          true))
  )
    return undefined;
  const start = summary.decls.nameStartOf(component ?? block.decl);
  // A constructor that is not called as its class is (Python, TypeScript).
  if (
    summary.decls.kindOf(block.decl) === D.constructor &&
    text.startsWith(graphs.after.language(block.file).constructorName, start)
  )
    return { edits: [] };
  if (start < 0 || !text.startsWith(names.from, start))
    return { cannot: `the declaration of ${names.from} is not written as a plain name`, needs: 'person' };
  const scope = summary.decls.scopeOf(block.decl);
  const row = summary.idOf(names.to);
  const { after } = site.cause;
  const isRenamed = (decl: number): boolean =>
    after !== undefined &&
    [after, ...partsOfFunction(graphs.after, after)].some((part) => part.file === block.file && part.decl === decl);
  if (
    row >= 0 &&
    !isClassLike(summary.decls.kindOf(block.decl)) &&
    summary.decls.inScope(scope, row).some((decl) => !isRenamed(decl)) &&
    !graphs.after.language(block.file).overloads
  )
    return { cannot: `${names.to} is declared beside it already`, needs: 'person' };
  return { edits: [{ start, end: start + names.from.length, text: names.to }] };
}
