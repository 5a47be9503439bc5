/**
 * An impact as SARIF 2.1.0, for code scanning: a result for each affected block, a rule for each rule of ours that led
 * there. What could not be decided is a result of the kind `open`; what could not be read, a notification.
 *
 * https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
import type { Affected, ImpactReport } from '#protocol/impact.js';
import { factAndCause } from '../base/block-reason.js';
import { hashText } from '../base/hash.js';
import { unlistedWords } from '../impact/unlisted.js';
import { ranked } from './ranked.js';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';
const UNDECIDED = 'undecided';
/** As readers of SARIF expect it to be called. */
const ROOT = '%SRCROOT%';

export function impactSarif(report: ImpactReport, version: string): object {
  const rules = [...new Set([...report.affected.map(({ rule }) => rule), UNDECIDED])].sort();
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'codeplan',
            version,
            rules: rules.map((id) => ({ id, shortDescription: { text: descriptionOf(id) } })),
          },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { [ROOT]: { description: { text: 'The root of the repository.' } } },
        invocations: [
          {
            executionSuccessful: report.complete,
            toolExecutionNotifications: [
              ...report.problems.map(({ file, message }) => ({
                level: 'warning',
                message: { text: message },
                ...(file === undefined ? {} : { locations: [locationOf(file)] }),
              })),
              ...unlistedWords(report).map(({ head, words }) => ({
                level: 'note',
                message: { text: `${head}: ${words}` },
              })),
            ],
          },
        ],
        results: [
          ...ranked(report.affected).map((block) => resultOf(block, rules, report)),
          ...report.undecided.map(({ file, line, reason }) => ({
            ruleId: UNDECIDED,
            ruleIndex: rules.indexOf(UNDECIDED),
            kind: 'open',
            level: 'none',
            message: { text: reason },
            locations: [locationOf(file, { startLine: line })],
          })),
        ],
      },
    ],
  };
}

const descriptionOf = (rule: string): string =>
  rule === UNDECIDED ? 'A place where a reference may hide from analysis.' : `Affected by the rule ${rule}.`;

function resultOf(block: Affected, rules: readonly string[], { changes }: ImpactReport): object {
  const { file, rule, tier, confidence, relation, depth, cause, sites, fact } = block;
  const regions = sites.length === 0 ? [{ startLine: block.startLine, endLine: block.endLine }] : sites.map(regionOf);
  const changed = changes.find((change) => change.file === cause.file && change.block === cause.block);
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: tier === 'may' ? 'note' : confidence === 'certain' ? 'error' : 'warning',
    message: { text: `${block.block}: ${factAndCause(block)}` },
    locations: regions.map((region) => ({
      ...locationOf(file, region),
      logicalLocations: [{ fullyQualifiedName: block.block, kind: block.kind }],
    })),
    relatedLocations: [
      {
        id: 1,
        ...locationOf(cause.file, changed?.startLine === undefined ? undefined : { startLine: changed.startLine }),
        message: { text: `changed: ${cause.block} (${cause.label})` },
      },
    ],
    // The same block affected in the same way by the same change, wherever it stands in its file by then.
    partialFingerprints: { 'codeplan/v1': hashText([file, block.block, rule, cause.file, cause.block].join('\n')) },
    properties: { tier, confidence, relation, depth, fact },
  };
}

/** Columns count from 1 there. */
const regionOf = ({ startLine, startColumn, endLine, endColumn }: Affected['sites'][number]): object => ({
  startLine,
  startColumn: startColumn + 1,
  endLine,
  endColumn: endColumn + 1,
});

function locationOf(file: string, region?: object): { readonly physicalLocation: object } {
  const uri = file.split('/').map(encodeURIComponent).join('/');
  return {
    physicalLocation: { artifactLocation: { uri, uriBaseId: ROOT }, ...(region === undefined ? {} : { region }) },
  };
}
