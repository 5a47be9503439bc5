/**
 * Code actions, from what is already known: editors ask on every move of the cursor.
 *
 * On a change with consequences, and on a hint: carry the change through, or go to the next place. On a hint also:
 * take its edit, go past it, dismiss it. What the client filters by kind is not made.
 */
import {
  CodeActionKind,
  type CodeAction,
  type CodeActionParams,
  type Command,
  type Diagnostic,
  type Range,
} from 'vscode-languageserver/node';
import type { LeftReport } from '#protocol/left.js';
import { shownInLine } from '../base/shown.js';
import { PROPAGATE_KIND, type ClientFeatures } from './client-features.js';
import { COMMANDS } from './command-names.js';
import type { HintData } from './hints.js';
import { leftPhrase, lensesOf } from './lenses.js';

export function actionsFor(
  file: string,
  params: CodeActionParams,
  report: LeftReport,
  hints: readonly Diagnostic[],
  features: ClientFeatures,
): (CodeAction | Command)[] {
  const here = hints.filter((hint) => overlap(hint.range, params.range));
  const lensHere = lensesOf(file, report).some((lens) => overlap(lineOf(lens.range), params.range));
  const actions: CodeAction[] = [];
  if (here.length > 0 || lensHere) {
    const left = report.entries.filter(({ state }) => state !== 'dismissed');
    const command = { title: 'Propagate', command: COMMANDS.propagate, arguments: [{}] };
    actions.push(action(PROPAGATE_KIND, `Propagate the latest edit: ${leftPhrase(left)}`, command));
    if (features.showDocument) {
      const at = { file, line: params.range.start.line + 1 };
      actions.push(
        action(PROPAGATE_KIND, 'Go to the next place that is left', {
          title: 'Next',
          command: COMMANDS.next,
          arguments: [at],
        }),
      );
    }
  }
  const seen = new Set<string>();
  for (const hint of here) {
    const { block, id } = hint.data as HintData;
    if (seen.has(id)) continue;
    seen.add(id);
    actions.push(quickFix(`Update ${block} to the latest edit`, hint, COMMANDS.take, { id }));
    if (features.showDocument)
      actions.push(quickFix(`Skip ${block} for now, and go to the next place`, hint, COMMANDS.next, { skip: id }));
    actions.push(quickFix(`${block} is not affected: dismiss the hint`, hint, COMMANDS.dismiss, { id }));
  }
  return forClient(actions, params, features);
}

/** Those of the kinds that were asked for, in the form that the client takes. */
export function forClient(
  actions: readonly CodeAction[],
  { context: { only } }: CodeActionParams,
  features: ClientFeatures,
): (CodeAction | Command)[] {
  const wanted =
    only === undefined
      ? actions
      : actions.filter(({ kind }) =>
          only.some((prefix) => prefix === '' || kind === prefix || kind?.startsWith(`${prefix}.`) === true),
        );
  return features.codeActionLiterals
    ? [...wanted]
    : wanted.flatMap(({ command }) => (command === undefined ? [] : [command]));
}

function action(kind: string, title: string, command: Command): CodeAction {
  const shown = shownInLine(title);
  return { title: shown, kind, command: { ...command, title: shown }, isPreferred: false };
}

function quickFix(title: string, hint: Diagnostic, command: string, argument: Record<string, string>): CodeAction {
  return { ...action(CodeActionKind.QuickFix, title, { title, command, arguments: [argument] }), diagnostics: [hint] };
}

function overlap(a: Range, b: Range): boolean {
  return !before(a.end, b.start) && !before(b.end, a.start);
}

function before(a: Range['start'], b: Range['start']): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}

const lineOf = (range: Range): Range => ({
  start: { line: range.start.line, character: 0 },
  end: { line: range.start.line, character: Number.MAX_SAFE_INTEGER },
});
