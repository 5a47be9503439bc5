/**
 * Code actions, from what is already known: editors ask on every move of the cursor.
 *
 * On a change with consequences, and on a hint: carry the change through. On a hint also: update
 * this block alone, and dismiss. What the client filters by kind is not made.
 */
import {
  CodeActionKind,
  type CodeAction,
  type CodeActionParams,
  type Command,
  type Diagnostic,
  type Range,
} from 'vscode-languageserver/node';
import type { ImpactReport } from '#protocol/impact.js';
import { shownInLine } from '../base/shown.js';
import { PROPAGATE_KIND, type ClientFeatures } from './client-features.js';
import { COMMANDS } from './command-names.js';
import type { HintData } from './hints.js';
import { affectedPhrase, lensesOf } from './lenses.js';

export function actionsFor(
  file: string,
  params: CodeActionParams,
  report: ImpactReport,
  hints: readonly Diagnostic[],
  dismissed: ReadonlySet<string>,
  features: ClientFeatures,
): (CodeAction | Command)[] {
  const here = hints.filter((hint) => overlap(hint.range, params.range));
  const lensHere = lensesOf(file, report, dismissed).some((lens) => overlap(lineOf(lens.range), params.range));
  const actions: CodeAction[] = [];
  if (here.length > 0 || lensHere) {
    actions.push(
      action(PROPAGATE_KIND, `Propagate the latest edit: ${affectedPhrase(report.affected)}`, {
        title: 'Propagate',
        command: COMMANDS.propagate,
        arguments: [{}],
      }),
    );
  }
  const blocks = new Set<string>();
  for (const hint of here) {
    const { block, key } = hint.data as HintData;
    const isFirst = !blocks.has(block);
    blocks.add(block);
    if (isFirst)
      actions.push(quickFix(`Update ${block} to the latest edit`, hint, COMMANDS.propagate, { file, block }));
    actions.push(quickFix(`${block} is not affected: dismiss the hint`, hint, COMMANDS.dismiss, { key }));
  }
  const { only } = params.context;
  const wanted =
    only === undefined
      ? actions
      : actions.filter(({ kind }) =>
          only.some((prefix) => prefix === '' || kind === prefix || kind?.startsWith(`${prefix}.`) === true),
        );
  return features.codeActionLiterals
    ? wanted
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
