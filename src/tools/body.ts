/**
 * Whole texts of all functions of a name.
 */
import * as z from 'zod';
import { lineAt } from '../syntax/line-at.js';
import { functionsCalled } from './functions.js';
import { spelledName } from './members.js';
import { byName, placeOf } from './signature.js';
import { fitted, tool, unknownText } from './tool.js';

/** A longer text is cut, in characters. */
const BODY_MOST = 4000;

export const methodBody = tool({
  name: 'get_method_body',
  description: 'The text of a method, also an inherited one, of a constructor or of a function: every overload.',
  params: z.strictObject(byName),
  searches: false,
  call: (repository, { class: className, method }) => {
    const { resolver } = repository;
    const { functions, suggestions } = functionsCalled(repository, className, method);
    const bodies = functions.map((found) => {
      const summary = resolver.summary(found.file);
      const { decls } = summary;
      const source = repository.text(found.file) ?? '';
      const start = source.lastIndexOf('\n', decls.startOf(found.decl) - 1) + 1;
      const isAlone = source.slice(start, decls.startOf(found.decl)).trim() === '';
      const whole = source.slice(isAlone ? start : decls.startOf(found.decl), decls.endOf(found.decl));
      const truncated = whole.length > BODY_MOST;
      return {
        found,
        item: {
          ...(found.owner === undefined
            ? {}
            : { owner: resolver.summary(found.owner.file).decls.nameOf(found.owner.decl) }),
          name: spelledName(resolver, found, found.owner),
          file: found.file,
          line: lineAt(summary, decls.startOf(found.decl)),
          text: truncated ? whole.slice(0, BODY_MOST) : whole,
          truncated,
        },
      };
    });
    const parts = bodies.map(
      ({ found, item }) =>
        `${placeOf(repository, found)}\n${item.text}${item.truncated ? '\n… (cut; read the file for the rest)' : ''}`,
    );
    return {
      items: bodies.map(({ item }) => item),
      text:
        bodies.length === 0 ? unknownText(suggestions, 'function') : fitted(parts, 'name the class, or read the file'),
      truncated: bodies.some(({ item }) => item.truncated),
      total: bodies.length,
      ...(suggestions.length === 0 ? {} : { suggestions }),
    };
  },
});
