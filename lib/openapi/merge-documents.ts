import type { OpenApiDocument } from './open-api.js';
import { toOpenApi31 } from './to-open-api-31.js';

/**
 * A document of the host's own routes with ours added. If both describe the same method of a path, the host's description stays, because its
 * route takes precedence.
 *
 * @param ours made with the names of `host` reserved, so that no two parts have the same name
 */
export function mergeDocuments<Document extends object>(host: Document, ours: OpenApiDocument): Document & OpenApiDocument {
  const { paths = {}, components = {}, tags = [], ...others } = toOpenApi31(host) as HostDocument;
  const names = new Set(tags.map(({ name }) => name));
  // The casts: the host's document is only known to have paths, components and tags.
  return {
    ...ours,
    ...others,
    openapi: ours.openapi,
    tags: [...tags, ...ours.tags.filter(({ name }) => !names.has(name))],
    paths: mergeEntries(ours.paths, paths),
    components: mergeEntries(ours.components as unknown as Sections, components),
  } as unknown as Document & OpenApiDocument;
}

/** What is read of a document by another tool. */
export interface HostDocument {
  readonly paths?: Sections;
  readonly components?: Sections;
  readonly tags?: readonly { readonly name: string }[];
}

/** Path items by path, or named parts by section. */
type Sections = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function mergeEntries(ours: Sections, host: Sections): Sections {
  return { ...ours, ...Object.fromEntries(Object.entries(host).map(([name, value]) => [name, { ...ours[name], ...value }])) };
}
