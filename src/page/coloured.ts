/**
 * Lines of code as a page shows them: keywords, strings, numbers, comments and names that are declared stand out.
 * Only a look: where a grammar errs, the text is whole and a colour is wrong.
 */
import csharp from 'highlight.js/lib/languages/csharp';
import java from 'highlight.js/lib/languages/java';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import { createLowlight } from 'lowlight';
import { languageOf } from '../languages/registry.js';
import { html, type Html } from './html.js';

/**
 * A grammar's expressions can take long over long lines (in characters), and nobody reads those for their colours, nor
 * ten screens of lines.
 */
const LINE_MOST = 1000;
const LINES_MOST = 400;

const grammars = createLowlight({ csharp, java, python, typescript });
type Tree = ReturnType<typeof grammars.highlight>;
type Node = Tree['children'][number];

/** One for each line, in order; `file` tells the language. Plain where that is none, or where there is too much. */
export function coloured(lines: readonly string[], file: string): Html[] {
  const language = languageOf(file)?.id;
  if (language === undefined || lines.length > LINES_MOST || lines.some(({ length }) => length > LINE_MOST))
    return lines.map((line) => html`${line}`);
  const out: Html[][] = [[]];
  for (const node of grammars.highlight(language, lines.join('\n')).children) put(node, undefined, out);
  return out.map((parts) => html`${parts}`);
}

/** A stretch that goes over several lines is one stretch in each. */
function put(node: Node, kind: string | undefined, lines: Html[][]): void {
  if (node.type === 'element') {
    const { className } = node.properties;
    const own = Array.isArray(className) ? String(className[0]) : kind;
    for (const child of node.children) put(child, own, lines);
  } else if (node.type === 'text')
    node.value.split('\n').forEach((text, i) => {
      if (i > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push(kind === undefined ? html`${text}` : html`<i class="${kind}">${text}</i>`);
    });
}
