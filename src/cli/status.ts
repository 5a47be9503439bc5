/** `codeplan status`: what the index holds; never starts a daemon. */
import type { Command } from 'commander';
import { withCommonFlags, type CommonFlags } from './common-flags.js';
import { statusLines } from './status-text.js';
import { withService } from './with-service.js';
import { EXIT, type ExitCode, type World } from './world.js';

export function addStatus(program: Command, world: World, finish: (code: ExitCode) => void): void {
  withCommonFlags(
    program.command('status').description('print what the index holds, how it is kept warm, and who is connected'),
  ).action(async (flags: CommonFlags) => finish(await status(flags, world)));
}

function status(flags: CommonFlags, world: World): Promise<ExitCode> {
  return withService('status', flags, world, async ({ service, call, print, warm }) => {
    await warm();
    const known = await service.ask('codeplan/status', {}, call);
    // Asking how far the index is must not wait for it.
    const report =
      known.state === 'ready' ? { ...known, left: (await service.ask('codeplan/left', {}, call)).counts } : known;
    if (flags.json === true) print.json(report);
    else for (const line of statusLines(report, print.paint)) print.line(line);
    return EXIT.done;
  });
}
