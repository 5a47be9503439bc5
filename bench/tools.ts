/**
 * `npm run bench:tools -- <dir>`: how long the repository tools take to answer, warm, as an agent's calls reach them:
 * median, p95 and the longest of each, in milliseconds of this process's clock.
 *
 * Names, files and questions are taken evenly from the repository: classes, functions, files without their imports,
 * first sentences of documentation. All are asked twice, and the second round counts.
 */
import { resolve } from 'node:path';
import { createLocalEngine } from '#src/daemon/local-engine.js';
import type { Call } from '#src/engine/service.js';
import { grammarsOfThread } from '#src/io/index/grammar-bytes.js';
import { documentationOf } from '#src/languages/documentation.js';
import { isDocument } from '#src/retrieve/documents.js';
import { firstSentence } from '#src/retrieve/words.js';
import { isClassLike, isFunctionLike, type Summary } from '#src/syntax/summary.js';
import { summaryOf } from './indexing.js';
import { readSources } from './sources.js';
import { median, percentile, spread, wallMsOf } from './timing.js';

const CALLS = 60;
const BOUND_MS = 30;

const [given] = process.argv.slice(2);
if (given === undefined) throw new Error('usage: npm run bench:tools -- <dir>');
const root = resolve(given);
const call: Call = { signal: new AbortController().signal, progress: () => undefined };
const grammars = await grammarsOfThread();

const classes: string[] = [];
const functions: string[] = [];
const sentences: string[] = [];
const codes: { readonly file: string; readonly code: string }[] = [];
for (const source of (await readSources(root)).files) {
  const summary = summaryOf(source, grammars);
  const { decls } = summary;
  codes.push({ file: source.path, code: withoutImports(source.text, summary) });
  for (let row = 0; row < decls.count; row++) {
    if (!isDocument(summary, row)) continue;
    if (isClassLike(decls.kindOf(row))) classes.push(decls.nameOf(row));
    else if (isFunctionLike(decls.kindOf(row))) functions.push(decls.nameOf(row));
    const said = firstSentence(documentationOf(source.text, summary, row));
    if (said.split(' ').length > 4) sentences.push(said);
  }
}
const queries = spread(sentences, CALLS).map((query) => ({ query }));
const methods = spread([...new Set(functions)], CALLS).map((method) => ({ method }));
const asked: Readonly<Record<string, readonly object[]>> = {
  get_class_info: spread([...new Set(classes)], CALLS).map((name, i) => ({
    classes: [name],
    query: queries[i % queries.length]?.query ?? name,
  })),
  get_signature: methods,
  get_method_body: methods,
  get_imports: spread(codes, CALLS),
  get_relevant_code: queries,
  get_related_snippets: queries,
  ground: queries.map(({ query }) => ({ intent: query })),
};

const engine = createLocalEngine({
  root,
  mode: 'in-process',
  watch: false,
  environment: process.env,
  log: (message) => console.error(message),
});
const service = engine.connect({ id: 'bench', name: 'bench', workingDirectory: root, environment: process.env });
try {
  for (const [tool, list] of Object.entries(asked)) {
    const round = async (): Promise<number[]> => {
      const taken: number[] = [];
      for (const asking of list)
        taken.push(
          await wallMsOf(async () => {
            const { refused, text } = await service.ask('codeplan/tool', { tool, arguments: { ...asking } }, call);
            if (refused) throw new Error(`${tool}: ${text}`);
          }),
        );
      return taken;
    };
    await round();
    const taken = await round();
    const p95 = percentile(taken, 0.95);
    const figures = [median(taken), p95, Math.max(...taken)].map((ms) => ms.toFixed(1).padStart(7)).join(' ');
    console.log(`${tool.padEnd(22)} ${taken.length} calls ${figures}${p95 > BOUND_MS ? '  missed' : ''}`);
  }
} finally {
  await service.close();
  await engine.close();
}

function withoutImports(text: string, { imports }: Summary): string {
  const end = Math.max(0, ...imports.map(({ statementEnd }) => statementEnd));
  return text.slice(end);
}
