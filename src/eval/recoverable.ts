/**
 * How often a repository tool would put a model right that invented a member's name: the wrong name
 * goes into a compiler's message, the message into `get_class_info`, and the true name has to be in what
 * that says. An upper bound of what a repair with tools can mend, measured without a model.
 *
 * Which uses are taken and how their names are made wrong follows from their text and place alone, so
 * a run can be repeated.
 *
 * Source: the mutation test of the tools of RRR (arXiv 2405.01573), which is our own.
 */
import { hashText } from '../base/hash.js';
import { WorkingTree } from '../engine/working-tree.js';
import { Snapshot } from '../graph/files/snapshot.js';
import { sourceBytes } from '../io/disk/repository-file.js';
import { rootOf } from '../io/disk/root.js';
import { decodeSource } from '../io/disk/source-text.js';
import { scan } from '../io/index/scan.js';
import { summarise } from '../languages/summarise.js';
import { SearchIndex } from '../retrieve/search-index.js';
import { wordsOfIdentifier } from '../retrieve/words.js';
import type { Grammars } from '../syntax/grammar.js';
import { E, isClassLike, isFieldLike, isFunctionLike, type Summary } from '../syntax/summary.js';
import { classInfo } from '../tools/class-info.js';
import type { Repository } from '../tools/tool.js';

export interface RecoverableOptions {
  readonly root: string;
  /** Most uses that are tried. */
  readonly most: number;
  readonly grammars: Grammars;
  readonly signal: AbortSignal;
}

export interface Recoverable {
  readonly ways: readonly { readonly way: Way; readonly tried: number; readonly recovered: number }[];
  /** Some that were not, for a person to read. */
  readonly lost: readonly {
    readonly file: string;
    readonly type: string;
    readonly name: string;
    readonly wrong: string;
  }[];
}

/** How a name is made wrong. */
export type Way = 'a letter' | 'a word less' | 'a word more' | 'another verb';

interface Use {
  readonly file: string;
  readonly type: string;
  readonly name: string;
}

/** Enough to read by hand why some were lost; the numbers are of all. */
const LOST_MOST = 10;

export async function recoverable({ root, most, grammars, signal }: RecoverableOptions): Promise<Recoverable> {
  const tree = await treeAt(root, grammars, signal);
  const { snapshot, resolver } = tree;
  const repository: Repository = {
    snapshot,
    resolver,
    grammars,
    text: (file) => tree.text(file),
    index: SearchIndex.empty(),
  };
  const uses = usesIn(tree).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const ways = new Map<Way, { tried: number; recovered: number }>();
  const lost: Recoverable['lost'][number][] = [];
  for (const [at, use] of uses.slice(0, most).entries()) {
    signal.throwIfAborted();
    const { way, wrong } = misspelt(use.name, at);
    const tally = ways.get(way) ?? { tried: 0, recovered: 0 };
    ways.set(way, tally);
    tally.tried++;
    const query = `cannot find symbol ${wrong} in class ${use.type}`;
    const said = classInfo.answer(repository, { classes: [use.type], query, file: use.file });
    const names = new Set(said.ok ? said.answer.text.match(/#?[\p{L}\p{N}_$]+/gu) : []);
    if (names.has(use.name)) tally.recovered++;
    else if (lost.length < LOST_MOST) lost.push({ ...use, wrong });
  }
  return { ways: [...ways].map(([way, tally]) => ({ way, ...tally })), lost };
}

const keyOf = ({ file, type, name }: Use): string => hashText(`${file} ${type} ${name}`);

async function treeAt(directory: string, grammars: Grammars, signal: AbortSignal): Promise<WorkingTree> {
  const root = rootOf(directory);
  const { sources, configs } = await scan(root, { exclude: [], signal });
  const textAt = (path: string): string | undefined => {
    const bytes = sourceBytes(root, path);
    const source = bytes === undefined ? undefined : decodeSource(bytes);
    return source?.ok === true ? source.text : undefined;
  };
  const texts = new Map<string, string>();
  const summaries = new Map<string, Summary>();
  for (const { path } of sources) {
    signal.throwIfAborted();
    const text = textAt(path);
    const summary = text === undefined ? undefined : summarise(grammars, path, text);
    if (text === undefined || summary === undefined) continue;
    texts.set(path, text);
    summaries.set(path, summary);
  }
  const settings = new Map(configs.map(({ path }) => [path, textAt(path) ?? '']));
  return new WorkingTree(Snapshot.empty().with(summaries, settings), (file) => texts.get(file));
}

/** Members of the repository's classes that are used on a receiver, each once for a file. */
function usesIn({ snapshot, resolver }: WorkingTree): Use[] {
  const uses = new Map<string, Use>();
  for (const file of snapshot.files.keys()) {
    const { exprs } = resolver.summary(file);
    for (let row = 0; row < exprs.count; row++) {
      if (exprs.opOf(row) !== E.member) continue;
      const name = exprs.nameOf(row);
      const { confidence, targets } = resolver.resolve(file, row);
      const [target] = targets;
      if (confidence !== 'certain' || target === undefined) continue;
      const { decls } = resolver.summary(target.file);
      const kind = decls.kindOf(target.decl);
      if ((!isFunctionLike(kind) && !isFieldLike(kind)) || decls.nameOf(target.decl) !== name) continue;
      const { values, unknown } = resolver.typeOf(file, exprs.operandOf(row));
      const [receiver, another] = values;
      // Of a value that may be of several classes, a compiler's message names something else.
      if (unknown || another !== undefined || receiver?.kind !== 'instance') continue;
      const type = resolver.summary(receiver.file).decls;
      if (!isClassLike(type.kindOf(receiver.decl)) || type.nameOf(receiver.decl) === '') continue;
      const use = { file, type: type.nameOf(receiver.decl), name };
      uses.set(keyOf(use), use);
    }
  }
  return [...uses.values()];
}

const VERBS: readonly (readonly [string, string])[] = [
  ['get', 'fetch'],
  ['set', 'update'],
  ['add', 'append'],
  ['remove', 'delete'],
  ['create', 'make'],
  ['find', 'lookup'],
  ['is', 'has'],
  ['to', 'as'],
  ['load', 'read'],
];

/** The name as a model might have it: the ways take turns, and one that a name does not admit gives way to the next. */
function misspelt(name: string, turn: number): { readonly way: Way; readonly wrong: string } {
  const words = wordsOfIdentifier(name);
  const last = words.at(-1) ?? '';
  const verb = VERBS.find(([from]) => new RegExp(`^_*${from}(?![a-z])`, 'i').test(name));
  const ways: readonly (readonly [Way, string | undefined])[] = [
    ['a letter', name.length < 4 ? undefined : swapped(name)],
    ['a word less', words.length < 2 ? undefined : name.slice(0, name.length - last.length).replace(/_+$/, '')],
    ['a word more', name.includes('_') || name === name.toLowerCase() ? `${name}_value` : `${name}Value`],
    ['another verb', verb === undefined ? undefined : name.replace(new RegExp(verb[0], 'i'), verb[1])],
  ];
  for (let i = 0; i < ways.length; i++) {
    const [way, wrong] = ways[(turn + i) % ways.length] ?? ['a word more', undefined];
    if (wrong !== undefined && wrong !== '' && wrong !== name) return { way, wrong };
  }
  return { way: 'a word more', wrong: `${name}Value` };
}

/** With two letters in its middle the other way round. */
function swapped(name: string): string {
  const at = Math.floor(name.length / 2);
  return `${name.slice(0, at - 1)}${name[at] ?? ''}${name[at - 1] ?? ''}${name.slice(at + 1)}`;
}
