/**
 * The edit model that knows the result: answers with each block's text in a target tree.
 *
 * It exists for measurement and tests: with it a plan is as good as its planning, since no answer
 * is ever wrong. A block whose text is the target's already needs no change. A block that the
 * target does not have was renamed, moved or deleted there, which no fragment can say: `cannot`.
 */
import type { EditRequest } from '../../context/edit-request.js';
import { NO_USAGE, type EditAnswer, type EditModel } from './edit-model.js';

/** Key of a block in the map of target texts. */
export function targetKey(file: string, block: string): string {
  return `${file}::${block}`;
}

/** `targets`: text of each block in the target tree by {@link targetKey}. */
export function replayOf(targets: ReadonlyMap<string, string>): EditModel {
  return {
    id: 'replay',
    async edit(request: EditRequest, signal: AbortSignal): Promise<EditAnswer> {
      signal.throwIfAborted();
      const answered = { model: 'replay', usage: NO_USAGE } as const;
      const target = targets.get(targetKey(request.file, request.block));
      if (target === undefined) {
        return { ...answered, kind: 'cannot', raw: '', reason: `the target tree has no block ${request.block} in ${request.file}` };
      }
      if (sameText(target, request.fragment)) return { ...answered, kind: 'noChange', raw: target };
      return { ...answered, kind: 'edit', text: target, raw: target };
    },
  };
}

/** Equal but for line endings and the blanks around, which the cut of a fragment decides. */
function sameText(a: string, b: string): boolean {
  return a.replaceAll('\r\n', '\n').trim() === b.replaceAll('\r\n', '\n').trim();
}
