import { memberOf } from '../errors/member-of.js';
import { Components } from './components.js';
import type { DescribedApi } from './described-api.js';
import type { OpenApiDocument, OpenApiInfo, OpenApiServer, OpenApiTag, PathItem, SecurityRequirement, SecurityScheme } from './open-api.js';
import { OperationIds, operationIdsOf } from './operation-ids.js';
import { RPC_BATCH } from '../rpc/protocol/rpc-operations.js';
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

/**
 * Describes APIs as an OpenAPI 3.1 document. Every path, parameter and schema comes from the tables that the parsers use.
 *
 * @param host a document to merge with, whose names are reserved
 */
export function createDocument(apis: readonly DescribedApi[], options: OpenApiOptions = {}, host: object = {}): OpenApiDocument {
  const components = new Components(memberOf(host, 'components'));
  const operationIds = new OperationIds(operationIdsOf(host));
  const { servers, securitySchemes, security, styles = ['rest', 'rpc'], put = true } = options;
  const paths = apis.flatMap((api): Readonly<Record<string, PathItem>>[] => [
    ...(api.rest && styles.includes('rest') ? [new RestPaths(api, api.rest, components, operationIds).all()] : []),
    ...(api.rpc && styles.includes('rpc') ? [new RpcPaths(api, api.rpc, components, operationIds).all()] : []),
  ]);
  const described = Object.fromEntries(paths.flatMap((all) => Object.entries(all)));
  const all = put ? described : withoutTwins(described);
  return {
    openapi: '3.1.0',
    info: infoOf(options),
    ...(servers && { servers }),
    ...(security && { security }),
    tags: tagsOf(all, apis),
    paths: all,
    components: { ...components.build(), ...(securitySchemes && { securitySchemes }) },
  };
}

function withoutTwins(paths: Readonly<Record<string, PathItem>>): Readonly<Record<string, PathItem>> {
  return Object.fromEntries(
    Object.entries(paths).map(([path, { put, ...item }]) => [path, item.patch || put === undefined ? item : { ...item, put }]),
  );
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

/** Returns the tags of the operations in order, described by the documentation comments of the Prisma schema. */
function tagsOf(paths: Readonly<Record<string, PathItem>>, apis: readonly DescribedApi[]): readonly OpenApiTag[] {
  const operations = Object.values(paths).flatMap(({ get, post, patch, put, delete: remove }) => [get, post, patch, put, remove]);
  const names = new Set(operations.flatMap((operation) => operation?.tags ?? []));
  const resources = apis.flatMap(({ rest, rpc }) => [...(rest?.surface.resources ?? []), ...(rpc?.surface.resources ?? [])]);
  const comments = new Map(resources.map(({ model, documentation }) => [model, documentation]));
  return [...names].map((name) => ({ name, description: comments.get(name) ?? describeTag(name) }));
}

function describeTag(name: string): string {
  const [model = '', style] = name.split(' ');
  if (name === OPERATIONS_TAG) return 'Several writes of JSON:API resources in one transaction.';
  if (model === RPC_BATCH.model) return 'Several RPC operations in one transaction.';
  return style === undefined ? `${model} as JSON:API resources.` : `The Prisma client's operations on ${model}.`;
}
