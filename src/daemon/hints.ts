/**
 * Affected sites as diagnostics, and affected blocks as a key by which one can be dismissed.
 *
 * Never an error or a warning: people jump along those and let builds fail on them. `breaks` is
 * information, `may` a hint. The cause stands in the message as well, for clients that do not
 * show related information.
 */
import {
  DiagnosticSeverity,
  type Diagnostic,
  type DiagnosticRelatedInformation,
  type Range,
} from 'vscode-languageserver/node';
import { hashText } from '../base/hash.js';
import type { Affected, Change, ImpactReport, Site } from '#protocol/impact.js';
import { shownInLine, shownName, shownText } from '../base/shown.js';
import type { ClientFeatures } from './client-features.js';
import type { PathsAndUris } from './paths-and-uris.js';

const SOURCE = 'codeplan';

/** What a hint's `data` says, for the quick fixes on it. */
export interface HintData {
  readonly file: string;
  readonly block: string;
  readonly key: string;
}

/** The first `most` diagnostics of one file, in order of position: with more it would be all hints. */
export function hintsOf(
  file: string,
  report: ImpactReport,
  most: number,
  dismissed: ReadonlySet<string>,
  features: ClientFeatures,
  paths: PathsAndUris,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const block of report.affected) {
    if (block.file !== file || isDismissed(block, report, dismissed)) continue;
    const cause = changeOf(block, report);
    const sites =
      block.sites.length > 0
        ? block.sites.map((site) => ({ range: rangeOf(site), tier: site.tier }))
        : [{ range: headRange(block), tier: block.tier }];
    for (const { range, tier } of sites)
      found.push(hint(block, cause, dismissalKey(block, report), range, tier, features, paths));
  }
  found.sort((a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character);
  return found.slice(0, most);
}

/**
 * A dismissal holds for one block as it stands and one cause as it is: the block is named again
 * when something else affects it, when the change becomes another one, or when the block's lines
 * or the places in it do.
 */
export function dismissalKey(block: Affected, report: ImpactReport): string {
  const places = block.sites.map((site) => `${site.startLine - block.startLine}:${site.startColumn}-${site.endColumn}`);
  const detail = JSON.stringify(changeOf(block, report)?.detail ?? {});
  // A digest: clients carry it in JSON, and some cannot read every character there.
  return hashText(
    [
      block.file,
      block.block,
      block.endLine - block.startLine,
      ...places,
      block.cause.file,
      block.cause.block,
      block.cause.label,
      detail,
    ].join('\0'),
  );
}

/** Mostly nothing is dismissed, and then no block needs a key. */
export const isDismissed = (block: Affected, report: ImpactReport, dismissed: ReadonlySet<string>): boolean =>
  dismissed.size > 0 && dismissed.has(dismissalKey(block, report));

export function rangeOf(site: Site): Range {
  return {
    start: { line: site.startLine - 1, character: site.startColumn },
    end: { line: site.endLine - 1, character: site.endColumn },
  };
}

function hint(
  block: Affected,
  cause: Change | undefined,
  key: string,
  range: Range,
  tier: Site['tier'],
  features: ClientFeatures,
  paths: PathsAndUris,
): Diagnostic {
  const line = cause?.startLine;
  const where = line === undefined ? shownName(block.cause.file) : `${shownName(block.cause.file)}:${line}`;
  const related: DiagnosticRelatedInformation[] =
    line === undefined || !features.relatedInformation
      ? []
      : [
          {
            location: { uri: paths.uriOf(block.cause.file), range: lineRange(line) },
            message: shownInLine(`the change of ${block.cause.block}`),
          },
        ];
  const doubt = block.confidence === 'possible' ? ' (possibly)' : '';
  const data: HintData = { file: block.file, block: block.block, key };
  return {
    range,
    severity: tier === 'breaks' ? DiagnosticSeverity.Information : DiagnosticSeverity.Hint,
    source: SOURCE,
    code: `impact/${kebab(block.relation)}`,
    message: shownText(`${block.reason}${doubt} [${block.cause.block}, ${where}]`),
    data,
    ...(related.length === 0 ? {} : { relatedInformation: related }),
  };
}

function changeOf(block: Affected, report: ImpactReport): Change | undefined {
  return report.changes.find(
    (change) =>
      change.file === block.cause.file && change.block === block.cause.block && change.label === block.cause.label,
  );
}

const headRange = (block: Affected): Range => lineRange(block.startLine);
/** Clients cut a range at the end of its line. */
const lineRange = (line: number): Range => ({ start: { line: line - 1, character: 0 }, end: { line, character: 0 } });
const kebab = (relation: string): string => relation.replace(/(?<=.)[A-Z]/gu, (letter) => `-${letter}`).toLowerCase();
