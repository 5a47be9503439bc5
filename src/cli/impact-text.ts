/** The impact document for people: grouped by file, one line a place, the cause in words. */
import type { Affected, ImpactReport } from '#protocol/impact.js';
import { shownName } from '../base/shown.js';
import { dependencyLines } from './dependency-text.js';
import { mentionLines } from './mention-text.js';
import { problemLines } from './problem-text.js';
import { counted, type Paint } from './print.js';

export function impactLines(report: ImpactReport, paint: Paint): string[] {
  const lines: string[] = [];
  for (const change of report.changes)
    lines.push(
      `${paint('changed', 'cyan')}  ${shownName(change.file)}: ${change.block}  ${paint(change.label, 'dim')}`,
    );
  if (report.changes.length > 0) lines.push('');
  for (const [file, blocks] of byFile(report.affected)) {
    lines.push(paint(shownName(file), 'bold'));
    for (const block of blocks) lines.push(...blockLines(block, paint));
  }
  if (report.affected.length > 0) lines.push('');
  for (const place of report.undecided)
    lines.push(`${paint('undecided', 'yellow')}  ${shownName(place.file)}:${place.line}: ${place.reason}`);
  lines.push(...mentionLines(report.mentions ?? [], paint));
  lines.push(...dependencyLines(report.dependencies, paint));
  lines.push(...problemLines(report.problems, paint));
  lines.push(summary(report));
  if (!report.complete) lines.push(paint('What could not be read (above) may hold more.', 'yellow'));
  return lines;
}

function blockLines(block: Affected, paint: Paint): string[] {
  const tier = paint(block.tier, block.tier === 'breaks' ? 'red' : 'yellow');
  const head = (line: number): string =>
    `  ${shownName(block.file)}:${line}: ${block.block}  ${block.relation} ${tier} ${block.confidence}`;
  const [first] = block.sites;
  const others = new Set(block.sites.map((site) => site.startLine).filter((line) => line !== first?.startLine));
  const lines = [`${head(first?.startLine ?? block.startLine)} – ${block.reason}`];
  if (others.size > 0) lines.push(paint(`      also line ${[...others].join(', ')}`, 'dim'));
  return lines;
}

function summary(report: ImpactReport): string {
  if (report.changes.length === 0 && report.unused !== undefined)
    return report.complete && report.undecided.length === 0
      ? `Nothing here uses what changed in ${report.base}.`
      : `Nothing here is known to use what changed in ${report.base}; not everything could be read or decided.`;
  if (report.changes.length === 0)
    return report.complete
      ? `Nothing changed since ${report.base}.`
      : `No change since ${report.base} is known; not everything could be read.`;
  const breaks = report.affected.filter((block) => block.tier === 'breaks').length;
  const changes = counted(report.changes.length, 'change');
  const undecided = report.undecided.length === 0 ? '' : `; ${counted(report.undecided.length, 'place')} undecided`;
  if (report.affected.length === 0)
    return `${changes} since ${report.base}; ${undecided === '' && report.complete ? 'nothing else is affected' : `no block is known to be affected${undecided}`}.`;
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
