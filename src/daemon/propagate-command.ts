/**
 * `codeplan.propagate` in an editor: plan from the latest edit, hand the edits to the editor with
 * the versions they were computed from, and keep what is needed to take them back.
 *
 * Nothing is written here. The edits land in the client's buffers, which tells us of them like of
 * any other change. The baseline stays, so whatever is not done by them is left, and the hints stay true however much
 * of them an editor applied.
 */
import {
  ApplyWorkspaceEditRequest,
  MessageType,
  ShowMessageNotification,
  type ProtocolConnection,
} from 'vscode-languageserver/node';
import * as z from 'zod';
import { acceptable, type PropagateReport } from '#protocol/propagate.js';
import { mentionKind } from '#protocol/mentions.js';
import { refactoring } from '#protocol/refactor.js';
import { values } from '#protocol/words.js';
import { factAndCause } from '../base/block-reason.js';
import { shownName, shownText } from '../base/shown.js';
import type { FileEdit } from '../engine/file-edit.js';
import { SETTLED_BASE, type Call, type Service } from '../engine/service.js';
import type { ClientFeatures } from './client-features.js';
import type { LatestPlan } from './latest-plan.js';
import type { OpenDocuments } from './open-documents.js';
import type { PathsAndUris } from './paths-and-uris.js';
import { ValuesAskedFor } from './values-asked-for.js';
import { inverted, workspaceEditOf } from './workspace-edit.js';

export const propagateArgument = z
  .strictObject({
    file: z.string().optional(),
    block: z.string().optional(),
    values: values.optional(),
    accept: z.array(acceptable).optional(),
    /** A plan that was shown (`codeplan.preview`), to be carried out as it was; `steps`: without the others. */
    run: z.string().optional(),
    steps: z.array(z.int().min(0)).optional(),
    /** Have the client show each edit for the person to take or leave, where it can. */
    confirm: z.boolean().optional(),
    version: z.literal(1).optional(),
  })
  .optional();

export const refactorArgument = z.strictObject({
  refactoring,
  values: values.optional(),
  accept: z.array(acceptable).optional(),
  mentions: z.array(mentionKind).optional(),
  /** Only the plan: nothing is edited. */
  preview: z.boolean().optional(),
  version: z.literal(1).optional(),
});

export interface PropagateResult {
  readonly run: string;
  readonly applied: boolean;
  readonly files: readonly string[];
  /** Places that still need a person, a value or a model. */
  readonly open: PropagateReport['open'];
}

export interface EditorParts {
  readonly connection: ProtocolConnection;
  readonly service: Service;
  readonly plan: LatestPlan;
  readonly documents: OpenDocuments;
  readonly paths: PathsAndUris;
  readonly features: ClientFeatures;
}

/** What this session's editor applied, newest last. */
export class EditorPropagation {
  private readonly applied: { readonly run: string; readonly edits: readonly FileEdit[] }[] = [];

  constructor(private readonly parts: EditorParts) {}

  async propagate(argument: z.infer<typeof propagateArgument>, call: Call): Promise<PropagateResult> {
    const { service, plan } = this.parts;
    const { file, block, values, accept, run, steps: wanted, confirm } = argument ?? {};
    if (run !== undefined) {
      const { edits } = await service.ask(
        'codeplan/edits',
        { run, ...(wanted === undefined ? {} : { steps: wanted }) },
        call,
      );
      return confirm === true ? this.offer(run, edits) : this.carryOut(run, edits, [], wanted, NOTHING_TAKEN);
    }
    const isWanted = (place: { readonly file: string; readonly block: string }): boolean =>
      (file === undefined || place.file === file) && (block === undefined || place.block === block);
    const asked = new ValuesAskedFor(this.parts.connection, values ?? {}, accept ?? []);
    let report: PropagateReport;
    do
      report = await service.ask(
        'codeplan/plan',
        { base: SETTLED_BASE, values: asked.given, accept: asked.accepted },
        call,
      );
    while (this.parts.features.choices && (await asked.ask(report.open.filter(isWanted))));
    plan.made(report);
    const chosen = report.steps.filter(isWanted);
    const steps = file === undefined && block === undefined ? undefined : chosen.map((step) => step.id);
    const edits =
      chosen.length === 0
        ? []
        : (await service.ask('codeplan/edits', { run: report.run, ...(steps === undefined ? {} : { steps }) }, call))
            .edits;
    const nothing = report.complete ? undefined : 'nothing is known to have to follow; not everything could be read';
    return this.carryOut(report.run, edits, report.open, steps, nothing);
  }

  /** Makes the edit that is asked for and all that follows from it; what lacks a value is asked for where it can be. */
  async refactor(argument: z.infer<typeof refactorArgument>, call: Call): Promise<PropagateResult | PropagateReport> {
    const { service, plan, connection, features } = this.parts;
    const { preview, version: _version, values, accept, ...params } = argument;
    const asked = new ValuesAskedFor(connection, values ?? {}, accept ?? []);
    let report: PropagateReport;
    do
      report = await service.ask('codeplan/refactor', { ...params, values: asked.given, accept: asked.accepted }, call);
    while (preview !== true && features.choices && (await asked.ask(report.open)));
    plan.made(report);
    if (preview === true) return report;
    const { edits } = await service.ask('codeplan/edits', { run: report.run }, call);
    return this.carryOut(report.run, edits, report.open, undefined);
  }

  /** Has the client show the edits, of which the person takes what they like: its own undo takes that back. */
  private async offer(run: string, edits: readonly FileEdit[]): Promise<PropagateResult> {
    const { report } = this.parts.plan;
    const open = report?.run === run ? report.open : [];
    const left = open.length === 0 ? '' : `; ${open.length} left for you: ${firstReason(open)}`;
    if (edits.length === 0) {
      const isReviewed = report?.run === run && report.steps.some(({ diff }) => diff !== '');
      const unread = report?.run === run && !report.complete ? '; not everything could be read' : '';
      this.say(MessageType.Info, isReviewed ? NOTHING_TAKEN : `no edit follows from a rule${left}${unread}`);
    }
    const applied = edits.length > 0 && (await this.apply(run, labelOf(edits), edits, true));
    if (applied) this.say(MessageType.Info, `what was taken is not yet saved${left}`);
    return { run, applied, files: edits.map(({ file }) => file), open };
  }

  private async carryOut(
    run: string,
    edits: readonly FileEdit[],
    open: PropagateReport['open'],
    steps: readonly number[] | undefined,
    nothing = 'nothing has to follow',
  ): Promise<PropagateResult> {
    const left = open.length === 0 ? '' : `; ${open.length} left for you: ${firstReason(open)}`;
    if (edits.length === 0) {
      this.say(MessageType.Info, open.length === 0 ? nothing : `no edit follows from a rule${left}`);
      return { run, applied: false, files: [], open };
    }
    const applied = await this.apply(run, labelOf(edits), edits);
    if (applied) {
      this.applied.push({ run, edits });
      this.parts.plan.applied(run, steps);
      this.say(
        MessageType.Info,
        `changed ${edits.length} ${edits.length === 1 ? 'file' : 'files'}, not yet saved${left}`,
      );
    }
    return { run, applied, files: edits.map((edit) => edit.file), open };
  }

  /** Makes the edit of one entry of what is left, without a word where it succeeds: the person sees it. */
  async take(id: string, call: Call): Promise<PropagateResult> {
    const { run, step, edits } = await this.parts.service.ask('codeplan/take', { id }, call);
    const applied = await this.apply(run, `codeplan: ${edits.map(({ file }) => file).join(', ')}`, edits);
    if (applied) {
      this.applied.push({ run, edits });
      this.parts.plan.applied(run, [step]);
    }
    return { run, applied, files: edits.map(({ file }) => file), open: [] };
  }

  /** Takes the last propagation back through the editor; false if there is none in this session. */
  async undo(): Promise<boolean> {
    const last = this.applied.at(-1);
    if (last === undefined) return false;
    const edits = inverted(last.edits);
    await this.parts.documents.told(
      new Map(edits.flatMap((edit) => (edit.kind === 'create' ? [] : [[edit.file, edit.before]]))),
    );
    if (!(await this.apply(last.run, `codeplan: undo ${last.run}`, edits))) return false;
    this.applied.pop();
    this.parts.plan.takenBack(last.run);
    this.say(MessageType.Info, 'took the last propagation back, not yet saved');
    return true;
  }

  get canUndo(): boolean {
    return this.applied.length > 0;
  }

  /** `confirm`: a person chooses among them, and may take none. */
  private async apply(run: string, label: string, edits: readonly FileEdit[], confirm = false): Promise<boolean> {
    const { connection, plan, documents, paths, features } = this.parts;
    if (!features.applyEdit) {
      this.say(
        MessageType.Error,
        'this editor takes no edits from a server; run "codeplan propagate --apply" in a terminal',
      );
      return false;
    }
    const steps = plan.report?.run === run ? plan.report.steps : [];
    const outcome = workspaceEditOf(edits, steps, confirm, documents, paths, features);
    if (!outcome.ok) {
      this.say(MessageType.Error, outcome.reason);
      return false;
    }
    const answer = await connection.sendRequest(ApplyWorkspaceEditRequest.type, {
      label,
      edit: outcome.edit,
      ...(features.editMetadata ? { metadata: { isRefactoring: true } } : {}),
    });
    if (!answer.applied && !(confirm && answer.failureReason === undefined))
      this.say(MessageType.Error, `the editor did not apply the edits: ${answer.failureReason ?? 'it gave no reason'}`);
    return answer.applied;
  }

  private say(type: MessageType, text: string): void {
    // A client that has gone needs no message.
    this.parts.connection
      .sendNotification(ShowMessageNotification.type, { type, message: shownText(`codeplan: ${text}`) })
      .catch(() => undefined);
  }
}

const NOTHING_TAKEN = 'nothing was applied: no step of this plan has an edit that is not left out';

const labelOf = (edits: readonly FileEdit[]): string =>
  `codeplan: ${edits.length === 1 ? edits[0]?.file : `${edits.length} files`}`;

function firstReason([first]: PropagateReport['open']): string {
  if (first === undefined) return '';
  const at = first.line === undefined ? '' : `:${first.line}`;
  return `${shownName(first.file)}${at} ${first.block}: ${factAndCause(first)}`;
}
