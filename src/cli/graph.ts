/** `codeplan graph export <file>`: the whole dependency graph, for programs that score or draw it. */
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { ServiceError } from '../engine/service.js';
import { writeAtomically } from '../io/write-atomically.js';
import { withCommonFlags, type CommonFlags } from './common-flags.js';
import { counted } from './print.js';
import { withService } from './with-service.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface ExportFlags extends CommonFlags {
  readonly confidence: 'certain' | 'all';
}

const STDOUT = '-';

export function addGraph(program: Command, world: World, finish: (code: ExitCode) => void): void {
  const graph = program.command('graph').description('the dependency graph');
  withCommonFlags(graph.command('export').argument('<file>', 'where to write the document; - for standard output').description('write the edges of the whole repository as JSON'))
    .addOption(new Option('--confidence <which>', 'which edges').choices(['certain', 'all']).default('all'))
    .action(async (file: string, flags: ExportFlags) => finish(await exportGraph(file, flags, world)));
}

function exportGraph(file: string, flags: ExportFlags, world: World): Promise<ExitCode> {
  return withService('graph export', flags, world, async ({ service, call, print }) => {
    const document = await service.graph({ confidence: flags.confidence }, call);
    if (file === STDOUT) {
      print.json(document);
      return EXIT.done;
    }
    const target = resolve(world.workingDirectory, file);
    try {
      writeAtomically(target, `${JSON.stringify(document)}\n`, { mode: undefined, durable: false });
    } catch (error) {
      throw new ServiceError('write', `cannot write the graph to ${target}: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (flags.json === true) print.json({ schema: document.schema, file: target, edges: document.edges.length });
    else print.note(`${counted(document.edges.length, 'edge')} written to ${target}`);
    return EXIT.done;
  });
}
