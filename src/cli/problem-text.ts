/** What could not be read or analysed, one line each. */
import type { Problem } from '#protocol/words.js';
import { shownName } from '../base/shown.js';
import type { Paint } from './print.js';

export function problemLines(problems: readonly Problem[], paint: Paint): string[] {
  return problems.map(({ file, line, message }) => {
    const place =
      file === undefined ? '' : line === undefined ? `${shownName(file)}: ` : `${shownName(file)}:${line}: `;
    return `${paint('problem', 'yellow')}  ${place}${message}`;
  });
}
