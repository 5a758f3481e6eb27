/** What parsers, renderers and documents may import of the model: what is exposed, and how values are read. Never the storage view. */
const SURFACE = ['model/surface', 'model/values', 'model/schema', 'model/limits.ts'];

/** What a style is built on. */
const STYLE = [
  ...['actions', 'errors', 'executor', 'http', 'limits', 'model', 'options', 'platform'],
  ...['prisma', 'query', 'run', 'utils', 'validation', 'wire'],
];

/** Who may import whom (CONTRIBUTING, "The rooms"). Each row lists what a room may import beside itself. Imports of types count. */
export const ROOMS = [
  room('utils', []),
  room('errors', []),
  room('model', ['errors', 'utils']),
  room('model/schema', ['utils']),
  room('model/surface', ['model/schema']),
  room('model/values', ['model/surface', 'utils']),
  room('model/storage', ['model/schema', 'model/surface', 'model/freeze.ts', 'errors']),
  room('model/exposure', ['model', 'errors', 'utils']),
  room('wire', ['model/surface', 'utils']),
  room('validation', ['model', 'errors', 'utils']),
  room('query', ['model/storage', 'model/surface', 'utils']),
  room('prisma', [...SURFACE, 'model/storage', 'query', 'errors', 'utils', 'wire']),
  room('executor', ['model/storage', 'model/surface', 'query', 'prisma', 'errors', 'utils', 'wire']),
  room('limits', [...SURFACE, 'model/storage', 'query', 'executor', 'utils', 'wire']),
  room('sql', ['model/storage', 'model/surface', 'model/values', 'model/schema', 'query', 'prisma', 'executor', 'errors', 'utils']),
  room('rules', ['model', 'query', 'prisma', 'executor', 'errors', 'utils', 'wire']),
  room('row-level-security', ['executor', 'sql', 'errors']),
  room('http', ['model', 'executor', 'errors', 'utils']),
  room('telemetry', ['executor', 'errors']),
  room('options', ['model', 'executor', 'rules', 'http', 'errors', 'utils', 'wire']),
  // The module hands it the styles. It imports none.
  room('platform', ['model', 'executor', 'http', 'options', 'telemetry', 'errors', 'utils']),
  room('run', ['model', 'query', 'executor', 'limits', 'sql', 'rules', 'http', 'options', 'platform', 'errors', 'utils']),
  room('run/checks', ['model', 'query', 'executor', 'http', 'utils']),
  room('run/stages', ['model', 'query', 'executor', 'limits', 'rules', 'http', 'errors', 'utils']),
  room('hooks', ['model', 'query', 'executor', 'rules', 'http', 'options', 'platform', 'errors', 'wire', 'utils']),
  room('actions', ['model', 'query', 'executor', 'rules', 'http', 'options', 'platform', 'run', 'validation', 'errors', 'wire']),
  room('idempotency', ['model', 'query', 'executor', 'http', 'options', 'platform', 'run', 'errors']),
  room('rest', STYLE),
  room('rest/projection', [...SURFACE, 'model/storage', 'query', 'limits', 'options', 'utils', 'wire']),
  room('rest/protocol', [...SURFACE, 'options', 'http', 'errors', 'rest/projection']),
  room('rest/parse', [...SURFACE, 'query/pending-value.ts', 'options', 'errors', 'utils', 'wire', 'rest/projection', 'rest/protocol']),
  room('rest/cursor', []),
  room('rest/plan', [
    ...['model', 'query', 'prisma', 'executor', 'limits', 'options', 'run/checks', 'errors', 'utils', 'wire'],
    ...['rest/cursor', 'rest/parse', 'rest/projection', 'rest/protocol'],
  ]),
  room('rest/render', [
    ...[...SURFACE, 'query/result.ts', 'options', 'errors', 'utils', 'wire'],
    ...['rest/parse', 'rest/projection', 'rest/protocol'],
  ]),
  room('rpc', STYLE),
  room('rpc/protocol', ['errors']),
  room('rpc/arguments', [
    ...[...SURFACE, 'model/storage', 'model/given-entries.ts', 'query', 'prisma', 'limits', 'errors', 'utils', 'wire'],
    'rpc/protocol',
  ]),
  room('rpc/description', [...SURFACE, 'rpc/arguments', 'rpc/protocol']),
  room('mcp', [...STYLE, 'rpc']),
  room('mcp/protocol', ['http', 'errors', 'wire', 'rpc']),
  room('mcp/tools', [...SURFACE, 'options', 'http', 'errors', 'wire', 'rpc', 'mcp/protocol']),
  room('own-code', ['model', 'query', 'executor', 'rules', 'http', 'options', 'platform', 'run', 'rpc', 'telemetry', 'errors', 'wire']),
  room('openapi', [
    ...[...SURFACE, 'prisma', 'executor', 'options', 'validation', 'errors', 'utils', 'wire'],
    ...['rest/parse', 'rest/projection', 'rest/protocol', 'rpc/arguments', 'rpc/description', 'rpc/protocol'],
  ]),
  room('module', [...STYLE, 'hooks', 'idempotency', 'mcp', 'openapi', 'own-code', 'rest', 'rpc', 'rules', 'telemetry']),
  room('testing', ['mcp/tools', 'model', 'prisma', 'options', 'module', 'rest/parse', 'rpc/arguments', 'rpc/protocol', 'wire']),
  room('generator', ['model', 'rules', 'utils']),
  room('schema', ['model/schema', 'model/exposure']),
  room('client', ['rpc/protocol', 'wire']),
  room('tanstack-query', ['client', 'rpc/protocol', 'wire']),
  room('admin-data', ['client', 'rpc/protocol', 'utils', 'wire']),
  room('react-admin', ['admin-data', 'client']),
  room('refine', ['admin-data', 'client', 'rpc/protocol']),
  {
    target: './lib/rpc/{parse,render}-*.ts',
    from: './lib/model/storage',
    message: 'Parsers and renderers read the surface, never the storage.',
  },
  { target: './lib/rest', from: './lib/rpc', message: 'REST and RPC never import each other.' },
  { target: './lib/rpc', from: './lib/rest', message: 'REST and RPC never import each other.' },
];
requireNoCycles(ROOMS);

/** A room of `lib/`: it may import itself and `allowed`, and no other room. */
function room(name, allowed) {
  return {
    target: `./lib/${name}`,
    from: './lib',
    except: [name, ...allowed].map((path) => `./${path}`),
    message: `lib/${name} may import itself${allowed.map((path) => `, ${path}`).join('')}, and no other room.`,
  };
}

/** Throws where a room may import another one that may import it, in any number of steps. */
function requireNoCycles(zones) {
  const folderOf = (path) => path.split('/')[path.startsWith('./lib/') ? 2 : 1];
  const edges = zones.flatMap(({ target, except = [] }) => except.map((path) => [folderOf(target), folderOf(path)]));
  const importsOf = (room) => edges.flatMap(([from, to]) => (from === room && to !== room ? [to] : []));
  const visit = (room, way) => {
    if (way.includes(room)) throw new Error(`ROOMS has a cycle: ${[...way, room].join(' → ')}.`);
    for (const imported of importsOf(room)) visit(imported, [...way, room]);
  };
  for (const room of new Set(edges.map(([from]) => from))) visit(room, []);
}
