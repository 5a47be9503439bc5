/**
 * Questions about references, put to a language server: where a name is referred to, and where it
 * is defined. Answers are checked for their form and turned into places of the repository.
 */
import { extname, relative, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { LanguageServerSection } from '#protocol/configuration.js';
import type { ReferenceServer, Said, ServerPlace } from '../engine/effects.js';
import { LanguageServer, type LanguageServerOptions } from './language-server.js';

const TIMEOUT_MS = 20_000;
const MS = 1000;

/** Words of LSP for what a file's ending says; the language's own name for any other. */
const LANGUAGE_IDS: Readonly<Record<string, string>> = { '.tsx': 'typescriptreact', '.jsx': 'javascriptreact', '.js': 'javascript', '.mjs': 'javascript', '.cjs': 'javascript' };

/** What LSP calls the language of a file with that ending. */
export const lspLanguageId = (ending: string, language: string): string => LANGUAGE_IDS[ending.toLowerCase()] ?? language;

const position = z.object({ line: z.int().min(0), character: z.int().min(0) });
const range = z.object({ start: position, end: position });
const location = z.object({ uri: z.string(), range });
const link = z.object({ targetUri: z.string(), targetSelectionRange: range });
const places = z.union([z.null(), location, z.array(z.union([location, link]))]);

export interface ReferenceServerOptions extends Pick<LanguageServerOptions, 'root' | 'environment' | 'ownTools'> {
  readonly language: string;
  readonly section: LanguageServerSection;
}

/** Started and ready for questions. Rejects only with the reason of `signal`. */
export async function startReferenceServer({ language, section, ...options }: ReferenceServerOptions, signal: AbortSignal): Promise<Said<ReferenceServer>> {
  const timeoutMs = section.timeoutSeconds === undefined ? TIMEOUT_MS : section.timeoutSeconds * MS;
  const started = await LanguageServer.start({ ...options, command: section.command, initializationOptions: section.initializationOptions, timeoutMs }, signal);
  return started.ok ? { ok: true, value: referenceServer(started.value, options.root, language, timeoutMs) } : started;
}

function referenceServer(server: LanguageServer, root: string, language: string, timeoutMs: number): ReferenceServer {
  const uriOf = (file: string): string => pathToFileURL(join(root, file)).href;
  // All questions together may take twice as long as one.
  const deadline = Date.now() + 2 * timeoutMs;
  const ask = async (method: string, params: object, signal: AbortSignal): Promise<Said<readonly ServerPlace[]>> => {
    if (Date.now() > deadline) return { ok: false, message: `${server.name} took longer than ${Math.round((2 * timeoutMs) / MS)} s; what was not asked stays as it was` };
    const answer = await server.request(method, params, signal);
    if (!answer.ok) return answer;
    const parsed = places.safeParse(answer.value);
    if (!parsed.success) return { ok: false, message: `${server.name} answered ${method} with something that is no list of places` };
    const list = parsed.data === null ? [] : Array.isArray(parsed.data) ? parsed.data : [parsed.data];
    return { ok: true, value: list.map((entry) => placeOf(root, 'uri' in entry ? entry : { uri: entry.targetUri, range: entry.targetSelectionRange })) };
  };
  return {
    name: server.name,
    open: (file, text) => server.open(uriOf(file), lspLanguageId(extname(file), language), text),
    references: (file, at, signal) => ask('textDocument/references', { textDocument: { uri: uriOf(file) }, position: at, context: { includeDeclaration: false } }, signal),
    definitions: (file, at, signal) => ask('textDocument/definition', { textDocument: { uri: uriOf(file) }, position: at }, signal),
    stop: () => server.stop(),
  };
}

function placeOf(root: string, { uri, range: { start } }: z.infer<typeof location>): ServerPlace {
  return { file: uri.startsWith('file:') ? below(root, fileURLToPath(uri)) : undefined, ...start };
}

function below(root: string, path: string): string | undefined {
  const inside = relative(root, path);
  return inside === '' || inside === '..' || inside.startsWith(`..${sep}`) ? undefined : inside.split(sep).join('/');
}
