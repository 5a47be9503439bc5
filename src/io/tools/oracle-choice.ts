/**
 * From settings (or a preset that the person names) to an oracle of the repository.
 *
 * The engine's trees come as texts over the disk; the run itself happens on a copy
 * (`run-oracle.ts`). Findings are compared by content (`oracle/baseline.ts`).
 */
import type { LanguageServerSection, OracleSection } from '#protocol/configuration.js';
import type { Diagnostic as WireDiagnostic } from '#protocol/words.js';
import type { Oracle, OracleRun } from '../../engine/effects.js';
import { ServiceError } from '../../engine/service.js';
import type { Diagnostic, OracleOutcome } from '../../oracle/diagnostic.js';
import type { LanguageId } from '../../syntax/summary.js';
import { compareRuns, NO_RENAMES } from '../../oracle/baseline.js';
import { ownPattern, PATTERNS, type ProblemPattern } from '../../oracle/patterns.js';
import { presetNamed, PRESETS, type OraclePreset } from '../../oracle/presets.js';
import type { TreeContents } from './oracle-tree.js';
import { OUTPUT_BYTES_MAX, runOracle } from './run-oracle.js';
import { isPathInside } from '../../base/paths.js';
import { versionedFiles } from '../process/run-git.js';
import { LINKED_FOLDERS } from '../process/tool-process.js';
import {
  COMMAND_OF_SETTINGS,
  consentTo,
  grantOfTool,
  howToTrust,
  oracleGrant,
  serverGrant,
} from '../settings/tool-trust.js';
import type { Grant, Standing } from '../settings/trust.js';

export interface OracleSources {
  /** A real path. */
  readonly root: string;
  /** The settings' section, or undefined for none. */
  readonly section: OracleSection | undefined;
  /** A preset named in the request, before the settings. */
  readonly preset: string | undefined;
  /** The tests to run, by the preset's names for them; all if undefined. */
  readonly tests?: readonly string[] | undefined;
  /** What the person has said to a grant. */
  readonly standing: (grant: Grant) => Standing;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For the oracle that asks language servers. */
  readonly servers: Readonly<Partial<Record<LanguageId, LanguageServerSection>>>;
  /** Files of the index, in case the root is no git repository. */
  readonly files: () => readonly string[];
}

interface Resolved {
  readonly name: string;
  /** Under which it is trusted. */
  readonly grant: string;
  /** Whether the command is ours and not of some settings. */
  readonly fixed: boolean;
  readonly command: readonly string[];
  readonly pattern: ProblemPattern;
  readonly sources: readonly string[];
  readonly timeoutMs: number;
  readonly first?: { readonly command: readonly string[]; readonly pattern: ProblemPattern };
  readonly tests?: OraclePreset['tests'];
}

/** Asks the configured language servers. */
const LANGUAGE_SERVER = 'language-server';
type Contents = Omit<TreeContents, 'ownTools'>;
/** What the person has said to a tool of the tree: why it may not run, and whether programs of the repository may. */
type Consent = ReturnType<typeof consentTo>;
/** What most presets have too: a check of a whole large repository takes a minute or two. */
const TIMEOUT_MS = 5 * 60_000;
const ALL_SOURCES = ['.py', '.ts', '.tsx', '.js', '.java', '.cs'];

/** Undefined when none is configured. Throws ServiceError: oracle, for an unknown preset or pattern. */
export function oracleOfSettings(sources: OracleSources): Oracle | undefined {
  if ((sources.preset ?? nameIn(sources.section)) === LANGUAGE_SERVER) {
    if (Object.keys(sources.servers).length === 0)
      throw new ServiceError(
        'oracle',
        'no language server is configured to be the oracle: name its command as ' +
          'languageServer.<language>.command in your settings',
      );
    const consent = (tree: Contents): Consent => {
      const consents = Object.entries(sources.servers).map(([language, { command }]) =>
        consentTo(grantOfTool(serverGrant(language), command, tree, false), sources.standing),
      );
      const refused = consents.find(({ refusal }) => refusal !== undefined);
      return refused ?? { ownTools: consents.every(({ ownTools }) => ownTools) };
    };
    return oracle(LANGUAGE_SERVER, sources, consent, async (tree, ownTools, near, signal) => {
      const { checkWithServers } = await import('./language-server-oracle.js');
      return checkWithServers(
        { ...tree, near, servers: sources.servers, environment: sources.environment, ownTools },
        signal,
      );
    });
  }
  const resolved = resolve(sources);
  if (resolved === undefined) return undefined;
  const { grant, fixed, command, pattern, timeoutMs } = resolved;
  if (sources.tests !== undefined && resolved.tests === undefined)
    throw new ServiceError(
      'oracle',
      `${resolved.name} runs no tests by name; ${PRESETS.filter(({ tests }) => tests !== undefined)
        .map(({ name }) => name)
        .join(', ')} do`,
    );
  const asked = sources.tests;
  const toolIn = (tree: Contents): ReturnType<typeof grantOfTool> => grantOfTool(grant, command, tree, fixed);
  const consent = (tree: Contents): Consent => consentTo(toolIn(tree), sources.standing);
  return oracle(resolved.name, sources, consent, async (tree, ownTools, _near, signal) => {
    const { environment } = sources;
    // Trust is of the command without the tests' names: these run nothing that it would not run.
    const whole = asked === undefined || resolved.tests === undefined ? command : resolved.tests.command(asked);
    const results = asked === undefined ? undefined : resolved.tests?.results;
    const run = {
      ...tree,
      command: whole,
      pattern,
      ...(results === undefined ? {} : { results }),
      ...(resolved.first === undefined ? {} : { first: resolved.first }),
      environment,
      ownTools,
      timeoutMs,
      sources: resolved.sources,
    };
    const outcome = await runOracle({ ...run, outputBytesMax: OUTPUT_BYTES_MAX }, signal);
    const isMissing = !outcome.ok && outcome.error.kind === 'missing';
    const { ownProgram } = toolIn(tree);
    if (!isMissing || ownTools || ownProgram === undefined) return outcome;
    const message =
      `${outcome.error.message}; the repository has ${ownProgram}, ` + `which runs after "${howToTrust(grant)}"`;
    return { ok: false, error: { kind: 'missing', message } };
  });
}

/** The oracle whose findings on a tree are what `check` says, where `consent` allows it; only errors count. */
function oracle(
  name: string,
  sources: OracleSources,
  consent: (tree: Contents) => Consent,
  check: (tree: Contents, ownTools: boolean, near: ReadonlySet<string>, signal: AbortSignal) => Promise<OracleOutcome>,
): Oracle {
  const contents = async (texts: ReadonlyMap<string, string | undefined>): Promise<Contents> => ({
    root: sources.root,
    files: (await versionedFiles(sources.root, sources.files)).filter((file) => isPathInside(file)),
    overlay: new Map([...texts].map(([file, text]) => [file, text ?? null])),
    linkedFolders: LINKED_FOLDERS,
    environment: sources.environment,
  });
  return {
    name,
    refusal: async () => consent(await contents(new Map())).refusal,
    run: async (texts, near, signal) => {
      const tree = await contents(texts);
      const { ownTools, refusal } = consent(tree);
      if (refusal !== undefined) return { errors: undefined, message: refusal };
      const outcome = await check(tree, ownTools, near, signal);
      if (!outcome.ok) return { errors: undefined, message: outcome.error.message };
      return {
        errors: outcome.diagnostics.filter((diagnostic) => diagnostic.severity === 'error').map(toWire),
        ...(outcome.partly === undefined ? {} : { partly: outcome.partly }),
        ...(outcome.tests === undefined ? {} : { tests: outcome.tests }),
      } satisfies OracleRun;
    },
    fresh: (before, after, textBefore, textAfter) => {
      const comparison = compareRuns(
        { outcome: { ok: true, diagnostics: before.map(fromWire) }, lineText: lineOf(textBefore) },
        { outcome: { ok: true, diagnostics: after.map(fromWire) }, lineText: lineOf(textAfter) },
        NO_RENAMES,
      );
      return comparison.kind === 'compared' ? comparison.fresh.map((entry) => toWire(entry.diagnostic)) : [];
    },
  };
}

const nameIn = (section: OracleSection | undefined): string | undefined =>
  section !== undefined && 'preset' in section ? section.preset : undefined;

function resolve({ section, preset }: OracleSources): Resolved | undefined {
  const name = preset ?? nameIn(section);
  if (name !== undefined) {
    if (name === 'none') return undefined;
    const found = presetNamed(name);
    if (found === undefined)
      throw new ServiceError(
        'oracle',
        `there is no oracle named ${name}; the known ones are ` +
          `${[...PRESETS.map((known) => known.name), LANGUAGE_SERVER].join(', ')}, and codeplan.json can name ` +
          'a command of your own',
      );
    return {
      name,
      grant: oracleGrant(name),
      fixed: true,
      command: found.command,
      pattern: PATTERNS[found.pattern],
      sources: found.sources,
      timeoutMs: found.timeoutMs,
      ...(found.first === undefined
        ? {}
        : { first: { command: found.first.command, pattern: PATTERNS[found.first.pattern] } }),
      ...(found.tests === undefined ? {} : { tests: found.tests }),
    };
  }
  if (section === undefined || !('command' in section)) return undefined;
  const known = Object.entries(PATTERNS).find(([key]) => key === section.pattern)?.[1];
  const own = known === undefined ? ownPattern(section.pattern) : { ok: true as const, pattern: known };
  if (!own.ok) throw new ServiceError('oracle', `the oracle's pattern cannot be used: ${own.message}`);
  return {
    name: section.command[0] as string,
    grant: oracleGrant(COMMAND_OF_SETTINGS),
    fixed: false,
    command: section.command,
    pattern: own.pattern,
    sources: ALL_SOURCES,
    timeoutMs: section.timeoutSeconds === undefined ? TIMEOUT_MS : section.timeoutSeconds * 1000,
  };
}

const lineOf =
  (textOf: (file: string) => string | undefined) =>
  (file: string, line: number): string | undefined =>
    textOf(file)?.split('\n')[line - 1];

function toWire(diagnostic: Diagnostic): WireDiagnostic {
  const { file, line, column, severity, code, message } = diagnostic;
  return {
    file,
    line,
    column: Math.max(0, column - 1),
    severity: severity === 'info' ? 'information' : severity,
    message,
    ...(code === undefined ? {} : { code }),
  };
}

function fromWire(diagnostic: WireDiagnostic): Diagnostic {
  const { file, line, column, severity, code, message } = diagnostic;
  return {
    file,
    line,
    column: column + 1,
    severity: severity === 'error' || severity === 'warning' ? severity : 'info',
    message,
    ...(code === undefined ? {} : { code }),
  };
}
