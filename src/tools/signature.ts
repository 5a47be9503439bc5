/**
 * Signatures of all functions of a name: parameters, result, owner.
 */
import * as z from 'zod';
import { shownInLine, shownName } from '../base/shown.js';
import { headOf } from '../retrieve/head.js';
import { lineAt } from '../syntax/line-at.js';
import { functionsCalled, type FoundFunction } from './functions.js';
import { parameterEntries, resultText, spelledName } from './members.js';
import { fitted, tool, unknownText, type Repository } from './tool.js';

export const byName = {
  class: z
    .string()
    .min(1)
    .optional()
    .describe('Simple or qualified name; leave out for a function outside of classes.'),
  method: z.string().min(1).describe("The name; a constructor's is that of its class."),
};

export const signature = tool({
  name: 'get_signature',
  description: 'Signatures of a method, also an inherited one, of a constructor or of a function: every overload.',
  params: z.strictObject(byName),
  searches: false,
  call: (repository, { class: className, method }) => {
    const { functions, suggestions } = functionsCalled(repository, className, method);
    const lines = functions.map((found) => `${placeOf(repository, found)} ${headText(repository, found)}`);
    return {
      items: functions.map((found) => signatureEntry(repository, found)),
      text: functions.length === 0 ? unknownText(suggestions, 'function') : fitted(lines, 'name the class'),
      truncated: false,
      total: functions.length,
      ...(suggestions.length === 0 ? {} : { suggestions }),
    };
  },
});

export function signatureEntry({ resolver, text }: Repository, { file, decl, owner }: FoundFunction): object {
  const summary = resolver.summary(file);
  const source = text(file) ?? '';
  const result = resultText(source, summary, decl);
  return {
    ...(owner === undefined ? {} : { owner: resolver.summary(owner.file).decls.nameOf(owner.decl) }),
    name: spelledName(resolver, { file, decl }, owner),
    file,
    line: lineAt(summary, summary.decls.startOf(decl)),
    signature: headOf(source, summary, decl),
    parameters: parameterEntries(source, summary, decl),
    ...(result === undefined ? {} : { returns: result }),
  };
}

/** `path:line Owner.`, for a line of text. */
export function placeOf({ resolver }: Repository, { file, decl }: FoundFunction): string {
  const summary = resolver.summary(file);
  return `${shownName(file)}:${lineAt(summary, summary.decls.startOf(decl))} ${shownName(summary.decls.pathOf(decl))}:`;
}

const headText = ({ resolver, text }: Repository, { file, decl }: FoundFunction): string =>
  shownInLine(headOf(text(file) ?? '', resolver.summary(file), decl));
