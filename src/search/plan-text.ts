/**
 * A plan as a text that a person reads and edits, and that is read again.
 *
 *     # Plan
 *
 *     > export the report as a page
 *
 *     1. render the report's rows
 *        - `report.py:Report.rows` def rows(self)
 *     2. ~~send it by mail~~
 *     3. [create src/page.py:Footer] write a footer
 *
 * A step that is struck out (`~~`) or deleted is gone; one without symbols is looked up anew; order and words are as
 * they stand, whatever the numbers say. A mark in front says what a step asks for: `[edit]` what stands below it,
 * `[use]` it as it is, `[create]`, with or without a place, something new. What stands behind a symbol, and below a
 * line `---`, is for the reader.
 */
import { oneLine } from '../base/one-line.js';
import { signatureInLine } from '../retrieve/head.js';
import type { PlanStep, PlanSymbol } from './plan.js';

export interface WrittenStep {
  readonly intent: string;
  /** As `path:Outer.inner`; undefined where the text names none. */
  readonly symbols: readonly string[] | undefined;
  /** What its mark says, as it is written: `edit`, `create src/page.py:Footer`. */
  readonly mark: string | undefined;
  /** Whether it is struck out: in the text for the reader, and part of the plan no more. */
  readonly isStruck: boolean;
}

export interface WrittenPlan {
  /** Empty where the text says none. */
  readonly request: string;
  readonly steps: readonly WrittenStep[];
  /** Lines that are part of nothing, by number from 1. */
  readonly strange: readonly number[];
}

export const NOTHING_FOUND = 'nothing of the repository fits';

/** What of a step is written; `mark`: what it asks for. */
export interface TextStep extends Pick<PlanStep, 'intent'> {
  readonly symbols: readonly Pick<PlanSymbol, 'file' | 'block' | 'signature'>[];
  readonly mark?: string;
  readonly isStruck?: boolean;
}

export function planText(request: string, steps: readonly TextStep[]): string {
  const quoted = request.split(/\r?\n/).map((line) => `> ${line}`.trimEnd());
  const listed = steps.flatMap(({ symbols, ...step }, at) => [
    `${at + 1}. ${stepText(step)}`,
    ...(symbols.length === 0 ? [`   - ${NOTHING_FOUND}`] : []),
    ...symbols.map(({ file, block, signature }) => `   - \`${file}:${block}\` ${signatureInLine(signature)}`.trimEnd()),
  ]);
  return `${['# Plan', '', ...quoted, '', ...listed].join('\n')}\n`;
}

/** The line of a step, without its number. */
export function stepText({ intent, mark, isStruck }: Omit<TextStep, 'symbols'>): string {
  const text = `${mark === undefined ? '' : `[${mark}] `}${oneLine(intent)}`;
  return isStruck === true ? `~~${text}~~` : text;
}

const STEP = /^\d+[.)]\s+(\S.*)$/u;
const SYMBOL = /^\s+[-*]\s+`([^`]+)`/u;
const NOTE = /^\s+[-*]\s+[^`]/u;
const STRUCK = /^~~(.*)~~$/u;
const MARK = /^\[((?:edit|create|use)(?:\s[^\]]*)?)\]\s+(?=\S)/u;

export function readPlanText(text: string): WrittenPlan {
  const request: string[] = [];
  const steps: { intent: string; symbols: string[] | undefined }[] = [];
  const strange: number[] = [];
  const [own = ''] = text.split(/^---[ \t]*$/mu);
  own.split(/\r?\n/).forEach((written, at) => {
    const line = written.trimEnd();
    const last = steps.at(-1);
    const intent = STEP.exec(line)?.[1];
    const symbol = SYMBOL.exec(line)?.[1];
    if (intent !== undefined) steps.push({ intent, symbols: undefined });
    else if (symbol !== undefined && last !== undefined) (last.symbols ??= []).push(symbol);
    else if (line.startsWith('>') && last === undefined) request.push(line.replace(/^> ?/, ''));
    else if (/^\s+\S/.test(line) && !NOTE.test(line) && last !== undefined && last.symbols === undefined)
      // A long step that an editor has broken into lines.
      Object.assign(last, { intent: `${last.intent} ${line.trim()}` });
    else if (line.trim() !== '' && !line.startsWith('#') && !NOTE.test(line) && !/^\s*~~.*~~$/u.test(line))
      strange.push(at + 1);
  });
  return {
    request: request.join('\n').trim(),
    steps: steps.map(({ intent: written, symbols }) => {
      const struck = STRUCK.exec(written)?.[1];
      const intent = struck ?? written;
      const mark = MARK.exec(intent);
      return {
        intent: intent.slice(mark?.[0].length ?? 0),
        symbols,
        mark: mark?.[1]?.trim(),
        isStruck: struck !== undefined,
      };
    }),
    strange,
  };
}
