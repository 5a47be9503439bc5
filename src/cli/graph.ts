/**
 * `codeplan graph`: the whole dependency graph for programs that score or draw it, and questions
 * about one block: who refers to it, who calls it, what it calls, what stands above and below it.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Option, type Command } from 'commander';
import { shownJson, shownName } from '../base/shown.js';
import { ServiceError } from '../engine/service.js';
import { realFileSystem } from '../io/disk/file-system.js';
import { writeAtomically } from '../io/disk/write-atomically.js';
import { packageVersion } from '../io/process/build-identity.js';
import { wholeNumber, withCommonFlags, type CommonFlags } from './common-flags.js';
import { callsLines, hierarchyLines, refsLines, refsStat, whyLines } from './graph-text.js';
import { counted } from '../base/counted.js';
import type { Paint } from './print.js';
import { problemLines } from './problem-text.js';
import { withService, type CommandContext } from './with-service.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface ExportFlags extends CommonFlags {
  readonly confidence?: 'certain' | 'all';
  readonly format: 'json' | 'scip';
}

interface RefsFlags extends CommonFlags {
  readonly why?: string;
  readonly certain?: boolean;
  readonly confirm?: boolean;
  readonly limit?: number;
  readonly stat?: boolean;
}

interface CallsFlags extends Omit<RefsFlags, 'limit' | 'stat'> {
  readonly depth?: number;
}

interface HierarchyFlags extends CommonFlags {
  readonly why?: string;
  readonly confirm?: boolean;
}

const STDOUT = '-';
const BLOCK = 'path:Outer.inner, a name that only one block has, path:line, or path:line:column';

export function addGraph(program: Command, world: World, finish: (code: ExitCode) => void): void {
  const graph = program.command('graph').description('the dependency graph');
  withCommonFlags(
    graph
      .command('export')
      .argument('<file>', 'where to write the document; - for standard output')
      .description('write the edges of the whole repository as JSON, or an index for code search as SCIP'),
  )
    .addOption(new Option('--confidence <which>', 'which edges (default: all)').choices(['certain', 'all']))
    .addOption(
      new Option('--format <format>', 'SCIP has what is certain alone').choices(['json', 'scip']).default('json'),
    )
    .action(async (file: string, flags: ExportFlags) => finish(await exportGraph(file, flags, world)));
  const question = (name: string, description: string): Command =>
    withCommonFlags(graph.command(name).argument('<block>', BLOCK).description(description));
  question('refs', 'print who refers to a block')
    .option('--why <place>', 'explain why this block, or path:line, refers to it, or does not')
    .option('--certain', 'leave out what rests on a name alone')
    .option('--confirm', 'let the language server of the settings confirm, deny or add references')
    .option('--limit <n>', 'show at most so many references, and the sums of all', wholeNumber(0))
    .option('--stat', 'print the sums alone: by relation, by file')
    .action(async (block: string, flags: RefsFlags) => finish(await refs(block, flags, world)));
  for (const direction of ['callers', 'callees'] as const) {
    question(direction, direction === 'callers' ? 'print who calls a block' : 'print what a block calls')
      .option('--depth <n>', 'how many calls away to look (default: 1)', wholeNumber(1))
      .option(
        '--why <place>',
        direction === 'callers'
          ? 'explain why this block, or path:line, calls it, or does not'
          : 'explain why it calls this block, or does not',
      )
      .option('--certain', 'leave out what rests on a name alone')
      .option('--confirm', 'let the language server of the settings confirm, deny or add references')
      .action(async (block: string, flags: CallsFlags) => finish(await calls(direction, block, flags, world)));
  }
  question('hierarchy', 'print what stands above and below a class or a member')
    .option('--why <place>', 'explain why this block refers to it, or does not')
    .option('--confirm', 'let the language server of the settings add what it knows')
    .action(async (block: string, flags: HierarchyFlags) => finish(await hierarchy(block, flags, world)));
}

function refs(block: string, flags: RefsFlags, world: World): Promise<ExitCode> {
  return withService('graph refs', flags, world, async (context) => {
    if (flags.why !== undefined) return why(context, flags, block, flags.why);
    return shown(
      context,
      flags,
      await context.service.ask('codeplan/graph/refs', { block, ...narrowing(flags) }, context.call),
      (report, paint) => (flags.stat === true ? refsStat(report, paint) : refsLines(report, paint, flags.limit)),
    );
  });
}

function calls(direction: 'callers' | 'callees', block: string, flags: CallsFlags, world: World): Promise<ExitCode> {
  return withService(`graph ${direction}`, flags, world, async (context) => {
    if (flags.why !== undefined)
      return direction === 'callers' ? why(context, flags, block, flags.why) : why(context, flags, flags.why, block);
    const params = {
      block,
      direction,
      ...(flags.depth === undefined ? {} : { depth: flags.depth }),
      ...narrowing(flags),
    };
    return shown(context, flags, await context.service.ask('codeplan/graph/calls', params, context.call), callsLines);
  });
}

function hierarchy(block: string, flags: HierarchyFlags, world: World): Promise<ExitCode> {
  return withService('graph hierarchy', flags, world, async (context) => {
    if (flags.why !== undefined) return why(context, flags, block, flags.why);
    return shown(
      context,
      flags,
      await context.service.ask('codeplan/graph/hierarchy', { block, ...narrowing(flags) }, context.call),
      hierarchyLines,
    );
  });
}

async function why(context: CommandContext, flags: CommonFlags, block: string, from: string): Promise<ExitCode> {
  return shown(
    context,
    flags,
    await context.service.ask('codeplan/graph/why', { block, from }, context.call),
    whyLines,
  );
}

function shown<T extends { readonly complete: boolean }>(
  { print }: CommandContext,
  flags: CommonFlags,
  report: T,
  lines: (report: T, paint: Paint) => readonly string[],
): ExitCode {
  if (flags.json === true) print.json(report);
  else {
    for (const line of lines(report, print.paint)) print.line(line);
    if (!report.complete) print.line(print.paint('What could not be read (above) may hold more.', 'yellow'));
  }
  return report.complete ? EXIT.done : EXIT.open;
}

function narrowing(flags: { readonly certain?: boolean; readonly confirm?: boolean }): {
  certain?: boolean;
  confirm?: boolean;
} {
  return {
    ...(flags.certain === undefined ? {} : { certain: flags.certain }),
    ...(flags.confirm === undefined ? {} : { confirm: flags.confirm }),
  };
}

function exportGraph(file: string, flags: ExportFlags, world: World): Promise<ExitCode> {
  return withService('graph export', flags, world, async (context) => {
    if (flags.format === 'scip') return exportScip(file, flags, world, context);
    const { service, call, print } = context;
    const document = await service.ask('codeplan/graph', { confidence: flags.confidence ?? 'all' }, call);
    for (const line of problemLines(document.problems, print.paint)) print.note(line);
    if (file === STDOUT) {
      print.json(document);
      return EXIT.done;
    }
    const target = written(world, file, `${shownJson(document)}\n`);
    if (flags.json === true) print.json({ schema: document.schema, file: target, edges: document.edges.length });
    else print.note(`${counted(document.edges.length, 'edge')} written to ${shownName(target)}`);
    return EXIT.done;
  });
}

async function exportScip(
  file: string,
  flags: ExportFlags,
  world: World,
  { service, call, print, root }: CommandContext,
): Promise<ExitCode> {
  if (file === STDOUT) throw new ServiceError('settings', 'SCIP is not text: give a file to write it to, index.scip');
  if (flags.confidence === 'all')
    throw new ServiceError('settings', 'SCIP has no word for what is only possible: leave --confidence all out');
  const document = await service.ask('codeplan/graph/scip', {}, call);
  for (const line of problemLines(document.problems, print.paint)) print.note(line);
  const { scipBytes } = await import('./scip-file.js');
  const bytes = scipBytes(document, pathToFileURL(root).href, packageVersion());
  const target = written(world, file, bytes);
  const occurrences = document.documents.reduce((sum, each) => sum + each.occurrences.length, 0);
  if (flags.json === true)
    print.json({ schema: document.schema, file: target, documents: document.documents.length, occurrences });
  else
    print.note(
      `${counted(occurrences, 'place')} in ${counted(document.documents.length, 'file')} written to ` +
        shownName(target),
    );
  return document.complete ? EXIT.done : EXIT.open;
}

/** Writes what was asked for to the file that the person named; gives its whole path. */
function written({ workingDirectory }: World, file: string, content: string | Uint8Array): string {
  const target = resolve(workingDirectory, file);
  try {
    writeAtomically(realFileSystem, target, content, { mode: undefined, durable: false });
  } catch (error) {
    throw new ServiceError(
      'write',
      `cannot write the graph to ${shownName(target)}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return target;
}
