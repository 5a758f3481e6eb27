import { ConfigurationError } from '../errors/configuration-error.js';
import type { Limits } from '../model/limits.js';
import { checkTable, fillOptions } from '../model/option-table.js';
import type { ResourceModel } from '../model/resource-model.js';
import { OPERATIONS_OPTIONS, REST } from './option-table.js';
import type { OperationsOptions } from './resource-api-options.js';
import type { OperationsSettings, RestSettings } from './rest-settings.js';

/** The part of `rest.operations` that is needed at registration, because its path is a route. */
export type OperationsMount = OperationsOptions & Required<Pick<OperationsOptions, 'path'>>;

/**
 * Reads the option `rest.operations`.
 *
 * @returns undefined if it is off
 * @throws ConfigurationError
 */
export function operationsMount(option: boolean | OperationsOptions = REST.operations.fallback): OperationsMount | undefined {
  if (option === false) return undefined;
  const given = option === true ? {} : option;
  checkTable('rest.operations', given, OPERATIONS_OPTIONS);
  return { ...given, path: given.path ?? OPERATIONS_OPTIONS.path.fallback };
}

/**
 * Checks `rest.operations` against the limits, and fills in the defaults.
 *
 * @throws ConfigurationError
 */
export function operationsSettings(mount: OperationsMount | undefined, limits: Limits): OperationsSettings | undefined {
  if (!mount) return undefined;
  const { maxBatchSize } = limits;
  const { path, maxOperations, timeout } = fillOptions(mount, OPERATIONS_OPTIONS, limits);
  if (maxOperations > maxBatchSize) {
    throw new ConfigurationError(
      `rest.operations.maxOperations (${maxOperations}) is over limits.maxBatchSize (${maxBatchSize}).`,
      'Raise limits.maxBatchSize.',
    );
  }
  return Object.freeze({ path, maxOperations, timeout });
}

/**
 * Checks that no resource type has the path of the atomic operations.
 *
 * @throws ConfigurationError if one has it (AO-06)
 */
export function requireFreePath(settings: Pick<RestSettings, 'operations'> | undefined, { byType }: Pick<ResourceModel, 'byType'>): void {
  const { path = '' } = settings?.operations ?? {};
  const resource = byType.get(path.toLowerCase());
  if (!resource) return;
  throw new ConfigurationError(
    `The atomic operations are at '/${path}', and so is the model ${resource.model}.`,
    "Give them another path: rest: { operations: { path: 'atomic' } }.",
  );
}
