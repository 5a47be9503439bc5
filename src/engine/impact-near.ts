/**
 * What an edit affects in the files that a person looks at, before all of it is known.
 *
 * Hints stand in open files alone, and what is affected there costs the same whether ten or ten thousand places
 * elsewhere are affected too. So these few are answered first wherever something else may be affected as well: how long
 * the rest takes, the number of files that say a name does not tell. A member of a class in the middle of a program,
 * run by syntax, or a function that is handed about as a value took seconds with its name in three files.
 */
import type { Turns } from '../base/turns.js';
import type { Edit } from '../change/edit.js';
import { isCalledBySyntax } from '../graph/refer/references.js';
import { impactInFiles, type Impact } from '../impact/impact.js';
import { questionAbout } from '../impact/question.js';
import type { TreePair } from './trees.js';

/** Whether what the edit changed may be meant outside of these files, or without a name. */
export const mayReachBeyond = ({ changes }: Edit, { before, after }: TreePair, files: ReadonlySet<string>): boolean =>
  changes.some(({ before: was, after: now }) =>
    [
      { ref: was, tree: before },
      { ref: now, tree: after },
    ].some(({ ref, tree: { snapshot, resolver } }) => {
      const summary = ref === undefined || ref.decl < 0 ? undefined : snapshot.summary(ref.file);
      if (ref === undefined || summary === undefined) return false;
      const says = snapshot.filesMentioning(summary.decls.nameOf(ref.decl));
      return says.some((file) => !files.has(file)) || isCalledBySyntax(resolver, ref);
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
