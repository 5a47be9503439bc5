/**
 * Names that a file which goes had by its imports, and that others take from it:
 *
 *     from collections.abc import Sized     in plat.py, which goes into utils.py
 *     from plat import Sized                in use.py
 *
 * The import goes along, so that `from utils import Sized` finds it. An import under a condition goes along with its
 * statement; what it binds is among the names too.
 */
import type { TextEdit } from '../base/text-edit.js';
import { importEdits } from '../edit/import-merge.js';
import { importStatements, isAtMargin } from '../edit/mechanical/imports/import-statement.js';
import { fileOf } from '../edit/mechanical/imports/module-name.js';
import { lineBreakOf } from '../edit/line-breaks.js';
import { isTakenByOthers } from './left-imports.js';
import type { Move } from './pieces.js';
import { Refused, textOf, type Sources } from './seed.js';

export interface PassedNames {
  readonly names: ReadonlySet<string>;
  /** Import statements at the margin that bind some of them. */
  readonly statements: readonly string[];
}

/** What the files that a move empties pass on to others. */
export function passedNames(sources: Sources, { pieces, to, emptied }: Move): PassedNames {
  const names = new Set<string>();
  const statements: string[] = [];
  for (const file of emptied) {
    const { resolver } = sources;
    const summary = resolver.summary(file);
    const text = textOf(sources, file);
    const { writing } = resolver.language(file);
    for (const statement of importStatements(summary, text)) {
      const goesAlong = pieces.some(
        (piece) => piece.file === file && statement.start >= piece.start && statement.start < piece.end,
      );
      const entries = summary.imports.filter(
        ({ moduleStart, decl, kind }) => moduleStart === statement.moduleStart && decl >= 0 && kind !== 'star',
      );
      const taken = entries.filter(
        ({ decl }) => goesAlong || isTakenByOthers(sources, file, summary.decls.nameOf(decl)),
      );
      for (const { decl } of taken) names.add(summary.decls.nameOf(decl));
      const isOfTarget = fileOf(resolver, statement.module, file) === to;
      if (taken.length === 0 || goesAlong || isOfTarget || !isAtMargin(text, statement)) continue;
      const written = text.slice(statement.start, statement.end);
      const listed = taken.map(({ start, end }) => text.slice(start, end)).join(', ');
      statements.push(
        taken.length === entries.length
          ? written
          : writing.importStatement(statement.module, listed, undefined, written),
      );
    }
  }
  return { names, statements };
}

/** The target's text with the imports that go along. */
export function withPassed(
  sources: Sources,
  to: string,
  text: string,
  { statements }: PassedNames,
): readonly TextEdit[] {
  const summary = sources.summarise(to, text);
  if (statements.length === 0 || summary === undefined) return [];
  const merged = importEdits(
    text,
    summary,
    statements.map((one) => `${one}\n`).join(''),
    lineBreakOf(text),
    (other) => sources.summarise(to, other) ?? summary,
  );
  if (merged.ok) return merged.edits;
  throw new Refused(`what others take from the file cannot be imported in ${to}: ${merged.reason}`, [to]);
}
