/** `codeplan api`: what a library offers to those who use it; `api diff`: what of that changed between two versions. */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { ApiDescriptor, ChangeFile } from '#protocol/api.js';
import type { Problem } from '#protocol/words.js';
import { shownInLine, shownJson, shownName } from '../base/shown.js';
import { ServiceError } from '../engine/service.js';
import { realFileSystem } from '../io/disk/file-system.js';
import { writeAtomically } from '../io/disk/write-atomically.js';
import { withCommonFlags, type CommonFlags } from './common-flags.js';
import { counted } from '../base/counted.js';
import { printerFor, type Printer } from './print.js';
import { withService } from './with-service.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface ApiFlags extends CommonFlags {
  readonly base?: string;
  readonly out?: string;
}

interface DiffFlags extends CommonFlags {
  readonly out?: string;
  readonly failOn: 'breaks' | 'may' | 'never';
}

export function addApi(program: Command, world: World, finish: (code: ExitCode) => void): void {
  const api = withCommonFlags(
    program
      .command('api')
      .description('describe what a library offers to those who use it: names, signatures, skeletons without bodies')
      .argument('[dir]', 'the folder of the library (default: the repository around the working directory)'),
  )
    .option('--base <revision>', 'as it was at this revision (default: as it lies on the disk)')
    .option('--out <file>', 'write the descriptor to this file')
    .action(async (dir: string | undefined, flags: ApiFlags) => finish(await describe(dir, flags, world)));
  withCommonFlags(
    api
      .command('diff')
      .description('say what changed between two versions of a library, and write the change file for its users')
      .argument('<from>', 'the old version: a folder, or a descriptor that "codeplan api" wrote')
      .argument('<to>', 'the new version'),
  )
    .option('--out <file>', 'write the change file to this file')
    .addOption(
      new Option('--fail-on <what>', 'end with exit code 1 if something breaks, may break, or never')
        .choices(['breaks', 'may', 'never'])
        .default('breaks'),
    )
    .addHelpText(
      'after',
      '\nThe change file is read by "codeplan impact --change" and "codeplan propagate --change" in what ' +
        'uses the library.' +
        '\nExit codes: 0 nothing that --fail-on names, 1 there is, or some of it could not be read, 2 failure.',
    )
    // Flags that both commands have are read as those of the outer one, wherever they stand.
    .action(async (from: string, to: string, _flags: DiffFlags, command: Command) =>
      finish(await diff(from, to, command.optsWithGlobals<DiffFlags>(), world)),
    );
}

async function describe(dir: string | undefined, flags: ApiFlags, world: World): Promise<ExitCode> {
  const { descriptor, print } = await descriptorOf(dir, flags, world);
  if (flags.out !== undefined) write(resolve(world.workingDirectory, flags.out), descriptor);
  if (flags.json === true) print.json(descriptor);
  else {
    for (const { kind, name, signature } of descriptor.names) print.line(`${kind} ${name}  ${shownInLine(signature)}`);
    tell(descriptor.problems, print);
    print.line(
      `${counted(descriptor.names.length, 'public name')} in ${counted(descriptor.files.length, 'file')}` +
        descriptor.packages
          .map(({ name, version }) => `, ${name}${version === undefined ? '' : ` ${version}`}`)
          .join(''),
    );
  }
  return EXIT.done;
}

async function descriptorOf(
  dir: string | undefined,
  flags: ApiFlags,
  world: World,
): Promise<{ descriptor: ApiDescriptor; print: Printer }> {
  let found: { descriptor: ApiDescriptor; print: Printer } | undefined;
  const root = dir === undefined ? flags.root : resolve(world.workingDirectory, dir);
  await withService(
    'api',
    { ...flags, ...(root === undefined ? {} : { root }) },
    world,
    async ({ service, call, print }) => {
      const descriptor = await service.ask(
        'codeplan/api',
        flags.base === undefined ? {} : { revision: flags.base },
        call,
      );
      found = { descriptor, print };
      return EXIT.done;
    },
  );
  if (found === undefined) throw new Error('the service ended without an answer');
  return found;
}

async function diff(from: string, to: string, flags: DiffFlags, world: World): Promise<ExitCode> {
  const [before, after] = [await version(from, flags, world), await version(to, flags, world)];
  const { changeDocument } = await import('../engine/api-document.js');
  const { grammarsOfThread } = await import('../io/index/grammar-bytes.js');
  const change = await changeDocument(before, after, await grammarsOfThread(), world.signal);
  const print = printerFor(world, flags.quiet === true);
  if (flags.out !== undefined) write(resolve(world.workingDirectory, flags.out), change);
  if (flags.json === true) print.json(change);
  else {
    for (const { tier, reason } of change.changes) print.line(`${tier}  ${shownInLine(reason)}`);
    tell(change.problems, print);
    print.line(
      `${counted(change.changes.length, 'public change')}: ${change.breaks} ` +
        `${change.breaks === 1 ? 'breaks' : 'break'} users, ${change.may} may` +
        (change.problems.length === 0 ? '' : `; not known as a whole (${counted(change.problems.length, 'problem')})`),
    );
  }
  if (flags.failOn === 'never') return EXIT.done;
  // What could not be read may break somebody.
  const counts = { breaks: change.breaks, may: change.breaks + change.may };
  return counts[flags.failOn] + change.problems.length > 0 ? EXIT.open : EXIT.done;
}

function tell(problems: readonly Problem[], print: Printer): void {
  for (const { file, message } of problems) print.note(file === undefined ? message : `${shownName(file)}: ${message}`);
}

/** A descriptor from a file, or of a folder. */
async function version(place: string, flags: DiffFlags, world: World): Promise<ApiDescriptor> {
  const path = resolve(world.workingDirectory, place);
  if (!existsSync(path))
    throw new ServiceError(
      'root',
      `${shownName(place)} does not exist; give a folder, or a file that "codeplan api --out" wrote`,
    );
  if (statSync(path).isDirectory()) return (await descriptorOf(path, flags, world)).descriptor;
  const { readApi } = await import('../io/disk/change-file.js');
  return readApi(path);
}

function write(path: string, document: ApiDescriptor | ChangeFile): void {
  try {
    writeAtomically(realFileSystem, path, `${shownJson(document)}\n`, { mode: undefined, durable: false });
  } catch (error) {
    throw new ServiceError(
      'write',
      `cannot write to ${shownName(path)}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
