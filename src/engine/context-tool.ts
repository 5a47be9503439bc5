/**
 * What one has to read for an edit, within a budget: the blocks themselves whole, who uses them as lines, what
 * they use as signatures.
 *
 * A task in words stands for the blocks that it is most likely about; blocks that are named come first. Users
 * are given before what is used: they are what an edit breaks. Of what does not fit, the count is told.
 */
import * as z from 'zod';
import { counted } from '../base/counted.js';
import { shownInLine, shownName } from '../base/shown.js';
import { spatialContext } from '../context/spatial.js';
import { estimateTokens } from '../context/tokens.js';
import { blockName } from '../change/block-name.js';
import { overridersOf } from '../graph/refer/overriders.js';
import { sitesOf } from '../graph/refer/references.js';
import type { DeclRef } from '../languages/language.js';
import { saysKnownWord } from '../retrieve/ground.js';
import { relevantBlocks } from '../retrieve/relevant.js';
import { headOf } from '../retrieve/head.js';
import { declKey } from '../syntax/rows.js';
import { lineAt } from '../syntax/line-at.js';
import { isClassLike } from '../syntax/summary.js';
import { onlySpelt, tool, type Repository } from '../tools/tool.js';
import { findBlock, withoutModule } from './block-names.js';

/** Within what an agent is answered at most (`agents/answer-limit.ts`), with room for its head. */
const TOKENS_UNLESS_SAID = 1800;
/** Blocks that a task stands for when none is named. */
const BLOCKS_OF_TASK = 3;
/** The blocks themselves take no more than this share of the budget, and the users no more than this of the whole. */
const WHOLE_SHARE = 0.45;
const USERS_SHARE = 0.85;
/** Lines of code outside of blocks: a file of tests may say a name in each. */
const LINES_OF_USER_MOST = 30;

export const context = tool({
  name: 'context',
  description:
    'What to read before an edit, within a budget: blocks whole, who uses them, signatures of what they use.',
  params: z.strictObject({
    blocks: z.array(z.string().min(1)).max(20).optional(),
    task: z.string().min(1).optional().describe('in words, if no block is known'),
    tokens: z.int().min(200).max(8000).optional().describe(`${TOKENS_UNLESS_SAID} if absent`),
  }),
  searches: true,
  call: (repository, { blocks = [], task, tokens = TOKENS_UNLESS_SAID }) => {
    const named = blocks.flatMap((name) => [...withoutModule(findBlock(repository.resolver, name), name)]);
    const guessed =
      named.length > 0 || task === undefined
        ? []
        : relevantBlocks(repository.index, repository.snapshot, task, BLOCKS_OF_TASK).map(({ file, decl }) => ({
            file,
            decl,
          }));
    const about = [...named, ...guessed];
    if (about.length === 0) {
      const text =
        task === undefined
          ? 'Give blocks, or a task in words.'
          : `No block of the repository shares a word with the task; ${repository.index.size} blocks were searched.`;
      return { items: [], text, truncated: false, total: 0 };
    }
    const room = new Room(tokens);
    const isGuess = task !== undefined && !saysKnownWord(repository.index, task);
    room.add(guessed.length === 0 ? 'The blocks:' : isGuess ? onlySpelt('the task') : 'Most likely about:', 1);
    for (const ref of about) room.add(wholeText(repository, ref), WHOLE_SHARE);
    const users = usersOf(repository, about);
    const possibly = users.possible === 0 ? '' : ` (and ${users.possible} only possibly)`;
    room.add(`Used by ${counted(users.blocks, 'block')}${possibly}${users.lines.length === 0 ? '.' : ':'}`, 1);
    for (const line of users.lines) room.add(line, USERS_SHARE);
    const used = usedBy(repository, about);
    if (used.length > 0) room.add('They use:', 1);
    for (const line of used) room.add(line, 1);
    return {
      items: about.map((ref) => ({
        file: ref.file,
        block: blockName(repository.resolver.summary(ref.file), ref.decl),
      })),
      text: room.text(),
      truncated: room.leftOut > 0,
      total: about.length,
    };
  },
});

/** Lines within a budget of tokens; what does not fit is counted where it would have stood. */
class Room {
  private readonly lines: string[] = [];
  private used = 0;
  private missing = 0;
  leftOut = 0;

  constructor(private readonly tokens: number) {}

  /** Adds what fits into that share of the whole budget. */
  add(text: string, share: number): void {
    const cost = estimateTokens(text) + 1;
    if (this.used + cost > this.tokens * share) {
      this.missing++;
      this.leftOut++;
      return;
    }
    if (this.missing > 0) this.lines.push(this.said());
    this.used += cost;
    this.lines.push(text);
  }

  private said(): string {
    const said = `  … ${this.missing} left out: ask with more tokens, or for one block`;
    this.missing = 0;
    return said;
  }

  text(): string {
    return [...this.lines, ...(this.missing > 0 ? [this.said()] : [])].join('\n');
  }
}

/** The block's text; of a class the head and its members' heads. */
function wholeText({ resolver, text }: Repository, { file, decl }: DeclRef): string {
  const summary = resolver.summary(file);
  const { decls } = summary;
  const source = text(file) ?? '';
  const head = `${shownName(file)}:${lineAt(summary, decls.startOf(decl))} ${shownName(blockName(summary, decl))}`;
  if (!isClassLike(decls.kindOf(decl))) return `${head}\n${source.slice(decls.startOf(decl), decls.endOf(decl))}`;
  const members = [...(decls.innerOf(decl) < 0 ? [] : decls.allInScope(decls.innerOf(decl)))]
    .filter((row) => decls.parentOf(row) === decl)
    .sort((a, b) => decls.startOf(a) - decls.startOf(b))
    .map((row) => `  ${shownInLine(headOf(source, summary, row))}`);
  return [head, shownInLine(headOf(source, summary, decl)), ...members].join('\n');
}

/** The block's first line that uses one; code outside of blocks has only its lines to be found by: all of them. */
interface User {
  readonly name: string;
  readonly lines: Set<number>;
}

/** Blocks that use any of these, by file; overriding members first. */
function usersOf(
  { resolver }: Repository,
  about: readonly DeclRef[],
): { readonly lines: string[]; readonly blocks: number; readonly possible: number } {
  const seen = new Set(about.map(declKey));
  const files = new Map<string, Map<string, User>>();
  const possible = new Set<string>();
  let blocks = 0;
  for (const ref of about)
    for (const site of [...overridersOf(resolver, ref), ...sitesOf(resolver, ref)]) {
      const key = declKey({ file: site.file, decl: site.block });
      const users = files.get(site.file) ?? new Map<string, User>();
      const known = users.get(key);
      if (known === undefined ? seen.has(key) : site.block >= 0) continue;
      if (site.confidence === 'possible') {
        possible.add(key);
        continue;
      }
      const summary = resolver.summary(site.file);
      const at = site.expr < 0 ? summary.decls.startOf(site.block) : summary.exprs.startOf(site.expr);
      const line = lineAt(summary, at);
      if (known !== undefined) known.lines.add(line);
      else {
        seen.add(key);
        blocks++;
        users.set(key, { name: shownName(blockName(summary, site.block)), lines: new Set([line]) });
        files.set(site.file, users);
      }
    }
  for (const key of seen) possible.delete(key);
  const lines = [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, users]) => [shownName(file), ...[...users.values()].map(userLine)].join('\n'));
  return { lines, blocks, possible: possible.size };
}

function userLine({ name, lines }: User): string {
  const inOrder = [...lines].sort((a, b) => a - b);
  const rest = inOrder.length - LINES_OF_USER_MOST;
  return `  ${inOrder.slice(0, LINES_OF_USER_MOST).join(',')}${rest > 0 ? ` and ${rest} more` : ''} ${name}`;
}

function usedBy(repository: Repository, about: readonly DeclRef[]): string[] {
  const seen = new Set<string>();
  return about.flatMap((ref) =>
    spatialContext(repository.resolver, (file) => repository.text(file), ref, []).flatMap(
      ({ file, block, signature }) => {
        const key = `${file}:${block}`;
        if (seen.has(key)) return [];
        seen.add(key);
        return [`  ${shownName(file)}: ${shownInLine(signature).slice(0, 240)}`];
      },
    ),
  );
}
