/**
 * What an edit model is asked, as a value: one obligation with its context.
 *
 * A request names one block of one file and carries that block's text, why it has to change, and
 * what is known around it. It holds no prompt: prompts are one way to ask (`prompt.ts`); a model
 * that is trained on diffs, or that looks answers up, reads the same value.
 */
import type { LanguageId } from '../syntax/summary.js';

/** An edit that was made earlier in the same plan. */
export interface EarlierEdit {
  readonly file: string;
  readonly block: string;
  /** Text of the block before; empty for an added block. */
  readonly before: string;
  /** Text of the block after; empty for a deleted block. */
  readonly after: string;
  /** Whether this block is affected by it directly, and not only through others. */
  readonly isDirect: boolean;
}

/** A block that the one to edit uses, inherits from or is used by, as it is now. */
export interface RelatedBlock {
  readonly file: string;
  readonly block: string;
  /** On one line: a function's or class's head, the whole of a field or constant that is short. */
  readonly signature: string;
  /** Whole text, where it is near enough to be worth the room. */
  readonly code?: string;
}

export interface EditRequest {
  readonly language: LanguageId;
  /** Relative to the root, with `/`. */
  readonly file: string;
  /** Dotted path inside the file, with `#2` and so on for further overloads; `<module>` for module level. */
  readonly block: string;
  /** What the block is, in words: `method`, `class`, `import`. */
  readonly kind: string;
  /** Text of the block now, with the indentation that its first line has in the file. */
  readonly fragment: string;
  /** The fragment with `…` for what of it is not shown: the bodies of a long class's members. */
  readonly outline?: string;
  /** Where the fragment begins in the file, from 1. */
  readonly line: number;
  /** Text of the whole file now. */
  readonly source: string;
  /** The task in the person's words; may be empty when the causes say it all. */
  readonly instruction: string;
  /** Sentences: why this block is affected. */
  readonly causes: readonly string[];
  /** Oldest first, in an order that only grows from question to question. */
  readonly temporal: readonly EarlierEdit[];
  /** Nearest first. */
  readonly spatial: readonly RelatedBlock[];
  /** The head of the class around the block, and those of its members that the block names. */
  readonly around?: string;
  /** The file's import statements that bear on the block. */
  readonly imports?: string;
  /** The documentation comment that stands above the fragment. */
  readonly comment?: string;
  /** Messages of the oracle that lie in this block. */
  readonly diagnostics?: readonly string[];
  /** The block with the part already rewritten that rules could do. */
  readonly draft?: string;
  /** What was looked up in the repository after an answer had failed. */
  readonly observations?: readonly string[];
  /** Why the previous answer to this request was refused. */
  readonly refusal?: string;
}
