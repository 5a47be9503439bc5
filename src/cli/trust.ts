/**
 * `codeplan trust`: show what the repository's settings may run and where they may send code, and
 * allow exactly that. Another content has to be allowed anew.
 */
import type { Command } from 'commander';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { shownJson, shownName } from '../base/shown.js';
import { stateFolder } from '../io/folders.js';
import { readTrustRequest, SETTINGS_FILE } from '../io/settings.js';
import { grantTrust, withdrawTrust } from '../io/trust.js';
import { resolveRoot, withCommonFlags, type CommonFlags } from './common-flags.js';
import { printerFor } from './print.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface TrustFlags extends CommonFlags {
  readonly show?: boolean;
  readonly withdraw?: boolean;
}

export function addTrust(program: Command, world: World, finish: (code: ExitCode) => void): void {
  withCommonFlags(
    program.command('trust').description("allow the commands and endpoints that this repository's settings name"),
  )
    .option('--show', 'only print them')
    .option('--withdraw', 'take the permission back')
    .action(async (flags: TrustFlags) => finish(await trust(flags, world)));
}

async function trust(flags: TrustFlags, world: World): Promise<ExitCode> {
  const print = printerFor(world, flags.quiet === true);
  const root = await resolveRoot(flags, world.workingDirectory);
  const folder = stateFolder(world.environment);
  const request = readTrustRequest({
    realRoot: root,
    environment: world.environment,
    ...(flags.config === undefined ? {} : { configFile: flags.config }),
  });
  const grants = request !== undefined && flags.show !== true && flags.withdraw !== true;
  if (flags.withdraw === true) withdrawTrust(folder, root);
  if (grants) grantTrust(folder, root, request.sections);
  const trusted = request === undefined ? null : grants || (flags.withdraw !== true && request.trusted);
  if (flags.json === true) {
    print.json({ schema: SCHEMA_VERSION, root, trusted, sections: request?.sections ?? {} });
    return EXIT.done;
  }
  if (request === undefined) {
    print.line(`${SETTINGS_FILE} of ${shownName(root)} names no commands and no endpoints; there is nothing to trust.`);
    return EXIT.done;
  }
  print.line(`${shownName(request.file)} says:`);
  for (const line of shownJson(request.sections, 2).split('\n')) print.line(line);
  print.line(
    trusted === true
      ? `This is trusted for ${shownName(root)}, as long as it does not change. A running daemon takes it up with "codeplan daemon restart".`
      : `This is not trusted for ${shownName(root)}.`,
  );
  return EXIT.done;
}
