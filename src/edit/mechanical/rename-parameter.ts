/**
 * Renamed parameter: `def put(self, key)` became `def put(self, name)`, so `s.put(key=k)` becomes
 * `s.put(name=k)`; overrides and the function's own body follow.
 */
import type { TextEdit } from '../../base/text-edit.js';
import { callOf, lookUp } from '../../graph/names.js';
import { argumentsOf, E, listAt, nameId, nameOf, type Summary } from '../../syntax/summary.js';
import type { Rewrite, RewriteResult, RewriteSite } from './rewrite.js';

export const renameParameter: Rewrite = {
  id: 'rename-parameter',
  does: 'writes the new name of a renamed parameter at keyword arguments, in overrides and in the body',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { site } = context;
    const renamed = site.cause.detail.signature?.renamed ?? renamedComponent(context);
    if (renamed.length === 0) return undefined;
    if (site.confidence !== 'certain') return { cannot: 'whether this calls the changed function is not certain', needs: 'person' };
    if (site.relation === 'Uses') return inOwnBody(context, renamed);
    return site.expr < 0 ? inOverride(context, renamed) : atCall(context, renamed);
  },
};

type Renamed = readonly { readonly from: string; readonly to: string }[];

/** A renamed field of a data class: the calls that make an instance give it by keyword. */
function renamedComponent({ site }: RewriteSite): Renamed {
  const { rename } = site.cause.detail;
  return rename !== undefined && site.cause.label === 'MF' && site.relation === 'InstantiatedBy' ? [rename] : [];
}

function atCall({ site, summary, text }: RewriteSite, renamed: Renamed): RewriteResult | undefined {
  const call = callOf(summary, site.expr);
  if (call < 0) return undefined;
  const edits: TextEdit[] = [];
  for (const argument of argumentsOf(summary, call)) {
    const names = renamed.find((pair) => pair.from === argument.keyword);
    if (names !== undefined && text.startsWith(names.from, argument.start)) edits.push({ start: argument.start, end: argument.start + names.from.length, text: names.to });
  }
  return edits.length === 0 ? undefined : { edits };
}

function inOverride({ graphs, block, site, summary, text }: RewriteSite, renamed: Renamed): RewriteResult | undefined {
  const delta = site.cause.detail.signature;
  if (delta === undefined || graphs.after.language(block.file).overloads || delta.added.length + delta.removed.length + delta.moved.length > 0) return undefined;
  const edits: TextEdit[] = [];
  for (const names of renamed) {
    const param = [...listAt(summary, summary.decls.params[block.decl] as number)].find((row) => nameOf(summary, row) === names.from);
    if (param === undefined) return undefined;
    const start = summary.decls.nameStart[param] as number;
    if (!text.startsWith(names.from, start)) return undefined;
    edits.push({ start, end: start + names.from.length, text: names.to });
    for (const expr of mentionsIn(summary, block.decl, names.from)) {
      const found = lookUp(graphs.after, block.file, summary, summary.exprs.scope[expr] as number, names.from, summary.exprs.role[expr] as number);
      if (!found.targets.some((target) => target.file === block.file && target.decl === param)) continue;
      edits.push({ start: summary.exprs.start[expr] as number, end: summary.exprs.end[expr] as number, text: names.to });
    }
    if (mentionsIn(summary, block.decl, names.to).length > 0) return { cannot: `its body uses the name ${names.to} for something else`, needs: 'person' };
  }
  return { edits };
}

function inOwnBody({ site, summary }: RewriteSite, renamed: Renamed): RewriteResult | undefined {
  const names = renamed.find((pair) => pair.from === summary.names[summary.exprs.name[site.expr] as number]);
  if (names === undefined) return undefined;
  return { edits: [{ start: summary.exprs.start[site.expr] as number, end: summary.exprs.end[site.expr] as number, text: names.to }] };
}

/** Bare mentions of a name inside a block. */
function mentionsIn(summary: Summary, decl: number, name: string): number[] {
  const row = nameId(summary, name);
  if (row < 0) return [];
  const out: number[] = [];
  for (let i = summary.refStart[row] as number; i < (summary.refStart[row + 1] as number); i++) {
    const expr = summary.refs[i] as number;
    const at = summary.exprs.start[expr] as number;
    if (summary.exprs.op[expr] === E.name && at >= (summary.decls.start[decl] as number) && at < (summary.decls.end[decl] as number)) out.push(expr);
  }
  return out;
}
