import { checkAll } from '../errors/check-all.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import {
  checkArray,
  checkBoolean,
  checkChoice,
  checkCount,
  checkFunction,
  checkInteger,
  checkObject,
  checkString,
  mistyped,
} from '../model/check-option.js';
import type { Limits } from '../model/limits.js';
import { checkTable, type AnyTable, type Option, type OptionTable } from '../model/option-table.js';
import { MAX_TIMER, readDuration } from '../model/read-duration.js';
import type { McpOptions, McpResourceMetadata } from './mcp-options.js';
import type {
  CountOptions,
  CsvOptions,
  ExportOptions,
  OperationsOptions,
  ResourceApiAsyncOptions,
  ResourceApiOptions,
  RestOptions,
  RpcOptions,
  SnapshotOptions,
} from './resource-api-options.js';
import type { CountMode } from './rest-settings.js';
import type { BytesForm } from '../wire/encode-scalar.js';
import { isObject } from '../utils/is-object.js';
import { later } from '../utils/later.js';

/*
 * All options of the module, with their checks and defaults. Limits are in model/limits.ts, and the options of `idempotency` in
 * lib/idempotency. The value of an option without a check is checked by the room that reads it.
 */

const COUNTS: readonly CountMode[] = ['exact', 'none', 'estimated'];

const DECIDES_ROUTES = { decidesRoutes: true } as const;

/** Options of `forRoot`. */
export const MODULE = {
  schema: {
    check: (place, value) => {
      checkObject(place, value, "'resourceSchema', as the generator writes it");
    },
    required:
      "Add the generator 'nestjs-resource-api' to your Prisma schema, run 'prisma generate', and pass the 'resourceSchema' that it writes.",
  },
  getClient: { check: checkFunction },
  bootClient: {
    check: (place, value) => {
      if (typeof value !== 'object' || value === null) throw mistyped(place, value, 'a data client');
    },
  },
  rest: {},
  rpc: {},
  mcp: {},
  resources: {},
  grants: {},
  rules: {},
  bypassedHooks: { check: checkArray, fallback: [] },
  access: choice<NonNullable<ResourceApiOptions['access']>>(['public']),
  idempotency: {},
  shareReads: { check: checkBoolean, fallback: false },
  limits: {},
  mapError: { check: checkFunction },
  onClientBroken: { check: checkFunction },
  guards: { ...DECIDES_ROUTES, check: checkArray },
  interceptors: { ...DECIDES_ROUTES, check: checkArray },
  pipes: { ...DECIDES_ROUTES, check: checkArray },
  isGlobal: { ...DECIDES_ROUTES, check: checkBoolean, fallback: false },
} as const satisfies OptionTable<ResourceApiOptions>;

/** Options of `forRootAsync`, apart from those that decide routes. */
export const ASYNC = {
  rest: {},
  rpc: {},
  mcp: {},
  imports: {},
  inject: {},
  useFactory: {},
  useClass: {},
  useExisting: {},
} as const satisfies Partial<OptionTable<ResourceApiAsyncOptions>>;

const PREFIX = { ...DECIDES_ROUTES, check: checkString, fallback: '' } as const;

export const REST = {
  prefix: PREFIX,
  operations: { ...DECIDES_ROUTES, fallback: false },
  endpoint: {
    check: checkEndpoint,
    required: "Set it to the URL under which clients reach the REST API, e.g. 'https://api.example.com/api/rest'.",
  },
  pageSize: { check: checkCount, derived: (_, { maxTake }) => Math.min(100, maxTake) },
  maxPageSize: { check: checkCount, derived: ({ pageSize = 0 }) => Math.max(1000, pageSize) },
  strict: { check: checkBoolean, fallback: false },
  idDivider: { check: checkDivider, fallback: '_' },
  cursorKeys: { check: checkCursorKeys },
  acceptWeakTags: { check: checkBoolean, fallback: false },
  count: {
    check: (place, value) => {
      if (isObject(value)) checkTable(place, value, COUNT_OPTIONS);
      else checkChoice(place, value, COUNTS);
    },
    fallback: 'exact',
  },
  export: {
    check: (place, value) => {
      checkSwitch(place, value, EXPORT);
    },
    fallback: false,
  },
} as const satisfies OptionTable<RestOptions, Limits>;

/** `rest.operations` */
export const OPERATIONS_OPTIONS = {
  path: { check: checkSegment, fallback: 'operations' },
  maxOperations: { check: checkCount, derived: (_, { maxBatchSize }) => Math.min(100, maxBatchSize) },
  timeout: { check: checkCount, derived: (_, { maxDuration }) => maxDuration },
} as const satisfies OptionTable<OperationsOptions, Limits>;

/** `rest.count` */
export const COUNT_OPTIONS = {
  default: { ...choice(COUNTS), fallback: 'exact' },
  most: { ...choice(COUNTS), derived: ({ default: count = 'exact' }) => count },
  exactUpTo: { check: checkInteger },
} as const satisfies OptionTable<CountOptions>;

/** `rest.export` */
export const EXPORT = {
  csv: {
    check: (place, value) => {
      checkTable(place, value, CSV);
    },
    fallback: {},
  },
  snapshot: {
    check: (place, value) => {
      checkSwitch(place, value, SNAPSHOT);
    },
    fallback: false,
  },
} as const satisfies OptionTable<ExportOptions>;

/** `rest.export.csv` */
export const CSV = {
  escapeFormulas: { check: checkBoolean, fallback: true },
  bom: { check: checkBoolean, fallback: false },
} as const satisfies OptionTable<CsvOptions>;

/** `rest.export.snapshot` */
export const SNAPSHOT = {
  maxDuration: { check: checkDuration, fallback: '5m' },
  max: { check: checkInteger, fallback: 2 },
} as const satisfies OptionTable<SnapshotOptions>;

export const RPC = {
  prefix: PREFIX,
  bytes: { ...choice<BytesForm>(['base64', 'typed-array']), fallback: 'base64' },
  describe: { check: checkBoolean, fallback: true },
} as const satisfies OptionTable<RpcOptions>;

export const MCP = {
  prefix: { ...PREFIX, fallback: 'mcp' },
  writes: { check: checkBoolean, fallback: false },
  allowedOrigins: { check: checkOrigins },
  maxResultBytes: { check: checkInteger, fallback: 100_000 },
  resourceMetadata: {
    check: (place, value) => {
      checkTable(place, value, RESOURCE_METADATA);
    },
  },
} as const satisfies OptionTable<McpOptions>;

/** `mcp.resourceMetadata` */
export const RESOURCE_METADATA = {
  authorizationServers: {
    check: (place, value) => {
      checkArray(place, value);
      checkAll(value.map((url, index) => later(checkUrl, `${place}[${index}]`, url)));
    },
    required: "Set it to the issuer URLs of your authorization servers, e.g. ['https://auth.example.com'].",
  },
  scopes: { check: checkArray },
  resource: { check: checkUrl },
} as const satisfies OptionTable<McpResourceMetadata>;

/** An option whose value is one of several words. */
function choice<Word extends string>(words: readonly Word[]): Option<Word> {
  return {
    check: (place, value) => {
      checkChoice(place, value, words);
    },
  };
}

/** Checks an option that is a boolean, or an object of further options. */
function checkSwitch(place: string, value: unknown, table: AnyTable): void {
  if (typeof value === 'boolean') return;
  checkObject(place, value, 'true, false or an object');
  checkTable(place, value, table);
}

function checkEndpoint(place: string, value: unknown): void {
  checkString(place, value);
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') return;
  throw new ConfigurationError(`${place} '${value}' is no absolute http(s) URL without query and fragment.`, REST.endpoint.required);
}

function checkUrl(place: string, value: unknown): void {
  if (typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value)) return;
  throw mistyped(place, value, "an absolute http(s) URL, e.g. 'https://example.com'");
}

/** Checks a list of origins. A browser sends an origin without a path and without a trailing slash. */
function checkOrigins(place: string, value: unknown): void {
  checkArray(place, value);
  for (const [index, origin] of value.entries()) {
    if (typeof origin !== 'string' || !URL.canParse(origin) || new URL(origin).origin !== origin)
      throw mistyped(`${place}[${index}]`, origin, "an origin, e.g. 'https://app.example.com'");
  }
}

function checkDivider(place: string, value: unknown): void {
  checkString(place, value);
  if (/^[^\\\s/?#%,]+$/.test(value)) return;
  throw new ConfigurationError(
    `${place} '${value}' cannot join ids.`,
    "Use characters that need no escaping in a URL and separate no lists, e.g. '_' or '--'.",
  );
}

function checkSegment(place: string, value: unknown): void {
  checkString(place, value);
  if (/^[\w~-][\w.~-]*$/.test(value)) return;
  throw new ConfigurationError(`${place} '${value}' is no segment of a path.`, "Write one plain segment, e.g. 'operations'.");
}

function checkDuration(place: string, value: unknown): void {
  if (readDuration(place, value) > MAX_TIMER - 1000) throw mistyped(place, value, 'a time of at most 24 days');
}

/** Minimum length of a key, in bytes: that of the encryption key which is derived from it. */
const MIN_BYTES = 32;

/** Checks a list of keys. Error messages never contain a key. */
function checkCursorKeys(place: string, value: unknown): void {
  if (!Array.isArray(value) || value.length === 0) throw mistyped(place, typeof value, 'a list of keys, the current one first');
  checkAll(value.map((key: unknown, index) => later(checkCursorKey, `${place}[${index}]`, key)));
}

function checkCursorKey(place: string, key: unknown): void {
  if (typeof key === 'string' && Buffer.byteLength(key) >= MIN_BYTES) return;
  const problem = typeof key === 'string' ? `has ${Buffer.byteLength(key)} bytes` : 'is no text';
  throw new ConfigurationError(
    `${place} ${problem}.`,
    `A key is a secret text of at least ${MIN_BYTES} bytes, e.g. of 'openssl rand -base64 32'.`,
  );
}
