/**
 * Everything that `codeplan trust` would switch on for a repository: whose it is, the sections of its
 * settings, and the tools that would run something of it, each with all that it would run.
 */
import { basename } from 'node:path';
import type { LanguageServerSection } from '#protocol/configuration.js';
import { ServiceError } from '../../engine/service.js';
import { isHintedAt, presetNamed, PRESETS } from '../../oracle/presets.js';
import { stateFolder } from '../disk/folders.js';
import { ownerToTrust } from './owner.js';
import { allowForeignRepository, versionedFiles } from '../process/run-git.js';
import { scan } from '../index/scan.js';
import { readSettings, readTrustRequest, type SettingsSource, type TrustRequest } from './settings.js';
import { COMMAND_OF_SETTINGS, grantOfTool, oracleGrant, serverGrant, type ToolGrant } from './tool-trust.js';
import { grantOfOwner, grantOfSettings, standingOf, type Grant } from './trust.js';

export interface TrustOffer {
  /** Number of the other user whose the repository is. */
  readonly owner: number | undefined;
  readonly settings: TrustRequest | undefined;
  readonly tools: readonly ToolGrant[];
  /** All of it. */
  readonly grants: readonly Grant[];
  /** Those that do not hold now. */
  readonly missing: readonly Grant[];
}

/**
 * `presets`: oracles that are offered whether or not the repository hints at them. Throws ServiceError: settings,
 * oracle.
 */
export async function trustOffer(
  source: SettingsSource,
  presets: readonly string[],
  signal: AbortSignal,
): Promise<TrustOffer> {
  const { realRoot } = source;
  const owner = ownerToTrust(realRoot);
  // Only its files are listed, by a git that runs nothing of it.
  if (owner !== undefined) allowForeignRepository(owner.repository);
  const settings = readTrustRequest(source);
  const tools = await toolsOf(source, settings, presets, signal);
  const grants: Grant[] = [
    ...(owner === undefined ? [] : [grantOfOwner(owner.user)]),
    ...(settings === undefined ? [] : [grantOfSettings(settings.sections)]),
    ...tools,
  ];
  const state = stateFolder(source.environment);
  const missing = grants.filter((grant) => standingOf(state, realRoot, grant).kind !== 'granted');
  return { owner: owner?.user, settings, tools, grants, missing };
}

async function toolsOf(
  source: SettingsSource,
  settings: TrustRequest | undefined,
  presets: readonly string[],
  signal: AbortSignal,
): Promise<ToolGrant[]> {
  const { configuration } = readSettings(source);
  const oracle = settings?.sections.oracle ?? configuration.oracle;
  const servers: Readonly<Record<string, LanguageServerSection>> = {
    ...configuration.languageServer,
    ...settings?.sections.languageServer,
  };
  const place = {
    root: source.realRoot,
    files: await listed(source, signal),
    overlay: new Map<string, string | null>(),
  };
  const named = [...presets, ...(oracle !== undefined && 'preset' in oracle ? [oracle.preset] : [])];
  for (const name of presets)
    if (presetNamed(name) === undefined)
      throw new ServiceError(
        'oracle',
        `there is no oracle named ${name}; the known ones are ${PRESETS.map((known) => known.name).join(', ')}`,
      );
  const names = [...new Set(place.files.map((file) => basename(file)))];
  const tools = PRESETS.map((preset) => ({
    tool: grantOfTool(oracleGrant(preset.name), preset.command, place, true),
    isMeant: named.includes(preset.name) || isHintedAt(preset, names),
  }))
    .filter(({ tool, isMeant }) => tool.ownProgram !== undefined || (isMeant && tool.needed))
    .map(({ tool }) => tool);
  if (oracle !== undefined && 'command' in oracle)
    tools.push(grantOfTool(oracleGrant(COMMAND_OF_SETTINGS), oracle.command, place, false));
  for (const [language, { command }] of Object.entries(servers))
    tools.push(grantOfTool(serverGrant(language), command, place, false));
  return tools.filter((tool) => tool.needed || tool.ownProgram !== undefined);
}

async function listed(source: SettingsSource, signal: AbortSignal): Promise<readonly string[]> {
  const { sources } = await scan(source.realRoot, { exclude: [], signal });
  return versionedFiles(source.realRoot, () => sources.map(({ path }) => path));
}
