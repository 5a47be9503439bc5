/**
 * Answers of a model, random: the block as it stands or edited at random, with imports, other blocks, elisions, deep
 * nesting, control characters, in fences and prose of all sorts.
 *
 * Nothing throws. What is accepted keeps every character outside of the block but for whole imports that come in, keeps
 * every block beside it, and has no more syntax errors than before. None of this is asked of the merge itself.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyEdits, invertEdits, movedOffset } from '#src/base/text-edit.js';
import { parseAnswer } from '#src/context/answer.js';
import { commentSpan } from '#src/context/file-context.js';
import { fragmentOf, mergeAnswer } from '#src/edit/merge.js';
import { LANGUAGES } from '#src/languages/registry.js';
import { summarise } from '#src/languages/summarise.js';
import { D, isBlockKind, type Summary } from '#src/syntax/summary.js';
import { testGrammars } from '../../test/support/grammars.js';
import { roundOf, type Campaign, type Target } from './target.js';
import { edited, pick, sourceTexts, textEdit, type SourceText, type TextEdit } from './texts.js';

const EDITS_MOST = 6;
const NESTED_MOST = 400;

const ADDITIONS = [
  ...['elision', 'imports', 'otherBlock', 'nested', 'control', 'wrapper', 'twice', 'whole', 'indented', 'comment'],
] as const;
type Addition = readonly [kind: (typeof ADDITIONS)[number], number: number];

const WRAPPINGS = [
  ...['plain', 'plain', 'plain', 'plain', 'named', 'tildes', 'prose', 'thoughts', 'open', 'twoBlocks', 'bare', 'diff'],
  ...['longFence', 'nestedFence', 'returns', 'noChange'],
] as const;
type Wrapping = (typeof WRAPPINGS)[number];

interface Input {
  readonly language: number;
  readonly text: number;
  readonly block: number;
  readonly other: number;
  readonly additions: readonly Addition[];
  readonly edits: readonly TextEdit[];
  readonly wrapping: Wrapping;
  /** Edits of the answer as a whole. */
  readonly late: readonly TextEdit[];
}

interface Question extends SourceText {
  readonly summary: Summary;
  /** -1: module level. */
  readonly decl: number;
  readonly offside: boolean;
  readonly overloads: boolean;
  readonly answer: string;
}

type Summarise = (text: string) => Summary;

export const answers: Target = { name: 'answers', unit: 'answers', start };

async function start(): Promise<Campaign> {
  const grammars = await testGrammars();
  const texts = sourceTexts();
  const count = { tried: 0, code: 0, accepted: 0, changed: 0 };
  const reading =
    (path: string): Summarise =>
    (text) => {
      const summary = summarise(grammars, path, text);
      if (summary === undefined) throw new Error(`${path} is of no language`);
      if (summary.unread?.reason.includes('defect') === true) throw new Error(summary.unread.reason);
      return summary;
    };
  const questionOf = (input: Input): Question => {
    const { id } = pick(LANGUAGES, input.language);
    const known = texts.get(id) ?? [];
    const { path, text } = pick(known, input.text);
    const summary = reading(path)(text);
    const rows = [-1, ...blocksOf(summary)];
    const decl = pick(rows, input.block);
    const overloads = id === 'java' || id === 'csharp';
    const question = { path, text, summary, decl, offside: id === 'python', overloads };
    return { ...question, answer: answerOf(question, input, pick(known, input.other).text) };
  };
  const check = (input: Input): void => {
    const question = questionOf(input);
    count.tried++;
    const parsed = parseAnswer(question.answer);
    if (parsed.kind !== 'edit') return;
    count.code++;
    const read = reading(question.path);
    const result = mergeAnswer({ ...question, answer: parsed.text }, read);
    if (!result.ok) return;
    count.accepted++;
    if (result.text !== question.text) count.changed++;
    assertKept(question, result, read);
  };
  return {
    round: roundOf(inputs, check, (input) => {
      const { path, text, summary, decl, answer } = questionOf(input);
      return JSON.stringify({ path, block: decl < 0 ? '<module>' : summary.decls.pathOf(decl), text, answer });
    }),
    tried: () => count.tried,
    figures: () => ({ 'with code': count.code, accepted: count.accepted, 'accepted with a change': count.changed }),
    verdict: () => undefined,
    close: async () => undefined,
  };
}

const number = fc.nat(100_000);
const inputs: fc.Arbitrary<Input> = fc.record({
  language: number,
  text: number,
  block: number,
  other: number,
  additions: fc.array(fc.tuple(fc.constantFrom(...ADDITIONS), number), { maxLength: 2 }),
  edits: fc.array(textEdit, { maxLength: EDITS_MOST }),
  wrapping: fc.constantFrom(...WRAPPINGS),
  late: fc.oneof(
    { weight: 5, arbitrary: fc.constant<readonly TextEdit[]>([]) },
    { weight: 1, arbitrary: fc.array(textEdit, { maxLength: 3 }) },
  ),
});

function blocksOf(summary: Summary): number[] {
  return Array.from({ length: summary.decls.count }, (_, row) => row).filter((row) => {
    const kind = summary.decls.kindOf(row);
    return isBlockKind(kind) && kind !== D.namespace;
  });
}

function answerOf({ text, summary, decl }: Omit<Question, 'answer'>, input: Input, other: string): string {
  let code = decl < 0 ? text : fragmentOf(text, summary, decl);
  for (const addition of input.additions) code = added(code, addition, text, other);
  for (const edit of input.edits) code = edited(code, edit, other);
  let answer = wrapped(code, input.wrapping);
  for (const edit of input.late) answer = edited(answer, edit, other);
  return answer;
}

function added(code: string, [kind, n]: Addition, text: string, other: string): string {
  const lines = code.split('\n');
  const at = n % (lines.length + 1);
  const into = (...more: readonly string[]): string => lines.toSpliced(at, 0, ...more).join('\n');
  const line = pick(other.split('\n'), n);
  switch (kind) {
    case 'elision':
      return into(
        pick(['    // ... rest of the code', '    ...', '# … existing code …', '/* ... */', '// unchanged'], n),
      );
    case 'imports': {
      const found = other.split('\n').filter((each) => /^\s*(?:import|from|using)\b/u.test(each));
      const made = [
        'import os',
        'from a import b as c',
        'import { x } from "y";',
        'import a.b.C;',
        'using System.Text;',
      ];
      return `${pick([...found, ...made], n)}\n${n % 2 === 0 ? '\n' : ''}${code}`;
    }
    case 'otherBlock':
      return n % 2 === 0
        ? `${code}\n\n${other.slice(n % (other.length + 1))}`
        : into(...other.split('\n').slice(0, n % 12));
    case 'nested': {
      const [open, close] = pick(['()', '[]', '{}', '<>', '((', '-1'], n);
      const levels = n % NESTED_MOST;
      return into((open ?? '').repeat(levels) + (close ?? '').repeat(levels));
    }
    case 'control':
      return code.replace(/\w(?=\W)/u, (sign) => sign + pick(['\0', '\u001b[31m', '\u202e', '\u2028', '\r', '\b'], n));
    case 'wrapper':
      return `class ${pick(['A', 'Store', 'Inner'], n)} {\n${code}\n}`;
    case 'twice':
      return `${code}\n${code}`;
    case 'whole':
      return text;
    case 'indented':
      return lines.map((each) => (each === '' ? each : (n % 3 === 0 ? '\t' : ' '.repeat(n % 9)) + each)).join('\n');
    case 'comment':
      return into(line.startsWith('#') ? line : pick(['/*', '"""', '// }', '# end', '*/', "'''"], n));
  }
}

function wrapped(code: string, wrapping: Wrapping): string {
  const plain = `\`\`\`\n${code}\n\`\`\``;
  switch (wrapping) {
    case 'plain':
      return plain;
    case 'named':
      return `\`\`\`python title="x"\n${code}\n\`\`\`\n`;
    case 'tildes':
      return `~~~\n${code}\n~~~`;
    case 'prose':
      return `Here is the block, which must change:\n\n${plain}\n\nNothing else changes.`;
    case 'thoughts':
      return `<think>\n${plain}\n</think>\n${plain}`;
    case 'open':
      return `\`\`\`\n${code}`;
    case 'twoBlocks':
      return `${plain}\n\n${plain.replace(/\w/u, 'z')}`;
    case 'bare':
      return code;
    case 'diff':
      return `\`\`\`diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n${code.replace(/^/gmu, '+')}\n\`\`\``;
    case 'longFence':
      return `\`\`\`\`\`\n${code}\n\`\`\`\`\``;
    case 'nestedFence':
      return `\`\`\`\`\n\`\`\`\n${code}\n\`\`\`\n\`\`\`\``;
    case 'returns':
      return plain.replaceAll('\n', '\r\n');
    case 'noChange':
      return `NO CHANGES\n${code}`;
  }
}

type Accepted = Extract<ReturnType<typeof mergeAnswer>, { readonly ok: true }>;

function assertKept({ text, summary, decl, path }: Question, result: Accepted, read: Summarise): void {
  assert.equal(applyEdits(text, result.edits), result.text, 'the edits give the text');
  assert.equal(applyEdits(result.text, invertEdits(text, result.edits)), text, 'the edits can be undone');
  const after = read(result.text);
  assert.deepEqual(result.summary, after, 'the summary is that of the text');
  assert.ok(after.errors.length <= summary.errors.length, 'no syntax error more');
  if (decl < 0) return;
  const start = startWithComment(text, summary.decls.startOf(decl));
  const end = summary.decls.endOf(decl);
  const outside = result.edits.filter((edit) => edit.start < start || edit.end > end);
  for (const edit of outside) {
    assert.equal(edit.start, edit.end, 'outside of the block text only comes in');
    assertOnlyImports(edit.text, read, path);
  }
  const now = {
    start: movedOffset(outside, start),
    end: result.text.length - (text.length - end) + sumOf(outside, end),
  };
  assert.deepEqual(
    besides(result.text, after, now),
    besides(text, summary, { start, end }),
    'the blocks beside it are as they were',
  );
}

/** A block is answered with the documentation comment above it, or without. */
function startWithComment(text: string, start: number): number {
  const above = commentSpan(text, start);
  return above !== undefined && /^\/(?:\*\*|\/\/)/u.test(text.slice(above.start)) ? above.start : start;
}

/** How much what comes in behind an offset moves the end. */
function sumOf(edits: Accepted['edits'], from: number): number {
  return -edits.filter((edit) => edit.start >= from).reduce((sum, edit) => sum + edit.text.length, 0);
}

function assertOnlyImports(text: string, read: Summarise, path: string): void {
  const summary = read(text.trim());
  assert.equal(summary.errors.length, 0, `${path}: what comes in outside of the block parses: ${text}`);
  assert.deepEqual(blocksOf(summary), [], `${path}: only imports come in outside of the block: ${text}`);
  assert.ok(summary.imports.length > 0 || text.trim() === '', `${path}: outside of the block imports come in: ${text}`);
}

/** Path and text of the blocks that neither hold the span nor lie in it, imports left out. */
function besides(text: string, summary: Summary, span: { readonly start: number; readonly end: number }): string[] {
  return blocksOf(summary)
    .map((row) => ({ row, start: summary.decls.startOf(row), end: summary.decls.endOf(row) }))
    .filter(({ start, end }) => end <= span.start || start >= span.end)
    .map(
      ({ row, start, end }) =>
        `${summary.decls.pathOf(row).replace(/#\d+$/u, '')}: ${text.slice(start, end).trimEnd()}`,
    )
    .sort();
}
