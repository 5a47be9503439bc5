/**
 * What a class has: its bases, constructors and members, inherited ones among them, those first that a text asks for.
 */
import * as z from 'zod';
import { shownInLine, shownName } from '../base/shown.js';
import { documentationOf } from '../languages/documentation.js';
import type { DeclRef } from '../languages/language.js';
import { kindName } from '../change/atomic-change.js';
import { publicName } from '../graph/resolve/public-name.js';
import { headOf } from '../retrieve/head.js';
import { likeness } from '../retrieve/likeness.js';
import { firstSentence, IDENTIFIER, identifiersIn, wordsOfIdentifier } from '../retrieve/words.js';
import { lineAt } from '../syntax/line-at.js';
import { F } from '../syntax/summary.js';
import { classesCalled, classesLike, SAME_NAME_MOST } from './classes.js';
import { baseNames, memberEntry, membersOf, type Member } from './members.js';
import { fitted, tool, unknownText, type Repository } from './tool.js';

/** Names that are shown on a page, besides constructors. */
const PAGE = 10;
/** Names behind the page in one paragraph, in characters. */
const MORE_MOST = 400;
/** Names less like one of the text are no misspelling of it. */
const LIKE_ENOUGH = 0.6;

export const classInfo = tool({
  name: 'get_class_info',
  description:
    'What classes have: bases, constructors, members with signatures, inherited ones too. `query` (the line, the ' +
    'error or the thought at hand) decides which ten members come first, `page` shows further ones.',
  params: z.strictObject({
    classes: z.array(z.string().min(1)).min(1).max(10).describe('Simple or qualified names.'),
    query: z.string().optional().describe('Ranks the members.'),
    page: z.int().min(1).optional(),
    file: z.string().optional().describe('Where the class is used: the nearest of several comes first.'),
  }),
  searches: false,
  call: (repository, { classes, query, page = 1, file }) => {
    const suggestions = [];
    const found: DeclRef[] = [];
    let total = 0;
    for (const asked of classes) {
      const called = classesCalled(repository, asked, file);
      if (called.length === 0) suggestions.push({ asked, names: classesLike(repository, asked) });
      total += called.length;
      found.push(...likeliest(repository, called, query ?? '', file));
    }
    const pages = found.map((type) => pageOf(repository, type, query ?? '', page));
    return {
      items: pages.map(({ item }) => item),
      text: [
        ...(pages.length === 0
          ? []
          : [
              fitted(
                pages.flatMap(({ lines }) => lines),
                'ask for one class, or a page',
              ),
            ]),
        ...(suggestions.length === 0 ? [] : [unknownText(suggestions, 'class')]),
      ].join('\n'),
      truncated: total > found.length || pages.some(({ hasMore }) => hasMore),
      total,
      ...(suggestions.length === 0 ? {} : { suggestions }),
    };
  },
});

/**
 * Of classes of one name no more than a reader tells apart. Of more than that first those of the file, then those with
 * a member that the text says or nearly says, then the nearest.
 */
function likeliest(
  repository: Repository,
  called: readonly DeclRef[],
  query: string,
  file: string | undefined,
): readonly DeclRef[] {
  if (called.length <= SAME_NAME_MOST) return called;
  const said = saidIn(query);
  const likest = new Map(
    called.map((type) => [
      type,
      Math.max(0, ...membersOf(repository, type).map((member) => likenessToSaid(said, member.name))),
    ]),
  );
  const isElsewhere = (type: DeclRef): number => Number(type.file !== file);
  return [...called]
    .sort((a, b) => isElsewhere(a) - isElsewhere(b) || (likest.get(b) ?? 0) - (likest.get(a) ?? 0))
    .slice(0, SAME_NAME_MOST);
}

interface Page {
  readonly item: object;
  readonly lines: readonly string[];
  readonly hasMore: boolean;
}

export function pageOf(repository: Repository, type: DeclRef, query: string, page: number): Page {
  const summary = repository.resolver.summary(type.file);
  const { decls } = summary;
  const all = membersOf(repository, type);
  const constructors = all.filter(({ isConstructor }) => isConstructor);
  const others = ranked(
    repository,
    all.filter(({ isConstructor }) => !isConstructor),
    query,
  );
  const names = [...new Set(others.map(({ name }) => name))];
  const shownNames = new Set(names.slice((page - 1) * PAGE, page * PAGE));
  const shown = [...(page === 1 ? constructors : []), ...others.filter(({ name }) => shownNames.has(name))];
  const rest = names.slice(page * PAGE);
  const more: string[] = [];
  for (let length = 0, i = 0; i < rest.length; i++) {
    length += (rest[i] as string).length + 2;
    if (length > MORE_MOST) break;
    more.push(rest[i] as string);
  }
  const line = lineAt(summary, decls.nameStartOf(type.decl));
  const item = {
    class: decls.nameOf(type.decl),
    qualifiedName: publicName(repository.resolver, type),
    file: type.file,
    line,
    kind: kindName(decls.kindOf(type.decl)),
    bases: baseNames(repository, type),
    members: shown.map((member) => memberEntry(repository, member)),
    more,
  };
  const head = headOf(repository.text(type.file) ?? '', summary, type.decl);
  const lines = [
    `${shownName(type.file)}:${line} ${shownInLine(head)}${page > 1 ? ` (page ${page})` : ''}`,
    ...shown.map((member) => `  ${memberLine(repository, member)}`),
    ...(shown.length === 0 ? ['  no members'] : []),
    ...(rest.length === 0
      ? []
      : [`  ${rest.length} more (page ${page + 1}): ${more.join(', ')}${more.length < rest.length ? ', …' : ''}`]),
  ];
  return { item, lines, hasMore: rest.length > 0 };
}

function memberLine({ resolver, text }: Repository, member: Member): string {
  const summary = resolver.summary(member.file);
  const head = shownInLine(headOf(text(member.file) ?? '', summary, member.decl));
  const owner = member.inherited
    ? `  [from ${resolver.summary(member.owner.file).decls.nameOf(member.owner.decl)}]`
    : '';
  return `${head.length > 200 ? `${head.slice(0, 200)}…` : head}${owner}`;
}

/**
 * Those first whose names the text says, then names that one of the text is nearly, then by shared words; ties in
 * their order, public ones first.
 */
function ranked(repository: Repository, members: readonly Member[], query: string): Member[] {
  const said = saidIn(query);
  const words = new Map<string, number>();
  for (const identifier of identifiersIn(query))
    for (const word of wordsOfIdentifier(identifier)) words.set(word, (words.get(word) ?? 0) + 1);
  const documents = members.map((member) => wordsOfMember(repository, member));
  const within = new Map<string, number>();
  for (const document of documents) for (const word of document.keys()) within.set(word, (within.get(word) ?? 0) + 1);
  const likes = new Map<string, number>();
  const score = (member: Member, document: ReadonlyMap<string, number>): number => {
    if (query === '') return 0;
    let likest = likes.get(member.name);
    if (likest === undefined) {
      likest = likenessToSaid(said, member.name);
      likes.set(member.name, likest);
    }
    let shared = 0;
    for (const [word, weight] of document)
      if (words.has(word)) shared += (Math.log(1 + members.length / (within.get(word) ?? 1)) * weight) / (weight + 1.2);
    return likest * 100 + shared;
  };
  return members
    .map((member, i) => ({ member, i, score: score(member, documents[i] as ReadonlyMap<string, number>) }))
    .sort(
      (a, b) => b.score - a.score || hiddenness(repository, a.member) - hiddenness(repository, b.member) || a.i - b.i,
    )
    .map(({ member }) => member);
}

const saidIn = (query: string): ReadonlySet<string> => new Set(query.match(IDENTIFIER) ?? []);

/** 2 for a name that is among them, less than 1 for one that may have been misspelt. */
const likenessToSaid = (said: ReadonlySet<string>, name: string): number =>
  said.has(name) ? 2 : Math.max(0, ...[...said].map((word) => nearly(word, name)));

/** How much a name of the text may be a misspelling of a member's; 0 for words that are too short to tell. */
function nearly(word: string, name: string): number {
  if (word.length < 3 || name.length < 3) return 0;
  const like = likeness(word, name);
  return like >= LIKE_ENOUGH ? like : 0;
}

function wordsOfMember({ resolver, text }: Repository, { file, decl, name }: Member): Map<string, number> {
  const summary = resolver.summary(file);
  const source = text(file) ?? '';
  const out = new Map<string, number>();
  const add = (identifiers: readonly string[], weight: number): void => {
    for (const identifier of identifiers)
      for (const word of wordsOfIdentifier(identifier)) out.set(word, (out.get(word) ?? 0) + weight);
  };
  add([name], 3);
  add(identifiersIn(headOf(source, summary, decl)), 1);
  add(identifiersIn(firstSentence(documentationOf(source, summary, decl))), 1.5);
  return out;
}

/** Own before inherited, public before the rest. */
function hiddenness({ resolver }: Repository, { file, decl, name, inherited }: Member): number {
  const flags = resolver.summary(file).decls.flagsOf(decl);
  const isHidden = (flags & (F.private | F.protected)) !== 0 || resolver.language(file).isPrivate(name, flags);
  return (inherited ? 2 : 0) + (isHidden ? 1 : 0);
}
