/**
 * The edit model that knows the result: answers with each block's text in a target tree.
 *
 * It exists for measurement and tests: with it a plan is as good as its planning, since no answer
 * is ever wrong. The blocks of the file as it is now are paired with the target's; a block whose
 * text is the target's already needs no change, one without a partner is deleted. What cannot be
 * said as the edit of one block rides along: a new field with the first edited member of its class
 * that names it, new imports with the first edit of their file, all other new members of a class
 * with an edit of the class itself. `replay-class.ts` and `replay-module.ts` answer for classes and
 * for code at module level.
 */
import { shownName } from '../../base/shown.js';
import { blockNamed } from '../../change/block-name.js';
import { matchBlocks, type Matched } from '../../change/match-blocks.js';
import type { EditRequest } from '../../context/edit-request.js';
import { D, isClassLike, isFieldLike, isFunctionLike, type ImportEntry, type Summary } from '../../syntax/summary.js';
import { fragmentOf } from '../merge.js';
import type { EditAnswer, EditModel } from './edit-model.js';
import { NO_USAGE } from '../../model/usage.js';
import { classOfTarget, isWrittenInClass } from './replay-class.js';
import { moduleOfTarget } from './replay-module.js';

export interface TargetFile {
  readonly text: string;
  readonly summary: Summary;
}

export interface Replay {
  /** Files of the target tree, by path. */
  readonly targets: ReadonlyMap<string, TargetFile>;
  /** Summary of a text of that file; undefined for what is no source. */
  readonly summarise: (file: string, text: string) => Summary | undefined;
}

export function replayOf({ targets, summarise }: Replay): EditModel {
  return {
    id: 'replay',
    async editTogether(requests: readonly EditRequest[], signal: AbortSignal): Promise<readonly EditAnswer[]> {
      signal.throwIfAborted();
      const given = new Set<string>();
      return requests.map((request) => answerTo(request, given));
    },
    async edit(request: EditRequest, signal: AbortSignal): Promise<EditAnswer> {
      signal.throwIfAborted();
      return answerTo(request, new Set());
    },
  };

  /** `given`: fields that an answer of the same question has brought. */
  function answerTo(request: EditRequest, given: Set<string>): EditAnswer {
    const target = targets.get(request.file);
    const summary = summarise(request.file, request.source);
    if (summary === undefined || (target === undefined && request.block === '<module>'))
      return cannot(`the target tree has no ${shownName(request.file)}`);
    if (target === undefined) return { ...answered, kind: 'delete', raw: '' };
    const current: TargetFile = { text: request.source, summary };
    if (request.block === '<module>')
      return edit(request.fragment, moduleOfTarget(current, target, request.fragment, request.line));
    const row = blockNamed(summary, request.block);
    if (row === undefined) return cannot(`there is no ${request.block} in ${shownName(request.file)} to replay`);
    return answerFor(current, target, row, { file: request.file, given });
  }
}

const answered = { model: 'replay', usage: NO_USAGE } as const;
const cannot = (reason: string): EditAnswer => ({ ...answered, kind: 'cannot', raw: '', reason });

function edit(now: string, text: string, name?: string): EditAnswer {
  if (sameText(now, text)) return { ...answered, kind: 'noChange', raw: text };
  return { ...answered, kind: 'edit', text, raw: text, ...(name === undefined ? {} : { name }) };
}

/** Equal but for line endings and the blanks around, which the cut of a fragment decides. */
function sameText(a: string, b: string): boolean {
  return a.replaceAll('\r\n', '\n').trim() === b.replaceAll('\r\n', '\n').trim();
}

interface Given {
  readonly file: string;
  readonly given: Set<string>;
}

function answerFor(current: TargetFile, target: TargetFile, row: number, { file, given }: Given): EditAnswer {
  const matched = matchBlocks(current, target);
  const partner = matched.pairs.find((pair) => pair.before === row)?.after;
  if (partner === undefined) return { ...answered, kind: 'delete', raw: '' };
  const now = fragmentOf(current.text, current.summary, row);
  const path = target.summary.decls.pathOf(partner);
  if (isClassLike(current.summary.decls.kindOf(row)))
    return edit(now, withImports(now, classOfTarget(current, row, target, partner, matched), current, target), path);
  const text = fragmentOf(target.text, target.summary, partner);
  if (sameText(now, text)) return edit(now, text);
  const fields = newFieldsOf(target, partner, text, matched).filter((field) => !given.has(`${file}\0${field}`));
  for (const field of fields) given.add(`${file}\0${field}`);
  return edit(now, withImports(now, [...fields, text].join('\n\n'), current, target), path);
}

/** Texts of the fields that the target's class has, this tree's has not, and the block names. */
function newFieldsOf(target: TargetFile, block: number, text: string, matched: Matched): string[] {
  const { decls } = target.summary;
  return matched.added
    .filter(
      (row) =>
        decls.parentOf(row) === decls.parentOf(block) &&
        isFieldLike(decls.kindOf(row)) &&
        isWrittenInClass(target.summary, row),
    )
    .filter((row) => new RegExp(`\\b${target.summary.decls.nameOf(row).replace(/[^\w]/g, '\\$&')}\\b`).test(text))
    .map((row) => fragmentOf(target.text, target.summary, row));
}

/** The text with the target's new imports in front; as it is where it does not differ from the text now. */
function withImports(now: string, text: string, current: TargetFile, target: TargetFile): string {
  if (sameText(now, text)) return text;
  const known = new Set(current.summary.imports.map((entry) => entryKey(current.summary, entry)));
  const bound = new Set(
    current.summary.imports.map((entry) => bindingOf(current.summary, entry)).filter((name) => name !== ''),
  );
  const statements = new Map<number, string>();
  for (const entry of target.summary.imports) {
    if (
      known.has(entryKey(target.summary, entry)) ||
      bound.has(bindingOf(target.summary, entry)) ||
      !isAtTop(target.summary, entry)
    )
      continue;
    statements.set(entry.statementStart, target.text.slice(entry.statementStart, entry.statementEnd));
  }
  return [...statements.values(), text].join('\n');
}

const bindingOf = (summary: Summary, entry: ImportEntry): string =>
  entry.decl < 0 ? '' : summary.decls.nameOf(entry.decl);
const entryKey = (summary: Summary, entry: ImportEntry): string =>
  `${entry.kind}\0${entry.module}\0${entry.name}\0${bindingOf(summary, entry)}`;

function isAtTop(summary: Summary, entry: ImportEntry): boolean {
  const { decls } = summary;
  for (let row = 0; row < decls.count; row++) {
    const kind = decls.kindOf(row);
    if (
      kind !== D.namespace &&
      (isFunctionLike(kind) || isClassLike(kind)) &&
      decls.startOf(row) <= entry.start &&
      entry.end <= decls.endOf(row)
    )
      return false;
  }
  return true;
}
