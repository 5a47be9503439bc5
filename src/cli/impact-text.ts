/**
 * The impact document for people: grouped by file, one line a place, the cause in words. Of many blocks the first are
 * shown, what breaks for sure before all others, and sums stand for the rest.
 */
import type { Affected, ImpactReport } from '#protocol/impact.js';
import { factAndCause } from '../base/block-reason.js';
import { shownInLine, shownName } from '../base/shown.js';
import { unlistedWords, type Unlisted } from '../impact/unlisted.js';
import { ranked, sumsOf, tallyWords, type Tally } from '../review/ranked.js';
import { dependencyLines } from './dependency-text.js';
import { mentionLines } from './mention-text.js';
import { problemLines } from './problem-text.js';
import { counted, namesInWords, linesInWords } from '../base/counted.js';
import type { Paint } from './print.js';
import { shownOf, TALLIES_MOST } from './tally-text.js';
import { undecidedLines } from './undecided-text.js';

/** The labels are the paper's, and named for who looks a rule up; nobody has to know them. */
function inWords(label: ImpactReport['changes'][number]['label']): string {
  if (label === 'MMS') return 'its signature';
  if (label === 'MMB') return 'its body';
  return label.startsWith('A') ? 'added' : label.startsWith('D') ? 'deleted' : 'modified';
}

/** `limit`: how many blocks to show; undefined leaves it to their number. */
export function impactLines(report: ImpactReport, paint: Paint, limit?: number): string[] {
  const lines: string[] = [];
  const { affected, undecided } = report;
  const most = limit ?? shownOf(affected.length);
  const shown = new Set(ranked(affected).slice(0, most));
  const isCut = shown.size < affected.length;
  for (const change of report.changes)
    lines.push(
      `${paint('changed', 'cyan')}  ${shownName(change.file)}: ${change.block}  ` +
        paint(`${inWords(change.label)} (${change.label})`, 'dim'),
    );
  if (report.changes.length > 0) lines.push('');
  for (const [file, blocks] of byFile(affected.filter((block) => shown.has(block)))) {
    lines.push(paint(shownName(file), 'bold'));
    for (const block of blocks) lines.push(...blockLines(block, paint));
  }
  if (isCut) lines.push(`… ${counted(affected.length - shown.size, 'more block')} (--limit shows more)`);
  if (affected.length > 0) lines.push('');
  if (isCut) lines.push(...statLines(report, paint), '');
  lines.push(...undecidedLines(undecided, paint));
  lines.push(...mentionLines(report.mentions ?? [], paint));
  lines.push(...unlistedLines(report, paint));
  lines.push(...notListed(report, paint));
  lines.push(...dependencyLines(report.dependencies, paint));
  lines.push(...problemLines(report.problems, paint));
  lines.push(summary(report));
  if (!report.complete) lines.push(paint('What could not be read (above) may hold more.', 'yellow'));
  return lines;
}

/** The sums alone: by change, by what is wrong, by file; then all in one line. */
export function impactStat(report: ImpactReport, paint: Paint): string[] {
  return [
    ...statLines(report, paint),
    ...(report.affected.length > 0 ? [''] : []),
    ...unlistedLines(report, paint),
    ...notListed(report, paint),
    ...problemLines(report.problems, paint),
    summary(report),
    ...(report.complete ? [] : [paint('What could not be read (above) may hold more.', 'yellow')]),
  ];
}

export const unlistedLines = (report: Unlisted, paint: Paint): string[] =>
  unlistedWords(report).map(({ head, words }) => `${paint(head, 'yellow')}  ${shownInLine(words)}`);

const namesByValue = ({ changes }: ImpactReport): string[] => [
  ...new Set(changes.filter(({ detail }) => detail.valueOnly === true).map(({ block }) => block)),
];

/** What changed in words or code of its own that nothing follows. */
const namesByOwn = ({ changes, affected }: ImpactReport, own: 'header' | 'body'): string[] => [
  ...new Set(
    changes
      .filter(({ detail, block }) => detail.own === own && !affected.some(({ cause }) => cause.block === block))
      .map(({ block, file }) => (block === '<module>' ? file : block)),
  ),
];

/** Classes that have other bases, of which nobody heard: what is caught, or asked for, by a base from outside. */
const namesByBases = ({ changes, affected }: ImpactReport): string[] => [
  ...new Set(
    changes
      .filter(({ detail, block }) => detail.bases !== undefined && !affected.some(({ cause }) => cause.block === block))
      .map(({ block }) => block),
  ),
];

/** What changed in a way that nobody can follow to its users, so that these may be affected. */
export const unfollowed = (report: ImpactReport): readonly string[] => [
  ...namesByOwn(report, 'header'),
  ...namesByBases(report),
];

/** Whether there are uses of what only a type is written otherwise, too many to list: they run as before. */
export const isRetold = ({ offers = [] }: ImpactReport): boolean => offers.some(({ retold }) => retold === true);

/**
 * Of what only the value changed each reader fits and gets another one, and what a decorator's arguments come to nobody
 * can tell: said, and not listed one by one.
 */
function notListed(report: ImpactReport, paint: Paint): string[] {
  const line = (names: readonly string[], verb: string, why: string): string[] => {
    if (names.length === 0) return [];
    return [`${paint('not listed', 'yellow')}  what ${verb} ${shownInLine(namesInWords(names))}: ${why}`];
  };
  return [
    ...line(namesByValue(report), 'reads', 'of it only the value changed'),
    ...line(namesByOwn(report, 'header'), 'uses', 'it changed in a way that nothing follows'),
    ...line(namesByBases(report), 'uses', 'what it derives from changed'),
    ...line(namesByOwn(report, 'body'), 'uses', 'code of its own changed, outside of its members'),
  ];
}

function statLines(report: ImpactReport, paint: Paint): string[] {
  const { changes, facts, files } = sumsOf(report);
  return [
    ...tallyLines('by change', changes, paint),
    ...tallyLines('by what is wrong', facts, paint),
    ...tallyLines('by file', files, paint),
  ];
}

function tallyLines(title: string, tallies: readonly Tally[], paint: Paint): string[] {
  if (tallies.length === 0) return [];
  const shown = tallies.slice(0, TALLIES_MOST);
  const width = Math.max(...shown.map(({ breaks, may }) => String(breaks + may).length));
  const rest = tallies.slice(TALLIES_MOST);
  return [
    paint(title, 'cyan'),
    ...shown.map(
      (tally) =>
        `  ${String(tally.breaks + tally.may).padStart(width)}  ${shownInLine(tally.name)}: ${tallyWords(tally)}`,
    ),
    ...(rest.length === 0
      ? []
      : [`  … ${rest.length} more: ${rest.reduce((sum, { breaks, may }) => sum + breaks + may, 0)} blocks`]),
  ];
}

function blockLines(block: Affected, paint: Paint): string[] {
  const tier = paint(block.tier, block.tier === 'breaks' ? 'red' : 'yellow');
  const head = (line: number): string =>
    `  ${shownName(block.file)}:${line}: ${block.block}  ${tier}${block.confidence === 'possible' ? ' possibly' : ''}`;
  const [first] = block.sites;
  const others = new Set(block.sites.map((site) => site.startLine).filter((line) => line !== first?.startLine));
  const lines = [`${head(first?.startLine ?? block.startLine)} – ${factAndCause(block)}`];
  if (others.size > 0) lines.push(paint(`      also ${linesInWords([...others])}`, 'dim'));
  return lines;
}

function summary(report: ImpactReport): string {
  if (report.changes.length === 0 && report.unused !== undefined)
    return report.complete && report.undecided.length === 0 && report.unsearched === undefined
      ? `Nothing here uses what changed in ${report.base}.`
      : `Nothing here is known to use what changed in ${report.base}; not everything could be read, decided or ` +
          'looked into.';
  if (report.changes.length === 0)
    return report.complete && report.undecided.length > 0
      ? `No change since ${report.base} is known; ${counted(report.undecided.length, 'place')} undecided.`
      : report.complete
        ? `Nothing changed since ${report.base}.`
        : `No change since ${report.base} is known; not everything could be read.`;
  const breaks = report.affected.filter((block) => block.tier === 'breaks').length;
  const changes = counted(report.changes.length, 'change');
  const undecided = report.undecided.length === 0 ? '' : `; ${counted(report.undecided.length, 'place')} undecided`;
  const isFollowed =
    namesByOwn(report, 'header').length + namesByOwn(report, 'body').length + namesByBases(report).length === 0;
  const notListed = [
    ...(namesByValue(report).length === 0 ? [] : ['by a value']),
    ...(isRetold(report) ? ['by a type'] : []),
  ];
  const but = notListed.length === 0 ? '' : ` but ${notListed.join(' and ')}`;
  if (report.affected.length === 0)
    return (
      `${changes} since ${report.base}; ` +
      (undecided === '' && report.complete
        ? isFollowed
          ? `nothing else is affected${but}.`
          : 'nothing else is known to be affected.'
        : `no block is known to be affected${undecided}.`)
    );
  const possible = report.affected.filter((block) => block.confidence === 'possible').length;
  return (
    `${changes} since ${report.base}; ${counted(report.affected.length, 'block')} affected: ` +
    `${breaks} ${breaks === 1 ? 'breaks' : 'break'}, ${report.affected.length - breaks} may have to follow` +
    `${possible === 0 ? '' : ` (${possible} of all only possibly)`}${undecided}.`
  );
}

function byFile(blocks: readonly Affected[]): Map<string, Affected[]> {
  const files = new Map<string, Affected[]>();
  for (const block of blocks) {
    const list = files.get(block.file);
    if (list === undefined) files.set(block.file, [block]);
    else list.push(block);
  }
  return files;
}
