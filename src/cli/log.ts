/** `codeplan log`: the runs that wrote to the disk, newest first. */
import type { Command } from 'commander';
import { shownInLine, shownName } from '../base/shown.js';
import { withCommonFlags, type CommonFlags } from './common-flags.js';
import { counted } from '../base/counted.js';
import { withService } from './with-service.js';
import { EXIT, type ExitCode, type World } from './world.js';

export function addLog(program: Command, world: World, finish: (code: ExitCode) => void): void {
  withCommonFlags(program.command('log').description('list the runs that wrote to the disk')).action(
    async (flags: CommonFlags) => finish(await log(flags, world)),
  );
}

function log(flags: CommonFlags, world: World): Promise<ExitCode> {
  return withService('log', flags, world, async ({ service, call, print }) => {
    const report = await service.ask('codeplan/log', {}, call);
    if (flags.json === true) print.json(report);
    else if (report.entries.length + report.damaged.length === 0) print.line('No run has written anything here.');
    else {
      for (const entry of report.entries)
        print.line(
          `${print.paint(entry.run, 'bold')}  ${entry.time}  ${entry.state}  ` +
            `${counted(entry.files.length, 'file')}  ${shownInLine(entry.title)}`,
        );
      for (const { run, problem, folder } of report.damaged)
        print.line(
          `${print.paint(run, 'bold')}  damaged: ${problem}; what it holds of your files lies in ${shownName(folder)}`,
        );
    }
    return EXIT.done;
  });
}
