/**
 * Grounding as a tool: the symbols that could implement what a sentence says.
 */
import * as z from 'zod';
import { shownInLine, shownName } from '../base/shown.js';
import { ground, saysKnownWord } from '../retrieve/ground.js';
import { symbolEntry } from './symbol.js';
import { fitted, onlySpelt, tool } from './tool.js';

/** A person or a model chooses among so many at a glance. */
export const SYMBOLS_UNLESS_SAID = 5;

export const groundTool = tool({
  name: 'ground',
  description: 'The functions, methods and classes that could implement what a sentence says.',
  params: z.strictObject({
    intent: z.string().min(1).describe('One step, in words.'),
    k: z.int().min(1).max(50).optional().describe(`How many; ${SYMBOLS_UNLESS_SAID} when not given.`),
  }),
  searches: true,
  call: (repository, { intent, k = SYMBOLS_UNLESS_SAID }) => {
    const items = ground(repository.index, repository.snapshot, intent, k).map((found) =>
      symbolEntry(repository, found),
    );
    const lines = items.map(
      ({ file, line, block, signature }) => `${shownName(file)}:${line} ${shownName(block)}: ${shownInLine(signature)}`,
    );
    return {
      items,
      text:
        items.length === 0
          ? 'No block of the repository shares a word with the intent.'
          : fitted(
              saysKnownWord(repository.index, intent) ? lines : [onlySpelt('the intent'), ...lines],
              'ask for fewer',
            ),
      truncated: false,
      total: items.length,
    };
  },
});
