/** What plans for one repository come to: whether all follows by itself, and if not, who has to help. */
import { counted } from '../../base/counted.js';
import type { ChangeFile } from '#protocol/api.js';
import type { FleetStep } from '#protocol/fleet.js';
import type { Open, PropagateReport, Step } from '#protocol/propagate.js';
import type { OutcomeOf } from '../../fleet/event.js';
import { unsearchedWords } from '../../impact/unsearched.js';

type Verdict = Pick<
  OutcomeOf<'plan'>,
  'verdict' | 'reason' | 'edits' | 'steps' | 'open' | 'notes' | 'undecided' | 'oracle'
>;

/**
 * A campaign keeps the plans of all its repositories: of each what one page shows of it, in steps and in characters of
 * their diffs.
 */
const STEPS_MOST = 40;
const DIFFS_LENGTH_MOST = 16_000;

/**
 * One report for each change file that was followed, in the same order. `isEdited`: whether any file is another one.
 */
export function planVerdict(
  reports: readonly PropagateReport[],
  changes: readonly ChangeFile[],
  isEdited: boolean,
): Verdict {
  const open = eachOnce(reports.flatMap((report) => report.open.filter((place) => !isNote(report, place))));
  const notes = reports.flatMap((report) =>
    report.open.filter((place) => isNote(report, place)).map(({ reason }) => reason),
  );
  const undecided = reports.reduce((sum, report) => sum + report.undecided.length, 0);
  const oracle = reports.map((report) => report.oracle).findLast((verdict) => verdict !== null) ?? null;
  const edited = reports.flatMap(({ steps }) => steps.filter(({ diff }) => diff !== ''));
  const edits = edited.length;
  const problem = reports.flatMap((report, i) => problemsHere(report, changes[i]))[0];
  const said = (verdict: Verdict['verdict'], reason: string): Verdict => ({
    verdict,
    reason: undecided === 0 ? reason : `${reason}; ${counted(undecided, 'place')} undecided`,
    edits,
    steps: toldSteps(edited),
    open,
    notes: [...new Set(notes)],
    undecided,
    oracle,
  });
  if (problem !== undefined) return said('needs-person', problem);
  if (oracle?.after === null) return said('needs-person', `the check could not run: ${oracle.message ?? oracle.name}`);
  const fresh = oracle?.new.length ?? 0;
  if (fresh > 0) return said('needs-person', `${oracle?.name ?? 'the check'} finds ${counted(fresh, 'new error')}`);
  const values = open.filter(({ needs }) => needs === 'value');
  if (open.length > values.length)
    return said(
      'needs-person',
      `${counted(open.length, 'place')} open: ${open.find(({ needs }) => needs !== 'value')?.reason ?? ''}`,
    );
  if (values.length > 0)
    return said('needs-value', `${counted(values.length, 'place')} need a value: ${namesOf(values)}`);
  if (reports.some(({ steps }) => steps.some(({ status }) => status === 'failed')))
    return said('needs-person', 'an edit could not be had');
  if (isEdited) return said('planned', counted(edits, 'edit'));
  const left = reports.flatMap(({ unsearched }) => (unsearched === undefined ? [] : [unsearchedWords(unsearched)]));
  return said(
    'not-affected',
    left.length === 0
      ? 'nothing in it uses what changed'
      : ['nothing in it is known to use what changed', ...left].join('; '),
  );
}

function toldSteps(edited: readonly Step[]): FleetStep[] {
  let length = 0;
  return edited.slice(0, STEPS_MOST).map(({ file, block, startLine, reason, diff }) => {
    length += diff.length;
    const told = { file, block, reason, diff: length <= DIFFS_LENGTH_MOST ? diff : '' };
    return startLine === undefined ? told : { ...told, line: startLine };
  });
}

/** A lock file, or a version that a person has to see to, does not hold up what follows in the code. */
const isNote = ({ dependencies = [] }: PropagateReport, { file, reason }: Open): boolean =>
  dependencies.some((each) => each.file === file && each.left === reason && each.kind === 'locked');

/** What of the repository could not be read; the library's own are told where its change file was made. */
function problemsHere({ problems, complete }: PropagateReport, change: ChangeFile | undefined): string[] {
  if (complete) return [];
  const theirs = new Set(change?.problems.map((problem) => JSON.stringify(problem)));
  return problems
    .filter((problem) => !theirs.has(JSON.stringify(problem)))
    .map(({ file, message }) => (file === undefined ? message : `${file}: ${message}`));
}

/** A place may follow from a library, and from another one that hands it on. */
const eachOnce = (open: readonly Open[]): Open[] => [
  ...new Map(open.map((place) => [JSON.stringify(place), place])).values(),
];

const namesOf = (open: readonly Open[]): string => [...new Set(open.map(({ value }) => value ?? 'one'))].join(', ');
