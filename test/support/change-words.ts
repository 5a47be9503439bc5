/**
 * An atomic change on one line, for fixtures: what of its detail is set, in a fixed order.
 *
 *     put   MMS added ttl; returns int -> str
 */
import type { AtomicChange, Detail } from '#src/change/atomic-change.js';
import type { SignatureDelta } from '#src/change/signature-delta.js';

/** The detail in words; '' where there is none. */
export function detailWords(change: AtomicChange): string {
  const { detail } = change;
  return [
    arrow('renamed', detail.rename),
    arrow('moved', detail.move),
    ...(detail.signature === undefined ? [] : signatureWords(detail.signature)),
    cameAndWent('bases', detail.bases),
    cameAndWent('modifiers', detail.modifiers),
    detail.setFrom === undefined
      ? ''
      : `set from ${detail.setFrom.from ?? 'anywhere'} -> ${detail.setFrom.to ?? 'anywhere'}`,
    detail.mustBeGiven === true ? 'must be given' : '',
    arrow('type', detail.type),
    arrow('type parameters', detail.typeParams),
    detail.valueOnly === true ? 'value' : '',
    detail.own === undefined ? '' : `own ${detail.own}`,
    detail.escapes === undefined ? '' : `escapes ${detail.escapes.map((effect) => `(${effect})`).join(' ')}`,
    detail.import === undefined ? '' : importWords(detail.import),
  ]
    .filter((words) => words !== '')
    .join('; ');
}

function signatureWords(delta: SignatureDelta): string[] {
  const named = (word: string, names: readonly string[]): string =>
    names.length === 0 ? '' : `${word} ${names.join(' ')}`;
  return [
    named(
      'added',
      delta.added.map((param) => param.name),
    ),
    named(
      'removed',
      delta.removed.map((param) => param.name),
    ),
    ...delta.renamed.map((pair) => arrow('parameter', pair)),
    ...delta.moved.map((param) => `moved ${param.name} ${param.from} -> ${param.to}`),
    ...delta.retyped.map((param) => arrow(`type of ${param.name}`, param)),
    named('required', delta.madeRequired),
    named('optional', delta.madeOptional),
    named(
      'default',
      delta.defaultChanged.map(({ name }) => name),
    ),
    ...delta.passing.map((param) => arrow(`passing of ${param.name}`, param)),
    arrow('returns', delta.returnType),
    flag('async', delta.async),
    flag('static', delta.static),
    flag('abstract', delta.abstract),
    arrow('visibility', delta.visibility),
    delta.typeParams === true ? 'type parameters' : '',
  ];
}

const arrow = (word: string, pair: { readonly from: string; readonly to: string } | undefined): string =>
  pair === undefined ? '' : `${word} ${pair.from || 'none'} -> ${pair.to || 'none'}`;

const flag = (word: string, value: boolean | undefined): string =>
  value === undefined ? '' : value ? word : `not ${word}`;

const cameAndWent = (word: string, delta: Detail['bases']): string =>
  delta === undefined
    ? ''
    : [word, ...delta.added.map((name) => `+${name}`), ...delta.removed.map((name) => `-${name}`)].join(' ');

function importWords(entry: NonNullable<Detail['import']>): string {
  const binding = entry.binding === '' || entry.binding === entry.name ? '' : ` as ${entry.binding}`;
  return `${[entry.module, entry.name].filter((word) => word !== '').join(' ')}${binding}${entry.newBinding === undefined ? '' : ` -> ${entry.newBinding}`}`;
}
