/**
 * Facts: the steps by which the resolver came to an answer, in words, each with the place that shows it.
 */
import type { Question } from '../resolve/trace.js';

export interface Fact {
  readonly file: string;
  /** Offset of what shows it. */
  readonly at: number;
  readonly words: string;
}

/** Longer lists are cut: nobody reads them to the end. */
const FACTS_MOST = 16;

/** Facts as they are collected on a walk over questions; each is noted once, each question walked once. */
export class Facts {
  private readonly noted: Fact[] = [];
  private readonly walked = new Set<Question>();

  get list(): readonly Fact[] {
    return this.noted.slice(0, FACTS_MOST);
  }

  say(file: string, at: number, words: string): void {
    if (!this.noted.some((fact) => fact.file === file && fact.at === at && fact.words === words))
      this.noted.push({ file, at, words });
  }

  /** Whether the question comes up for the first time. */
  enters(question: Question): boolean {
    if (this.walked.has(question)) return false;
    this.walked.add(question);
    return true;
  }
}
