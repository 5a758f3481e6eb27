import type { JsonSchemas } from './json-schema.js';
import type { OpenApiDocument, Reference } from './open-api.js';

/**
 * Copies a document for Swagger UI and cuts nested references.
 *
 * Swagger UI resolves each reference when it opens an operation. Schemas of filters, selections and nested writes reference each other through
 * relations, so this takes from seconds to minutes. In the copy, such a reference is an object with the name of the referenced schema.
 */
export function forSwaggerUi<Document extends Pick<OpenApiDocument, 'components'>>(document: Document): Document {
  const { schemas, ...others } = document.components;
  const graph = new Map(Object.entries(schemas).map(([name, schema]) => [name, referencesOf(schema)]));
  const nesting = nestingSchemas(graph);
  const large = largeSchemas(schemas, graph, nesting);
  const shown = Object.entries(schemas).map(([name, schema]): [string, unknown] => {
    const isCut = (target: string): boolean => large.has(target) || (nesting.has(name) && nesting.has(target));
    return [name, withoutReferences(schema, isCut)];
  });
  const all = new Map(shown);
  const used = reachable(referencesOf({ ...document, components: others }), all);
  return { ...document, components: { ...others, schemas: Object.fromEntries(shown.filter(([name]) => used.has(name))) } };
}

/** Returns the given names and the names of all schemas that they reference, directly or indirectly. */
function reachable(names: ReadonlySet<string>, schemas: ReadonlyMap<string, unknown>): ReadonlySet<string> {
  const found = new Set(names);
  for (const name of found) for (const target of referencesOf(schemas.get(name))) found.add(target);
  return found;
}

/** The names of the referenced schemas by the name of a schema. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const PREFIX = '#/components/schemas/';

/** Maximum number of objects and arrays in a schema, including its references. A larger schema is replaced by its name. */
const MAX_PARTS = 2000;

/** Returns the schemas in cycles, and those between two cycles. */
function nestingSchemas(graph: Graph): ReadonlySet<string> {
  return new Set(withoutEnds(invert(withoutEnds(graph))).keys());
}

/** Removes the schemas without references, until each remaining schema references another. */
function withoutEnds(graph: Graph): Graph {
  const users = invert(graph);
  const open = new Map([...graph].map(([name, targets]) => [name, targets.size]));
  const ends = [...open].filter(([, count]) => count === 0).map(([name]) => name);
  for (const end of ends) {
    open.delete(end);
    for (const user of users.get(end) ?? []) {
      const left = (open.get(user) ?? 0) - 1;
      open.set(user, left);
      if (left === 0) ends.push(user);
    }
  }
  return new Map([...open.keys()].map((name) => [name, new Set([...(graph.get(name) ?? [])].filter((target) => open.has(target)))]));
}

function invert(graph: Graph): Graph {
  const users = new Map([...graph.keys()].map((name) => [name, new Set<string>()]));
  for (const [name, targets] of graph) for (const target of targets) users.get(target)?.add(name);
  return users;
}

function largeSchemas(schemas: JsonSchemas, graph: Graph, nesting: ReadonlySet<string>): ReadonlySet<string> {
  const sizes = new Map<string, number>();
  const sizeOf = (name: string): number => {
    const known = sizes.get(name);
    if (known !== undefined) return known;
    const kept = [...(graph.get(name) ?? [])].filter((target) => !nesting.has(name) || !nesting.has(target));
    const within = kept.map((target) => Math.min(sizeOf(target), MAX_PARTS));
    const size = within.reduce((sum, one) => sum + one, countParts(schemas[name]));
    sizes.set(name, size);
    return size;
  };
  return new Set([...graph.keys()].filter((name) => !nesting.has(name) && sizeOf(name) > MAX_PARTS));
}

function countParts(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, member) => sum + countParts(member), 1);
}

function referencesOf(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return found;
  if (isReference(value)) found.add(value.$ref.slice(PREFIX.length));
  for (const member of Object.values(value)) referencesOf(member, found);
  return found;
}

function withoutReferences(value: unknown, isCut: (name: string) => boolean): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((member: unknown) => withoutReferences(member, isCut));
  if (isReference(value)) {
    const name = value.$ref.slice(PREFIX.length);
    if (isCut(name)) return { type: 'object', title: name, description: NESTED };
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutReferences(member, isCut)]));
}

const NESTED = 'Nested, so not shown here. The OpenAPI document describes it.';

function isReference(value: object): value is Reference {
  return '$ref' in value && typeof value.$ref === 'string' && value.$ref.startsWith(PREFIX);
}
