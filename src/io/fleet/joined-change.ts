/**
 * The change file of a library that itself followed others: with their skeletons beside its own, so that who uses it
 * sees what its types derive from, and follows the others where it knows them from here alone.
 */
import type { ChangeFile } from '#protocol/api.js';
import { placesTogether } from '../../api/whereabouts.js';

type TwoTexts = ChangeFile['files'][number];

export function joinedChange(own: ChangeFile, followed: readonly ChangeFile[]): ChangeFile {
  const taken = new Map([...own.files, ...own.settings].map((entry) => [entry.file, JSON.stringify(entry)]));
  const files = [...own.files];
  const settings = [...own.settings];
  followed.forEach((library, i) => {
    const isClash = [...library.files, ...library.settings].some((entry) => {
      const there = taken.get(entry.file);
      return there !== undefined && there !== JSON.stringify(entry);
    });
    // All of it, so that its files stay where they are to each other.
    const folder = isClash ? `library-${i + 1}/` : '';
    const add = (to: TwoTexts[], entries: readonly TwoTexts[]): void => {
      for (const entry of entries) {
        const file = `${folder}${entry.file}`;
        if (taken.has(file)) continue;
        taken.set(file, JSON.stringify(entry));
        to.push({ ...entry, file });
      }
    };
    add(files, library.files);
    add(settings, library.settings);
  });
  const { places: _, ...rest } = own;
  const all = [own, ...followed].map(({ places }) => places);
  // One that does not say its places leaves them to be found in the skeletons.
  const places = all.some((each) => each === undefined) ? {} : { places: [...placesTogether(all)] };
  return { ...rest, ...places, files, settings };
}
