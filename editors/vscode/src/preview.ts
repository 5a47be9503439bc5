/**
 * The plan as VS Code's own refactor preview: every hunk can be taken or left there, and all that is taken is one step
 * to undo. Nothing is edited before.
 */
import { diffLines } from 'diff';
import {
  Position,
  Range,
  TextEdit,
  window,
  workspace,
  WorkspaceEdit,
  type TextDocument,
  type WorkspaceEditEntryMetadata,
} from 'vscode';
import type { EditsReport } from '../../../protocol/edits.js';
import type { Open, PropagateReport } from '../../../protocol/propagate.js';
import { valueFor } from './ask.js';
import { uriIn, type Server } from './server.js';

type FileEdit = EditsReport['edits'][number];

/** Makes the plan, asks for the values that it lacks, and opens the preview. */
export async function preview(server: Server, root: string): Promise<void> {
  const plan = await withValues(server);
  const hasEdits = plan.steps.some(({ diff, status }) => diff !== '' && status !== 'rejected');
  const { edits } = hasEdits ? await server.edits(plan.run) : { edits: [] };
  const left = plan.open.length === 0 ? '' : `; ${plan.open.length} left for you`;
  if (edits.length === 0) {
    const unknown = plan.complete ? '' : '; not all could be read';
    void window.showInformationMessage(`codeplan: no edit follows by rule${left}${unknown}`);
    return;
  }
  const made = await workspaceEditOf(root, plan, edits);
  if (typeof made === 'string') {
    void window.showWarningMessage(`codeplan: ${made}; nothing was changed, ask again`);
    return;
  }
  const applied = await workspace.applyEdit(made, { isRefactoring: true });
  if (applied) window.setStatusBarMessage(`codeplan: edits made${left}`, 8000);
}

/** A plan that lacks no value that the person can give; each is asked for once. */
async function withValues(server: Server): Promise<PropagateReport> {
  const values: Record<string, string> = {};
  const asked = new Set<string>();
  for (;;) {
    const plan = await server.plan(values);
    const open = plan.open.find((one): one is Open & { value: string } => isToAsk(one) && !asked.has(keyOf(one)));
    if (open === undefined) return plan;
    asked.add(keyOf(open));
    Object.assign(values, await valueFor(open));
  }
}

const isToAsk = (open: Open): boolean => open.needs === 'value' && open.value !== undefined;
const keyOf = (open: Open): string => open.value ?? '';

/** All of it, or why not: a text that is another one than the plan's. */
async function workspaceEditOf(
  root: string,
  plan: PropagateReport,
  edits: readonly FileEdit[],
): Promise<WorkspaceEdit | string> {
  const made = new WorkspaceEdit();
  for (const edit of edits) {
    const uri = uriIn(root, edit.file);
    const metadata = metadataFor(plan, edit.file);
    if (edit.kind === 'create') {
      made.createFile(uri, { contents: new TextEncoder().encode(edit.after) }, metadata);
      continue;
    }
    const document = await workspace.openTextDocument(uri);
    if (unified(document.getText()) !== unified(edit.before)) return `${edit.file} has changed since`;
    if (edit.kind === 'delete') {
      made.deleteFile(uri, {}, metadata);
      continue;
    }
    const hunks = hunksOf(document, edit.after).map((hunk): [TextEdit, WorkspaceEditEntryMetadata] => [hunk, metadata]);
    made.set(uri, hunks);
    if (edit.kind === 'rename') made.renameFile(uri, uriIn(root, edit.to), {}, metadata);
  }
  return made;
}

/** VS Code shows a text with one kind of line end. */
const unified = (text: string): string => text.replaceAll('\r\n', '\n');

function metadataFor(plan: PropagateReport, file: string): WorkspaceEditEntryMetadata {
  const steps = plan.steps.filter((step) => step.file === file && step.diff !== '');
  const by = steps.some(({ how }) => how === 'model') ? 'written by a model' : 'follows by rule';
  return {
    needsConfirmation: true,
    label: `codeplan: ${by}`,
    description: [...new Set(steps.map(({ reason }) => reason))].slice(0, 3).join('; '),
  };
}

function hunksOf(document: TextDocument, after: string): TextEdit[] {
  const hunks: TextEdit[] = [];
  let line = 0;
  let removed = 0;
  let added = '';
  const close = (): void => {
    if (removed > 0 || added !== '')
      hunks.push(
        new TextEdit(document.validateRange(new Range(new Position(line - removed, 0), new Position(line, 0))), added),
      );
    removed = 0;
    added = '';
  };
  for (const part of diffLines(unified(document.getText()), unified(after))) {
    if (part.added) added += part.value;
    else if (part.removed) {
      removed += part.count;
      line += part.count;
    } else {
      close();
      line += part.count;
    }
  }
  close();
  return hunks;
}
