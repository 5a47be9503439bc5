/** What a person does next with a campaign: one sentence with the command. */
import type { FleetReport, FleetRepository } from '#protocol/fleet.js';
import { CANARY_HELD } from './next.js';

/** What the next run goes on with, unless something holds it. */
const UNFINISHED: ReadonlySet<FleetRepository['state']> = new Set(['waiting', 'affected', 'planned']);

/** Undefined where nothing is left that a command would do. */
export function adviceOn({ campaign, counts, status, running, repositories }: FleetReport): string | undefined {
  if (status === 'paused') return `Go on with: codeplan fleet resume ${campaign}, then codeplan fleet run ${campaign}`;
  if (status === 'aborted') return undefined;
  const unfinished = repositories.filter(({ state }) => UNFINISHED.has(state));
  if (unfinished.length > 0 && unfinished.every(({ reason }) => reason.endsWith(CANARY_HELD)))
    return `Look at those that went first, then: codeplan fleet resume ${campaign}, and codeplan fleet run ${campaign}`;
  if (running) return undefined;
  if (unfinished.length > 0) return `Go on with: codeplan fleet run ${campaign}`;
  if (counts['needs-value'] > 0) return `Give values with: codeplan fleet retry ${campaign} --value name=expression`;
  return counts.failed > 0 ? `Try again with: codeplan fleet retry ${campaign}` : undefined;
}
