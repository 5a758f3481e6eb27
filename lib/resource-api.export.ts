import { checkAll } from './errors/check-all.js';
import { checkBoolean, checkNames, checkObject } from './model/check-option.js';
import type { CsvOptions, ExportOptions, RestOptions } from './resource-api.options.js';
import type { ExportSettings, RestSettings } from './rest/rest-settings.js';

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
  const { csv = {} } = given;
  checkObject('rest.export.csv', csv, 'an object');
  checkNames(csv, { place: 'rest.export.csv', known: CSV, kind: 'option here', all: 'The options are' });
  return { export: { csv: csvSettings(csv) } };
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

const EXPORT = Object.keys({ csv: true } satisfies Record<keyof ExportOptions, true>);
const CSV = Object.keys({ escapeFormulas: true, bom: true } satisfies Record<keyof CsvOptions, true>);
