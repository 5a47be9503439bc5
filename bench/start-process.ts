/**
 * The process that `start.ts` measures: indexes a root, says so in one line of JSON, and closes
 * the engine, which writes the cache.
 */
import { createLocalEngine } from '#src/daemon/local-engine.js';

export interface StartReport {
  readonly residentBytes: number;
  readonly mostResidentBytes: number;
  readonly heapBytes: number;
  readonly summaryBytes: number;
}

const root = process.argv[2];
if (root === undefined) throw new Error('which root?');
const engine = createLocalEngine({
  root,
  mode: 'in-process',
  watch: false,
  environment: process.env,
  log: (message) => process.stderr.write(`${message}\n`),
});
await engine.warm();
process.stdout.write(`${JSON.stringify(await report())}\n`);
await engine.close();

async function report(): Promise<StartReport> {
  const service = engine.connect({
    id: 'bench',
    name: 'bench',
    workingDirectory: process.cwd(),
    environment: process.env,
  });
  const { memory } = await service.ask(
    'codeplan/status',
    {},
    { signal: new AbortController().signal, progress: () => undefined },
  );
  return {
    residentBytes: memory.residentBytes,
    mostResidentBytes: process.resourceUsage().maxRSS * 1024,
    heapBytes: memory.heapBytes,
    summaryBytes: memory.summaryBytes,
  };
}
