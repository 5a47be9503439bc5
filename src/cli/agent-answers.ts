/**
 * `codeplan refs` and `codeplan context`: the answers of the tools for agents, for a person or an agent with a shell
 * alone. The text is the tools' own; with `--json` it is what they give as data.
 */
import type { Command } from 'commander';
import type { AgentTool } from '../agents/agent-tool.js';
import { refs } from '../agents/refs.js';
import { context } from '../agents/repository-tools.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { shownText } from '../base/shown.js';
import { withoutSecrets } from '../context/secrets.js';
import { ServiceError } from '../engine/service.js';
import { wholeNumber, withCommonFlags, type CommonFlags } from './common-flags.js';
import { withService } from './with-service.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface RefsFlags extends CommonFlags {
  readonly depth?: number;
  readonly possible?: boolean;
}

interface ContextFlags extends CommonFlags {
  readonly task?: string;
  readonly tokens?: number;
}

const BLOCK = 'path:Outer.inner, a name that only one block has, or path:line';

export function addAgentAnswers(program: Command, world: World, finish: (code: ExitCode) => void): void {
  withCommonFlags(
    program.command('refs').description('print who uses a block, by file; what is only possible is counted'),
  )
    .argument('<block>', BLOCK)
    .option('--depth <n>', 'callers of callers, as far as this', wholeNumber(1))
    .option('--possible', 'list what rests on a name alone, too')
    .action(async (block: string, { depth, possible, ...flags }: RefsFlags) =>
      finish(await answered(refs, { block, depth, possible }, flags, world)),
    );
  withCommonFlags(
    program.command('context').description('print what to read before an edit, within a budget of tokens'),
  )
    .argument('[blocks...]', BLOCK)
    .option('--task <words>', 'what the edit is to do, where no block is known')
    .option('--tokens <n>', 'the budget', wholeNumber(200))
    .action(async (blocks: string[], { task, tokens, ...flags }: ContextFlags) => {
      if (blocks.length === 0 && task === undefined)
        throw new ServiceError('settings', 'Give blocks, or --task in words.');
      finish(await answered(context, { ...(blocks.length === 0 ? {} : { blocks }), task, tokens }, flags, world));
    });
}

/** Exit code 0 where there is an answer; a call that has to be mended is a failure. */
function answered(tool: AgentTool, given: object, flags: CommonFlags, world: World): Promise<ExitCode> {
  return withService(tool.name, flags, world, async ({ service, call, print, warm }) => {
    await warm();
    const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const answer = await tool.call(service, said, call);
    if (answer.refused === true) throw new ServiceError('settings', answer.text);
    const text = withoutSecrets(shownText(answer.text));
    if (flags.json === true) print.json({ schema: SCHEMA_VERSION, ...answer.structured, text });
    else for (const line of text.split('\n')) print.line(line);
    return EXIT.done;
  });
}
