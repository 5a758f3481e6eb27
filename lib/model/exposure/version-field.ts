import { ConfigurationError } from '../../errors/configuration-error.js';
import type { DatabaseProvider, SchemaField, SchemaModel } from '../schema/resource-schema.js';
import { isConnectiveName } from '../surface/prisma-operators.js';
import { isObject } from '../../utils/is-object.js';
import { isGranted } from './granted.js';
import { ownOption } from './own-option.js';
import type { ResourceOptions } from './resources-option.js';

/** The options and the schema that determine the version of a model. */
interface Versioned {
  readonly model: string;
  readonly schema: SchemaModel;
  readonly options: Pick<ResourceOptions, 'version' | 'concurrency'>;
  readonly provider: DatabaseProvider;
}

/**
 * Returns the version field of a model, by Prisma's name; undefined for a model without one. The option `version` takes precedence over
 * `/// @api.version`.
 *
 * @throws ConfigurationError for an unsuitable field, several fields, or `concurrency` without a version where rows cannot be hashed
 * (CC-13)
 */
export function versionFieldOf({ model, schema, options, provider }: Versioned): string | undefined {
  const [name, ...others] = namedVersions(schema, options);
  if (others.length > 0)
    throw new ConfigurationError(`${model} has several fields with @api.version: ${[name, ...others].join(', ')}.`, 'Keep one of them.');
  if (name !== undefined) checkField(`${model}.${name}`, schema.fields[name], name);
  else if (options.concurrency !== undefined) requireHashable(options.concurrency, { model, schema, provider });
  return name;
}

/**
 * Rejects models whose rows cannot be hashed. Without a version field, the statement of a write compares all hashed values (CC-16), so they
 * must be comparable.
 */
function requireHashable(concurrency: string, { model, schema, provider }: Pick<Versioned, 'model' | 'schema' | 'provider'>): void {
  const names = Object.entries(schema.fields).flatMap(([name, field]) =>
    isComparable(field, provider) && !isConnectiveName(name) ? [] : [`'${name}'`],
  );
  const problem = COMPARING.has(provider)
    ? names.length > 0 && `${names.join(', ')} cannot be compared with what was read`
    : `${provider} may take values for the same that differ`;
  if (problem === false) return;
  throw new ConfigurationError(
    `resources.${model}.concurrency is '${concurrency}', and ${model} has no version. A hash of the row cannot stand for it: ${problem}.`,
    "Add a field 'version Int @default(1)' to it, with the comment '/// @api.version'.",
  );
}

/** Databases that compare texts exactly. */
const COMPARING: ReadonlySet<DatabaseProvider> = new Set(['postgresql', 'cockroachdb', 'sqlite'] as const);

/** Types that ignore case in comparisons, or that cannot be compared with a value. */
const INEXACT: ReadonlySet<string> = new Set(['Citext', 'Xml', 'Money']);

function isComparable(field: SchemaField, provider: DatabaseProvider): boolean {
  if (field.kind === 'relation') return true;
  if (field.list === true) return false;
  return field.kind === 'enum' || (!INEXACT.has(field.nativeType?.[0] ?? '') && isExact(field, provider));
}

/**
 * Whether equal values of a type are stored and returned exactly. Rounded numbers, Json, and times with more digits than a Date are not.
 * SQLite stores a Decimal as a binary number.
 */
function isExact({ type, nativeType }: Extract<SchemaField, { readonly kind: 'scalar' }>, provider: DatabaseProvider): boolean {
  if (type === 'Decimal') return provider !== 'sqlite';
  return type !== 'Float' && type !== 'Json' && (type !== 'DateTime' || keepsMilliseconds(nativeType));
}

/** Whether a time has at most milliseconds. Prisma's default for DateTime is `Timestamp(3)`; without a number, PostgreSQL stores six digits. */
function keepsMilliseconds([name, [digits = '6']]: readonly [string, readonly string[]] = ['Timestamp', ['3']]): boolean {
  return name === 'Date' || (/^Timestamp(?:tz)?$/.test(name) && Number(digits) <= 3);
}

/**
 * Rejects a version field that needs a grant, because its value is in ETags, which every reader of the row receives.
 *
 * @param place the place of the options, e.g. `resources.Post`
 * @throws ConfigurationError
 */
export function checkOpenVersion(place: string, schema: SchemaModel, options: Pick<ResourceOptions, 'version' | 'fields'>): void {
  for (const name of namedVersions(schema, options)) {
    const option = ownOption(options.fields, name);
    if (!isObject(option) || !Object.values(option).some(isGranted)) continue;
    throw new ConfigurationError(
      `${place}.fields.${name} takes a grant, and is the version of the model: its value is in ETags, for everybody.`,
      'Say of its rights whether they are open, or count changes in another field.',
    );
  }
}

/** Returns the field of the option `version`, or else the fields with `/// @api.version`. */
function namedVersions(schema: SchemaModel, options: Pick<ResourceOptions, 'version'>): readonly string[] {
  if (options.version !== undefined) return [options.version];
  return Object.entries(schema.fields).flatMap(([name, field]) => (field.kind === 'scalar' && field.version === true ? [name] : []));
}

/**
 * Rejects a field that cannot be a version. A DateTime cannot, because two writes may occur in one millisecond, and databases store more
 * digits than a Date.
 */
function checkField(place: string, field: SchemaField | undefined, name: string): void {
  const problem = isConnectiveName(name) ? 'Prisma takes its name for a connective in filters' : problemOf(field);
  if (problem === undefined) return;
  throw new ConfigurationError(
    `${place} cannot be a version: ${problem}.`,
    "A version is a field such as 'version Int @default(1)', Int or BigInt.",
  );
}

function problemOf(field: SchemaField | undefined): string | undefined {
  if (field === undefined) return 'there is no such field';
  if (field.kind !== 'scalar' || (field.type !== 'Int' && field.type !== 'BigInt')) return 'it is no integer';
  if (field.list === true) return 'it is a list';
  if (field.optional === true) return 'it may be null';
  if (field.default?.kind !== 'value') return 'it has no default to start at';
  return undefined;
}
