/** Removes imports and destructured names that nothing uses any more, in the folders given; goes with columns-to-questions.mjs. */
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
const require = createRequire(resolve('package.json'));
const ts = require('typescript');
const dirs = process.argv.slice(2).map((d) => resolve(d));
const all = ['src', 'test', 'bench', 'protocol'].flatMap((d) => ts.sys.readDirectory(resolve(d), ['.ts']));
const base = ts.readConfigFile('tsconfig.base.json', ts.sys.readFile).config.compilerOptions;
const opts = ts.convertCompilerOptionsFromJson(
  { ...base, noEmit: true, composite: false, incremental: false, types: ['node'], skipLibCheck: true },
  process.cwd(),
).options;
const texts = new Map(),
  versions = new Map();
const read = (f) => texts.get(f) ?? ts.sys.readFile(f);
const host = {
  getScriptFileNames: () => all,
  getScriptVersion: (f) => String(versions.get(f) ?? 0),
  getScriptSnapshot: (f) => {
    const t = read(f);
    return t === undefined ? undefined : ts.ScriptSnapshot.fromString(t);
  },
  getCurrentDirectory: () => process.cwd(),
  getCompilationSettings: () => opts,
  getDefaultLibFileName: (o) => ts.getDefaultLibFilePath(o),
  fileExists: ts.sys.fileExists,
  readFile: read,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
};
const ls = ts.createLanguageService(host, ts.createDocumentRegistry());
const apply = (f, changes) => {
  let t = read(f);
  for (const c of [...changes].sort((a, b) => b.span.start - a.span.start))
    t = t.slice(0, c.span.start) + c.newText + t.slice(c.span.start + c.span.length);
  texts.set(f, t);
  versions.set(f, (versions.get(f) ?? 0) + 1);
};
for (const f of all) {
  if (!dirs.some((d) => f === d || f.startsWith(d + '/'))) continue;
  for (let i = 0; i < 6; i++) {
    const d = ls.getSemanticDiagnostics(f).filter((x) => [6133, 6192, 6198, 6196].includes(x.code));
    if (d.length === 0) break;
    const fixes = ls.getCodeFixesAtPosition(
      f,
      d[0].start,
      d[0].start + d[0].length,
      [d[0].code],
      ts.getDefaultFormatCodeSettings(),
      {},
    );
    const combined = ls.getCombinedCodeFix(
      { type: 'file', fileName: f },
      'unusedIdentifier_delete',
      ts.getDefaultFormatCodeSettings(),
      {},
    );
    const imports = ls.getCombinedCodeFix(
      { type: 'file', fileName: f },
      'unusedIdentifier_deleteImports',
      ts.getDefaultFormatCodeSettings(),
      {},
    );
    let done = false;
    for (const set of [combined, imports]) {
      const ch = set.changes.filter((c) => c.fileName === f).flatMap((c) => c.textChanges);
      if (ch.length > 0) {
        apply(f, ch);
        done = true;
        break;
      }
    }
    if (!done) {
      const fx = fixes[0]?.changes.flatMap((c) => c.textChanges);
      if (!fx) {
        console.log(f, ts.flattenDiagnosticMessageText(d[0].messageText, ' '));
        break;
      }
      apply(f, fx);
    }
  }
}
for (const [f, t] of texts) writeFileSync(f, t);
console.log(texts.size, 'files');
