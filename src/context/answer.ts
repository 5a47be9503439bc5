/**
 * Reads what a model wrote: untrusted text to one of five meanings.
 *
 * Exactly one fenced block is the edit: the block's whole new text, its changed places (lines to look for
 * and what replaces them), or members to add. An answer without code that says in any form that nothing has
 * to change is "no change"; whether it can be right is judged by whoever knows why it was asked.
 * All else is refused with a reason in words, which is shown and is given back to the model for a second try.
 * Whether the code fits into the file is not judged here; `whole-answer.ts` makes a whole text of each.
 */
import { DELETE, NO_CHANGES } from './prompt.js';

/** Lines that stand in the fragment, and what comes in their place. */
export interface ChangedPlace {
  readonly search: string;
  readonly replace: string;
}

export type ParsedAnswer =
  | { readonly kind: 'edit'; readonly text: string }
  /** `head`: what stands before the first place, imports as a rule. */
  | { readonly kind: 'changes'; readonly head: string; readonly places: readonly ChangedPlace[] }
  | { readonly kind: 'members'; readonly text: string }
  | { readonly kind: 'delete' }
  | { readonly kind: 'noChange' }
  | { readonly kind: 'refused'; readonly reason: string };

export function parseAnswer(answer: string): ParsedAnswer {
  const said = withoutReasoning(answer).trim();
  if (said === '') return refused('the answer is empty');
  const { blocks, open, prose } = fencedBlocks(said);
  if (open !== undefined) return refused('the code block is not closed, so the answer was probably cut short');
  const filled = blocks.filter(({ text }) => text.trim() !== '');
  const byText = new Map<string, Fences['blocks'][number]>();
  for (const block of filled) if (!byText.has(block.text)) byText.set(block.text, block);
  const different = [...byText.values()];
  const [only, second] = different;
  if (blocks.length === 0) {
    if (saysDelete(said)) return { kind: 'delete' };
    if (saysNoChange(said)) return { kind: 'noChange' };
    if (isChanges(said)) return changesOf(said);
    return isDiff(said)
      ? refused(WHOLE_BLOCK)
      : refused(`the answer holds no code block; it must be one code block, or exactly "${NO_CHANGES}"`);
  }
  if (only === undefined) return refused(`the code block is empty; to remove the fragment, answer "${DELETE}"`);
  if (different.every(({ text }) => isChanges(text))) return changesOf(different.map(({ text }) => text).join('\n'));
  if (second !== undefined)
    return refused(`the answer holds ${different.length} different code blocks; exactly one is wanted`);
  if (only.text.split('\n').length === 1 && saysDelete(only.text)) return { kind: 'delete' };
  if (only.text.split('\n').length === 1 && saysNoChange(only.text)) {
    return prose === '' || saysNoChange(prose)
      ? { kind: 'noChange' }
      : refused(`"${NO_CHANGES}" must be the whole answer`);
  }
  if (isDiff(only.text)) return refused(WHOLE_BLOCK);
  return /(?:^|\s)add$/i.test(only.info) ? { kind: 'members', text: only.text } : { kind: 'edit', text: only.text };
}

const WHOLE_BLOCK =
  'the answer is a diff; write the whole block as it is to be, without signs in front of its lines, or ' +
  'changed places between <<<<<<< SEARCH, ======= and >>>>>>> REPLACE';

const saysDelete = (text: string): boolean => /^[*_`]*delete\.?[*_`]*$/i.test(text.trim());

const SEARCH = /^[ \t]*<{5,} ?SEARCH[ \t]*$/;
const BETWEEN = /^[ \t]*={5,}[ \t]*$/;
const REPLACE = /^[ \t]*>{5,} ?REPLACE[ \t]*$/;

const isChanges = (text: string): boolean => text.split('\n').some((line) => SEARCH.test(line));

function changesOf(text: string): ParsedAnswer {
  const places: ChangedPlace[] = [];
  const head: string[] = [];
  let at: 'outside' | 'search' | 'replace' = 'outside';
  let search: string[] = [];
  let replace: string[] = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (at === 'outside' && SEARCH.test(line)) {
      at = 'search';
      search = [];
      replace = [];
    } else if (at === 'search' && BETWEEN.test(line)) at = 'replace';
    else if (at === 'replace' && REPLACE.test(line)) {
      places.push({ search: search.join('\n'), replace: replace.join('\n') });
      at = 'outside';
    } else if (at === 'search') search.push(line);
    else if (at === 'replace') replace.push(line);
    else if (places.length === 0) head.push(line);
    else if (line.trim() !== '') return refused(`"${line.trim().slice(0, 80)}" stands between two changed places`);
  }
  if (at !== 'outside') return refused('the last changed place is not closed by a line >>>>>>> REPLACE');
  return { kind: 'changes', head: head.join('\n').trim(), places };
}

/** Lines that only a diff has. */
function isDiff(text: string): boolean {
  return /^@@ .*@@/m.test(text) || (/^--- \S/m.test(text) && /^\+\+\+ \S/m.test(text));
}

const NOTHING_CHANGES: readonly RegExp[] = [
  /\bno\s+(?:\w+\s+){0,2}(?:changes?|edits?|modifications?|updates?)\b/i,
  /\bnothing\s+(?:\w+\s+){0,6}(?:chang|edit|modif|updat)\w*/i,
  /\b(?:does|do|need)(?:n't| not)\s+(?:need|require|have)\s+(?:\w+\s+){0,2}(?:chang|edit|modif|updat)\w*/i,
  /\b(?:stays?|remains?|is left|can be left)\s+(?:unchanged|as (?:it )?is)\b/i,
];
/** Words after which the opposite may follow. */
const RESERVATION = /\b(?:but|however|except|unless|although|instead|should be|must be|apart from|other than)\b/i;

/** Whether prose says, without reservation, that nothing has to change. */
function saysNoChange(prose: string): boolean {
  return !RESERVATION.test(prose) && NOTHING_CHANGES.some((pattern) => pattern.test(prose));
}

function refused(reason: string): ParsedAnswer {
  return { kind: 'refused', reason };
}

/** Models that think aloud put their thoughts in front between tags; code in there is no answer. */
export function withoutReasoning(answer: string): string {
  return answer.replace(/^\uFEFF?\s*<(think|thinking|reasoning)>[\s\S]*?<\/\1>/, '');
}

interface Fences {
  /** Contents, line endings as `\n`, without the last line break; and what stands behind the opening fence. */
  readonly blocks: readonly { readonly text: string; readonly info: string }[];
  /** What stands in the last block where that has no closing fence. */
  readonly open: string | undefined;
  /** What stands outside of the blocks, trimmed. */
  readonly prose: string;
}

/** Code blocks as in CommonMark: a fence closes with at least as many of the same sign, alone on its line. */
export function fencedBlocks(text: string): Fences {
  const blocks: { text: string; info: string }[] = [];
  let info = '';
  const prose: string[] = [];
  let fence: string | undefined;
  let lines: string[] = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (fence === undefined) {
      const opening = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line);
      if (opening === null) prose.push(line);
      else {
        fence = opening[1];
        info = (opening[2] ?? '').trim();
        lines = [];
      }
    } else if (closes(line, fence)) {
      blocks.push({ text: lines.join('\n'), info });
      fence = undefined;
    } else lines.push(line);
  }
  return { blocks, open: fence === undefined ? undefined : lines.join('\n'), prose: prose.join('\n').trim() };
}

function closes(line: string, fence: string): boolean {
  const sign = line.trim();
  return /^ {0,3}\S/.test(line) && sign.length >= fence.length && sign === (fence[0] as string).repeat(sign.length);
}
