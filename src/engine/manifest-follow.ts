/**
 * How a root's manifests follow a change of a library: as entries of documents, and as steps of a run.
 *
 * A version in a manifest is edited in place, so that everything around it stays as it was written. Lock files are
 * their package manager's: they are named as open until it was run.
 */
import type { ChangeFile, DependencyEntry } from '#protocol/api.js';
import type { PropagateReport } from '#protocol/propagate.js';
import { manifestEdits, usesOf, type Use } from '../api/dependence.js';
import { applyEdits } from '../base/text-edit.js';
import { MODULE } from './block-names.js';
import type { FileEdit } from './file-edit.js';
import type { Run } from './propagation.js';
import { diffOf } from './step-diff.js';

export type ManifestTexts = ReadonlyMap<string, string>;

export function dependencyEntry({ dependency, package: { name }, standing, reason, now, left }: Use): DependencyEntry {
  return {
    ecosystem: dependency.ecosystem,
    package: name,
    file: dependency.file,
    kind: dependency.kind,
    ...(dependency.range === undefined ? {} : { range: dependency.range }),
    standing,
    reason,
    ...(now === undefined ? {} : { now }),
    ...(left === undefined ? {} : { left }),
  };
}

/** The run with one more step and edit for each manifest that has to say another version, and what is left of them. */
export function withManifests(run: Run, texts: ManifestTexts, packages: ChangeFile['packages']): Run {
  const uses = usesOf(texts, packages);
  const last = Math.max(0, ...run.report.steps.map(({ id }) => id));
  const follows = [...manifestEdits(uses)].map(([file, edits], i) => {
    const text = texts.get(file) ?? '';
    const edit: FileEdit = { kind: 'change', file, before: text, after: applyEdits(text, edits) };
    const because = uses.filter(({ now, dependency }) => now !== undefined && dependency.place?.file === file);
    const first = Math.min(...edits.map(({ start }) => start));
    return { edit, step: stepOf(last + 1 + i, edit, because, text.slice(0, first).split('\n').length) };
  });
  const ids = new Map(follows.map(({ step, edit }) => [step.id, edit]));
  const open = uses.flatMap(({ dependency, left }): PropagateReport['open'] =>
    left === undefined ? [] : [{ file: dependency.file, block: MODULE, reason: left, needs: 'person' }],
  );
  return {
    ...run,
    edits: [...run.edits, ...ids.values()],
    report: {
      ...run.report,
      steps: [...run.report.steps, ...follows.map(({ step }) => step)],
      open: [...run.report.open, ...open],
      dependencies: uses.map(dependencyEntry),
    },
    partOf: (chosen, without) => {
      const part = run.partOf(new Set([...chosen].filter((id) => !ids.has(id))), without);
      const own = [...chosen].filter((id) => ids.has(id));
      return {
        steps: new Set([...part.steps, ...own]),
        edits: [...part.edits, ...own.flatMap((id) => ids.get(id) ?? [])],
      };
    },
  };
}

function stepOf(
  id: number,
  { file, before, after }: Extract<FileEdit, { kind: 'change' }>,
  because: readonly Use[],
  startLine: number,
): PropagateReport['steps'][number] {
  const versions = because.map(({ package: { name, to } }) => `${name} ${to ?? ''}`);
  return {
    id,
    file,
    block: MODULE,
    how: 'mechanical',
    rule: 'manifest',
    status: 'proposed',
    causes: [],
    tier: 'breaks',
    diff: diffOf(file, before, after),
    reason: `What follows here is written for ${[...new Set(versions)].join(' and ')}.`,
    startLine,
  };
}
