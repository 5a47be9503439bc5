/**
 * The texts of a repository in memory, so that what is measured on them is no reading of files.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scan } from '#src/io/index/scan.js';
import { decodeSource } from '#src/io/disk/source-text.js';
import { languageOf } from '#src/languages/registry.js';
import type { LanguageId } from '#src/syntax/summary.js';
import type { Figure } from './figure.js';

export interface Source {
  readonly path: string;
  readonly text: string;
  readonly language: LanguageId;
  readonly lines: number;
  readonly bytes: number;
}

export interface Sources {
  /** Sorted by path. */
  readonly files: readonly Source[];
  readonly configs: ReadonlyMap<string, string>;
  readonly lines: number;
  readonly bytes: number;
  /** The language with the most lines: the one that files to edit are taken from. */
  readonly language: LanguageId;
}

/** What the index would read below `root`. Throws when there is no source in it. */
export async function readSources(root: string): Promise<Sources> {
  const found = await scan(root, { exclude: [], signal: new AbortController().signal });
  const files: Source[] = [];
  const linesOf = new Map<LanguageId, number>();
  for (const { path } of found.sources) {
    const bytes = readFileSync(join(root, path));
    const source = decodeSource(bytes);
    const language = languageOf(path);
    if (!source.ok || language === undefined) continue;
    const lines = source.text.split('\n').length;
    files.push({ path, text: source.text, language: language.id, lines, bytes: bytes.length });
    linesOf.set(language.id, (linesOf.get(language.id) ?? 0) + lines);
  }
  const first = [...linesOf].sort(([, a], [, b]) => b - a)[0];
  if (first === undefined) throw new Error(`there is no source file of a known language below ${root}`);
  const configs = new Map(found.configs.map(({ path }) => [path, readFileSync(join(root, path), 'utf8')]));
  return {
    files,
    configs,
    lines: files.reduce((sum, file) => sum + file.lines, 0),
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    language: first[0],
  };
}

export function sizeFigures(sources: Sources): Figure[] {
  const group = 'Repository';
  return [
    { group, name: 'files', value: sources.files.length, unit: 'files', on: `mostly ${sources.language}` },
    { group, name: 'lines', value: sources.lines, unit: 'lines' },
    { group, name: 'size', value: sources.bytes / 1e6, unit: 'MB' },
  ];
}
