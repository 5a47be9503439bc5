/**
 * The interpreter of the rule table: atomic changes to affected blocks.
 *
 * Relations are read from D (before) or D' (after); sites found in D are carried over to the
 * edited tree, since that is what a person sees and what must be edited. A site that was adapted
 * already is not listed. Errs towards too many: `possible` sites are kept and marked.
 *
 * Source: CodePlan (arXiv 2309.12499), change-may-impact analysis.
 */
import { isDefaultName } from '../change/compare-exports.js';
import { isOutside } from '../base/outside.js';
import { Places } from '../base/places.js';
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { isEmptyDelta } from '../change/signature-delta.js';
import { descendantsOf, filesSaying } from '../graph/refer/sites-by-name.js';
import { classOfMember } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { AffectedBlocks, type AffectedBlock, type AffectedSite } from './affected.js';
import { Carrier } from './carrier.js';
import { isInside, isReachedThroughClass } from './deleted-classes.js';
import { isHiddenFromUsers } from './hidden-from-users.js';
import { JUDGES, type Judge } from './judge.js';
import { movedFiles } from './moved-files.js';
import { NewUses } from './new-uses.js';
import { PREDICATES } from './predicates.js';
import type { Graphs } from './graphs.js';
import type { Question } from './question.js';
import { isOf, redirected, type Redirected } from './redirected.js';
import { isOfFiles, type Related } from './related.js';
import { sitesOfRule, type Reading } from './rule-sites.js';
import { RULES } from './rules.js';
import type { Rule } from './rules/rule.js';
import { sameDecl } from '../syntax/rows.js';
import { F } from '../syntax/summary.js';
import { shownName } from '../base/shown.js';
import type { Verdict } from './verdict.js';

/** What the rules lead to, without what has nothing to do. */
export function* affectedByRules(question: Question): Turns<readonly AffectedBlock[]> {
  const table = new RuleTable(question);
  for (const change of question.edit.changes) yield* table.follow(change);
  if (question.profile === 'precise' && question.files === undefined)
    for (const { change, ...instead } of yield* redirected(question)) yield* table.follow(change, instead);
  return yield* piece(() => table.affected());
}

/** A site of a rule that is not fine. */
interface Judged {
  readonly rule: Rule;
  readonly change: AtomicChange;
  readonly site: Related;
  readonly verdict: Exclude<Verdict, 'fine'>;
  /** The rule's words. */
  readonly why: string;
  /** Places of which the rule's judge spoke already. */
  readonly places: Places;
  /** Nobody edited what changed for the site. */
  readonly isOthers: boolean;
}

type Meant = Pick<Judged, 'site' | 'verdict'> | undefined;

/** How a change reaches those whom it concerns. */
interface Reached {
  /** By the class that went with it: who does not say the class has nothing to do with it. */
  readonly isOfClass: boolean;
  /** Not at all by what the language says: it is hidden from them. */
  readonly isHidden: boolean;
  /** Of a library's member, where imports do not lead to files: those that say its class, or one below it. */
  readonly saying: ReadonlySet<string> | undefined;
}

class RuleTable {
  private readonly reading: Reading;
  private readonly found = new AffectedBlocks();
  /** Blocks that the person edited. */
  private readonly seeds: Places;
  private readonly movedClasses: ReadonlySet<string>;

  constructor(private readonly question: Question) {
    const { graphs, edit } = question;
    this.reading = {
      graphs,
      newUses: new NewUses(graphs, edit.changes),
      carry: new Carrier(graphs, edit.matches, movedFiles(graphs, edit.changes), edit.changes),
      edited: keysBefore(edit.changes.filter(({ label }) => label !== 'MMB')),
      files: question.files,
    };
    this.seeds = seedBlocks(edit.changes);
    this.movedClasses = keysBefore(
      edit.changes.filter(({ label, detail }) => label === 'MC' && detail.move !== undefined),
    );
  }

  affected(): readonly AffectedBlock[] {
    return this.found.found();
  }

  /**
   * Follows all rules from one change. `instead`: nothing was changed, but a name leads elsewhere; who means what it
   * led to by another way is not concerned.
   */
  *follow(change: AtomicChange, instead?: Omit<Redirected, 'change'>): Turns<void> {
    const { graphs, edit, profile } = this.question;
    const isOfClass = profile === 'precise' && isReachedThroughClass(graphs.before, change, edit.changes);
    const saying = yield* piece(() => filesSayingOwner(graphs.before, change));
    const reached: Reached = { isOfClass, isHidden: isHiddenFromUsers(graphs, change), saying };
    if (reached.isHidden && change.before === undefined) return;
    const judged = new Map<Judge, Places>();
    for (const rule of yield* this.rulesFor(change)) {
      // What overrides the member of a deleted class does not mention the class.
      if (isOfClass && !isOutside(change.file) && rule.judge !== 'overridesNothing') continue;
      // A site may be affected in two ways: a renamed function that also wants another argument.
      let places = judged.get(rule.judge);
      if (places === undefined) judged.set(rule.judge, (places = new Places()));
      if (instead !== undefined && rule.of !== 'self' && rule.of !== 'class') continue;
      const why = instead === undefined ? clause(rule, change) : redirectedClause(rule, change, instead);
      const others = yield* this.notConcerned(instead, rule, change);
      const only = instead?.only;
      for (const site of yield* sitesOfRule(rule, change, this.reading)) {
        yield;
        if (this.question.files?.has(site.file) === false) continue;
        if (others.has(site.file, placeOf(site)) || (instead !== undefined && isItself(site, change))) continue;
        if (only !== undefined && !(yield* piece(() => isOf(graphs.after, site, only)))) continue;
        const meant = yield* this.judge(rule, change, site, reached);
        if (meant === undefined) continue;
        this.add({ rule, change, ...meant, why, places, isOthers: instead !== undefined });
      }
    }
  }

  /**
   * What a rule's judge says of a site, or undefined where it fits. What holds an object of a library's class need not
   * say the class, and has to do without its members all the same.
   */
  private *judge(rule: Rule, change: AtomicChange, site: Related, reached: Reached): Turns<Meant> {
    const { isOfClass, isHidden, saying } = reached;
    const { graphs } = this.question;
    const isFound = isOfClass && !saysThatItOverrides(graphs, site);
    if (isFound && !isOutside(change.file)) return undefined;
    const said = yield* piece(() => JUDGES[rule.judge](change, site, graphs));
    if (said === 'fine') return undefined;
    return {
      site: isHidden ? { ...site, confidence: 'possible' } : site,
      verdict: isHidden || isFound || isByNameAlone(site, saying) ? asLeft(said) : said,
    };
  }

  /** Where the rule leads from what a name led to and what it leads to, for those who mean these anyway. */
  private *notConcerned(
    instead: Omit<Redirected, 'change'> | undefined,
    rule: Rule,
    change: AtomicChange,
  ): Turns<Places> {
    const out = new Places();
    const { still, already } = instead ?? {};
    for (const [side, ref] of [['after', still] as const, ['before', already] as const]) {
      if (ref === undefined || ref.decl < 0) continue;
      for (const site of yield* sitesOfRule({ ...rule, in: side }, { ...change, [side]: ref }, this.reading))
        out.add(site.file, placeOf(site));
    }
    return out;
  }

  private *rulesFor(change: AtomicChange): Turns<Rule[]> {
    const { graphs, profile, files } = this.question;
    const isMovedWithClass =
      change.detail.rename === undefined && isInside(graphs.before, change.before, this.movedClasses);
    const out: Rule[] = [];
    for (const rule of RULES) {
      if (rule.when !== change.label || rule.profile !== (profile === 'strict' ? 'paper' : 'precise')) continue;
      if (isMovedWithClass && rule.only === 'renamedOrMoved') continue;
      if (files !== undefined && !isOfFew(rule)) continue;
      const only = rule.only === undefined ? undefined : PREDICATES[rule.only];
      if (only === undefined || (yield* piece(() => only(change, graphs)))) out.push(rule);
    }
    return out;
  }

  /** Adds the site, unless nothing is to be done there or it is known. */
  private add({ rule, change, site, verdict, why, places, isOthers }: Judged): void {
    const { graphs, isGiven, offers } = this.question;
    const isWanted =
      verdict.tier === 'may' &&
      site.expr >= 0 &&
      change.detail.signature?.added.some((param) => isGiven(param.name, site)) === true;
    const isIdle =
      verdict.isIdle === true ||
      (verdict.offers !== undefined && offers === false) ||
      ((isOthers || isOutside(change.file)) && fits(verdict));
    if (!isWanted && (isIdle || this.isSeen(verdict, site))) return;
    if (site.expr < 0 && this.seeds.has(site.file, site.block)) return;
    if (!places.add(site.file, placeOf(site))) return;
    const affected: AffectedSite = {
      expr: site.expr,
      tier: verdict.tier,
      confidence: site.confidence,
      rule: rule.id,
      relation: rule.follow,
      cause: change,
      reason:
        `${graphs.after.summary(site.file).decls.pathOf(site.block)} ` +
        `${why}${verdict.detail === undefined ? '' : `: ${verdict.detail}`}.`,
      ...factOf(verdict),
      ...(verdict.behaves === true ? { behaves: true } : {}),
      ...(isWanted ? { isWanted } : offerOf(verdict)),
    };
    this.found.add(site.file, site.block, affected);
  }

  /** Whether the person edited the block: it is listed only for what in it does not fit any more. */
  private isSeen(verdict: Judged['verdict'], site: Related): boolean {
    return verdict.tier === 'may' && this.seeds.has(site.file, site.block);
  }
}

const offerOf = ({
  offers,
  infers,
  widens,
  retold,
}: Judged['verdict']): Pick<AffectedSite, 'offers' | 'infers' | 'widens' | 'retold'> =>
  offers === undefined
    ? {}
    : {
        offers,
        ...(infers === true ? { infers } : {}),
        ...(widens === true ? { widens } : {}),
        ...(retold === true ? { retold } : {}),
      };

/** Whether a place can stay as it is. Who edits a definition may want to look at it all the same; others need not. */
const fits = ({ fits: isSaid, offers }: Judged['verdict']): boolean => isSaid === true || offers !== undefined;

/**
 * Whether the rule's sites say the name of what changed, or of its class, or stand in it: then a few files can be
 * searched alone.
 */
const isOfFew = ({ of, follow }: Rule): boolean => (of === 'self' || of === 'class') && isOfFiles(follow);

/** The row, or where there is none the block. */
const placeOf = ({ expr, block }: Related): number => (expr >= 0 ? expr : -2 - block);

/** What is only like a library's member by its name, in a file that says no class which has it. */
const isByNameAlone = ({ file, confidence }: Related, saying: ReadonlySet<string> | undefined): boolean =>
  confidence === 'possible' && saying?.has(file) === false;

function filesSayingOwner(before: Resolver, { before: was }: AtomicChange): ReadonlySet<string> | undefined {
  if (was === undefined || !isOutside(was.file) || before.language(was.file).importsFiles) return undefined;
  const summary = before.summary(was.file);
  const owner = classOfMember(summary, was.decl);
  // The class of an extension method is said by nobody who calls it.
  if (owner === undefined || summary.decls.has(was.decl, F.extension)) return undefined;
  const type = { file: was.file, decl: owner };
  return filesSaying(before, [type, ...descendantsOf(before, type)]);
}

/** Of a member that went with its class, which what stands there need not name, or that nobody outside can name. */
const asLeft = (said: Exclude<Verdict, 'fine'>): Exclude<Verdict, 'fine'> => ({ ...said, tier: 'may' });

/** Whether it is a block itself, which may not stand where nothing is overridden. */
const saysThatItOverrides = ({ after }: Graphs, { file, expr, block }: Related): boolean =>
  expr < 0 && block >= 0 && after.summary(file).decls.has(block, F.override);

const keysBefore = (changes: readonly AtomicChange[]): ReadonlySet<string> =>
  new Set(changes.flatMap(({ before }) => (before === undefined ? [] : [`${before.file}\0${before.decl}`])));

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

const factOf = ({ fact, detail }: Judged['verdict']): Pick<AffectedSite, 'fact'> => {
  const said = fact ?? detail;
  return said === undefined ? {} : { fact: said };
};

/** The rule's words, with what changed in them: they follow the name of the affected block. */
function clause(rule: Rule, change: AtomicChange): string {
  const subject = change.detail.rename !== undefined ? change.detail.rename.from : change.block;
  const what =
    change.detail.export !== undefined
      ? isDefaultName(change.detail.export.name)
        ? 'the default export'
        : `the export of ${change.detail.export.name}`
      : change.kind === 'import'
        ? `import of ${change.detail.import?.binding ?? ''}`
        : `${change.kind} ${subject}`;
  const [before, after] = rule.why;
  return after === undefined ? `${before} (${what})` : `${before}${what}${after}`;
}

/** The same for what a name does not lead to any more. */
/** Whether a site is what a name leads to now: nobody edited that. */
const isItself = ({ file, expr, block }: Related, { after: is }: AtomicChange): boolean =>
  expr < 0 && is !== undefined && sameDecl({ file, decl: block }, is);

function redirectedClause(rule: Rule, change: AtomicChange, { by, heir, only }: Omit<Redirected, 'change'>): string {
  const { after: is } = change;
  if (is === undefined || is.decl < 0) return clause(rule, change);
  if (heir === undefined)
    return `${clause(rule, change)}, which is that of ${shownName(is.file)} now, by ${shownName(by)}`;
  return only === undefined
    ? `${clause(rule, change)}, which ${heir} inherits now`
    : `${clause(rule, change)}, which ${heir} has with other types now`;
}
