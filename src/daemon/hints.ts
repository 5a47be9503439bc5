/**
 * What is left in one file as diagnostics: the fact first, then what changed and where.
 *
 * Never an error or a warning: people jump along those and let builds fail on them. `breaks` is
 * information, `may` a hint, and so is what was left out before. The cause stands in the message as well, for clients
 * that do not show related information.
 */
import {
  DiagnosticSeverity,
  type Diagnostic,
  type DiagnosticRelatedInformation,
  type Range,
} from 'vscode-languageserver/node';
import type { Change, Site } from '#protocol/impact.js';
import type { LeftEntry, LeftReport } from '#protocol/left.js';
import { shownInLine, shownName, shownText } from '../base/shown.js';
import type { ClientFeatures } from './client-features.js';
import type { PathsAndUris } from './paths-and-uris.js';

const SOURCE = 'codeplan';

/** What a hint's `data` says, for the quick fixes on it. */
export interface HintData {
  readonly file: string;
  readonly block: string;
  readonly id: string;
}

/** The first `most` diagnostics of one file, in order of position: with more it would be all hints. */
export function hintsOf(
  file: string,
  report: LeftReport,
  most: number,
  features: ClientFeatures,
  paths: PathsAndUris,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const entry of report.entries) {
    if (entry.file !== file || entry.state === 'dismissed') continue;
    const cause = changeOf(entry, report);
    const sites =
      entry.sites.length > 0
        ? entry.sites.map((site) => ({ range: rangeOf(site), tier: site.tier, fact: site.fact }))
        : [{ range: lineRange(entry.startLine), tier: entry.tier, fact: entry.fact }];
    for (const site of sites) found.push(hint(entry, site, cause, features, paths));
  }
  found.sort((a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character);
  return found.slice(0, most);
}

export function rangeOf(site: Pick<Site, 'startLine' | 'startColumn' | 'endLine' | 'endColumn'>): Range {
  return {
    start: { line: site.startLine - 1, character: site.startColumn },
    end: { line: site.endLine - 1, character: site.endColumn },
  };
}

function hint(
  entry: LeftEntry,
  { range, tier, fact }: { readonly range: Range } & Pick<Site, 'tier' | 'fact'>,
  cause: Change | undefined,
  features: ClientFeatures,
  paths: PathsAndUris,
): Diagnostic {
  const line = cause?.startLine;
  const where = line === undefined ? shownName(entry.cause.file) : `${shownName(entry.cause.file)}:${line}`;
  const related: DiagnosticRelatedInformation[] =
    line === undefined || !features.relatedInformation
      ? []
      : [
          {
            location: { uri: paths.uriOf(entry.cause.file), range: lineRange(line) },
            message: shownInLine(`the change of ${entry.cause.block}`),
          },
        ];
  const doubt = entry.confidence === 'possible' ? ' (possibly)' : '';
  const data: HintData = { file: entry.file, block: entry.block, id: entry.id };
  return {
    range,
    severity:
      tier === 'breaks' && entry.state !== 'rejected' ? DiagnosticSeverity.Information : DiagnosticSeverity.Hint,
    source: SOURCE,
    code: `impact/${kebab(entry.relation)}`,
    message: shownText(`${fact}${doubt} [${entry.cause.block}, ${where}]`),
    data,
    ...(related.length === 0 ? {} : { relatedInformation: related }),
  };
}

function changeOf({ cause }: LeftEntry, report: LeftReport): Change | undefined {
  return report.changes.find(
    (change) => change.file === cause.file && change.block === cause.block && change.label === cause.label,
  );
}

/** Clients cut a range at the end of its line. */
const lineRange = (line: number): Range => ({ start: { line: line - 1, character: 0 }, end: { line, character: 0 } });
const kebab = (relation: string): string => relation.replace(/(?<=.)[A-Z]/gu, (letter) => `-${letter}`).toLowerCase();
