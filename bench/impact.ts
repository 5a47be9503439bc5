/**
 * Impact as an editor asks for it: a signature is changed in a buffer, unsaved, and the service
 * of the whole engine is asked what else must change.
 *
 * The first question after an edit pays for the new snapshot; the same question again is what a
 * second view of the same state costs. The engine watches the disk, as the daemon does.
 */
import { createLocalEngine } from '#src/daemon/local-engine.js';
import { SETTLED_BASE, type Call } from '#src/engine/service.js';
import type { Figure } from './figure.js';
import type { SignatureEdit } from './signature-edits.js';
import { percentile, wallMsOf } from './timing.js';

const CALL: Call = { signal: new AbortController().signal, progress: () => undefined };

export async function measureImpact(root: string, edits: readonly SignatureEdit[], environment: NodeJS.ProcessEnv): Promise<Figure[]> {
  const group = 'Impact of an edited signature';
  const engine = createLocalEngine({ root, mode: 'in-process', watch: true, environment, log: (message) => process.stderr.write(`${message}\n`) });
  const service = engine.connect({ id: 'bench', name: 'bench', workingDirectory: root, environment });
  const first: number[] = [];
  const again: number[] = [];
  let affected = 0;
  try {
    await engine.warm();
    for (const [version, edit] of edits.entries()) {
      let blocks = 0;
      const ask = async (): Promise<void> => void (blocks = (await service.impact({ base: SETTLED_BASE }, CALL)).affected.length);
      first.push(await wallMsOf(() => (service.setText(edit.file, edit.text, version), ask())));
      again.push(await wallMsOf(ask));
      affected += blocks;
      service.closeText(edit.file);
    }
  } finally {
    await service.close();
    await engine.close();
  }
  if (first.length === 0) return [];
  // The very first question finds code that is not compiled and nothing known.
  const warm = first.slice(1);
  const on = `${edits.length} functions, ${Math.round(affected / edits.length)} blocks each`;
  return [
    { group, name: 'first question of all', value: first[0] as number, unit: 'ms' },
    ...(warm.length === 0 ? [] : [
      { group, name: 'first after an edit, median', value: percentile(warm, 0.5), unit: 'ms', bound: 50, aim: 10, on } as const,
      { group, name: 'first after an edit, p95', value: percentile(warm, 0.95), unit: 'ms', bound: 50 } as const,
    ]),
    { group, name: 'asked again, median', value: percentile(again, 0.5), unit: 'ms', aim: 10 },
    { group, name: 'asked again, p95', value: percentile(again, 0.95), unit: 'ms', bound: 50 },
  ];
}
