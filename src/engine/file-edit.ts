/**
 * What is to happen to one file, as a value: computed by a plan, carried out by the journal or by
 * an editor.
 *
 * `before` is the whole text that the edit was computed from, and the edit is refused on any
 * other. Texts are without a byte order mark; whoever writes keeps the file's mark.
 */
export type FileEdit =
  | { readonly kind: 'change'; readonly file: string; readonly before: string; readonly after: string }
  | { readonly kind: 'create'; readonly file: string; readonly after: string }
  | { readonly kind: 'delete'; readonly file: string; readonly before: string }
  | {
      readonly kind: 'rename';
      readonly file: string;
      readonly to: string;
      readonly before: string;
      readonly after: string;
    };
