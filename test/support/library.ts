/**
 * Libraries and their users as texts: trees without a disk, and the change file between two versions.
 */
import { apiDocument, changeDocument } from '#src/engine/api-document.js';
import { WorkingTree } from '#src/engine/working-tree.js';
import { Snapshot } from '#src/graph/files/snapshot.js';
import { summarise } from '#src/languages/summarise.js';
import type { Summary } from '#src/syntax/summary.js';
import type { Grammars } from '#src/syntax/grammar.js';
import type { ApiDescriptor, ChangeFile } from '#protocol/api.js';

/** Texts by path; those of no language are manifests and settings. */
export type Files = Readonly<Record<string, string>>;

export function treeFrom(files: Files, grammars: Grammars): WorkingTree {
  const summaries = new Map<string, Summary>();
  const settings = new Map<string, string>();
  for (const [file, text] of Object.entries(files)) {
    const summary = summarise(grammars, file, text);
    if (summary === undefined) settings.set(file, text);
    else summaries.set(file, summary);
  }
  return new WorkingTree(Snapshot.empty().with(summaries, settings), (file) => files[file]);
}

export async function changeBetween(from: Files, to: Files, grammars: Grammars): Promise<ChangeFile> {
  const { signal } = new AbortController();
  const described = (files: Files): Promise<ApiDescriptor> =>
    apiDocument(treeFrom(files, grammars), (file) => files[file], [], grammars, signal);
  return changeDocument(await described(from), await described(to), grammars, signal);
}
