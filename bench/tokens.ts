/**
 * `npm run bench:tokens -- <dir>…`: what an agent pays to learn who uses a definition, in tokens, by the way in which
 * it asks: lines of grep, windows of 21 lines around them, whole files, the tool `refs`.
 *
 * Fifty definitions over all folders, taken evenly from those that some other place uses; members apart from others.
 * Tokens are estimated as for budgets everywhere (`context/tokens.ts`), which errs upwards for all alike.
 */
import { resolve } from 'node:path';
import { refs } from '#src/agents/refs.js';
import { blockName } from '#src/change/block-name.js';
import { estimateTokens } from '#src/context/tokens.js';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import type { Call } from '#src/engine/service.js';
import { grammarsOfThread } from '#src/io/index/grammar-bytes.js';
import { isDocument } from '#src/retrieve/documents.js';
import { summaryOf } from './indexing.js';
import { readSources, type Sources } from './sources.js';

const DEFINITIONS = 50;
const WINDOW_LINES = 21;
/** Fewer uses are no question, and of more nobody reads them all. */
const MENTIONS = { least: 2, most: 400 };
/** How many answers are looked at for one that counts. */
const TRIED_MOST = 40;

interface Row {
  readonly member: boolean;
  readonly grep: number;
  readonly windows: number;
  readonly files: number;
  readonly refs: number;
}

interface Definition {
  readonly name: string;
  readonly asked: string;
  readonly member: boolean;
}

const call: Call = { signal: new AbortController().signal, progress: () => undefined };
const roots = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
if (roots.length === 0) throw new Error('usage: npm run bench:tokens -- <dir>…');
const grammars = await grammarsOfThread();
const rows: Row[] = [];
for (const [i, root] of roots.entries()) {
  const share = Math.floor((DEFINITIONS * (i + 1)) / roots.length) - Math.floor((DEFINITIONS * i) / roots.length);
  rows.push(...(await measured(resolve(root), share)));
}
print(
  'members',
  rows.filter(({ member }) => member),
);
print(
  'others',
  rows.filter(({ member }) => !member),
);
print('all', rows);

async function measured(root: string, share: number): Promise<Row[]> {
  const sources = await readSources(root);
  const engine = createLocalEngine({
    root,
    mode: 'in-process',
    watch: false,
    environment: process.env,
    log: (message) => console.error(message),
  });
  const service = engine.connect({ id: 'bench', name: 'bench', workingDirectory: root, environment: process.env });
  const all = definitionsOf(sources);
  const out: Row[] = [];
  try {
    for (let tried = 0; tried < TRIED_MOST * share && out.length < share; tried++) {
      const definition = all[Math.floor(all.length * ((tried * 0.618_033_988_7) % 1))];
      if (definition === undefined) continue;
      const mentioned = linesSaying(sources, definition.name);
      if (mentioned.length < MENTIONS.least || mentioned.length > MENTIONS.most) continue;
      const answer = await refs.call(service, { block: definition.asked }, call);
      if (answer.refused === true || / 0 uses in /.test(answer.text)) continue;
      out.push({
        member: definition.member,
        grep: estimateTokens(mentioned.map(({ path, line, text }) => `${path}:${line}:${text}`).join('\n')),
        windows: estimateTokens(windowsAround(sources, mentioned)),
        files: estimateTokens(
          [...new Set(mentioned.map(({ path }) => path))].map((path) => textOf(sources, path)).join('\n'),
        ),
        refs: estimateTokens(answer.text),
      });
    }
  } finally {
    await service.close();
    await engine.close();
  }
  return out;
}

function definitionsOf(sources: Sources): Definition[] {
  return sources.files.flatMap((source) => {
    const summary = summaryOf(source, grammars);
    const rows = Array.from({ length: summary.decls.count }, (_, row) => row).filter((row) => isDocument(summary, row));
    return rows.map((row) => ({
      name: summary.decls.nameOf(row),
      asked: `${source.path}:${blockName(summary, row).replace(/#\d+$/, '')}`,
      member: summary.decls.parentOf(row) >= 0,
    }));
  });
}

interface Mention {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

function linesSaying({ files }: Sources, name: string): Mention[] {
  const said = new RegExp(`(?<![\\w$])${name.replace(/[$]/g, '\\$')}(?![\\w$])`);
  return files.flatMap(({ path, text }) =>
    text.includes(name)
      ? text.split('\n').flatMap((line, i) => (said.test(line) ? [{ path, line: i + 1, text: line }] : []))
      : [],
  );
}

function windowsAround(sources: Sources, mentions: readonly Mention[]): string {
  const shown = new Map<string, Set<number>>();
  for (const { path, line } of mentions) {
    let lines = shown.get(path);
    if (lines === undefined) shown.set(path, (lines = new Set<number>()));
    for (let near = line - (WINDOW_LINES - 1) / 2; near <= line + (WINDOW_LINES - 1) / 2; near++) lines.add(near);
  }
  return [...shown]
    .map(([path, lines]) => {
      const text = textOf(sources, path).split('\n');
      return [path, ...[...lines].sort((a, b) => a - b).map((line) => text[line - 1] ?? '')].join('\n');
    })
    .join('\n');
}

function textOf({ files }: Sources, path: string): string {
  return files.find((file) => file.path === path)?.text ?? '';
}

function print(title: string, of: readonly Row[]): void {
  const sum = (key: 'grep' | 'windows' | 'files' | 'refs'): number => of.reduce((total, row) => total + row[key], 0);
  const dearer = (key: 'grep' | 'windows' | 'files'): number => of.filter((row) => row.refs > row[key]).length;
  const mean = (key: 'grep' | 'windows' | 'files' | 'refs'): string => (sum(key) / Math.max(1, of.length)).toFixed(0);
  console.log(
    `${title}: ${of.length} definitions; tokens each: refs ${mean('refs')}, grep lines ${mean('grep')} ` +
      `(refs dearer ${dearer('grep')} times), grep with windows ${mean('windows')} (${dearer('windows')}), ` +
      `whole files ${mean('files')} (${dearer('files')})`,
  );
}
