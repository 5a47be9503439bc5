/**
 * The definitions of the repository and the names that certainly mean them, file by file, in the terms of
 * SCIP, the index format of code search engines: a symbol for every block, an occurrence for every place.
 *
 * Left out: locals and parameters, members of what has no name, names from outside of the repository, edges that no
 * name makes (operators, followed values), and whatever is only possible.
 * Symbols: https://github.com/sourcegraph/scip/blob/main/scip.proto, the grammar above `message Symbol`.
 */
import type { ScipReport, ScipSymbol } from '#protocol/scip.js';
import { SCHEMA_VERSION, type BlockKind } from '#protocol/words.js';
import { kindName } from '../change/atomic-change.js';
import type { Site } from '../graph/refer/site.js';
import { sitesIn } from '../graph/refer/sites-in.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import type { DeclRow } from '../syntax/rows.js';
import { D, F, isBlockKind, isClassLike, isFunctionLike, R, type Summary } from '../syntax/summary.js';
import { filesInTurns } from './files-in-turns.js';
import type { GraphQuestion } from './graph-entries.js';
import type { Call } from './service.js';
import { spanOf } from './spans.js';

/** Bits of `SymbolRole`. */
const ROLE = { definition: 1, import: 2, write: 4, read: 8 } as const;

/** Scheme, and no package: a symbol is named within its repository. */
const BEFORE_PATH = 'codeplan . . . ';
const PLAIN_NAME = /^[\w+$-]+$/u;

const escaped = (name: string): string => (PLAIN_NAME.test(name) ? name : `\`${name.replaceAll('`', '``')}\``);

export async function scipDocument(
  { resolver, problems }: Pick<GraphQuestion, 'resolver' | 'problems'>,
  call: Call,
): Promise<ScipReport> {
  const symbols = new Symbols(resolver);
  const documents: ScipReport['documents'] = [];
  for await (const file of filesInTurns(resolver, call, 'resolving references')) {
    documents.push(documentOf(resolver, symbols, file));
  }
  return { schema: SCHEMA_VERSION, documents, complete: problems.length === 0, problems: [...problems] };
}

/** The names of symbols, made once each. */
class Symbols {
  private readonly files = new Map<string, Map<DeclRow, string | undefined>>();

  constructor(private readonly resolver: Resolver) {}

  /** The file itself for row -1; undefined for what no one outside of its block can name. */
  of({ file, decl }: DeclRef): string | undefined {
    let known = this.files.get(file);
    if (known === undefined) this.files.set(file, (known = named(this.resolver.summary(file), file)));
    return known.get(decl);
  }
}

/** Symbols of a file's blocks, its own under -1. Overloads, alike in all else, are counted in the order of the file. */
function named({ decls }: Summary, file: string): Map<DeclRow, string | undefined> {
  const out = new Map<DeclRow, string | undefined>([[-1, `${BEFORE_PATH}${file.split('/').map(escaped).join('/')}/`]]);
  const overloads = new Map<string, number>();
  for (let decl = 0; decl < decls.count; decl++) {
    const kind = decls.kindOf(decl);
    const parent = out.get(decls.parentOf(decl));
    const name = decls.nameOf(decl);
    if (!isBlockKind(kind) || parent === undefined || name === '') continue;
    const within = `${parent}${escaped(name)}`;
    if (isFunctionLike(kind) && !decls.has(decl, F.getter | F.setter)) {
      const before = overloads.get(within) ?? 0;
      overloads.set(within, before + 1);
      out.set(decl, `${within}(${before === 0 ? '' : `+${before}`}).`);
    } else out.set(decl, `${within}${isClassLike(kind) ? '#' : kind === D.namespace ? '/' : '.'}`);
  }
  return out;
}

function documentOf(resolver: Resolver, symbols: Symbols, file: string): ScipReport['documents'][number] {
  const summary = resolver.summary(file);
  const writer = new DocumentWriter(summary);
  writer.occurrence(0, 0, symbols.of({ file, decl: -1 }), ROLE.definition);
  for (let decl = 0; decl < summary.decls.count; decl++) {
    const symbol = symbols.of({ file, decl });
    if (symbol === undefined) continue;
    writer.define(symbol, kindName(summary.decls.kindOf(decl)) as BlockKind, summary.decls.nameOf(decl));
    const at = summary.decls.nameStartOf(decl);
    if (at >= 0) writer.occurrence(at, at + summary.decls.nameOf(decl).length, symbol, ROLE.definition);
  }
  for (const site of sitesIn(resolver, file)) {
    if (site.confidence !== 'certain') continue;
    const target = symbols.of(site.target);
    if (site.kind === 'override' || site.kind === 'inherit')
      writer.relate(symbols.of({ file, decl: site.block }), target);
    if (site.expr >= 0 && isNamed(site))
      writer.occurrence(
        summary.exprs.startOf(site.expr),
        summary.exprs.endOf(site.expr),
        target,
        roleOf(summary, site),
      );
  }
  return { file, language: resolver.language(file).id, ...writer.written() };
}

/** Whether the place is a name that means the target, rather than syntax or a followed value that leads there. */
const isNamed = ({ via }: Site): boolean =>
  via !== 'syntax' && via !== 'flow' && via !== 'alias' && via !== 'class value';

function roleOf({ exprs }: Summary, { expr }: Site): number {
  const role = exprs.roleOf(expr);
  if (role === R.import) return ROLE.import;
  return (role === R.write ? 0 : ROLE.read) | (role === R.write || role === R.update ? ROLE.write : 0);
}

/** What one document says; each symbol is written once and meant by its number. */
class DocumentWriter {
  private readonly symbols: ScipSymbol[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly occurrences: number[][] = [];
  private readonly seen = new Set<string>();

  constructor(private readonly summary: Summary) {}

  define(symbol: string, kind: BlockKind, name: string): void {
    const number = this.numberOf(symbol);
    this.symbols[number] = { symbol, kind, name };
  }

  /** Of a block to one that it derives from or overrides. */
  relate(symbol: string | undefined, to: string | undefined): void {
    if (symbol === undefined || to === undefined || symbol === to) return;
    const entry = this.symbols[this.numberOf(symbol)];
    if (entry === undefined || entry.implements?.includes(to) === true) return;
    entry.implements = [...(entry.implements ?? []), to];
  }

  occurrence(start: number, end: number, symbol: string | undefined, roles: number): void {
    if (symbol === undefined) return;
    const key = `${start} ${end} ${symbol}`;
    if (this.seen.has(key)) return;
    this.seen.add(key);
    const { startLine, startColumn, endLine, endColumn } = spanOf(this.summary, start, end);
    const range = startLine === endLine ? [startColumn, endColumn] : [startColumn, endLine - 1, endColumn];
    this.occurrences.push([this.numberOf(symbol), roles, startLine - 1, ...range]);
  }

  written(): { symbols: ScipSymbol[]; occurrences: number[][] } {
    return { symbols: this.symbols, occurrences: this.occurrences };
  }

  private numberOf(symbol: string): number {
    let number = this.numbers.get(symbol);
    if (number === undefined) {
      number = this.symbols.push({ symbol }) - 1;
      this.numbers.set(symbol, number);
    }
    return number;
  }
}
