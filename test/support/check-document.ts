import type { Identifier, JsonApiDocument, RelationshipObject, ResourceObject } from './json-api-document.js';

/** As it came: attributes and relationships may be absent. */
type RawResource = Identifier & Partial<ResourceObject>;

/**
 * The rules of JSON:API 1.1 that no JSON Schema can state:
 *
 * - "A compound document MUST NOT include more than one resource object for each type and id pair."
 * - "Compound documents require full linkage": every included resource is linked to from the primary data, directly or over others.
 * - "Fields for a resource object MUST share a common namespace with each other and with type and id."
 *
 * @returns one sentence per breach
 */
export function checkDocument(document: JsonApiDocument): readonly string[] {
  const primary = listOf(document.data) as readonly RawResource[];
  const included = document.included ?? [];
  const resources = [...primary.filter(isFullResource), ...included];
  return [
    ...findDuplicates(resources, 'the document holds twice'),
    ...findDuplicates(
      primary.filter((member) => !isFullResource(member)),
      'the primary data name twice',
    ),
    ...resources.flatMap(checkLinkages),
    ...findUnlinked(primary, included),
    ...resources.flatMap(checkNamespace),
  ];
}

/** An identifier has none of the members that make a resource object. */
function isFullResource(member: RawResource): boolean {
  return ['attributes', 'relationships', 'links'].some((name) => name in member);
}

function findDuplicates(members: readonly Identifier[], complaint: string): readonly string[] {
  const keys = members.map(keyOf);
  const repeated = new Set(keys.filter((key, index) => keys.indexOf(key) !== index));
  return [...repeated].map((key) => `${key}: ${complaint}.`);
}

function checkLinkages(resource: RawResource): readonly string[] {
  return Object.entries(resource.relationships ?? {}).flatMap(([name, { data }]) =>
    findDuplicates(listOf(data), `relationship '${name}' of ${keyOf(resource)} names twice`),
  );
}

/** Walks the linkage from the primary data, and returns the members of `included` that it does not reach. */
function findUnlinked(primary: readonly RawResource[], included: readonly RawResource[]): readonly string[] {
  const waiting = new Map(included.map((resource) => [keyOf(resource), resource]));
  const queue: Identifier[] = primary.flatMap((member) => (isFullResource(member) ? linkedFrom(member) : [member]));
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const found = waiting.get(keyOf(next));
    if (found === undefined) continue;
    waiting.delete(keyOf(next));
    queue.push(...linkedFrom(found));
  }
  return [...waiting.keys()].map((key) => `${key}: is included, but nothing links to it.`);
}

function linkedFrom(resource: RawResource): readonly Identifier[] {
  const relationships: readonly RelationshipObject[] = Object.values(resource.relationships ?? {});
  return relationships.flatMap(({ data }) => listOf(data));
}

function checkNamespace(resource: RawResource): readonly string[] {
  const attributes = Object.keys(resource.attributes ?? {});
  const relationships = Object.keys(resource.relationships ?? {});
  const reserved = [...attributes, ...relationships].filter((name) => name === 'type' || name === 'id');
  const shared = attributes.filter((name) => relationships.includes(name));
  return [
    ...reserved.map((name) => `${keyOf(resource)}: has a field called '${name}'.`),
    ...shared.map((name) => `${keyOf(resource)}: '${name}' is an attribute and a relationship.`),
  ];
}

/** `post 1`; the number 1 and the string '1' are the same id. */
function keyOf({ type, id }: Identifier): string {
  return `${type} ${id}`;
}

function listOf<T>(data: T | readonly T[] | null | undefined): readonly T[] {
  if (data === null || data === undefined) return [];
  return Array.isArray(data) ? (data as readonly T[]) : [data as T];
}
