/**
 * What a model proposes, read from whatever it wrote: intents in order, and why.
 *
 * Understood are JSON, tags as of XML (which need not be well formed), numbered lists and lists with signs. Numbers
 * in front of steps are left out: the order in which they stand is the order of the plan. Prose alone is no plan.
 */
import type { JsonSchema } from '../model/model.js';
import type { Form, Read } from '../model/structured.js';
import { withoutThoughts } from '../model/json-in-text.js';
import { normalised } from './plan.js';

export interface Proposal {
  /** At least one; none empty, no two alike in a row. */
  readonly intents: readonly string[];
  readonly rationale?: string;
}

/** A longer intent is cut, in characters. */
const INTENT_MOST = 600;
/** It is kept with the plan and shown to people, who read a paragraph or two of it. */
const RATIONALE_MOST = 2000;

const PROPOSAL_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    thought: { type: 'string' },
    steps: {
      type: 'array',
      items: {
        type: 'object',
        properties: { intent: { type: 'string' } },
        required: ['intent'],
        additionalProperties: false,
      },
    },
  },
  required: ['thought', 'steps'],
  additionalProperties: false,
};

const ONE = '{"thought": "why", "steps": [{"intent": "what this step does"}]}';

/** The form of an answer with so many different proposals in it. */
export function proposalForm(count: number): Form<readonly Proposal[]> {
  return {
    name: 'propose',
    description: count === 1 ? `a JSON object ${ONE}` : `a JSON object {"plans": [${ONE}, ...]} with ${count} plans`,
    inWords:
      count === 1
        ? `Answer with one JSON object and nothing else: ${ONE}`
        : `Answer with one JSON object and nothing else: {"plans": [${ONE}, ...]}, with ${count} plans that differ.`,
    schema:
      count === 1
        ? PROPOSAL_SCHEMA
        : {
            type: 'object',
            properties: { plans: { type: 'array', items: PROPOSAL_SCHEMA } },
            required: ['plans'],
            additionalProperties: false,
          },
    fromJson: proposalsInJson,
    fromText: (text) => {
      const intents = intentsInText(text);
      return intents.length === 0 ? NO_STEPS : { ok: true, value: [{ intents }] };
    },
  };
}

const NO_STEPS: Read<readonly Proposal[]> = { ok: false, reason: 'the answer has no steps' };

function proposalsInJson(value: unknown): Read<readonly Proposal[]> {
  const plans = field(value, 'plans');
  const each = Array.isArray(plans) ? plans : [value];
  const proposals = each.flatMap((plan): Proposal[] => {
    const intents = usable(intentsInJson(plan));
    if (intents.length === 0) return [];
    const thought = field(plan, 'thought');
    return [
      typeof thought === 'string' && thought.trim() !== ''
        ? { intents, rationale: thought.trim().slice(0, RATIONALE_MOST) }
        : { intents },
    ];
  });
  return proposals.length === 0 ? NO_STEPS : { ok: true, value: proposals };
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

/** Names under which models put what was asked for as `intent`. */
const INTENT_FIELDS = ['intent', 'intention', 'description', 'step', 'text', 'action'];

function intentsInJson(value: unknown): string[] {
  const list = Array.isArray(value) ? value : (field(value, 'steps') ?? field(value, 'plan') ?? field(value, 'step'));
  const steps: readonly unknown[] = Array.isArray(list) ? list : [list];
  return steps.flatMap((step) => {
    if (typeof step === 'string') return [step];
    const said = INTENT_FIELDS.map((name) => field(step, name)).find((text) => typeof text === 'string');
    return said === undefined ? [] : [said];
  });
}

/** The steps that a text lists; none where it lists nothing. */
export function intentsInText(answer: string): string[] {
  const text = withoutThoughts(answer);
  const tagged = [...text.matchAll(/<step\b[^>]*>([\s\S]*?)(?:<\/step>|(?=<step\b)|$)/giu)].map(([, body = '']) =>
    unescaped(innermost(body)),
  );
  const intents = usable(tagged);
  return intents.length > 0 ? intents : usable(listed(text));
}

/** The text of the tag inside a step that holds its words, or all of the step's. */
function innermost(body: string): string {
  const named = /<(intent|intention|description)\b[^>]*>([\s\S]*?)(?:<\/\1>|$)/iu.exec(body)?.[2];
  return (named ?? body).replace(/<\/?[a-z][^<>]*>/giu, ' ');
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const unescaped = (text: string): string =>
  text.replace(/&(lt|gt|amp|quot|apos);/gu, (whole, name: string) => ENTITIES[name] ?? whole);

const NUMBERED = /^\s*(?:\*\*)?(?:step\s+)?(?:\d+(?:\.\d+)*|[a-z])\s*(?:[.):]|\s-)(?:\*\*)?\s+(?=\S)/iu;
const SIGNED = /^\s*[-*•+]\s+(?=\S)/u;

/** Items of the numbered list of a text, else of one with signs; lines further in belong to the item above. */
function listed(text: string): string[] {
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*```/.test(line));
  for (const mark of [NUMBERED, SIGNED]) {
    const items: string[] = [];
    let isOpen = false;
    for (const line of lines) {
      const found = mark.exec(line)?.[0];
      if (found !== undefined) items.push(line.slice(found.length));
      else if (isOpen && /^\s+\S/.test(line) && !SIGNED.test(line)) items.push(`${items.pop() ?? ''} ${line.trim()}`);
      isOpen = found !== undefined || (isOpen && line.trim() !== '');
    }
    if (items.length > 0) return items;
  }
  return [];
}

/** Trimmed, without what is empty, and without the same twice in a row. */
function usable(intents: readonly string[]): string[] {
  const out: string[] = [];
  for (const intent of intents) {
    const clean = intent
      .replace(/\*\*|__|~~/g, '')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, INTENT_MOST);
    if (normalised(clean) === '') continue;
    const last = out.at(-1);
    if (last === undefined || normalised(last) !== normalised(clean)) out.push(clean);
  }
  return out;
}
