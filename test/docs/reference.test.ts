import { ApiError, DEFAULT_LIMITS, ERROR_CATALOGUE, type ErrorCode } from '../../lib/index.js';
import { PRISMA_CODES, SQL_STATE_CLASSES, SQL_STATES } from '../../lib/errors/data-layer-codes.js';
import { rightsOfPreset } from '../../lib/model/exposure/field-rights.js';
import type { AnyTable } from '../../lib/model/option-table.js';
import { MCP, MODULE, REST, RPC } from '../../lib/options/option-table.js';
import { RIGHT_NAMES } from '../../lib/model/surface/rights.js';
import { FIELD_PRESETS } from '../../lib/generator/parse-api-comment.js';
import { RPC_BATCH, RPC_OPERATIONS } from '../../lib/rpc/protocol/rpc-operations.js';
import { REST_ENDPOINTS } from '../../lib/rest/protocol/rest-endpoints.js';
import { rpcStatus } from '../../lib/rpc/protocol/render-rpc-error.js';
import { sample } from '../support/sample.js';
import { type OptionProperty, readOptionTypes } from './option-types.js';
import { codeOf, type Row, tableAfter } from './tables.js';

const OPTIONS = 'docs/options.md';
const FILES = {
  options: 'lib/options/resource-api-options.ts',
  resources: 'lib/model/exposure/resources-option.ts',
  documents: 'lib/module/openapi-documents.ts',
  limits: 'lib/model/limits.ts',
  mcp: 'lib/options/mcp-options.ts',
} as const;

interface OptionTable {
  readonly table: string;
  readonly rows: readonly Row[];
  /** What it is a table of. */
  readonly type: readonly OptionProperty[];
}

/** Each table of options. */
function optionTables(): readonly OptionTable[] {
  const { options, resources, documents, limits, mcp } = readOptionTypes(FILES);
  return [
    { table: 'forRoot', rows: tableAfter(OPTIONS, '## `forRoot`'), type: options('ResourceApiOptions') },
    { table: 'rest', rows: tableAfter(OPTIONS, '## `rest`'), type: options('RestOptions') },
    { table: 'rpc', rows: tableAfter(OPTIONS, '## `rpc`'), type: options('RpcOptions') },
    { table: 'mcp', rows: tableAfter(OPTIONS, '## `mcp`'), type: mcp('McpOptions') },
    { table: 'forRootAsync', rows: tableAfter(OPTIONS, '## `forRootAsync`'), type: options('ResourceApiAsyncOptions') },
    { table: 'the factory', rows: tableAfter(OPTIONS, '## `forRootAsync`', 1), type: options('ResourceApiFactoryOptions') },
    { table: 'limits', rows: tableAfter('docs/limits.md', '# Limits'), type: limits('Limits') },
    { table: 'setupDocs', rows: tableAfter('docs/openapi.md', '## Swagger UI'), type: documents('DocsOptions') },
    { table: 'a model', rows: tableAfter('docs/resources.md', '## Options of a model'), type: resources('ResourceOptions') },
    { table: 'a field', rows: tableAfter('docs/resources.md', '## Single rights'), type: resources('FieldRightsOption') },
  ];
}

// To read the types takes the compiler seconds.
sample.omitted.describe('the tables of options', () => {
  let tables: readonly OptionTable[];
  beforeAll(() => {
    tables = optionTables();
  });

  it('have each option once', () => {
    const documented = tables.map(({ table, rows }) => [table, rows.map(nameOf).toSorted()]);
    expect(documented).toEqual(tables.map(({ table, type }) => [table, type.map(({ name }) => name).toSorted()]));
  });

  it('have the declared types', () => {
    const rows = tables.flatMap(({ table, rows: all, type }) =>
      all
        .filter((row) => row['type'] !== undefined)
        .map((row) => {
          const declared = type.find(({ name }) => name === nameOf(row))?.type;
          return { option: `${table}: ${nameOf(row)}`, documented: codeOf(row['type']), declared };
        }),
    );
    const compared = rows.filter(({ declared }) => declared !== undefined);
    expect(compared.length).toBeGreaterThan(30);
    expect(compared.filter(({ documented, declared }) => documented !== declared)).toEqual([]);
  });

  it.each<[name: string, table: AnyTable]>([
    ['forRoot', MODULE],
    ['rest', REST],
    ['rpc', RPC],
    ['mcp', MCP],
  ])('have the defaults of %s', (name, table) => {
    const rows = tables.find((one) => one.table === name)?.rows ?? [];
    const documented = new Map(rows.map((row) => [nameOf(row), row['default']]));
    const filled = Object.entries(table).filter(([, { fallback }]) => fallback !== undefined);
    expect(filled.map(([option]) => [option, valueOf(codeOf(documented.get(option)))])).toEqual(
      filled.map(([option, { fallback }]) => [option, fallback]),
    );
  });

  it('mark the required options, and no others, as required', () => {
    const documented = tables.flatMap(({ table, rows }) =>
      rows.filter((row) => row['default'] === 'required').map((row) => `${table}.${nameOf(row)}`),
    );
    const declared = tables
      .filter(({ rows: [row] }) => row?.['default'] !== undefined)
      .flatMap(({ table, type }) => type.filter(({ required }) => required && table !== 'limits').map(({ name }) => `${table}.${name}`));
    expect(documented.toSorted()).toEqual(declared.toSorted());
  });
});

describe('the table of limits', () => {
  it('has the defaults of all limits', () => {
    const rows = tableAfter('docs/limits.md', '# Limits');
    const documented = rows.map((row) => [nameOf(row), valueOf(codeOf(row['default']))]);
    expect(Object.fromEntries(documented)).toEqual(DEFAULT_LIMITS);
  });
});

describe('the table of presets', () => {
  const rows = tableAfter('docs/resources.md', '## Presets');

  it('has every preset', () => {
    expect(rows.map(({ preset }) => codeOf(preset))).toEqual(['none', ...FIELD_PRESETS]);
  });

  it.each(rows)('has the rights of $preset', (row) => {
    const preset = FIELD_PRESETS.find((name) => name === codeOf(row['preset']));
    const documented = Object.fromEntries(RIGHT_NAMES.map((right) => [right, row[right] === 'yes']));
    expect(documented).toEqual(rightsOfPreset(preset));
  });
});

describe('docs/errors.md', () => {
  const rows = tableAfter('docs/errors.md', '## Codes').map((row) => ({ ...row, code: codeOf(row['code']) as ErrorCode }) as const);

  it('has every code of the catalogue', () => {
    expect(rows.map(({ code }) => code)).toEqual(Object.keys(ERROR_CATALOGUE));
  });

  it.each(rows)('has the statuses, the cause and the remedy of $code', (row) => {
    const documented: Row = row;
    expect([documented['REST'], documented['RPC']]).toEqual([
      String(ERROR_CATALOGUE[row.code].status),
      String(rpcStatus(new ApiError(row.code, 'Some text.'))),
    ]);
    expect([documented['cause'], documented['what to do']]).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\w/)]);
  });

  it.each([
    ['Prisma', PRISMA_CODES],
    ['the database', SQL_STATES],
  ] as const)('has the error code for each code of %s', (column, codes) => {
    const documented = tableAfter('docs/errors.md', '## Codes of the data layer').flatMap((row) =>
      [...(row[column] ?? '').matchAll(/\w+/g)].map(([code]): readonly [string, string] => [code, codeOf(row['code'])]),
    );
    expect(new Map(documented)).toEqual(new Map([...codes].map(([code, row]) => [code, row.code])));
  });

  it('has the error code for each class of SQLSTATEs', () => {
    const documented = tableAfter('docs/errors.md', '### Classes of SQLSTATEs').map((row) => [row['class'], codeOf(row['code'])] as const);
    expect(documented).toEqual([...SQL_STATE_CLASSES].map(([name, row]) => [name, row.code]));
  });
});

describe('docs/rpc.md', () => {
  it('has every operation, with its method, input, status and arguments', () => {
    const documented = tableAfter('docs/rpc.md', '## Operations').map((row) => ({
      name: codeOf(row['operation']),
      verbs: codesIn(row['method']),
      input: codeOf(row['input']),
      status: Number(row['status']),
      arguments: codesIn(row['arguments']),
      required: [...(row['arguments'] ?? '').matchAll(/\*\*`(\w+)`\*\*/g)].map(([, name = '']) => name),
    }));
    const declared = Object.values(RPC_OPERATIONS).map((operation) => ({
      name: operation.name,
      verbs: [...operation.verbs],
      input: operation.input,
      status: operation.status,
      arguments: [...operation.arguments],
      required: [...operation.required],
    }));
    expect(documented).toEqual(declared);
  });

  it('names the members of an operation in a batch', () => {
    expect(tableAfter('docs/rpc.md', '## Batches').map(({ member }) => codeOf(member))).toEqual(RPC_BATCH.members);
  });
});

describe('docs/rest.md', () => {
  it('has every endpoint with its methods', () => {
    const documented = tableAfter('docs/rest.md', '## Endpoints').map((row) => [codeOf(row['path']), codesIn(row['methods']).toSorted()]);
    const declared = Object.values(REST_ENDPOINTS).map(({ path, methods }) => [`/${path}`, Object.keys(methods).toSorted()]);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(declared));
  });
});

function nameOf(row: Row): string {
  return codeOf(row['option'] ?? row['limit'] ?? row['right']);
}

function codesIn(cell = ''): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** A default as the docs write it. */
function valueOf(code: string): unknown {
  return code === 'Infinity' ? Infinity : (JSON.parse(code.replaceAll("'", '"')) as unknown);
}
