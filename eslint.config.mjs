import tseslint from 'typescript-eslint';
import { layers } from './bin/lint/layers.ts';
import { ownValues } from './bin/lint/own-values.ts';
import { plainWords } from './bin/lint/plain-words.ts';

const fluffy = { rules: { layers, 'own-values': ownValues, 'plain-words': plainWords } };

const childProcess = {
  selector: "ImportDeclaration[source.value='child_process']",
  message: 'Import node:child_process.',
};
const recursiveMkdir = {
  selector: "CallExpression[callee.name=/^mkdir(Sync)?$/] Property[key.name='recursive']",
  message: 'Use makeDirectory: in a mounted directory that was deleted, this call never returns.',
};

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'coverage/**', 'test/fixtures/**', 'sandbox-images/**'] },
  {
    files: ['src/**/*.{ts,tsx}', 'tool-plugins/**/*.ts', 'bin/**/*.ts', 'test/**/*.{ts,tsx}', 'vitest.config.ts'],
    extends: [tseslint.configs.base],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unsafe-assignment': 'error',
      '@typescript-eslint/no-unsafe-member-access': 'error',
      '@typescript-eslint/no-unsafe-return': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/ban-ts-comment': 'error',
      'no-restricted-syntax': ['error', childProcess],
      eqeqeq: 'error',
      'no-console': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['test/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression[callee.name='expect'] CallExpression[callee.object.name=/^(performance|Date)$/][callee.property.name='now']",
          message: 'A busy machine must not fail a test: measure in npm run bench.',
        },
        {
          selector: "CallExpression[callee.object.name='vi'][callee.property.name=/^(mock|doMock|resetModules)$/]",
          message: 'Files of unit tests share a process: pass in what a test replaces.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}', 'tool-plugins/**/*.ts'],
    plugins: { fluffy },
    rules: {
      'fluffy/layers': 'error',
      'max-params': ['error', { max: 5 }],
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      'max-lines': ['error', { max: 300 }],
      'fluffy/plain-words': 'error',
      'fluffy/own-values': 'error',
    },
  },
  {
    files: ['src/kernel/**/*.ts', 'src/platform/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', childProcess, recursiveMkdir] },
  },
  {
    // A composition reads from top to bottom: each part that is made needs those before it.
    files: ['src/kernel/main.ts'],
    rules: { 'max-lines': ['error', { max: 360 }] },
  },
  {
    files: ['bin/**/*.ts'],
    plugins: { fluffy },
    rules: { 'fluffy/plain-words': 'error' },
  },
  {
    files: ['bin/**/*.mjs', 'sandbox-images/**/*.mjs', '*.mjs'],
    rules: { eqeqeq: 'error', 'prefer-const': 'error' },
  },
);
