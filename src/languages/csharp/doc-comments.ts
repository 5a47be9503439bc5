/**
 * XML documentation comments: the names in `cref="A.B(C)"` and in `name="x"` of `param`,
 * `paramref`, `typeparam` and `typeparamref`, as rows with the role `doc`.
 *
 * They are looked up from inside the declaration that the comment stands before, since that is
 * where its parameters are known. Type arguments in braces (`List{T}`) invent names of their own
 * and give no rows.
 */
import { E, R } from '../../syntax/summary.js';
import { K } from './kinds.js';
import type { Walk } from './walk.js';

const REFERENCE = /\bcref\s*=\s*["']([^"']*)["']|<(?:type)?param(?:ref)?\s+name\s*=\s*["']([^"']*)["']/g;
const PATH = /@?[\p{L}_][\p{L}\p{N}_]*(?:\s*\{[^}]*\})?(?:\s*\.\s*@?[\p{L}_#][\p{L}\p{N}_]*(?:\s*\{[^}]*\})?)*/gu;
const PART = /@?([\p{L}_][\p{L}\p{N}_]*)(?:\s*\{[^}]*\})?/gu;
/** Words in a cref that name no declaration. */
const KEYWORDS = new Set(['operator', 'implicit', 'explicit', 'this', 'ref', 'out', 'in', 'params', 'checked']);

/** The first of the doc comments that stand right before a declaration, or -1. */
export function docBefore(w: Walk, node: number): number {
  const around = w.parent(node);
  let first = -1;
  for (let c = node - 1; c > around; c--) {
    while (w.parent(c) !== around) c = w.parent(c);
    if (w.isPart(c)) break;
    if (w.kind(c) === K.comment && isDocComment(w, c)) first = c;
  }
  return first;
}

/** `///` or `/**`, but no rulers of slashes or stars. */
function isDocComment(w: Walk, comment: number): boolean {
  const { text } = w;
  const at = w.start(comment);
  const third = text.charCodeAt(at + 2);
  if (text.charCodeAt(at + 1) === 0x2f /* / */) return third === 0x2f && text.charCodeAt(at + 3) !== 0x2f;
  return third === 0x2a /* * */ && text.charCodeAt(at + 3) !== 0x2f;
}

/** Adds rows for the doc comments from `first` (-1 for none) up to the node that they document. */
export function docRows(w: Walk, first: number, documented: number, scope: number): void {
  if (first === -1) return;
  for (let c = first; c < documented; c = w.after(c)) {
    if (w.kind(c) !== K.comment) continue;
    const text = w.textOf(c);
    if (!text.includes('cref') && !text.includes('name')) continue;
    for (const match of text.matchAll(REFERENCE)) {
      const written = match[1] ?? match[2] ?? '';
      crefRows(w, written, w.start(c) + match.index + match[0].lastIndexOf(written), scope);
    }
  }
}

/**
 * `A.B(C, D.E)`, `M:A.B`: a row for each part of each dotted path. The first path names what is meant, the others are
 * types of its parameters.
 */
function crefRows(w: Walk, written: string, at: number, scope: number): void {
  // `T:` and the like are the compiler's own ids; `!:` marks one that it could not resolve.
  const skipped = /^[A-Z!]:/.test(written) ? 2 : 0;
  const paths: number[] = [];
  for (const path of written.slice(skipped).matchAll(PATH)) {
    let base = -1;
    for (const part of path[0].matchAll(PART)) {
      const name = part[1] as string;
      if (KEYWORDS.has(name)) continue;
      const start = at + skipped + path.index + part.index + (part[0].startsWith('@') ? 1 : 0);
      base = w.build.expr(base === -1 ? E.name : E.member, start, start + name.length, scope, name, base, -1, R.doc);
    }
    if (base >= 0) paths.push(base);
  }
  const [meant, ...types] = paths;
  if (meant !== undefined && /\(.*\)$/.test(written)) w.build.setDocumentedTypes(meant, types);
}
