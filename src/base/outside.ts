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

/** The path in the library; that of the root's own files is given back as it is. */
export const withoutOutside = (path: string): string => (isOutside(path) ? path.slice(FOLDER.length) : path);
