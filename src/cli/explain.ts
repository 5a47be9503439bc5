/** `codeplan explain --prompt <step>`: exactly what a model would be sent for a step, and to whom. */
import { Option, type Command } from 'commander';
import type { PromptReport } from '#protocol/prompt.js';
import { shownName } from '../base/shown.js';
import { withCommonFlags, type CommonFlags } from './common-flags.js';
import { withService } from './with-service.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface ExplainFlags extends CommonFlags {
  readonly prompt: string;
  readonly base?: string;
  readonly task?: string;
  readonly without?: 'temporal' | 'spatial';
}

export function addExplain(program: Command, world: World, finish: (code: ExitCode) => void): void {
  withCommonFlags(
    program.command('explain').description('show what a model would be sent for a step of the plan; sends nothing'),
  )
    .requiredOption('--prompt <step>', 'the step: its number, or its block as path::Outer.inner')
    .option('--base <revision>', 'compare with this revision, or :index for what is staged (default: the last commit)')
    .option('--task <words>', 'the task in words')
    .addOption(new Option('--without <part>', 'leave a part of the context out').choices(['temporal', 'spatial']))
    .action(async (flags: ExplainFlags) => finish(await explain(flags, world)));
}

function explain(flags: ExplainFlags, world: World): Promise<ExitCode> {
  return withService('explain', flags, world, async ({ service, call, print }) => {
    const report = await service.ask(
      'codeplan/prompt',
      {
        step: flags.prompt,
        ...(flags.base === undefined ? {} : { base: flags.base }),
        ...(flags.task === undefined ? {} : { instruction: flags.task }),
        ...(flags.without === undefined ? {} : { without: [flags.without] }),
      },
      call,
    );
    if (flags.json === true) print.json(report);
    else for (const line of promptLines(report)) print.line(line);
    return EXIT.done;
  });
}

function promptLines(report: PromptReport): string[] {
  const to = report.to === null ? 'nobody: no model endpoint is configured' : `${report.model ?? ''} at ${report.to}`;
  const head = [
    `${shownName(report.file)}::${report.block}`,
    `To ${to}, about ${report.tokens} tokens: ` +
      `${report.parts.map(({ part, tokens }) => `${part} ${tokens}`).join(', ')}.`,
    ...(report.leftOut === undefined ? [] : [`Left out, so that it fits: ${report.leftOut.join(', ')}.`]),
    ...(report.refused === undefined ? [] : [`It would not be sent: ${report.refused}.`]),
  ];
  return [...head, ...report.messages.flatMap(({ role, content }) => ['', `--- ${role} ---`, ...content.split('\n')])];
}
