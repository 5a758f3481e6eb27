import { checkAll } from '../errors/check-all.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import type { Limits } from '../model/limits.js';
import { checkValues, fillOptions, ofFactory } from '../model/option-table.js';
import { readDuration } from '../model/read-duration.js';
import { type OperationsMount, operationsSettings } from './operations-mount.js';
import { COUNT_OPTIONS, CSV, EXPORT, REST, SNAPSHOT } from './option-table.js';
import type { ExportOptions, RestMountOptions, RestOptions } from './resource-api-options.js';
import type { RestSettings, SnapshotSettings } from './rest-settings.js';
import { later } from '../utils/later.js';

/**
 * Checks the options of REST and fills in the defaults.
 *
 * @throws ConfigurationError listing every problem
 */
export function compileRestSettings(
  options: Partial<Omit<RestOptions, keyof RestMountOptions>> = {},
  limits: Limits,
  operationsMount?: OperationsMount,
): RestSettings {
  const read = fillOptions(options, REST, limits);
  checkAll([
    later(checkValues, 'rest', options, ofFactory(REST)),
    later(requireFitting, read, limits),
    later(operationsSettings, operationsMount, limits),
  ]);
  const { endpoint, pageSize, maxPageSize, strict, idDivider, acceptWeakTags, cursorKeys } = read;
  const operations = operationsSettings(operationsMount, limits);
  return Object.freeze({
    endpoint: endpoint.replace(/\/+$/, ''),
    pageSize,
    maxPageSize,
    strict,
    idDivider,
    ...countSettings(read.count),
    ...(acceptWeakTags && { acceptWeakTags }),
    ...(cursorKeys && { cursorKeys: Object.freeze([...cursorKeys]) }),
    ...(operations && { operations }),
    ...exportSettings(read.export),
  });
}

function requireFitting({ pageSize, maxPageSize }: Pick<RestSettings, 'pageSize' | 'maxPageSize'>, { maxTake }: Limits): void {
  if (pageSize > maxPageSize) {
    throw new ConfigurationError(`rest.pageSize (${pageSize}) is over rest.maxPageSize (${maxPageSize}).`, 'Raise rest.maxPageSize.');
  }
  if (pageSize !== Infinity && pageSize > maxTake) {
    throw new ConfigurationError(`rest.pageSize (${pageSize}) is over limits.maxTake (${maxTake}).`, 'Raise limits.maxTake.');
  }
}

function countSettings(given: NonNullable<RestOptions['count']>): Pick<RestSettings, 'count' | 'mostCount' | 'exactUpTo'> {
  if (typeof given === 'string') return { count: given };
  const { default: count, most: mostCount, exactUpTo } = fillOptions(given, COUNT_OPTIONS, undefined);
  return { count, mostCount, ...(exactUpTo !== undefined && { exactUpTo }) };
}

/** Returns the settings of exports, or an empty object if `rest.export` is off. */
function exportSettings(given: boolean | ExportOptions): Pick<RestSettings, 'export'> {
  if (given === false) return {};
  const { csv, snapshot: snapshotOption } = fillOptions(given === true ? {} : given, EXPORT, undefined);
  const snapshot = snapshotSettings(snapshotOption);
  return { export: { csv: fillOptions(csv, CSV, undefined), ...(snapshot && { snapshot }) } };
}

function snapshotSettings(given: NonNullable<ExportOptions['snapshot']>): SnapshotSettings | undefined {
  if (given === false) return undefined;
  const { maxDuration, max } = fillOptions(given === true ? {} : given, SNAPSHOT, undefined);
  return { maxDuration: readDuration('rest.export.snapshot.maxDuration', maxDuration), max };
}
