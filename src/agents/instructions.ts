/**
 * What a host is told of the tools once, and the block for a repository's own notes to agents.
 */

/** Sent when a session begins; hosts cut it at 2 KB. */
export const INSTRUCTIONS = [
  "codeplan keeps this repository's dependency graph warm (Python, TypeScript/JavaScript, Java, C#).",
  '- Before an edit whose reach you do not know: context (what to read) or refs (who uses a block).',
  '- To rename, move or change a signature at one go: the command codeplan refactor.',
  '- After an edit by hand: propagate. It lists what no longer fits and makes the edits that follow by rule; call it',
  '  again with apply: true to write them, give values for new parameters.',
  '- Name blocks as path:Outer.inner, or by a unique name; an unknown name is answered with candidates.',
  '- Every answer ends with how current the graph is. What is only possible is counted, not claimed.',
].join('\n');

const MARK_BEGIN = '<!-- codeplan: begin -->';
const MARK_END = '<!-- codeplan: end -->';

/** Four lines between markers, for AGENTS.md or CLAUDE.md. */
export const NOTES_BLOCK = `${MARK_BEGIN}
After you change a signature, a name or a type, run \`codeplan propagate\` (or the MCP tool propagate) to see what no
longer fits elsewhere; \`--apply\` writes the edits that follow by rule, \`codeplan undo\` takes them back.
Who uses a block: \`codeplan graph refs path:Outer.inner\`. What an edit breaks: \`codeplan impact\`.
${MARK_END}`;

/** The notes with the block put in, or replaced where it stands already. */
export function withNotes(text: string): string {
  const rest = withoutNotes(text);
  return rest === '' ? `${NOTES_BLOCK}\n` : `${rest.trimEnd()}\n\n${NOTES_BLOCK}\n`;
}

/** The notes without the block; the same text where it has none. */
export function withoutNotes(text: string): string {
  const begin = text.indexOf(MARK_BEGIN);
  const end = text.indexOf(MARK_END, begin);
  if (begin < 0 || end < 0) return text;
  const before = text.slice(0, begin).trimEnd();
  const after = text.slice(end + MARK_END.length).trimStart();
  if (before === '') return after;
  return after === '' ? `${before}\n` : `${before}\n\n${after}`;
}
