/** The commands of `workspace/executeCommand`. Each takes one JSON object, or nothing. */
export const COMMANDS = {
  /** Make the edits that follow from the latest edit: all, or with `file` and `block` those in one block. */
  propagate: 'codeplan.propagate',
  /** The same plan as a document, without an edit. */
  preview: 'codeplan.preview',
  /** Take the last propagation of this session back. */
  undo: 'codeplan.undo',
  /** A hint does not apply: hide it until the cause changes. */
  dismiss: 'codeplan.dismiss',
  /** Show the latest plan as a page in the browser; the answer has its address. */
  page: 'codeplan.page',
} as const;
