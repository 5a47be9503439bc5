/** `codeplan undo [run]`: put back the bytes from before a run. */
import type { Command } from 'commander';
import { shownName } from '../base/shown.js';
import { withCommonFlags, type CommonFlags } from './common-flags.js';
import { withService } from './with-service.js';
import { EXIT, type ExitCode, type World } from './world.js';

export function addUndo(program: Command, world: World, finish: (code: ExitCode) => void): void {
  withCommonFlags(
    program
      .command('undo')
      .argument('[run]', 'which run (default: the newest that was applied)')
      .description('take an applied run back'),
  ).action(async (run: string | undefined, flags: CommonFlags) => finish(await undo(run, flags, world)));
}

function undo(run: string | undefined, flags: CommonFlags, world: World): Promise<ExitCode> {
  return withService('undo', flags, world, async ({ service, call, print }) => {
    const report = await service.ask('codeplan/undo', run === undefined ? {} : { run }, call);
    if (flags.json === true) print.json(report);
    else {
      for (const file of report.files) print.line(`  ${shownName(file)}`);
      print.line(`Took run ${report.run} back.`);
    }
    return EXIT.done;
  });
}
