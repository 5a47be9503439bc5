/**
 * What an edit newly broke: the diagnostics after it, less those that were there before.
 *
 * Edits move lines, so a diagnostic is known by its file, code, message and the text of its source
 * line, never by its number; equal ones are counted. In the message, positions and line numbers are
 * blanked out. A baseline that failed is no baseline: the answer is `unknown`, never "clean", and
 * never "everything is new".
 *
 * Errs towards new: an old error on a line that was edited since is reported, with the vanished one
 * that it resembles beside it, for the caller to weigh.
 */
import type { Diagnostic, OracleOutcome } from './diagnostic.js';

/** Text of a 1-based line of a file in the tree that was checked; undefined where there is none. */
export type LineText = (file: string, line: number) => string | undefined;

/** One run with the tree that it saw. */
export interface CheckedTree {
  readonly outcome: OracleOutcome;
  readonly lineText: LineText;
}

/** What had another name before: old to new. */
export interface Renames {
  readonly files: ReadonlyMap<string, string>;
  /** Identifiers, as messages quote them. */
  readonly names: ReadonlyMap<string, string>;
}

export const NO_RENAMES: Renames = { files: new Map(), names: new Map() };

export interface NewDiagnostic {
  readonly diagnostic: Diagnostic;
  /** One of the same file, code and message that is gone: probably this one, on a line that was edited. */
  readonly resembles?: Diagnostic;
}

export type Comparison =
  | {
      readonly kind: 'compared';
      readonly baseline: number;
      readonly after: number;
      readonly fresh: readonly NewDiagnostic[];
      readonly gone: readonly Diagnostic[];
    }
  | { readonly kind: 'unknown'; readonly reason: string };

export function compareRuns(before: CheckedTree, after: CheckedTree, renames: Renames): Comparison {
  if (!before.outcome.ok)
    return {
      kind: 'unknown',
      reason: `the check before the edits failed, so what is new cannot be told: ${before.outcome.error.message}`,
    };
  if (!after.outcome.ok)
    return { kind: 'unknown', reason: `the check after the edits failed: ${after.outcome.error.message}` };
  const old = new Map<string, Diagnostic[]>();
  for (const diagnostic of before.outcome.diagnostics) {
    const key = fingerprint(diagnostic, before.lineText, renames);
    const group = old.get(key);
    if (group === undefined) old.set(key, [diagnostic]);
    else group.push(diagnostic);
  }
  const unmatched: Diagnostic[] = [];
  for (const diagnostic of after.outcome.diagnostics) {
    if (old.get(fingerprint(diagnostic, after.lineText, NO_RENAMES))?.shift() === undefined) unmatched.push(diagnostic);
  }
  const gone = [...old.values()].flat();
  const left = [...gone];
  const fresh = unmatched.map((diagnostic): NewDiagnostic => {
    const key = kindKey(diagnostic, NO_RENAMES);
    const at = left.findIndex((candidate) => kindKey(candidate, renames) === key);
    const [resembles] = at === -1 ? [] : left.splice(at, 1);
    return resembles === undefined ? { diagnostic } : { diagnostic, resembles };
  });
  return {
    kind: 'compared',
    baseline: before.outcome.diagnostics.length,
    after: after.outcome.diagnostics.length,
    fresh,
    gone,
  };
}

function fingerprint(diagnostic: Diagnostic, lineText: LineText, renames: Renames): string {
  const source = (lineText(diagnostic.file, diagnostic.line) ?? '').trim().replace(/\s+/g, ' ');
  return `${kindKey(diagnostic, renames)}\0${renamed(source, renames)}`;
}

function kindKey(diagnostic: Diagnostic, renames: Renames): string {
  const file = renames.files.get(diagnostic.file) ?? diagnostic.file;
  const message = renamed(withoutPositions(diagnostic.message), renames);
  return `${file}\0${diagnostic.severity}\0${diagnostic.code ?? ''}\0${message}`;
}

/** "declared on line 12", "(12,3)", "at x.py:12:3", '"12"' become the same whatever the numbers. */
function withoutPositions(message: string): string {
  return message
    .replace(/\b(lines?|columns?|col|ln|position|offset)(\s*[:=#]?\s*)\d+/gi, '$1$2#')
    .replace(/:\d+(?::\d+)?\b/g, ':#')
    .replace(/[([]\d+\s*,\s*\d+[)\]]/g, '(#)')
    .replace(/(["'`])\d+(?:[:,]\d+)*\1/g, '$1#$1')
    .replace(/\s+/g, ' ')
    .trim();
}

function renamed(text: string, renames: Renames): string {
  if (renames.names.size === 0) return text;
  return text.replace(/[\p{ID_Start}_$][\p{ID_Continue}$]*/gu, (name) => renames.names.get(name) ?? name);
}
