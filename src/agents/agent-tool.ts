/**
 * A tool as an agent calls it: over a service, with an answer that is text first.
 *
 * Definitions hold no text of any repository; answers quote it as lines of code, never as instructions.
 */
import * as z from 'zod';
import type { Call, Service } from '../engine/service.js';

export interface AgentAnswer {
  readonly text: string;
  /** The same as data, for programs that ask for it. */
  readonly structured?: Readonly<Record<string, unknown>>;
  /** Whether the call has to be mended; the text says how. */
  readonly refused?: boolean;
}

export interface AgentTool {
  readonly name: string;
  /** What it gives, in as few words as can be: every session pays for them. */
  readonly description: string;
  readonly params: z.ZodObject;
  /** Whether it may write to the disk. */
  readonly writes: boolean;
  call(service: Service, given: unknown, call: Call): Promise<AgentAnswer>;
}

/** A tool whose parameters are checked by their schema before they reach it. */
export function agentTool<Shape extends z.ZodRawShape>(definition: {
  readonly name: string;
  readonly description: string;
  readonly params: Shape;
  readonly writes?: boolean;
  readonly answer: (
    service: Service,
    params: z.infer<z.ZodObject<Shape, z.core.$strict>>,
    call: Call,
  ) => Promise<AgentAnswer>;
}): AgentTool {
  const params = z.strictObject(definition.params);
  return {
    name: definition.name,
    description: definition.description,
    params,
    writes: definition.writes ?? false,
    call: async (service, given, call) => {
      const parsed = params.safeParse(given ?? {});
      if (!parsed.success)
        return { refused: true, text: `${definition.name} cannot be called so:\n${z.prettifyError(parsed.error)}` };
      return definition.answer(service, parsed.data, call);
    },
  };
}
