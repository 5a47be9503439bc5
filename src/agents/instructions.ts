/**
 * What a host is told of the tools once, and the block for a repository's own notes to agents.
 */
import { withBlock, withoutBlock, type Marks } from '../base/marked-block.js';

/** Sent when a session begins; hosts cut it at 2 KB. */
export const INSTRUCTIONS = [
  'codeplan knows who depends on what in this repository (Python, TypeScript/JavaScript, Java, C#).',
  '- Rename, move, change a signature: refactor, in one call.',
  '- After edits by hand: propagate, for what no longer fits and the edits that follow.',
  '- Before an edit: context (what to read) or refs (who uses it).',
  'Both write with apply: true. Blocks are named path:Outer.inner, or by a unique name. The last line of an answer',
  'says how current the graph is.',
].join('\n');

const MARKS: Marks = { begin: '<!-- codeplan: begin -->', end: '<!-- codeplan: end -->' };

/** What stands between markers in AGENTS.md or CLAUDE.md. */
const NOTES = `\
Rename, move or change a signature with one command: \`codeplan refactor --help\` (or the MCP tool refactor).
After you change a signature, a name or a type, run \`codeplan propagate\` (or the MCP tool propagate) to see what no
longer fits elsewhere; \`--apply\` writes the edits that follow by rule, \`codeplan undo\` takes them back.
Who uses a block: \`codeplan refs path:Outer.inner\`. What to read before an edit: \`codeplan context <block>…\`.
`;

/** The notes with the block put in, or replaced where it stands already. */
export const withNotes = (text: string): string => withBlock(text, MARKS, NOTES);

/** The notes without the block; the same text where it has none. */
export const withoutNotes = (text: string): string => withoutBlock(text, MARKS);
