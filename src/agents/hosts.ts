/**
 * The hosts of agents that codeplan can be made known to: which file each reads, and what stands in it.
 *
 * Texts in, texts out; reading and writing is the command's. What else a file holds stays as it is, and what was
 * put in is taken out without a trace. A file that is not what it should be is refused, never overwritten.
 */
import { marksIn, withBlock, withoutBlock } from '../base/marked-block.js';
import { withNotes, withoutNotes } from './instructions.js';

/** A file that a host reads. */
export interface HostFile {
  /** Relative to the root, or to the person's home. */
  readonly path: string;
  readonly in: 'root' | 'home';
  /** Its text with our entry; undefined text: there is no file. Throws SettingsText where it cannot be read. */
  readonly put: (text: string | undefined) => string;
  /** Its text without our entry; undefined where nothing is left. */
  readonly taken: (text: string) => string | undefined;
}

export interface Host {
  readonly name: string;
  readonly title: string;
  readonly files: readonly HostFile[];
}

/** Why a file cannot be changed, to complete a sentence that begins with its name. */
export class SettingsText extends Error {}

const SERVER = { command: 'codeplan', args: ['mcp'] };
const HOOK = 'codeplan hook';

/** An entry under keys of a JSON object, or (last key `[]`) one of a list there. */
function json(path: string, where: HostFile['in'], keys: readonly string[], entry: unknown): HostFile {
  return {
    path,
    in: where,
    put: (text) => {
      const settings = text === undefined || text.trim() === '' ? {} : parsed(text);
      place(settings, keys, entry);
      return written(settings, text);
    },
    taken: (text) => {
      const settings = parsed(text);
      remove(settings, keys, entry);
      return Object.keys(settings).length === 0 ? undefined : written(settings, text);
    },
  };
}

type Settings = Record<string, unknown>;
const isSettings = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): Settings {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SettingsText('is no plain JSON (comments cannot be kept); put the entry in by hand, as --print shows it');
  }
  if (!isSettings(value)) throw new SettingsText('holds no JSON object; put the entry in by hand, as --print shows it');
  return value;
}

function place(settings: Settings, keys: readonly string[], entry: unknown): void {
  const [key, ...rest] = keys as [string, ...string[]];
  if (rest.length === 0) {
    settings[key] = entry;
    return;
  }
  if (rest[0] === '[]') {
    const list: unknown[] = Array.isArray(settings[key]) ? (settings[key] as unknown[]) : [];
    settings[key] = [...list.filter((one) => !isSameEntry(one, entry)), entry];
    return;
  }
  const inner = settings[key] ?? {};
  if (!isSettings(inner)) throw new SettingsText(`has something else under ${key}; put the entry in by hand`);
  settings[key] = inner;
  place(inner, rest, entry);
}

/** Takes out the entry, and the objects and lists that are empty then. */
function remove(settings: Settings, keys: readonly string[], entry: unknown): void {
  const [key, ...rest] = keys as [string, ...string[]];
  const inner = settings[key];
  if (rest.length === 0) Reflect.deleteProperty(settings, key);
  else if (rest[0] === '[]') {
    if (!Array.isArray(inner)) return;
    const left = (inner as unknown[]).filter((one) => !isSameEntry(one, entry));
    if (left.length === 0) Reflect.deleteProperty(settings, key);
    else settings[key] = left;
  } else if (isSettings(inner)) {
    remove(inner, rest, entry);
    if (Object.keys(inner).length === 0) Reflect.deleteProperty(settings, key);
  }
}

const isSameEntry = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** In the indentation that the file has. */
function written(settings: Settings, before: string | undefined): string {
  const indent = /^[ \t]+(?=")/m.exec(before ?? '')?.[0] ?? '  ';
  return `${JSON.stringify(settings, null, indent)}\n`;
}

const TOML_MARKS = marksIn('#');

/** A table between marks at the end of a TOML file. */
function toml(path: string, table: string): HostFile {
  return {
    path,
    in: 'home',
    put: (text) => {
      if (new RegExp(`^\\[${table.replace('.', '\\.')}\\]`, 'm').test(withoutBlock(text ?? '', TOML_MARKS)))
        throw new SettingsText(`has a table [${table}] already; take it out first`);
      const entry = `[${table}]\ncommand = "${SERVER.command}"\nargs = ["${SERVER.args.join('", "')}"]`;
      return withBlock(text ?? '', TOML_MARKS, entry);
    },
    taken: (text) => {
      const rest = withoutBlock(text, TOML_MARKS);
      return rest.trim() === '' ? undefined : rest;
    },
  };
}

function notes(path: string): HostFile {
  return {
    path,
    in: 'root',
    put: (text) => withNotes(text ?? ''),
    taken: (text) => {
      const rest = withoutNotes(text);
      return rest.trim() === '' ? undefined : rest;
    },
  };
}

/** A new host is an entry here. */
export const HOSTS: readonly Host[] = [
  {
    name: 'claude',
    title: 'Claude Code',
    files: [
      json('.mcp.json', 'root', ['mcpServers', 'codeplan'], SERVER),
      json('.claude/settings.json', 'root', ['hooks', 'PostToolUse', '[]'], {
        matcher: 'Edit|Write|MultiEdit',
        hooks: [{ type: 'command', command: HOOK, timeout: 5 }],
      }),
    ],
  },
  {
    name: 'cursor',
    title: 'Cursor',
    files: [
      json('.cursor/mcp.json', 'root', ['mcpServers', 'codeplan'], SERVER),
      {
        ...json('.cursor/hooks.json', 'root', ['hooks', 'afterFileEdit', '[]'], { command: HOOK }),
        put: (text) => {
          const file = json('.cursor/hooks.json', 'root', ['hooks', 'afterFileEdit', '[]'], { command: HOOK });
          return json('.cursor/hooks.json', 'root', ['version'], 1).put(file.put(text));
        },
        taken: (text) => {
          const rest = json('.cursor/hooks.json', 'root', ['hooks', 'afterFileEdit', '[]'], { command: HOOK }).taken(
            text,
          );
          return rest === undefined || /^\{\s*"version": 1\s*\}\s*$/.test(rest) ? undefined : rest;
        },
      },
    ],
  },
  {
    name: 'vscode',
    title: 'VS Code',
    files: [json('.vscode/mcp.json', 'root', ['servers', 'codeplan'], { type: 'stdio', ...SERVER })],
  },
  { name: 'codex', title: 'Codex', files: [toml('.codex/config.toml', 'mcp_servers.codeplan')] },
  {
    name: 'gemini',
    title: 'Gemini',
    files: [json('.gemini/settings.json', 'root', ['mcpServers', 'codeplan'], SERVER)],
  },
  {
    name: 'copilot',
    title: 'Copilot command line',
    files: [
      json('.copilot/mcp-config.json', 'home', ['mcpServers', 'codeplan'], { type: 'local', ...SERVER, tools: ['*'] }),
    ],
  },
  { name: 'agents-md', title: 'notes for any agent', files: [notes('AGENTS.md')] },
  { name: 'claude-md', title: 'notes for Claude Code', files: [notes('CLAUDE.md')] },
];
