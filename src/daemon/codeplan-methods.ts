/**
 * The `codeplan/…` requests: parameters are parsed by their schema, the service does the rest.
 *
 * A session that edits (one that was initialized as an editor) means its latest edit when it names
 * no base; any other means the last commit. What a session keeps beside the service is here as well:
 * the plan that it made last, and the page that shows it.
 */
import type { z } from 'zod';
import { METHODS, type ParamsOf, type ResultOf } from '#protocol/methods.js';
import { QUESTIONS, type QuestionName, type SessionRequest } from '#protocol/names.js';
import { SETTLED_BASE, type Call, type Service } from '../engine/service.js';
import type { LatestPlan } from './latest-plan.js';
import type { PageServer } from './page-server.js';

export interface MethodContext {
  readonly service: Service;
  readonly plan: LatestPlan;
  readonly page: PageServer;
  readonly isEditor: boolean;
}

export type CodeplanMethod = (context: MethodContext, params: unknown, call: Call) => Promise<unknown>;

/** What the session hears of some answers. */
const HEARD: { readonly [M in QuestionName]?: (plan: LatestPlan, answer: ResultOf<M>) => unknown } = {
  'codeplan/plan': (plan, report) => plan.made(report),
  'codeplan/refactor': (plan, report) => plan.made(report),
  'codeplan/do': (plan, { edits }) => (edits === null ? undefined : plan.made(edits)),
  'codeplan/execute': (plan, report) => plan.came(report),
  'codeplan/review': (plan, report) => plan.came(report),
  'codeplan/undo': (plan, { run }) => plan.takenBack(run),
};

/** Requests about the session itself. */
const OWN: Readonly<Record<SessionRequest, CodeplanMethod>> = {
  'codeplan/page': async ({ page }) => ({ url: await page.url() }),
  'codeplan/settle': async ({ service }, params) => {
    if (METHODS['codeplan/settle'].params.parse(params).back === true) service.unsettle();
    else service.settle();
    return null;
  },
};

export const CODEPLAN_METHODS: ReadonlyMap<string, CodeplanMethod> = new Map([
  ...QUESTIONS.map((name) => [name, passedOn(name)] as const),
  ...Object.entries(OWN),
]);

function passedOn<M extends QuestionName>(name: M): CodeplanMethod {
  // A table indexed by a name that is not known yet loses the tie between method and schema.
  const schema = METHODS[name].params as unknown as z.ZodType<ParamsOf<M>>;
  const heard: ((plan: LatestPlan, answer: ResultOf<M>) => unknown) | undefined = HEARD[name];
  return async ({ service, plan, isEditor }, params, call) => {
    const asked = schema.parse(params);
    const answer = await service.ask(name, isEditor && TAKES_BASE.has(name) ? based(asked) : asked, call);
    heard?.(plan, answer);
    return answer;
  };
}

const TAKES_BASE: ReadonlySet<QuestionName> = new Set(QUESTIONS.filter((name) => 'base' in METHODS[name].params.shape));

function based<T extends object>(params: T): T {
  return 'base' in params || 'baseDir' in params || 'change' in params ? params : { ...params, base: SETTLED_BASE };
}
