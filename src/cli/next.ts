/** `codeplan next`: the place to look at next of what is left, with its edit; or all that is left. */
import { isAbsolute, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import type { LeftEntry, NextReport } from '#protocol/left.js';
import { shownInLine, shownName, shownText } from '../base/shown.js';
import { ServiceError } from '../engine/service.js';
import { withCommonFlags, type CommonFlags } from './common-flags.js';
import { leftWords } from '../engine/left-words.js';
import type { Paint } from './print.js';
import { withService } from './with-service.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface NextFlags extends CommonFlags {
  readonly all?: boolean;
  readonly dismiss?: string;
}

/** `path`, `path:12` or `path:12:4`. */
const PLACE = /^(.*?)(?::(\d+)(?::(\d+))?)?$/su;

export function addNext(program: Command, world: World, finish: (code: ExitCode) => void): void {
  withCommonFlags(
    program.command('next').description('print the place to look at next, with its edit where a rule has one'),
  )
    .argument('[place]', 'where you are: path, or path:line')
    .option('--all', 'list all that is left')
    .option('--dismiss <id>', 'this entry (an id that --all prints) need not follow')
    .addHelpText('after', '\nExit codes: 0 nothing is left, 1 something is, 2 failure.')
    .action(async (place: string | undefined, flags: NextFlags) => finish(await next(place, flags, world)));
}

function next(place: string | undefined, flags: NextFlags, world: World): Promise<ExitCode> {
  return withService('next', flags, world, async ({ service, call, print, root }) => {
    if (flags.dismiss !== undefined) {
      const { entries } = await service.ask('codeplan/left', {}, call);
      if (!entries.some(({ id }) => id === flags.dismiss))
        throw new ServiceError(
          'unknownBlock',
          `nothing that is left has the id ${flags.dismiss}; "codeplan next --all" lists them`,
        );
      const { counts } = await service.ask('codeplan/decide', { ids: [flags.dismiss], as: 'dismissed' }, call);
      if (flags.json !== true) print.line(leftWords(counts));
    }
    if (flags.all === true) {
      const report = await service.ask('codeplan/left', { plan: true }, call);
      if (flags.json === true) print.json(report);
      else {
        for (const entry of report.entries)
          print.line(`${entryLine(entry, print.paint)}  ${print.paint(entry.id, 'dim')}`);
        for (const line of report.says) print.line(line);
      }
      return report.counts.left > 0 ? EXIT.open : EXIT.done;
    }
    const report = await service.ask('codeplan/next', placeIn(place, root, world.workingDirectory), call);
    if (flags.json === true) print.json(report);
    else for (const line of nextLines(report, print.paint)) print.line(line);
    return report.counts.left > 0 ? EXIT.open : EXIT.done;
  });
}

function placeIn(place: string | undefined, root: string, folder: string): { file?: string; line?: number } {
  const [, path, line] = PLACE.exec(place ?? '') ?? [];
  if (path === undefined || path === '') return {};
  const file = relative(root, resolve(folder, path));
  if (file.startsWith('..') || isAbsolute(file)) throw new ServiceError('root', `${path} lies outside of ${root}`);
  return { file: file.replaceAll('\\', '/'), ...(line === undefined || line === '0' ? {} : { line: Number(line) }) };
}

function nextLines({ place, edit, says, counts }: NextReport, paint: Paint): string[] {
  if (place === null) return [leftWords(counts)];
  const [, ...more] = says;
  return [
    entryLine(place, paint),
    ...more.map((line) => `  ${line}`),
    ...(edit?.lines ?? []).flatMap(({ removed, added }) => [
      ...removed.map((line) => paint(`  -${shownText(line)}`, 'red')),
      ...added.map((line) => paint(`  +${shownText(line)}`, 'green')),
    ]),
    leftWords(counts),
  ];
}

function entryLine(entry: LeftEntry, paint: Paint): string {
  const tier = paint(entry.tier.padEnd(6), entry.tier === 'breaks' ? 'red' : 'yellow');
  const beside = entry.beside === '' ? '' : `  (${entry.beside})`;
  return (
    `${tier}  ${shownName(entry.file)}:${entry.line}  ${shownInLine(entry.block)}  ` +
    `${shownInLine(entry.fact)}${beside}`
  );
}
