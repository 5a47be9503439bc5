#!/usr/bin/env node
/**
 * The program's entry: the command line, with the engine that works in this process. Only here
 * are the two joined. `scripts/bundle.mjs` makes `dist/cli/main.js` of it, which people and daemons are started from.
 */
import { MAIN_MODULE } from '../io/process/installed.js';
import { runProcess } from './run-process.js';

// A command that a daemon answers need not load the engine.
await runProcess(async () => (await import('../daemon/local-engine.js')).createLocalEngine, MAIN_MODULE);
