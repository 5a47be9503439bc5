/** The propagate document for people: the steps with their diffs, what is open, the oracle's verdict. */
import type { Open, PropagateReport, Step } from '#protocol/propagate.js';
import { factAndCause, factFirst } from '../base/block-reason.js';
import { howMade } from '../engine/how-made.js';
import { shownDiff, shownInLine, shownName, shownWord } from '../base/shown.js';
import { dependencyLines } from './dependency-text.js';
import { unlistedLines } from './impact-text.js';
import { mentionLines } from './mention-text.js';
import { problemLines } from './problem-text.js';
import { counted } from '../base/counted.js';
import type { Paint } from './print.js';
import { shownOf, stepsShownOf, tallyLines } from './tally-text.js';

/** Open places beside so many steps that not all are shown. */
const OPEN_OF_MANY = 10;

/** `limit`: how many steps, and how many open places, to show; undefined leaves it to their number. */
export function planLines(report: PropagateReport, paint: Paint, limit?: number): string[] {
  const lines: string[] = [];
  const { steps, open } = report;
  const isLong = [steps.length, open.length].some((count) => shownOf(count) < count);
  const mostSteps = limit ?? stepsShownOf(steps.length);
  const mostOpen = limit ?? (isLong ? Math.min(open.length, OPEN_OF_MANY) : open.length);
  for (const step of steps.slice(0, mostSteps)) lines.push(...stepLines(step, paint), '');
  const left = steps.slice(mostSteps);
  if (left.length > 0)
    lines.push(`… ${counted(left.length, 'more step')} (--limit shows more)`, '', ...stepSums(report, paint), '');
  const openShown = open.slice(0, mostOpen);
  for (const place of openShown) {
    const at = place.line === undefined ? shownName(place.file) : `${shownName(place.file)}:${place.line}`;
    lines.push(`${paint('open', 'yellow')}  ${at}: ${place.block} – ${factAndCause(place)} (${needed(place)})`);
  }
  if (openShown.length < open.length)
    lines.push(
      `… ${counted(open.length - openShown.length, 'more open place')} (--limit shows more)`,
      '',
      ...openSums(report, paint),
      '',
    );
  for (const place of report.undecided)
    lines.push(`${paint('undecided', 'yellow')}  ${shownName(place.file)}:${place.line}: ${place.reason}`);
  lines.push(
    ...unlistedLines(report, paint),
    ...mentionLines(report.mentions ?? [], paint),
    ...dependencyLines(
      report.dependencies?.filter(({ left }) => left === undefined),
      paint,
    ),
    ...relatedLines(report, paint),
    ...oracleLines(report, paint),
    ...problemLines(report.problems, paint),
    ...usageLines(report),
    ...summaryLines(report),
    ...(report.resume === undefined ? [] : [`It stopped before its end. Go on with: ${report.resume}`]),
  );
  return lines;
}

/** The sums alone: by rule and file, what is open by file; then what the check says, and all in one line. */
export function planStat(report: PropagateReport, paint: Paint): string[] {
  const lines = [...stepSums(report, paint), ...openSums(report, paint)];
  return [
    ...lines,
    ...(lines.length === 0 ? [] : ['']),
    ...unlistedLines(report, paint),
    ...oracleLines(report, paint),
    ...problemLines(report.problems, paint),
    ...usageLines(report),
    ...summaryLines(report),
  ];
}

const stepSums = ({ steps }: PropagateReport, paint: Paint): string[] =>
  tallies('step', { 'by rule': steps.map(howMade), 'by file': filesOf(steps) }, paint);

const openSums = ({ open }: PropagateReport, paint: Paint): string[] =>
  tallies(
    'place',
    { 'open by reason': open.map((one) => shownInLine(factFirst(one))), 'open by file': filesOf(open) },
    paint,
  );

const filesOf = (entries: readonly { readonly file: string }[]): string[] => entries.map(({ file }) => shownName(file));

/** By title, how often each name is there; nothing where there are none. */
const tallies = (what: string, byTitle: Readonly<Record<string, readonly string[]>>, paint: Paint): string[] =>
  Object.entries(byTitle).flatMap(([title, names]) =>
    names.length === 0 ? [] : tallyLines(title, what, names, paint),
  );

/** Names that could follow, each with the command that would do it. */
function relatedLines({ related = [] }: PropagateReport, paint: Paint): string[] {
  return related.map(({ file, block, name, to }) => {
    const what =
      block === undefined
        ? `rename-file ${shownWord(file)} ${shownWord(file.replace(/[^/]*$/u, (base) => base.replace(name, to)))}`
        : `rename ${shownWord(`${file}:${block}`)} ${shownWord(to)}`;
    return `${paint('related', 'cyan')}  ${shownName(file)}: ${shownName(block ?? name)} – codeplan refactor ${what}`;
  });
}

/** How to give what is missing: for all places that lack it, and for this one alone. */
function needed({ needs, confidence, value, key, choices = [], choicesHere = [], accept }: Open): string {
  if (accept !== undefined) return `give --accept ${accept} to have it done`;
  if (confidence === 'possible') return 'only possibly; look at it';
  if (needs !== 'value' || value === undefined) return `needs a ${needs}`;
  const here =
    key === undefined ? '' : `; for this place alone --value ${shownWord(`${key}=<expression>`)}${such(choicesHere)}`;
  return `give --value ${value}=<expression>${such(choices)}${here}`;
}

const such = (choices: readonly string[]): string => (choices.length === 0 ? '' : `, such as ${choices.join(' or ')}`);

function stepLines(step: Step, paint: Paint): string[] {
  const at = step.startLine === undefined ? shownName(step.file) : `${shownName(step.file)}:${step.startLine}`;
  const status = isLeft(step) ? 'left as it is' : step.status;
  const lines = [
    `${paint(`${step.id}.`, 'bold')} ${at}: ${step.block} – ${factAndCause(step)}  ` +
      paint(`${howMade(step)}, `, 'dim') +
      paint(status, statusStyle(step)),
  ];
  if (step.diff !== '') lines.push(...diffLines(step.diff, paint));
  return lines;
}

/** How many steps of a task had something newly written. */
export const newlyWritten = ({ task }: PropagateReport): number =>
  task?.work.filter(({ diff = '' }) => diff !== '').length ?? 0;

/** Whether the model's answer was that nothing has to change. */
export const isLeft = (step: Step): boolean =>
  step.diff === '' && (step.how === 'model' || step.how === 'replay') && step.status !== 'failed';

function statusStyle(step: Step): 'green' | 'red' | 'yellow' {
  if (step.status === 'applied' || step.status === 'verified' || step.status === 'accepted') return 'green';
  return step.status === 'failed' || step.status === 'rejected' ? 'red' : 'yellow';
}

export function diffLines(diff: string, paint: Paint): string[] {
  return shownDiff(diff).map((line) => {
    if (line.startsWith('+++') || line.startsWith('---')) return paint(line, 'bold');
    if (line.startsWith('+')) return paint(line, 'green');
    if (line.startsWith('-')) return paint(line, 'red');
    return line.startsWith('@@') ? paint(line, 'cyan') : line;
  });
}

function oracleLines(report: PropagateReport, paint: Paint): string[] {
  const { oracle } = report;
  if (oracle === null) return [];
  if (oracle.after === null)
    return [`${paint('oracle', 'yellow')}  ${oracle.name} could not run: ${oracle.message ?? 'no reason given'}`];
  const lines = oracle.new.map(
    (finding) =>
      `${paint(finding.severity, 'red')}  ${shownName(finding.file)}:${finding.line}:${finding.column + 1}: ` +
      finding.message,
  );
  const before = oracle.baseline === null ? 'unknown before' : `${oracle.baseline} before`;
  const verdict =
    `${oracle.name}: ${counted(oracle.new.length, 'new error')} (${before}, ${oracle.after} ` +
    `after)${oracle.message === undefined ? '' : `; ${oracle.message}`}`;
  return [...lines, paint(verdict, oracle.new.length === 0 ? 'green' : 'red')];
}

/**
 * What was asked of a model, and what it seemed to take before: also of a run whose limit let nothing be asked.
 * A replay takes nothing.
 */
function usageLines({ usage: { calls, promptTokens, completionTokens, cost, estimated } }: PropagateReport): string[] {
  if (promptTokens === 0 && (calls > 0 || estimated === undefined || estimated.calls === 0)) return [];
  const before =
    estimated === undefined
      ? ''
      : `; estimated before the first: ${counted(estimated.calls, 'question')}, about ` +
        `${estimated.promptTokens} tokens to send`;
  return [
    `model: ${counted(calls, 'question')}, ${promptTokens} tokens sent, ${completionTokens} ` +
      `received${cost === undefined ? '' : `, cost ${cost.toFixed(4)}`}${before}`,
  ];
}

function summaryLines(report: PropagateReport): string[] {
  const edits = report.steps.filter((step) => step.diff !== '').length;
  const ofTask = report.task?.work.filter(({ state }) => state === 'open').length ?? 0;
  const written = newlyWritten(report);
  if (report.steps.length + report.open.length + report.undecided.length + ofTask + written === 0)
    return [report.unsearched === undefined ? 'Nothing has to follow.' : 'Nothing is known to have to follow.'];
  const left = report.steps.filter((step) => isLeft(step) && step.tier === 'breaks').length;
  const possible = report.open.filter(({ confidence }) => confidence === 'possible').length;
  const open =
    (report.open.length > 0
      ? `${report.open.length} open${possible === 0 ? '' : ` (${possible} only possibly)`}`
      : report.undecided.length === 0 && report.unsearched === undefined && ofTask === 0
        ? 'nothing is open'
        : 'nothing else is known to be open') +
    (ofTask === 0 ? '' : `, ${counted(ofTask, 'step')} of the task open`) +
    (report.undecided.length === 0 ? '' : `, ${counted(report.undecided.length, 'place')} undecided`) +
    (left === 0
      ? ''
      : `; the model left ${counted(left, 'block')} as found that ${left === 1 ? 'does' : 'do'} not fit`);
  const made = [
    ...(edits > 0 || written === 0 ? [counted(edits, 'edit')] : []),
    ...(written > 0 ? [counted(written, 'new block')] : []),
  ].join(' and ');
  if (report.applied)
    return [`${made} applied, ${open}. Take it back with: ${report.undo ?? `codeplan undo ${report.run}`}`];
  return [`${made} proposed, ${open}. Nothing was written${edits + written > 0 ? '; add --apply to write' : ''}.`];
}
