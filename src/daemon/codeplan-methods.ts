/**
 * The `codeplan/…` requests: parameters are parsed by their schema, the service does the rest.
 *
 * A session that edits (one that was initialized as an editor) means its latest edit when it names
 * no base; any other means the last commit.
 */
import type { z } from 'zod';
import { METHODS, type ParamsOf, type ResultOf } from '#protocol/methods.js';
import { SERVICE_REQUESTS, type ServiceRequest } from '#protocol/names.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { SETTLED_BASE, type Call, type Service } from '../engine/service.js';
import type { LatestPlan } from './latest-plan.js';
import type { PlanPageServer } from './plan-page-server.js';

export interface MethodContext {
  readonly service: Service;
  readonly plan: LatestPlan;
  readonly page: PlanPageServer;
  readonly isEditor: boolean;
}

export type CodeplanMethod = (context: MethodContext, params: unknown, call: Call) => Promise<unknown>;

type Handler<M extends ServiceRequest> = (
  context: MethodContext,
  params: ParamsOf<M>,
  call: Call,
) => Promise<ResultOf<M>>;

const HANDLERS: { readonly [M in ServiceRequest]: Handler<M> } = {
  'codeplan/status': ({ service }, _params, call) => service.status(call),
  'codeplan/impact': (context, params, call) => context.service.impact(based(context, params), call),
  'codeplan/plan': async (context, params, call) =>
    context.plan.made(await context.service.propagate(based(context, params), call)),
  'codeplan/execute': async ({ service, plan }, params, call) => plan.came(await service.execute(params, call)),
  'codeplan/review': async ({ service, plan }, params, call) => plan.came(await service.review(params, call)),
  'codeplan/edits': async ({ service }, params, call) => ({
    schema: SCHEMA_VERSION,
    edits: [...(await service.editsOf(params, call))],
  }),
  'codeplan/prompt': (context, params, call) => context.service.prompt(based(context, params), call),
  'codeplan/undo': async ({ service, plan }, params, call) => {
    const undone = await service.undo(params, call);
    plan.takenBack(undone.run);
    return undone;
  },
  'codeplan/log': ({ service }, _params, call) => service.log(call),
  'codeplan/api': ({ service }, params, call) => service.api(params, call),
  'codeplan/graph': ({ service }, params, call) => service.graph(params, call),
  'codeplan/graph/refs': ({ service }, params, call) => service.refs(params, call),
  'codeplan/graph/calls': ({ service }, params, call) => service.calls(params, call),
  'codeplan/graph/hierarchy': ({ service }, params, call) => service.hierarchy(params, call),
  'codeplan/graph/why': ({ service }, params, call) => service.why(params, call),
  'codeplan/page': async ({ page }) => ({ url: await page.url() }),
  'codeplan/settle': ({ service }, { back }) => {
    if (back === true) service.unsettle();
    else service.settle();
    return Promise.resolve(null);
  },
};

export const CODEPLAN_METHODS: ReadonlyMap<string, CodeplanMethod> = new Map(
  SERVICE_REQUESTS.map((name) => [name, checked(name)]),
);

function checked<M extends ServiceRequest>(name: M): CodeplanMethod {
  // A table indexed by a name that is not known yet loses the tie between schema and handler.
  const schema = METHODS[name].params as unknown as z.ZodType<ParamsOf<M>>;
  const handler: Handler<M> = HANDLERS[name];
  return (context, params, call) => handler(context, schema.parse(params), call);
}

function based<T extends { base?: string | undefined; baseDir?: string | undefined; change?: string | undefined }>(
  context: MethodContext,
  params: T,
): T {
  return context.isEditor && params.base === undefined && params.baseDir === undefined && params.change === undefined
    ? { ...params, base: SETTLED_BASE }
    : params;
}
