/**
 * The text that stands for a repository in front of a request: the plan, and of the symbols that it names what the
 * style says. With it a model that never saw the repository writes code which uses it.
 *
 * Source: MutaGReP (arXiv 2502.15872), where such a text has a few hundredths of the repository's tokens.
 */
import { fencedBlocks } from '../context/answer.js';
import { symbolsOf, type PlanStep, type PlanSymbol } from './plan.js';
import { fenced } from './questions.js';

export const PROMPT_STYLES = ['full', 'signatures', 'names'] as const;
export type PromptStyle = (typeof PROMPT_STYLES)[number];

/** Of a longer definition only so much is shown, in characters, up to the end of a line. */
const DEFINITION_MOST = 1000;

/** `definitionOf`: the code of a symbol. */
export function planPrompt(
  request: string,
  steps: readonly PlanStep[],
  style: PromptStyle,
  definitionOf: (symbol: PlanSymbol) => string,
): string {
  const symbols = symbolsOf({ steps });
  return [
    HEAD,
    `# Request\n\n${request}`,
    ...(steps.length === 0 ? [] : [`# Plan\n\n${steps.map(stepText).join('\n')}`]),
    ...(style === 'names' || symbols.length === 0
      ? []
      : [`# Symbols\n\n${symbols.map((symbol) => symbolText(symbol, style, definitionOf)).join('\n\n')}`]),
    TAIL,
  ].join('\n\n');
}

const HEAD =
  'Write code that carries out the request with the library whose symbols are named below. The plan was ' +
  'found by looking its steps up in the library: under each step stand the symbols that may serve for it, ' +
  'best first; not all will be needed.';
const TAIL =
  "Use the library's own symbols where they fit, import them by the paths that are given, and invent none. " +
  'Answer with exactly one code block.';

const namesOf = (symbols: readonly PlanSymbol[]): string =>
  symbols.map(({ qualifiedName }) => qualifiedName).join(', ') || 'none was found';

const stepText = ({ intent, symbols }: PlanStep, at: number): string =>
  `${at + 1}. ${intent}\n   symbols: ${namesOf(symbols)}`;

function symbolText(symbol: PlanSymbol, style: PromptStyle, definitionOf: (symbol: PlanSymbol) => string): string {
  const code = style === 'signatures' ? symbol.signature : cut(definitionOf(symbol));
  return `${symbol.qualifiedName} (${symbol.kind}, ${symbol.file}:${symbol.line}):\n${fenced(code)}`;
}

function cut(code: string): string {
  if (code.length <= DEFINITION_MOST) return code;
  const end = code.lastIndexOf('\n', DEFINITION_MOST);
  return `${code.slice(0, end > 0 ? end : DEFINITION_MOST)}\n...`;
}

/** Files one after the other, as a prompt without any plan has them. */
export function filesPrompt(
  request: string,
  files: readonly { readonly file: string; readonly text: string }[],
): string {
  const shown = files.map(({ file, text }) => `${file}:\n${fenced(text)}`);
  return [HEAD_OF_FILES, ...shown, `# Request\n\n${request}`, TAIL].join('\n\n');
}

const HEAD_OF_FILES = 'Write code that carries out the request at the end with the library whose files stand here.';

/** The code of an answer: what its one fence holds, or all of it where it has none. */
export function codeIn(answer: string): string {
  const { blocks, open } = fencedBlocks(answer);
  const longest = blocks.map(({ text }) => text).sort((a, b) => b.length - a.length)[0];
  if (longest !== undefined) return longest.replace(/\n+$/, '');
  // A fence that was opened and never closed: the answer was cut off.
  return (open ?? answer).trim();
}
