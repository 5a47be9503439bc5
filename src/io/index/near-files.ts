/**
 * Which files of a repository belong with some others: those that they import, and those that may refer to them.
 *
 * Found from paths and words while nothing but these files is read, so that an editor need not wait for the whole
 * index. Where imports name files they are followed as the resolver follows them, over a tree in which all other
 * files are empty; elsewhere a name that a file is called by stands for that file. Errs on the side of too many.
 */
import { sharedFolders } from '../../base/paths.js';
import { baseName } from '../../graph/files/path-facts.js';
import { Snapshot } from '../../graph/files/snapshot.js';
import { moduleMembers } from '../../graph/resolve/imports.js';
import { Resolver } from '../../graph/resolve/resolver.js';
import type { Entity } from '../../languages/language.js';
import { languageOf } from '../../languages/registry.js';
import { summarise } from '../../languages/summarise.js';
import type { Grammars } from '../../syntax/grammar.js';
import { D, isBlockKind, type Summary } from '../../syntax/summary.js';
import { sourceBytes } from '../disk/repository-file.js';

/** Names of files that stand for their folder. */
const FOLDERS_OWN: ReadonlySet<string> = new Set(['index', '__init__', '__main__', 'package-info']);
/** A word of fewer letters stands in most files. */
const WORD_LEAST = 3;
/** How many files are looked through before other work gets a turn: some milliseconds. */
const TURN_FILES = 50;

export class NearFiles {
  private tree: Snapshot;

  constructor(
    private readonly root: string,
    private readonly sources: readonly string[],
    configs: ReadonlyMap<string, string | undefined>,
    grammars: Grammars,
  ) {
    const empty = new Map<string, Summary | undefined>();
    const emptyOf = (path: string): Summary | undefined => {
      const ending = path.slice(path.lastIndexOf('.'));
      if (!empty.has(ending)) empty.set(ending, summarise(grammars, path, ''));
      return empty.get(ending);
    };
    this.tree = Snapshot.empty().with(new Map(sources.map((path) => [path, emptyOf(path)])), configs);
  }

  /** Files that were read. */
  take(files: ReadonlyMap<string, Summary>): void {
    this.tree = this.tree.with(files);
  }

  importedBy(file: string): string[] {
    const summary = this.tree.summary(file);
    const language = languageOf(file);
    if (summary === undefined || language === undefined) return [];
    const found = language.importsFiles
      ? this.followed(file, summary)
      : summary.names.flatMap((name) => language.extensions.flatMap((end) => this.tree.filesNamed(name + end)));
    return nearestFirst(found, [file]);
  }

  /** Files whose names a file exports as its own. */
  passedOnBy(file: string): string[] {
    const summary = this.tree.summary(file);
    return summary === undefined ? [] : this.followed(file, { imports: [], exports: summary.exports });
  }

  /** Files that say what these files, or what they declare, are called; the nearest first. */
  async mentioning(files: readonly string[], signal: AbortSignal): Promise<string[]> {
    const words = [...new Set(files.flatMap((file) => this.wordsFor(file)))].filter(
      (word) => word.length >= WORD_LEAST,
    );
    const languages = new Set(files.map((file) => languageOf(file)?.id));
    const found: string[] = [];
    let seen = 0;
    for (const path of this.sources) {
      if (!languages.has(languageOf(path)?.id)) continue;
      if (++seen % TURN_FILES === 0) {
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
      }
      const text = sourceBytes(this.root, path);
      if (text !== undefined && words.some((word) => text.includes(word))) found.push(path);
    }
    return nearestFirst(found, files);
  }

  private followed(file: string, summary: Pick<Summary, 'imports' | 'exports'>): string[] {
    const resolver = new Resolver(this.tree);
    const language = resolver.language(file);
    const modules = [
      ...summary.imports.map(({ module, name, kind }) => ({ module, name: kind === 'name' ? name : '' })),
      ...summary.exports.map(({ module, local }) => ({ module, name: local })),
    ];
    return modules.flatMap(({ module, name }) =>
      module === undefined
        ? []
        : [
            ...language.resolveModule(module, file, resolver),
            ...(name === '' || name === '*' ? [] : moduleMembers(resolver, file, module, name)),
          ].flatMap(fileOf),
    );
  }

  private wordsFor(file: string): string[] {
    const stem = baseName(file).replace(/\.[^.]*$/, '');
    const called = FOLDERS_OWN.has(stem) ? (file.split('/').at(-2) ?? stem) : stem;
    const summary = this.tree.summary(file);
    return [called, ...(summary === undefined ? [] : outermostNames(summary))];
  }
}

/** Of what a file declares at its top, and in a namespace there. */
function outermostNames({ decls }: Summary): string[] {
  const names: string[] = [];
  for (let row = 0; row < decls.count; row++) {
    const parent = decls.parentOf(row);
    const isOuter = parent < 0 || decls.kindOf(parent) === D.namespace;
    const kind = decls.kindOf(row);
    if (isOuter && isBlockKind(kind) && kind !== D.namespace && kind !== D.importBinding) names.push(decls.nameOf(row));
  }
  return names;
}

const fileOf = (entity: Entity): string[] => (entity.kind === 'decl' || entity.kind === 'module' ? [entity.file] : []);

function nearestFirst(files: readonly string[], to: readonly string[]): string[] {
  const nearness = new Map(files.map((file) => [file, Math.max(0, ...to.map((one) => sharedFolders(file, one)))]));
  return [...nearness].sort(([a, near], [b, nearer]) => nearer - near || (a < b ? -1 : 1)).map(([file]) => file);
}
