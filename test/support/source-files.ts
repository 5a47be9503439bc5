/**
 * The repository's own TypeScript, parsed: what `tidy.test.ts` looks at.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import ts from 'typescript';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export interface SourceFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

export function sourceFiles(...folders: readonly string[]): readonly SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
      .sort()
      .map((path): SourceFile => {
        const text = readFileSync(join(ROOT, path), 'utf8');
        return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true) };
      }),
  );
}

/** Specifiers of static and dynamic imports and of re-exports, with their line from 1. */
export function importsOf(file: SourceFile): { readonly specifier: string; readonly line: number }[] {
  const out: { specifier: string; line: number }[] = [];
  each(file.tree, (node) => {
    const specifier =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
          ? node.arguments[0]
          : ts.isNewExpression(node) && node.expression.getText() === 'URL'
            ? node.arguments?.[0]
            : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
              ? node.argument.literal
              : undefined;
    if (specifier !== undefined && ts.isStringLiteralLike(specifier))
      out.push({ specifier: specifier.text, line: lineOf(file, node) });
  });
  return out;
}

/** Of static imports and re-exports those that are there when the program runs: not those of types alone. */
export function valueImportsOf({ tree }: SourceFile): readonly string[] {
  return tree.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement))
      return statement.isTypeOnly || statement.moduleSpecifier === undefined ? [] : textOf(statement.moduleSpecifier);
    if (!ts.isImportDeclaration(statement)) return [];
    const { name, namedBindings, phaseModifier } = statement.importClause ?? {};
    const isOfTypes =
      phaseModifier === ts.SyntaxKind.TypeKeyword ||
      (name === undefined &&
        namedBindings !== undefined &&
        ts.isNamedImports(namedBindings) &&
        namedBindings.elements.every((element) => element.isTypeOnly));
    return isOfTypes ? [] : textOf(statement.moduleSpecifier);
  });
}

const textOf = (node: ts.Node): readonly string[] => (ts.isStringLiteralLike(node) ? [node.text] : []);

/** Path of the file of the repository that an import means, or undefined for a package. */
export function importedPath(from: SourceFile, specifier: string): string | undefined {
  const source = specifier.replace(/\.js$/, '.ts');
  if (specifier.startsWith('#src/')) return `src/${source.slice('#src/'.length)}`;
  if (specifier.startsWith('#protocol/')) return `protocol/${source.slice('#protocol/'.length)}`;
  return specifier.startsWith('.') ? join(from.path, '..', source).replaceAll('\\', '/') : undefined;
}

/** Functions with a body, with a name for messages. */
export function functionsOf(
  file: SourceFile,
): { readonly name: string; readonly line: number; readonly lines: number }[] {
  const out: { name: string; line: number; lines: number }[] = [];
  each(file.tree, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
    const lines =
      file.tree.getLineAndCharacterOfPosition(node.end).line -
      file.tree.getLineAndCharacterOfPosition(node.getStart()).line +
      1;
    out.push({ name: nameOf(node), line: lineOf(file, node), lines });
  });
  return out;
}

function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name !== undefined) return node.name.getText();
  const holder = node.parent;
  return ts.isVariableDeclaration(holder) || ts.isPropertyAssignment(holder) || ts.isPropertyDeclaration(holder)
    ? holder.name.getText()
    : ts.isConstructorDeclaration(node)
      ? 'constructor'
      : 'function';
}

/** Nodes of a kind, with their line from 1. */
export function nodesOf(file: SourceFile, kind: ts.SyntaxKind): { readonly line: number; readonly text: string }[] {
  const out: { line: number; text: string }[] = [];
  each(file.tree, (node) => {
    if (node.kind === kind) out.push({ line: lineOf(file, node), text: node.getText() });
  });
  return out;
}

/**
 * Constants of a file that are numbers, in capitals, with whether a comment says why: on the line, on the lines right
 * above, or above the first of several that stand right below each other.
 */
export function numbersOf({ tree, text }: SourceFile): readonly NumericConstant[] {
  const found: (NumericConstant & { readonly lastLine: number })[] = [];
  const at = (offset: number): number => tree.getLineAndCharacterOfPosition(offset).line + 1;
  for (const statement of tree.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const [declaration] = statement.declarationList.declarations;
    if (declaration?.initializer === undefined || !/^[A-Z][A-Z\d_]+$/u.test(declaration.name.getText())) continue;
    if (!isNumber(declaration.initializer)) continue;
    const line = at(statement.getStart());
    const isSaid =
      ts.getLeadingCommentRanges(text, statement.pos)?.some(({ end }) => at(end) === line - 1) === true ||
      ts.getTrailingCommentRanges(text, statement.end) !== undefined;
    const above = found.at(-1);
    const isOfGroup = above?.isExplained === true && above.lastLine === line - 1;
    const name = declaration.name.getText();
    found.push({ name, line, lastLine: at(statement.end), isExplained: isSaid || isOfGroup });
  }
  return found;
}

interface NumericConstant {
  readonly name: string;
  readonly line: number;
  readonly isExplained: boolean;
}

/** A number as it is written, or computed of such. */
function isNumber(node: ts.Expression): boolean {
  if (ts.isNumericLiteral(node)) return true;
  if (ts.isParenthesizedExpression(node)) return isNumber(node.expression);
  if (ts.isPrefixUnaryExpression(node)) return isNumber(node.operand);
  return ts.isBinaryExpression(node) && isNumber(node.left) && isNumber(node.right);
}

function each(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => each(child, visit));
}

const lineOf = (file: SourceFile, node: ts.Node): number =>
  file.tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
