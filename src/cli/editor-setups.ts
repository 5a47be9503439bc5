/**
 * What each editor has to be given so that codeplan runs in it: which file, and what stands in it. A new editor is an
 * entry in EDITORS. Texts in, texts out; which files there are is asked through `Machine`.
 */
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { SettingsText } from '../agents/hosts.js';
import { marksIn, withBlock, withoutBlock } from '../base/marked-block.js';
import type { SettingsFile } from './settings-files.js';

/** What a set-up leans on. */
export interface Machine {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder of this package, which holds `editors/`. */
  readonly folder: string;
  /** What an editor has to start: `codeplan` alone where the path has it. */
  readonly command: readonly string[];
  readonly exists: (path: string) => boolean;
}

export interface EditorSetup {
  readonly name: string;
  readonly title: string;
  /** How a comment begins in its settings. */
  readonly comment: string;
  readonly file: (machine: Machine) => SettingsFile;
  /** What the person does next, to see the first hint. */
  readonly next: string;
}

/** As a string of Lua, Emacs Lisp or TOML. */
const quoted = (text: string): string => JSON.stringify(text);
const isPlain = ({ command }: Machine): boolean => command[0] === 'codeplan';
const configFolder = ({ environment, home }: Machine): string =>
  environment['XDG_CONFIG_HOME'] || join(home, '.config');

const NEOVIM_KEYS = ['next', 'take', 'skip', 'dismiss', 'value', 'list', 'plan', 'apply', 'undo'].map(
  (name) => `-- vim.keymap.set('n', '<leader>c${name === 'apply' ? 'x' : name[0]}', '<Plug>(codeplan-${name})')`,
);

const NEOVIM_FIRST = '-- Written by "codeplan editors install nvim"; "codeplan editors uninstall nvim" removes it.';
function neovim(machine: Machine): SettingsFile {
  const command = isPlain(machine)
    ? []
    : [`vim.g.codeplan_command = { ${[...machine.command, 'lsp'].map(quoted).join(', ')} }`];
  const text = [
    NEOVIM_FIRST,
    `local plugin = ${quoted(join(machine.folder, 'editors/nvim'))}`,
    'if vim.fn.isdirectory(plugin) == 0 then',
    "  vim.notify('codeplan: ' .. plugin .. ' is gone; run \"codeplan editors install nvim\" again', " +
      'vim.log.levels.WARN)',
    '  return',
    'end',
    ...command,
    'vim.opt.runtimepath:append(plugin)',
    '-- :help codeplan, where the folder is yours to write in.',
    "if vim.fn.getftime(plugin .. '/doc/tags') < vim.fn.getftime(plugin .. '/doc/codeplan.txt') then",
    "  pcall(vim.cmd, 'helptags ' .. vim.fn.fnameescape(plugin .. '/doc'))",
    'end',
    "vim.cmd('source ' .. vim.fn.fnameescape(plugin .. '/plugin/codeplan.lua'))",
    '-- Suggested keys: copy those that you want to your own settings; this file is written anew with each install.',
    ...NEOVIM_KEYS,
    '',
  ].join('\n');
  // Not codeplan.lua, which `:runtime plugin/codeplan.lua` is to find in the plugin alone.
  const app = machine.environment['NVIM_APPNAME'] || 'nvim';
  return {
    path: join(configFolder(machine), app, 'plugin/codeplan-setup.lua'),
    within: configFolder(machine),
    put: (before) => {
      if (before !== undefined && !before.startsWith(NEOVIM_FIRST))
        throw new SettingsText('was not written from here; give that file another name first');
      return text;
    },
    taken: (before) => (before.startsWith(NEOVIM_FIRST) ? undefined : before),
  };
}

const LISP = marksIn(';;');
const EMACS_HOOKS =
  'python-mode-hook python-ts-mode-hook typescript-mode-hook typescript-ts-mode-hook tsx-ts-mode-hook\n' +
  '                js-mode-hook js-ts-mode-hook java-mode-hook java-ts-mode-hook csharp-mode-hook csharp-ts-mode-hook';
const EMACS_KEYS = [
  ['n', 'next'],
  ['t', 'take'],
  ['s', 'skip'],
  ['d', 'dismiss'],
  ['v', 'value'],
  ['l', 'list'],
  ['p', 'plan'],
  ['u', 'undo'],
].map(([key, name]) => `;; (global-set-key (kbd "C-c c ${key}") #'codeplan-${name})`);

/** Those that may be asked for before a file was opened, by a key or by name: the package is loaded then. */
const EMACS_COMMANDS =
  'codeplan-mode codeplan-next codeplan-take codeplan-skip codeplan-dismiss codeplan-value codeplan-list\n' +
  '                   codeplan-plan codeplan-plan-request codeplan-propagate codeplan-undo codeplan-rename\n' +
  '                   codeplan-move codeplan-change-signature codeplan-page codeplan-status';

function emacs(machine: Machine): SettingsFile {
  const command = isPlain(machine)
    ? []
    : [`(setq codeplan-command '(${[...machine.command, 'lsp'].map(quoted).join(' ')}))`];
  const body = [
    `(add-to-list 'load-path ${quoted(join(machine.folder, 'editors/emacs'))})`,
    `(dolist (command '(${EMACS_COMMANDS}))`,
    '  (autoload command "codeplan" nil t))',
    ...command,
    `(dolist (hook '(${EMACS_HOOKS}))`,
    "  (add-hook hook #'codeplan-mode))",
    ';; Suggested keys: copy those that you want to below; this block is written anew with each install.',
    ...EMACS_KEYS,
  ].join('\n');
  const path = emacsInit(machine);
  const config = configFolder(machine);
  return {
    path,
    within: path.startsWith(join(config, 'emacs')) ? config : machine.home,
    put: (text) => withBlock(text ?? '', LISP, body),
    taken: (text) => emptyIsNone(withoutBlock(text, LISP)),
  };
}

/** In Emacs's own order (the manual, "Init File"). */
function emacsInit(machine: Machine): string {
  const { home, exists } = machine;
  const written = ['.emacs.el', '.emacs'].map((name) => join(home, name)).find(exists);
  if (written !== undefined) return written;
  const standard = join(home, '.emacs.d');
  const other = join(configFolder(machine), 'emacs');
  return join(!exists(standard) && exists(other) ? other : standard, 'init.el');
}

const TOML = marksIn('#');
/**
 * Helix replaces a language's servers by those that are given: its own are named again (Helix 25.01, languages.toml).
 */
const HELIX_SERVERS: Readonly<Record<string, readonly string[]>> = {
  python: ['ruff', 'jedi', 'pylsp'],
  typescript: ['typescript-language-server'],
  tsx: ['typescript-language-server'],
  javascript: ['typescript-language-server'],
  jsx: ['typescript-language-server'],
  java: ['jdtls'],
  'c-sharp': ['omnisharp'],
};

function helix(machine: Machine): SettingsFile {
  const [program, ...rest] = machine.command;
  const server =
    `[language-server.codeplan]\ncommand = ${quoted(program ?? '')}\nargs = ` +
    `[${[...rest, 'lsp'].map(quoted).join(', ')}]`;
  return {
    path: join(configFolder(machine), 'helix/languages.toml'),
    within: configFolder(machine),
    put: (text) => {
      const others = languagesIn(withoutBlock(text ?? '', TOML));
      const entries = Object.entries(HELIX_SERVERS).map(([name, servers]) =>
        others.has(name)
          ? `# ${name} is set up above: put "codeplan" into its language-servers by hand.`
          : `[[language]]\nname = "${name}"\nlanguage-servers = [${[...servers, 'codeplan'].map(quoted).join(', ')}]`,
      );
      return withBlock(text ?? '', TOML, [server, ...entries].join('\n\n'));
    },
    taken: (text) => emptyIsNone(withoutBlock(text, TOML)),
  };
}

/** The languages that a person has settings for. Throws SettingsText where ours cannot stand beside theirs. */
function languagesIn(text: string): Set<string> {
  let settings;
  try {
    settings = parseToml(text);
  } catch (error) {
    throw new SettingsText(
      `is no TOML (${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}); mend it first`,
    );
  }
  const servers = settings['language-server'];
  if (typeof servers === 'object' && 'codeplan' in servers)
    throw new SettingsText('has a server codeplan already, which is not from here; take it out first');
  const languages: readonly unknown[] = Array.isArray(settings['language']) ? settings['language'] : [];
  return new Set(
    languages.flatMap((one) =>
      typeof one === 'object' && one !== null && 'name' in one && typeof one.name === 'string' ? [one.name] : [],
    ),
  );
}

const emptyIsNone = (text: string): string | undefined => (text.trim() === '' ? undefined : text);

export const EDITORS: readonly EditorSetup[] = [
  {
    name: 'nvim',
    title: 'Neovim',
    comment: '--',
    file: neovim,
    next: 'start Neovim, open a file of a repository, and change a declaration; :help codeplan has the rest',
  },
  {
    name: 'emacs',
    title: 'Emacs',
    comment: ';;',
    file: emacs,
    next:
      'start Emacs, open a file of a repository, and change a declaration; M-x codeplan-next goes to the first ' +
      'place',
  },
  {
    name: 'helix',
    title: 'Helix',
    comment: '#',
    file: helix,
    next: 'start Helix, open a file of a repository, and change a declaration; space a on it offers what follows',
  },
];

/** Not set up by a file: its own program takes the packed extension. */
export const VSCODE = {
  name: 'vscode',
  title: 'VS Code',
  /** The first that is there is asked. */
  programs: ['code', 'codium', 'code-server'],
  /** From this package's folder. */
  packed: 'editors/vscode/codeplan.vsix',
  extension: 'codeplan.codeplan',
  next: 'open a folder in VS Code, then a file of it, and change a declaration',
} as const;
