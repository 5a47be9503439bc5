/**
 * An edit request for models that continue edits instead of following words: what changed so far as
 * lines that went and came, the code to edit with numbered lines, and records as the answer.
 *
 *     # Code to edit: save in job.py          2-                        line 2 goes
 *     1|def save(store, k):                   2+    store.put(k, 60)    comes before line 2
 *     2|    store.put(k)                      end
 *
 * Neither the task nor reasons nor messages are said: such models were not trained to read them.
 *
 * Source: the encoding of Coeditor (arXiv 2305.18584), written as text that any completion endpoint takes.
 */
import { diffArrays } from 'diff';
import type { WholeAnswer } from './whole-answer.js';
import type { EarlierEdit, EditRequest } from './edit-request.js';
import { promptFrom, type Prompt, type PromptPart, type Section } from './prompt.js';

/** What a completion must not run into: the next part of a document like this one. */
export const LINE_EDIT_STOP: readonly string[] = ['\n#', '\nend\n'];

const END = 'end';

export function lineEditPrompt(request: EditRequest): Prompt {
  const edits = request.temporal.map((edit) => `# Edit: ${edit.block} in ${edit.file}\n${changedLines(edit)}`);
  const declarations = request.spatial.map((related) => related.signature);
  const code = linesOf(request.fragment).map((line, index) => `${index + 1}|${line}`);
  const section = (part: PromptPart, text: string): Section => ({ part, text });
  return promptFrom('', [
    ...edits.map((edit) => section('earlier edits', edit)),
    ...(declarations.length === 0 ? [] : [section('related code', `# Declarations\n${declarations.join('\n')}`)]),
    section('the fragment', `# Code to edit: ${request.block} in ${request.file}\n${code.join('\n')}`),
    section('the answer wanted', `# Line edits, then ${END}\n`),
  ]);
}

/**
 * The fragment with the records of an answer applied; refused with a reason where one is no record of this fragment.
 */
export function parseLineEdits(answer: string, fragment: string): WholeAnswer {
  const lines = linesOf(fragment);
  const gone = new Set<number>();
  const added = new Map<number, string[]>();
  for (const record of linesOf(answer)) {
    if (record.trim() === END) break;
    if (record.trim() === '') continue;
    const [, digits = '', sign, text = ''] = /^(\d+)([-+])(.*)$/.exec(record) ?? [];
    const number = Number(digits);
    if (sign === undefined || number < 1 || number > lines.length + 1)
      return { kind: 'refused', reason: `"${record.slice(0, 80)}" is no edit of one of the ${lines.length} lines` };
    if (sign === '-' && (text.trim() !== '' || number > lines.length))
      return { kind: 'refused', reason: `"${record.slice(0, 80)}" does not say which line goes` };
    if (sign === '-') gone.add(number);
    else added.set(number, [...(added.get(number) ?? []), text]);
  }
  if (gone.size === 0 && added.size === 0) return { kind: 'noChange' };
  const out = [...lines, ''].flatMap((line, index) => [
    ...(added.get(index + 1) ?? []),
    ...(gone.has(index + 1) || index === lines.length ? [] : [line]),
  ]);
  return out.every((line) => line.trim() === '')
    ? { kind: 'refused', reason: 'nothing would be left; to delete is not possible this way' }
    : { kind: 'edit', text: out.join('\n') };
}

/** Every line, with what became of it in front. */
function changedLines({ before, after }: EarlierEdit): string {
  return diffArrays(linesOf(before), linesOf(after))
    .flatMap(({ added, removed, value }) => value.map((line) => `${added ? '+' : removed ? '-' : ' '}${line}`))
    .join('\n');
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}
