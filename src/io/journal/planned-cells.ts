/**
 * Edits as what they do to each path, checked against the disk that they were computed from.
 *
 * New places come first and removals last, so that a renamed file is never at neither place.
 */
import { namesInWords } from '../../base/counted.js';
import type { FileEdit } from '../../engine/file-edit.js';
import { ServiceError } from '../../engine/service.js';
import { decodeSource, encodeSource } from '../disk/source-text.js';
import type { Attributes, Standing, Tree } from '../disk/tree.js';

/** Contents; null: there is no file. */
export interface PlannedCell {
  readonly path: string;
  readonly before: Buffer | null;
  readonly after: Buffer | null;
  /** Permissions and owner that the file has or gets back; null for a new file. */
  readonly like: Attributes | null;
}

interface Findings {
  readonly movedOn: string[];
  readonly refused: Map<string, string>;
}

/** Throws ServiceError: textMovedOn, with every such file; write, for paths that are not written. */
export function plannedCells(tree: Tree, edits: readonly FileEdit[]): readonly PlannedCell[] {
  const findings: Findings = { movedOn: [], refused: new Map() };
  const cells = edits.flatMap((edit) => cellsOf(tree, edit, findings));
  const [first] = findings.refused;
  if (first !== undefined)
    throw new ServiceError('write', `nothing was written: ${reasonOf(first, findings.refused.size - 1)}`, [
      ...findings.refused.keys(),
    ]);
  if (findings.movedOn.length > 0)
    throw new ServiceError(
      'textMovedOn',
      `nothing was written: ${namesInWords(findings.movedOn)} changed since the edits were computed; ` +
        'compute them again',
      findings.movedOn,
    );
  if (new Set(cells.map((cell) => cell.path)).size !== cells.length)
    throw new Error('two edits of one file in one run');
  const rank = (cell: PlannedCell): number => (cell.after === null ? 2 : cell.before === null ? 0 : 1);
  return cells.sort((a, b) => rank(a) - rank(b));
}

function cellsOf(tree: Tree, edit: FileEdit, findings: Findings): readonly PlannedCell[] {
  if (edit.kind === 'create') {
    expectNothing(tree, edit.file, findings);
    return [{ path: edit.file, before: null, after: encodeSource(edit.after, false), like: null }];
  }
  const standing = tree.look(edit.file);
  if (isRefused(standing, edit.file, findings)) return [];
  const source = standing.kind === 'file' ? decodeSource(standing.bytes) : undefined;
  if (standing.kind !== 'file' || source?.ok !== true || source.text !== edit.before) {
    findings.movedOn.push(edit.file);
    return [];
  }
  const { bytes: before, mode, owner } = standing;
  const like = { mode, owner };
  const after = edit.kind === 'delete' ? null : encodeSource(edit.after, source.byteOrderMark);
  if (edit.kind !== 'rename') return [{ path: edit.file, before, after, like }];
  expectNothing(tree, edit.to, findings);
  return [
    { path: edit.file, before, after: null, like },
    { path: edit.to, before: null, after, like },
  ];
}

function expectNothing(tree: Tree, path: string, findings: Findings): void {
  const standing = tree.look(path);
  if (!isRefused(standing, path, findings) && standing.kind !== 'nothing') findings.movedOn.push(path);
}

function isRefused(
  standing: Standing,
  path: string,
  { refused }: Findings,
): standing is Extract<Standing, { readonly kind: 'refused' }> {
  if (standing.kind !== 'refused') return false;
  refused.set(path, standing.reason);
  return true;
}

function reasonOf([, reason]: readonly [string, string], more: number): string {
  return more === 0 ? reason : `${reason}; and ${more} more of these files cannot be written`;
}
