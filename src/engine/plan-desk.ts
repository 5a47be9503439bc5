/**
 * Plans of requests for one session: the questions about them, and the searches that are under way.
 *
 * What searches and asks models is loaded when somebody wants it.
 */
import type {
  PlanCodeParams,
  PlanCodeReport,
  PlanDocument,
  PlanPromptParams,
  PlanPromptReport,
  PlanReadParams,
  PlanRowsParams,
  PlanRowsReport,
  PlanSearchParams,
  PlanSearchReport,
} from '#protocol/plan-search.js';
import type { DoParams } from '#protocol/do.js';
import type { Grammars } from '../syntax/grammar.js';
import type { Done, DoParts, WriteNew } from './do-run.js';
import type { Effects } from './effects.js';
import type { PlanSymbols, SymbolScope } from './plan-symbols.js';
import type { SearchMemory } from './search-memory.js';
import { ServiceError, type Call } from './service.js';
import type { WorkingTree } from './working-tree.js';

export interface PlanDeskParts {
  readonly effects: Effects;
  readonly memory: SearchMemory;
  readonly grammars: Grammars;
  /** The tree as the session sees it now. */
  readonly tree: (call: Call) => Promise<WorkingTree>;
}

export class PlanDesk {
  private readonly running = new Map<string, AbortController>();

  constructor(private readonly parts: PlanDeskParts) {}

  /** Throws ServiceError: settings; busy, where a search of that name is running. */
  async search(params: PlanSearchParams, call: Call): Promise<PlanSearchReport> {
    return this.named(params.search, async (stop) => {
      const symbols = await this.symbols({ exclude: params.exclude ?? [], tests: params.tests ?? false }, call);
      const { planSearchDocument } = await import('./plan-search.js');
      return planSearchDocument(params, { symbols, effects: this.parts.effects, call, stop });
    });
  }

  private async named<T>(search: string | undefined, work: (stop: AbortSignal) => Promise<T>): Promise<T> {
    if (search !== undefined && this.running.has(search))
      throw new ServiceError('busy', 'a search of that name is running: end it, or give another name');
    const stop = new AbortController();
    if (search !== undefined) this.running.set(search, stop);
    try {
      return await work(stop.signal);
    } finally {
      if (search !== undefined) this.running.delete(search);
    }
  }

  /** Throws ServiceError: settings, model; busy, where a search of that name is running. */
  async carryOut(params: DoParams, propagate: DoParts['propagate'], call: Call): Promise<Done> {
    const { effects } = this.parts;
    const symbols = await this.symbols({ exclude: params.exclude ?? [], tests: params.tests ?? false }, call);
    const [{ doRun }, { planSearchDocument }] = await Promise.all([import('./do-run.js'), import('./plan-search.js')]);
    const search: DoParts['search'] = (wanted) =>
      this.named(params.search, (stop) =>
        planSearchDocument(wanted, { symbols, effects, call, stop, purpose: 'change' }),
      );
    const isAsked = params.rulesOnly !== true && params.model !== 'none';
    const writeNew = isAsked ? await this.writerOfNew(call) : undefined;
    return doRun(
      params,
      { symbols, effects, propagate, search, ...(writeNew === undefined ? {} : { writeNew }) },
      call,
    );
  }

  /** Undefined where no model is configured that writes. */
  private async writerOfNew(call: Call): Promise<WriteNew | undefined> {
    const { effects, memory, grammars } = this.parts;
    const model = await effects.modelOf('edit');
    if (model === undefined) return undefined;
    const { writerOfNew } = await import('./written-block.js');
    return writerOfNew({ tree: await this.parts.tree(call), effects, grammars, search: memory }, model);
  }

  /** Whether there was one to stop. */
  stop(search: string): boolean {
    const running = this.running.get(search);
    running?.abort(new Error('stopped by the person'));
    return running !== undefined;
  }

  async read(params: PlanReadParams, call: Call): Promise<PlanDocument> {
    const { planDocument, readPlan } = await import('./given-plan.js');
    return planDocument(readPlan(params, await this.symbols({ exclude: params.exclude ?? [], tests: false }, call)));
  }

  async rows(params: PlanRowsParams, call: Call): Promise<PlanRowsReport> {
    const { planSearchRows } = await import('./plan-search-rows.js');
    const { exclude = [], tests = false } = params;
    return planSearchRows(params, await this.symbols({ exclude, tests }, call));
  }

  async prompt(params: PlanPromptParams, call: Call): Promise<PlanPromptReport> {
    const { planPromptDocument } = await import('./given-plan.js');
    return planPromptDocument(params, await this.symbols(WHOLE, call));
  }

  async code(params: PlanCodeParams, call: Call): Promise<PlanCodeReport> {
    const model = await this.parts.effects.modelOf('plan');
    if (model === undefined)
      throw new ServiceError(
        'settings',
        'code is written by a model, and none is configured: set model.baseUrl and model.model in your ' +
          'settings, or CODEPLAN_BASE_URL and CODEPLAN_MODEL',
      );
    const { planCodeDocument } = await import('./given-plan.js');
    return planCodeDocument(params, await this.symbols(WHOLE, call), model, call.signal);
  }

  async symbols(scope: SymbolScope, call: Call): Promise<PlanSymbols> {
    const { effects, memory, tree } = this.parts;
    const { PlanSymbols: Symbols } = await import('./plan-symbols.js');
    return Symbols.of(await tree(call), memory, effects.withheld, scope, call.signal);
  }
}

const WHOLE: SymbolScope = { exclude: [], tests: false };
