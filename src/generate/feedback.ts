/**
 * A judgement as a model is told it, within a number of tokens: what is wrong in the file itself first, then in
 * other files, then the failing tests with their text. What does not fit is counted.
 */
import { estimateTokens } from '../context/tokens.js';
import type { Finding, Judgement } from './judgement.js';

export interface FeedbackOptions {
  /** The file that the candidate stands in. */
  readonly file: string;
  /** Its text with the candidate. */
  readonly text: string;
  readonly tokensMost: number;
  /** Whether the text of failing tests is told. */
  readonly showTestSource: boolean;
}

/** A message longer than this is cut, in characters: those of a few tools hold whole traces. */
const MESSAGE_MOST = 600;
/** A test that is longer sets up more than it says of the body; its beginning tells what it is about. */
const TEST_LINES_MOST = 40;

export function feedbackText(judged: Judgement, options: FeedbackOptions): string {
  const room = new Room(options.tokensMost);
  room.add(verdict(judged));
  const own = judged.findings.filter(({ file }) => file === options.file);
  const others = judged.findings.filter(({ file }) => file !== options.file);
  const lines = options.text.split('\n');
  for (const finding of own) room.add(findingText(finding, lines[finding.line - 1]));
  for (const finding of others) room.add(findingText(finding, undefined));
  for (const { name, source } of judged.tests?.failed ?? []) {
    const told = source === undefined || !options.showTestSource ? '' : `\n${headLines(source)}`;
    if (told !== '' || !judged.findings.some(({ message }) => message.includes(name)))
      room.add(`The test ${name} fails.${told}`);
  }
  return room.text();
}

function verdict(judged: Judgement): string {
  if (!judged.compiles) return 'The code does not compile.';
  const { tests } = judged;
  if (tests === undefined) return judged.findings.length === 0 ? 'Nothing is wrong.' : 'The check reports:';
  const ran = tests.passed.length + tests.failed.length;
  const rest = tests.expected > ran ? `, ${tests.expected - ran} did not run` : '';
  const [passed, failed] = [tests.passed.length, tests.failed.length];
  return `The code compiles; ${passed} of ${tests.expected} tests pass, ${failed} fail${rest}.`;
}

function findingText({ file, line, message, code }: Finding, sourceLine: string | undefined): string {
  const said = message.length > MESSAGE_MOST ? `${message.slice(0, MESSAGE_MOST)}…` : message;
  const at = sourceLine === undefined || sourceLine.trim() === '' ? '' : `\n    ${sourceLine.trim().slice(0, 200)}`;
  return `${file}:${line}: ${said}${code === undefined ? '' : ` [${code}]`}${at}`;
}

function headLines(source: string): string {
  const lines = source.split('\n');
  return lines.length <= TEST_LINES_MOST ? source : `${lines.slice(0, TEST_LINES_MOST).join('\n')}\n…`;
}

/** Texts as long as there is room; the first always. */
class Room {
  private readonly texts: string[] = [];
  private used = 0;
  private left = 0;

  constructor(private readonly most: number) {}

  add(text: string): void {
    const cost = estimateTokens(text) + 1;
    if (this.texts.length > 0 && this.used + cost > this.most) {
      this.left++;
      return;
    }
    this.used += cost;
    this.texts.push(text);
  }

  text(): string {
    return [...this.texts, ...(this.left === 0 ? [] : [`… and ${this.left} more`])].join('\n');
  }
}
