/**
 * Edits to try impact on: the last parameter of functions that are called a lot is removed, and then the
 * function is renamed, a letter at a time.
 *
 * The choice depends on the snapshot alone. Half of the candidates have the names that most
 * files mention, whatever they mean (`get`, `toString`); half have names that few files declare.
 * Of those the functions with the most certain calls are taken.
 */
import { withoutLastParameter } from '#src/engine/rehearsal.js';
import { Resolver } from '#src/graph/resolve/resolver.js';
import { sitesOf } from '#src/graph/refer/references.js';
import type { Snapshot } from '#src/graph/files/snapshot.js';
import type { Grammars } from '#src/syntax/grammar.js';
import { lineAt } from '#src/syntax/line-at.js';
import { D, isFunctionLike, type Summary } from '#src/syntax/summary.js';
import { summaryOf } from './indexing.js';
import type { Sources } from './sources.js';

export interface SignatureEdit {
  readonly file: string;
  readonly name: string;
  /** Where the name stands, before and after. */
  readonly line: number;
  readonly before: string;
  /** The file's text without the parameter, and then with the name of the function one and two letters longer. */
  readonly texts: readonly [string, string, string];
  readonly calls: number;
  /** Other files that certainly call it. */
  readonly callers: readonly string[];
}

const CANDIDATES = 300;
const EDITS_MOST = 60;
const CALLS_LEAST = 3;
const DECLARING_FILES_FEW = 3;

interface Candidate {
  readonly file: string;
  readonly decl: number;
  readonly name: string;
  readonly summary: Summary;
  /** How many files say the name. */
  readonly mentions: number;
}

export function signatureEdits(sources: Sources, snapshot: Snapshot, grammars: Grammars): SignatureEdit[] {
  const resolver = new Resolver(snapshot);
  const edits: SignatureEdit[] = [];
  const textOf = new Map(sources.files.map((file) => [file.path, file]));
  for (const { file, decl, name, summary } of candidates(snapshot)) {
    const sites = sitesOf(resolver, { file, decl }).filter(
      (site) => site.kind === 'call' && site.confidence === 'certain',
    );
    const calls = sites.length;
    const source = textOf.get(file);
    if (calls < CALLS_LEAST || source === undefined) continue;
    const text = withoutLastParameter(summary, source.text, decl);
    if (text === undefined || summaryOf({ ...source, text }, grammars).errors.length > summary.errors.length) continue;
    const at = summary.decls.nameStartOf(decl) + name.length;
    const longer = (letters: string): string => text.slice(0, at) + letters + text.slice(at);
    edits.push({
      file,
      name,
      line: lineAt(summary, at - 1),
      before: source.text,
      texts: [text, longer('X'), longer('Xy')],
      calls,
      callers: [...new Set(sites.map((site) => site.file))].filter((path) => path !== file),
    });
  }
  return edits.sort((a, b) => b.calls - a.calls || (a.file < b.file ? -1 : 1)).slice(0, EDITS_MOST);
}

function candidates(snapshot: Snapshot): Candidate[] {
  const all: Candidate[] = [];
  for (const [file, summary] of snapshot.files) {
    for (let decl = 0; decl < summary.decls.count; decl++) {
      const kind = summary.decls.kindOf(decl);
      if (
        !isFunctionLike(kind) ||
        kind === D.constructor ||
        kind === D.lambda ||
        withoutLastParameter(summary, '', decl) === undefined
      )
        continue;
      const name = summary.decls.nameOf(decl);
      all.push({ file, decl, name, summary, mentions: snapshot.filesMentioning(name).length });
    }
  }
  all.sort((a, b) => b.mentions - a.mentions || (a.file < b.file ? -1 : a.file > b.file ? 1 : a.decl - b.decl));
  const rare = all.filter(
    (candidate) => snapshot.filesDeclaring(candidate.summary.language, candidate.name).length <= DECLARING_FILES_FEW,
  );
  return [...new Set([...all.slice(0, CANDIDATES / 2), ...rare.slice(0, CANDIDATES / 2)])];
}
