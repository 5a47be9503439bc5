/**
 * Random edits of texts in all four languages, with and without syntax errors, as an open buffer sends them: after each
 * the incremental summary has to be, in every column, that of the same text parsed whole; and no extractor fails.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { LANGUAGES } from '#src/languages/registry.js';
import { summarise, summariseEdited } from '#src/languages/summarise.js';
import { testGrammars } from '../../test/support/grammars.js';
import { roundOf, type Campaign, type Target } from './target.js';
import { edited, pick, sourceTexts, textEdit, type TextEdit } from './texts.js';

/** Edits of one text, one after the other. */
const EDITS_MOST = 40;

type Input = readonly [language: number, text: number, other: number, edits: readonly TextEdit[]];

export const sources: Target = { name: 'sources', unit: 'edits', start };

async function start(): Promise<Campaign> {
  const grammars = await testGrammars();
  const texts = sourceTexts();
  let buffers = 0;
  let edits = 0;
  let broken = 0;

  const states = function* ([language, first, second, sequence]: Input): Generator<{ path: string; text: string }> {
    const known = texts.get(pick(LANGUAGES, language).id) ?? [];
    const { path, text } = pick(known, first);
    const other = pick(known, second).text;
    let now = text;
    yield { path, text };
    for (const edit of sequence) yield { path, text: (now = edited(now, edit, other)) };
  };
  const check = (input: Input): void => {
    // A buffer of its own, so that an input shows the same whatever was tried before.
    const key = `buffer ${buffers++}`;
    for (const { path, text } of states(input)) {
      const incremental = summariseEdited(grammars, key, path, text);
      // The incremental one shares nothing with the next parse: its columns are its own.
      const whole = summarise(grammars, path, text);
      edits++;
      if (whole === undefined || incremental === undefined) throw new Error(`${path} is of no language`);
      if (whole.errors.length > 0) broken++;
      if (whole.unread?.reason.includes('defect') === true) throw new Error(whole.unread.reason);
      if (!isDeepStrictEqual(incremental, whole)) throw new Error(`${path}: ${differences(incremental, whole)} differ`);
    }
  };
  const number = fc.nat(100_000);
  const inputs = fc.tuple(number, number, number, fc.array(textEdit, { maxLength: EDITS_MOST, size: 'max' }));
  return {
    round: roundOf<Input>(inputs, check, (input) => {
      const last = [...states(input)].slice(-2);
      return JSON.stringify(last, undefined, 1);
    }),
    tried: () => edits,
    figures: () => ({ 'with syntax errors': broken }),
    verdict: () => undefined,
    close: async () => undefined,
  };
}

/** Names of the columns that differ. */
function differences(one: object, other: object, prefix = ''): string {
  const values = new Map<string, unknown>(Object.entries(other));
  return Object.entries(one)
    .filter(([name, value]) => !isDeepStrictEqual(value, values.get(name)))
    .map(([name, value]: [string, unknown]) => {
      const counterpart = values.get(name);
      const isColumns = isPlain(value) && isPlain(counterpart) && prefix === '';
      return isColumns ? differences(value, counterpart, `${name}.`) : prefix + name;
    })
    .join(', ');
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !Array.isArray(value);
}
