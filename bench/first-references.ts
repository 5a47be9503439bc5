/**
 * The first question after an edit: a signature is changed, unsaved, and who refers to the function
 * is asked at once, of the service of the whole engine, with the path of resolution of each.
 */
import { createLocalEngine } from '#src/daemon/local-engine.js';
import type { Call } from '#src/engine/service.js';
import type { Figure } from './figure.js';
import type { SignatureEdit } from './signature-edits.js';
import { percentile, wallMsOf } from './timing.js';

const CALL: Call = { signal: new AbortController().signal, progress: () => undefined };

export async function measureFirstReferences(
  root: string,
  edits: readonly SignatureEdit[],
  environment: NodeJS.ProcessEnv,
): Promise<Figure[]> {
  const group = 'References of a function, right after its signature was edited';
  const engine = createLocalEngine({
    root,
    mode: 'in-process',
    watch: true,
    environment,
    log: (message) => process.stderr.write(`${message}\n`),
  });
  const service = engine.connect({ id: 'bench', name: 'bench', workingDirectory: root, environment });
  const times: number[] = [];
  let references = 0;
  let version = 0;
  try {
    await engine.warm();
    for (const {
      file,
      line,
      before,
      texts: [edited],
    } of edits) {
      const ask = async (): Promise<number> =>
        (await service.ask('codeplan/graph/refs', { block: `${file}:${line}` }, CALL)).references.length;
      service.setText(file, before, version++);
      await ask();
      service.setText(file, edited, version++);
      times.push(await wallMsOf(async () => void (references += await ask())));
      service.closeText(file);
    }
  } finally {
    await service.close();
    await engine.close();
  }
  if (times.length === 0) return [];
  return [
    {
      group,
      name: 'median',
      value: percentile(times, 0.5),
      unit: 'ms',
      bound: 60,
      on: `${times.length} functions, ${Math.round(references / times.length)} references each`,
    },
    { group, name: 'p95', value: percentile(times, 0.95), unit: 'ms', bound: 60 },
  ];
}
