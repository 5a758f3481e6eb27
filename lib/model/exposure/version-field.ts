import { ConfigurationError } from '../../errors/configuration-error.js';
import type { DatabaseProvider, SchemaField, SchemaModel } from '../schema/resource-schema.js';
import { isConnectiveName } from '../surface/prisma-operators.js';
import { isObject } from '../../utils/is-object.js';
import { isGranted } from './granted.js';
import { ownOption } from './own-option.js';
import type { ResourceOptions } from './resources-option.js';

/** What is said of the version of a model. */
interface Versioned {
  readonly model: string;
  readonly schema: SchemaModel;
  readonly options: Pick<ResourceOptions, 'version' | 'concurrency'>;
  readonly provider: DatabaseProvider;
}

/**
 * The field that counts the changes of a row, by Prisma's name; undefined for a model without one. The option `version` wins over `/// @api.version`.
 *
 * @throws ConfigurationError for a field that cannot count, several of them, and `concurrency` without one (CC-13)
 */
export function versionFieldOf({ model, schema, options, provider }: Versioned): string | undefined {
  const [name, ...others] = namedVersions(schema, options);
  if (others.length > 0)
    throw new ConfigurationError(`${model} has several fields with @api.version: ${[name, ...others].join(', ')}.`, 'Keep one of them.');
  if (name !== undefined) checkField(`${model}.${name}`, schema.fields[name], name);
  else if (options.concurrency !== undefined) requireHashable(options.concurrency, { model, schema, provider });
  return name;
}

/** Without a version, a hash of the row stands for it, and the values are compared in the statement that writes (CC-16): so they must be comparable. */
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

/** Databases that compare texts letter by letter. */
const COMPARING: ReadonlySet<DatabaseProvider> = new Set(['postgresql', 'cockroachdb', 'sqlite'] as const);

/** Types that take texts for the same that differ in case, or that cannot be asked for a value. */
const INEXACT: ReadonlySet<string> = new Set(['Citext', 'Xml', 'Money']);

function isComparable(field: SchemaField, provider: DatabaseProvider): boolean {
  if (field.kind === 'relation') return true;
  if (field.list === true) return false;
  return field.kind === 'enum' || (!INEXACT.has(field.nativeType?.[0] ?? '') && isExact(field, provider));
}

/** Not what is rounded, what has several texts, or more digits than a Date. SQLite keeps a Decimal as a binary number. */
function isExact({ type, nativeType }: Extract<SchemaField, { readonly kind: 'scalar' }>, provider: DatabaseProvider): boolean {
  if (type === 'Decimal') return provider !== 'sqlite';
  return type !== 'Float' && type !== 'Json' && (type !== 'DateTime' || keepsMilliseconds(nativeType));
}

/** `Timestamp(3)` is what Prisma makes of a DateTime; without a number, PostgreSQL keeps six digits. */
function keepsMilliseconds([name, [digits = '6']]: readonly [string, readonly string[]] = ['Timestamp', ['3']]): boolean {
  return name === 'Date' || (/^Timestamp(?:tz)?$/.test(name) && Number(digits) <= 3);
}

/**
 * Refuses a version that takes a grant: ETags show its value to everybody who may read the row.
 *
 * @param place of the options, e.g. `resources.Post`
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

/** The option `version`, or else the fields with `/// @api.version`. */
function namedVersions(schema: SchemaModel, options: Pick<ResourceOptions, 'version'>): readonly string[] {
  if (options.version !== undefined) return [options.version];
  return Object.entries(schema.fields).flatMap(([name, field]) => (field.kind === 'scalar' && field.version === true ? [name] : []));
}

/** A date cannot count: two writes of one millisecond have the same, and databases keep more digits than a Date does. */
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
