/**
 * What is wrong at a place, at a glance: the fact first, in as few words as a hint has room for.
 */
import { saidOfOutside } from '../base/outside.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { isEmptyDelta, type SignatureDelta } from '../change/signature-delta.js';
import type { AffectedSite, RuleId } from '../impact/affected.js';

/** Characters of a fact. */
export const FACT_MOST = 60;

/** Facts of one block that are shown. */
const SHOWN_MOST = 2;

/** Facts of many sites; what a change says by itself is put together once. */
export class Facts {
  private readonly known = new Map<AtomicChange, Map<RuleId, CauseFact>>();

  of({ fact, rule, cause }: AffectedSite): string {
    const { first, last } = this.ofCause(cause, rule);
    return first ?? (fact === undefined ? last : shortened(fact));
  }

  private ofCause(cause: AtomicChange, rule: RuleId): CauseFact {
    let byRule = this.known.get(cause);
    if (byRule === undefined) this.known.set(cause, (byRule = new Map<RuleId, CauseFact>()));
    let fact = byRule.get(rule);
    if (fact === undefined) {
      const first = goneFrom(cause, rule);
      fact = { first: first === undefined ? undefined : shortened(first), last: shortened(changed(cause)) };
      byRule.set(rule, fact);
    }
    return fact;
  }
}

/** What is wrong at any of the sites, what breaks first. */
export function factsOf(sites: readonly AffectedSite[]): string[] {
  const facts = new Facts();
  const inOrder = [...sites].sort((a, b) => Number(a.tier === 'may') - Number(b.tier === 'may'));
  return [...new Set(inOrder.map((site) => facts.of(site)))];
}

/** Facts of one block in a line; of many the first. */
export function atAGlance(facts: readonly string[]): string | undefined {
  if (facts.length === 0) return undefined;
  const more = facts.length - SHOWN_MOST;
  return facts.slice(0, SHOWN_MOST).join('; ') + (more > 0 ? `; and ${more} more` : '');
}

/** What a change says of all sites of a rule: before what a site has to say itself, and where it has nothing to say. */
interface CauseFact {
  readonly first: string | undefined;
  readonly last: string;
}

/** Where the name leads now, for sites at which it is looked for. */
function goneFrom(cause: AtomicChange, rule: RuleId): string | undefined {
  const { rename, move } = cause.detail;
  if (rename !== undefined && rule.includes('/renamed-')) return `renamed: ${rename.from} → ${rename.to}`;
  if (move !== undefined && rule.includes('/renamed-')) return `moved to ${move.to}: ${nameOf(cause)}`;
  return cause.label.startsWith('D') ? `deleted: ${nameOf(cause)}` : undefined;
}

function changed(cause: AtomicChange): string {
  const { detail, label } = cause;
  const name = nameOf(cause);
  if (label === 'MMB') return `does something else: ${name}`;
  if (label.startsWith('A')) return `new: ${name}`;
  if (detail.type !== undefined) return `type of ${name}: ${detail.type.from || 'none'} → ${detail.type.to || 'none'}`;
  if (detail.move !== undefined && (detail.signature === undefined || isEmptyDelta(detail.signature)))
    return `moved to ${detail.move.to}: ${name}`;
  if (detail.signature !== undefined) return `signature of ${name}: ${signed(detail.signature)}`;
  return `changed: ${name}`;
}

function signed(delta: SignatureDelta): string {
  const parts = [
    ...delta.added.map(({ name }) => `+${name}`),
    ...delta.removed.map(({ name }) => `-${name}`),
    ...delta.renamed.map(({ from, to }) => `${from} → ${to}`),
    ...delta.retyped.map(({ name, from, to }) => `${name}: ${from || 'none'} → ${to || 'none'}`),
    ...(delta.returnType === undefined
      ? []
      : [`returns ${delta.returnType.to || 'none'}, not ${delta.returnType.from || 'none'}`]),
    ...(delta.async === undefined ? [] : [delta.async ? 'async' : 'not async']),
  ];
  return parts.length === 0 ? 'changed' : parts.join(', ');
}

/** The last part of a block's path, `[Symbol.iterator]` as a whole; of an import what it binds. */
function nameOf({ block, detail }: AtomicChange): string {
  return detail.import?.binding ?? detail.export?.name ?? /(?:\[.*\]|[^.]*)$/.exec(block)?.[0] ?? block;
}

function shortened(text: string): string {
  const line = saidOfOutside(text).replace(/\s+/gu, ' ');
  return line.length <= FACT_MOST ? line : `${line.slice(0, FACT_MOST - 1)}…`;
}
