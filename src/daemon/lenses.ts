/**
 * Code lenses: on each changed declaration, or where it stood, how many blocks are left to follow it. Nowhere else, and
 * none where nothing is left. The title has to make sense as plain text. A click shows the plan and changes nothing.
 */
import type { CodeLens } from 'vscode-languageserver/node';
import type { LeftEntry, LeftReport } from '#protocol/left.js';
import { soFar } from '../engine/left-words.js';
import { COMMANDS } from './command-names.js';

export function lensesOf(file: string, report: LeftReport): CodeLens[] {
  const lenses: CodeLens[] = [];
  const seen = new Set<string>();
  for (const change of report.changes) {
    if (change.file !== file || change.startLine === undefined || seen.has(change.block)) continue;
    seen.add(change.block);
    const left = report.entries.filter(
      ({ cause, state }) => cause.file === file && cause.block === change.block && state !== 'dismissed',
    );
    if (left.length === 0) continue;
    const line = change.startLine - 1;
    const isGone = change.label.startsWith('D');
    lenses.push({
      range: { start: { line, character: 0 }, end: { line, character: 0 } },
      command: {
        title: `codeplan: ${isGone ? `${change.block} was here: ` : ''}${leftPhrase(left)}${soFar(report)}`,
        command: COMMANDS.plan,
        arguments: [{}],
      },
    });
  }
  return lenses;
}

/** `12 blocks affected (9 break)` */
export function leftPhrase(left: readonly Pick<LeftEntry, 'tier'>[]): string {
  const breaks = left.filter((entry) => entry.tier === 'breaks').length;
  const blocks = `${left.length} ${left.length === 1 ? 'block' : 'blocks'}`;
  if (breaks === 0) return `${blocks} may be affected`;
  return `${blocks} affected (${breaks} ${breaks === 1 ? 'breaks' : 'break'})`;
}
