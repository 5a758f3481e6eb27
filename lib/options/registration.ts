import { ConfigurationError } from '../errors/configuration-error.js';
import type { ApiStyle } from './api-style.js';
import { MODULE, REST } from './option-table.js';
import { type OperationsMount, operationsMount } from './operations-mount.js';
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
 * @throws ConfigurationError if both styles have the same prefix
 */
export function registrationOf(options: ResourceApiOptions | ResourceApiAsyncOptions, module: object): Registration {
  const { guards = [], interceptors = [], pipes = [], isGlobal = MODULE.isGlobal.fallback } = options;
  return { mounts: mountsOf(options), module, guards, interceptors, pipes, isGlobal };
}

function mountsOf({ rest, rpc = rest === undefined }: ResourceApiOptions | ResourceApiAsyncOptions): readonly Mount[] {
  const mounts: Mount[] = [];
  if (rest !== undefined) mounts.push(restMount(rest));
  if (rpc !== false) mounts.push({ style: 'rpc', prefix: prefixOf(rpc === true ? {} : rpc) });
  if (mounts.length === 0) throw new ConfigurationError('Both styles are off.', "Give 'rest' options, or leave 'rpc' on.");
  requireDistinct(mounts);
  // Nest registers routes in this order. The longer prefix comes first, because it may lie inside the shorter one.
  return mounts.sort((a, b) => b.prefix.length - a.prefix.length);
}

function restMount(options: RestMountOptions): Mount {
  const operations = operationsMount(options.operations);
  return { style: 'rest', prefix: prefixOf(options), ...(operations && { operations }) };
}

function requireDistinct([first, second]: readonly Mount[]): void {
  if (first === undefined || first.prefix !== second?.prefix) return;
  throw new ConfigurationError(
    `REST and RPC are both mounted at '/${first.prefix}'.`,
    "Give them different prefixes, e.g. rest: { prefix: 'api/rest' } and rpc: { prefix: 'api/rpc' }.",
  );
}

function prefixOf({ prefix = REST.prefix.fallback }: MountOptions): string {
  if (/[:*?#{}()\\]/.test(prefix)) {
    throw new ConfigurationError(`The prefix '${prefix}' is no plain path.`, "Write path segments only, e.g. 'api/rest'.");
  }
  return prefix.replace(/^\/+|\/+$/g, '');
}
