/**
 * First start against restart, as whole processes: from starting Node to an index that stands.
 *
 * Both kinds alternate, each first start with a cache folder of its own. Memory is what the
 * process holds at that moment, workers included.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import type { Figure } from './figure.js';
import type { Sources } from './sources.js';
import type { StartReport } from './start-process.js';
import { median } from './timing.js';

/** In few files, as what people start (`scripts/bundle-bench.mjs`). */
const PROGRAM = fileURLToPath(new URL('./bundled/start-process.js', import.meta.url));
const ROUNDS = 3;
const MEMORY_BASE_BYTES = 200e6;
const MEMORY_LINE_BYTES = 200;

export interface Started {
  readonly figures: readonly Figure[];
  /** Environment with a filled cache. The caller removes `folder`. */
  readonly environment: NodeJS.ProcessEnv;
  readonly folder: string;
}

export async function measureStart(root: string, sources: Sources): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'codeplan-bench-'));
  const environmentOf = (round: number): NodeJS.ProcessEnv => ({
    ...process.env,
    CODEPLAN_CACHE_DIR: join(folder, String(round)),
    XDG_STATE_HOME: join(folder, 'state'),
  });
  const first: Start[] = [];
  const again: Start[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    first.push(await start(root, environmentOf(round)));
    again.push(await start(root, environmentOf(round)));
    if (round < ROUNDS - 1) rmSync(join(folder, String(round)), { recursive: true });
  }
  const of = (starts: readonly Start[], value: (start: Start) => number): number => median(starts.map(value));
  const group = 'Start, as whole processes';
  const memory = 'Memory';
  const bound = (MEMORY_BASE_BYTES + MEMORY_LINE_BYTES * sources.lines) / 1e6;
  const firstMs = of(first, (s) => s.ms);
  const againMs = of(again, (s) => s.ms);
  const figures: Figure[] = [
    { group, name: 'first start', value: firstMs, unit: 'ms', on: `median of ${ROUNDS}, worker threads` },
    { group, name: 'restart with the cache', value: againMs, unit: 'ms', on: `median of ${ROUNDS}` },
    { group, name: 'how much faster', value: firstMs / againMs, unit: 'x', bound: 5, atLeast: true },
    {
      group: memory,
      name: 'resident after the first start',
      value: of(first, (s) => s.report.residentBytes) / 1e6,
      unit: 'MB',
      bound,
      on: '200 MB + 200 B a line',
    },
    {
      group: memory,
      name: 'most at any time of it',
      value: of(first, (s) => s.report.mostResidentBytes) / 1e6,
      unit: 'MB',
      bound,
    },
    {
      group: memory,
      name: 'resident after a restart',
      value: of(again, (s) => s.report.residentBytes) / 1e6,
      unit: 'MB',
      bound,
    },
    {
      group: memory,
      name: 'columns of the summaries',
      value: of(again, (s) => s.report.summaryBytes) / sources.lines,
      unit: 'B/line',
    },
    { group: memory, name: 'heap after a restart', value: of(again, (s) => s.report.heapBytes) / 1e6, unit: 'MB' },
  ];
  return { figures, environment: environmentOf(ROUNDS - 1), folder };
}

interface Start {
  readonly ms: number;
  readonly report: StartReport;
}

/** Resolves when the process has ended, so that the cache is written. */
function start(root: string, environment: NodeJS.ProcessEnv): Promise<Start> {
  return new Promise((resolve, reject) => {
    const before = performance.now();
    const child = spawn(process.execPath, [PROGRAM, root], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    let ms = 0;
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      if (ms === 0 && text.includes('\n')) ms = performance.now() - before;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve({ ms, report: JSON.parse(text) as StartReport });
      else reject(new Error(`indexing ${root} ended with exit code ${String(code)}`));
    });
  });
}
