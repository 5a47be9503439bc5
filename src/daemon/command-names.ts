/** The commands of `workspace/executeCommand`. Each takes one JSON object, or nothing. */
export const COMMANDS = {
  /** Make the edits that follow from the latest edit: all, or with `file` and `block` those in one block. */
  propagate: 'codeplan.propagate',
  /** The same plan as a document, without an edit. */
  preview: 'codeplan.preview',
  /**
   * Rename, move, change a signature, with all that follows; with `preview` the plan as a document, without an edit.
   */
  refactor: 'codeplan.refactor',
  /** Take the last propagation of this session back. */
  undo: 'codeplan.undo',
  /** Show the plan of what is left: a client with a list of its own shows it there, any other one as a page. */
  plan: 'codeplan.plan',
  /** Go to the place to look at next, with `skip` (an id) past that one. */
  next: 'codeplan.next',
  /** Make the edit of one entry, `id`. */
  take: 'codeplan.take',
  /** An entry, `id`, need not follow: it is left no more until its cause changes. */
  dismiss: 'codeplan.dismiss',
  /** Show the latest plan as a page in the browser; the answer has its address. */
  page: 'codeplan.page',
} as const;
