/**
 * The calls of tools that a model wishes for, read from what it says: native calls, or lines of text.
 *
 *     get_class_info("Store", query="how to put an entry")
 *     get_signature(class=Store, method=put)
 *
 * A text is read by a scanner that knows names, strings, numbers and lists of these, and evaluates nothing. What is
 * no call of a tool, or has arguments that it does not take, is left out with a note; the same call counts once.
 */
import * as z from 'zod';
import { imports } from '../tools/imports.js';
import type { AnyTool } from '../tools/tool.js';
import { REPOSITORY_TOOLS } from '../tools/tools.js';
import type { ToolCall, ToolOffer } from '../model/model.js';
import { TOOL_CALLS_MOST } from './task.js';

export interface WishedCall {
  readonly tool: AnyTool;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface WishedCalls {
  /** At most {@link TOOL_CALLS_MOST}, in the order of the answer. */
  readonly calls: readonly WishedCall[];
  /** What was left out, and why: told to the model beside the observations. */
  readonly notes: readonly string[];
}

/** Pieces for a description are looked up by the loop itself; the loop knows the code and the file of `get_imports`. */
const OFFERED: readonly AnyTool[] = REPOSITORY_TOOLS.filter(
  ({ name }) => name !== 'get_related_snippets' && name !== 'ground',
);

export const isImportsTool = (tool: AnyTool): boolean => tool === imports;

export function toolOffers(): ToolOffer[] {
  return OFFERED.map((tool) => {
    const { $schema: _schema, ...schema } = z.toJSONSchema(tool.params, { unrepresentable: 'any' });
    return {
      name: tool.name,
      description: tool.description,
      parameters: isImportsTool(tool) ? { type: 'object', properties: {} } : schema,
    };
  });
}

/** The tools in words, for a model that is not told of them otherwise. */
export function toolsInWords(): string {
  return OFFERED.map((tool) => `- ${tool.name}(${parametersOf(tool).join(', ')}): ${tool.description}`).join('\n');
}

function parametersOf(tool: AnyTool): string[] {
  if (isImportsTool(tool)) return [];
  const { properties = {} } = z.toJSONSchema(tool.params, { unrepresentable: 'any' });
  return Object.keys(properties).filter((name) => name !== 'page' && name !== 'file');
}

/** `hidden`: the name of the block under generation, about which no tool is asked. */
export function wishedCalls(native: readonly ToolCall[], text: string, hidden: string | undefined): WishedCalls {
  const notes: string[] = [];
  const calls: WishedCall[] = [];
  const seen = new Set<string>();
  const said = native.length > 0 ? native.map(nativeCall) : scannedCalls(text);
  for (const { name, given, problem } of said) {
    const tool = OFFERED.find((known) => known.name === name);
    if (tool === undefined) {
      notes.push(`${short(name)}: there is no such tool.`);
      continue;
    }
    const read = problem === undefined ? argumentsFor(tool, given) : problem;
    if (typeof read === 'string') {
      notes.push(`${name}: ${read}`);
      continue;
    }
    if (hidden !== undefined && isAbout(read, hidden)) {
      notes.push(`${name}: ${hidden} is what is being written; nothing is known of it.`);
      continue;
    }
    const key = JSON.stringify([name, read]);
    if (seen.has(key)) continue;
    seen.add(key);
    if (calls.length === TOOL_CALLS_MOST) {
      notes.push(`${name}: left out, since no more than ${TOOL_CALLS_MOST} calls are made at once.`);
      continue;
    }
    calls.push({ tool, arguments: read });
  }
  return { calls, notes };
}

interface SaidCall {
  readonly name: string;
  /** By name; under `0`, `1` … those without one. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly problem?: string;
}

function nativeCall({ name, arguments: given }: ToolCall): SaidCall {
  try {
    const parsed: unknown = given.trim() === '' ? {} : JSON.parse(given);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return { name, given: parsed as Record<string, unknown> };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { name, given: {}, problem: 'its arguments are no JSON object.' };
}

/** The arguments as the tool takes them, or what is wrong with them. */
function argumentsFor(tool: AnyTool, given: Readonly<Record<string, unknown>>): Record<string, unknown> | string {
  if (isImportsTool(tool)) return {};
  const names = parametersOf(tool);
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (key === 'thought') continue;
    const name = /^\d+$/.test(key) ? names[Number(key)] : key;
    if (name === undefined) return `it takes no more than ${names.length} arguments: ${names.join(', ')}.`;
    if (name in out) return `${name} is given twice.`;
    out[name] = value;
  }
  // A class alone, or one name of a list, is as good as a list of one.
  if (typeof out['class'] === 'string' && names.includes('classes') && out['classes'] === undefined) {
    out['classes'] = [out['class']];
    delete out['class'];
  }
  if (typeof out['classes'] === 'string') out['classes'] = [out['classes']];
  if (out['class'] === null || out['class'] === '') delete out['class'];
  const parsed = tool.params.safeParse(out);
  return parsed.success ? out : z.prettifyError(parsed.error).replace(/\s+/g, ' ');
}

function isAbout(given: Readonly<Record<string, unknown>>, hidden: string): boolean {
  const own = hidden.slice(hidden.lastIndexOf('.') + 1);
  const names = [given['class'], ...(Array.isArray(given['classes']) ? (given['classes'] as unknown[]) : [])];
  if (given['class'] === undefined && typeof given['method'] === 'string') names.push(given['method']);
  const asked = names.filter((name) => typeof name === 'string');
  return asked.length > 0 && asked.every((name) => name === hidden || name.slice(name.lastIndexOf('.') + 1) === own);
}

const short = (name: string): string => (name.length > 60 ? `${name.slice(0, 60)}…` : name);

// ---- text

/** Answers longer than this are no list of calls. */
const TEXT_MOST = 40_000;
const CALL = /(?:^|[\s`>*-])([a-z][a-z0-9_]{2,60})[ \t]*\(/gim;

/** Calls in a text: every known name, or name that looks like a tool's, with brackets behind it. */
function scannedCalls(text: string): SaidCall[] {
  const out: SaidCall[] = [];
  const said = text.slice(0, TEXT_MOST);
  for (const match of said.matchAll(CALL)) {
    const name = match[1] ?? '';
    if (!/^(?:get|find|search|list|read)_/.test(name)) continue;
    const scanned = new Scanner(said, match.index + match[0].length).arguments();
    out.push(
      scanned === undefined
        ? { name, given: {}, problem: 'its arguments cannot be read; write names, "strings", numbers or [lists].' }
        : { name, given: scanned },
    );
  }
  return out;
}

/** Reads `"a", key=[b, 1])` from behind an opening bracket. */
class Scanner {
  constructor(
    private readonly text: string,
    private at: number,
  ) {}

  /** Undefined for what is no list of arguments. */
  arguments(): Record<string, unknown> | undefined {
    const out: Record<string, unknown> = {};
    for (let place = 0; ; place++) {
      this.blanks();
      if (this.takes(')')) return out;
      const key = this.key();
      const value = this.value();
      if (value === undefined || (key ?? '') in out) return undefined;
      out[key ?? String(place)] = value.is;
      this.blanks();
      if (this.takes(')')) return out;
      if (!this.takes(',')) return undefined;
    }
  }

  private key(): string | undefined {
    const found = /^([A-Za-z_]\w*)[ \t]*[=:](?!=)[ \t]*/.exec(this.text.slice(this.at, this.at + 80));
    if (found === null) return undefined;
    this.at += found[0].length;
    return found[1];
  }

  private value(): { readonly is: unknown } | undefined {
    this.blanks();
    const sign = this.text[this.at];
    if (sign === '"' || sign === "'" || sign === '`') return this.string(sign);
    if (sign === '[') return this.list();
    const word = /^[\p{L}\p{N}_$.<>\-]+/u.exec(this.text.slice(this.at, this.at + 300))?.[0];
    if (word === undefined) return undefined;
    this.at += word.length;
    if (/^\d{1,9}$/.test(word)) return { is: Number(word) };
    return { is: /^(?:null|None|undefined)$/.test(word) ? null : word };
  }

  private string(quote: string): { readonly is: string } | undefined {
    let out = '';
    for (this.at++; this.at < this.text.length; this.at++) {
      const sign = this.text[this.at] ?? '';
      if (sign === quote) {
        this.at++;
        return { is: out };
      }
      if (sign === '\\') out += this.text[++this.at] ?? '';
      else out += sign;
    }
    return undefined;
  }

  private list(): { readonly is: readonly unknown[] } | undefined {
    const out: unknown[] = [];
    this.at++;
    for (;;) {
      this.blanks();
      if (this.takes(']')) return { is: out };
      const value = this.text[this.at] === '[' ? undefined : this.value();
      if (value === undefined) return undefined;
      out.push(value.is);
      this.blanks();
      if (this.takes(']')) return { is: out };
      if (!this.takes(',')) return undefined;
    }
  }

  private blanks(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++;
  }

  private takes(sign: string): boolean {
    if (this.text[this.at] !== sign) return false;
    this.at++;
    return true;
  }
}
