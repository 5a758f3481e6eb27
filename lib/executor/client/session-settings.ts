import type { Storage, StoredField } from '../../model/storage/storage.js';

/** A setting of PostgreSQL sessions that changes values between a column and the data client. */
interface SessionSetting {
  readonly name: string;
  /** SQL condition that is true if the session changes values of the fields in {@link changes}. */
  readonly isUnfit: string;
  readonly changes: (field: StoredField) => boolean;
  readonly consequence: string;
  /** The value that changes nothing. */
  readonly remedy: string;
}

const isOf =
  (...types: readonly string[]) =>
  ({ nativeType }: StoredField): boolean =>
    types.includes(nativeType?.[0] ?? '');

const isZoned = isOf('Timestamptz', 'Timetz');

/** Whether the database computes the default. `now()` without a time zone is in the time zone of the session. */
function hasDatabaseDefault({ default: value }: StoredField): boolean {
  return value?.kind === 'function' && value.name === 'dbgenerated';
}

/** `bytea_output`, `IntervalStyle` and `standard_conforming_strings` change no value. */
const SETTINGS: readonly SessionSetting[] = [
  {
    name: 'TimeZone',
    isUnfit: `EXISTS (SELECT FROM generate_series('1850-01-01Z'::timestamptz, '2050-01-01Z', '1 month') AS t WHERE extract(timezone FROM t) <> 0)`,
    changes: (field) => field.type === 'DateTime' && (isZoned(field) || hasDatabaseDefault(field)),
    consequence:
      'Prisma leaves out the offset of a timestamptz: what other programs write is read hours off, what the API writes is stored hours off, ' +
      'and times at the change to summer time are altered',
    remedy: 'UTC',
  },
  {
    name: 'DateStyle',
    isUnfit: `current_setting('DateStyle') NOT LIKE 'ISO%'`,
    changes: ({ type }) => type === 'DateTime',
    consequence: 'Prisma reads no dates in this format: such requests are answered 500',
    remedy: 'ISO',
  },
  {
    name: 'extra_float_digits',
    isUnfit: `current_setting('extra_float_digits')::int < 1`,
    changes: ({ type }) => type === 'Float',
    consequence:
      'PostgreSQL rounds floats on their way out: a client that filters by what it has read finds nothing, and one that saves it changes it',
    remedy: '1',
  },
  {
    name: 'lc_monetary',
    isUnfit: `1234.5::numeric::money::text !~ '1.?234[.]50'`,
    changes: isOf('Money'),
    consequence: 'PostgreSQL takes the decimal point that Prisma sends for something else: 1234.56 may be stored as 123456',
    remedy: 'C',
  },
];

/** A setting of a session that changes values. */
export interface UnfitSetting {
  readonly name: string;
  readonly value: string;
}

/** Fields whose values a setting changes, as `Model.field`. */
type ChangedFields = ReadonlyMap<string, readonly string[]>;

/** Returns the fields of a database that each setting may change. Settings that change none are left out. */
export function fieldsBySetting({ provider, orm, byModel }: Storage): ChangedFields {
  if (provider !== 'postgresql' || orm !== 'prisma') return new Map();
  const fields = [...byModel.values()].flatMap((model) =>
    [...model.fields.values()].map((field) => [`${model.model}.${field.name}`, field] as const),
  );
  return new Map(
    SETTINGS.flatMap(({ name, changes }) => {
      const changed = fields.flatMap(([place, field]) => (changes(field) ? [place] : []));
      return changed.length > 0 ? [[name, changed] as const] : [];
    }),
  );
}

/** Compiles SQL that selects the name and the value of each of these settings that changes values in the session. */
export function unfitSettingsSql(fields: ChangedFields): string {
  const selects = SETTINGS.filter(({ name }) => fields.has(name)).map(
    ({ name, isUnfit }) => `SELECT '${name}'::text AS "name", current_setting('${name}') AS "value" WHERE ${isUnfit}`,
  );
  return selects.join(' UNION ALL ');
}

const MOST_NAMED = 3;

/** Returns the text of a warning: the setting, the fields, the consequence and the remedy. */
export function unfitSettingText(
  connections: 'data client' | 'pool that SQL runs on',
  { name, value }: UnfitSetting,
  fields: ChangedFields,
): string {
  const setting = SETTINGS.find((one) => one.name === name);
  const changed = fields.get(name);
  if (!setting || !changed) return '';
  const more = changed.length > MOST_NAMED ? ` and ${changed.length - MOST_NAMED} more` : '';
  return (
    `The connections of the ${connections} have ${name} = '${value}', which changes ${changed.slice(0, MOST_NAMED).join(', ')}${more}. ` +
    `${setting.consequence}. Set it where the connections are made: new Pool({ connectionString, options: '-c ${name}=${setting.remedy}' }); ` +
    `or for the role: ALTER ROLE … SET ${name} = '${setting.remedy}'.`
  );
}
