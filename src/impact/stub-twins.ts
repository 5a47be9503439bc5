/**
 * Definitions that a file and the stub beside it both have: `recipes.py` and `recipes.pyi`. Who checks types sees the
 * stub's, who runs the program the file's, and each has to follow what became of the other.
 *
 *     recipes.py:  def chunked(items, {+size+}): …        recipes.pyi:  def chunked(items): ...
 *
 * A stub may leave out what it likes, so that what was deleted from it asks nothing of the file. Errs towards missing:
 * of several definitions of one path the first is the twin.
 */
import { shownName } from '../base/shown.js';
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { blockNamed } from '../change/block-name.js';
import { isEmptyDelta } from '../change/signature-delta.js';
import { signatureOf } from '../graph/resolve/signature.js';
import type { DeclRef } from '../languages/language.js';
import { isFunctionLike } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock, type AffectedSite, type FinderId } from './affected.js';
import type { Graphs } from './graphs.js';
import type { Question } from './question.js';

export function* stubTwins({ graphs, edit }: Question): Turns<readonly AffectedBlock[]> {
  const out = new AffectedBlocks();
  const edited = new Set(
    edit.changes.map(({ before }) => (before === undefined ? '' : `${before.file}\0${before.decl}`)),
  );
  for (const cause of edit.changes) {
    const twin = yield* piece(() => twinOf(graphs, cause.before));
    if (twin === undefined || edited.has(`${twin.file}\0${twin.decl}`)) continue;
    const said = leftBehind(graphs, cause, twin);
    const now = said === undefined ? undefined : blockNamed(graphs.after.summary(twin.file), pathOf(graphs, twin));
    if (said === undefined || now === undefined) continue;
    const [name, other] = [pathOf(graphs, twin), shownName(cause.before?.file ?? cause.file)];
    out.addOnce(twin.file, now, {
      expr: -1,
      tier: said.tier,
      confidence: 'certain',
      reason: `${name} stands for what ${other} has beside it, where ${said.words}.`,
      fact: said.words,
      rule: said.rule,
      relation: 'SatisfiedBy',
      cause,
    });
  }
  return out.sorted();
}

/** The definition of the same path in the file beside, before the edit. */
function twinOf({ before, after }: Graphs, ref: DeclRef | undefined): DeclRef | undefined {
  if (ref === undefined || ref.decl < 0 || !before.repo.hasFile(ref.file)) return undefined;
  const file = before.language(ref.file).stubTwin?.(ref.file);
  if (file === undefined || !before.repo.hasFile(file) || !after.repo.hasFile(file)) return undefined;
  const decl = blockNamed(before.summary(file), before.summary(ref.file).decls.pathOf(ref.decl));
  return decl === undefined ? undefined : { file, decl };
}

const pathOf = ({ before }: Graphs, { file, decl }: DeclRef): string => before.summary(file).decls.pathOf(decl);

interface LeftBehind {
  readonly tier: AffectedSite['tier'];
  readonly rule: FinderId;
  readonly words: string;
}

/** What of a change its twin has not followed. */
function leftBehind(
  graphs: Graphs,
  { label, detail, before: was, after: is }: AtomicChange,
  twin: DeclRef,
): LeftBehind | undefined {
  const { rename, move, signature, type } = detail;
  if (rename !== undefined) return { tier: 'breaks', rule: 'stub-name', words: `it is ${rename.to} now` };
  if (move !== undefined) return { tier: 'breaks', rule: 'stub-definition', words: 'it is no more: it moved' };
  const isOfStub = was !== undefined && graphs.before.language(was.file).isStub?.(was.file) === true;
  if (label.startsWith('D'))
    return isOfStub ? undefined : { tier: 'breaks', rule: 'stub-definition', words: 'it is deleted' };
  if (signature !== undefined && !isEmptyDelta(signature) && is !== undefined)
    return takesTheSame(graphs, is, twin)
      ? undefined
      : { tier: 'breaks', rule: 'stub-definition', words: 'its signature is another one now' };
  return type === undefined
    ? undefined
    : { tier: 'may', rule: 'stub-definition', words: 'its type is another one now' };
}

/** Whether both take parameters of the same names, in the same order, as many of which need not be given. */
function takesTheSame({ before, after }: Graphs, is: DeclRef, twin: DeclRef): boolean {
  const [own, other] = [after.summary(is.file), before.summary(twin.file)];
  if (!isFunctionLike(own.decls.kindOf(is.decl)) || !isFunctionLike(other.decls.kindOf(twin.decl))) return false;
  const shape = (params: ReturnType<typeof signatureOf>['params']): string =>
    params.map(({ name, optional, rest }) => `${name}${optional ? '?' : ''}${rest ? '*' : ''}`).join();
  return shape(signatureOf(own, is.decl).params) === shape(signatureOf(other, twin.decl).params);
}
