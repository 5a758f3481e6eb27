/** What parsers, renderers and documents may know of the model: what is exposed, and how values are read. Never the storage view. */
const SURFACE = ['model/surface', 'model/values', 'model/limits.ts', 'model/schema/resource-schema.ts'];

/** What parsers know of projections: what they are, and which members there are to choose from. They ask the context for one. */
const PROJECTION = ['rest/projection/page.ts', 'rest/projection/projection.ts', 'rest/projection/readable-members.ts'];

/** What the module is put together from, above all rooms. */
const ROOT = [
  'resource-api.compiled-options.ts',
  'resource-api.constants.ts',
  'resource-api.module-definition.ts',
  'resource-api.options.ts',
];

/** What the services of a style lead a request through. */
const STYLE = [
  'query',
  'prisma',
  'model',
  'errors',
  'utils',
  'wire',
  'cost',
  'references',
  'validation',
  'data-client',
  'execution',
  'platform',
  'actions',
  'versions/required-version.ts',
  'versions/is-as-hashed.ts',
  'resource-api.constants.ts',
];

/** Who may import whom (CONTRIBUTING, "The house"): each row lists what the room may import beside itself. */
export const ROOMS = [
  room('errors', []),
  room('utils', []),
  room('wire', ['model/surface', 'utils']),
  room('model', ['errors', 'utils']),
  room('model/schema', ['utils/is-object.ts']),
  room('model/surface', ['model/schema/resource-schema.ts']),
  room('model/values', ['model/surface', 'utils']),
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
  room('query', ['model/storage', 'model/surface/prisma-operators.ts']),
  room('prisma', [...SURFACE, 'query', 'model/storage', 'model/exposure/naming.ts', 'errors', 'utils', 'wire/is-plain-object.ts']),
  room('cost', [
    'query',
    ...SURFACE,
    'prisma',
    'model/storage',
    'errors',
    'utils',
    'wire',
    'data-client/plan.ts',
    'data-client/is-taken.ts',
  ]),
  room('rest/projection', [...SURFACE, 'query', 'prisma', 'model/storage', 'wire', 'cost/up-to.ts', 'utils', 'rest/rest-settings.ts']),
  room('rest/parse', [
    ...SURFACE,
    'errors',
    'utils/lru-map.ts',
    'wire',
    ...PROJECTION,
    'query/later-value.ts',
    'rest/rest-settings.ts',
    'rest/rest-endpoints.ts',
  ]),
  room('rest/cursor', []),
  room('references', ['model', 'query', 'prisma', 'data-client/plan.ts']),
  room('rest/plan', [
    'query',
    'prisma',
    'model',
    'errors',
    'wire',
    'cost',
    'references',
    'rest/parse',
    'rest/projection',
    'rest/rest-settings.ts',
    'rest/cursor',
    'data-client/plan.ts',
  ]),
  room('rest/render', [
    ...SURFACE,
    'errors',
    'query/result.ts',
    'utils',
    'wire',
    'rest/parse',
    'rest/projection',
    'rest/media-type.ts',
    'rest/rest-settings.ts',
  ]),
  room('rpc/arguments', [...SURFACE, 'query', 'prisma', 'model/storage', 'model/given-entries.ts', 'errors', 'wire', 'cost']),
  room('rest', STYLE),
  room('rpc', STYLE),
  room('data-client', [
    'errors',
    'utils',
    'query',
    'prisma',
    'model/storage',
    'model/surface/prisma-operators.ts',
    'wire/is-plain-object.ts',
  ]),
  room('server-values', ['query', 'prisma', 'model', 'errors', 'data-client/plan.ts']),
  room('versions', ['query', 'prisma', 'model', 'data-client/plan.ts', 'platform/preconditions.ts']),
  room('execution', [
    'query',
    'versions',
    'model',
    'errors',
    'utils',
    'server-values',
    'data-client',
    'rules',
    'sql',
    'platform/api-request.ts',
    'platform/boot-client.service.ts',
    'platform/mount-names.service.ts',
    'platform/response-size.ts',
    ...ROOT,
  ]),
  room('hooks', ['query', 'model', 'errors', 'wire', 'data-client', 'rules/row-hooks.ts', 'platform', ...ROOT]),
  room('actions', ['query', 'prisma', 'model', 'errors', 'wire', 'validation', 'rules', 'data-client', 'execution', 'platform', ...ROOT]),
  room('idempotency', [
    'query',
    'model',
    'errors',
    'data-client/executor.ts',
    'data-client/data-client.ts',
    'execution',
    'platform',
    ...ROOT,
  ]),
  room('own-code', ['model', 'errors', 'wire', 'data-client', 'rules', 'rpc', 'execution', 'platform', ...ROOT]),
  room('sql', [
    'query',
    'prisma',
    'model/storage',
    'model/surface/prisma-operators.ts',
    'model/values/json-value.ts',
    'model/exposure/naming.ts',
    'errors',
    'utils',
    'wire/is-plain-object.ts',
    'data-client',
  ]),
  room('validation', ['model', 'errors', 'utils']),
  room('rules', [
    'query',
    'prisma',
    'model',
    'errors',
    'utils',
    'wire',
    'data-client/plan.ts',
    'data-client/data-client.ts',
    'data-client/executor.ts',
    'data-client/count-list.ts',
    'data-client/extensions-of.ts',
    'data-client/select-keys.ts',
  ]),
  room('policy', [
    'errors',
    'data-client/bound-client.ts',
    'data-client/database-role.ts',
    'data-client/extensions-of.ts',
    'data-client/operation-scope.ts',
    'data-client/statement-timeout.ts',
    'sql/sql-reads.ts',
  ]),
  // It is given its styles by the root, and knows none of them.
  room('platform', ['model', 'errors', 'utils', 'data-client', ...ROOT]),
  room('openapi', [
    ...SURFACE,
    'prisma',
    'errors',
    'utils',
    'wire',
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
  room('testing', ['model', 'wire', 'platform', 'rest/parse', 'prisma', 'rpc/arguments', 'resource-api.mounted-apis.ts', ...ROOT]),
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
requireNoCycles(ROOMS);

/** A room of `lib/`: it may import itself and `allowed`, nothing else of ours. */
function room(name, allowed) {
  const open = [name, ...allowed].map((path) => `./${path}`);
  return {
    target: `./lib/${name}`,
    from: './lib',
    except: open,
    message: `lib/${name} may import itself${allowed.map((path) => `, ${path}`).join('')}, nothing else of ours.`,
  };
}

/** No room may import another one that may import it, at however many steps. The root, which puts all together, is no room. */
function requireNoCycles(zones) {
  const folderOf = (path) => path.split('/')[path.startsWith('./lib/') ? 2 : 1];
  const edges = zones.flatMap(({ target, except = [] }) => except.map((path) => [folderOf(target), folderOf(path)]));
  const importsOf = (room) => edges.flatMap(([from, to]) => (from === room && to !== room && !to.endsWith('.ts') ? [to] : []));
  const visit = (room, way) => {
    if (way.includes(room)) throw new Error(`ROOMS has a cycle: ${[...way, room].join(' → ')}.`);
    for (const imported of importsOf(room)) visit(imported, [...way, room]);
  };
  for (const room of new Set(edges.map(([from]) => from))) visit(room, []);
}
