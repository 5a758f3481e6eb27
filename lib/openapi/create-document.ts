import { memberOf } from '../errors/member-of.js';
import { Components } from './components.js';
import type { DocumentedApi } from './described-api.js';
import { collectDocument, type DocumentPart, partsOf } from './document-parts.js';
import type { OpenApiDocument, OpenApiInfo, OpenApiServer, OpenApiTag, PathItem, SecurityRequirement, SecurityScheme } from './open-api.js';
import { OperationIds, operationIdsOf } from './operation-ids.js';
import { RPC_BATCH, RPC_DESCRIPTION } from '../rpc/protocol/rpc-operations.js';
import { OPERATIONS_TAG } from './rest/rest-operations.js';
import { RestPaths } from './rest/rest-paths.js';
import { RpcPaths } from './rpc/rpc-paths.js';

/** The parts of a document other than its paths. */
export interface OpenApiOptions extends Partial<OpenApiInfo> {
  readonly servers?: readonly OpenApiServer[];
  /** Security schemes by name, as in OpenAPI: `{ bearer: { type: 'http', scheme: 'bearer' } }`. */
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  /** The schemes that a request needs: `[{}, { bearer: [] }]` also allows anonymous callers. */
  readonly security?: readonly SecurityRequirement[];
  /** The styles to describe. @default those that the API serves */
  readonly styles?: readonly ('rest' | 'rpc')[];
  /** Whether PUT is described where it does the same as PATCH. Requests may use either in any case. @default true */
  readonly put?: boolean;
  /** The grants (option `grants`) of the callers whom the document is for. It contains what is visible to them. @default none */
  readonly grants?: readonly string[];
}

/** Describes APIs as an OpenAPI 3.1 document. */
export function createDocument(apis: readonly DocumentedApi[], options: OpenApiOptions = {}): OpenApiDocument {
  return collectDocument(documentParts(apis, options));
}

/**
 * Describes APIs as the parts of an OpenAPI 3.1 document. Every path, parameter and schema comes from the tables that the parsers use. Each
 * part is built when the caller takes it.
 *
 * @param application a document to merge with, whose names are reserved
 */
export function* documentParts(
  apis: readonly DocumentedApi[],
  options: OpenApiOptions = {},
  application: object = {},
): Generator<DocumentPart> {
  const components = new Components(memberOf(application, 'components'));
  const { servers, securitySchemes, security, put = true } = options;
  yield* partsOf({ openapi: '3.1.0', info: infoOf(options), servers, security, components: { securitySchemes } });
  const tags = new Set<string>();
  for (const [path, described] of pathsOf(apis, options, { components, operationIds: new OperationIds(operationIdsOf(application)) })) {
    const item = put ? described : withoutTwin(described);
    for (const method of METHODS) for (const tag of item[method]?.tags ?? []) tags.add(tag);
    yield { section: 'paths', name: path, value: item };
  }
  yield { section: '', name: 'tags', value: describeTags(tags, apis) };
  yield* components.parts();
}

const METHODS = ['get', 'post', 'patch', 'put', 'delete'] as const;

function* pathsOf(
  apis: readonly DocumentedApi[],
  { styles = ['rest', 'rpc'] }: OpenApiOptions,
  { components, operationIds }: { readonly components: Components; readonly operationIds: OperationIds },
): Generator<readonly [string, PathItem]> {
  for (const api of apis) {
    if (api.rest && styles.includes('rest')) yield* new RestPaths(api, api.rest, components, operationIds).all();
    if (api.rpc && styles.includes('rpc')) yield* new RpcPaths(api, api.rpc, components, operationIds).all();
  }
}

/** Removes PUT from a path where PATCH does the same. */
function withoutTwin({ put, ...item }: PathItem): PathItem {
  return item.patch || put === undefined ? item : { ...item, put };
}

function infoOf({ title = 'Resource API', version = '1.0', description, termsOfService, contact, license }: OpenApiOptions): OpenApiInfo {
  return {
    title,
    version,
    ...(description !== undefined && { description }),
    ...(termsOfService !== undefined && { termsOfService }),
    ...(contact && { contact }),
    ...(license && { license }),
  };
}

/** Describes tags by the documentation comments of the Prisma schema. */
function describeTags(names: ReadonlySet<string>, apis: readonly DocumentedApi[]): readonly OpenApiTag[] {
  const resources = apis.flatMap(({ rest, rpc }) => [...(rest?.surface.resources ?? []), ...(rpc?.surface.resources ?? [])]);
  const comments = new Map(resources.map(({ model, documentation }) => [model, documentation]));
  return [...names].map((name) => ({ name, description: comments.get(name) ?? describeTag(name) }));
}

function describeTag(name: string): string {
  const [model = '', style] = name.split(' ');
  if (name === OPERATIONS_TAG) return 'Several writes of JSON:API resources in one transaction.';
  if (model === RPC_BATCH.model) return 'Several RPC operations in one transaction.';
  if (model === RPC_DESCRIPTION.name) return 'What the caller can see and do.';
  return style === undefined ? `${model} as JSON:API resources.` : `The Prisma client's operations on ${model}.`;
}
