/**
 * Member added to an interface or abstract class: every class that must have it gets a stub,
 *
 *     interface Store { void drop(String key); }   ->   class Mem implements Store {
 *                                                         @Override
 *                                                         public void drop(String key) {
 *                                                           throw new UnsupportedOperationException("drop is not implemented");
 *                                                         }
 *
 * which fails loudly when it is called; its body stays an obligation. An abstract class repeats what
 * an interface asks for where it has to. Refused for generic types
 * whose parameters would have to be filled in, and where a name in the header is not known in the
 * class's file. Of what is no function only properties are made.
 */
import type { TextEdit } from '../../base/text-edit.js';
import { classOfMember } from '../../graph/hierarchy.js';
import { D, F, isFunctionLike, listAt, nameOf } from '../../syntax/summary.js';
import { classMadeAt } from '../../impact/lacking-classes.js';
import type { Rewrite, RewriteResult, RewriteSite } from './rewrite.js';
import { unknownName } from './unknown-name.js';

export const implementMember: Rewrite = {
  id: 'implement-member',
  does: 'adds a stub for a new abstract member to the classes that must implement it',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { site, graphs, block, summary, texts } = context;
    const { after } = site.cause;
    if ((site.rule !== 'AM/BaseClassOf' && site.rule !== 'AF/BaseClassOf') || site.tier !== 'breaks' || after === undefined || block.decl < 0) return undefined;
    const of = graphs.after.summary(after.file);
    const { decls } = of;
    const text = texts.after(after.file);
    const owner = classOfMember(of, after.decl);
    if (text === undefined || owner === undefined || !(isFunctionLike(decls.kind[after.decl] as number) || decls.kind[after.decl] === D.property)) return undefined;
    const name = nameOf(of, after.decl);
    if (listAt(of, decls.typeParams[owner] as number).length + listAt(of, decls.typeParams[after.decl] as number).length > 0) return { cannot: `${name} has type parameters to be filled in`, needs: 'model' };
    const { writing } = graphs.after.language(block.file);
    const header = text.slice(decls.start[after.decl], decls.bodyStart[after.decl]);
    const into = classMadeAt(summary, site.expr) ?? block.decl;
    const repeated = ((summary.decls.flags[into] as number) & F.abstract) !== 0 ? writing.repeatedMember?.(header) : undefined;
    const stub = repeated === undefined ? writing.stub(header, name, decls.kind[owner] === D.interface) : [repeated];
    const missing = after.file === block.file ? undefined : unknownName(graphs.after, after, new Set(stub.join(' ').match(/[A-Za-z_$][\w$]*/g)), { file: block.file, scope: summary.decls.inner[into] as number });
    if (missing !== undefined) return { cannot: `${missing} is not known in ${block.file}`, needs: 'model' };
    const edit = appended(context, into, stub);
    if (edit !== undefined && repeated !== undefined) return { edits: [edit] };
    return edit === undefined ? { cannot: 'the class has no body that could take it', needs: 'model' } : { edits: [edit], open: { reason: `${name} has no body yet`, needs: 'model' } };
  },
};

/** The lines as the last member of the class. */
function appended({ summary, text }: RewriteSite, into: number, lines: readonly string[]): TextEdit | undefined {
  const { decls } = summary;
  const end = decls.end[into] as number;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const outer = indentAt(text, decls.start[into] as number);
  const members = Array.from(decls.start.subarray(0, decls.count)).filter((_, row) => decls.scope[row] === decls.inner[into]);
  const child = members.find((start) => lineStartOf(text, start) > (decls.start[into] as number));
  const inner = child === undefined ? `${outer}${/^\t/m.test(text) ? '\t' : '    '}` : indentAt(text, child);
  const unit = inner.startsWith(outer) && inner.length > outer.length ? inner.slice(outer.length) : '    ';
  const written = lines.map((line) => inner + line.replace(/^\t+/, (tabs) => unit.repeat(tabs.length))).join(eol);
  if (text[end - 1] !== '}') return (decls.inner[into] as number) < 0 ? undefined : { start: end, end, text: `${eol}${child === undefined ? '' : eol}${written}` };
  const line = lineStartOf(text, end - 1);
  const isAlone = text.slice(line, end - 1).trim() === '';
  return isAlone ? { start: line, end: line, text: `${child === undefined ? '' : eol}${written}${eol}` } : { start: end - 1, end: end - 1, text: `${eol}${written}${eol}${outer}` };
}

const lineStartOf = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;
const indentAt = (text: string, offset: number): string => /^[ \t]*/.exec(text.slice(lineStartOf(text, offset), offset))?.[0] ?? '';
