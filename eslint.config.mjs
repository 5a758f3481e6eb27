import { defineConfig } from 'eslint/config';
import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/** What parsers, renderers and documents may know of the model: what is exposed, and how values are read. Never the storage view. */
const SURFACE = ['model/surface', 'model/values', 'model/limits.ts', 'model/schema/resource-schema.ts'];

/** What parsers know of projections: what they are, and which members there are to choose from. They ask the context for one. */
const PROJECTION = ['rest/projection/projection.ts', 'rest/projection/readable-members.ts'];

/** What the module is put together from, above all rooms. */
const ROOT = [
  'resource-api.compiled-options.ts',
  'resource-api.constants.ts',
  'resource-api.module-definition.ts',
  'resource-api.options.ts',
];

/** What the services of a style lead a request through. */
const STYLE = [
  'model',
  'errors',
  'utils',
  'wire',
  'cost',
  'references',
  'validation',
  'data-client',
  'platform',
  'resource-api.constants.ts',
];

/** Who may import whom (CONTRIBUTING, "The house"): each row lists what the room may import beside itself. */
const ROOMS = [
  room('errors', []),
  room('utils', []),
  room('wire', ['model/surface', 'utils']),
  room('model', ['errors', 'utils', 'wire']),
  room('model/schema', ['utils/is-object.ts']),
  room('model/surface', ['model/schema/resource-schema.ts']),
  room('model/values', ['model/surface', 'wire']),
  room('model/storage', ['model/schema', 'model/surface', 'model/freeze.ts', 'errors']),
  room('model/exposure', [
    'model/schema',
    'model/surface',
    'model/check-option.ts',
    'model/freeze.ts',
    'model/given-entries.ts',
    'model/remedy-for.ts',
    'errors',
    'utils/is-object.ts',
  ]),
  room('cost', [
    ...SURFACE,
    'model/storage',
    'errors',
    'utils',
    'wire',
    'data-client/plan.ts',
    'data-client/is-taken.ts',
    'data-client/selected-keys.ts',
  ]),
  room('rest/projection', [...SURFACE, 'model/storage', 'wire', 'cost/up-to.ts', 'utils', 'rest/rest-settings.ts']),
  room('rest/parse', [...SURFACE, 'errors', 'wire', ...PROJECTION, 'rest/rest-settings.ts']),
  room('references', ['model', 'data-client/plan.ts']),
  room('rest/plan', [
    'model',
    'errors',
    'wire',
    'cost',
    'references',
    'rest/parse',
    'rest/projection',
    'rest/rest-settings.ts',
    'data-client/plan.ts',
  ]),
  room('rest/render', [...SURFACE, 'errors', 'utils', 'wire', 'rest/parse', 'rest/projection', 'rest/rest-settings.ts']),
  room('rpc/arguments', [...SURFACE, 'model/storage', 'model/given-entries.ts', 'errors', 'wire', 'cost']),
  room('rest', STYLE),
  room('rpc', STYLE),
  room('data-client', ['errors', 'utils'], { except: ['*.provider.ts', '*.service.ts', '*.decorator.ts'] }),
  room('sql', [
    'model/storage',
    'model/values/json-value.ts',
    'model/exposure/naming.ts',
    'errors',
    'utils',
    'wire/is-plain-object.ts',
    'data-client',
  ]),
  room('validation', ['model', 'errors', 'utils']),
  room('rules', [
    'model',
    'errors',
    'utils',
    'wire',
    'data-client/plan.ts',
    'data-client/data-client.ts',
    'data-client/call-client.ts',
    'data-client/count-list.ts',
    'data-client/selected-keys.ts',
  ]),
  room('policy', ['errors', 'data-client/database-role.ts', 'data-client/statement-timeout.ts', 'sql/sql-reads.ts']),
  // It is given its styles by the root, and knows none of them.
  room('platform', ['model', 'errors', 'data-client', ...ROOT]),
  room('openapi', [
    ...SURFACE,
    'errors',
    'wire',
    'validation/record-shape.ts',
    'validation/record-check.ts',
    'rest/parse',
    'rest/projection/readable-members.ts',
    'rest/media-type.ts',
    'rest/rest-endpoints.ts',
    'rest/rest-settings.ts',
    'rpc/arguments',
    'rpc/plan-arguments.ts',
    'rpc/render-rpc-error.ts',
    'rpc/rpc-operations.ts',
    'rpc/rpc-settings.ts',
  ]),
  room('generator', ['model', 'utils', 'rules/compile-rules.ts', 'rules/row-states.ts', 'rules/rules-option.ts']),
  room('testing', ['model', 'wire', 'platform', 'rest/parse', 'rpc/arguments', 'resource-api.mounted-apis.ts', ...ROOT]),
  room('schema', ['model/schema/resource-schema.ts', 'model/exposure/resources-option.ts']),
  room('client', ['wire', 'rpc/rpc-operations.ts']),
  room('tanstack-query', ['client', 'wire', 'rpc/rpc-operations.ts']),
  {
    target: './lib/rpc/{parse,render}-*.ts',
    from: './lib/model/storage',
    message: 'What is read and rendered is the surface, never the storage.',
  },
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
    // Their dependencies are their own, and may not be installed; what builds them type-checks them.
    files: ['sample/front-end/**/*.{ts,tsx}', 'bench/**/*.ts'],
    extends: [tseslint.configs.disableTypeChecked],
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
