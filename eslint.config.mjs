import { defineConfig } from 'eslint/config';
import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/** Who may import whom (CONTRIBUTING, "Rooms"): each row lists what the room must not reach. */
const ROOMS = [
  room('errors', [], { except: ['*.filter.ts'] }),
  room('wire', ['model']),
  room('model', ['errors', 'wire']),
  room('rest/parse', ['model', 'errors', 'wire', 'rest/rest-settings.ts']),
  room('rest/plan', ['model', 'errors', 'wire', 'rest/parse', 'rest/rest-settings.ts', 'data-client/plan.ts']),
  room('rest/render', ['model', 'errors', 'wire', 'rest/parse', 'rest/rest-settings.ts']),
  room('data-client', ['errors'], { except: ['*.provider.ts', '*.decorator.ts'] }),
  room('validation', ['model', 'errors']),
  room('generator', ['model']),
  room('client', ['wire', 'rpc/rpc-operations.ts']),
  { target: './lib/rest', from: './lib/rpc', message: 'REST and RPC never import each other.' },
  { target: './lib/rpc', from: './lib/rest', message: 'REST and RPC never import each other.' },
];

/** Files that may import `@nestjs/*`: the roles of Nest, and what adapts its platforms. */
const NEST_FILES = [
  'lib/**/*.{controller,service,filter,module,provider,providers,decorator}.ts',
  'lib/resource-api.*.ts',
  'lib/platform/**/*.ts',
  'lib/testing/**/*.ts',
];

export default defineConfig(
  { ignores: ['**/dist/', '**/generated/', '**/node_modules/', 'coverage/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    plugins: { 'import-x': importX },
    languageOptions: { parserOptions: { projectService: true } },
    settings: {
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js'], extensionAlias: { '.js': ['.ts', '.js'] } })],
      'import-x/extensions': ['.ts', '.js'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
    },
    rules: {
      'import-x/no-default-export': 'error',
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
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
      'max-params': ['error', 3],
      'max-lines': ['error', 300],
      'max-lines-per-function': ['error', { max: 50, skipComments: true, skipBlankLines: true }],
    },
  },
  {
    files: ['lib/**/*.ts'],
    rules: { 'import-x/no-restricted-paths': ['error', { zones: ROOMS }] },
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
    files: ['test/**/*.ts', 'sample/**/*.ts'],
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
    files: ['**/*.mjs', '**/*.config.ts'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { 'import-x/no-default-export': 'off' },
  },
);

/** A room of `lib/`: it may import itself and `allowed`, nothing else of ours. */
function room(name, allowed, { except = [] } = {}) {
  return {
    target: except.length > 0 ? `./lib/${name}/**/!(${except.join('|')})` : `./lib/${name}`,
    from: './lib',
    except: [name, ...allowed].map((path) => `./${path}`),
    message: `lib/${name} may import itself${allowed.map((path) => `, ${path}`).join('')}, nothing else of ours.`,
  };
}
