#!/usr/bin/env node
/**
 * The program's entry: the command line, with the engine that works in this process. Only here
 * are the two joined; a daemon is started from this same module.
 */
import { fileURLToPath } from 'node:url';
import { runProcess } from './run-process.js';

// A command that a daemon answers need not load the engine.
await runProcess(
  async () => (await import('../daemon/local-engine.js')).createLocalEngine,
  fileURLToPath(import.meta.url),
);
