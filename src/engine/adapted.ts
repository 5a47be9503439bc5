/**
 * Answers that only gave calls the arguments that a changed signature asks for. What such a block does
 * to its own callers is what it did before: it makes the same calls, as they are written now. A
 * rewrite by rule is taken so too, so nothing is asked of the callers of either.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import type { Cause, Step } from '../plan/plan-graph.js';
import { E } from '../syntax/summary.js';
import type { WorkingTree } from './working-tree.js';

/** What changes how a function or a class is called. */
const SIGNATURES: ReadonlySet<Cause['label']> = new Set<Cause['label']>(['MMS', 'MCC', 'ACC', 'DCC']);

/**
 * Of the changes that a step's answer made, those of bodies which differ only in the arguments of calls of what caused
 * the step.
 */
export function adapted(
  changes: readonly AtomicChange[],
  step: Step,
  before: WorkingTree,
  after: WorkingTree,
): ReadonlySet<AtomicChange> {
  const callees = new Set(
    step.causes.filter(({ label }) => SIGNATURES.has(label)).flatMap(({ file, block }) => calleesOf(file, block)),
  );
  return new Set(
    callees.size === 0
      ? []
      : changes.filter((change) => {
          if (change.label !== 'MMB' || change.before === undefined || change.after === undefined) return false;
          const old = withoutArguments(before, change.before, callees);
          return old !== undefined && old === withoutArguments(after, change.after, callees);
        }),
  );
}

/** A constructor is called by its class. */
function calleesOf(file: string, block: string): string[] {
  const path = block.replace(/#\d+$/, '');
  const owner = path.slice(0, Math.max(0, path.lastIndexOf('.')));
  return [`${file}\0${path}`, ...(CONSTRUCTORS.test(path) ? [`${file}\0${owner}`] : [])];
}

const CONSTRUCTORS = /(?:^|\.)(?:<init>|__init__|constructor)$/;

/**
 * The block's text without blanks, and without what is given to those callees; undefined where it gives them nothing.
 */
function withoutArguments(tree: WorkingTree, block: DeclRef, callees: ReadonlySet<string>): string | undefined {
  const { resolver } = tree;
  const text = tree.text(block.file);
  if (text === undefined || block.decl < 0) return undefined;
  const { decls, exprs } = resolver.summary(block.file);
  const end = decls.endOf(block.decl);
  const cuts: { readonly from: number; readonly to: number }[] = [];
  for (let row = 0; row < exprs.count; row++) {
    const from = exprs.startOf(row);
    if (from < decls.startOf(block.decl) || from >= end) continue;
    if (exprs.opOf(row) !== E.call && exprs.opOf(row) !== E.new) continue;
    const callee = exprs.calleeOf(row);
    if (callee >= 0 && leadsTo(resolver, block.file, callee, callees))
      cuts.push({ from: exprs.endOf(callee), to: exprs.endOf(row) });
  }
  if (cuts.length === 0) return undefined;
  let at = decls.startOf(block.decl);
  let rest = '';
  for (const { from, to } of cuts.sort((a, b) => a.from - b.from)) {
    if (from < at) continue;
    rest += `${text.slice(at, from)}()`;
    at = to;
  }
  return (rest + text.slice(at, end)).replace(/\s+/g, '');
}

function leadsTo(resolver: Resolver, file: string, callee: number, callees: ReadonlySet<string>): boolean {
  return resolver
    .resolve(file, callee)
    .targets.some((target) =>
      callees.has(`${target.file}\0${resolver.summary(target.file).decls.pathOf(target.decl)}`),
    );
}
