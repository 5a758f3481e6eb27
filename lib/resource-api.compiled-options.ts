import { buildResourceModel } from './model/build-resource-model.js';
import { ConfigurationError } from './errors/configuration-error.js';
import { checkBoolean, checkChoice, checkString, isObject, mistyped } from './model/check-option.js';
import { DEFAULT_LIMITS, type Limits } from './model/limits.js';
import { type ResourceModel } from './model/resource-model.js';
import { type ApiStyle, type Registration } from './resource-api.module-definition.js';
import { type ResourceApiFactoryOptions, type ResourceApiOptions, type RestOptions, type RpcOptions } from './resource-api.options.js';
import { type RestSettings } from './rest/rest-settings.js';
import { type RpcSettings } from './rpc/rpc-settings.js';

/** The options once checked, with their defaults; all that the services read. */
export interface CompiledOptions {
  readonly model: ResourceModel;
  /** What deserves a line in the boot log. */
  readonly warnings: readonly string[];
  readonly limits: Limits;
  /** Absent where the style is off. */
  readonly rest?: RestSettings;
  /** Absent where the style is off. */
  readonly rpc?: RpcSettings;
}

/**
 * Checks the options against the schema and fills in the defaults. Runs once, at boot.
 * @throws ConfigurationError
 */
export function compileOptions(options: ResourceApiOptions | ResourceApiFactoryOptions, registration: Registration): CompiledOptions {
  requireSchema(options);
  checkFunction('getClient', options.getClient);
  checkFunction('mapError', options.mapError);
  const styles = new Set<ApiStyle>(registration.mounts.map((mount) => mount.style));
  for (const style of ['rest', 'rpc'] as const) requireMounted(style, options, styles);
  const limits = limitsOf(options.limits);
  const rest = styles.has('rest') ? restSettings(options.rest, limits) : undefined;
  const { model, warnings } = buildResourceModel(options.schema, {
    strict: rest?.strict ?? false,
    ...(options.resources !== undefined && { resources: options.resources }),
  });
  return Object.freeze({
    model,
    warnings,
    limits,
    ...(rest && { rest }),
    ...(styles.has('rpc') && { rpc: rpcSettings(options.rpc) }),
  });
}

function requireSchema(options: { readonly schema?: unknown }): void {
  if (typeof options.schema === 'object' && options.schema !== null) return;
  throw new ConfigurationError(
    "The option 'schema' is missing.",
    "Add the generator 'nestjs-resource-api' to your Prisma schema, run 'prisma generate', and pass the 'resourceSchema' that it writes.",
  );
}

/** What a factory says of a style is of no use where its routes were not asked for. */
function requireMounted(style: ApiStyle, options: ResourceApiOptions | ResourceApiFactoryOptions, mounted: ReadonlySet<ApiStyle>): void {
  if (!isObject(options[style]) || mounted.has(style)) return;
  throw new ConfigurationError(
    `The factory gives options of ${style}, which has no routes.`,
    `Add ${style}: { prefix: … } to forRootAsync.`,
  );
}

function checkFunction(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') throw mistyped(name, value, 'a function');
}

const DEFAULT_PAGE_SIZE = 100;
const COUNTS: readonly RestSettings['count'][] = ['exact', 'none'];
const BYTES_FORMS: readonly RpcSettings['bytes'][] = ['base64', 'typed-array'];

function restSettings(options: Partial<Omit<RestOptions, 'prefix'>> = {}, limits: Limits): RestSettings {
  const { endpoint, strict = false, idDivider = '_', count = 'exact' } = options;
  requireDivider(idDivider);
  checkBoolean('rest.strict', strict);
  checkChoice('rest.count', count, COUNTS);
  return Object.freeze({ endpoint: endpointOf(endpoint), ...pageSizesOf(options, limits), strict, idDivider, count });
}

function pageSizesOf(options: Partial<RestOptions>, { maxTake }: Limits): Pick<RestSettings, 'pageSize' | 'maxPageSize'> {
  const { pageSize = Math.min(DEFAULT_PAGE_SIZE, maxTake) } = options;
  const { maxPageSize = pageSize === Infinity ? Infinity : Math.max(1000, pageSize) } = options;
  requirePageSize('rest.pageSize', pageSize);
  requirePageSize('rest.maxPageSize', maxPageSize);
  if (pageSize > maxPageSize) {
    throw new ConfigurationError(`rest.pageSize (${pageSize}) is over rest.maxPageSize (${maxPageSize}).`, 'Raise rest.maxPageSize.');
  }
  if (pageSize !== Infinity && pageSize > maxTake) {
    throw new ConfigurationError(`rest.pageSize (${pageSize}) is over limits.maxTake (${maxTake}).`, 'Raise limits.maxTake.');
  }
  return { pageSize, maxPageSize };
}

function requireDivider(idDivider: string): void {
  checkString('rest.idDivider', idDivider);
  if (/^[^\\\s/?#%,]+$/.test(idDivider)) return;
  throw new ConfigurationError(
    `rest.idDivider '${idDivider}' cannot join ids.`,
    "Use characters that need no escaping in a URL and separate no lists, e.g. '_' or '--'.",
  );
}

function requirePageSize(option: string, value: number): void {
  if (value === Infinity || (Number.isInteger(value) && value > 0)) return;
  throw new ConfigurationError(`${option} is ${value}.`, 'It must be a positive integer, or Infinity.');
}

function endpointOf(endpoint: string | undefined): string {
  const remedy = "Set it to the URL under which clients reach the REST API, e.g. 'https://api.example.com/api/rest'.";
  if (endpoint === undefined) throw new ConfigurationError("The option 'rest.endpoint' is missing.", remedy);
  checkString('rest.endpoint', endpoint);
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new ConfigurationError(`rest.endpoint '${endpoint}' is no absolute http(s) URL without query and fragment.`, remedy);
  }
  return endpoint.replace(/\/+$/, '');
}

function rpcSettings(options: RpcOptions | Omit<RpcOptions, 'prefix'> | boolean | undefined): RpcSettings {
  const { bytes = 'base64' } = typeof options === 'object' ? options : {};
  checkChoice('rpc.bytes', bytes, BYTES_FORMS);
  return Object.freeze({ bytes });
}

function limitsOf(options: Partial<Limits> = {}): Limits {
  if (!isObject(options)) throw mistyped('limits', options, 'an object');
  // An option that is undefined is one that is left out, and must not take its default away.
  const given = Object.entries(options).filter(([, value]: readonly [string, unknown]) => value !== undefined);
  for (const [name, value] of given) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name)) {
      throw new ConfigurationError(`limits names '${name}'.`, `The limits are ${Object.keys(DEFAULT_LIMITS).join(', ')}.`);
    }
    if (name === 'maxBodySize') requireSize(value);
    else requireLimit(name, value);
  }
  return Object.freeze({ ...DEFAULT_LIMITS, ...Object.fromEntries(given) });
}

function requireLimit(name: string, value: unknown): void {
  if (value === Infinity || (Number.isInteger(value) && Number(value) > 0)) return;
  throw new ConfigurationError(`limits.${name} is ${show(value)}.`, 'A limit must be a positive integer, or Infinity.');
}

/** body-parser takes a text that it cannot read for a few bytes, or for no limit at all. */
function requireSize(value: unknown): void {
  if (typeof value === 'string' && /^(?:\d+ *b?|\d+(?:\.\d+)? *[kmg]b)$/i.test(value) && Number.parseFloat(value) > 0) return;
  if (typeof value === 'number' && value > 0) return;
  throw new ConfigurationError(
    `limits.maxBodySize is ${show(value)}.`,
    "It must be a positive number of bytes, or a text like '500kb' or '1mb'.",
  );
}

function show(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
