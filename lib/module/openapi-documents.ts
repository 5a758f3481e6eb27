import type { INestApplication } from '@nestjs/common';
import type * as Swagger from '@nestjs/swagger';
import { checkName } from '../model/check-option.js';
import { DEFAULT_LIMITS } from '../model/limits.js';
import type { ResourceModel } from '../model/resource-model.js';
import { createDocument, documentParts, type OpenApiOptions } from '../openapi/create-document.js';
import type { DocumentedApi } from '../openapi/described-api.js';
import { collectDocument, type DocumentPart, type Sections } from '../openapi/document-parts.js';
import { cutReferences } from '../openapi/for-swagger-ui.js';
import { mergeParts } from '../openapi/merge-parts.js';
import type { OpenApiDocument } from '../openapi/open-api.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { inSlices } from '../openapi/steps.js';
import { joinJson, joinPieces, partTexts, sendable, splitJson, yamlPieces } from '../openapi/write-document.js';
import { serveDocument } from './document-routes.js';
import { type MountedApi, mountedApis } from './mounted-apis.js';
import { UNKNOWN_SHAPE } from '../validation/record-check.js';

/**
 * Describes both styles of an application's APIs as an OpenAPI 3.1 document. Hidden members, and operations that are not exposed, are left
 * out.
 *
 * @param source an application after `app.init()` or `app.listen()`; or a model alone, whose styles are then at `/rest` and `/rpc`
 * @example
 * const document = createOpenApiDocument(app, { title: 'Blog', version: '1.0', servers: [{ url: 'https://api.example.com' }] });
 */
export function createOpenApiDocument(source: INestApplication | ResourceModel, options: OpenApiOptions = {}): OpenApiDocument {
  const { grants = [] } = options;
  return createDocument(isModel(source) ? [apiOfModel(modelFor(grants, source))] : apisFor(grants, source), options);
}

/**
 * Adds the APIs of an application to a document of its other routes, such as the one that `SwaggerModule.createDocument` makes.
 *
 * @param document is not changed; its title, servers and security stay
 * @param options which parts of the APIs to describe
 * @returns an OpenAPI 3.1 document
 * @example
 * const config = new DocumentBuilder().setTitle('Blog').build();
 * const document = mergeOpenApi(SwaggerModule.createDocument(app, config), app);
 */
export function mergeOpenApi<Document extends object>(
  document: Document,
  app: INestApplication,
  { styles, put, grants = [] }: Pick<OpenApiOptions, 'styles' | 'put' | 'grants'> = {},
): Document & OpenApiDocument {
  const options = { ...(styles && { styles }), ...(put !== undefined && { put }) };
  const parts = mergeParts(document, documentParts(apisFor(grants, app), options, document));
  // The cast is needed because the other members of the application's document are known only by its type.
  return collectDocument(parts) as Document & OpenApiDocument;
}

/** Options of {@link setupDocs}: the path of its pages, and the content of the document. */
export interface DocsOptions extends OpenApiOptions {
  /** Path of the page. The document is at the same path with the suffix `-json`. @default 'docs' */
  readonly path?: string;
}

/**
 * Serves Swagger UI for the routes of the application and of this module, through `@nestjs/swagger`. Call it before `app.listen()`.
 *
 * @throws ConfigurationError when `@nestjs/swagger` is not installed
 */
export async function setupDocs(app: INestApplication, { path = 'docs', ...options }: DocsOptions = {}): Promise<void> {
  const { DocumentBuilder, SwaggerModule } = await loadSwagger();
  const { title = 'API', version = '1.0' } = options;
  const config = new DocumentBuilder().build();
  const parts = (): Iterable<DocumentPart> => {
    const { paths, components, tags } = SwaggerModule.createDocument(app, config);
    const application = { paths, ...(components && { components }), ...(tags && { tags }) };
    return mergeParts(application, documentParts(apisFor(options.grants ?? [], app), { title, version, ...options }, application));
  };
  const json = untilRejected(async () => sendable(await inSlices(joinJson(partTexts(parts())))));
  // The other two are made of the text of the first.
  const texts = async (): Promise<Sections<string>> => inSlices(splitJson((await json()).bytes));
  const yaml = untilRejected(async () => sendable(await inSlices(joinPieces(yamlPieces(await texts())))));
  const shown = untilRejected(async () => sendable(await inSlices(joinJson((await inSlices(cutReferences(await texts()))).all()))));

  const place = path.replaceAll(/^\/+|\/+$/g, '');
  const url = `${place.slice(place.lastIndexOf('/') + 1)}-json`;
  const served = {
    type: 'application/json; charset=utf-8',
    document: (search: URLSearchParams) => (search.has('swagger-ui') ? shown() : json()),
  };
  // The second path is where the URL leads from the page with a trailing slash.
  for (const at of new Set([`/${place}-json`, `${place && `/${place}`}/${url}`])) serveDocument(app, at, served);
  serveDocument(app, `/${place}-yaml`, { type: 'text/yaml; charset=utf-8', document: yaml });
  // Without a document, Swagger UI loads the URL.
  SwaggerModule.setup(path, app, () => undefined as never, {
    raw: false,
    customSiteTitle: title,
    swaggerOptions: { ...SWAGGER_UI, url, requestInterceptor: requestShown },
  });
}

/** Returns a function that calls `make` once, and again only after the promise was rejected. */
function untilRejected<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

/** Requests the document that Swagger UI can expand. The page shows the URL of the whole one. Runs in the browser, from its text. */
function requestShown<Sent extends { url: string; readonly loadSpec?: boolean }>(request: Sent): Sent {
  if (request.loadSpec) request.url += '?swagger-ui';
  return request;
}

/** Settings for APIs with many models: groups are collapsed, a search field is shown, and schemas are hidden. */
const SWAGGER_UI = {
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
} as const;

async function loadSwagger(): Promise<typeof Swagger> {
  try {
    return await import('@nestjs/swagger');
  } catch (cause) {
    throw new ConfigurationError('setupDocs needs @nestjs/swagger, which cannot be loaded.', 'Run npm install @nestjs/swagger.', { cause });
  }
}

function isModel(source: INestApplication | ResourceModel): source is ResourceModel {
  return 'byType' in source;
}

/**
 * Returns the APIs as they are exposed to callers with the given grants. Each module uses those of the grants that it has.
 * @throws ConfigurationError for a grant that no module has
 */
function apisFor(grants: readonly string[], app: INestApplication): readonly DocumentedApi[] {
  const apis = mountedApis(app);
  const known = apis.flatMap(({ compiled }) => compiled.model.grants?.names ?? []);
  for (const name of grants) checkName(name, { place: 'grants', known, kind: 'grant of the option resources', all: 'It names' });
  return apis.map((api) => describedApi(api, grants));
}

function modelFor(grants: readonly string[], model: ResourceModel): ResourceModel {
  const { names = [] } = model.grants ?? {};
  return model.grants?.of(grants.filter((name) => names.includes(name))) ?? model;
}

function describedApi({ compiled, checks, actionChecks, paths }: MountedApi, grants: readonly string[]): DocumentedApi {
  const { models, limits, rest, rpc } = compiled;
  const [restPath, rpcPath] = [paths.get('rest'), paths.get('rpc')];
  return {
    limits,
    actionShapeOf: (model, { name }) => {
      const action = compiled.ownActions.get(model)?.get(name);
      return action && actionChecks.get(action)?.shape();
    },
    shapeOf: (resource, action) => checks.get(resource.model)?.[action]?.shape() ?? UNKNOWN_SHAPE,
    ...(rest && restPath !== undefined && { rest: { surface: modelFor(grants, models.rest), path: restPath, settings: rest } }),
    ...(rpc && rpcPath !== undefined && { rpc: { surface: modelFor(grants, models.rpc), path: rpcPath, settings: rpc } }),
  };
}

/** Describes a model without an application, with the default settings. */
export function apiOfModel(model: ResourceModel): DocumentedApi {
  const rest = { endpoint: '/rest', pageSize: 100, maxPageSize: 1000, strict: false, idDivider: '_', count: 'exact' } as const;
  return {
    limits: DEFAULT_LIMITS,
    shapeOf: () => UNKNOWN_SHAPE,
    actionShapeOf: () => undefined,
    rest: { surface: model, path: '/rest', settings: rest },
    rpc: { surface: model, path: '/rpc', settings: { bytes: 'base64', describe: true } },
  };
}
