/**
 * The `codeplan/…` requests: parameters are parsed by their schema, the service does the rest.
 *
 * A session that edits (one that was initialized as an editor) means its latest edit when it names
 * no base; any other means the last commit.
 */
import { graphParams } from '#protocol/graph.js';
import { impactParams } from '#protocol/impact.js';
import { executeParams, propagateParams } from '#protocol/propagate.js';
import { undoParams } from '#protocol/undo.js';
import { SETTLED_BASE, type Call, type Service } from '../engine/service.js';

export interface MethodContext {
  readonly service: Service;
  readonly isEditor: boolean;
}

export type CodeplanMethod = (context: MethodContext, params: unknown, call: Call) => Promise<unknown>;

export const CODEPLAN_METHODS: ReadonlyMap<string, CodeplanMethod> = new Map<string, CodeplanMethod>([
  ['codeplan/status', ({ service }, _params, call) => service.status(call)],
  ['codeplan/impact', (context, params, call) => context.service.impact(based(context, impactParams.parse(params)), call)],
  ['codeplan/plan', (context, params, call) => context.service.propagate(based(context, propagateParams.parse(params)), call)],
  ['codeplan/execute', ({ service }, params, call) => service.execute(executeParams.parse(params), call)],
  ['codeplan/edits', ({ service }, params, call) => service.editsOf(executeParams.parse(params), call)],
  ['codeplan/undo', ({ service }, params, call) => service.undo(undoParams.parse(params), call)],
  ['codeplan/log', ({ service }, _params, call) => service.log(call)],
  ['codeplan/graph', ({ service }, params, call) => service.graph(graphParams.parse(params), call)],
]);

function based<T extends { base?: string | undefined; baseDir?: string | undefined }>(context: MethodContext, params: T): T {
  return context.isEditor && params.base === undefined && params.baseDir === undefined ? { ...params, base: SETTLED_BASE } : params;
}
