/**
 * What an edit affects in the files that a person looks at, before all of it is known.
 *
 * Hints stand in open files alone, and what is affected there costs the same whether ten or ten thousand places
 * elsewhere are affected too. So where a changed name is said in many files, or syntax runs what changed without saying
 * its name, these few are answered first. Elsewhere all is known as soon, and counts do not change before one's eyes.
 */
import type { Turns } from '../base/turns.js';
import type { Edit } from '../change/edit.js';
import { isCalledBySyntax } from '../graph/refer/special-sites.js';
import { impactInFiles, type Impact } from '../impact/impact.js';
import { questionAbout } from '../impact/question.js';
import type { TreePair } from './trees.js';

/**
 * Files that say a name: in so many all is found nearly as soon as a part of it. A file that was not asked about before
 * costs 1 to 3 ms of processor, so that with 50 the first edit of a function took 61 ms at the 95th percentile on
 * typeorm and 92 on Django, and with 10 it takes 30 and 53 (docs/performance.md).
 */
const FILES_FEW = 10;

/** Whether to look into all that may mean what was changed takes long: many files say it, or syntax runs it. */
export const reachesFar = ({ changes }: Edit, { before, after }: TreePair): boolean =>
  changes.some(({ before: was, after: now }) =>
    [
      { ref: was, tree: before },
      { ref: now, tree: after },
    ].some(({ ref, tree: { snapshot, resolver } }) => {
      const summary = ref === undefined || ref.decl < 0 ? undefined : snapshot.summary(ref.file);
      if (ref === undefined || summary === undefined) return false;
      const says = snapshot.filesMentioning(summary.decls.nameOf(ref.decl));
      return says.length > FILES_FEW || isCalledBySyntax(resolver, ref);
    }),
  );

/** What says a changed name in one of `files`. */
export function* impactNear({
  trees: { before, after },
  edit,
  files,
}: {
  readonly trees: TreePair;
  readonly edit: Edit;
  readonly files: ReadonlySet<string>;
}): Turns<Impact> {
  const question = questionAbout({ before: before.resolver, after: after.resolver }, edit);
  return { affected: yield* impactInFiles({ ...question, files }), undecided: [], unlisted: {} };
}
