/**
 * Code lenses: on each changed declaration how many blocks its change affects. Nowhere else, and
 * none where nothing is affected. The title has to make sense as plain text.
 */
import type { CodeLens } from 'vscode-languageserver/node';
import type { Affected, ImpactReport } from '#protocol/impact.js';
import { COMMANDS } from './command-names.js';
import { isDismissed } from './hints.js';

export function lensesOf(file: string, report: ImpactReport, dismissed: ReadonlySet<string>): CodeLens[] {
  const lenses: CodeLens[] = [];
  const seen = new Set<string>();
  for (const change of report.changes) {
    if (change.file !== file || change.startLine === undefined || seen.has(change.block)) continue;
    seen.add(change.block);
    const affected = report.affected.filter(
      (block) =>
        block.cause.file === file && block.cause.block === change.block && !isDismissed(block, report, dismissed),
    );
    if (affected.length === 0) continue;
    const line = change.startLine - 1;
    lenses.push({
      range: { start: { line, character: 0 }, end: { line, character: 0 } },
      command: { title: `codeplan: ${affectedPhrase(affected)}`, command: COMMANDS.propagate, arguments: [{}] },
    });
  }
  return lenses;
}

/** `12 blocks affected (9 break)` */
export function affectedPhrase(affected: readonly Affected[]): string {
  const breaks = affected.filter((block) => block.tier === 'breaks').length;
  const blocks = `${affected.length} ${affected.length === 1 ? 'block' : 'blocks'}`;
  if (breaks === 0) return `${blocks} may be affected`;
  return `${blocks} affected (${breaks} ${breaks === 1 ? 'breaks' : 'break'})`;
}
