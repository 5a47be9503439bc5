/**
 * Member added to an interface or abstract class: every class that must have it gets a stub,
 *
 *     interface Store { void drop(String key); }   ->   class Mem implements Store {
 *                                                         @Override
 *                                                         public void drop(String key) {
 *                                                           throw new UnsupportedOperationException("drop is not implemented");
 *                                                         }
 *
 * which fails loudly when it is called; its body stays an obligation. Refused for generic types
 * whose parameters would have to be filled in, and where a name in the header is not known in the
 * class's file. Of what is no function only properties are made.
 */
import type { TextEdit } from '../../base/text-edit.js';
import { childrenOf } from '../../change/match-blocks.js';
import { classOfMember } from '../../graph/hierarchy.js';
import { D, isFunctionLike, listAt, nameOf } from '../../syntax/summary.js';
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
    const stub = graphs.after.language(block.file).writing.stub(text.slice(decls.start[after.decl], decls.bodyStart[after.decl]), name, decls.kind[owner] === D.interface);
    const missing = after.file === block.file ? undefined : unknownName(graphs.after, after, new Set(stub.join(' ').match(/[A-Za-z_$][\w$]*/g)), { file: block.file, scope: summary.decls.inner[block.decl] as number });
    if (missing !== undefined) return { cannot: `${missing} is not known in ${block.file}`, needs: 'model' };
    const edit = appended(context, stub);
    return edit === undefined ? { cannot: 'the class has no body that could take it', needs: 'model' } : { edits: [edit], open: { reason: `${name} has no body yet`, needs: 'model' } };
  },
};

/** The lines as the last member of the class. */
function appended({ block, summary, text }: RewriteSite, lines: readonly string[]): TextEdit | undefined {
  const { decls } = summary;
  const end = decls.end[block.decl] as number;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const outer = indentAt(text, decls.start[block.decl] as number);
  const child = childrenOf(summary, block.decl).map((row) => decls.start[row] as number).find((start) => lineStartOf(text, start) > (decls.start[block.decl] as number));
  const inner = child === undefined ? `${outer}${/^\t/m.test(text) ? '\t' : '    '}` : indentAt(text, child);
  const unit = inner.startsWith(outer) && inner.length > outer.length ? inner.slice(outer.length) : '    ';
  const written = lines.map((line) => inner + line.replace(/^\t+/, (tabs) => unit.repeat(tabs.length))).join(eol);
  if (text[end - 1] !== '}') return (decls.inner[block.decl] as number) < 0 ? undefined : { start: end, end, text: `${eol}${child === undefined ? '' : eol}${written}` };
  const line = lineStartOf(text, end - 1);
  const isAlone = text.slice(line, end - 1).trim() === '';
  return isAlone ? { start: line, end: line, text: `${child === undefined ? '' : eol}${written}${eol}` } : { start: end - 1, end: end - 1, text: `${eol}${written}${eol}${outer}` };
}

const lineStartOf = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;
const indentAt = (text: string, offset: number): string => /^[ \t]*/.exec(text.slice(lineStartOf(text, offset), offset))?.[0] ?? '';
