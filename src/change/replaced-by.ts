/**
 * What is different for the users of a block who are given another one in its place, as when a list of exports names
 * another file's function of the same name. Neither block need have changed, and both may stand where they stood.
 */
import { D, isFunctionLike } from '../syntax/summary.js';
import type { AtomicChange } from './atomic-change.js';
import { changeOf, compareBlock } from './compare-block.js';
import { childrenOf, matchInside } from './match-blocks.js';
import { wholeBlock } from './moved-blocks.js';
import { signatureOf } from '../graph/resolve/signature.js';
import { isEmptyDelta, signatureDelta } from './signature-delta.js';
import { NOTHING_TOLD, type BlockVersion, type Told } from './version.js';

/** The two blocks' differences and those of their members, as changes without a rename or a move. */
export function replacedBy(from: BlockVersion, to: BlockVersion): AtomicChange[] {
  const inside = matchInside(from.version, from.decl, to.version, to.decl);
  return [
    ...differences(from, to),
    ...inside.pairs.flatMap((pair) =>
      differences({ version: from.version, decl: pair.before }, { version: to.version, decl: pair.after }),
    ),
    ...inside.deleted.map((decl) => wholeBlock('D', { version: from.version, decl })),
    ...firstConstructor(from, to, inside.added),
  ];
}

/** What is built with nothing may have to be built with something. */
function firstConstructor(from: BlockVersion, to: BlockVersion, added: readonly number[]): AtomicChange[] {
  const isConstructor = ({ version: { summary } }: BlockVersion, decl: number): boolean =>
    summary.decls.kindOf(decl) === D.constructor;
  if (childrenOf(from.version.summary, from.decl).some((decl) => isConstructor(from, decl))) return [];
  return added
    .filter((decl) => isConstructor(to, decl) && to.version.summary.decls.parentOf(decl) === to.decl)
    .map((decl) =>
      changeOf(
        'MCC',
        from,
        { version: to.version, decl },
        { signature: signatureDelta(from.version, from.decl, to.version, decl) },
      ),
    )
    .filter(saysSomething);
}

function differences(old: BlockVersion, to: BlockVersion): AtomicChange[] {
  const from = { ...old, version: { ...old.version, told: namesByPlace(old, to) } };
  const isFunction = ({ version, decl }: BlockVersion): boolean => isFunctionLike(version.summary.decls.kindOf(decl));
  const changes =
    isFunction(to) && !isFunction(from)
      ? [changeOf('MMS', from, to, { signature: signatureDelta(from.version, from.decl, to.version, to.decl) })]
      : compareBlock(from, to);
  // Two functions do different things: what the one did and the other does not is no change of either.
  return changes.map(withoutIdentity).filter((change) => change.label !== 'MMB' && saysSomething(change));
}

/** Two functions that nobody made out of each other call what stands at one place as they like. */
function namesByPlace(from: BlockVersion, to: BlockVersion): Told {
  const namesOf = ({ version: { summary }, decl }: BlockVersion): Map<string, number> =>
    new Map(signatureOf(summary, decl).params.map((param): [string, number] => [param.name, param.decl]));
  const [old, now] = [namesOf(from), namesOf(to)];
  const names = [...now.keys()];
  const { decls } = from.version.summary;
  const parameters = [...old].flatMap(([name, decl], at): [number, string][] => {
    const other = names[at];
    return other === undefined || now.has(name) || old.has(other) ? [] : [[decls.nameStartOf(decl), other]];
  });
  return { ...NOTHING_TOLD, parameters: new Map(parameters) };
}

function withoutIdentity(change: AtomicChange): AtomicChange {
  const { rename: _name, move: _place, ...detail } = change.detail;
  return {
    ...change,
    detail: change.label === 'MF' && Object.keys(detail).length === 0 ? { valueOnly: true } : detail,
  };
}

function saysSomething({ label, detail: { signature, ...others } }: AtomicChange): boolean {
  return (
    label.startsWith('D') || (signature !== undefined && !isEmptyDelta(signature)) || Object.keys(others).length > 0
  );
}
