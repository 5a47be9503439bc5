/** The languages there are. A new one is one line here and one folder. */
import { csharp } from './csharp/index.js';
import { java } from './java/index.js';
import type { Language } from './language.js';
import { python } from './python/index.js';
import { typescript } from './typescript/index.js';

export const LANGUAGES: readonly Language[] = [python, typescript, java, csharp];

const byExtension = new Map(
  LANGUAGES.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)),
);

/** The language of a file by its extension, or undefined. */
export function languageOf(file: string): Language | undefined {
  const dot = file.lastIndexOf('.');
  return dot < 0 ? undefined : byExtension.get(file.slice(dot).toLowerCase());
}

export function languageById(id: string): Language {
  const language = LANGUAGES.find((candidate) => candidate.id === id);
  if (language === undefined) throw new Error(`no language ${id}`);
  return language;
}
