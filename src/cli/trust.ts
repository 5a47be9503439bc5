/**
 * `codeplan trust`: shows all that would be switched on (whose the repository is, what its settings
 * may run and where they may send code, each tool with each file that it would run), asks, and allows
 * exactly that. Whatever changes has to be allowed anew.
 */
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { shownJson, shownName } from '../base/shown.js';
import { stateFolder } from '../io/disk/folders.js';
import { trustOffer, type TrustOffer } from '../io/settings/trust-offer.js';
import { SecretPermits } from '../io/settings/secret-permits.js';
import { grantTrust, withdrawTrust } from '../io/settings/trust.js';
import { resolveRoot, withCommonFlags, type CommonFlags } from './common-flags.js';
import { printerFor, type Printer } from './print.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface TrustFlags extends CommonFlags {
  readonly show?: boolean;
  /** True without a fingerprint. */
  readonly withdraw?: boolean | string;
  readonly yes?: boolean;
  readonly oracle: readonly string[];
}

export function addTrust(program: Command, world: World, finish: (code: ExitCode) => void): void {
  withCommonFlags(program.command('trust').description('show what this repository would run and reach, and allow it'))
    .option('--show', 'only print it')
    .option('--yes', 'allow it without asking')
    .option(
      '--withdraw [fingerprint]',
      'take every permission back, or only that to send what looks like a secret and has this fingerprint',
    )
    .option(
      '--oracle <preset>',
      'allow this oracle too; may be repeated',
      (name, before: string[]) => [...before, name],
      [],
    )
    .action(async (flags: TrustFlags) => finish(await trust(flags, world)));
}

async function trust(flags: TrustFlags, world: World): Promise<ExitCode> {
  const print = printerFor(world, flags.quiet === true);
  const root = await resolveRoot(flags, world.workingDirectory);
  const folder = stateFolder(world.environment);
  const permits = new SecretPermits(folder, root);
  if (typeof flags.withdraw === 'string') return withdrawOne(permits, flags.withdraw, print);
  if (flags.withdraw === true) {
    withdrawTrust(folder, root);
    permits.withdraw();
  }
  const source = {
    realRoot: root,
    environment: world.environment,
    ...(flags.config === undefined ? {} : { configFile: flags.config }),
  };
  const offer = await trustOffer(source, flags.oracle, world.signal);
  const isNothing = offer.grants.length === 0;
  if (flags.json !== true) {
    if (isNothing) print.line(`${shownName(root)} names no commands and no endpoints; there is nothing to trust.`);
    for (const line of shown(offer, root)) print.line(line);
    for (const one of permits.all()) print.line(`Sent to a model although it looks like a secret: ${one}`);
  }
  const wanted = !isNothing && flags.show !== true && flags.withdraw !== true;
  const grants = wanted && (offer.missing.length === 0 || flags.yes === true || (await agrees(flags, world)));
  if (grants) grantTrust(folder, root, offer.grants);
  const trusted = isNothing ? null : grants || (flags.withdraw !== true && offer.missing.length === 0);
  if (flags.json === true) print.json({ ...documentOf(offer, root, trusted), sentAnyway: permits.all() });
  else if (trusted === true) print.line(`This is trusted for ${shownName(root)}, as long as nothing of it changes.`);
  else if (trusted === false) print.line(`This is not trusted for ${shownName(root)}.`);
  if (!wanted || grants) return EXIT.done;
  print.note('nothing was allowed; answer y on a terminal, or add --yes once you have looked at it');
  return EXIT.failed;
}

/** A fingerprint that was never allowed is said to be so: nothing was taken back. */
function withdrawOne(permits: SecretPermits, fingerprint: string, print: Printer): ExitCode {
  const isGone = permits.withdraw(fingerprint) > 0;
  print.line(isGone ? `${fingerprint} is held back again.` : `${fingerprint} was not allowed; nothing changed.`);
  return isGone ? EXIT.done : EXIT.failed;
}

/** Without a terminal nobody can be asked, and silence is no consent. */
async function agrees(flags: TrustFlags, world: World): Promise<boolean> {
  const isTerminal = 'isTTY' in world.stdin && world.stdin.isTTY === true && world.stdout.isTTY === true;
  if (!isTerminal || flags.json === true) return false;
  const terminal = createInterface({ input: world.stdin, output: world.stdout });
  try {
    return /^y(?:es)?$/iu.test((await terminal.question('Allow all of this? [y/N] ', { signal: world.signal })).trim());
  } finally {
    terminal.close();
  }
}

function shown({ owner, settings, tools }: TrustOffer, root: string): string[] {
  const lines: string[] = [];
  if (owner !== undefined) lines.push(`${shownName(root)} belongs to another user (${owner}).`);
  if (settings !== undefined)
    lines.push(`${shownName(settings.file)} says:`, ...shownJson(settings.sections, 2).split('\n'));
  for (const { name, command, ownProgram, facts, items } of tools) {
    lines.push(`${name}: ${command.map(shownName).join(' ')}`);
    if (ownProgram !== undefined) lines.push(`  the program is the repository's own: ${shownName(ownProgram)}`);
    if (!facts.onlyReads) lines.push(`  it runs ${facts.runs}`);
    for (const item of [...items.keys()].slice(1)) lines.push(`    ${shownName(item)}`);
  }
  return lines;
}

function documentOf({ owner, settings, tools }: TrustOffer, root: string, trusted: boolean | null): object {
  return {
    schema: SCHEMA_VERSION,
    root,
    trusted,
    owner: owner ?? null,
    sections: settings?.sections ?? {},
    tools: tools.map(({ name, command, ownProgram, facts, items }) => ({
      name,
      command,
      ownProgram: ownProgram ?? null,
      runs: facts.runs,
      items: Object.fromEntries(items),
    })),
  };
}
