import { partsOf, Sections } from './document-parts.js';
import type { OpenApiDocument } from './open-api.js';
import { atOnce, type Steps } from './steps.js';
import { joinJson, partTexts } from './write-document.js';

/**
 * Copies a document for Swagger UI and cuts nested references.
 *
 * Swagger UI resolves each reference when it opens an operation. Schemas of filters, selections and nested writes reference each other through
 * relations, so this takes from seconds to minutes. In the copy, such a reference is an object with the name of the referenced schema. An
 * `allOf` of nothing but references keeps them, because the schema has no members without them.
 */
export function forSwaggerUi<Document extends Pick<OpenApiDocument, 'components'>>(document: Document): Document {
  const written = new Sections<string>();
  for (const [part, text] of partTexts(partsOf(document))) written.set(part, text);
  const shown = atOnce(cutReferences(written));
  // The cast is needed because the copy has the other members of the document, too.
  return JSON.parse(Buffer.from(atOnce(joinJson(shown.all()))).toString()) as Document;
}

/** Cuts nested references in the texts of a document's parts, and leaves out the schemas that nothing references then. */
export function* cutReferences(written: Sections<string>): Steps<Sections<string>> {
  const schemas = new Map(written.of('schemas'));
  const graph = new Map<string, ReadonlySet<string>>();
  const sizes = new Map<string, number>();
  for (const [name, text] of schemas) {
    graph.set(name, referencesOf(text));
    sizes.set(name, countParts(text));
    yield text.length;
  }
  const nesting = yield* nestingSchemas(graph);
  const large = yield* largeSchemas(graph, nesting, sizes);
  for (const [name, text] of schemas) {
    schemas.set(
      name,
      withoutReferences(text, (target) => large.has(target) || (nesting.has(name) && nesting.has(target))),
    );
    yield text.length;
  }
  return yield* withUsedSchemas(written, schemas);
}

function* withUsedSchemas(written: Sections<string>, schemas: ReadonlyMap<string, string>): Steps<Sections<string>> {
  const shown = new Sections<string>();
  const used = new Set<string>();
  for (const [part, text] of written.all()) {
    if (part.section === 'schemas') continue;
    shown.set(part, text);
    for (const name of referencesOf(text)) used.add(name);
    yield text.length;
  }
  // References add to the names while they are iterated.
  for (const name of used) {
    const text = schemas.get(name) ?? '';
    shown.set({ section: 'schemas', name }, text);
    for (const target of referencesOf(text)) used.add(target);
    yield text.length;
  }
  return shown;
}

/** The names of the referenced schemas by the name of a schema. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Maximum number of objects and arrays in a schema, including its references. A larger schema is replaced by its name. */
const MAX_PARTS = 2000;

/** The work on one reference, as a length of text. */
const REFERENCE_LENGTH = 50;

/** Returns the schemas in cycles, and those between two cycles. */
function* nestingSchemas(graph: Graph): Steps<ReadonlySet<string>> {
  const starts = yield* invert(yield* withoutEnds(graph));
  return new Set((yield* withoutEnds(starts)).keys());
}

/** Removes the schemas without references, until each remaining schema references another. */
function* withoutEnds(graph: Graph): Steps<Graph> {
  const users = yield* invert(graph);
  const open = new Map([...graph].map(([name, targets]) => [name, targets.size]));
  const ends = [...open].filter(([, count]) => count === 0).map(([name]) => name);
  for (const end of ends) {
    open.delete(end);
    const left = [...(users.get(end) ?? [])];
    for (const user of left) open.set(user, (open.get(user) ?? 0) - 1);
    ends.push(...left.filter((user) => open.get(user) === 0));
    yield left.length * REFERENCE_LENGTH;
  }
  const remaining = new Map<string, ReadonlySet<string>>();
  for (const name of open.keys()) {
    const targets = [...(graph.get(name) ?? [])];
    remaining.set(name, new Set(targets.filter((target) => open.has(target))));
    yield targets.length * REFERENCE_LENGTH;
  }
  return remaining;
}

function* invert(graph: Graph): Steps<Graph> {
  const users = new Map([...graph.keys()].map((name) => [name, new Set<string>()]));
  for (const [name, targets] of graph) {
    for (const target of targets) users.get(target)?.add(name);
    yield targets.size * REFERENCE_LENGTH;
  }
  return users;
}

/** @param own the number of objects and arrays in each schema, without its references */
function* largeSchemas(graph: Graph, nesting: ReadonlySet<string>, own: ReadonlyMap<string, number>): Steps<ReadonlySet<string>> {
  const sizes = new Map<string, number>();
  const sizeOf = (name: string): number => {
    const known = sizes.get(name);
    if (known !== undefined) return known;
    const kept = [...(graph.get(name) ?? [])].filter((target) => !nesting.has(name) || !nesting.has(target));
    const within = kept.map((target) => Math.min(sizeOf(target), MAX_PARTS));
    const size = within.reduce((sum, one) => sum + one, own.get(name) ?? 0);
    sizes.set(name, size);
    return size;
  };
  const large = new Set<string>();
  for (const [name, targets] of graph) {
    if (!nesting.has(name) && sizeOf(name) > MAX_PARTS) large.add(name);
    yield targets.size * REFERENCE_LENGTH;
  }
  return large;
}

/** Counts the objects and arrays in a JSON text. */
function countParts(text: string): number {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').split(/[{[]/).length - 1;
}

/** A reference to a schema in a JSON text, alone in its object or beside other members. Quotes within a string would be escaped. */
const REFERENCE = /(\{)?"\$ref":"#\/components\/schemas\/([^"]+)"(\})?/g;

/** An `allOf` of nothing but references, or a reference elsewhere. */
const PARTS_OR_REFERENCE = new RegExp(String.raw`"allOf":\[(?:\{"\$ref":"[^"]+"\},?)+\]|${REFERENCE.source}`, 'g');

function referencesOf(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(REFERENCE), ([, , name = '']) => name));
}

function withoutReferences(text: string, isCut: (name: string) => boolean): string {
  return text.replaceAll(PARTS_OR_REFERENCE, (match, open: string | undefined, name: string | undefined, close: string | undefined) => {
    if (name === undefined || !isCut(name)) return match;
    const description = open !== undefined && close !== undefined ? `,"description":"${NESTED}"` : '';
    return `${open ?? ''}"type":"object","title":"${name}"${description}${close ?? ''}`;
  });
}

const NESTED = 'Nested, so not shown here. The OpenAPI document describes it.';
