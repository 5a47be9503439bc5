/** Mentions for people: a line a place, and a sum where there are many. */
import type { MentionEntry } from '#protocol/mentions.js';
import { shownInLine, shownName } from '../base/shown.js';
import { counted } from '../base/counted.js';
import type { Paint } from './print.js';

/** More than these are counted by file: a name may stand in every page of a manual. */
const LINES_MOST = 20;

export function mentionLines(mentions: readonly MentionEntry[], paint: Paint): string[] {
  const lines = mentions
    .slice(0, LINES_MOST)
    .map(
      ({ file, line, kind, name, text }) =>
        `${paint('mention', 'dim')}  ${shownName(file)}:${line}: ${name}, in ${WHERE[kind]}: ` +
        paint(shownInLine(text), 'dim'),
    );
  const rest = mentions.slice(LINES_MOST);
  return rest.length === 0
    ? lines
    : [
        ...lines,
        `  and ${counted(rest.length, 'further mention')} in ` +
          `${counted(new Set(rest.map(({ file }) => file)).size, 'file')} (--json has them all)`,
      ];
}

const WHERE: Readonly<Record<MentionEntry['kind'], string>> = {
  docs: 'a document',
  comments: 'a comment or string',
  config: 'a file of another kind',
};
