import { runInNewContext } from 'node:vm';
import { jest } from '@jest/globals';
import { Controller, Get, Logger } from '@nestjs/common';
import { ApiOkResponse, ApiProperty } from '@nestjs/swagger';
import { IsEmail, MaxLength, MinLength } from 'class-validator';
import { z } from 'zod';
import { createOpenApiDocument, forSwaggerUi, mergeOpenApi, ResourceApiModule } from '../../../lib/index.js';
import type { OpenApiDocument } from '../../../lib/openapi/open-api.js';
import { REST_ENDPOINTS } from '../../../lib/rest/protocol/rest-endpoints.js';
import { RPC_OPERATIONS } from '../../../lib/rpc/protocol/rpc-operations.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { type Method, sendRequest } from '../../support/send-request.js';
import { sample } from '../../support/sample.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { operationsOf } from '../../unit/openapi/documents.js';
import { expandedSchema } from '../../unit/openapi/expanded-operations.js';

/** A DTO of the application with the name of a schema of the API. */
class Post {
  @ApiProperty({ type: String, nullable: true })
  note!: string | null;
}

/** The validator of users. */
class UserDto {
  @IsEmail()
  email!: string;

  @MinLength(3)
  @MaxLength(40)
  name!: string;
}

const TagSchema = z.object({ name: z.string().min(2).max(20) });

@Controller('host')
class HostController {
  @Get('post')
  @ApiOkResponse({ type: Post })
  post(): Post {
    return { note: null };
  }
}

// On Express: Jest's modules cannot load `@fastify/static` as `@nestjs/swagger` does.
describe('setupDocs', () => {
  let database: TestDatabase;
  let app: TestApp;
  let document: OpenApiDocument;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({
      platform: 'express',
      database,
      controllers: [HostController],
      options: { resources: { User: { validate: { create: UserDto } }, Tag: { validate: { create: TagSchema } } } },
      configure: async (nest) => {
        await ResourceApiModule.setupDocs(nest, { path: 'docs', title: 'Test API' });
        await ResourceApiModule.setupDocs(nest, { path: 'refused', grants: ['nobody'] });
      },
    });
    document = (await app.agent.get('/docs-json')).body as OpenApiDocument;
  }, 60_000);
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it('serves Swagger UI and the document', async () => {
    const page = await app.agent.get('/docs').redirects(1);
    expect(page.text).toContain('Test API');
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Test API' } });
  });

  it('serves the document, and for the page a copy that Swagger UI can expand', async () => {
    const page = (await app.agent.get('/docs-json?swagger-ui')).body as OpenApiDocument;
    const nested = '"title":"UserScalarRelationFilter"';
    expect([page.paths['/api/rpc/post/findMany'], JSON.stringify(page)]).toEqual([expect.anything(), expect.stringContaining(nested)]);
    expect(page).toEqual(forSwaggerUi(document));
    expect(JSON.stringify(document)).not.toContain(nested);
    expect(document.components.schemas['UserScalarRelationFilter']).toBeDefined();
  });

  it('documents routes of the application beside the API, and no route with the model as a parameter', () => {
    const paths = Object.keys(document.paths);
    expect(paths).toEqual(expect.arrayContaining(['/host/post', '/api/rest/post', '/api/rpc/post/findMany']));
    expect(paths.filter((path) => path.includes('{type}') || path.includes('{model}'))).toEqual([]);
  });

  it('renames schemas with the name of one of the application, and converts those of the application to 3.1', () => {
    expect(document.components.schemas['Post']).toMatchObject({ properties: { note: { type: ['string', 'null'] } } });
    expect(expandedSchema({ ...document.components.schemas['Post2'] }, document)['properties']).toHaveProperty('title');
    expect(JSON.stringify(document.components.responses['PostRowResult'])).toContain('PostRowResult');
  });

  it('has the constraints of validators in the schemas of both styles', () => {
    const { schemas } = document.components;
    const attributesOf = (name: string) => schemas[name]?.properties?.['data']?.properties?.['attributes']?.properties;
    const user = { email: { type: 'string', format: 'email' }, name: { type: 'string', minLength: 3, maxLength: 40 } };
    expect(attributesOf('UserCreateDocument')).toMatchObject(user);
    expect(schemas['UserCreateManyInput']?.properties).toMatchObject(user);
    const tag = { name: { type: 'string', minLength: 2, maxLength: 20 } };
    expect(attributesOf('TagCreateDocument')).toMatchObject(tag);
    expect(schemas['TagCreateManyInput']?.properties).toMatchObject(tag);
    expect(attributesOf('TagUpdateDocument')?.['name']).not.toHaveProperty('minLength');
    expect(document.paths['/api/rest/user']?.post?.responses).toHaveProperty('422');
    expect(document.paths['/api/rest/post']?.post?.responses).not.toHaveProperty('422');
  });

  it('loads the copy by a script on the page, which does not contain it', async () => {
    const script = await app.agent.get('/docs/swagger-ui-init.js');
    expect(script.text).toContain('"url": "docs-json"');
    expect(script.text.length).toBeLessThan(4000);
    const [, source = ''] = /"requestInterceptor": (function[^]*?\n\})/.exec(script.text) ?? [];
    const intercept = runInNewContext(`(${source})`) as (request: object) => object;
    expect(intercept({ url: 'http://api.test/docs-json', loadSpec: true })).toMatchObject({ url: 'http://api.test/docs-json?swagger-ui' });
    expect(intercept({ url: 'http://api.test/api/rest/post' })).toEqual({ url: 'http://api.test/api/rest/post' });
  });

  it('answers 500 if the document cannot be created, and logs the reason', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    try {
      const { status, body } = await app.agent.get('/refused-json');
      expect([status, body]).toEqual([500, { statusCode: 500, message: 'Internal server error' }]);
      expect(logged.mock.calls.flat().join(' ')).toMatch(/OpenAPI document.*\/refused-json.*nobody/);
    } finally {
      logged.mockRestore();
    }
  });

  it('serves the same paths as createOpenApiDocument and mergeOpenApi return', () => {
    const own = createOpenApiDocument(app.nest, { title: 'Own' });
    expect(Object.keys(own.paths)).toEqual(Object.keys(document.paths).filter((path) => path.startsWith('/api/')));
    const merged = mergeOpenApi(
      { openapi: '3.0.0', info: { title: 'Host', version: '2' }, paths: { '/host/post': { get: {} } } },
      app.nest,
    );
    expect(merged).toMatchObject({ openapi: '3.1.0', info: { title: 'Host' } });
    expect(Object.keys(merged.paths)).toEqual(expect.arrayContaining(['/host/post', '/api/rest/post']));
  });
});

onPlatforms('the document of a running application', (platform) => {
  let database: TestDatabase;
  let app: TestApp;
  let document: OpenApiDocument;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database, options: { resources: { Post: { actions: ['read', 'create'] } } } });
    document = createOpenApiDocument(app.nest);
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  sample.omitted.it(
    'documents no operation that is not served',
    async () => {
      const unserved: string[] = [];
      for (const [operation] of operationsOf(document)) {
        const [method = '', path = ''] = operation.split(' ');
        if (!path.startsWith('/api/')) continue;
        const { text } = await sendRequest(app.agent, { method: method as Method, path: path.replaceAll('{id}', '0') });
        if (/"code":"invalid-(path|verb)"|There is no operation|is called by/.test(text)) unserved.push(`${operation}: ${text}`);
      }
      expect(unserved).toEqual([]);
    },
    120_000,
  );

  it('serves no operation that is not documented', async () => {
    const documented = new Set(operationsOf(document).keys());
    const served: string[] = [];
    for (const operation of possibleOperations(document)) {
      if (documented.has(operation)) continue;
      const [method = '', path = ''] = operation.split(' ');
      const headers = { 'Content-Type': 'application/json' };
      const { status } = await sendRequest(app.agent, {
        method: method as Method,
        path: path.replaceAll('{id}', '1'),
        headers,
        body: '{}',
      });
      if (status < 400) served.push(`${operation}: ${status}`);
    }
    expect(served).toEqual([]);
  }, 120_000);
});

/** Every method of every endpoint of some types, and every operation with each verb. */
function possibleOperations({ paths }: OpenApiDocument): readonly string[] {
  const types = ['post', 'user', 'tag'].filter((type) => Object.hasOwn(paths, `/api/rest/${type}`));
  const rest = types.flatMap((type) =>
    Object.values(REST_ENDPOINTS).flatMap(({ path, methods }) =>
      ['author', 'tags', 'posts'].flatMap((relationship) =>
        Object.keys(methods).map(
          (method) => `${method} /api/rest/${path.replace(':type', type).replace(':id', '{id}').replace(':relationship', relationship)}`,
        ),
      ),
    ),
  );
  const rpc = types.flatMap((type) =>
    Object.keys(RPC_OPERATIONS).flatMap((name) =>
      ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].map((method) => `${method} /api/rpc/${type}/${name}`),
    ),
  );
  return [...new Set([...rest, ...rpc])];
}
