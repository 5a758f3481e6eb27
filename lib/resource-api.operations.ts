import { ConfigurationError } from './errors/configuration-error.js';
import { checkNames, checkString, mistyped } from './model/check-option.js';
import type { Limits } from './model/limits.js';
import type { ResourceModel } from './model/resource-model.js';
import type { OperationsOptions } from './resource-api.options.js';
import type { OperationsSettings, RestSettings } from './rest/rest-settings.js';

/** `rest.operations`, as far as it must be known at registration: its path is a route. */
export type OperationsMount = OperationsOptions & Required<Pick<OperationsOptions, 'path'>>;

/**
 * Reads the option `rest.operations`.
 *
 * @returns undefined where it is off
 * @throws ConfigurationError
 */
export function operationsMount(option: boolean | OperationsOptions = false): OperationsMount | undefined {
  if (option === false) return undefined;
  const given = option === true ? {} : option;
  checkNames(given, { place: 'rest.operations', known: NAMES, kind: 'option here', all: 'The options are' });
  const { path = 'operations' } = given;
  checkString('rest.operations.path', path);
  if (SEGMENT.test(path)) return { ...given, path };
  throw new ConfigurationError(`rest.operations.path '${path}' is no segment of a path.`, "Write one plain segment, e.g. 'operations'.");
}

const NAMES = Object.keys({ path: true, maxOperations: true, timeout: true } satisfies Record<keyof OperationsOptions, true>);

const SEGMENT = /^[\w~-][\w.~-]*$/;

const DEFAULT_MAX_OPERATIONS = 100;

/**
 * Fills in the defaults.
 *
 * @throws ConfigurationError
 */
export function operationsSettings(
  mount: OperationsMount | undefined,
  { maxBatchSize, maxDuration }: Limits,
): OperationsSettings | undefined {
  if (!mount) return undefined;
  const { path, maxOperations = Math.min(DEFAULT_MAX_OPERATIONS, maxBatchSize), timeout = maxDuration } = mount;
  requirePositive('rest.operations.maxOperations', maxOperations);
  requirePositive('rest.operations.timeout', timeout);
  if (maxOperations > maxBatchSize) {
    throw new ConfigurationError(
      `rest.operations.maxOperations (${maxOperations}) is over limits.maxBatchSize (${maxBatchSize}).`,
      'Raise limits.maxBatchSize.',
    );
  }
  return Object.freeze({ path, maxOperations, timeout });
}

function requirePositive(option: string, value: unknown): void {
  if (value === Infinity || (Number.isInteger(value) && Number(value) > 0)) return;
  throw mistyped(option, value, 'a positive integer, or Infinity');
}

/** @throws ConfigurationError where a resource type has the path of the operations (AO-06) */
export function requireFreePath(settings: Pick<RestSettings, 'operations'> | undefined, { byType }: Pick<ResourceModel, 'byType'>): void {
  const { path = '' } = settings?.operations ?? {};
  const resource = byType.get(path.toLowerCase());
  if (!resource) return;
  throw new ConfigurationError(
    `The atomic operations are at '/${path}', and so is the model ${resource.model}.`,
    "Give them another path: rest: { operations: { path: 'atomic' } }.",
  );
}
