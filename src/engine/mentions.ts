/**
 * Mentions of what a plan renamed, moved or deleted, over the whole repository: in comments of the
 * sources, and in the files that no language here reads. Listed always, rewritten where the person
 * names the kinds; nothing depends on them, so they come last, each file as a step of its own.
 */
import type { MentionEntry, MentionKind } from '#protocol/mentions.js';
import { isOutside } from '../base/outside.js';
import { shownName } from '../base/shown.js';
import { lineEdits } from '../base/line-edits.js';
import { applyEdits, type TextEdit } from '../base/text-edit.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { layered, withLayer, type LayeredText } from '../edit/layered-text.js';
import { messagesOf, otherStringsOf, proseOf } from '../edit/literal-lines.js';
import { isPath, isWhole, mentionsIn, sayingAny, type Mention, type WantedName } from '../edit/mentions.js';
import { moduleParts } from '../languages/folder-file.js';
import type { Plan, Step } from '../plan/plan-graph.js';
import type { Grammars } from '../syntax/grammar.js';
import { isBlockKind } from '../syntax/summary.js';
import type { Effects } from './effects.js';
import type { FileEdit } from './file-edit.js';
import type { Call } from './service.js';
import { diffOf, inHunks } from './step-diff.js';
import type { TreePair } from './trees.js';
import type { WorkingTree } from './working-tree.js';

/** Mentions of one file, by position. */
export interface MentioningFile {
  readonly file: string;
  readonly kind: MentionKind;
  readonly text: string;
  readonly mentions: readonly Mention[];
  /** The path that it should have, where it is a page about a module and called by the module's name. */
  readonly to?: string;
}

/** Endings of files that are written to be read; what else is no source counts as configuration. */
const DOCUMENTS = /\.(?:md|mdx|markdown|rst|txt|adoc|asciidoc|textile|org|ipynb|tex)$|(?:^|\/)[A-Z]+$/;
/** What tells how things once were keeps their names. */
const HISTORY =
  /(?:^|\/)(?:changelog|changes|history|news|releases?|release[-_]notes|whats[-_]?new|migrat\w*|upgrad\w*)\b/i;
/** A source is read and searched in about a tenth of a millisecond: what is done before others get a turn. */
const TURN_FILES = 50;

/** Changes of these kinds have no name that anybody writes about. */
const NAMELESS: ReadonlySet<string> = new Set(['import', 'statement', 'module', 'param', 'local']);

/**
 * The changes whose names may stand in the texts of the root: its own, and of a library those that something here has
 * to follow. A library changes many names that are words of everybody.
 */
export function changesSpokenOf(
  changes: readonly AtomicChange[],
  causes: Iterable<{ readonly file: string; readonly block: string }>,
): AtomicChange[] {
  const known = new Set([...causes].map(({ file, block }) => `${file}\0${block}`));
  return changes.filter(({ file, block }) => !isOutside(file) || known.has(`${file}\0${block}`));
}

/** The names that the changes took away or replaced. */
export function wantedNames(
  { before, renames }: TreePair,
  now: WorkingTree,
  changes: readonly AtomicChange[],
): WantedName[] {
  const wanted: WantedName[] = [];
  for (const [from, to] of renames) wanted.push(...movedFile(from, to));
  for (const change of changes) {
    const { rename, move } = change.detail;
    const isDeleted = change.after === undefined && change.label.startsWith('D');
    if (NAMELESS.has(change.kind) || change.before === undefined || change.before.decl < 0) continue;
    if (rename === undefined && !isDeleted && (move === undefined || renames.has(move.from))) continue;
    const summary = before.resolver.summary(change.before.file);
    const old = summary.decls.nameOf(change.before.decl);
    // A number is no name to look for.
    if (!/\p{L}/u.test(old)) continue;
    const path = summary.decls.pathOf(change.before.decl).split('.').slice(0, -1);
    const around = [...moduleParts(change.before.file), ...path];
    wanted.push({
      old,
      ...(isDeleted ? {} : { now: rename?.to.split('.').at(-1) ?? old }),
      around,
      aroundNow: [...moduleParts(change.after?.file ?? change.before.file), ...path],
      isShared: isDeclared(now, old),
    });
  }
  return distinct(wanted);
}

function distinct(wanted: readonly WantedName[]): WantedName[] {
  return [...new Map(wanted.map((name) => [JSON.stringify(name), name])).values()];
}

function movedFile(from: string, to: string): WantedName[] {
  const [old, now] = [moduleParts(from), moduleParts(to)];
  const [oldName, nowName] = [old.at(-1), now.at(-1)];
  if (oldName === undefined || nowName === undefined) return [];
  const [around, aroundNow] = [old.slice(0, -1), now.slice(0, -1)];
  return [{ old: oldName, now: nowName, around, aroundNow, isShared: false, isFile: true }];
}

function isDeclared({ snapshot, resolver }: WorkingTree, name: string): boolean {
  return resolver.repo.filesMentioning(name).some((file) => {
    const summary = snapshot.summary(file);
    if (summary === undefined) return false;
    const { decls } = summary;
    for (let row = 0; row < decls.count; row++)
      if (isBlockKind(decls.kindOf(row)) && summary.decls.nameOf(row) === name) return true;
    return false;
  });
}

/** Where the names are mentioned, in the sources as `tree` has them and in all other texts. */
export async function mentionsOf(
  wanted: readonly WantedName[],
  tree: WorkingTree,
  effects: Effects,
  call: Call,
): Promise<MentioningFile[]> {
  if (wanted.length === 0) return [];
  const found: MentioningFile[] = [];
  const isNamed = sayingAny(wanted);
  let seen = 0;
  for (const [file, { language }] of tree.snapshot.files) {
    if (++seen % TURN_FILES === 0) await turn(call);
    const text = tree.text(file);
    if (text === undefined || !isNamed(text)) continue;
    const even = text.replaceAll('\r\n', ' \n');
    const prose = proseOf(even, language);
    const messages = messagesOf(even, language);
    const strings = otherStringsOf(even, language);
    const mentions = mentionsIn(text, wanted).flatMap((mention): Mention[] => {
      const isIn = (place: { readonly start: number; readonly end: number }): boolean =>
        place.start <= mention.start && mention.end <= place.end;
      if (prose.some(isIn) || (isWhole(mention) && messages.some(isIn))) return [mention];
      if (!isPath(text, mention) || !strings.some(isIn)) return [];
      // A path or a regular expression may be data: it is told, and rewritten by nobody.
      const { replacement: _, ...told } = mention;
      return [told];
    });
    if (mentions.length > 0) found.push({ file, kind: 'comments', text, mentions });
  }
  const others = new Set<string>();
  for await (const { file, text } of effects.otherTexts(call.signal)) {
    others.add(file);
    const mentions = isNamed(text) ? mentionsIn(text, wanted) : [];
    const isDocument = DOCUMENTS.test(file);
    const to = isDocument ? pageNamedAfter(file, wanted) : undefined;
    if (mentions.length > 0 || to !== undefined)
      found.push({ file, kind: isDocument ? 'docs' : 'config', text, mentions, ...(to === undefined ? {} : { to }) });
  }
  return found.map((place) => (place.to !== undefined && others.has(place.to) ? withoutPlace(place) : place));
}

function withoutPlace({ to: _, ...place }: MentioningFile): MentioningFile {
  return place;
}

/** `docs/pkg.store.rst`, a page about a module: its path where the module is called otherwise now. */
function pageNamedAfter(file: string, wanted: readonly WantedName[]): string | undefined {
  const [, folder = '', name = '', ending = ''] = /^(.*\/)?([^/]+)(\.[^./]+)$/.exec(file) ?? [];
  const [whole] = mentionsIn(
    name,
    wanted.filter(({ isFile }) => isFile === true),
  );
  if (whole?.rank !== 'qualified' || whole.start > 0 || whole.end < name.length || whole.replacement === undefined)
    return undefined;
  return folder + whole.replacement + ending;
}

async function turn({ signal }: Call): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
}

/** A plan's outcome with steps for mentions. */
export interface WithMentions {
  readonly plan: Plan;
  readonly tree: WorkingTree;
  readonly layers: ReadonlyMap<string, LayeredText>;
  /** Edits of files that no language here reads. */
  readonly edits: readonly FileEdit[];
  /** What stays as it is. */
  readonly left: readonly MentioningFile[];
}

/** Rewrites the mentions of these kinds, as far as it is clear what they mean; histories stay. */
export function rewriteMentions(
  result: { readonly plan: Plan; readonly tree: WorkingTree; readonly layers: ReadonlyMap<string, LayeredText> },
  found: readonly MentioningFile[],
  kinds: ReadonlySet<MentionKind>,
  grammars: Grammars,
): WithMentions {
  const steps: Step[] = [...result.plan.steps];
  const layers = new Map(result.layers);
  const texts = new Map<string, string>();
  const edits: FileEdit[] = [];
  const left: MentioningFile[] = [];
  for (const place of found) {
    const { file, kind, text, mentions } = place;
    const isAsked = kinds.has(kind) && !HISTORY.test(file);
    const changes = isAsked ? mentions.flatMap(editOf) : [];
    const to = isAsked ? place.to : undefined;
    const rest = mentions.filter(({ start }) => !changes.some((edit) => edit.start === start));
    if (rest.length > 0) left.push({ ...place, mentions: rest });
    if (changes.length === 0 && to === undefined) continue;
    const after = applyEdits(text, changes);
    const id = steps.length + 1;
    const step = stepOf(id, place, after, changes.length);
    steps.push(step);
    const known = layers.get(file) ?? layered(text);
    layers.set(
      to ?? file,
      withLayer(known, inHunks(id, { earlier: '', diff: step.diff }, text, lineEdits(text, after))),
    );
    if (kind === 'comments') texts.set(file, after);
    else
      edits.push(
        to === undefined
          ? { kind: 'change', file, before: text, after }
          : { kind: 'rename', file, to, before: text, after },
      );
  }
  const tree = texts.size === 0 ? result.tree : result.tree.with(texts, grammars);
  return { plan: { steps }, tree, layers, edits, left };
}

function editOf({ start, end, replacement }: Mention): TextEdit[] {
  return replacement === undefined ? [] : [{ start, end, text: replacement }];
}

function stepOf(id: number, { file, text, mentions, to }: MentioningFile, after: string, count: number): Step {
  const names = [...new Set(mentions.map(({ name }) => `${name.old}, which is ${name.now ?? 'gone'} now`))];
  const said = `mentions ${names.join('; ')} (${count} ${count === 1 ? 'place' : 'places'})`;
  const called = to === undefined ? [] : [`is called by the name of a module, and becomes ${shownName(to)}`];
  return {
    id,
    file,
    block: '<text>',
    nowBlock: '<text>',
    tier: 'may',
    causes: [],
    reasons: [`${shownName(file)} ${[...called, ...(count === 0 ? [] : [said])].join('; ')}.`],
    facts: [],
    status: 'proposed',
    how: 'mechanical',
    rule: 'mention',
    diff: diffOf(file, text, after),
    line: lineOf(text, mentions[0]?.start ?? 0),
    nearness: 0,
  };
}

/** 1-based. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** As documents have them, the likeliest and nearest to `near` first. */
export function mentionEntries(found: readonly MentioningFile[], near: readonly string[]): MentionEntry[] {
  const folders = near.map((file) => file.split('/').slice(0, -1));
  const nearness = (file: string): number =>
    Math.max(0, ...folders.map((folder) => file.split('/').findIndex((part, i) => part !== folder[i])));
  return found
    .flatMap(({ file, kind, text, mentions }) =>
      mentions.map(({ start, end, rank, name, replacement }): MentionEntry => {
        const lineStart = text.lastIndexOf('\n', start - 1) + 1;
        const lineEnd = text.indexOf('\n', end);
        return {
          file,
          line: lineOf(text, start),
          startColumn: start - lineStart,
          endColumn: end - lineStart,
          kind,
          rank,
          name: name.old,
          ...(replacement === undefined ? {} : { replacement }),
          text: text
            .slice(lineStart, lineEnd === -1 ? text.length : lineEnd)
            .trim()
            .slice(0, EXCERPT_MOST),
        };
      }),
    )
    .sort(
      (a, b) =>
        RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank) ||
        nearness(b.file) - nearness(a.file) ||
        (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.startColumn - b.startColumn),
    );
}

const RANKS: readonly MentionEntry['rank'][] = ['qualified', 'spelled', 'word'];
/** A line of a text that was not made for reading may have any length. */
const EXCERPT_MOST = 160;
