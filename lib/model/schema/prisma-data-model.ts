import { isObject } from '../../utils/is-object.js';

/** The data model that a Prisma client was generated with: the names and types of its models and fields. */
export interface PrismaDataModel {
  readonly models: Readonly<Record<string, { readonly fields: readonly PrismaField[] }>>;
}

export interface PrismaField {
  readonly name: string;
  /** `object` is a relation, or with no `relationName` a composite type of MongoDB. */
  readonly kind: 'scalar' | 'enum' | 'object' | 'unsupported';
  readonly type: string;
  readonly relationName?: string | null;
}

/**
 * The data model of a Prisma client, extended or bound to a transaction as it may be; undefined for anything else (ZenStack's ORM, a fake).
 *
 * Prisma offers no public way to it. Whatever does not have exactly this form is none, such as a mock that has a function for every name.
 */
export function prismaDataModelOf(client: object): PrismaDataModel | undefined {
  const model = readClientMember(client, '_runtimeDataModel');
  return isDataModel(model) ? model : undefined;
}

/** A client behind a host's own Proxy may throw at a name that it does not know. */
function readClientMember(client: object, name: string): unknown {
  try {
    return Reflect.get(client, name);
  } catch {
    return undefined;
  }
}

/** The text of the Prisma schema that a Prisma client was generated from, where it says so. */
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
