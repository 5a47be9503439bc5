/**
 * A model as an engine asks it: messages in, one or more choices out, whatever stands behind it.
 *
 * An edit model (`edit/model/`) answers one fixed question; this is what everything else asks through: plan
 * search, judging, describing, generation with tools. An endpoint (`io/model/`), a cassette and a test's script
 * are all a `Model`. What goes wrong outside comes back as a value; only an abort rejects, with the signal's
 * reason. A model chooses nothing but its words: a tool call is a wish that the caller may grant.
 */
import type { ModelError } from './model-error.js';
import type { Usage } from './usage.js';

/** What a model is asked for. Each may have an endpoint of its own in the settings. */
export const MODEL_ROLES = ['plan', 'edit', 'judge', 'describe', 'embed'] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool that the model may ask for. */
export interface ToolOffer {
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** Schema of an object: its arguments. */
  readonly parameters: JsonSchema;
}

/** A tool that the model asks for; nothing of it is checked. */
export interface ToolCall {
  /** Given back with the tool's answer. */
  readonly id: string;
  readonly name: string;
  /** JSON as the model wrote it, or what should be. */
  readonly arguments: string;
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly content: string };

export interface ModelRequest {
  /** Which question of ours this is, for scripts and records; it is not sent: `plan/next-step`. */
  readonly kind: string;
  readonly messages: readonly Message[];
}

export interface AskOptions {
  readonly signal: AbortSignal;
  /** Choices that are wanted; 1 when not given. */
  readonly n?: number;
  /** The endpoint's own when not given. */
  readonly temperature?: number;
  readonly seed?: number;
  /** Longest answer, in tokens. */
  readonly tokensMost?: number;
  /** The form that each answer is to have, where the endpoint can hold a model to one. */
  readonly schema?: { readonly name: string; readonly schema: JsonSchema };
  readonly tools?: readonly ToolOffer[];
  /** A tool's name: the model must call it. `none`: it may not call any. The model chooses when not given. */
  readonly toolChoice?: 'none' | { readonly tool: string };
  /** Why no further question may be sent, where one takes several: asked with what these took so far. */
  readonly permit?: (spent: Spending) => string | undefined;
}

export interface Choice {
  /** What the model says beside its calls; may be empty. */
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** `length`: cut off at a limit. `refused`: the model or a filter declined. */
  readonly finish: 'stop' | 'length' | 'refused';
}

export interface Spending extends Usage {
  /** Questions that were sent, those that failed included. */
  readonly calls: number;
}

export type Completion =
  /** At least one choice, at most as many as were wanted. */
  | { readonly ok: true; readonly choices: readonly Choice[]; readonly usage: Spending }
  | { readonly ok: false; readonly error: ModelError; readonly usage: Spending };

export interface Model {
  /** What it is called where it is, for people and for keys of caches. */
  readonly name: string;
  /** Host of the endpoint; undefined where nothing leaves this process. */
  readonly host?: string;
  complete(request: ModelRequest, options: AskOptions): Promise<Completion>;
}

export type Embedded =
  /** One vector a text, in order, all of one length. */
  | { readonly ok: true; readonly vectors: readonly Float32Array[]; readonly usage: Spending }
  | { readonly ok: false; readonly error: ModelError; readonly usage: Spending };

/** Texts as vectors, near for texts that mean alike. */
export interface Embedder {
  /** Vectors of embedders with different names cannot be compared. */
  readonly name: string;
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embedded>;
}

export const NO_SPENDING: Spending = { calls: 0, promptTokens: 0, completionTokens: 0 };

export const addSpending = (a: Spending, b: Spending): Spending => ({
  calls: a.calls + b.calls,
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
});
