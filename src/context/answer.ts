/**
 * Reads what a model wrote: untrusted text to one of three meanings.
 *
 * Exactly one fenced block is the edit. An answer without code that says in any form that nothing
 * has to change is "no change"; whether it can be right is judged by whoever knows why it was asked.
 * All else is refused with a reason in words, which is shown and is given back to the model for a second try.
 * Whether the code fits into the file is not judged here.
 */
import { NO_CHANGES } from './prompt.js';

export type ParsedAnswer =
  | { readonly kind: 'edit'; readonly text: string }
  | { readonly kind: 'noChange' }
  | { readonly kind: 'refused'; readonly reason: string };

export function parseAnswer(answer: string): ParsedAnswer {
  const said = withoutReasoning(answer).trim();
  if (said === '') return refused('the answer is empty');
  const { blocks, open, prose } = fencedBlocks(said);
  if (open) return refused('the code block is not closed, so the answer was probably cut short');
  const different = [...new Set(blocks.filter((block) => block.trim() !== ''))];
  const [only, second] = different;
  if (blocks.length === 0) {
    if (saysNoChange(said)) return { kind: 'noChange' };
    return isDiff(said)
      ? refused(WHOLE_BLOCK)
      : refused(`the answer holds no code block; it must be one code block, or exactly "${NO_CHANGES}"`);
  }
  if (only === undefined) return refused('the code block is empty; to delete is not possible this way');
  if (second !== undefined)
    return refused(`the answer holds ${different.length} different code blocks; exactly one is wanted`);
  if (only.split('\n').length === 1 && saysNoChange(only)) {
    return prose === '' || saysNoChange(prose)
      ? { kind: 'noChange' }
      : refused(`"${NO_CHANGES}" must be the whole answer`);
  }
  return isDiff(only) ? refused(WHOLE_BLOCK) : { kind: 'edit', text: only };
}

const WHOLE_BLOCK = 'the answer is a diff; write the whole block as it is to be, without signs in front of its lines';

/** Lines that only a diff, or a list of pieces to search and replace, has. */
function isDiff(text: string): boolean {
  return (
    /^@@ .*@@/m.test(text) ||
    (/^--- \S/m.test(text) && /^\+\+\+ \S/m.test(text)) ||
    (/^<{5,} ?SEARCH/m.test(text) && /^>{5,} ?REPLACE/m.test(text))
  );
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
function withoutReasoning(answer: string): string {
  return answer.replace(/^\uFEFF?\s*<(think|thinking|reasoning)>[\s\S]*?<\/\1>/, '');
}

interface Fences {
  /** Contents, line endings as `\n`, without the last line break. */
  readonly blocks: readonly string[];
  /** Whether the last block has no closing fence. */
  readonly open: boolean;
  /** What stands outside of the blocks, trimmed. */
  readonly prose: string;
}

/** Code blocks as in CommonMark: a fence closes with at least as many of the same sign, alone on its line. */
function fencedBlocks(text: string): Fences {
  const blocks: string[] = [];
  const prose: string[] = [];
  let fence: string | undefined;
  let lines: string[] = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (fence === undefined) {
      const opening = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line);
      if (opening === null) prose.push(line);
      else {
        fence = opening[1];
        lines = [];
      }
    } else if (closes(line, fence)) {
      blocks.push(lines.join('\n'));
      fence = undefined;
    } else lines.push(line);
  }
  return { blocks, open: fence !== undefined, prose: prose.join('\n').trim() };
}

function closes(line: string, fence: string): boolean {
  const sign = line.trim();
  return /^ {0,3}\S/.test(line) && sign.length >= fence.length && sign === (fence[0] as string).repeat(sign.length);
}
