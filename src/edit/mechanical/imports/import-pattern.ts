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
  const own = shownIn(graphs.after, block.file);
  if (own !== undefined) return patternOf(own, block.file, text);
  const { before } = graphs;
  for (const file of [site.cause.before?.file, ...showingBeside(graphs.after, before, block.file)]) {
    if (file === undefined || file === block.file || !before.repo.hasFile(file)) continue;
    const shown = shownIn(before, file);
    if (shown !== undefined) return patternOf(shown, file, texts.before(file) ?? '');
  }
  return undefined;
}

/** The file itself may be among them, and is none of those beside it. */
const SHOWING_MOST = 2;

/**
 * The first files of the same language that show how to import, those of the same folder first. None where imports name
 * packages and not files. Every site of a plan asks for them, and where there are none all files were looked at.
 */
function showingBeside(after: Resolver, before: Resolver, file: string): readonly string[] {
  const { id, importsFiles } = after.language(file);
  if (!importsFiles) return [];
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  return before.repo.memo(`files that show imports beside ${folder} in ${id}`, () => {
    const files = before.repo.filesOf(id);
    const isBeside = (other: string): boolean => other.slice(0, other.lastIndexOf('/') + 1) === folder;
    const out: string[] = [];
    for (const other of [...files.filter(isBeside), ...files.filter((one) => !isBeside(one))]) {
      if (shownIn(before, other) !== undefined) out.push(other);
      if (out.length === SHOWING_MOST) break;
    }
    return out;
  });
}

/** Where an import stands that names a file of the repository; without an end the whole line. */
interface Shown {
  readonly module: string;
  readonly start: number;
  readonly end: number | undefined;
}

function shownIn(resolver: Resolver, file: string): Shown | undefined {
  const { imports, exports } = resolver.summary(file);
  const isOfRepository = (module: string): boolean => fileOf(resolver, module, file) !== undefined;
  const entry = imports.find(({ kind, module }) => kind === 'name' && isOfRepository(module));
  if (entry !== undefined) return { module: entry.module, start: entry.statementStart, end: entry.statementEnd };
  for (const { module, start } of exports)
    if (module !== undefined && isOfRepository(module)) return { module, start, end: undefined };
  return undefined;
}

const patternOf = ({ module, start, end }: Shown, file: string, text: string): ImportPattern => ({
  file,
  module,
  statement: end === undefined ? lineAround(text, start) : text.slice(start, end),
});

function lineAround(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? undefined : end).trim();
}
