/**
 * A grounded plan as a value: ordered steps, each an intent in plain words and the symbols that could carry it out.
 *
 *     request "export the report as a page"
 *       1  render the report's rows        report.Report.rows, html.table, ...
 *       2  write the page to a file        io.write_text, ...
 *
 * A step's number is its place and is never stored. Two plans are the same when their intents, spelling and spaces
 * aside, and the symbols of each are.
 *
 * Source: MutaGReP (arXiv 2502.15872), where a plan is a list of intents with the repository's symbols.
 */

export interface PlanSymbol {
  /** Unique in the repository: `path:Outer.inner`. */
  readonly id: string;
  readonly file: string;
  readonly block: string;
  readonly name: string;
  readonly kind: string;
  /** As a user of the repository would name it. */
  readonly qualifiedName: string;
  /** From 1. */
  readonly line: number;
  readonly signature: string;
  readonly score: number;
}

export interface PlanStep {
  readonly intent: string;
  /** Best first; may be empty. */
  readonly symbols: readonly PlanSymbol[];
}

export interface Plan {
  readonly steps: readonly PlanStep[];
  /** What the model said of why. */
  readonly rationale?: string;
}

export const EMPTY_PLAN: Plan = { steps: [] };

/** A sentence as it is compared: case, spaces and the sign at its end aside. */
export function normalised(intent: string): string {
  return intent
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[.;:!,]+$/u, '')
    .toLowerCase();
}

/** Equal for plans that are the same. */
export function keyOf({ steps }: Plan): string {
  return JSON.stringify(steps.map(({ intent, symbols }) => [normalised(intent), symbols.map(({ id }) => id).sort()]));
}

/** Every symbol of the plan once, in the order of the steps. */
export function symbolsOf({ steps }: Plan): PlanSymbol[] {
  const symbols = new Map<string, PlanSymbol>();
  for (const step of steps)
    for (const symbol of step.symbols) if (!symbols.has(symbol.id)) symbols.set(symbol.id, symbol);
  return [...symbols.values()];
}
