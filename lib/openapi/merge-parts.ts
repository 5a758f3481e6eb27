import { isObject } from '../utils/is-object.js';
import { type DocumentPart, partsOf, Sections } from './document-parts.js';

/**
 * Merges the document of the application's routes with the parts that describe the APIs. If both describe the same method of a path, the
 * application's description remains, because its route takes precedence.
 *
 * @param ours built with the names of `application` reserved, so that no two parts have the same name
 */
export function* mergeParts(application: object, ours: Iterable<DocumentPart>): Generator<DocumentPart> {
  // The version of OpenAPI is that of the APIs, to which the application's document is converted.
  const left = new Sections<unknown>();
  for (const part of partsOf({ ...toOpenApi31(application), openapi: undefined })) left.set(part, part.value);
  for (const part of ours) {
    const own = left.take(part);
    yield own === undefined ? part : { ...part, value: mergeValues(part, own) };
  }
  for (const [part, value] of left.all()) yield { ...part, value };
}

/** Merges two parts of the same name. Only the tags of a document and the methods of a path may be in both. */
function mergeValues({ section, name, value }: DocumentPart, own: unknown): unknown {
  if (section === 'paths') return { ...(isObject(value) && value), ...(isObject(own) && own) };
  return section === '' && name === 'tags' ? mergeTags(value, own) : own;
}

function mergeTags(ours: unknown, own: unknown): unknown {
  const given = Array.isArray(own) ? own.filter(isObject) : [];
  const names = new Set(given.map(({ name }) => name));
  return [...given, ...(Array.isArray(ours) ? ours.filter(isObject) : []).filter(({ name }) => !names.has(name))];
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
