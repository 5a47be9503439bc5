/**
 * Checked exception added: `void load()` became `void load() throws IOException`, so a caller that
 * does not catch it declares it too, up to the first handler; and so does the method that it
 * overrides.
 *
 * Refused in lambdas and initialisers, which cannot declare anything, unless what they are given
 * for may throw it, where the function is handed on, where a base class from outside says what may
 * be thrown, and for exceptions of which it is not known whether they have to be declared. A caller
 * that catches the exception, or one above it, needs nothing.
 */
import { shownName } from '../../../base/shown.js';
import type { TextEdit } from '../../../base/text-edit.js';
import { childrenOf } from '../../../change/match-blocks.js';
import { thrownBy } from '../../../change/signature-delta.js';
import { expectedType } from '../../../graph/resolve/expected.js';
import { classOfMember, overriddenBy } from '../../../graph/resolve/hierarchy.js';
import { callOf, lookUp } from '../../../graph/resolve/names.js';
import { D, E, F, isFunctionLike, R } from '../../../syntax/summary.js';
import { exceptionsAdded, functionAround, type Thrown } from '../../../impact/thrown-exceptions.js';
import { importEdits } from '../../import-merge.js';
import { rearrangeCall } from '../calls/call-arguments.js';
import { moduleNameOf } from '../imports/module-name.js';
import { outsideBaseAt } from '../headers/outside-member.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';
import { changedParameters } from '../calls/signature-sites.js';
import { sameDecl } from '../../../syntax/rows.js';

export const addThrows: Rewrite = {
  id: 'add-throws',
  does: 'declares a checked exception at callers, up to the first handler',
  rewrite: (context: RewriteSite) =>
    changedParameters(context, 'call', (delta) => (delta.throws?.added.length ?? 0) > 0, atCall) ??
    (context.site.relation === 'Overrides'
      ? changedParameters(
          context,
          'override',
          (delta) => (delta.throws?.added.length ?? 0) > 0,
          (above) =>
            isFunctionLike(above.summary.decls.kindOf(above.block.decl))
              ? declare(above, above.block.decl, exceptionsAdded(above.site.cause, above.graphs.after))
              : undefined,
        )
      : undefined),
};

function atCall(context: RewriteSite): RewriteResult | undefined {
  const { site, summary, text } = context;
  const delta = site.cause.detail.signature;
  if (delta === undefined) return undefined;
  const around = functionAround(summary, site.expr);
  const at = summary.exprs.startOf(site.expr);
  const { throws } = context.graphs.after.language(context.block.file).writing;
  const caught = around === undefined ? [] : (throws?.caughtAround(text, summary.decls.bodyStartOf(around), at) ?? []);
  const open = exceptionsAdded(context.site.cause, context.graphs.after).filter(
    (thrown) => thrown.isChecked !== false && !caught.some((name) => thrown.caughtAs.has(name)),
  );
  const called =
    delta.added.length + delta.removed.length + delta.moved.length > 0 ? rearrangeCall(context) : undefined;
  if (called !== undefined && 'cannot' in called) return called;
  if (open.length === 0) return called ?? { edits: [] };
  const op = summary.exprs.opOf(site.expr);
  if (callOf(summary, site.expr) < 0 && op !== E.enter && op !== E.element)
    return { cannot: `what it is handed on to may have to know ${open[0]?.name ?? ''}`, needs: 'model' };
  if (
    around !== undefined &&
    summary.decls.kindOf(around) === D.lambda &&
    open.every((thrown) => mayThrow(context, around, thrown))
  )
    return { edits: [] };
  if (around === undefined || summary.decls.kindOf(around) === D.lambda)
    return { cannot: `${open[0]?.name ?? ''} can be neither caught nor declared here by rule`, needs: 'model' };
  const declared = declare(context, around, open);
  return called === undefined || 'cannot' in declared
    ? declared
    : { ...called, edits: [...declared.edits, ...called.edits] };
}

/**
 * Whether a lambda, or a method of an anonymous class, may throw the exception: it says so, or the method does that it
 * is given for.
 */
function mayThrow({ graphs, block, summary, text, texts }: RewriteSite, lambda: number, { caughtAs }: Thrown): boolean {
  const { exprs } = summary;
  const covers = (names: readonly string[]): boolean =>
    names.some((name) => caughtAs.has(name.slice(name.lastIndexOf('.') + 1)));
  if (covers(thrownBy({ summary, text }, lambda))) return true;
  const closure = exprs.rowOfClosure(lambda);
  const wanted = closure === undefined ? undefined : expectedType(graphs.after, block.file, closure)?.values;
  return (
    wanted !== undefined &&
    wanted.length > 0 &&
    wanted.every((value) => {
      if (value.kind === 'external')
        return covers([graphs.after.language(block.file).library.throwingInterfaces.get(value.name) ?? '']);
      if (value.kind !== 'instance') return false;
      const of = { summary: graphs.after.summary(value.file), text: texts.after(value.file) ?? '' };
      const [method, ...others] = childrenOf(of.summary, value.decl).filter((member) =>
        of.summary.decls.has(member, F.bodiless),
      );
      return method !== undefined && others.length === 0 && covers(thrownBy(of, method));
    })
  );
}

/** Edits of a header that declare the exceptions which it does not declare yet. */
function declare(context: RewriteSite, decl: number, exceptions: readonly Thrown[]): RewriteResult {
  const { graphs, block, summary, text } = context;
  const { decls } = summary;
  const { throws } = graphs.after.language(block.file).writing;
  const said = thrownBy({ summary, text }, decl);
  const missing = exceptions.filter(
    (thrown) =>
      thrown.isChecked !== false && !said.some((name) => thrown.caughtAs.has(name.slice(name.lastIndexOf('.') + 1))),
  );
  const unsure = missing.find((thrown) => thrown.isChecked === undefined);
  if (unsure !== undefined)
    return { cannot: `whether ${unsure.name} has to be declared is not known`, needs: 'person' };
  if (missing.length === 0) return { edits: [] };
  const owner = classOfMember(summary, decl);
  const ref = { file: block.file, decl };
  const isOverride =
    decls.has(decl, F.override) ||
    throws?.isOverride(text.slice(decls.startOf(decl), decls.nameStartOf(decl))) === true;
  const isOutside =
    (isOverride && overriddenBy(graphs.after, ref).length === 0) || outsideBaseAt(graphs.after, ref) !== undefined;
  if (owner !== undefined && isOutside)
    return {
      cannot: `${summary.decls.nameOf(decl)} overrides a member from outside, which says what may be thrown`,
      needs: 'model',
    };
  const header = text.slice(decls.startOf(decl), decls.bodyStartOf(decl)).replace(/[\s;]+$/, '');
  const end = decls.startOf(decl) + header.length;
  const names = missing.map((thrown) => thrown.name);
  const edits: TextEdit[] = [{ start: end, end, text: throws?.addition(names, said.length) ?? '' }];
  for (const thrown of missing) {
    const imported = importOf(context, thrown.name);
    if (imported === undefined)
      return { cannot: `${thrown.name} is not known in ${shownName(block.file)}`, needs: 'model' };
    edits.push(...imported);
  }
  return { edits };
}

/** Edits that make the exception known in the file as it is where it was declared; undefined if that cannot be done. */
function importOf(
  { graphs, block, site, summary, text, summarise }: RewriteSite,
  written: string,
): readonly TextEdit[] | undefined {
  const { after } = site.cause;
  if (after === undefined || after.file === block.file || written.includes('.')) return [];
  const there = graphs.after.summary(after.file);
  const scope = summary.decls.count > 0 ? summary.decls.scopeOf(Math.max(0, block.decl)) : 0;
  const [means] = lookUp(graphs.after, after.file, there, there.decls.scopeOf(after.decl), written, R.type).targets;
  const [here] = lookUp(graphs.after, block.file, summary, scope, written, R.type).targets;
  if (means !== undefined && here !== undefined) return sameDecl(means, here) ? [] : undefined;
  if (summary.imports.some((entry) => entry.name === written)) return [];
  const entry = there.imports.find((candidate) => candidate.name === written);
  const module =
    entry?.module ?? (means === undefined ? undefined : moduleNameOf(graphs, block.file, block.file, means, undefined));
  // Neither imported nor found: a name that every file knows.
  if (module === undefined) return means === undefined ? [] : undefined;
  const statement = graphs.after.language(block.file).writing.importStatement(module, written, undefined, undefined);
  const result = importEdits(text, summary, `${statement}\n`, text.includes('\r\n') ? '\r\n' : '\n', summarise);
  return result.ok ? result.edits : undefined;
}
