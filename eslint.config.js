/**
 * What the compiler does not say: promises nobody waits for, types that say nothing, imports of
 * types as values. Style is left to the reviewer, layers and headers to test/tidy.test.ts.
 */
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'protocol/schema/', 'scripts/', 'editors/'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: new URL('.', import.meta.url).pathname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // Where a function decides more than this, its decisions have names of their own.
      complexity: ['error', 25],
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'CallExpression[callee.name=/^create(Message|Protocol)Connection$/][arguments.0.callee.name!="messageReader"]',
          message: 'Read by messageReader: the library’s own reader keeps a process for ever whose peer left half way.',
        },
      ],
      // `test` gives a promise that the runner itself waits for.
      '@typescript-eslint/no-floating-promises': [
        'error',
        { allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: ['test', 'it', 'describe'] }] },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // `return f(x)` leaves early from functions that give nothing; an interface's promise need not await.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/require-await': 'off',
      // Both are how a table of methods states its types, one a line.
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // Interfaces are implemented by closures here, which need no `this`.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { ignoreRestSiblings: true, argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    files: ['test/**'],
    rules: {
      // A test says what it expects of a value even where the types promise it.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
    },
  },
);
