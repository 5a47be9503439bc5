/**
 * The interpreter of the rule table: atomic changes to affected blocks.
 *
 * Relations are read from D (before) or D' (after); sites found in D are carried over to the
 * edited tree, since that is what a person sees and what must be edited. A site that was adapted
 * already is not listed. Errs towards too many: `possible` sites are kept and marked.
 *
 * Source: CodePlan (arXiv 2309.12499), change-may-impact analysis.
 */
import { Places } from '../base/places.js';
import { piece, pieces, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { matchBlocks } from '../change/match-blocks.js';
import { isEmptyDelta } from '../change/signature-delta.js';
import { Memo } from '../graph/resolve/answers.js';
import { classOfMember } from '../graph/resolve/hierarchy.js';
import { keysSpelling, stringsSpelling } from '../graph/refer/hidden-uses.js';
import type { Confidence } from '../graph/resolve/names.js';
import { constructorsOf } from '../graph/resolve/overloads.js';
import { blockOf } from '../graph/refer/references.js';
import type { Relation } from '../graph/refer/relation.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { blockPath, D, E, nameId, nameOf, R, type Summary } from '../syntax/summary.js';
import { usesOfExport } from './export-uses.js';
import { familyOf } from './family.js';
import { requiredBeside } from './judge-literal.js';
import { siblingsOf } from './judge-siblings.js';
import { JUDGES, type Judge } from './judge.js';
import { madeWithoutName, unfinishedTypes } from './lacking-classes.js';
import { movedFiles, namersOfMovedFiles } from './moved-files.js';
import { importersOfMovedTypes } from './moved-types.js';
import { usesLeftBehind } from './moved-uses.js';
import { NewUses } from './new-uses.js';
import { withoutIdleOffers } from './offers.js';
import { PREDICATES, type Graphs } from './predicates.js';
import { relatedInTurns, usesOfBinding, type Related } from './related.js';
import { RULES, type Rule } from './rules.js';
import type { Tier } from './verdict.js';

export type Profile = 'precise' | 'strict';

export interface AffectedSite {
  /** Named row in the edited tree; -1: the block as a whole, or `place`. */
  readonly expr: number;
  /** Offsets of a place that has no row: where a module is named. */
  readonly place?: { readonly start: number; readonly end: number };
  readonly tier: Tier;
  readonly confidence: Confidence;
  readonly reason: string;
  readonly rule: string;
  readonly relation: Relation;
  readonly cause: AtomicChange;
  /** It fits, and could give a new parameter that the person has a value for. */
  readonly isWanted?: true;
}

export interface AffectedBlock {
  readonly file: string;
  /** Row in the edited tree; -1: module level. */
  readonly decl: number;
  readonly tier: Tier;
  readonly confidence: Confidence;
  /** How many blocks lie between it and the edit, 1 for none; beyond 1 it is a forecast. */
  readonly depth: number;
  readonly sites: readonly AffectedSite[];
}

/** Where a site stands; undefined for one that is its whole block. */
export function placeOf(summary: Summary, { expr, place }: AffectedSite): AffectedSite['place'] {
  return expr < 0 ? place : { start: summary.exprs.start[expr] as number, end: summary.exprs.end[expr] as number };
}

/** A place that may refer to the change and that no analysis can decide. */
export interface Undecided {
  readonly file: string;
  readonly expr: number;
  readonly reason: string;
}

export interface Impact {
  /** Sorted by file and position. */
  readonly affected: readonly AffectedBlock[];
  readonly undecided: readonly Undecided[];
}

/** Texts of both sides of an edited file, for matching its blocks. */
export type TextsOf = (file: string) => { readonly before?: string; readonly after?: string };

/** `isGiven`: whether the person has a value for a parameter of that name at a row; such calls are not left out. */
export function* impactOf(
  graphs: Graphs,
  changes: readonly AtomicChange[],
  textsOf: TextsOf,
  profile: Profile = 'precise',
  isGiven: (param: string, at: { readonly file: string; readonly expr: number }) => boolean = () => false,
): Turns<Impact> {
  const reading: Reading = {
    graphs,
    newUses: new NewUses(graphs, changes),
    carry: new Carrier(graphs, textsOf, movedFiles(graphs, changes)),
    edited: new Set(
      changes.flatMap(({ label, before }) =>
        before === undefined || label === 'MMB' ? [] : [`${before.file}\0${before.decl}`],
      ),
    ),
  };
  const found = new Memo<{ file: string; decl: number; sites: AffectedSite[] }>();
  const offered = new Map<AffectedSite, string>();
  const seeds = seedBlocks(changes);
  const classesOf = (ofChange: (change: AtomicChange) => boolean): ReadonlySet<string> =>
    new Set(
      changes.flatMap((change) =>
        change.before !== undefined && ofChange(change) ? [`${change.before.file}\0${change.before.decl}`] : [],
      ),
    );
  const deletedClasses = classesOf(({ label }) => label === 'DC');
  const movedClasses = classesOf(({ label, detail }) => label === 'MC' && detail.move !== undefined);
  for (const change of changes) {
    // What mentions a member of a deleted or moved class reaches it through the class, whose mentions are listed.
    if (profile === 'precise' && change.after === undefined && isInside(graphs.before, change, deletedClasses))
      continue;
    const movedWithClass = change.detail.rename === undefined && isInside(graphs.before, change, movedClasses);
    const judged = new Map<Judge, Places>();
    for (const rule of RULES) {
      if (rule.when !== change.label || rule.profile !== (profile === 'strict' ? 'paper' : 'precise')) continue;
      const only = rule.only === undefined ? undefined : PREDICATES[rule.only];
      if (only !== undefined && !(yield* piece(() => only(change, graphs)))) continue;
      if (movedWithClass && rule.only === 'renamedOrMoved') continue;
      // A site may be affected in two ways: a renamed function that also wants another argument.
      let places = judged.get(rule.judge);
      if (places === undefined) judged.set(rule.judge, (places = new Places()));
      const why = clause(rule, change);
      for (const site of yield* sitesOfRule(rule, change, reading)) {
        yield;
        const verdict = yield* piece(() => JUDGES[rule.judge](change, site, graphs));
        if (verdict === 'fine') continue;
        const isWanted =
          verdict.tier === 'may' &&
          site.expr >= 0 &&
          change.detail.signature?.added.some((param) => isGiven(param.name, site)) === true;
        if (verdict.isIdle === true && !isWanted) continue;
        // The person edited this block: it is listed only for what in it does not fit any more.
        if (((verdict.tier === 'may' && !isWanted) || site.expr < 0) && seeds.has(site.file, site.block)) continue;
        if (!places.add(site.file, site.expr >= 0 ? site.expr : -2 - site.block)) continue;
        let entry = found.get(site.file, site.block);
        if (entry === undefined)
          found.set(site.file, site.block, (entry = { file: site.file, decl: site.block, sites: [] }));
        const affectedSite: AffectedSite = {
          expr: site.expr,
          tier: verdict.tier,
          confidence: site.confidence,
          rule: rule.id,
          relation: rule.follow,
          cause: change,
          reason: `${blockPath(graphs.after.summary(site.file), site.block)} ${why}${verdict.detail === undefined ? '' : `: ${verdict.detail}`}.`,
          ...(isWanted ? { isWanted } : {}),
        };
        if (verdict.offers !== undefined && !isWanted) offered.set(affectedSite, verdict.offers);
        entry.sites.push(affectedSite);
      }
    }
  }
  if (profile === 'precise') {
    for (const { file, decl, sites } of [
      ...(yield* piece(() => namersOfMovedFiles(graphs, changes))),
      ...(yield* piece(() => importersOfMovedTypes(graphs, changes))),
      ...(yield* piece(() => usesLeftBehind(graphs, changes))),
    ]) {
      found.set(file, decl, { file, decl, sites: [...(found.get(file, decl)?.sites ?? []), ...sites] });
    }
  }
  const affected = (yield* piece(() => withoutIdleOffers(graphs.after, found.values(), offered))).map(
    ({ file, decl, sites }): AffectedBlock => ({
      file,
      decl,
      depth: 1,
      sites: sites.sort((a, b) => a.expr - b.expr || (a.place?.start ?? 0) - (b.place?.start ?? 0)),
      tier: sites.some((site) => site.tier === 'breaks') ? 'breaks' : 'may',
      confidence: sites.some((site) => site.confidence === 'certain') ? 'certain' : 'possible',
    }),
  );
  return {
    affected: affected.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.decl - b.decl)),
    undecided: yield* piece(() =>
      undecided(
        graphs,
        changes.filter((change) => change.after !== undefined || !isInside(graphs.before, change, deletedClasses)),
      ),
    ),
  };
}

function isInside(before: Resolver, change: AtomicChange, classes: ReadonlySet<string>): boolean {
  if (change.before === undefined || change.before.decl < 0) return false;
  const { decls } = before.summary(change.before.file);
  for (let parent = decls.parent[change.before.decl] as number; parent >= 0; parent = decls.parent[parent] as number)
    if (classes.has(`${change.before.file}\0${parent}`)) return true;
  return false;
}

/** Whether the block only stands elsewhere now, as in a file that was renamed: its text is nobody's edit. */
const isMoveAlone = ({ label, detail }: AtomicChange): boolean =>
  label !== 'MMB' &&
  detail.move !== undefined &&
  Object.keys(detail).every(
    (key) =>
      key === 'move' || (key === 'signature' && detail.signature !== undefined && isEmptyDelta(detail.signature)),
  );

function seedBlocks(changes: readonly AtomicChange[]): Places {
  const out = new Places();
  for (const change of changes)
    if (change.after !== undefined && change.after.decl >= 0 && !isMoveAlone(change))
      out.add(change.after.file, change.after.decl);
  return out;
}

/** Where the sites of rules are read. */
interface Reading {
  readonly graphs: Graphs;
  readonly carry: Carrier;
  readonly newUses: NewUses;
  /** Blocks of D with changes of their own, but for those of a body alone. */
  readonly edited: ReadonlySet<string>;
}

/** The rule's sites, in the edited tree. */
function* sitesOfRule(rule: Rule, change: AtomicChange, reading: Reading): Turns<readonly Related[]> {
  const { graphs, carry } = reading;
  if (change.detail.export !== undefined)
    return rule.judge === 'unexported' && change.before !== undefined
      ? yield* carry.all(usesOfExport(graphs.before, change.before.file, change.detail.export.name), change)
      : [];
  if (change.kind === 'import')
    return rule.judge === 'unexported'
      ? []
      : yield* carry.all(usesOfBinding(graphs.before, change.file, change.detail.import?.binding ?? ''), change);
  if (rule.in !== 'both') return yield* sitesInGraph(rule, rule.in, change, reading);
  const now = yield* sitesInGraph(rule, 'after', change, reading);
  const placeOf = (site: Related): string => `${site.file}\0${site.expr}\0${site.block}`;
  const places = new Set(now.map(placeOf));
  const then = yield* sitesInGraph(rule, 'before', change, reading);
  return [...now, ...then.filter((site) => !places.has(placeOf(site)))];
}

function* sitesInGraph(
  rule: Rule,
  side: 'before' | 'after',
  change: AtomicChange,
  reading: Reading,
): Turns<readonly Related[]> {
  const resolver = reading.graphs[side];
  const starts = yield* piece(() => startsOf(rule, side, change, reading));
  const sites: Related[] = [];
  for (const from of starts) {
    sites.push(...(yield* relatedInTurns(resolver, from, rule.follow)));
    if (rule.judge === 'lacksMember') sites.push(...(yield* piece(() => madeWithoutName(resolver, from))));
  }
  if (side === 'after') return sites;
  const kept = yield* reading.carry.all(sites, change);
  if (rule.judge !== 'gone') return kept;
  const written = yield* pieces(starts, (from) => reading.newUses.of(from, rule.follow));
  return [...kept, ...written.flat()];
}

/** The declarations from which the rule's relation leads on. */
function startsOf(
  rule: Rule,
  side: 'before' | 'after',
  change: AtomicChange,
  { graphs, edited }: Reading,
): readonly DeclRef[] {
  const ref = change[side];
  // A relative that the person edited has sites of its own.
  if (rule.of === 'family')
    return ref === undefined
      ? []
      : familyOf(graphs[side], ref).filter((member) => !edited.has(`${member.file}\0${member.decl}`));
  if (rule.of === 'required') return ref === undefined ? [] : requiredBeside(graphs[side], ref);
  if (rule.of === 'siblings') return ref === undefined ? [] : siblingsOf(graphs[side], ref);
  // Where constructors are told apart by their parameters, only calls of the changed one are concerned.
  if (rule.of === 'class' && rule.when === 'MCC' && ref !== undefined && isOneOfSeveral(graphs[side], ref))
    return [ref];
  const from =
    rule.of === 'self' ? ref : ref === undefined ? ownerElsewhere(change, graphs, side) : ownerOf(graphs[side], ref);
  if (from === undefined) return [];
  return rule.judge === 'lacksMember' && rule.follow === 'BaseClassOf' ? unfinishedTypes(graphs[side], from) : [from];
}

function isOneOfSeveral(resolver: Resolver, ref: DeclRef): boolean {
  const owner = resolver.summary(ref.file).decls.kind[ref.decl] === D.constructor ? ownerOf(resolver, ref) : undefined;
  return owner !== undefined && resolver.language(ref.file).overloads && constructorsOf(resolver, owner).length > 1;
}

function ownerOf(resolver: Resolver, ref: DeclRef): DeclRef | undefined {
  const summary = resolver.summary(ref.file);
  const kind = summary.decls.kind[ref.decl] as number;
  if (kind <= D.delegate) return ref;
  const owner = classOfMember(summary, ref.decl);
  return owner === undefined ? undefined : { file: ref.file, decl: owner };
}

/** The owner of an added member in D, of a deleted one in D': the class of the same path. */
function ownerElsewhere(change: AtomicChange, graphs: Graphs, side: 'before' | 'after'): DeclRef | undefined {
  const [here, there, ref] =
    side === 'before'
      ? ([graphs.after, graphs.before, change.after] as const)
      : ([graphs.before, graphs.after, change.before] as const);
  const owner = ref === undefined ? undefined : ownerOf(here, ref);
  if (owner === undefined) return undefined;
  const path = blockPath(here.summary(owner.file), owner.decl);
  const other = there.repo.summary(owner.file);
  if (other === undefined) return undefined;
  const row = nameId(other, nameOf(here.summary(owner.file), owner.decl));
  if (row < 0) return undefined;
  for (let i = other.declStart[row] as number; i < (other.declStart[row + 1] as number); i++) {
    const decl = other.declsByName[i] as number;
    if (blockPath(other, decl) === path && (other.decls.kind[decl] as number) <= D.delegate)
      return { file: owner.file, decl };
  }
  return undefined;
}

/** Carries sites of D over to D'. */
class Carrier {
  private readonly matches = new Map<string, ReadonlyMap<number, number>>();
  private readonly unedited = new Map<string, boolean>();
  private readonly said = new Map<Summary, Map<string, ReadonlyMap<number, readonly number[]>>>();
  constructor(
    private readonly graphs: Graphs,
    private readonly textsOf: TextsOf,
    private readonly movedFiles: ReadonlyMap<string, string>,
  ) {}

  *all(sites: readonly Related[], change: AtomicChange): Turns<Related[]> {
    const out: Related[] = [];
    for (const site of sites) {
      if (this.stays(site.file)) out.push(site);
      else out.push(...(yield* piece(() => this.one(site, change))));
      yield;
    }
    // A row that one site certainly is now may be a guess for another, which was edited away.
    return [
      ...out.filter(({ confidence }) => confidence === 'certain'),
      ...out.filter(({ confidence }) => confidence !== 'certain'),
    ];
  }

  /** Whether the file reads the same in both trees; remembered, since most sites lie in such files. */
  private stays(file: string): boolean {
    let stays = this.unedited.get(file);
    if (stays === undefined)
      this.unedited.set(file, (stays = this.graphs.before.repo.summary(file) === this.graphs.after.repo.summary(file)));
    return stays;
  }

  private one(site: Related, change: AtomicChange): Related[] {
    const old = this.graphs.before.summary(site.file);
    const file = this.graphs.after.repo.hasFile(site.file) ? site.file : (this.movedFiles.get(site.file) ?? site.file);
    const now = this.graphs.after.repo.summary(file);
    if (now === undefined) return [];
    const block = site.block < 0 ? -1 : this.matched(site.file, file, old, now).get(site.block);
    if (block === undefined) return [];
    if (site.expr < 0) return [{ ...site, file, block }];
    return this.rowsLike({ ...site, file }, old, now, block, change);
  }

  /** Rows of the edited file, in the same block, that still say the name and do not certainly mean something else. */
  private rowsLike(site: Related, old: Summary, now: Summary, block: number, change: AtomicChange): Related[] {
    const op = old.exprs.op[site.expr] as number;
    if (op === E.super || op === E.this) {
      const rows: Related[] = [];
      for (let expr = 0; expr < now.exprs.count; expr++)
        if (now.exprs.op[expr] === op && now.exprs.role[expr] === R.callee && blockOf(now, expr) === block)
          rows.push({ ...site, expr, block });
      return rows;
    }
    const name = old.names[old.exprs.name[site.expr] as number] as string;
    const role = old.exprs.role[site.expr] as number;
    const then = this.rowsSaying(old, name, op, role).get(site.block) ?? [];
    const rows = this.rowsSaying(now, name, op, role).get(block) ?? [];
    // As many as before: each is where it was among them. Otherwise those on a receiver of the same name may be it, else any.
    const same = then.length === rows.length ? rows[then.indexOf(site.expr)] : undefined;
    const alike = rows.filter((expr) => baseName(now, expr) === baseName(old, site.expr));
    const candidates = same !== undefined ? [same] : alike.length > 0 ? alike : rows;
    const kept =
      same !== undefined && isUntouched(old, site.block, now, block)
        ? [same]
        : candidates.filter(
            (expr) =>
              change.label.startsWith('D') || site.followed === true || !this.meansElse(site.file, expr, change),
          );
    return kept.map((expr) => ({
      ...site,
      expr,
      block,
      confidence: alike.length > 0 || same !== undefined ? site.confidence : 'possible',
    }));
  }

  /** Whether a row certainly refers to something other than what the changed block is now. */
  private meansElse(file: string, expr: number, change: AtomicChange): boolean {
    const resolution = this.graphs.after.resolve(file, expr);
    return (
      resolution.confidence === 'certain' &&
      resolution.targets.length > 0 &&
      !resolution.targets.some(
        (target) =>
          (target.file === change.after?.file && target.decl === change.after.decl) || this.isLeftOver(target, change),
      )
    );
  }

  /** A field of the old name that there is only because assignments of what was renamed still say it. */
  private isLeftOver(target: DeclRef, { after, before, detail }: AtomicChange): boolean {
    if (
      detail.rename === undefined ||
      after === undefined ||
      before === undefined ||
      target.decl < 0 ||
      target.file !== after.file
    )
      return false;
    const { decls } = this.graphs.after.summary(target.file);
    return (
      (decls.kind[target.decl] === D.field || decls.kind[target.decl] === D.variable) &&
      decls.parent[target.decl] === decls.parent[after.decl] &&
      nameOf(this.graphs.after.summary(target.file), target.decl) === detail.rename.from
    );
  }

  /** Remembered: a file with many sites would else be searched once a site. */
  private rowsSaying(summary: Summary, name: string, op: number, role: number): ReadonlyMap<number, readonly number[]> {
    let bySummary = this.said.get(summary);
    if (bySummary === undefined)
      this.said.set(summary, (bySummary = new Map<string, ReadonlyMap<number, readonly number[]>>()));
    const key = `${op} ${role} ${name}`;
    let rows = bySummary.get(key);
    if (rows === undefined) bySummary.set(key, (rows = namedRows(summary, name, op, role)));
    return rows;
  }

  private matched(file: string, newFile: string, old: Summary, now: Summary): ReadonlyMap<number, number> {
    let map = this.matches.get(file);
    if (map === undefined) {
      const { pairs } = matchBlocks(
        { summary: old, text: this.textsOf(file).before ?? '' },
        { summary: now, text: this.textsOf(newFile).after ?? '' },
      );
      map = new Map(pairs.map((pair) => [pair.before, pair.after]));
      this.matches.set(file, map);
    }
    return map;
  }
}

/** Whether a block's own text is as it was, so that what it says is meant as before. */
function isUntouched(old: Summary, before: number, now: Summary, after: number): boolean {
  if (before < 0 || after < 0) return before === after && old.moduleHash === now.moduleHash;
  return (
    old.decls.headerHash[before] === now.decls.headerHash[after] &&
    old.decls.bodyHash[before] === now.decls.bodyHash[after]
  );
}

/** Rows of a file that say a name in one way, by block, in order of position. */
function namedRows(summary: Summary, name: string, op: number, role: number): ReadonlyMap<number, readonly number[]> {
  const out = new Map<number, number[]>();
  const row = nameId(summary, name);
  if (row < 0) return out;
  const { exprs } = summary;
  const rows = [...summary.refs.subarray(summary.refStart[row], summary.refStart[row + 1])].filter(
    (expr) => exprs.op[expr] === op && asWritten(exprs.role[expr] as number) === asWritten(role),
  );
  for (const expr of rows.sort((a, b) => (exprs.start[a] as number) - (exprs.start[b] as number))) {
    const block = blockOf(summary, expr);
    const list = out.get(block);
    if (list === undefined) out.set(block, [expr]);
    else list.push(expr);
  }
  return out;
}

/** An assignment may come to declare the field, or not to, when another name changes. */
const asWritten = (role: number): number => (role === R.declares ? R.write : role);

/** What a member hangs on, as far as one word tells; '' for a bare name. */
function baseName({ exprs, names }: Summary, expr: number): string {
  const base = exprs.op[expr] === E.member ? (exprs.a[expr] as number) : -1;
  return base < 0 ? '' : `${exprs.op[base]} ${names[exprs.name[base] as number]}`;
}

/** The rule's words, with what changed in them: they follow the name of the affected block. */
function clause(rule: Rule, change: AtomicChange): string {
  const subject = change.detail.rename !== undefined ? change.detail.rename.from : change.block;
  const what =
    change.detail.export !== undefined
      ? `the export of ${change.detail.export.name}`
      : change.kind === 'import'
        ? `import of ${change.detail.import?.binding ?? ''}`
        : `${change.kind} ${subject}`;
  const why = rule.why.replace(/\bit\b/, what);
  return why === rule.why ? `${why} (${what})` : why;
}

/** Strings that spell a name which is gone; members of a deleted class went with its name. */
function undecided({ before, after }: Graphs, changes: readonly AtomicChange[]): Undecided[] {
  const out: Undecided[] = [];
  const seen = new Set<string>();
  for (const change of changes) {
    const name =
      change.detail.rename?.from ??
      (change.label.startsWith('D') && change.before !== undefined && change.before.decl >= 0
        ? change.block.slice(change.block.lastIndexOf('.') + 1)
        : undefined);
    if (name === undefined) continue;
    const now = change.detail.rename !== undefined ? `is named ${change.detail.rename.to} now` : 'is deleted';
    const keys = change.before === undefined ? [] : keysSpelling(after, change.before, before);
    for (const { file, expr, reason } of [
      ...stringsSpelling(after, name).map((place) => ({ ...place, reason: `a string spells ${name}, which ${now}` })),
      ...keys.map((place) => ({
        ...place,
        reason: `an object that is passed to something unknown sets ${name}, which ${now}`,
      })),
    ]) {
      if (seen.has(`${file}\0${expr}`)) continue;
      seen.add(`${file}\0${expr}`);
      out.push({ file, expr, reason });
    }
  }
  return out;
}
