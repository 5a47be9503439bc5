/**
 * Member added to an interface or abstract class: every class that must have it gets a stub,
 *
 *     interface Store { void drop(String key); }   ->   class Mem implements Store {
 *                                                         @Override
 *                                                         public void drop(String key) {
 *                                                           throw new UnsupportedOperationException("drop is not
 *                                                           implemented");
 *                                                         }
 *
 * which fails loudly when it is called; its body stays an obligation. An abstract class repeats what
 * an interface asks for where it has to. Type parameters of the base are filled in as the class names
 * it, and what the header needs is imported. Refused for generic members, and where what a name in
 * the header means cannot be brought into the class's file. Of what is no function only properties
 * are made.
 */
import type { TextEdit } from '../../../base/text-edit.js';
import { classOfMember } from '../../../graph/resolve/hierarchy.js';
import { classMadeAt } from '../../../impact/lacking-classes.js';
import { D, F, isFunctionLike } from '../../../syntax/summary.js';
import { knownNames } from '../names/known-names.js';
import { baseArguments } from '../headers/base-arguments.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';

export const implementMember: Rewrite = {
  id: 'implement-member',
  does: 'adds a stub for a new abstract member to the classes that must implement it',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { site, graphs, block, summary, texts } = context;
    const { after } = site.cause;
    if (
      (site.rule !== 'AM/BaseClassOf' && site.rule !== 'AF/BaseClassOf') ||
      site.tier !== 'breaks' ||
      after === undefined ||
      block.decl < 0
    )
      return undefined;
    const of = graphs.after.summary(after.file);
    const { decls } = of;
    const text = texts.after(after.file);
    const owner = classOfMember(of, after.decl);
    if (
      text === undefined ||
      owner === undefined ||
      !(isFunctionLike(decls.kindOf(after.decl)) || decls.kindOf(after.decl) === D.property)
    )
      return undefined;
    const name = of.decls.nameOf(after.decl);
    if (decls.typeParamsOf(after.decl).length > 0)
      return { cannot: `${name} has type parameters to be filled in`, needs: 'model' };
    const into = classMadeAt(summary, site.expr) ?? block.decl;
    const given = baseArguments(context, { file: after.file, decl: owner }, into);
    if (given === undefined)
      return {
        cannot: `what the type parameters of ${of.decls.nameOf(owner)} stand for here is not told`,
        needs: 'model',
      };
    const { writing } = graphs.after.language(block.file);
    const header = [...given].reduce(
      (written, [param, argument]) => written.replace(new RegExp(`(?<![\\w.])${param}(?!\\w)`, 'g'), argument),
      text.slice(decls.startOf(after.decl), decls.bodyStartOf(after.decl)),
    );
    const repeated = summary.decls.has(into, F.abstract) ? writing.repeatedMember?.(header) : undefined;
    const stub = repeated === undefined ? writing.stub(header, name, decls.kindOf(owner) === D.interface) : [repeated];
    const known = knownNames(
      context,
      after,
      new Set(stub.join(' ').match(/[A-Za-z_$][\w$]*/g)),
      summary.decls.innerOf(into),
    );
    if ('cannot' in known) return known;
    const edit = appended(context, into, stub);
    if (edit === undefined) return { cannot: 'the class has no body that could take it', needs: 'model' };
    return {
      edits: [...known, edit],
      ...(repeated === undefined ? { open: { reason: `${name} has no body yet`, needs: 'model' } } : {}),
      ...(repeated === undefined && into === block.decl ? { stub: name } : {}),
    };
  },
};

/** The lines as the last member of the class. */
function appended({ summary, text }: RewriteSite, into: number, lines: readonly string[]): TextEdit | undefined {
  const { decls } = summary;
  const end = decls.endOf(into);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const outer = indentAt(text, decls.startOf(into));
  const members = Array.from({ length: decls.count }, (_, row) => row)
    .filter((row) => decls.scopeOf(row) === decls.innerOf(into))
    .map((row) => decls.startOf(row));
  const child = members.find((start) => lineStartOf(text, start) > decls.startOf(into));
  const inner = child === undefined ? `${outer}${/^\t/m.test(text) ? '\t' : '    '}` : indentAt(text, child);
  const unit = inner.startsWith(outer) && inner.length > outer.length ? inner.slice(outer.length) : '    ';
  const written = lines.map((line) => inner + line.replace(/^\t+/, (tabs) => unit.repeat(tabs.length))).join(eol);
  if (text[end - 1] !== '}')
    return decls.innerOf(into) < 0
      ? undefined
      : { start: end, end, text: `${eol}${child === undefined ? '' : eol}${written}` };
  const line = lineStartOf(text, end - 1);
  const isAlone = text.slice(line, end - 1).trim() === '';
  return isAlone
    ? { start: line, end: line, text: `${child === undefined ? '' : eol}${written}${eol}` }
    : { start: end - 1, end: end - 1, text: `${eol}${written}${eol}${outer}` };
}

const lineStartOf = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;
const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(lineStartOf(text, offset), offset))?.[0] ?? '';
