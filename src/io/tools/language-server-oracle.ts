/**
 * A language server as the check of the repository: what it reports on the files of a tree that is
 * not on the disk yet.
 *
 * The server works in a private copy with the overlay (`oracle-tree.ts`), so it sees new, moved and
 * deleted files as they will be, and whatever it writes goes with the copy. Every source of its
 * language is opened, since servers report on open files only; of a large repository those that the
 * plan is about, and the answer says so. A server that says so is asked for
 * each file; any other is heard until it has said something about every file and then nothing for
 * a while. What it did not get to say in time makes the run a failure, never a clean one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as z from 'zod';
import type { LanguageServerSection } from '#protocol/configuration.js';
import type { ServerReply } from '../../engine/effects.js';
import { languageOf } from '../../languages/registry.js';
import type { Diagnostic, OracleOutcome } from '../../oracle/diagnostic.js';
import type { LanguageId } from '../../syntax/summary.js';
import { LanguageServer } from './language-server.js';
import { layOut, type OracleTree, type TreeContents } from './oracle-tree.js';
import { lspLanguageId } from './reference-server.js';
import { sourceBytes } from '../disk/repository-file.js';
import { decodeSource } from '../disk/source-text.js';

export interface ServerCheck extends TreeContents {
  /** The files that matter most, for a repository that has more than a server can hold. */
  readonly near: ReadonlySet<string>;
  readonly servers: Readonly<Partial<Record<LanguageId, LanguageServerSection>>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Servers keep a syntax tree of every open file. */
const FILES_MOST = 1000;
/** For all files of one language, where the settings say nothing. */
const TIMEOUT_MS = 180_000;
/** How long a server that was heard on every file must be silent, and how long one that was not. */
const QUIET_MS = { heardAll: 2500, heardSome: 15_000 } as const;
/** Short beside the silence that it waits for. */
const LOOK_MS = 100;

const reported = z.object({
  range: z.object({ start: z.object({ line: z.int().min(0), character: z.int().min(0) }) }),
  severity: z.int().optional(),
  code: z.union([z.string(), z.number()]).optional(),
  message: z.string(),
});
const published = z.object({ uri: z.string(), diagnostics: z.array(reported) });
const pulled = z.object({ items: z.array(reported) });
const pulling = z.object({ diagnosticProvider: z.object({}) });
type Reported = z.infer<typeof reported>;

/** Rejects only with the reason of `signal`, after the servers are gone and the copy is removed. */
export async function checkWithServers(check: ServerCheck, signal: AbortSignal): Promise<OracleOutcome> {
  signal.throwIfAborted();
  const laidOut = await layOut(check, signal);
  if (!laidOut.ok) return { ok: false, error: { kind: 'unreadable', message: laidOut.message } };
  try {
    const diagnostics: Diagnostic[] = [];
    const partly: string[] = [];
    for (const [language, section] of Object.entries(check.servers)) {
      const all = laidOut.tree.files.filter((file) => languageOf(file)?.id === language);
      const files = all.length <= FILES_MOST ? all : all.filter((file) => check.near.has(file));
      if (files.length > FILES_MOST)
        return failed(
          `${section.command[0] ?? ''} is not asked about more than ${FILES_MOST} files, and the plan alone ` +
            `is about ${files.length} in ${language}; use a checker with a command instead`,
        );
      if (files.length < all.length) partly.push(`${files.length} of ${all.length} files in ${language}`);
      if (files.length === 0) continue;
      const said = await reportsOf(check, laidOut.tree, language, section, files, signal);
      if (!said.ok) return failed(said.message);
      diagnostics.push(...said.value);
    }
    return { ok: true, diagnostics, ...(partly.length === 0 ? {} : { partly: partly.join(', ') }) };
  } finally {
    await laidOut.tree.remove();
  }
}

const failed = (message: string): OracleOutcome => ({ ok: false, error: { kind: 'failed', message } });

async function reportsOf(
  check: ServerCheck,
  tree: OracleTree,
  language: string,
  section: LanguageServerSection,
  files: readonly string[],
  signal: AbortSignal,
): Promise<ServerReply<Diagnostic[]>> {
  const timeoutMs = section.timeoutSeconds === undefined ? TIMEOUT_MS : section.timeoutSeconds * 1000;
  const root = tree.realDirectory;
  const started = await LanguageServer.start(
    {
      command: section.command,
      root,
      repository: check.root,
      environment: check.environment,
      ownTools: check.ownTools,
      initializationOptions: section.initializationOptions,
      timeoutMs,
    },
    signal,
  );
  if (!started.ok) return started;
  const server = started.value;
  try {
    const heard = new Heard(server);
    for (const file of files) {
      const bytes = sourceBytes(root, file);
      const source = bytes === undefined ? undefined : decodeSource(bytes);
      if (source?.ok === true) server.open(uriOf(root, file), lspLanguageId(extname(file), language), source.text);
    }
    const uris = files.map((file) => uriOf(root, file));
    const said = pulling.safeParse(server.capabilities).success
      ? await pull(server, uris, signal)
      : await heard.all(uris, timeoutMs, signal);
    if (!said.ok) return said;
    return {
      ok: true,
      value: [...said.value].flatMap(([uri, reports]) => reports.map((report) => diagnosticOf(root, uri, report))),
    };
  } finally {
    await server.stop();
  }
}

const uriOf = (root: string, file: string): string => pathToFileURL(join(root, file)).href;

type Reports = ReadonlyMap<string, readonly Reported[]>;

async function pull(
  server: LanguageServer,
  uris: readonly string[],
  signal: AbortSignal,
): Promise<ServerReply<Reports>> {
  const reports = new Map<string, readonly Reported[]>();
  for (const uri of uris) {
    const answer = await server.request('textDocument/diagnostic', { textDocument: { uri } }, signal);
    if (!answer.ok) return answer;
    const parsed = pulled.safeParse(answer.value);
    if (!parsed.success)
      return { ok: false, message: `${server.name} answered with something that is no list of diagnostics` };
    reports.set(uri, parsed.data.items);
  }
  return { ok: true, value: reports };
}

/** What a server says unasked. */
class Heard {
  private readonly reports = new Map<string, readonly Reported[]>();
  private last = performance.now();
  private nonsense = false;

  constructor(private readonly server: LanguageServer) {
    server.onNotification('textDocument/publishDiagnostics', (params) => {
      const parsed = published.safeParse(params);
      this.last = performance.now();
      if (parsed.success) this.reports.set(parsed.data.uri, parsed.data.diagnostics);
      else this.nonsense = true;
    });
  }

  async all(uris: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<ServerReply<Reports>> {
    const began = performance.now();
    const { name } = this.server;
    for (;;) {
      if (this.nonsense) return { ok: false, message: `${name} published something that is no list of diagnostics` };
      if (this.server.ended !== undefined) return { ok: false, message: this.server.ended };
      const quietMs = performance.now() - this.last;
      const isHeard = uris.every((uri) => this.reports.has(uri));
      if (quietMs > (isHeard ? QUIET_MS.heardAll : QUIET_MS.heardSome) && this.reports.size > 0)
        return { ok: true, value: this.reports };
      if (performance.now() - began > timeoutMs)
        return {
          ok: false,
          message: `${name} did not report on ${uris.length} files within ${Math.round(timeoutMs / 1000)} s`,
        };
      await sleep(LOOK_MS);
      signal.throwIfAborted();
    }
  }
}

function diagnosticOf(root: string, uri: string, { range: { start }, severity, code, message }: Reported): Diagnostic {
  const path = uri.startsWith('file:') ? relative(root, fileURLToPath(uri)).split(sep).join('/') : uri;
  return {
    file: path,
    line: start.line + 1,
    column: start.character + 1,
    severity: severity === undefined || severity === 1 ? 'error' : severity === 2 ? 'warning' : 'info',
    message,
    ...(code === undefined ? {} : { code: String(code) }),
  };
}
