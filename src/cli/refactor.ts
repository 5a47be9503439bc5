/**
 * `codeplan refactor`: make an edit by its name, and all that follows from it: a block or a file gets
 * another name, blocks go to another file, a function gets another signature.
 */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Refactoring } from '#protocol/refactor.js';
import { leftWords } from '../engine/left-words.js';
import { ServiceError } from '../engine/service.js';
import { withCommonFlags, type CommonFlags } from './common-flags.js';
import { planOptionsOf, withPlanOptions, type PlanFlags } from './plan-flags.js';
import { told } from './plan-told.js';
import { withService, type CommandContext } from './with-service.js';
import type { ExitCode, World } from './world.js';

interface RefactorFlags extends CommonFlags, PlanFlags {
  readonly related?: boolean;
}

interface RenameFlags extends RefactorFlags {
  readonly keepExports?: boolean;
}

interface MoveFlags extends RefactorFlags {
  readonly to: string;
  readonly all?: string;
}

interface SignatureFlags extends RefactorFlags {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly rename?: readonly { readonly from: string; readonly to: string }[];
  readonly order?: readonly string[];
  readonly async?: boolean;
  readonly sync?: boolean;
}

const BLOCK =
  'path:Outer.inner, a name that only one block has, or path:line; (types) behind it for one overload, ' +
  '(name) for a parameter or variable of it';
const EXAMPLES = `
Examples:
  codeplan refactor rename store.py:Store.put insert --apply
  codeplan refactor rename "store.py:Store.put(key)" name
  codeplan refactor rename-file src/store.ts src/depot.ts --mentions docs
  codeplan refactor move text.py:clean text.py:LIMIT --to words.py
  codeplan refactor move --all _helpers.py --to helpers.py
  codeplan refactor signature store.py:Store.put --add "ttl: int = 60" --value ttl@tests=1

It makes the edit in memory and plans what follows, as "codeplan propagate" does for an edit by hand.
Nothing is written without --apply.
Exit codes: 0 all is done, 1 something is open or not yet applied, 2 failure, or it cannot be made.`;

export function addRefactor(program: Command, world: World, finish: (code: ExitCode) => void): void {
  const refactor = program
    .command('refactor')
    .description('rename, move or change a signature, with all that follows; write it with --apply')
    .addHelpText('after', EXAMPLES);
  const run = async (refactoring: Refactoring, flags: RefactorFlags): Promise<void> =>
    finish(await refactored(refactoring, flags, world));
  const command = (name: string, description: string): Command =>
    withPlanOptions(withCommonFlags(refactor.command(name).description(description)));
  command('rename', 'give a block, a parameter or a variable another name')
    .argument('<block>', BLOCK)
    .argument('<name>', 'the new name')
    .option('--related', 'say what else is called like it; nothing of that is renamed')
    .option('--keep-exports', 'packages go on to export it under its old name')
    .action((block: string, to: string, flags: RenameFlags) =>
      run({ kind: 'rename', block, to, ...(flags.keepExports === true ? { keepExports: true } : {}) }, flags),
    );
  command('rename-file', 'give a file another path')
    .argument('<old>', 'path of the file, relative to the root')
    .argument('<new>', 'its new path')
    .action((from: string, to: string, flags: RefactorFlags) => run({ kind: 'rename-file', from, to }, flags));
  command('move', 'put blocks into another file, which is made if there is none')
    .argument('[blocks...]', `${BLOCK}; path:line also means the statement on that line`)
    .requiredOption('--to <file>', 'where they go, relative to the root')
    .option('--all <file>', 'move all that is in this file, and delete it')
    .action((blocks: string[], flags: MoveFlags) => run(moveAsked(blocks, flags), flags));
  command('signature', 'change the parameters of a function, or make it async')
    .argument('<block>', BLOCK)
    .option('--add <parameter>', '"name: type = default"; may be given again', gathered)
    .option('--remove <name>', 'drop a parameter; may be given again', gathered)
    .option('--rename <old=new>', 'give a parameter another name; may be given again', renaming)
    .option('--order <names>', 'all parameters in their new order, with commas between', (text: string) =>
      text.split(',').map((name) => name.trim()),
    )
    .addOption(new Option('--async', 'make it async').conflicts('sync'))
    .option('--sync', 'make it no longer async')
    .action((block: string, flags: SignatureFlags) => run(signatureAsked(block, flags), flags));
}

function refactored(refactoring: Refactoring, flags: RefactorFlags, world: World): Promise<ExitCode> {
  return withService('refactor', flags, world, async (context) => {
    const params = {
      refactoring,
      ...planOptionsOf(flags, world.workingDirectory),
      ...(flags.related === true ? { related: true } : {}),
    };
    const code = told(await context.service.ask('codeplan/refactor', params, context.call), flags, context, world);
    if (flags.apply === true && flags.json !== true) await tellTheRest(context);
    return code;
  });
}

/** The plan is of this refactoring alone, and what earlier edits left is not in its sum. */
async function tellTheRest({ service, call, print }: CommandContext): Promise<void> {
  const { counts } = await service.ask('codeplan/left', {}, call);
  if (counts.left > 0) print.line(`In all, earlier edits included: ${leftWords(counts)}. The nearest: codeplan next`);
}

function moveAsked(blocks: readonly string[], { to, all }: MoveFlags): Refactoring {
  if ((all === undefined) === (blocks.length === 0))
    throw new ServiceError('refused', 'name the blocks to move, or --all and a file');
  return all === undefined ? { kind: 'move', blocks: [...blocks], to } : { kind: 'move-all', from: all, to };
}

function signatureAsked(block: string, { add, remove, rename, order, async, sync }: SignatureFlags): Refactoring {
  const asked: Refactoring = {
    kind: 'signature',
    block,
    ...(add === undefined ? {} : { add: [...add] }),
    ...(remove === undefined ? {} : { remove: [...remove] }),
    ...(rename === undefined ? {} : { rename: [...rename] }),
    ...(order === undefined ? {} : { order: [...order] }),
    ...(async === true ? { async: true } : sync === true ? { async: false } : {}),
  };
  if (Object.keys(asked).length === 2)
    throw new ServiceError('refused', 'say what to change: --add, --remove, --rename, --order, --async or --sync');
  return asked;
}

const gathered = (text: string, known: readonly string[] = []): readonly string[] => [...known, text];

function renaming(
  text: string,
  known: readonly { readonly from: string; readonly to: string }[] = [],
): readonly { readonly from: string; readonly to: string }[] {
  const [, from, to] = /^\s*(\S+?)\s*=\s*(\S+)\s*$/u.exec(text) ?? [];
  if (from === undefined || to === undefined) throw new InvalidArgumentError('give it as old=new.');
  return [...known, { from, to }];
}
