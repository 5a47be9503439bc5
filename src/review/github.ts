/**
 * An impact as workflow commands of GitHub: annotations at the places, what breaks first, since only the first few of a
 * step are shown; and a last line with the sum. Texts are escaped as the runner wants it, so none is a command.
 */
import type { Affected, ImpactReport } from '#protocol/impact.js';
import { reasonBeside } from '../base/block-reason.js';
import { shownInLine } from '../base/shown.js';
import { unlistedWords } from '../impact/unlisted.js';
import { counted } from '../base/counted.js';
import { ranked, sumsOf, tallyWords } from './ranked.js';

export function impactAnnotations(report: ImpactReport): string {
  const { all, files } = sumsOf(report);
  const sum =
    report.affected.length === 0
      ? 'nothing else is known to be affected'
      : `${tallyWords(all)}, in ${counted(files.length, 'file')}`;
  const undecided = report.undecided.length === 0 ? '' : `; ${counted(report.undecided.length, 'place')} undecided`;
  const lines = [
    ...report.problems.map(({ file, message }) => command('warning', file === undefined ? {} : { file }, message)),
    ...ranked(report.affected).map(annotation),
    ...report.undecided.map(({ file, line, reason }) =>
      command('notice', { file, line, title: 'codeplan: undecided' }, reason),
    ),
    ...unlistedWords(report).map(({ head, words }) => command('notice', { title: `codeplan: ${head}` }, words)),
    `codeplan: ${sum}${undecided}`,
  ];
  return `${lines.join('\n')}\n`;
}

function annotation(block: Affected): string {
  const { file, tier, confidence, fact, sites, startLine } = block;
  const [site] = sites;
  const place =
    site === undefined
      ? { line: startLine }
      : { line: site.startLine, endLine: site.endLine, col: site.startColumn + 1, endColumn: site.endColumn + 1 };
  const kind = tier === 'may' ? 'notice' : confidence === 'certain' ? 'error' : 'warning';
  return command(kind, { file, ...place, title: `codeplan: ${fact}` }, `${block.block}: ${reasonBeside(block)}`);
}

function command(kind: string, properties: Readonly<Record<string, string | number>>, message: string): string {
  const given = Object.entries(properties).map(([name, value]) => `${name}=${escapedProperty(String(value))}`);
  return `::${kind} ${given.join(',')}::${escaped(message)}`;
}

const escaped = (text: string): string => shownInLine(text).replaceAll('%', '%25');
const escapedProperty = (text: string): string => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
