/**
 * A process that applies edits of every kind to a folder, or takes them back:
 * `node write-process.js apply|undo <state folder> <root>`.
 */
import { Journal } from '#src/io/journal/journal.js';
import type { FileEdit } from '#src/engine/file-edit.js';

const COUNT = 4;

/** What the edits are made in. */
export const SOURCES: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: COUNT }, (_, i): readonly (readonly [string, string])[] => [
    [`changed${i}.py`, `before ${i}\n`],
    [`deleted${i}.py`, `gone ${i}\n`],
    [`old/moved${i}.py`, `moved ${i}\n`],
  ]).flat(),
);

const EDITS: readonly FileEdit[] = Array.from({ length: COUNT }, (_, i): readonly FileEdit[] => [
  { kind: 'change', file: `changed${i}.py`, before: `before ${i}\n`, after: `after ${i}\n` },
  { kind: 'delete', file: `deleted${i}.py`, before: `gone ${i}\n` },
  { kind: 'rename', file: `old/moved${i}.py`, to: `new/moved${i}.py`, before: `moved ${i}\n`, after: `after ${i}\n` },
  { kind: 'create', file: `new/made${i}.py`, after: `made ${i}\n` },
]).flat();

const [, , what, state, root] = process.argv;
if (state !== undefined && root !== undefined) {
  const journal = new Journal(state, root);
  if (what === 'apply') journal.apply('run', '', EDITS);
  else journal.undo('run');
}
