import type { SchemaKey, SchemaModel } from '../model/schema/resource-schema.js';
import type { DmmfIndex, DmmfModel } from './dmmf.js';

/** A key in Prisma's description. The name is null unless the schema has one. */
interface DmmfKey {
  readonly name: string | null;
  readonly fields: readonly string[];
}

interface ReadParts {
  readonly fields: SchemaModel['fields'];
  readonly constraints: readonly DmmfIndex[];
}

/**
 * Reads the keys of a model, named as in a Prisma `where`. Omits keys that the Prisma client does not accept: those with a column of an unsupported
 * type, and a named `@@id` or `@@unique` of one field. For the latter, Prisma 7 rejects both the name and the field.
 *
 * @param read The fields that were read from the model, and its constraints.
 */
export function readKeys(model: DmmfModel, { fields, constraints }: ReadParts): Pick<SchemaModel, 'primaryKey' | 'uniqueKeys'> {
  const [primaryKey] = readAs('id', primaryKeysOf(model));
  return { ...(primaryKey && { primaryKey }), uniqueKeys: readAs('unique', uniqueKeysOf(model)) };

  function readAs(type: DmmfIndex['type'], keys: readonly DmmfKey[]): readonly SchemaKey[] {
    const named = constraints.filter((index) => index.type === type && index.dbName !== undefined);
    return keys.filter(isOffered).map((key) => {
      const constraint = named.find((index) => index.fields.map(({ name }) => name).join() === key.fields.join())?.dbName;
      return { name: key.name ?? key.fields.join('_'), fields: key.fields, ...(constraint && { constraint }) };
    });
  }

  function isOffered(key: DmmfKey): boolean {
    return key.fields.every((name) => Object.hasOwn(fields, name)) && (key.fields.length > 1 || key.name === null);
  }
}

/** Returns the primary key: `@@id`, otherwise `@id`. A model may have none. */
function primaryKeysOf(model: DmmfModel): readonly DmmfKey[] {
  return model.primaryKey ? [model.primaryKey] : model.fields.filter((field) => field.isId).map(({ name }) => singleKey(name));
}

/** Returns the `@unique` fields, then the `@@unique` keys. A field with both is one key. */
function uniqueKeysOf(model: DmmfModel): readonly DmmfKey[] {
  const inBlock = new Set(model.uniqueIndexes.filter((key) => key.fields.length === 1).flatMap((key) => key.fields));
  const onFields = model.fields.filter((field) => field.isUnique && !inBlock.has(field.name));
  return [...onFields.map(({ name }) => singleKey(name)), ...model.uniqueIndexes];
}

function singleKey(field: string): DmmfKey {
  return { name: null, fields: [field] };
}
