import { isObject } from '../utils/is-object.js';
import type { OpenApiDocument } from './open-api.js';

/**
 * Merges the document of the application's routes with that of the APIs. If both describe the same method of a path, the
 * application's description remains, because its route takes precedence.
 *
 * @param ours built with the names of `host` reserved, so that no two parts have the same name
 */
export function mergeDocuments<Document extends object>(host: Document, ours: OpenApiDocument): Document & OpenApiDocument {
  const { paths, components, tags, ...others } = toOpenApi31(host);
  const given = Array.isArray(tags) ? tags.filter(isObject) : [];
  const names = new Set(given.map(({ name }) => name));
  // The cast is needed because the other members of the application's document are known only by its type.
  return {
    ...ours,
    ...others,
    openapi: ours.openapi,
    tags: [...given, ...ours.tags.filter(({ name }) => !names.has(name))],
    paths: mergeEntries(ours.paths, paths),
    components: mergeEntries(ours.components, components),
  } as Document & OpenApiDocument;
}

/** Merges two levels of members. Those of the application's document take precedence. */
function mergeEntries(ours: object, host: unknown): Schema {
  const merged: Record<string, unknown> = { ...ours };
  for (const [name, value] of Object.entries(host ?? {})) merged[name] = { ...(isObject(merged[name]) && merged[name]), ...value };
  return merged;
}

/**
 * Converts an OpenAPI 3.0 document to 3.1, where schemas are JSON Schema. JSON Schema has no
 * `nullable`, and no boolean `exclusiveMinimum` and `exclusiveMaximum`.
 */
function toOpenApi31(document: object): Schema {
  return upgradeSchema(Object.fromEntries(Object.entries(document).map(([name, member]) => [name, upgradedMember(member)])));
}

function upgradedMember(member: unknown): unknown {
  if (Array.isArray(member)) return member.map(upgradedMember);
  return isObject(member) ? toOpenApi31(member) : member;
}

type Schema = Readonly<Record<string, unknown>>;

function upgradeSchema(schema: Schema): Schema {
  const { nullable, ...plain } = schema;
  const upgraded = typeof nullable === 'boolean' ? withNull(plain, nullable) : schema;
  return BOUNDS.reduce(withExclusive, upgraded);
}

function withNull(schema: Schema, isNullable: boolean): Schema {
  if (!isNullable) return schema;
  const { type, ...others } = schema;
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  const values: unknown = others['enum'];
  return { ...others, type: [type, 'null'].flat(), ...(isArray(values) && { enum: [...new Set([...values, null])] }) };
}

function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

const BOUNDS = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

function withExclusive(schema: Schema, [exclusive, bound]: (typeof BOUNDS)[number]): Schema {
  if (typeof schema[exclusive] !== 'boolean') return schema;
  const { [exclusive]: isExclusive, [bound]: limit, ...others } = schema;
  return { ...others, [isExclusive === true ? exclusive : bound]: limit };
}
