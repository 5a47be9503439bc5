/**
 * A block that was found, as documents and answers show it.
 */
import { blockName } from '../change/block-name.js';
import { kindName } from '../change/atomic-change.js';
import { publicName } from '../graph/resolve/public-name.js';
import type { Grounded } from '../retrieve/ground.js';
import { headOf } from '../retrieve/head.js';
import { lineAt } from '../syntax/line-at.js';
import type { Repository } from './tool.js';

export interface SymbolEntry {
  readonly file: string;
  readonly block: string;
  readonly name: string;
  readonly kind: string;
  readonly qualifiedName: string;
  readonly line: number;
  readonly signature: string;
  readonly score: number;
  readonly via: Grounded['via'];
}

export function symbolEntry(
  { resolver, text }: Pick<Repository, 'resolver' | 'text'>,
  { file, decl, score, via }: Grounded,
): SymbolEntry {
  const summary = resolver.summary(file);
  const { decls } = summary;
  return {
    file,
    block: blockName(summary, decl),
    name: decls.nameOf(decl),
    kind: kindName(decls.kindOf(decl)),
    qualifiedName: publicName(resolver, { file, decl }),
    line: lineAt(summary, decls.nameStartOf(decl)),
    signature: headOf(text(file) ?? '', summary, decl),
    score: Math.round(score * 1000) / 1000,
    via,
  };
}
