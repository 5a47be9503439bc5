#!/usr/bin/env node
/**
 * The program's entry: the command line, with the engine that works in this process. Only here
 * are the two joined; a daemon is started from this same module.
 */
import { fileURLToPath } from 'node:url';
import { createLocalEngine } from '../daemon/local-engine.js';
import { runProcess } from './run-process.js';

await runProcess(createLocalEngine, fileURLToPath(import.meta.url));
