/**
 * Rewrites column accesses (`exprs.op[row] as number`) into questions (`exprs.opOf(row)`) in the folders given;
 * goes when the last folder is done. From the root: node scripts/columns-to-questions.mjs src/impact src/edit
 * Then: node scripts/drop-unused.mjs src/impact src/edit && npm run format, and the compiler says what is left:
 * `operandOf` and `secondOf` want a better word where the operator is known (calleeOf, baseOf, storedOf, ...).
 */
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
const require = createRequire(resolve('package.json'));
const ts = require('typescript');
const dirs = process.argv.slice(2).map((d) => resolve(d));
const cfgs = ['tsconfig.json'];
const files = ts.sys
  .readDirectory(resolve('src'), ['.ts'])
  .concat(
    ts.sys.readDirectory(resolve('test'), ['.ts']),
    ts.sys.readDirectory(resolve('bench'), ['.ts']),
    ts.sys.readDirectory(resolve('protocol'), ['.ts']),
  );
const base = ts.readConfigFile('tsconfig.base.json', ts.sys.readFile).config.compilerOptions;
const opts = ts.convertCompilerOptionsFromJson(
  { ...base, noEmit: true, composite: false, incremental: false, types: ['node'] },
  process.cwd(),
).options;
opts.paths = { '#src/*': [resolve('src') + '/*'], '#protocol/*': [resolve('protocol') + '/*'] };
opts.skipLibCheck = true;
const program = ts.createProgram(files, opts);
const checker = program.getTypeChecker();
const M = {
  Expressions: {
    op: 'opOf',
    role: 'roleOf',
    name: 'nameIdOf',
    start: 'startOf',
    end: 'endOf',
    scope: 'scopeOf',
    a: 'A',
    b: 'B',
  },
  Declarations: {
    kind: 'kindOf',
    flags: 'flagsOf',
    name: 'nameIdOf',
    nameStart: 'nameStartOf',
    start: 'startOf',
    end: 'endOf',
    bodyStart: 'bodyStartOf',
    scope: 'scopeOf',
    inner: 'innerOf',
    parent: 'parentOf',
    type: 'typeOf',
    value: 'valueOf',
    params: 'PARAMS',
    parts: 'PARTS',
    decorators: 'DECORATORS',
    typeParams: 'TYPEPARAMS',
    headerHash: 'headerHashOf',
    bodyHash: 'bodyHashOf',
  },
  Scopes: { kind: 'kindOf', parent: 'parentOf', owner: 'ownerOf', block: 'blockOf' },
};
const FREE = {
  argumentsOf: 'exprs.argumentsOf',
  typeArgumentsOf: 'exprs.typeArgumentsOf',
  documentedTypes: 'exprs.documentedTypesOf',
  nameId: 'idOf',
  declsInScope: 'decls.inScope',
  allDeclsInScope: 'decls.allInScope',
  blockPath: 'decls.pathOf',
  nameOf: 'decls.nameOf',
  callOf: 'exprs.callOf',
};
const unwrap = (n) => {
  while (ts.isParenthesizedExpression(n) || ts.isAsExpression(n) || ts.isNonNullExpression(n)) n = n.expression;
  return n;
};
const typeName = (n) => {
  const t = checker.getNonNullableType(checker.getTypeAtLocation(n));
  return t.symbol?.name ?? '';
};
/** {obj, col, owner, arg} if n is a column access */
function column(n) {
  if (!ts.isElementAccessExpression(n) || !ts.isPropertyAccessExpression(n.expression)) return;
  const owner = typeName(n.expression.expression);
  const col = n.expression.name.text;
  if (M[owner]?.[col] === undefined) return;
  return {
    obj: n.expression.expression,
    owner,
    col,
    arg: n.argumentExpression,
    q: n.expression.questionDotToken !== undefined,
  };
}
let sf,
  warnings = [];
const warn = (n, why) => {
  const { line } = sf.getLineAndCharacterOfPosition(n.getStart());
  warnings.push(`${sf.fileName.replace(process.cwd() + '/', '')}:${line + 1}: ${why}: ${n.getText().slice(0, 90)}`);
};
function objOf(free, n) {
  return n;
}
function methodFor(c, n) {
  const m = M[c.owner][c.col];
  const argText = c.arg.getText();
  if (m === 'A') {
    if (/call/i.test(argText)) return 'calleeOf';
    if (/member/i.test(argText)) return 'baseOf';
    if (/store/i.test(argText)) return 'placeOf';
    if (/closure/i.test(argText)) return 'closureOf';
    return 'operandOf';
  }
  if (m === 'B') {
    if (/store/i.test(argText)) return 'storedOf';
    if (/cast/i.test(argText)) return 'castTypeOf';
    return 'secondOf';
  }
  if (m === 'PARAMS' || m === 'PARTS' || m === 'DECORATORS' || m === 'TYPEPARAMS') {
    warn(n, 'list column');
    return { PARAMS: 'hasParams', PARTS: 'resultsOf', DECORATORS: 'decoratorsOf', TYPEPARAMS: 'typeParamsOf' }[m];
  }
  return m;
}
function isNamesTable(n) {
  const e = n;
  if (ts.isPropertyAccessExpression(e) && e.name.text === 'names')
    return ['Source', 'Summary'].includes(typeName(e.expression));
  if (ts.isIdentifier(e) && e.text === 'names') return true;
  return false;
}
function replace(n) {
  // strip casts around what becomes typed
  if (
    ts.isAsExpression(n) &&
    (n.type.kind === ts.SyntaxKind.NumberKeyword || n.type.kind === ts.SyntaxKind.StringKeyword)
  ) {
    const inner = n.expression;
    if (column(inner) || nameAccess(inner)) return rw(inner);
  }
  if (ts.isParenthesizedExpression(n)) {
    const i = n.expression;
    if (ts.isAsExpression(i) && (column(i.expression) || nameAccess(i.expression))) return rw(i);
  }
  if (ts.isBinaryExpression(n)) {
    const op = n.operatorToken.kind;
    if (
      (op === ts.SyntaxKind.ExclamationEqualsEqualsToken || op === ts.SyntaxKind.EqualsEqualsEqualsToken) &&
      n.right.getText() === '0'
    ) {
      const l = ts.isParenthesizedExpression(n.left) ? n.left.expression : n.left;
      if (ts.isBinaryExpression(l) && l.operatorToken.kind === ts.SyntaxKind.AmpersandToken) {
        const c = column(unwrap(l.left));
        if (c && c.col === 'flags' && !c.q) {
          const not = op === ts.SyntaxKind.EqualsEqualsEqualsToken ? '!' : '';
          const right = ts.isParenthesizedExpression(l.right) ? l.right.expression : l.right;
          return `${not}${rw(c.obj)}.has(${rw(c.arg)}, ${rw(right)})`;
        }
      }
    }
  }
  const na = nameAccess(n);
  if (na) return `${rw(na.obj)}.nameOf(${rw(unwrapCast(na.arg))})`;
  const c = column(n);
  if (c) return `${rw(c.obj)}${c.q ? '?' : ''}.${methodFor(c, n)}(${rw(c.arg)})`;
  if (ts.isCallExpression(n) && ts.isIdentifier(n.expression)) {
    const f = n.expression.text;
    if (f === 'listAt' && n.arguments.length === 2) {
      const cc = column(unwrap(n.arguments[1]));
      if (cc) {
        const m = {
          params: 'paramsOf',
          parts: 'PARTS',
          decorators: 'decoratorsOf',
          typeParams: 'typeParamsOf',
          b: 'partsOf',
          a: 'keysOf',
        }[cc.col];
        let name = m;
        if (m === 'PARTS') {
          const isClass = /base|part\.decl|type|owner|literal|block|into|class/i.test(
            n.parent.parent.getText().slice(0, 200),
          );
          name = isClass ? 'basesOf' : 'resultsOf';
          warn(n, `parts -> ${name}?`);
        }
        return `${rw(cc.obj)}.${name}(${rw(cc.arg)})`;
      }
      warn(n, 'listAt left');
    }
    if (FREE[f] && n.arguments.length >= 2 && ['Source', 'Summary'].includes(typeName(n.arguments[0]))) {
      const sym = checker.getSymbolAtLocation(n.expression);
      const decl = sym && (sym.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(sym) : sym).declarations?.[0];
      const from = decl?.getSourceFile().fileName ?? '';
      if (from.endsWith('syntax/summary.ts') || (f === 'callOf' && from.endsWith('graph/names.ts'))) {
        return `${rw(n.arguments[0])}.${FREE[f]}(${n.arguments.slice(1).map(rw).join(', ')})`;
      }
    }
  }
  // refs.subarray(refStart[id], refStart[id + 1])
  if (ts.isCallExpression(n) && ts.isPropertyAccessExpression(n.expression) && n.expression.name.text === 'subarray') {
    const t = n.expression.expression.getText();
    const m = /^(?:(.*)\.)?(refs|declsByName)$/.exec(t);
    if (m) {
      const idx = n.arguments[0] && unwrap(n.arguments[0]);
      if (idx && ts.isElementAccessExpression(idx)) {
        const s = m[1] ?? 'SUMMARY';
        return `${s}.${m[2] === 'refs' ? 'exprs' : 'decls'}.named(${rw(idx.argumentExpression)})`;
      }
    }
  }
}
const unwrapCast = (n) => n;
/** names[exprs.name[row] as number] */
function nameAccess(n) {
  if (!ts.isElementAccessExpression(n) || !isNamesTable(n.expression)) return;
  const c = column(unwrap(n.argumentExpression));
  if (c && c.col === 'name') return c;
}
function rw(n) {
  const r = replace(n);
  if (r !== undefined) return r;
  let out = '',
    at = n.getStart(sf);
  const text = sf.text;
  n.forEachChild((ch) => {
    const s = ch.getStart(sf);
    if (s < at) return; // e.g. jsdoc
    out += text.slice(at, s) + rw(ch);
    at = ch.end;
  });
  return out + text.slice(at, n.end);
}
let changed = 0;
for (const f of program.getSourceFiles()) {
  if (!dirs.some((d) => f.fileName === d || f.fileName.startsWith(d + '/'))) continue;
  sf = f;
  let out = '',
    at = 0;
  for (const st of f.statements) {
    const s = st.getStart(f);
    out += f.text.slice(at, s) + rw(st);
    at = st.end;
  }
  out += f.text.slice(at);
  if (out !== f.text) {
    changed++;
    writeFileSync(f.fileName, out);
  }
  // left-over column uses
}
console.log(warnings.join('\n'));
console.log(changed, 'files');
