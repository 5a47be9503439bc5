/**
 * Impact as an editor asks for it: a file is opened, a signature in it is changed, unsaved, and
 * the service of the whole engine is asked what else must change; then the next key is pressed.
 *
 * The first question about a function pays for finding who refers to it; those after each further
 * edit find that known, which is what "warm" means here. The engine watches the disk, as the
 * daemon does.
 */
import { createLocalEngine } from '#src/daemon/local-engine.js';
import { SETTLED_BASE, type Call } from '#src/engine/service.js';
import type { Figure } from './figure.js';
import type { SignatureEdit } from './signature-edits.js';
import { percentile, wallMsOf } from './timing.js';

const CALL: Call = { signal: new AbortController().signal, progress: () => undefined };

export async function measureImpact(
  root: string,
  edits: readonly SignatureEdit[],
  environment: NodeJS.ProcessEnv,
): Promise<Figure[]> {
  const group = 'Impact of an edited signature';
  const engine = createLocalEngine({
    root,
    mode: 'in-process',
    watch: true,
    environment,
    log: (message) => process.stderr.write(`${message}\n`),
  });
  const service = engine.connect({ id: 'bench', name: 'bench', workingDirectory: root, environment });
  const first: number[] = [];
  const next: number[] = [];
  const again: number[] = [];
  let affected = 0;
  let version = 0;
  const ask = async (): Promise<number> =>
    (await service.ask('codeplan/impact', { base: SETTLED_BASE }, CALL)).affected.length;
  try {
    await engine.warm();
    for (const edit of edits) {
      const asked = async (text: string): Promise<void> => {
        service.setText(edit.file, text, version++);
        affected += await ask();
      };
      service.setText(edit.file, edit.before, version++);
      await ask();
      first.push(await wallMsOf(() => asked(edit.texts[0])));
      for (const text of edit.texts.slice(1)) next.push(await wallMsOf(() => asked(text)));
      again.push(await wallMsOf(ask));
      service.closeText(edit.file);
    }
  } finally {
    await service.close();
    await engine.close();
  }
  if (first.length === 0) return [];
  const on = `${edits.length} functions, ${Math.round(affected / (first.length + next.length))} blocks each`;
  return [
    { group, name: 'first edit of a function, median', value: percentile(first, 0.5), unit: 'ms', on },
    { group, name: 'first edit of a function, p95', value: percentile(first, 0.95), unit: 'ms' },
    {
      group,
      name: 'next edits, median',
      value: percentile(next, 0.5),
      unit: 'ms',
      bound: 50,
      aim: 10,
      on: `${next.length} edits`,
    },
    { group, name: 'next edits, p95', value: percentile(next, 0.95), unit: 'ms', bound: 50 },
    { group, name: 'asked again, p95', value: percentile(again, 0.95), unit: 'ms', bound: 50 },
  ];
}
