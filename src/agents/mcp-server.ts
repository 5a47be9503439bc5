/**
 * The tools over the Model Context Protocol: both of its eras, by the protocol's own kit, on any pair of streams.
 *
 * Answers are text; structured content only where it was asked for, since some hosts then drop the text. A refusal
 * is an answer that says what to mend: the model reads it, the session goes on.
 */
import { PassThrough } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { shownInLine, shownText } from '../base/shown.js';
import { withoutSecrets } from '../context/secrets.js';
import { ServiceError, type Call, type Service } from '../engine/service.js';
import { toolsOf, type ToolSet } from './agent-tools.js';
import type { AgentAnswer, AgentTool } from './agent-tool.js';
import { cutToLimit, limited } from './answer-limit.js';
import { INSTRUCTIONS } from './instructions.js';
import { toolSchema } from './tool-schema.js';

export interface McpOptions {
  readonly tools: ToolSet;
  /** Whether answers carry data beside their text. */
  readonly structured: boolean;
  readonly version: string;
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** The service behind the tools; asked for with each call, since a daemon may have gone and come again. */
  readonly service: () => Promise<Service>;
  readonly log: (message: string) => void;
}

/** Serves until the input ends. */
export async function serveMcp(options: McpOptions): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    options.input.once('end', resolve);
    options.input.once('close', resolve);
  });
  const handle = serveStdio(() => serverOf(options), {
    transport: new StdioServerTransport(options.input.pipe(new PassThrough()), outputOf(options.output)),
    onerror: (error) => options.log(error.message),
  });
  await ended;
  await handle.close();
}

/** The kit wants streams of Node's own classes. */
function outputOf(output: NodeJS.WritableStream): PassThrough {
  const said = new PassThrough();
  said.pipe(output, { end: false });
  return said;
}

function serverOf(options: McpOptions): McpServer {
  const server = new McpServer(
    { name: 'codeplan', version: options.version },
    options.tools === 'agent' || options.tools === 'all' ? { instructions: INSTRUCTIONS } : {},
  );
  for (const tool of toolsOf(options.tools))
    server.registerTool(
      tool.name,
      {
        description: tool.description,
        inputSchema: toolSchema(tool.params),
        ...(tool.writes ? {} : { annotations: { readOnlyHint: true } }),
      },
      async (given, { mcpReq }) => {
        const answer = await answered(tool, options, given, mcpReq.signal);
        const text = withoutSecrets(shownText(answer.text));
        return {
          content: [{ type: 'text' as const, text: answer.refused === true ? cutToLimit(text) : text }],
          ...(options.structured && answer.structured !== undefined
            ? { structuredContent: withoutSecretsWithin(answer.structured) }
            : {}),
          ...(answer.refused === true ? { isError: true } : {}),
        };
      },
    );
  return server;
}

async function answered(
  tool: AgentTool,
  options: McpOptions,
  given: unknown,
  signal: AbortSignal,
): Promise<AgentAnswer> {
  const call: Call = { signal, progress: () => undefined };
  try {
    return await tool.call(await options.service(), given, call);
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      // Whoever asked is gone, or no longer wants to know.
      signal.throwIfAborted();
      options.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      throw error;
    }
    return { refused: true, text: refusalText(error) };
  }
}

/** What was wrong and what there is instead. */
function refusalText({ message, candidates, furtherFiles }: ServiceError): string {
  return limited(shownInLine(message), [...candidates, ...furtherFiles].map(shownInLine), [], 'give more of the name');
}

/** The same data with everything that looks like a secret replaced. */
function withoutSecretsWithin(structured: object): Record<string, unknown> {
  const plain: unknown = JSON.parse(
    JSON.stringify(structured, (_key, value: unknown) => (typeof value === 'string' ? withoutSecrets(value) : value)),
  );
  return z.record(z.string(), z.unknown()).parse(plain);
}
