import { ConfigurationError } from '../errors/configuration-error.js';
import type { ApiStyle } from './api-style.js';
import { MCP, MODULE, REST } from './option-table.js';
import { type OperationsMount, operationsMount } from './operations-mount.js';
import type { McpMountOptions } from './mcp-options.js';
import type {
  MountOptions,
  RegistrationOptions,
  ResourceApiAsyncOptions,
  ResourceApiOptions,
  RestMountOptions,
} from './resource-api-options.js';

/** One style under one prefix. */
export interface Mount {
  readonly style: ApiStyle;
  /** Path without leading and trailing slashes; `''` is the application's root. */
  readonly prefix: string;
  /** Absent where the endpoint of atomic operations is off. */
  readonly operations?: OperationsMount;
}

/**
 * All options that decide routes. They must be available before an asynchronous factory runs, because Nest reads routes from decorators.
 */
export interface Registration extends Required<RegistrationOptions> {
  readonly mounts: readonly Mount[];
  /** The module's class. RouterModule stores the path of a module as metadata of it. */
  readonly module: object;
}

/**
 * Extracts the options that decide routes. They are synchronous in both `forRoot` and `forRootAsync`.
 *
 * @throws ConfigurationError if two styles have the same prefix
 */
export function registrationOf(options: ResourceApiOptions | ResourceApiAsyncOptions, module: object): Registration {
  const { guards = [], interceptors = [], pipes = [], isGlobal = MODULE.isGlobal.fallback } = options;
  return { mounts: mountsOf(options), module, guards, interceptors, pipes, isGlobal };
}

function mountsOf({ rest, rpc = rest === undefined, mcp }: ResourceApiOptions | ResourceApiAsyncOptions): readonly Mount[] {
  const mounts: Mount[] = [];
  if (rest !== undefined) mounts.push(restMount(rest));
  if (rpc !== false) mounts.push({ style: 'rpc', prefix: prefixOf(rpc === true ? {} : rpc) });
  if (mcp !== undefined) mounts.push(mcpMount(mcp));
  if (mounts.length === 0) throw new ConfigurationError('All styles are off.', "Give 'rest' or 'mcp' options, or leave 'rpc' on.");
  requireDistinct(mounts);
  // Nest registers routes in this order. The longer prefix comes first, because it may lie inside the shorter one.
  return mounts.sort((a, b) => b.prefix.length - a.prefix.length);
}

function restMount(options: RestMountOptions): Mount {
  const operations = operationsMount(options.operations);
  return { style: 'rest', prefix: prefixOf(options), ...(operations && { operations }) };
}

function mcpMount({ prefix = MCP.prefix.fallback }: McpMountOptions): Mount {
  const mount: Mount = { style: 'mcp', prefix: prefixOf({ prefix }) };
  if (mount.prefix !== '') return mount;
  throw new ConfigurationError('mcp.prefix is empty.', "MCP is one path: name it, e.g. 'mcp'.");
}

function requireDistinct(mounts: readonly Mount[]): void {
  for (const [index, { style, prefix }] of mounts.entries()) {
    const other = mounts.slice(0, index).find((mount) => mount.prefix === prefix);
    if (!other) continue;
    const [one, two] = [other.style, style];
    throw new ConfigurationError(
      `${one.toUpperCase()} and ${two.toUpperCase()} are both mounted at '/${prefix}'.`,
      `Give them different prefixes, e.g. ${one}: { prefix: 'api/${one}' } and ${two}: { prefix: 'api/${two}' }.`,
    );
  }
}

function prefixOf({ prefix = REST.prefix.fallback }: MountOptions): string {
  if (/[:*?#{}()\\]/.test(prefix)) {
    throw new ConfigurationError(`The prefix '${prefix}' is no plain path.`, "Write path segments only, e.g. 'api/rest'.");
  }
  return prefix.replace(/^\/+|\/+$/g, '');
}
