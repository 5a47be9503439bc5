/**
 * Generic bases of a class that are given other type arguments: what the class has from them is of other types now,
 * though nobody edited it.
 *
 *     class Names extends Box<String>        class Names extends Box<Integer>
 */
import { D, E, isFieldLike, isFunctionLike } from '../syntax/summary.js';
import type { AtomicChange } from './atomic-change.js';
import { changeOf } from './compare-block.js';
import { childrenOf } from './match-blocks.js';
import { rowName } from './row-name.js';
import { isEmptyDelta, rowText, signatureDelta, typeText, type SignatureDelta } from './signature-delta.js';
import { respelled } from './type-parameters.js';
import { saysSameType, type BlockVersion } from './version.js';

export interface OtherArguments {
  /** Row of the base in the version after, without its arguments. */
  readonly base: number;
  /** All arguments, as written before and after; as many on both sides. */
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** Bases that are there before and after under one name, once each, and have other arguments. */
export function otherArguments(from: BlockVersion, to: BlockVersion): readonly OtherArguments[] {
  const [old, now] = [genericBases(from), genericBases(to)];
  return now.flatMap(({ name, base, args }): OtherArguments[] => {
    const [was, ...others] = old.filter((each) => each.name === name);
    const isOne = others.length === 0 && was?.args.length === args.length;
    if (!isOne || now.filter((each) => each.name === name).length > 1) return [];
    const isSame = was.args.every((text, at) => saysSameType(from.version, text, to.version, args[at] as string));
    return isSame ? [] : [{ base, from: was.args, to: args }];
  });
}

interface GenericBase {
  readonly name: string;
  readonly base: number;
  readonly args: readonly string[];
}

const genericBases = ({ version, decl }: BlockVersion): readonly GenericBase[] => {
  const { decls, exprs } = version.summary;
  return [...decls.basesOf(decl)]
    .filter((row) => exprs.opOf(row) === E.index)
    .map((row) => ({
      name: rowName(version.summary, row),
      base: exprs.operandOf(row),
      args: [...exprs.partsOf(row)].map((part) => rowText(version, part)),
    }));
};

/** What the members of a generic class are for who gives it other type arguments; by the names of its parameters. */
export function withArguments(
  { version, decl }: BlockVersion,
  from: ReadonlyMap<string, string>,
  to: ReadonlyMap<string, string>,
): readonly AtomicChange[] {
  const { summary } = version;
  const ofArguments = true;
  const isOther = (type: string): boolean => respelled(type, from) !== respelled(type, to);
  const types = (type: string): { readonly from: string; readonly to: string } => ({
    from: respelled(type, from),
    to: respelled(type, to),
  });
  return childrenOf(summary, decl).flatMap((child): AtomicChange[] => {
    const block = { version, decl: child };
    const type = typeText(version, child);
    if (isFieldLike(summary.decls.kindOf(child)))
      return isOther(type) ? [changeOf('MF', block, block, { type: types(type), ofArguments })] : [];
    if (!isFunctionLike(summary.decls.kindOf(child))) return [];
    const none = signatureDelta(version, child, version, child);
    const signature: SignatureDelta = {
      ...none,
      ...(isOther(type) ? { returnType: types(type) } : {}),
      retyped: [...summary.decls.paramsOf(child)]
        .map((param) => ({ name: summary.decls.nameOf(param), ...types(typeText(version, param)) }))
        .filter((param) => param.from !== param.to),
    };
    const label = summary.decls.kindOf(child) === D.constructor ? 'MCC' : 'MMS';
    return isEmptyDelta(signature) ? [] : [changeOf(label, block, block, { signature, ofArguments })];
  });
}
