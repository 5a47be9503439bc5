/**
 * Words of identifiers and of sentences, as search compares them.
 *
 *     maxRetryCount   max retri count, and the whole: =maxretrycount
 *     HTTPServer2d    http server 2d parts: http, server, 2
 *     stopping        stop
 *
 * Identifiers fall apart where they are written apart (camel case, snake case, digits), in lower case, and
 * every part is cut to a light English stem, so that a sentence's `settings` meets `setting` and `set`. An
 * identifier of several parts is a word as a whole too, marked by `=`, which no part can begin with.
 */
import { WORD_OF_NAME } from '../base/words-of-name.js';

/** An identifier in any text, of code or of people. */
export const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*|\d+/gu;
const LETTERS = /^\p{L}+$/u;

/** Words of ordinary English that say nothing of what code is about. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about above after again all also an and any are as at be because been before being below between both but by ' +
    'can cannot could did do does doing done down during each example few first following for from further get gets ' +
    'go had has have having he help here how i if in instead into is it its itself just last let lets like look make ' +
    'makes more most my need needs next no nor not note now of off on once one only or other our out over own please ' +
    'same second see shall she should show shows simple so some such than that the their them then there therefore ' +
    'these they this those through thus to too two under until up us use used uses using very via want was we well ' +
    'were what when where which while who whom why will with would you your'
  ).split(' '),
);

const STOP_LETTERS_MOST = Math.max(...[...STOP_WORDS].map((word) => word.length));

/**
 * Stems of an identifier's parts, then the whole of one with several parts. Single letters are left out beside
 * others.
 */
export function wordsOfIdentifier(identifier: string): string[] {
  const parts = identifier.match(WORD_OF_NAME) ?? [];
  const words = parts.filter((part) => part.length > 1 || parts.length === 1).map((part) => stem(part.toLowerCase()));
  if (parts.length > 1) words.push(wholeWord(identifier));
  return words;
}

/** The word that stands for an identifier of several parts. */
export const wholeWord = (identifier: string): string => `=${identifier.toLowerCase().replace(/^[_$]+|[_$]+$/g, '')}`;

/** Whether a part of an identifier, as written, is one that every sentence has. */
export const isStopWord = (part: string): boolean =>
  part.length <= STOP_LETTERS_MOST && STOP_WORDS.has(part.toLowerCase());

/** Identifiers and plain words of a sentence, without stop words. */
export function identifiersIn(sentence: string): string[] {
  return (sentence.match(IDENTIFIER) ?? []).filter((word) => !isStopWord(word));
}

/** Each two words of letters that stand beside each other in a sentence as one, as names write some. */
export function joinedWordsIn(sentence: string): string[] {
  const words = sentence.match(IDENTIFIER) ?? [];
  return words.flatMap((word, i) => {
    const next = words[i + 1];
    return next === undefined || !LETTERS.test(word) || !LETTERS.test(next) ? [] : [stem((word + next).toLowerCase())];
  });
}

/** A word in lower case without its commonest English endings. */
export function stem(word: string): string {
  let out = word;
  if (out.length > 4 && out.endsWith('ies')) out = `${out.slice(0, -3)}y`;
  else if (out.length > 4 && /(?:ss|sh|ch|x|z)es$/.test(out)) out = out.slice(0, -2);
  else if (out.length > 3 && out.endsWith('s') && !/(?:ss|us|is)$/.test(out)) out = out.slice(0, -1);
  if (out.length > 5 && out.endsWith('ing')) out = undoubled(out.slice(0, -3));
  else if (out.length > 4 && out.endsWith('ed')) out = undoubled(out.slice(0, -2));
  return out.length > 4 && out.endsWith('e') ? out.slice(0, -1) : out;
}

const undoubled = (word: string): string => (/([bdfgmnprt])\1$/.test(word) ? word.slice(0, -1) : word);

/** The first sentence of a text, or its first lines where it has no end. */
export function firstSentence(text: string): string {
  const plain = text.trim();
  const sentence = /^[\s\S]{0,300}?[.](?=\s|$)/.exec(plain)?.[0] ?? plain.slice(0, 160);
  return sentence.split(/\n\s*\n/, 1)[0] as string;
}
