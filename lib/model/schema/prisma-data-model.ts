import { isObject } from '../../utils/is-object.js';
import { memoizeByObject } from '../../utils/memoize-by-object.js';

/** The data model that a Prisma client was generated with: the names and types of its models and fields. */
export interface PrismaDataModel {
  readonly models: Readonly<Record<string, { readonly fields: readonly PrismaField[] }>>;
}

export interface PrismaField {
  readonly name: string;
  /** `object` is a relation, or without `relationName` a composite type of MongoDB. */
  readonly kind: 'scalar' | 'enum' | 'object' | 'unsupported';
  readonly type: string;
  readonly relationName?: string | null;
}

/**
 * Returns the data model of a Prisma client, which may be extended or in a transaction; undefined for other clients (ZenStack's ORM, a
 * fake).
 *
 * Prisma has no public API for it, so only an object of exactly this shape is accepted. A mock that returns a function for every name is
 * not.
 */
export function prismaDataModelOf(client: object): PrismaDataModel | undefined {
  const model = readClientMember(client, '_runtimeDataModel');
  return isObject(model) ? checkedDataModel(model) : undefined;
}

/** Checks an object once, because clients that are made for each request share it. */
const checkedDataModel = memoizeByObject((model: object) => (isDataModel(model) ? model : undefined));

/** Reads a member. A client that the application has wrapped in a Proxy may throw for unknown names. */
function readClientMember(client: object, name: string): unknown {
  try {
    return Reflect.get(client, name);
  } catch {
    return undefined;
  }
}

/** Returns the text of the Prisma schema that a Prisma client was generated from, if the client contains it. */
export function prismaSchemaTextOf(client: object): string | undefined {
  const config = readClientMember(client, '_engineConfig');
  const text: unknown = isObject(config) ? config['inlineSchema'] : undefined;
  return typeof text === 'string' ? text : undefined;
}

function isDataModel(value: unknown): value is PrismaDataModel {
  if (!isObject(value) || !isObject(value['models'])) return false;
  const models = Object.values(value['models']);
  return models.length > 0 && models.every((model) => isObject(model) && Array.isArray(model['fields']) && model['fields'].every(isField));
}

function isField(value: unknown): value is PrismaField {
  return isObject(value) && ['name', 'kind', 'type'].every((name) => typeof value[name] === 'string');
}
