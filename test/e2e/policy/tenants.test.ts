import type { CanActivate, ExecutionContext, INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { AccessDeniedError, type PlatformRequest, ResourceApiModule } from 'nestjs-resource-api';
import type { AddressInfo, Server } from 'node:net';
import type { PrismaClient } from '../../../sample/blog/src/generated/prisma/client.js';
import { resourceSchema } from '../../../sample/blog/src/generated/resource-schema.js';
import { type BlogDatabase, openBlogDatabase } from './blog-database.js';
import { ENGINES } from './engines.js';
import { sample } from '../../support/sample.js';

interface TenantRequest extends PlatformRequest {
  tenant?: string;
}

/** Reads the tenant of a request from a header. An application would use a claim of a verified token, or the host name. */
class TenantGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<TenantRequest>();
    const tenant = request.headers['x-tenant'];
    if (typeof tenant === 'string') request.tenant = tenant;
    return true;
  }
}

const TENANTS = ['acme', 'globex'] as const;

/** The recipe "a database for each tenant" of docs/policies.md. */
sample.omitted.describe('a database for each tenant', () => {
  const databases = new Map<string, BlogDatabase>();
  const clients = new Map<string, PrismaClient>();
  let nest: INestApplication;
  let url: string;

  beforeAll(async () => {
    const engine = ENGINES.at(-1) ?? 'PGlite';
    for (const tenant of TENANTS) {
      const database = await openBlogDatabase(engine, 2);
      await database.prisma.post.updateMany({ data: { content: `Property of ${tenant}.` } });
      databases.set(tenant, database);
      clients.set(tenant, database.prisma);
    }
    const api = ResourceApiModule.forRoot({
      schema: resourceSchema,
      guards: [TenantGuard],
      getClient: ({ tenant = '' }: TenantRequest) => {
        const client = clients.get(tenant);
        if (client === undefined) throw new AccessDeniedError('There is no such tenant.');
        return client;
      },
      rest: { prefix: 'api/rest', endpoint: 'http://tenants.test/api/rest' },
      rpc: { prefix: 'api/rpc' },
    });
    const module = await Test.createTestingModule({ imports: [api] }).compile();
    nest = module.createNestApplication(new ExpressAdapter(), { logger: false });
    await nest.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${((nest.getHttpServer() as Server).address() as AddressInfo).port}`;
  }, 120_000);
  afterAll(async () => {
    await nest.close();
    await Promise.all([...databases.values()].map((database) => database.close()));
  });

  it('answers each of 60 concurrent requests from the database of its tenant', async () => {
    const paths = ['/api/rest/post?page[limit]=5', '/api/rpc/post/findMany?q={"take":5}', '/api/rest/tag/1?include=posts'];
    const requests = Array.from({ length: 60 }, (_, index) => ({ tenant: TENANTS[index % 2] ?? '', path: paths[index % 3] ?? '' }));
    const owners = await Promise.all(
      requests.map(async ({ tenant, path }) => {
        const response = await fetch(`${url}${path}`, { headers: { 'X-Tenant': tenant } });
        return [response.status, ...new Set((await response.text()).match(/Property of \w+/g))];
      }),
    );
    expect(owners).toEqual(requests.map(({ tenant }) => [200, `Property of ${tenant}`]));
  });

  it('writes only to the database of the tenant', async () => {
    const before = await databases.get('globex')?.dump();
    const body = JSON.stringify({ where: { id: 1 }, data: { title: 'Only here' } });
    const headers = { 'X-Tenant': 'acme', 'Content-Type': 'application/json' };
    expect((await fetch(`${url}/api/rpc/post/update`, { method: 'PATCH', headers, body })).status).toBe(200);
    expect(await clients.get('acme')?.post.count({ where: { title: 'Only here' } })).toBe(1);
    expect(await databases.get('globex')?.dump()).toBe(before);
  });

  it.each([
    ['an unknown tenant', { 'X-Tenant': 'initech' }],
    ['the name of a member of Object.prototype', { 'X-Tenant': 'constructor' }],
    ['a request without a tenant', {}],
  ])('rejects %s with 403 in both styles, before any SQL', async (_, headers) => {
    for (const database of databases.values()) database.statements.clear();
    const rest = await fetch(`${url}/api/rest/post`, { headers: headers as Record<string, string> });
    const rpc = await fetch(`${url}/api/rpc/post/findMany`, { headers: headers as Record<string, string> });
    expect([rest.status, rpc.status, await rpc.json()]).toEqual([403, 403, expect.objectContaining({ rejectedByPolicy: true })]);
    expect([...databases.values()].flatMap(({ statements }) => statements.all)).toEqual([]);
  });
});
