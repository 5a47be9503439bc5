/**
 * An impact as a comment on a pull request: the sum, what changed, then the files with what breaks first. At most a
 * screen stands open, the rest is folded, and what is left out is counted.
 *
 * Names and texts of the repository stand in code spans, where Markdown and HTML mean nothing.
 */
import type { Affected, ImpactReport } from '#protocol/impact.js';
import { shownInLine } from '../base/shown.js';
import { unlistedWords } from '../impact/unlisted.js';
import { counted } from '../base/counted.js';
import { lineOf, ranked, sumsOf, tallyWords, type Tally } from './ranked.js';

/**
 * What a comment shows of each before it says how many more there are: a reviewer reads a screen, and a service refuses
 * comments of more than 65,536 characters.
 */
const CHANGES_MOST = 10;
const FILES_MOST = 15;
const PLACES_MOST = 5;
const UNDECIDED_MOST = 10;
/** What stays open; the rest of the places is folded. */
const OPEN_FILES = 6;

export function impactMarkdown(report: ImpactReport): string {
  const lines = [`### codeplan: ${headline(report)}`];
  if (report.affected.length > 0) lines.push('', ...changeLines(report), '', ...fileLines(report));
  lines.push(...foldedPlaces(report));
  for (const { words } of unlistedWords(report)) lines.push('', code(words));
  if (!report.complete)
    lines.push(
      '',
      '**Not everything could be read**, so there may be more:',
      ...report.problems.map(({ file, message }) => `- ${file === undefined ? '' : `${code(file)}: `}${code(message)}`),
    );
  return `${lines.join('\n')}\n`;
}

function headline(report: ImpactReport): string {
  const { affected, changes, undecided, base } = report;
  const since = `since ${code(base)}`;
  if (changes.length === 0)
    return report.complete ? `nothing changed ${since}` : `no change ${since} is known; not everything could be read`;
  const { all, possible, files } = sumsOf(report);
  const rest = undecided.length === 0 ? '' : `; ${counted(undecided.length, 'place')} undecided`;
  if (affected.length === 0)
    return report.complete && rest === '' && report.unsearched === undefined
      ? `nothing outside of these changes is affected`
      : `nothing outside of these changes is known to be affected${rest}`;
  return (
    `outside of these changes ${tallyWords(all)}, in ${counted(files.length, 'file')}` +
    (possible === 0 ? '' : ` (${possible} of all only possibly)`) +
    rest
  );
}

function changeLines(report: ImpactReport): string[] {
  const { changes } = sumsOf(report);
  const rest = changes.slice(CHANGES_MOST);
  return [
    '| what changed | breaks | may have to follow |',
    '| --- | ---: | ---: |',
    ...changes.slice(0, CHANGES_MOST).map(row),
    ...(rest.length === 0
      ? []
      : [`| … ${counted(rest.length, 'more change')} | ${sum(rest, 'breaks')} | ${sum(rest, 'may')} |`]),
  ];
}

const row = ({ name, breaks, may }: Tally): string => `| ${code(name)} | ${breaks || ''} | ${may || ''} |`;
const sum = (tallies: readonly Tally[], tier: 'breaks' | 'may'): number =>
  tallies.reduce((total, tally) => total + tally[tier], 0);

function fileLines(report: ImpactReport): string[] {
  const byFile = grouped(report.affected);
  const files = sumsOf(report).files;
  const said = (shown: readonly Tally[]): string[] =>
    shown.flatMap((tally) => [
      `- ${code(tally.name)}: ${tallyWords(tally)}`,
      ...placeLines(ranked(byFile.get(tally.name) ?? [])),
    ]);
  const folded = files.slice(OPEN_FILES, FILES_MOST);
  const rest = files.slice(FILES_MOST);
  return [
    ...said(files.slice(0, OPEN_FILES)),
    ...(folded.length === 0
      ? []
      : [
          '',
          `<details><summary>${counted(folded.length, 'more file')}</summary>`,
          '',
          ...said(folded),
          '',
          '</details>',
        ]),
    ...(rest.length === 0
      ? []
      : [
          '',
          `… and ${counted(rest.length, 'more file')}: ` +
            tallyWords({ name: '', breaks: sum(rest, 'breaks'), may: sum(rest, 'may') }),
        ]),
  ];
}

function placeLines(blocks: readonly Affected[]): string[] {
  const rest = blocks.length - PLACES_MOST;
  return [
    ...blocks
      .slice(0, PLACES_MOST)
      .map(
        (block) =>
          `  - line ${lineOf(block)}, ${code(block.block)}: ${code(block.fact)}` +
          (block.tier === 'may' ? ' (may)' : '') +
          (block.confidence === 'possible' ? ' (only possibly)' : ''),
      ),
    ...(rest > 0 ? [`  - … ${rest} more`] : []),
  ];
}

function foldedPlaces({ undecided }: ImpactReport): string[] {
  if (undecided.length === 0) return [];
  const rest = undecided.length - UNDECIDED_MOST;
  return [
    '',
    `<details><summary>${counted(undecided.length, 'place')} undecided</summary>`,
    '',
    ...undecided
      .slice(0, UNDECIDED_MOST)
      .map(({ file, line, reason }) => `- ${code(`${file}:${line}`)}: ${code(reason)}`),
    ...(rest > 0 ? [`- … ${rest} more`] : []),
    '',
    '</details>',
  ];
}

function grouped(affected: readonly Affected[]): Map<string, Affected[]> {
  const files = new Map<string, Affected[]>();
  for (const block of affected) {
    const known = files.get(block.file);
    if (known === undefined) files.set(block.file, [block]);
    else known.push(block);
  }
  return files;
}

/** A code span around any text, with more backticks than stand in it. In a table a bar ends a cell even there. */
function code(text: string): string {
  const plain = shownInLine(text).replaceAll('|', '\u2758').trim();
  const longest = Math.max(0, ...[...plain.matchAll(/`+/gu)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = plain.startsWith('`') || plain.endsWith('`') || plain === '' ? ' ' : '';
  return `${fence}${space}${plain}${space}${fence}`;
}
