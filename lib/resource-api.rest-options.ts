import { checkAll } from './errors/check-all.js';
import { ConfigurationError } from './errors/configuration-error.js';
import { ConfigurationProblems } from './errors/configuration-problems.js';
import { checkBoolean, checkChoice, checkNames, checkObject, checkString, mistyped } from './model/check-option.js';
import type { Limits } from './model/limits.js';
import { MAX_TIMER, readDuration } from './model/read-duration.js';
import { type OperationsMount, operationsSettings } from './resource-api.operations.js';
import type { CountOptions, CsvOptions, ExportOptions, RestMountOptions, RestOptions, SnapshotOptions } from './resource-api.options.js';
import type { CountMode, ExportSettings, RestSettings, SnapshotSettings } from './rest/rest-settings.js';
import { later } from './utils/later.js';

const DEFAULT_PAGE_SIZE = 100;

/**
 * Checks the options of REST, and fills in the defaults.
 *
 * @throws ConfigurationError with all that is wrong with them
 */
export function restSettings(
  options: Partial<Omit<RestOptions, keyof RestMountOptions>> = {},
  limits: Limits,
  operationsMount?: OperationsMount,
): RestSettings {
  const { endpoint, strict = false, idDivider = '_', acceptWeakTags = false } = options;
  const problems = new ConfigurationProblems();
  problems.collect(later(requireDivider, idDivider));
  problems.collect(later(checkBoolean, 'rest.strict', strict));
  problems.collect(later(checkBoolean, 'rest.acceptWeakTags', acceptWeakTags));
  const counting = problems.collect(() => countingOf(options.count)) ?? { count: 'exact' };
  const base = problems.collect(() => endpointOf(endpoint)) ?? '';
  const pageSizes = problems.collect(() => pageSizesOf(options, limits)) ?? { pageSize: 0, maxPageSize: 0 };
  const cursors = problems.collect(() => cursorKeysOf(options.cursorKeys));
  const operations = problems.collect(() => operationsSettings(operationsMount, limits));
  const exported = problems.collect(() => exportSettings(options.export));
  problems.throwAny();
  return Object.freeze({
    endpoint: base,
    ...pageSizes,
    strict,
    idDivider,
    ...counting,
    ...(acceptWeakTags && { acceptWeakTags }),
    ...cursors,
    ...(operations && { operations }),
    ...exported,
  });
}

function requireDivider(idDivider: string): void {
  checkString('rest.idDivider', idDivider);
  if (/^[^\\\s/?#%,]+$/.test(idDivider)) return;
  throw new ConfigurationError(
    `rest.idDivider '${idDivider}' cannot join ids.`,
    "Use characters that need no escaping in a URL and separate no lists, e.g. '_' or '--'.",
  );
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

function requirePageSize(option: string, value: number): void {
  if (value === Infinity || (Number.isInteger(value) && value > 0)) return;
  throw new ConfigurationError(`${option} is ${value}.`, 'It must be a positive integer, or Infinity.');
}

const COUNTS: readonly CountMode[] = ['exact', 'none', 'estimated'];
const COUNT: readonly (keyof CountOptions)[] = ['default', 'most', 'exactUpTo'];

function countingOf(option: RestOptions['count'] = 'exact'): Pick<RestSettings, 'count' | 'mostCount' | 'exactUpTo'> {
  if (typeof option !== 'object') {
    checkChoice('rest.count', option, COUNTS);
    return { count: option };
  }
  checkNames(option, { place: 'rest.count', known: COUNT, kind: 'option', all: 'The options are' });
  const { default: count = 'exact', most: mostCount = count, exactUpTo } = option;
  checkChoice('rest.count.default', count, COUNTS);
  checkChoice('rest.count.most', mostCount, COUNTS);
  if (exactUpTo === undefined) return { count, mostCount };
  if (!Number.isInteger(exactUpTo) || exactUpTo < 1) throw mistyped('rest.count.exactUpTo', exactUpTo, 'a positive integer');
  return { count, mostCount, exactUpTo };
}

/** That of the key that is derived from it. */
const MIN_BYTES = 32;

/**
 * Checks the option `rest.cursorKeys`.
 *
 * @param option by plain JavaScript or the environment, so it may be anything
 * @returns nothing where it is left out
 * @throws ConfigurationError, which does not show a key
 */
export function cursorKeysOf(option: RestOptions['cursorKeys']): Pick<RestSettings, 'cursorKeys'> {
  const given: unknown = option;
  if (given === undefined) return {};
  if (!Array.isArray(given) || given.length === 0) throw mistyped('rest.cursorKeys', typeof given, 'a list of keys, the current one first');
  checkAll(given.map((key: unknown, index) => later(requireKey, key, index)));
  return { cursorKeys: Object.freeze(given.filter((key) => typeof key === 'string')) };
}

function requireKey(key: unknown, index: number): void {
  if (typeof key === 'string' && Buffer.byteLength(key) >= MIN_BYTES) return;
  const problem = typeof key === 'string' ? `has ${Buffer.byteLength(key)} bytes` : 'is no text';
  throw new ConfigurationError(
    `rest.cursorKeys[${index}] ${problem}.`,
    `A key is a secret text of at least ${MIN_BYTES} bytes, e.g. of 'openssl rand -base64 32'.`,
  );
}

/** Nothing where there are no exports. */
function exportSettings(given: RestOptions['export'] = false): Pick<RestSettings, 'export'> {
  if (typeof given === 'boolean') return given ? { export: { csv: csvSettings({}) } } : {};
  checkOptions('rest.export', given, 'true, false or an object', EXPORT);
  const { csv = {}, snapshot = false } = given;
  checkOptions('rest.export.csv', csv, 'an object', CSV);
  const settings = snapshotSettings(snapshot);
  return { export: { csv: csvSettings(csv), ...(settings && { snapshot: settings }) } };
}

function checkOptions(place: string, options: object, expected: string, known: readonly string[]): void {
  checkObject(place, options, expected);
  checkNames(options, { place, known, kind: 'option here', all: 'The options are' });
}

function snapshotSettings(given: NonNullable<ExportOptions['snapshot']>): SnapshotSettings | undefined {
  if (given === false) return undefined;
  const place = 'rest.export.snapshot';
  const asked = given === true ? {} : given;
  checkOptions(place, asked, 'true, false or an object', SNAPSHOT);
  const { maxDuration = '5m', max = 2 } = asked;
  const duration = readDuration(`${place}.maxDuration`, maxDuration);
  if (duration > MAX_TIMER - 1000) throw mistyped(`${place}.maxDuration`, maxDuration, 'a time of at most 24 days');
  if (!Number.isInteger(max) || max < 1) throw mistyped(`${place}.max`, max, 'a number of exports, 1 or more');
  return { maxDuration: duration, max };
}

function csvSettings({ escapeFormulas = true, bom = false }: CsvOptions): ExportSettings['csv'] {
  checkAll([later(checkBoolean, 'rest.export.csv.escapeFormulas', escapeFormulas), later(checkBoolean, 'rest.export.csv.bom', bom)]);
  return { escapeFormulas, bom };
}

const SNAPSHOT = Object.keys({ maxDuration: true, max: true } satisfies Record<keyof SnapshotOptions, true>);
const EXPORT = Object.keys({ csv: true, snapshot: true } satisfies Record<keyof ExportOptions, true>);
const CSV = Object.keys({ escapeFormulas: true, bom: true } satisfies Record<keyof CsvOptions, true>);
