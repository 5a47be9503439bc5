/**
 * The questions of a service under short names, for callers that were written before `ask`: each is one call of it.
 */
import type { ParamsOf, ResultOf } from '#protocol/methods.js';
import type { QuestionName } from '#protocol/names.js';
import type { FileEdit } from './file-edit.js';
import type { Call } from './service.js';

type Answer<M extends QuestionName> = Promise<ResultOf<M>>;

export abstract class NamedQuestions {
  abstract ask<M extends QuestionName>(method: M, params: ParamsOf<M>, call: Call): Answer<M>;

  status(call: Call): Answer<'codeplan/status'> {
    return this.ask('codeplan/status', {}, call);
  }
  log(call: Call): Answer<'codeplan/log'> {
    return this.ask('codeplan/log', {}, call);
  }
  impact(params: ParamsOf<'codeplan/impact'>, call: Call): Answer<'codeplan/impact'> {
    return this.ask('codeplan/impact', params, call);
  }
  propagate(params: ParamsOf<'codeplan/plan'>, call: Call): Answer<'codeplan/plan'> {
    return this.ask('codeplan/plan', params, call);
  }
  execute(params: ParamsOf<'codeplan/execute'>, call: Call): Answer<'codeplan/execute'> {
    return this.ask('codeplan/execute', params, call);
  }
  review(params: ParamsOf<'codeplan/review'>, call: Call): Answer<'codeplan/review'> {
    return this.ask('codeplan/review', params, call);
  }
  prompt(params: ParamsOf<'codeplan/prompt'>, call: Call): Answer<'codeplan/prompt'> {
    return this.ask('codeplan/prompt', params, call);
  }
  undo(params: ParamsOf<'codeplan/undo'>, call: Call): Answer<'codeplan/undo'> {
    return this.ask('codeplan/undo', params, call);
  }
  graph(params: ParamsOf<'codeplan/graph'>, call: Call): Answer<'codeplan/graph'> {
    return this.ask('codeplan/graph', params, call);
  }
  refs(params: ParamsOf<'codeplan/graph/refs'>, call: Call): Answer<'codeplan/graph/refs'> {
    return this.ask('codeplan/graph/refs', params, call);
  }
  calls(params: ParamsOf<'codeplan/graph/calls'>, call: Call): Answer<'codeplan/graph/calls'> {
    return this.ask('codeplan/graph/calls', params, call);
  }
  hierarchy(params: ParamsOf<'codeplan/graph/hierarchy'>, call: Call): Answer<'codeplan/graph/hierarchy'> {
    return this.ask('codeplan/graph/hierarchy', params, call);
  }
  why(params: ParamsOf<'codeplan/graph/why'>, call: Call): Answer<'codeplan/graph/why'> {
    return this.ask('codeplan/graph/why', params, call);
  }
  async editsOf(params: ParamsOf<'codeplan/edits'>, call: Call): Promise<readonly FileEdit[]> {
    return (await this.ask('codeplan/edits', params, call)).edits;
  }
}
