/**
 * Compilers and type checkers over a few files of a tree at a time.
 *
 * What a checker says depends on the whole tree, and takes long for all of it; after an edit only
 * files that changed or say a name that is concerned can get an error.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { hashText } from '#src/base/hash.js';
import type { WorkingTree } from '#src/engine/working-tree.js';
import type { Diagnostic } from '#src/oracle/diagnostic.js';
import { parseOutput, PATTERNS, type PatternName } from '#src/oracle/patterns.js';

/** A question: the errors in these files of a tree. */
export interface Look {
  readonly tree: WorkingTree;
  readonly files: readonly string[];
}

export interface Checker {
  readonly extensions: RegExp;
  /** The errors of each look, in order. */
  errors(looks: readonly Look[]): Promise<readonly (readonly Diagnostic[])[]>;
  close(): void;
}

export function checkerNamed(name: string, root: string, first: WorkingTree, classpath: string): Checker {
  if (name === 'tsc') return typescriptChecker(root, first);
  if (name === 'pyright' || name === 'javac') return commandChecker(name, classpath);
  // The way back alone.
  if (name === 'none')
    return { extensions: /./, errors: (looks) => Promise.resolve(looks.map(() => [])), close: () => undefined };
  throw new Error(`there is no checker ${name}; checkers are tsc, pyright, javac, none`);
}

// ---- programs that read a scratch copy

function commandChecker(name: 'pyright' | 'javac', classpath: string): Checker {
  const scratch = mkdtempSync(join(tmpdir(), 'refactorings-'));
  const extensions = name === 'javac' ? /\.java$/ : /\.pyi?$/;
  let copies = 0;
  /** A folder with the sources of the tree. */
  const laidOut = (tree: WorkingTree): string => {
    const folder = `tree${copies++}`;
    for (const file of tree.snapshot.files.keys()) {
      if (!extensions.test(file)) continue;
      mkdirSync(dirname(join(scratch, folder, file)), { recursive: true });
      writeFileSync(join(scratch, folder, file), tree.text(file) ?? '');
    }
    return folder;
  };
  return {
    extensions,
    close: () => rmSync(scratch, { recursive: true, force: true }),
    async errors(looks) {
      const folders = new Map<WorkingTree, string>();
      for (const { tree } of looks) if (!folders.has(tree)) folders.set(tree, laidOut(tree));
      const folderOf = (look: Look): string => folders.get(look.tree) as string;
      const out: Diagnostic[][] = [];
      const pattern: PatternName = name === 'javac' ? 'javac' : 'pyright-json';
      const read = (output: string, folder: string): Diagnostic[] =>
        parseOutput(output, PATTERNS[pattern], [join(scratch, folder)]).filter(({ severity }) => severity === 'error');
      if (name === 'javac')
        for (const look of looks)
          out.push(read(await javac(join(scratch, folderOf(look)), look, classpath, scratch), folderOf(look)));
      else {
        const output = await pyright(
          scratch,
          looks.map((look) => ({ folder: folderOf(look), files: look.files })),
        );
        for (const look of looks)
          out.push(read(output, folderOf(look)).filter(({ file }) => look.files.includes(file)));
      }
      for (const folder of folders.values()) rmSync(join(scratch, folder), { recursive: true });
      return out;
    },
  };
}

/** Files that are not named are read where the named ones need them, and not checked themselves. */
function javac(copy: string, { tree, files }: Look, classpath: string, scratch: string): Promise<string> {
  const roots = new Set(
    [...tree.snapshot.files]
      .filter(([file]) => file.endsWith('.java'))
      .map(([file, summary]) => dirname(file).slice(0, -summary.package.length || undefined)),
  );
  const list = join(scratch, 'files');
  writeFileSync(list, files.map((file) => `"${file}"`).join('\n'));
  return outputOf(
    'javac',
    [
      '-proc:none',
      '-implicit:none',
      '-nowarn',
      '-encoding',
      'UTF-8',
      '-Xmaxerrs',
      '10000',
      '-XDshould-stop.ifError=FLOW',
      '-XDshould-stop.ifNoError=FLOW',
      '-XDcompilePolicy=attr',
      '-d',
      scratch,
      '-classpath',
      classpath,
      '-sourcepath',
      [...roots].map((root) => root || '.').join(':'),
      `@${list}`,
    ],
    copy,
  );
}

/** Many trees in one run: each is a root of its own, from which its imports are found. */
function pyright(
  scratch: string,
  looks: readonly { readonly folder: string; readonly files: readonly string[] }[],
): Promise<string> {
  const environments = [...new Set(looks.map(({ folder }) => folder))].map((folder) => ({
    root: folder,
    extraPaths: [`${folder}/src`],
  }));
  writeFileSync(
    join(scratch, 'pyrightconfig.json'),
    JSON.stringify({
      include: [...new Set(looks.flatMap(({ folder, files }) => files.map((file) => `${folder}/${file}`)))],
      executionEnvironments: environments,
    }),
  );
  return outputOf(
    process.execPath,
    [createRequire(import.meta.url).resolve('pyright/index.js'), '--outputjson', '--project', scratch],
    scratch,
  );
}

function outputOf(command: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, maxBuffer: 1 << 28 }, (failure, out, err) => {
      if (failure !== null && typeof failure.code === 'string')
        reject(new Error(`${command} did not start`, { cause: failure }));
      else resolve(out + err);
    });
  });
}

// ---- TypeScript, in this process

/** Each program takes from that of the first tree what the files that differ say nothing of. */
function typescriptChecker(root: string, first: WorkingTree): Checker {
  const config = ts.findConfigFile(root, ts.sys.fileExists) ?? '';
  const parsed = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, ts.sys.readFile).config ?? {},
    ts.sys,
    dirname(config),
    undefined,
    config,
  );
  const options: ts.CompilerOptions = {
    ...parsed.options,
    noEmit: true,
    incremental: false,
    composite: false,
    skipLibCheck: true,
    // What nothing uses any more is no error of what uses something.
    noUnusedLocals: false,
    noUnusedParameters: false,
  };
  const parsedFiles = new Map<string, { text: string; file: ts.SourceFile }>();
  let tree = first;
  let ofFirst: ts.SemanticDiagnosticsBuilderProgram | undefined;
  const pathIn = (file: string): string | undefined =>
    file.startsWith(`${root}/`) ? file.slice(root.length + 1) : undefined;
  const isKnown = (path: string): boolean => tree.snapshot.hasFile(path) || first.snapshot.hasFile(path);
  const read = (file: string): string | undefined => {
    const path = pathIn(file);
    return path !== undefined && isKnown(path)
      ? tree.snapshot.hasFile(path)
        ? tree.text(path)
        : undefined
      : ts.sys.readFile(file);
  };
  let folders: ReadonlySet<string> = new Set();
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(options),
    readFile: read,
    fileExists: (file) => {
      const path = pathIn(file);
      return path !== undefined && isKnown(path) ? tree.snapshot.hasFile(path) : ts.sys.fileExists(file);
    },
    directoryExists: (folder) => ts.sys.directoryExists(folder) || folders.has(folder),
    getSourceFile: (file, languageVersionOrOptions) => {
      const text = read(file);
      if (text === undefined) return undefined;
      const known = parsedFiles.get(file);
      if (known?.text === text) return known.file;
      const source = ts.createSourceFile(file, text, languageVersionOrOptions);
      // A builder tells files that changed by their versions.
      const made = Object.assign(source, { version: hashText(text) });
      parsedFiles.set(file, { text, file: made });
      return made;
    },
  };
  return { extensions: /\.[mc]?tsx?$/, close: () => undefined, errors: (looks) => Promise.resolve(looks.map(look)) };

  function programOf(of: WorkingTree): ts.SemanticDiagnosticsBuilderProgram {
    tree = of;
    folders = new Set([...of.snapshot.files.keys()].map((file) => join(root, dirname(file))));
    const names = [...of.snapshot.files.keys()]
      .filter((file) => /\.[mc]?tsx?$/.test(file))
      .map((file) => join(root, file));
    return ts.createSemanticDiagnosticsBuilderProgram(names, options, host, ofFirst);
  }

  function look({ tree: now, files }: Look): readonly Diagnostic[] {
    if (ofFirst === undefined) {
      ofFirst = programOf(first);
      ofFirst.getSemanticDiagnostics();
    }
    const program = now === first ? ofFirst : programOf(now);
    const wanted = new Set(files.map((file) => join(root, file)));
    // All at once: of a single file it would give what was said of the first tree.
    const all = program.getSemanticDiagnostics();
    return [...files.flatMap((file) => syntaxErrors(program, join(root, file))), ...all]
      .filter(({ file }) => file !== undefined && wanted.has(file.fileName))
      .flatMap((diagnostic) => diagnosticOf(diagnostic, root));
  }
}

function syntaxErrors(program: ts.BuilderProgram, file: string): readonly ts.Diagnostic[] {
  const source = program.getSourceFile(file);
  return source === undefined ? [] : program.getSyntacticDiagnostics(source);
}

function diagnosticOf({ file, start, category, code, messageText }: ts.Diagnostic, root: string): Diagnostic[] {
  if (file === undefined || start === undefined || category !== ts.DiagnosticCategory.Error) return [];
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  return [
    {
      file: file.fileName.slice(root.length + 1),
      line: line + 1,
      column: character + 1,
      severity: 'error',
      code: `TS${code}`,
      message: ts.flattenDiagnosticMessageText(messageText, ' '),
    },
  ];
}
