import { checkAll } from './errors/check-all.js';
import { ConfigurationError } from './errors/configuration-error.js';
import { checkBoolean, checkNames, checkObject, mistyped } from './model/check-option.js';
import { MAX_TIMER, readDuration } from './model/read-duration.js';
import type { ResourceModel } from './model/resource-model.js';
import type { CsvOptions, ExportOptions, RestOptions, SnapshotOptions } from './resource-api.options.js';
import type { ExportSettings, RestSettings, SnapshotSettings } from './rest/rest-settings.js';

/**
 * The option `rest.export`, checked.
 *
 * @returns nothing where there are no exports
 * @throws ConfigurationError
 */
export function exportSettings(given: RestOptions['export'] = false): Pick<RestSettings, 'export'> {
  if (typeof given === 'boolean') return given ? { export: { csv: csvSettings({}) } } : {};
  checkObject('rest.export', given, 'true, false or an object');
  checkNames(given, { place: 'rest.export', known: EXPORT, kind: 'option here', all: 'The options are' });
  const { csv = {}, snapshot = false } = given;
  checkObject('rest.export.csv', csv, 'an object');
  checkNames(csv, { place: 'rest.export.csv', known: CSV, kind: 'option here', all: 'The options are' });
  const settings = snapshotSettings(snapshot);
  return { export: { csv: csvSettings(csv), ...(settings && { snapshot: settings }) } };
}

/** @throws ConfigurationError for snapshots where the database, or its client, has none */
export function requireSnapshots(rest: Pick<RestSettings, 'export'> | undefined, model: Pick<ResourceModel, 'storage'> | undefined): void {
  if (!rest?.export?.snapshot || !model) return;
  const { provider, orm } = model.storage;
  if (provider === 'postgresql' && orm === 'prisma') return;
  throw new ConfigurationError(
    `rest.export.snapshot is for PostgreSQL with Prisma, and this is ${provider}${orm === 'prisma' ? '' : ` with ${orm}`}.`,
    'Leave it out.',
  );
}

function snapshotSettings(given: NonNullable<ExportOptions['snapshot']>): SnapshotSettings | undefined {
  if (given === false) return undefined;
  const place = 'rest.export.snapshot';
  const asked = given === true ? {} : given;
  checkObject(place, asked, 'true, false or an object');
  checkNames(asked, { place, known: SNAPSHOT, kind: 'option here', all: 'The options are' });
  const { maxDuration = '5m', max = 2 } = asked;
  const duration = readDuration(`${place}.maxDuration`, maxDuration);
  if (duration > MAX_TIMER - 1000) throw mistyped(`${place}.maxDuration`, maxDuration, 'a time of at most 24 days');
  if (!Number.isInteger(max) || max < 1) throw mistyped(`${place}.max`, max, 'a number of exports, 1 or more');
  return { maxDuration: duration, max };
}

function csvSettings({ escapeFormulas = true, bom = false }: CsvOptions): ExportSettings['csv'] {
  checkAll([
    () => {
      checkBoolean('rest.export.csv.escapeFormulas', escapeFormulas);
    },
    () => {
      checkBoolean('rest.export.csv.bom', bom);
    },
  ]);
  return { escapeFormulas, bom };
}

const SNAPSHOT = Object.keys({ maxDuration: true, max: true } satisfies Record<keyof SnapshotOptions, true>);
const EXPORT = Object.keys({ csv: true, snapshot: true } satisfies Record<keyof ExportOptions, true>);
const CSV = Object.keys({ escapeFormulas: true, bom: true } satisfies Record<keyof CsvOptions, true>);
