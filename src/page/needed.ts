/**
 * What an open place of a plan waits for, in words.
 */
import type { Open } from '#protocol/propagate.js';

/** What an open place waits for. */
export const neededOf = (needs: Open['needs'], value: string | undefined): string =>
  needs === 'value' && value !== undefined ? `needs a value for ${value}` : `needs a ${needs}`;
