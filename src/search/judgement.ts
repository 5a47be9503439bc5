/**
 * What a judge says of a plan, and how it is read: a number from 1 to 7 for the whole, and one for each step.
 *
 * Numbers of steps are matched by place. One that is missing is the mean of those that are there, one too many is
 * left out, and what lies outside of the scale is moved to its end.
 */
import type { JsonSchema } from '../model/model.js';
import type { Form, Read } from '../model/structured.js';

export interface Judgement {
  readonly plan: number;
  /** One for each step of the plan. */
  readonly steps: readonly number[];
}

/** The scale that a judge is told, a Likert scale of seven points. */
const LEAST = 1;
const MOST = 7;

export const meanOf = (numbers: readonly number[]): number =>
  numbers.length === 0 ? 0 : numbers.reduce((sum, value) => sum + value, 0) / numbers.length;

/** How the search is guided: the whole and its steps count alike. */
export const guidanceOf = ({ plan, steps }: Judgement): number => (plan + meanOf(steps)) / 2;

const SCALE: JsonSchema = { type: 'integer', minimum: LEAST, maximum: MOST };

const EXAMPLE = '{"plan": 4, "steps": [4, ...]}';

export function judgementForm(stepCount: number): Form<Judgement> {
  return {
    name: 'judge',
    description: `a JSON object ${EXAMPLE} with ${stepCount} numbers in "steps"`,
    inWords: `Answer with one JSON object and nothing else: ${EXAMPLE}, with ${stepCount} numbers in "steps".`,
    schema: {
      type: 'object',
      properties: { plan: SCALE, steps: { type: 'array', items: SCALE } },
      required: ['plan', 'steps'],
      additionalProperties: false,
    },
    fromJson(value): Read<Judgement> {
      const given = value as Readonly<Record<string, unknown>>;
      const whole = PLAN_FIELDS.map((name) => numberIn(given[name])).find((number) => number !== undefined);
      const list = given['steps'] ?? given['step_scores'];
      return judged(whole, Array.isArray(list) ? list.map(numberIn) : [], stepCount);
    },
    fromText(text): Read<Judgement> {
      const whole = /\b(?:plan|overall)\b[^\d\n]{0,20}(\d(?:\.\d+)?)/iu.exec(text)?.[1];
      const byPlace = new Map<number, number>();
      for (const [, place, number] of text.matchAll(/\bstep\s*(\d+)[^\d\n]{1,20}(\d(?:\.\d+)?)/giu))
        byPlace.set(Number(place) - 1, Number(number));
      const steps = Array.from({ length: stepCount }, (_, at) => byPlace.get(at));
      return judged(whole === undefined ? undefined : Number(whole), steps, stepCount);
    },
  };
}

const PLAN_FIELDS = ['plan', 'planLevel', 'plan_level', 'overall', 'score'];

function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'string' && /^\s*\d+(?:\.\d+)?\s*$/.test(value)) return Number(value);
  if (typeof value === 'object' && value !== null && 'score' in value) return numberIn(value.score);
  return undefined;
}

function judged(whole: number | undefined, steps: readonly (number | undefined)[], stepCount: number): Read<Judgement> {
  if (whole === undefined) return { ok: false, reason: 'there is no number for the plan' };
  const plan = onScale(whole);
  const given = Array.from({ length: stepCount }, (_, at) => steps[at]);
  const present = given.filter((number) => number !== undefined).map(onScale);
  const missing = present.length === 0 ? plan : meanOf(present);
  return {
    ok: true,
    value: { plan, steps: given.map((number) => (number === undefined ? missing : onScale(number))) },
  };
}

const onScale = (number: number): number => Math.min(MOST, Math.max(LEAST, number));
