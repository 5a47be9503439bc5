/**
 * Who uses a block, by file: certain users are listed, possible ones counted.
 */
import * as z from 'zod';
import type { CallsReport, RefsReport } from '#protocol/graph.js';
import { counted } from '../base/counted.js';
import { shownName } from '../base/shown.js';
import { agentTool, type AgentAnswer } from './agent-tool.js';
import { limited } from './answer-limit.js';
import { freshness } from './freshness.js';

export const refs = agentTool({
  name: 'refs',
  description: 'Who uses a block (function, class, member): lines by file; possible uses are counted.',
  params: {
    block: z.string().min(1),
    depth: z.int().max(10).optional().describe('callers of callers'),
    possible: z.boolean().optional().describe('list these too'),
  },
  answer: async (service, { block, depth = 1, possible = false }, call): Promise<AgentAnswer> => {
    const report = await service.ask('codeplan/graph/refs', { block }, call);
    const further =
      depth > 1
        ? await service.ask('codeplan/graph/calls', { block, direction: 'callers', depth, certain: true }, call)
        : undefined;
    const end = freshness(await service.ask('codeplan/status', {}, call));
    const sums = { certain: 0, possible: 0 };
    for (const { confidence } of report.references) sums[confidence]++;
    const name = report.blocks[0] === undefined ? block : `${report.blocks[0].file}:${report.blocks[0].block}`;
    const where = new Set(
      report.references.filter(({ confidence }) => confidence === 'certain').map(({ file }) => file),
    );
    const sum =
      `${shownName(name)}: ${counted(sums.certain, 'use')} in ${counted(where.size, 'file')}` +
      (sums.possible === 0
        ? ''
        : `, ${sums.possible} more only possible${possible ? '' : ' (possible: true lists them)'}`) +
      (report.undecided.length === 0 ? '' : `, ${counted(report.undecided.length, 'place')} undecided`);
    const lines = [...usesByFile(report, possible), ...furtherLines(further)];
    return {
      text: limited(sum, lines, [end], 'ask for a block of one file, or with a shell: codeplan graph refs'),
      structured: { ...report },
    };
  },
});

interface User {
  readonly lines: Set<number>;
  readonly sure: boolean;
  readonly relation: string;
}

/** `path`, then `  lines block` for each block in it. */
export function usesByFile({ references }: Pick<RefsReport, 'references'>, possible: boolean): string[] {
  const files = new Map<string, Map<string, User>>();
  for (const { file, block, startLine, confidence, relation } of references) {
    if (confidence === 'possible' && !possible) continue;
    let blocks = files.get(file);
    if (blocks === undefined) files.set(file, (blocks = new Map<string, User>()));
    const known = blocks.get(block);
    if (known === undefined)
      blocks.set(block, { lines: new Set([startLine]), sure: confidence === 'certain', relation });
    else known.lines.add(startLine);
  }
  const inOrder = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return inOrder.flatMap(([file, blocks]) => [
    shownName(file),
    ...[...blocks].map(([block, { lines, sure, relation }]) => {
      const how = relation === 'CalledBy' || relation === 'UsedBy' ? '' : ` (${relation})`;
      return `  ${[...lines].join(',')} ${shownName(block)}${how}${sure ? '' : ' possible'}`;
    }),
  ]);
}

function furtherLines(report: CallsReport | undefined): string[] {
  const far = report?.calls.filter(({ depth, repeated }) => depth > 1 && repeated === undefined) ?? [];
  if (far.length === 0) return [];
  return [
    'further away:',
    ...far.map(
      ({ depth, file, block, of }) =>
        `  ${'·'.repeat(depth)} ${shownName(file)}: ${shownName(block)} calls ${shownName(of.block)}`,
    ),
  ];
}
