import { defineConfig } from 'eslint/config';
import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';
import { ROOMS } from './eslint.rooms.mjs';

/** Files that may import `@nestjs/*`: the roles of Nest, and what adapts its platforms. */
const NEST_FILES = [
  'lib/**/*.{controller,service,filter,module,provider,providers,decorator}.ts',
  'lib/module/**/*.ts',
  // Its types name classes of Nest.
  'lib/options/resource-api-options.ts',
  'lib/platform/**/*.ts',
  // It is called where there is no injector.
  'lib/sql/log-lost-connections.ts',
  'lib/testing/**/*.ts',
];

export default defineConfig(
  { ignores: ['**/dist/', 'build/', '**/generated/', '**/node_modules/', 'coverage/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    plugins: { 'import-x': importX },
    // One program for all files: the project service takes half as much time again.
    languageOptions: { parserOptions: { project: './tsconfig.json' } },
    settings: {
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js'], extensionAlias: { '.js': ['.ts', '.js'] } })],
      'import-x/extensions': ['.ts', '.js'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
    },
    rules: {
      'import-x/no-default-export': 'error',
      // An inline `import { type X }` alone would leave `import {}` behind, and so a cycle of modules at run time.
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/prefer-readonly': 'error',
      // Nest keeps its container protected, and its own packages reach for it like this.
      '@typescript-eslint/dot-notation': ['error', { allowProtectedClassPropertyAccess: true }],
      'eqeqeq': 'error',
      'no-else-return': ['error', { allowElseIf: false }],
      'complexity': ['error', 10],
      'max-depth': ['error', 3],
      'max-params': ['error', 4],
      'max-lines': ['error', 300],
      'max-lines-per-function': ['error', { max: 50, skipComments: true, skipBlankLines: true }],
    },
  },
  {
    files: ['lib/**/*.ts'],
    rules: {
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-restricted-paths': ['error', { zones: ROOMS }],
    },
  },
  {
    files: ['lib/**/*.ts'],
    ignores: NEST_FILES,
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['@nestjs/*'], message: 'Only Nest roles import Nest; stages are pure functions.' }] },
      ],
    },
  },
  {
    files: ['test/**/*.ts', 'sample/**/*.{ts,tsx}'],
    rules: {
      'max-lines-per-function': 'off',
      // A row of a test table has as many columns as it needs.
      'max-params': ['error', 6],
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // Nest's option objects are classes; everybody writes them as literals.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
    },
  },
  {
    // Packages of their own, each with its tsconfig.json.
    files: ['sample/{read-replicas,real-application,rules,zenstack}/**/*.ts'],
    languageOptions: { parserOptions: { project: false, projectService: true } },
  },
  {
    // Their dependencies are their own, and may not be installed; what builds them type-checks them.
    files: ['sample/{admin,front-end}/**/*.{ts,tsx}', 'bench/**/*.ts'],
    extends: [tseslint.configs.disableTypeChecked],
  },
  {
    files: ['**/*.mjs', '**/*.config.ts'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { 'import-x/no-default-export': 'off' },
  },
);
