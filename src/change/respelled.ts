/**
 * Types and defaults that are the same and are written in another way, since what they name has another name.
 *
 *     class Shape was renamed to Figure:   area(of: Shape)  ->  area(of: Figure)   is no change of area
 */
import type { Summary } from '../syntax/summary.js';
import type { AtomicChange, Detail } from './atomic-change.js';
import { isEmptyDelta } from './signature-delta.js';
import { renamedTypeParameters, respelled } from './type-parameters.js';

/** A name that something has now. */
export interface Respelling {
  readonly from: string;
  readonly to: string;
  /** A type parameter has it in one declaration alone. */
  readonly within: { readonly file: string; readonly block: string } | undefined;
}

/** `before`, `after`: summaries of a file on either side of the changes. */
export function respellingsOf(
  changes: readonly AtomicChange[],
  before: (file: string) => Summary,
  after: (file: string) => Summary,
): Respelling[] {
  return changes.flatMap((change): Respelling[] => {
    if (change.before === undefined || change.after === undefined || change.after.decl < 0) return [];
    const [old, now] = [before(change.before.file), after(change.after.file)];
    const own = change.detail.rename !== undefined ? [{ ...change.detail.rename, within: undefined }] : [];
    return [
      ...own,
      ...renamedTypeParameters(old, change.before.decl, now, change.after.decl).map(({ from, to }) => ({
        from,
        to,
        within: { file: change.file, block: change.block },
      })),
    ];
  });
}

/** The changes without what is another spelling of the same; those of which nothing is left are dropped. */
export function withoutRespelled(changes: readonly AtomicChange[], respellings: readonly Respelling[]): AtomicChange[] {
  return respellings.length === 0
    ? [...changes]
    : changes.flatMap((change) =>
        withoutRespelledTypes(
          change,
          respellings.filter(({ within }) => within === undefined || isInside(change, within)),
        ),
      );
}

const isInside = ({ file, block }: AtomicChange, within: { readonly file: string; readonly block: string }): boolean =>
  file === within.file && (block === within.block || block.startsWith(`${within.block}.`));

function withoutRespelledTypes(change: AtomicChange, respellings: readonly Respelling[]): AtomicChange[] {
  const names = new Map(respellings.map(({ from, to }) => [from, to]));
  const isSame = ({ from, to }: { readonly from: string; readonly to: string }): boolean =>
    respelled(from, names) === to;
  const { type, signature, bases, ...others } = change.detail;
  const isSameBases = bases !== undefined && isSame({ from: bases.removed.join(), to: bases.added.join() });
  const delta =
    signature === undefined
      ? undefined
      : (({ returnType, ...rest }) => ({
          ...rest,
          retyped: rest.retyped.filter((param) => !isSame(param)),
          defaultChanged: rest.defaultChanged.filter((param) => !isSame(param)),
          ...(returnType === undefined || isSame(returnType) ? {} : { returnType }),
        }))(signature);
  const detail: Detail = {
    ...others,
    ...(type === undefined || isSame(type) ? {} : { type }),
    ...(delta === undefined ? {} : { signature: delta }),
    ...(bases === undefined || isSameBases ? {} : { bases }),
  };
  const isFewer =
    (type !== undefined && detail.type === undefined) ||
    isSameBases ||
    (delta !== undefined &&
      (delta.retyped.length < (signature?.retyped.length ?? 0) ||
        delta.defaultChanged.length < (signature?.defaultChanged.length ?? 0) ||
        delta.returnType !== signature?.returnType));
  const isNothing =
    Object.keys(detail).every((key) => key === 'signature') && (delta === undefined || isEmptyDelta(delta));
  return isFewer && isNothing ? [] : [isFewer ? { ...change, detail } : change];
}
