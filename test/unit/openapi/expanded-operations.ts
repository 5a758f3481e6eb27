import { createHash } from 'node:crypto';
import type { OpenApiDocument } from '../../../lib/openapi/open-api.js';
import { operationsOf, resolve } from './documents.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** Levels of an operation that a digest reads. A schema that is nested more deeply is near the surface of another operation. */
const LEVELS = 16;

/**
 * Returns the digest of every operation with all references replaced by their targets. How a document shares its parts, and how it
 * names and describes them, does not matter.
 */
export function operationDigests(document: OpenApiDocument): Readonly<Record<string, string>> {
  const plain = JSON.parse(JSON.stringify(document)) as OpenApiDocument;
  const digests = new Digests(plain);
  const entries = [...operationsOf(plain)].map(([name, operation]) => {
    const { parameters = [] } = plain.paths[name.slice(name.indexOf(' ') + 1)] ?? {};
    return [name, digests.of({ ...operation, parameters: [...parameters, ...(operation.parameters ?? [])] }, LEVELS)] as const;
  });
  return Object.fromEntries(entries);
}

/** Texts for readers. A property of such a name has a schema. */
const PROSE: ReadonlySet<string> = new Set(['description', 'summary']);

class Digests {
  /** By object, the digest for each number of levels. */
  readonly #byLevel = new Map<unknown, string[]>();

  constructor(private readonly document: OpenApiDocument) {}

  of(value: unknown, levels: number): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    if (levels === 0) return '…';
    const byLevel = this.#byLevel.get(value) ?? [];
    this.#byLevel.set(value, byLevel);
    return (byLevel[levels] ??= createHash('sha1').update(this.#textOf(value, levels)).digest('base64url').slice(0, 12));
  }

  #textOf(value: object, levels: number): string {
    if (Array.isArray(value)) return value.map((member) => this.of(member, levels - 1)).join();
    const members = Object.entries(expandedSchema(value as JsonObject, this.document))
      .filter(([name, member]) => !(PROSE.has(name) && typeof member === 'string'))
      .sort(([one], [other]) => (one < other ? -1 : 1));
    return members.map(([name, member]) => `${JSON.stringify(name)}:${this.of(sorted(name, member), levels - 1)}`).join();
  }
}

/** Replaces a reference, and merges the object schemas of an `allOf`. Where two have a property, the later one narrows it. */
export function expandedSchema({ $ref, allOf, ...others }: JsonObject, document: OpenApiDocument): JsonObject {
  if (typeof $ref === 'string') return { ...expandedSchema(resolve(document, { $ref }) as JsonObject, document), ...others };
  if (!Array.isArray(allOf)) return others;
  const all: readonly JsonObject[] = [...allOf.map((one) => expandedSchema(one as JsonObject, document)), others];
  const required = all.flatMap((one) => (one['required'] as readonly string[] | undefined) ?? []);
  return {
    ...(Object.assign({}, ...all) as JsonObject),
    properties: Object.assign({}, ...all.map(({ properties }) => properties)) as unknown,
    ...(required.length > 0 && { required }),
  };
}

/** `required` is a set. */
function sorted(name: string, member: unknown): unknown {
  return name === 'required' && Array.isArray(member) ? [...new Set(member)].sort() : member;
}
