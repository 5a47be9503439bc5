/**
 * Code that a text is about: classes without the bodies of their members, functions whole, and windows of text.
 */
import * as z from 'zod';
import { shownName } from '../base/shown.js';
import { saysKnownWord } from '../retrieve/ground.js';
import { relevantBlocks, relevantWindows } from '../retrieve/relevant.js';
import { lineAt } from '../syntax/line-at.js';
import { isFunctionLike } from '../syntax/summary.js';
import { kindName } from '../change/atomic-change.js';
import { pageOf } from './class-info.js';
import { isClass } from './classes.js';
import { fitted, onlySpelt, tool, type Repository, type ToolAnswer } from './tool.js';

/**
 * Whole functions and sketches of classes take a few hundred tokens each, windows of twenty lines some two hundred:
 * what fits into one answer.
 */
const ITEMS_UNLESS_SAID = 3;
const SNIPPETS_UNLESS_SAID = 5;
/** A longer function is cut, in characters. */
const CODE_MOST = 1500;

interface CodeItem {
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly block?: string;
  readonly kind: string;
  readonly text: string;
  readonly score: number;
}

const asked = (unlessSaid: number) => ({
  query: z.string().min(1).describe('A description, a thought, an error or a line of code.'),
  limit: z.int().min(1).max(20).optional().describe(`${unlessSaid} when not given.`),
});

export const relevantCode = tool({
  name: 'get_relevant_code',
  description:
    'The classes (as sketches) and functions (whole) that a description, an error or a line of code is about.',
  params: z.strictObject(asked(ITEMS_UNLESS_SAID)),
  searches: true,
  call: (repository, { query, limit = ITEMS_UNLESS_SAID }) => {
    const hits = relevantBlocks(repository.index, repository.snapshot, query, limit);
    return answered(
      hits.map((hit) => codeItem(repository, hit, query)),
      saysKnownWord(repository.index, query),
    );
  },
});

export const relatedSnippets = tool({
  name: 'get_related_snippets',
  description: 'Windows of twenty lines out of the code that a description is about, best first.',
  params: z.strictObject(asked(SNIPPETS_UNLESS_SAID)),
  searches: true,
  call: (repository, { query, limit = SNIPPETS_UNLESS_SAID }) => {
    const { index, snapshot } = repository;
    const windows = relevantWindows(index, snapshot, (file) => repository.text(file), query, limit);
    return answered(
      windows.map((window): CodeItem => {
        const lines = (repository.text(window.file) ?? '').split('\n').slice(window.startLine - 1, window.endLine);
        return { ...window, kind: 'snippet', text: lines.join('\n'), score: rounded(window.score) };
      }),
      saysKnownWord(index, query),
    );
  },
});

function answered(items: readonly CodeItem[], isKnown: boolean): ToolAnswer {
  const parts = items.map(
    ({ file, startLine, endLine, block, text }) =>
      `${shownName(file)}:${startLine}-${endLine}${block === undefined ? '' : ` ${shownName(block)}`}\n${text}`,
  );
  return {
    items,
    text:
      items.length === 0
        ? 'No block of the repository shares a word with the query.'
        : fitted(isKnown ? parts : [onlySpelt('the query'), ...parts], 'ask for fewer, or by name'),
    truncated: false,
    total: items.length,
  };
}

function codeItem(
  repository: Repository,
  { file, decl, score }: { file: string; decl: number; score: number },
  query: string,
): CodeItem {
  const summary = repository.resolver.summary(file);
  const { decls } = summary;
  const place = {
    file,
    startLine: lineAt(summary, decls.startOf(decl)),
    endLine: lineAt(summary, Math.max(decls.startOf(decl), decls.endOf(decl) - 1)),
    block: decls.pathOf(decl),
    score: rounded(score),
  };
  if (isClass(summary, decl))
    return { ...place, kind: 'class', text: pageOf(repository, { file, decl }, query, 1).lines.join('\n') };
  const source = (repository.text(file) ?? '').slice(decls.startOf(decl), decls.endOf(decl));
  const kind = isFunctionLike(decls.kindOf(decl))
    ? decls.parentOf(decl) < 0
      ? 'function'
      : 'method'
    : kindName(decls.kindOf(decl));
  return { ...place, kind, text: source.length > CODE_MOST ? `${source.slice(0, CODE_MOST)}\n…` : source };
}

const rounded = (score: number): number => Math.round(score * 1000) / 1000;
