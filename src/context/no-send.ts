/**
 * Which files' text never goes to a model: patterns of `.gitignore`'s syntax, tried on the path.
 *
 * A withheld file is neither asked about nor shown as context of another: its blocks leave a
 * request, their signatures included. Names that other files' code spells out stay in that code.
 */
import ignore from 'ignore';
import { shownName } from '../base/shown.js';
import type { EditRequest } from './edit-request.js';

/** The pattern that withholds a file (a path relative to the root, with `/`), or undefined. */
export type Withheld = (file: string) => string | undefined;

/** Always in force. They name files of code too: `secrets.py` is where people put secrets. */
export const NEVER_SENT: readonly string[] = [
  '.env',
  '.env.*',
  '*.pem',
  '*.key',
  '*.pfx',
  '*.p12',
  '*.keystore',
  'id_rsa*',
  'id_ed25519*',
  '*secret*',
  '*credential*',
];

/** A reason in place of a pattern. */
const LEADS_OUT = 'a link out of the repository';

/**
 * `lists`: each on its own, so that a `!pattern` takes back only what stands before it in its own list.
 * `realPath` says what a path really is, for one that is a link; undefined: nothing of the repository.
 */
export function withheldBy(
  lists: readonly (readonly string[])[],
  realPath: (file: string) => string | undefined = (file) => file,
): Withheld {
  const matchers = lists.filter((list) => list.length > 0).map((list) => ignore().add([...list]));
  const byName: Withheld = (file) => {
    for (const matcher of matchers) {
      const { ignored, rule } = matcher.test(file);
      if (ignored) return rule?.pattern ?? file;
    }
    return undefined;
  };
  return (file) => {
    const pattern = byName(file);
    if (pattern !== undefined) return pattern;
    const real = realPath(file);
    return real === undefined ? LEADS_OUT : real === file ? undefined : byName(real);
  };
}

/** The request without what is withheld; or why it cannot be sent at all. */
export function sendable(
  request: EditRequest,
  withheld: Withheld,
): { readonly ok: true; readonly request: EditRequest } | { readonly ok: false; readonly reason: string } {
  const pattern = withheld(request.file);
  if (pattern !== undefined) {
    return {
      ok: false,
      reason:
        `${shownName(request.file)} is never sent to a model (noSend: ${pattern}); edit it by hand, or take ` +
        `the pattern back with "!${pattern}" under noSend in your own settings file`,
    };
  }
  const shown = (part: { readonly file: string }): boolean => withheld(part.file) === undefined;
  return {
    ok: true,
    request: { ...request, temporal: request.temporal.filter(shown), spatial: request.spatial.filter(shown) },
  };
}
