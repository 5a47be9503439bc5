/**
 * What a person wrote about a declaration, as plain words: its docstring, or the comment above it.
 */
import { D, type Summary } from '../syntax/summary.js';
import { languageById } from './registry.js';

/** How far above a declaration its comment may begin, in characters. */
const ABOVE_MOST = 8000;

/** Words of the documentation without what marks it as one; '' for none. */
export function documentationOf(text: string, summary: Summary, decl: number): string {
  return languageById(summary.language).docstrings ? docstring(text, summary, decl) : commentAbove(text, summary, decl);
}

/** The string that a body begins with. */
function docstring(text: string, { decls }: Summary, decl: number): string {
  if (decls.kindOf(decl) === D.variable) return '';
  const from = decls.bodyStartOf(decl);
  const found = /^[\s:]*(?:#[^\n]*\s*)*[rRuU]?("""|'''|"|')([\s\S]*?)\1/.exec(text.slice(from, decls.endOf(decl)));
  return found?.[2] ?? '';
}

/** The comment that ends right above, decorators and modifiers being part of the declaration. */
function commentAbove(text: string, { decls }: Summary, decl: number): string {
  const start = decls.startOf(decl);
  const before = text.slice(Math.max(0, start - ABOVE_MOST), start).trimEnd();
  if (before.endsWith('*/')) {
    const open = before.lastIndexOf('/*');
    return open < 0 ? '' : plain(before.slice(open, -2).replace(/^\/\*+|^[ \t]*\*+/gm, ' '));
  }
  const lines: string[] = [];
  for (let end = before.length; end >= 0;) {
    const start = before.lastIndexOf('\n', end - 1) + 1;
    const comment = /^\s*\/\/+(.*)$/.exec(before.slice(start, end))?.[1];
    if (comment === undefined) break;
    lines.unshift(comment);
    end = start - 1;
  }
  return plain(lines.join('\n'));
}

/** Tags of XML and HTML stand for nothing; their names are no words of the text. */
const plain = (comment: string): string => comment.replace(/<[^<>\n]{1,80}>/g, ' ').trim();
