/** What a proposal says of itself, in Markdown. */
import { counted } from '../../base/counted.js';
import { shownInLine } from '../../base/shown.js';
import type { OutcomeOf } from '../../fleet/event.js';

/** What a reviewer skims; the proposal's own list of files has all. */
const LISTED_MOST = 50;

export function proposalText(title: string, { files, edits, oracle, notes, undecided }: OutcomeOf<'plan'>): string {
  const listed = files.slice(0, LISTED_MOST).map((file) => `- \`${shownInLine(file).replaceAll('`', "'")}\``);
  const more = files.length > LISTED_MOST ? [`- and ${files.length - LISTED_MOST} more`] : [];
  const check =
    oracle === null
      ? 'No check was run.'
      : `${oracle.name}: ${counted(oracle.new.length, 'new error')} (${oracle.baseline ?? 'unknown'} before, ` +
        `${oracle.after ?? 'unknown'} after).`;
  return [
    title,
    '',
    `${counted(edits, 'edit')} in ${counted(files.length, 'file')}, all by rules or by what is said in the campaign.`,
    '',
    ...listed,
    ...more,
    '',
    check,
    ...(undecided === 0 ? [] : ['', `${counted(undecided, 'place')} could not be decided.`]),
    ...(notes.length === 0 ? [] : ['', 'Left to do:', '', ...notes.map((note) => `- ${shownInLine(note)}`)]),
    '',
  ].join('\n');
}
