/**
 * What a host says after an edit, and what it is told in return: the forms of the hosts, and nothing else.
 *
 * The event is untrusted text: what cannot be read is no edit.
 */
import * as z from 'zod';
import type { ImpactReport } from '#protocol/impact.js';
import { factAndCause } from '../base/block-reason.js';
import { counted } from '../base/counted.js';
import { shownInLine, shownName } from '../base/shown.js';
import { limited } from './answer-limit.js';

/** No more is said, in tokens: an agent reads it after every edit that breaks something. */
const TOKENS_MOST = 300;
/** A line a broken place and one for the sum: half a screen of a terminal beside the agent's own words. */
const LINES_MOST = 12;

export interface EditEvent {
  /** As the host wrote it: absolute or relative to `folder`. */
  readonly file: string;
  /** Where the host works, if it says so. */
  readonly folder: string | undefined;
  /** The host's name of the event: an answer has to repeat it; undefined where plain text is read. */
  readonly event: string | undefined;
}

/** Claude Code and those that took its form over; an edit of a file by one of its tools. */
const toolUse = z.object({
  hook_event_name: z.string(),
  cwd: z.string().optional(),
  tool_name: z.string().regex(/edit|write|patch/i),
  tool_input: z.object({ file_path: z.string().min(1) }),
});
/** Cursor. */
const fileEdit = z.object({ file_path: z.string().min(1), workspace_roots: z.array(z.string()).optional() });

/** Undefined for what is no edit of a file. */
export function readEvent(text: string): EditEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const used = toolUse.safeParse(value);
  if (used.success)
    return { file: used.data.tool_input.file_path, folder: used.data.cwd, event: used.data.hook_event_name };
  const edited = fileEdit.safeParse(value);
  if (!edited.success) return undefined;
  const { file_path: file, workspace_roots: roots = [] } = edited.data;
  return { file, folder: roots.find((root) => file.startsWith(root)) ?? roots[0], event: undefined };
}

/** What no longer fits because of changes in the file; undefined where nothing breaks for sure. */
export function breaksText(report: ImpactReport, file: string): string | undefined {
  const broken = report.affected.filter(
    ({ tier, confidence, cause }) => tier === 'breaks' && confidence === 'certain' && cause.file === file,
  );
  if (broken.length === 0) return undefined;
  const files = new Set(broken.map((block) => block.file));
  const where = `${counted(broken.length, 'block')} in ${counted(files.size, 'file')}`;
  const sum = `codeplan: the edit of ${shownName(file)} breaks ${where}:`;
  const lines = broken.map(
    (one) =>
      `${shownName(one.file)}:${one.sites[0]?.startLine ?? one.startLine} ${shownName(one.block)}: ` +
      shownInLine(factAndCause(one)),
  );
  return limited(sum, lines, ['Edits that follow by rule: propagate (or: codeplan propagate).'], 'codeplan impact', {
    tokens: TOKENS_MOST,
    lines: LINES_MOST,
  });
}

/** The text in the form that the host hands to its model. */
export function answerFor({ event }: EditEvent, text: string): string {
  return event === undefined
    ? text
    : JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });
}
