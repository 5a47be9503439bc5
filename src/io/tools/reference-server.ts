/**
 * Questions about references, put to a language server: where a name is referred to and where it is
 * defined, what calls a function and what it calls, what stands above and below a class. Answers are
 * checked for their form and turned into places of the repository.
 */
import { extname, relative, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as z from 'zod';
import type { LanguageServerSection } from '#protocol/configuration.js';
import type { Position, ReferenceServer, ServerReply, ServerCall, ServerPlace } from '../../engine/effects.js';
import { LanguageServer, type LanguageServerOptions } from './language-server.js';

/** A server that warms up takes its time for the first answer, and a person waits for all of them together. */
const TIMEOUT_MS = 20_000;
/** Of a second. */
const MS = 1000;

/** Words of LSP for what a file's ending says; the language's own name for any other. */
const LANGUAGE_IDS: Readonly<Record<string, string>> = {
  '.tsx': 'typescriptreact',
  '.jsx': 'javascriptreact',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
};

/** What LSP calls the language of a file with that ending. */
export const lspLanguageId = (ending: string, language: string): string =>
  LANGUAGE_IDS[ending.toLowerCase()] ?? language;

const position = z.object({ line: z.int().min(0), character: z.int().min(0) });
const range = z.object({ start: position, end: position });
const location = z.object({ uri: z.string(), range });
const link = z.object({ targetUri: z.string(), targetSelectionRange: range });
const places = z.union([z.null(), location, z.array(z.union([location, link]))]);
/** Items go back to the server as they came, with what it keeps in them. */
const item = z.looseObject({ uri: z.string(), selectionRange: range });
const items = z.array(item).nullable();
const incoming = z.array(z.object({ from: item, fromRanges: z.array(range) })).nullable();
const outgoing = z.array(z.object({ to: item, fromRanges: z.array(range) })).nullable();
const offered = z
  .object({
    callHierarchyProvider: z.unknown(),
    typeHierarchyProvider: z.unknown(),
    implementationProvider: z.unknown(),
  })
  .partial()
  .catch({});

type Item = z.infer<typeof item>;

export interface ReferenceServerOptions extends Pick<LanguageServerOptions, 'root' | 'environment' | 'ownTools'> {
  readonly language: string;
  readonly section: LanguageServerSection;
}

/** Started and ready for questions. Rejects only with the reason of `signal`. */
export async function startReferenceServer(
  { language, section, ...options }: ReferenceServerOptions,
  signal: AbortSignal,
): Promise<ServerReply<ReferenceServer>> {
  const timeoutMs = section.timeoutSeconds === undefined ? TIMEOUT_MS : section.timeoutSeconds * MS;
  const started = await LanguageServer.start(
    {
      ...options,
      repository: options.root,
      command: section.command,
      initializationOptions: section.initializationOptions,
      timeoutMs,
    },
    signal,
  );
  return started.ok ? { ok: true, value: referenceServer(started.value, options.root, language, timeoutMs) } : started;
}

type Requests = <T>(method: string, params: object, form: z.ZodType<T>, signal: AbortSignal) => Promise<ServerReply<T>>;

/** Requests whose answers have the form of the protocol, until all of them together have taken so long. */
function requestsTo(server: LanguageServer, togetherMs: number): Requests {
  const deadline = Date.now() + togetherMs;
  return async <T>(
    method: string,
    params: object,
    form: z.ZodType<T>,
    signal: AbortSignal,
  ): Promise<ServerReply<T>> => {
    if (Date.now() > deadline)
      return {
        ok: false,
        message: `${server.name} took longer than ${Math.round(togetherMs / MS)} s; what was not asked stays as it was`,
      };
    const answer = await server.request(method, params, signal);
    if (!answer.ok) return answer;
    const parsed = form.safeParse(answer.value);
    return parsed.success
      ? { ok: true, value: parsed.data }
      : { ok: false, message: `${server.name} answered ${method} in a form that is none of the protocol` };
  };
}

function referenceServer(server: LanguageServer, root: string, language: string, timeoutMs: number): ReferenceServer {
  const uriOf = (file: string): string => pathToFileURL(join(root, file)).href;
  const offers = offered.parse(server.capabilities);
  // All questions together may take twice as long as one.
  const request = requestsTo(server, 2 * timeoutMs);
  const named = (file: string, at: Position): object => ({ textDocument: { uri: uriOf(file) }, position: at });
  const ask = async (
    method: string,
    params: object,
    signal: AbortSignal,
  ): Promise<ServerReply<readonly ServerPlace[]>> =>
    mapped(await request(method, params, places, signal), (value) => {
      const list = value === null ? [] : Array.isArray(value) ? value : [value];
      return list.map((entry) =>
        'uri' in entry
          ? placeOf(root, entry.uri, entry.range)
          : placeOf(root, entry.targetUri, entry.targetSelectionRange),
      );
    });
  /** What the server's hierarchy has for the declaration at a place; nothing where it offers none. */
  const hierarchy = async <T>(
    kind: 'Call' | 'Type',
    way: string,
    form: z.ZodType<readonly T[] | null>,
    file: string,
    at: Position,
    signal: AbortSignal,
  ): Promise<ServerReply<readonly T[]>> => {
    if (!isOffered(kind === 'Call' ? offers.callHierarchyProvider : offers.typeHierarchyProvider))
      return { ok: true, value: [] };
    const prepared = await request(`textDocument/prepare${kind}Hierarchy`, named(file, at), items, signal);
    if (!prepared.ok) return prepared;
    const out: T[] = [];
    for (const one of prepared.value ?? []) {
      const found = await request(`${kind.toLowerCase()}Hierarchy/${way}`, { item: one }, form, signal);
      if (!found.ok) return found;
      out.push(...(found.value ?? []));
    }
    return { ok: true, value: out };
  };
  const ofItem = ({ uri, selectionRange }: Item): ServerPlace => placeOf(root, uri, selectionRange);
  return {
    name: server.name,
    open: (file, text) => server.open(uriOf(file), lspLanguageId(extname(file), language), text),
    references: (file, at, signal) =>
      ask('textDocument/references', { ...named(file, at), context: { includeDeclaration: false } }, signal),
    definitions: (file, at, signal) => ask('textDocument/definition', named(file, at), signal),
    callsTo: async (file, at, signal) =>
      mapped(await hierarchy('Call', 'incomingCalls', incoming, file, at, signal), (calls) =>
        calls.flatMap(({ from, fromRanges }) => fromRanges.map((place) => placeOf(root, from.uri, place))),
      ),
    callsIn: async (file, at, signal) =>
      mapped(await hierarchy('Call', 'outgoingCalls', outgoing, file, at, signal), (calls) =>
        calls.flatMap(({ to, fromRanges }) =>
          fromRanges.map(({ start }): ServerCall => ({ at: { file, ...start }, callee: ofItem(to) })),
        ),
      ),
    above: async (file, at, signal) =>
      mapped(await hierarchy('Type', 'supertypes', items, file, at, signal), (found) => found.map(ofItem)),
    below: async (file, at, signal) => {
      const found = mapped(await hierarchy('Type', 'subtypes', items, file, at, signal), (types) => types.map(ofItem));
      return !found.ok || found.value.length > 0 || !isOffered(offers.implementationProvider)
        ? found
        : ask('textDocument/implementation', named(file, at), signal);
    },
    stop: () => server.stop(),
  };
}

const isOffered = (provider: unknown): boolean => provider !== undefined && provider !== null && provider !== false;

function mapped<A, B>(said: ServerReply<A>, map: (value: A) => B): ServerReply<B> {
  return said.ok ? { ok: true, value: map(said.value) } : said;
}

function placeOf(root: string, uri: string, { start }: z.infer<typeof range>): ServerPlace {
  return { file: uri.startsWith('file:') ? below(root, fileURLToPath(uri)) : undefined, ...start };
}

function below(root: string, path: string): string | undefined {
  const inside = relative(root, path);
  return inside === '' || inside === '..' || inside.startsWith(`..${sep}`) ? undefined : inside.split(sep).join('/');
}
