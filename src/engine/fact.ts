/**
 * What is wrong at a place, at a glance: the fact first, in as few words as a hint has room for.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import type { SignatureDelta } from '../change/signature-delta.js';
import type { AffectedSite } from '../impact/affected.js';

/** Characters of a fact. */
export const FACT_MOST = 60;

export function factOf({ fact, rule, cause }: AffectedSite): string {
  const { rename, move } = cause.detail;
  const said =
    rename !== undefined && rule.includes('/renamed-')
      ? `renamed: ${rename.from} → ${rename.to}`
      : move !== undefined && rule.includes('/renamed-')
        ? `moved to ${move.to}: ${nameOf(cause)}`
        : cause.label.startsWith('D')
          ? `deleted: ${nameOf(cause)}`
          : (fact ?? changed(cause));
  return shortened(said);
}

function changed(cause: AtomicChange): string {
  const { detail, label } = cause;
  const name = nameOf(cause);
  if (label === 'MMB') return `does something else: ${name}`;
  if (label.startsWith('A')) return `new: ${name}`;
  if (detail.type !== undefined) return `type of ${name}: ${detail.type.from || 'none'} → ${detail.type.to || 'none'}`;
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

/** The last part of a block's path; of an import what it binds. */
function nameOf({ block, detail }: AtomicChange): string {
  return detail.import?.binding ?? detail.export?.name ?? block.slice(block.lastIndexOf('.') + 1);
}

function shortened(text: string): string {
  const line = text.replace(/\s+/gu, ' ');
  return line.length <= FACT_MOST ? line : `${line.slice(0, FACT_MOST - 1)}…`;
}
