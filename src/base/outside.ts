/**
 * Paths of what does not belong to the root: the files of a library that a change file brings along.
 *
 * They stand beside the root's own files in a snapshot, so that names lead into them, and nobody
 * plans or writes an edit there.
 */

/** A name that no folder has: `<` and `>` are refused by most file systems and used on none. */
const FOLDER = '<outside>/';

export const outsidePath = (path: string): string => `${FOLDER}${path}`;

export const isOutside = (path: string): boolean => path.startsWith(FOLDER);

/** The library's own path. */
export const withoutOutside = (path: string): string => path.replaceAll(FOLDER, '');

/** A sentence, with the library's files told as such. */
export const saidOfOutside = (sentence: string): string => sentence.replaceAll(FOLDER, 'the library’s ');
