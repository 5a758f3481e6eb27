import { ConfigurationError } from '../../errors/configuration-error.js';
import type { ExposedModel } from './exposed-model.js';
import type { Exposure } from './exposure.js';
import { frozenMap } from '../freeze.js';
import { remedyFor } from '../remedy-for.js';
import type { Attribute, ClientIds, UniqueKey } from '../surface/surface.js';
import type { SchemaKey, SchemaModel } from '../schema/resource-schema.js';
import { mayAddress } from '../surface/rights.js';

/** The exposed attributes of one model, by Prisma's names. */
type Attributes = ReadonlyMap<string, Attribute>;

/**
 * Returns the key that REST uses as the resource's id: the option `externalId`, or the primary key; undefined where there is none.
 *
 * @throws ConfigurationError for an `externalId` that is not a unique key, or whose fields are nullable
 */
export function chooseIdentifier({ model, schema, options }: ExposedModel): SchemaKey | undefined {
  const { externalId } = options;
  if (externalId === undefined) return schema.primaryKey;
  const candidates = listKeys(schema);
  const usable = usableKeys(schema);
  const key = usable.find(({ name }) => name === externalId);
  if (key) return key;
  const problem = candidates.some(({ name }) => name === externalId) ? 'may be null' : 'is no unique key of the model';
  throw new ConfigurationError(
    `resources.${model}.externalId is '${externalId}', which ${problem}.`,
    remedyFor(
      externalId,
      usable.map(({ name }) => name),
      'The unique keys of required fields are',
    ),
  );
}

/** Returns the warning for a model without an id, which REST does not serve. */
export function warnOfNoIdentifier({ model, schema }: Exposure): string {
  const names = quote(usableKeys(schema).map(({ name }) => name));
  const remedy =
    names === ''
      ? `Add @id or @unique to it in the Prisma schema, or set resources.${model} to 'hidden'.`
      : `Set resources.${model}.externalId to one of its unique keys (${names}), or resources.${model} to 'hidden'.`;
  return `The model '${model}' has no primary key to serve as the id, so REST leaves it out; RPC serves it. ${remedy}`;
}

function listKeys({ primaryKey, uniqueKeys }: SchemaModel): readonly SchemaKey[] {
  return [...(primaryKey ? [primaryKey] : []), ...uniqueKeys];
}

/** Returns the keys without nullable fields. */
function usableKeys(schema: SchemaModel): readonly SchemaKey[] {
  return listKeys(schema).filter(({ fields }) => fields.every((field) => schema.fields[field]?.optional !== true));
}

/** Returns a key with its attributes; undefined where one of its fields is not exposed. */
function exposedKey({ name, fields }: SchemaKey, attributes: Attributes): UniqueKey | undefined {
  const exposed = fields.flatMap((field) => attributes.get(field) ?? []);
  return exposed.length === fields.length ? Object.freeze({ name, fields: Object.freeze(exposed) }) : undefined;
}

/**
 * Returns the identifier with its attributes. Because it is part of every document and URL, it must be readable.
 *
 * @throws ConfigurationError where it is not readable
 */
export function readableIdentifier(exposure: Exposure, key: SchemaKey, attributes: Attributes): UniqueKey {
  const identifier = exposedKey(key, attributes);
  const closed = key.fields.filter((field) => attributes.get(field)?.rights.read !== true);
  if (identifier && closed.length === 0) return identifier;
  const { model } = exposure;
  throw new ConfigurationError(
    `The id of '${model}' is made of ${quote(key.fields)}, and ${closed.map((field) => whyClosed(field, exposure)).join(', ')}.`,
    `Open it in resources.${model}.fields, name another unique key as resources.${model}.externalId, or set resources.${model} to 'hidden'.`,
  );
}

function whyClosed(field: string, { schema, rights }: Exposure): string {
  const keyed = Object.entries(schema.fields).flatMap(([name, relation]) => {
    return relation.kind === 'relation' && relation.foreignKey?.fields.includes(field)
      ? [{ name, target: relation.type, isWhole: relation.foreignKey.fields.length === 1 }]
      : [];
  });
  const isReadable = ({ name }: { readonly name: string }): boolean => rights.get(name)?.read === true;
  // A field of a foreign key has the rights of its relation, unless the target hides the referenced values.
  const holding = keyed.find((relation) => isReadable(relation) && (relation.isWhole || keyed.length === 1));
  if (holding) return `'${field}' may not be read, as it holds values that '${holding.target}' hides`;
  const closed = keyed.find((relation) => !isReadable(relation));
  if (closed) return `'${field}' may not be read, as its relation '${closed.name}' to '${closed.target}' may not`;
  return `'${field}' may not be read`;
}

/** Returns the keys that may identify one record: those whose fields all may be filtered by `equals`. */
export function addressableKeys({ schema }: Exposure, attributes: Attributes): ReadonlyMap<string, UniqueKey> {
  const exposed = listKeys(schema).flatMap((key) => exposedKey(key, attributes) ?? []);
  const open = exposed.filter(mayAddress);
  return frozenMap(open.map((key) => [key.name, key]));
}

/**
 * Returns whether a create may or must contain the id.
 *
 * @throws ConfigurationError where the option allows ids of clients, but a field of the id may not be created
 */
export function clientIdsOf({ model, options }: Exposure, { fields }: UniqueKey): ClientIds {
  const closed = fields.find(({ rights }) => !rights.create);
  const { clientIds } = options;
  if (clientIds === undefined) return closed || fields.every(({ hasDefault }) => hasDefault) ? 'forbidden' : 'allowed';
  if (!closed || clientIds === 'forbidden') return clientIds;
  throw new ConfigurationError(
    `resources.${model}.clientIds is '${clientIds}', and the id field '${closed.name}' may not be created.`,
    `Open resources.${model}.fields.${closed.name}.create, or set clientIds to 'forbidden'.`,
  );
}

function quote(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}
