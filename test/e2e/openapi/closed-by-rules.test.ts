import { createOpenApiDocument, mergeOpenApi, ResourceApiModule, type RulesOption } from '../../../lib/index.js';
import { operationsOf } from '../../unit/openapi/documents.js';
import { closeAll, endpoint, fakeClient, startTinyApp, tinySchema } from '../../support/tiny-app.js';

afterEach(closeAll);

async function startRuled(rules: RulesOption) {
  const options = { schema: tinySchema, getClient: () => fakeClient(), rest: { prefix: 'api/rest', endpoint }, rpc: { prefix: 'api/rpc' } };
  const { app } = await startTinyApp('express', [ResourceApiModule.forRoot({ ...options, rules })]);
  return app;
}

async function operationsUnder(rules: RulesOption): Promise<readonly string[]> {
  return [...operationsOf(createOpenApiDocument(await startRuled(rules))).keys()];
}

describe('the OpenAPI document under row rules', () => {
  it('has no operation that the rules forbid for all callers', async () => {
    const operations = await operationsUnder({
      Post: { 'read': true, 'create': () => false, '*': false },
      User: { read: { id: 1 }, update: false },
    });
    expect(operations).toEqual(
      [
        'GET /api/rest/post',
        'POST /api/rest/post',
        'GET /api/rest/post/{id}',
        'GET /api/rest/post/{id}/author',
        'GET /api/rest/post/{id}/relationships/author',
        'GET /api/rest/user',
        'GET /api/rest/user/{id}',
        'GET /api/rest/user/{id}/posts',
        'GET /api/rest/user/{id}/relationships/posts',
        'GET /api/rpc/$describe',
        'GET /api/rpc/$describe/post',
        'GET /api/rpc/$describe/user',
        ...['findMany', 'findUnique', 'findUniqueOrThrow', 'findFirst', 'findFirstOrThrow', 'count', 'aggregate', 'groupBy'].map(
          (name) => `GET /api/rpc/post/${name}`,
        ),
        ...['create', 'createMany', 'createManyAndReturn', 'upsert'].map((name) => `POST /api/rpc/post/${name}`),
        ...['findMany', 'findUnique', 'findUniqueOrThrow', 'findFirst', 'findFirstOrThrow', 'count', 'aggregate', 'groupBy'].map(
          (name) => `GET /api/rpc/user/${name}`,
        ),
        'POST /api/rpc/$transaction/sequential',
      ].sort(byPlaceIn(operations)),
    );
  });

  it('has no reads of a model with read: false, but its creates', async () => {
    const operations = await operationsUnder({ Post: true, User: { 'read': false, '*': true } });
    const ofUsers = operations.filter((operation) => /\/(?:user|author)\b/.test(operation) && !operation.includes('$describe'));
    expect(ofUsers.filter((operation) => !operation.includes('/relationships/'))).toEqual([
      // The post has the foreign key.
      'PATCH /api/rest/post/{id}/author',
      'PUT /api/rest/post/{id}/author',
      'POST /api/rest/user',
      'POST /api/rpc/user/create',
      'POST /api/rpc/user/createMany',
      'POST /api/rpc/user/createManyAndReturn',
      'POST /api/rpc/user/upsert',
    ]);
    expect(operations).toContain('GET /api/rest/post/{id}/relationships/author');
  });

  it('has no PUT of the API with put: false', async () => {
    const app = await startRuled({ '*': true });
    const [all, short] = [createOpenApiDocument(app), createOpenApiDocument(app, { put: false })].map((document) => operationsOf(document));
    const puts = [...(all?.keys() ?? [])].filter((name) => name.startsWith('PUT '));
    expect(puts.length).toBeGreaterThan(8);
    expect([...(short?.keys() ?? [])]).toEqual([...(all?.keys() ?? [])].filter((name) => !puts.includes(name)));
    const host = { openapi: '3.0.0', info: { title: 'Host', version: '1' }, paths: { '/own': { put: { responses: {} } } } };
    const merged = operationsOf(mergeOpenApi(host, app, { put: false, styles: ['rest'] }));
    expect([...merged.keys()].filter((name) => name.startsWith('PUT ') || name.includes('/rpc/'))).toEqual(['PUT /own']);
  });
});

/** The order is that of the tables of endpoints and operations. */
function byPlaceIn(all: readonly string[]): (one: string, other: string) => number {
  return (one, other) => all.indexOf(one) - all.indexOf(other);
}
