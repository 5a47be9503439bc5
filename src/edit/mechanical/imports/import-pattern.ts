/**
 * How a file imports from the repository's own files: an import that it has, else one of the file that a definition
 * comes from, else one of the files beside it. It shows what a new one looks like: with the ending of a file or
 * without, by a path or an alias, in which quotes.
 */
import type { Resolver } from '../../../graph/resolve/resolver.js';
import type { RewriteSite } from '../rewrite.js';
import { fileOf } from './module-name.js';

export interface ImportPattern {
  /** The file that has the import. */
  readonly file: string;
  readonly module: string;
  /** As it is written; a re-export's whole line. */
  readonly statement: string;
}

export function importPattern({ graphs, block, site, texts, text }: RewriteSite): ImportPattern | undefined {
  const own = patternIn(graphs.after, block.file, text);
  if (own !== undefined) return own;
  const { before } = graphs;
  const tried = [site.cause.before?.file, ...besides(graphs.after, before, block.file)];
  for (const file of new Set(tried)) {
    if (file === undefined || file === block.file || !before.repo.hasFile(file)) continue;
    const found = patternIn(before, file, texts.before(file) ?? '');
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Files of the same language: those of the same folder first. None where imports name packages and not files. */
function besides(after: Resolver, before: Resolver, file: string): readonly string[] {
  const { id, importsFiles } = after.language(file);
  if (!importsFiles) return [];
  const files = before.repo.filesOf(id);
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  const isBeside = (other: string): boolean => other.slice(0, other.lastIndexOf('/') + 1) === folder;
  return [...files.filter(isBeside), ...files.filter((other) => !isBeside(other))];
}

function patternIn(resolver: Resolver, file: string, text: string): ImportPattern | undefined {
  const { imports, exports } = resolver.summary(file);
  const isOfRepository = (module: string): boolean => fileOf(resolver, module, file) !== undefined;
  const entry = imports.find(({ kind, module }) => kind === 'name' && isOfRepository(module));
  if (entry !== undefined)
    return { file, module: entry.module, statement: text.slice(entry.statementStart, entry.statementEnd) };
  for (const { module, start } of exports)
    if (module !== undefined && isOfRepository(module)) return { file, module, statement: lineAround(text, start) };
  return undefined;
}

function lineAround(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? undefined : end).trim();
}
